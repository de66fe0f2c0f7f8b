// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_contact_response_h
#define ricochet_response_contact_response_h

#include <ricochet/base/registry.h>
#include <ricochet/response/contact_state.h>
#include <ricochet/search/search.h>

#include <deal.II/base/parameter_handler.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * How collisions act on the bodies. All responses share surface, search and
   * Collision; they differ in when they are asked:
   *
   * - Corrections (explicit integrators) change positions and velocities
   *   between predictor and corrector: see ContactCorrection.
   * - Responses of implicit integrators contribute forces or constraints
   *   inside the integrator's own iteration and derive from this class
   *   directly, with their verbs beside the ones here.
   */
  template <int dim>
  class ContactResponse
  {
  public:
    virtual ~ContactResponse() = default;

    /** How messages call the family. */
    static std::string
    family_name()
    {
      return "contact response";
    }

    /** Read the entries that the class declared, and check them. */
    virtual void
    parse_parameters(dealii::ParameterHandler &prm) = 0;
  };



  template <>
  std::map<std::string, Registry<ContactResponse<2>>::Entry> &
  Registry<ContactResponse<2>>::entries();
  template <>
  std::map<std::string, Registry<ContactResponse<3>>::Entry> &
  Registry<ContactResponse<3>>::entries();



  /** What the contact section of the parameter file says to every correction.
   */
  struct PassSettings
  {
    /** Coefficient of restitution of the contact points, in [0,1]. */
    double restitution = 1.;

    /** Coulomb's coefficient of friction, >= 0. */
    double friction = 0.;

    /** Pairs closer than eta (relative to the local edge length) are handled.
     */
    double eta = 1e-6;

    /** Handled pairs are moved to this gap (relative to the local edge length).
     */
    double delta = 1e-4;

    /** Pairs that start the step closer than delta are moved back to where they
     * started, but not closer than this (relative as well): lifting a body that
     * rests at no distance to delta at once would kick it. */
    double least_delta = 1e-4;
  };



  /** A response of explicit integrators. */
  template <int dim>
  class ContactCorrection : public ContactResponse<dim>
  {
  public:
    /**
     * Handle @p encounters, one pass, in their order.
     *
     * @return Whether anything was changed; if not, the state is clean.
     */
    virtual bool
    correct(const Surface<dim> &surface,
            const std::vector<Encounter> &encounters,
            const PassSettings &settings,
            ContactState<dim> &state) const = 0;

    /** Whether correct() reads ContactState::accelerations. */
    virtual bool
    needs_accelerations() const
    {
      return false;
    }

    /**
     * A warning about this combination of parameters, or an empty string.
     *
     * @param[in] courant_number The step relative to the stable one.
     */
    virtual std::string
    warning(const PassSettings & /*settings*/,
            const double /*courant_number*/) const
    {
      return "";
    }
  };
} // namespace Ricochet

/** Make a contact response available in parameter files. */
#define RICOCHET_REGISTER_CONTACT_RESPONSE(Class, name, description) \
  RICOCHET_REGISTER(::Ricochet::ContactResponse, Class, name, description)

#endif
