// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_contact_response_h
#define ricochet_response_contact_response_h

#include <ricochet/impulse/pass_settings.h>
#include <ricochet/search/encounter.h>
#include <ricochet/search/search_settings.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/parameter_handler.h>

#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * How collisions act on the bodies. All responses share surface, search and
   * Collision; there are two kinds, each with verbs and a registry of its own,
   * and a parameter file chooses among both:
   *
   * - ContactCorrection, of explicit integrators: changes positions and
   *   velocities between predictor and corrector.
   * - ContactForces, of implicit integrators: gives forces and their
   *   derivatives in each iteration of the integrator.
   *
   * Here is what they have in common.
   */
  template <int dim>
  class ContactResponse
  {
  public:
    virtual ~ContactResponse() = default;

    /** Read the entries that the class declared, and check them. */
    virtual void
    parse_parameters(dealii::ParameterHandler &prm) = 0;

    /** Learn the names of the bodies, by number; after parse_parameters(). */
    virtual void
    set_bodies(const std::vector<std::string> & /*names*/)
    {}

    /** Throw a UserError if it does not go with these settings. */
    virtual void
    check(const PassSettings & /*settings*/) const
    {}

    /**
     * Take over a surface, which must outlive this object, before the first
     * step and when it has changed; with which bodies may touch, and for each
     * body what smallest_skin_heights() gives.
     */
    virtual void
    reinit(const Surface<dim> & /*surface*/,
           const SearchSettings & /*search*/,
           const std::vector<double> & /*skin_heights*/)
    {}

    /** Names and numbers for the summary of a run. */
    virtual std::vector<std::pair<std::string, double>>
    numbers() const
    {
      return {};
    }
  };
} // namespace Ricochet

#endif
