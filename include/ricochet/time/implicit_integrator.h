// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_time_implicit_integrator_h
#define ricochet_time_implicit_integrator_h

#include <ricochet/implicit/constrained_newton.h>
#include <ricochet/implicit/step_equations.h>
#include <ricochet/time/implicit_balance.h>
#include <ricochet/time/step_start.h>
#include <ricochet/time/time_integrator.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * What implicit integrators have in common: the solution of the equations of
   * a step for its mean velocity w, x_1 = x_0 + dt w, with contact by forces;
   * and a step with half the length where that fails. A derived class says what
   * the equations are (StepScheme), and what the velocities at the end are.
   *
   *   x_1 = x_0 + dt w,  r(w) = 0       Newton's method
   *   v_1, a_1                          of the integrator
   *   v_1 = contact(v_1)                velocity update of the response
   */
  template <int dim>
  class ImplicitIntegrator : public TimeIntegrator<dim>
  {
  public:
    void
    set_equation_solver(const std::shared_ptr<EquationSolver> &solver) override
    {
      equation_solver = solver;
    }

    void
    initialize(const Solids<dim> &solids,
               State &state,
               const double dt) override;

    StepTaken
    step(const Solids<dim> &solids,
         Contact<dim> &contact,
         State &state,
         const double dt,
         const bool with_energies,
         Balance &balance) override;

    /** Which bodies have laws without a tangent of their own. */
    std::vector<std::string>
    notes(const Solids<dim> &solids) const override;

    bool
    takes_contact_forces() const override
    {
      return true;
    }

    double
    stable_step(const Solids<dim> &, const State &) const override
    {
      return std::numeric_limits<double>::infinity();
    }

  protected:
    /** Whether the method is that of RigidStep for rigid bodies; others know
     * none. */
    virtual bool
    moves_rigid_bodies() const
    {
      return false;
    }

    /**
     * The equations of a step.
     *
     * @param[in] external_forces At the end of the step; State has those at its
     *   start.
     */
    virtual StepScheme
    scheme(const State &state,
           const ForestVectors &external_forces,
           const double dt) const = 0;

    /** Velocities and accelerations of @p state, which has those of the start,
     * at the end of a step with the mean velocities @p w. */
    virtual void
    finish(const ForestVectors &w, const double dt, State &state) const = 0;

    /** The same in a step that keeps gaps open, without the impulses of
     * contact; all but velocities and accelerations of @p state is that of the
     * end. Returns which part of the forces of the gaps acts in the step. */
    virtual double
    finish_without_gaps(const Solids<dim> & /*solids*/,
                        const double /*dt*/,
                        State & /*state*/) const
    {
      AssertThrow(false, dealii::ExcNotImplemented());
      return 0.;
    }

  private:
    /** The mean velocity of the last step, with the one that supports have in
     * this one. */
    void
    guess_velocities(const Solids<dim> &solids,
                     const State &state,
                     const double dt,
                     const double last_dt);

    /** Solve the equations of a step of length @p dt; the result says whether
     * that was possible. */
    Newton::Result
    solve(const Solids<dim> &solids,
          Contact<dim> &contact,
          State &state,
          const double dt,
          const double last_dt,
          StepTaken &taken);

    /** The same from the present guess, under the condition that gaps stay
     * open; for @p by_iterates see Contact::begin_gaps(). */
    Newton::Result
    solve_with_gaps(Contact<dim> &contact,
                    const State &state,
                    const double dt,
                    const bool by_iterates);

    /** A step of a model of rigid bodies alone. */
    StepTaken
    step_of_rigid_bodies(const Solids<dim> &solids,
                         Contact<dim> &contact,
                         State &state,
                         const double wanted_dt,
                         Balance &balance);

    /** Velocities and accelerations at the end of a step that keeps gaps open,
     * instead of finish(). */
    void
    finish_with_gaps(const Solids<dim> &solids,
                     Contact<dim> &contact,
                     State &state,
                     const double dt);

    /** Go on from the solution to the end of the step. */
    void
    accept(const Solids<dim> &solids,
           Contact<dim> &contact,
           State &state,
           const double dt,
           const bool with_energies,
           Balance &balance);

    std::shared_ptr<EquationSolver> equation_solver =
      std::make_shared<EquationSolver>();
    StepEquations<dim> equations;
    const Contact<dim> *of_contact = nullptr; // what equations were built for
    bool is_built                  = false;
    double longest_step            = 0.; // that was wanted
    StepStart start;
    ForestVectors end_forces, guess, end_of_guess, gap_forces;
    ImplicitBalance<dim> step_balance;
  };
} // namespace Ricochet

#endif
