// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_contact_response_h
#define ricochet_response_contact_response_h

#include <ricochet/base/registry.h>
#include <ricochet/response/contact_state.h>
#include <ricochet/response/friction_law.h>
#include <ricochet/response/pair_values.h>
#include <ricochet/search/search.h>

#include <deal.II/base/parameter_handler.h>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>
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

    /** Learn the names of the bodies, by number; after parse_parameters(). */
    virtual void
    set_bodies(const std::vector<std::string> & /*names*/)
    {}
  };



  /** What the contact section of the parameter file says to every correction.
   */
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



  /** A response of explicit integrators. */
  template <int dim>
  class ContactCorrection : public ContactResponse<dim>
  {
  public:
    /**
     * Take over a surface, which must outlive this object, before the first
     * step; with which bodies may touch, and for each body what
     * smallest_skin_heights() gives.
     */
    virtual void
    reinit(const Surface<dim> & /*surface*/,
           const SearchSettings & /*search*/,
           const std::vector<double> & /*skin_heights*/)
    {}

    /** Whether step_limit() has something to say. */
    virtual bool
    limits_step() const
    {
      return false;
    }

    /**
     * The longest step that the response wants; by body, the largest speed of
     * its surface.
     */
    virtual double
    step_limit(const std::vector<double> & /*speeds*/) const
    {
      return std::numeric_limits<double>::infinity();
    }

    /** Names and numbers for the summary of a run. */
    virtual std::vector<std::pair<std::string, double>>
    numbers() const
    {
      return {};
    }

    /**
     * Handle @p encounters, one pass, in their order. It is the first one of a
     * step if not ContactState::has_acted(); what a response keeps of a pass it
     * must forget then.
     * Where there are none, velocities and accelerations of @p state are not
     * those of this step.
     *
     * @return Whether anything was changed; if not, the state is clean.
     */
    virtual bool
    correct(const Surface<dim> &surface,
            const std::vector<Encounter> &encounters,
            const PassSettings &settings,
            ContactState<dim> &state) = 0;

    /** Throw a UserError if it does not go with these settings. */
    virtual void
    check(const PassSettings & /*settings*/) const
    {}

    /** Whether there is an update_velocities(). */
    virtual bool
    updates_velocities() const
    {
      return false;
    }

    /**
     * Change the velocities once more, after a step in which contact has acted
     * and when the forces at its end are known. The state is as correct() left
     * it, but with the velocities at the end of the step.
     */
    virtual void
    update_velocities(const Surface<dim> & /*surface*/,
                      ContactState<dim> & /*state*/)
    {}

    /**
     * A warning about this combination of parameters, or an empty string; the
     * Courant number is the step relative to the stable one.
     */
    virtual std::string
    warning(const PassSettings & /*settings*/,
            const double /*courant_number*/) const
    {
      return "";
    }
  };
} // namespace Ricochet

RICOCHET_DECLARE_REGISTRIES(::Ricochet::ContactResponse)

/** Make a contact response available in parameter files. */
#define RICOCHET_REGISTER_CONTACT_RESPONSE(Class, name, description) \
  RICOCHET_REGISTER(::Ricochet::ContactResponse, Class, name, description)

#endif
