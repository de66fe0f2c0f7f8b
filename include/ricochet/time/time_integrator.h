// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_time_time_integrator_h
#define ricochet_time_time_integrator_h

#include <ricochet/base/registry.h>
#include <ricochet/body/diagnostics.h>
#include <ricochet/body/solids.h>
#include <ricochet/contact.h>
#include <ricochet/implicit/equation_solver.h>
#include <ricochet/implicit/step_cuts.h>
#include <ricochet/time/balance.h>

#include <deal.II/base/parameter_handler.h>

#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  /** The step that was really taken. */
  struct StepTaken
  {
    double dt = 0.;

    /** How often it was halved. */
    StepCuts cuts;

    /** Of implicit steps, the failed ones too: iterations of Newton's method
     * and of the linear solver, and how often the multipliers of contact were
     * raised. */
    unsigned int n_iterations = 0, n_linear_iterations = 0, n_augmentations = 0;
  };



  /** Advances all bodies by one step, contact included. */
  template <int dim>
  class TimeIntegrator
  {
  public:
    virtual ~TimeIntegrator() = default;

    /** How messages call the family. */
    static std::string
    family_name()
    {
      return "time integrator";
    }

    /** Read the entries that the class declared, and check them. */
    virtual void
    parse_parameters(dealii::ParameterHandler &prm) = 0;

    /** Take over what solves the equations of implicit methods, with the user's
     * choices; others do not need it. */
    virtual void
    set_equation_solver(const std::shared_ptr<EquationSolver> & /*solver*/)
    {}

    /**
     * Forces and accelerations of the initial state; @p dt is the length of
     * the first step.
     */
    virtual void
    initialize(const Solids<dim> &solids, State &state, const double dt) = 0;

    /**
     * Advance @p state from t to t + dt, or less.
     *
     * @param[in] with_energies Whether State::energies are wanted.
     * @param[in,out] balance What entered and left the system is added.
     */
    virtual StepTaken
    step(const Solids<dim> &solids,
         Contact<dim> &contact,
         State &state,
         const double dt,
         const bool with_energies,
         Balance &balance) = 0;

    /** Seconds of wall time that the forces of the bodies took in all steps; 0
     * if the integrator keeps no count. */
    virtual double
    force_time() const
    {
      return 0.;
    }

    /** What the user should know of the method with these bodies. */
    virtual std::vector<std::string>
    notes(const Solids<dim> & /*solids*/) const
    {
      return {};
    }

    /** Which kind of contact response it works with: one that gives forces, or
     * one that corrects predictions. */
    virtual bool
    takes_contact_forces() const = 0;

    /** Whether it finds steps that keep the gaps of a response open, see
     * Contact::gives_gaps(). */
    virtual bool
    keeps_gaps_open() const
    {
      return false;
    }

    /** Throw a UserError if the response of @p contact is of the other kind. */
    void
    check_contact(const Contact<dim> &contact) const;

    /** The longest stable step; longer ones are an error. Infinite if all are
     * stable. Collective. */
    virtual double
    stable_step(const Solids<dim> &solids, const State &state) const = 0;

    /** The same, or, if it is in the range, any number in it. Collective. */
    virtual double
    stable_step_unless(const Solids<dim> &solids,
                       const State &state,
                       const StepRange & /*range*/) const
    {
      return stable_step(solids, state);
    }

    /**
     * What is to be added to kinetic and internal energy to get the one that
     * the method conserves, after a step of length @p dt.
     */
    virtual double
    shadow_energy(const BodySums & /*all*/, const double /*dt*/) const
    {
      return 0.;
    }
  };
} // namespace Ricochet

RICOCHET_DECLARE_REGISTRIES(::Ricochet::TimeIntegrator)

/** Make a time integrator available in parameter files. */
#define RICOCHET_REGISTER_TIME_INTEGRATOR(Class, name, description) \
  RICOCHET_REGISTER(::Ricochet::TimeIntegrator, Class, name, description)

#endif
