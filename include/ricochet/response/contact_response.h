// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_contact_response_h
#define ricochet_response_contact_response_h

#include <ricochet/response/friction_law.h>
#include <ricochet/response/pair_values.h>
#include <ricochet/search/search.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/parameter_handler.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** What the contact section of the parameter file says to every response. */
  struct PassSettings
  {
    /** Coefficient of restitution of the contact points, in [0,1]. */
    PairValues restitution = 1.;

    /** Coefficient of friction, >= 0. */
    PairValues friction = 0.;

    /** How it acts. */
    std::shared_ptr<const FrictionLaw> friction_law =
      std::make_shared<CoulombFriction>();

    /** The friction of two bodies in a step of length @p dt. */
    PointFriction
    friction_of(const std::array<unsigned int, 2> &bodies,
                const double dt) const
    {
      return {*friction_law, friction.of(bodies), dt};
    }

    /** Pairs closer than eta (relative to the local edge length) at the end of
     * a step are in contact. */
    double eta = 1e-11;

    /** The gap that position corrections move pairs to, where a response makes
     * some (relative to the local edge length). */
    double delta = 1e-4;

    /** How much of the way that a pair is held up on in a step it may be kept
     * away beyond its least gap, see deflect_pair(). */
    double slack = 0.02;
  };



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
