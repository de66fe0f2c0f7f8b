// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/time/time_integrator.h>

namespace Ricochet
{
  namespace
  {
    /** Pointers to all vectors of a set, as Contact takes them. */
    template <typename Pointers, typename Vectors>
    Pointers
    pointers(Vectors &vectors)
    {
      Pointers result;
      for (auto &vector : vectors)
        result.push_back(&vector);
      return result;
    }



    /** x += factor * y on the locally owned entries. */
    void
    add(ForestVectors &x, const double factor, const ForestVectors &y)
    {
      for (unsigned int p = 0; p < x.size(); ++p)
        x[p].add(factor, y[p]);
    }
  } // namespace



  /**
   * The explicit Newmark method, beta = 0 and gamma = 1/2, in
   * predictor-corrector form with contact in between:
   *
   *   v  = v_n + dt/2 a_n,   x~ = x_n + dt v          predictor
   *   (x, v) = contact(x~, v)
   *   a  = M^-1 f(x),        v_n+1 = v + dt/2 a       corrector
   */
  template <int dim>
  class ExplicitNewmark : public TimeIntegrator<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &)
    {}

    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

    void
    initialize(const Solids<dim> &solids,
               State &state,
               const double dt) override;

    void
    step(const Solids<dim> &solids,
         Contact<dim> &contact,
         State &state,
         const double dt,
         const bool with_energies,
         Balance &balance) override;

    bool
    is_explicit() const override
    {
      return true;
    }

  private:
    StepBalance<dim> step_balance;
  };



  template <int dim>
  void
  ExplicitNewmark<dim>::initialize(const Solids<dim> &solids,
                                   State &state,
                                   const double dt)
  {
    solids.prescribe_velocities(state.time, dt, state.velocities);
    solids.evaluate_forces(state, true);
    solids.compute_accelerations(state, dt);
  }



  template <int dim>
  void
  ExplicitNewmark<dim>::step(const Solids<dim> &solids,
                             Contact<dim> &contact,
                             State &state,
                             const double dt,
                             const bool with_energies,
                             Balance &balance)
  {
    using ConstVectors = typename Contact<dim>::ConstVectors;
    using Vectors      = typename Contact<dim>::Vectors;

    // predict
    step_balance.begin(solids, state);
    const ForestVectors &positions_begin = step_balance.positions_begin();
    add(state.velocities, 0.5 * dt, state.accelerations);
    add(state.positions, dt, state.velocities);
    solids.prescribe_positions(state.time,
                               dt,
                               positions_begin,
                               state.positions,
                               state.velocities);

    // detect and respond
    step_balance.before_contact(contact, state);
    contact.correct(pointers<ConstVectors>(positions_begin),
                    pointers<Vectors>(state.positions),
                    pointers<Vectors>(state.velocities),
                    dt,
                    pointers<ConstVectors>(state.accelerations));
    for (auto &positions : state.positions)
      positions.update_ghost_values();
    step_balance.after_contact(solids, contact, state, dt, balance);

    // accept
    state.time += dt;
    ++state.step;
    solids.evaluate_forces(state, with_energies);
    solids.compute_accelerations(state, dt);
    add(state.velocities, 0.5 * dt, state.accelerations);
    solids.prescribe_velocities(state.time, dt, state.velocities);
    step_balance.finish(solids, contact, state, dt, balance);
  }



  RICOCHET_REGISTER_TIME_INTEGRATOR(
    ExplicitNewmark,
    "explicit Newmark",
    "Newmark's method with beta = 0 and gamma = 1/2 (central differences) as "
    "predictor and corrector, contact in between.")
} // namespace Ricochet
