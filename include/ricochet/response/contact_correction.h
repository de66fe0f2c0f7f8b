// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_contact_correction_h
#define ricochet_response_contact_correction_h

#include <ricochet/base/registry.h>
#include <ricochet/impulse/contact_state.h>
#include <ricochet/response/contact_response.h>

#include <limits>
#include <string>
#include <vector>

namespace Ricochet
{
  template <int dim>
  class StepGaps;



  /** A response of explicit integrators: corrects what their predictor gives.
   */
  template <int dim>
  class ContactCorrection : public ContactResponse<dim>
  {
  public:
    /** How messages call the family. */
    static std::string
    family_name()
    {
      return "contact response";
    }

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

    /** The gaps of a step, for implicit integrators, which find the end of the
     * step under the condition that these stay open instead of calling
     * correct(); null if the response is for explicit ones only. */
    virtual StepGaps<dim> *
    step_gaps()
    {
      return nullptr;
    }

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

RICOCHET_DECLARE_REGISTRIES(::Ricochet::ContactCorrection)

/** Make a response of explicit integrators available in parameter files. */
#define RICOCHET_REGISTER_CONTACT_CORRECTION(Class, name, description) \
  RICOCHET_REGISTER(::Ricochet::ContactCorrection, Class, name, description)

#endif
