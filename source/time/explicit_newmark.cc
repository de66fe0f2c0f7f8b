// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/in_threads.h>
#include <ricochet/base/stopwatch.h>
#include <ricochet/body/vector_pointers.h>
#include <ricochet/time/time_integrator.h>

#include <sstream>

namespace Ricochet
{
  namespace
  {
    /** v += dt a on the locally owned entries. */
    void
    accelerate(const double dt, const ForestVectors &a, ForestVectors &v)
    {
      for (unsigned int p = 0; p < v.size(); ++p)
        for_each_range(v[p].locally_owned_size(),
                       [dt,
                        a = a[p].begin(),
                        v = v[p].begin()](const unsigned int begin,
                                          const unsigned int end) {
                         for (unsigned int i = begin; i < end; ++i)
                           v[i] += dt * a[i];
                       });
    }



    /** v = v_n + dt/2 a_n and x = x_n + dt v in one pass over the locally
     * owned entries. */
    void
    accelerate_and_move(const double dt, const StepStart &start, State &state)
    {
      for (unsigned int p = 0; p < state.positions.size(); ++p)
        for_each_range(state.positions[p].locally_owned_size(),
                       [dt,
                        x_n = start.positions[p].begin(),
                        v_n = start.velocities[p].begin(),
                        a_n = state.accelerations[p].begin(),
                        x   = state.positions[p].begin(),
                        v =
                          state.velocities[p].begin()](const unsigned int begin,
                                                       const unsigned int end) {
                         for (unsigned int i = begin; i < end; ++i)
                           {
                             v[i] = v_n[i] + 0.5 * dt * a_n[i];
                             x[i] = x_n[i] + dt * v[i];
                           }
                       });
    }



    /** Steps are not halved more often than this for contact, and for cells
     * that would be inverted. */
    constexpr unsigned int max_cuts = 20, max_cuts_for_cells = 6;

    void
    require_cut(const unsigned int n_cuts,
                const double time,
                const double dt,
                const std::string &reason)
    {
      if (n_cuts < max_cuts)
        return;
      std::ostringstream message;
      message << "Contact: at time " << time
              << " no step free of intersections was found, down to a length "
                 "of "
              << dt << ". " << reason;
      throw RunError(message.str());
    }



    [[noreturn]] void
    give_up(const RunError &error, const double time, const double dt)
    {
      std::ostringstream message;
      message << error.what() << " At time " << time
              << " no step could avoid that, down to a length of " << dt
              << ": the body is too soft or too fast for its mesh, or it was "
                 "crushed.";
      throw RunError(message.str());
    }
  } // namespace



  /**
   * The explicit Newmark method (Newmark, 1959), beta = 0 and gamma = 1/2, in
   * predictor-corrector form with contact in between:
   *
   *   v  = v_n + dt/2 a_n,   x~ = x_n + dt v          predictor
   *   (x, v) = contact(x~, v)
   *   a  = M^-1 f(x),        v_n+1 = v + dt/2 a       corrector
   *
   * Without contact it keeps H = K + U - dt^2/8 a . M a instead of K + U,
   * exactly for linear forces and to higher order in dt else (Hairer, Lubich
   * and Wanner, 2003): the shadow energy.
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

    StepTaken
    step(const Solids<dim> &solids,
         Contact<dim> &contact,
         State &state,
         const double dt,
         const bool with_energies,
         Balance &balance) override;

    bool
    takes_contact_forces() const override
    {
      return false;
    }

    double
    stable_step(const Solids<dim> &solids, const State &state) const override
    {
      return solids.stable_time_step(state);
    }

    double
    stable_step_unless(const Solids<dim> &solids,
                       const State &state,
                       const StepRange &range) const override
    {
      return solids.stable_time_step(state, range);
    }

    double
    force_time() const override
    {
      return seconds_of_forces;
    }

    /** That of central differences, - dt^2/8 a . M a, which is exact for
     * potentials that are quadratic. */
    double
    shadow_energy(const BodySums &all, const double dt) const override
    {
      return -dt * dt / 8. * all.acceleration_square;
    }

  private:
    void
    predict(const Solids<dim> &solids, State &state, const double dt);

    /** Go on to positions and velocities at the end of a step that is accepted
     * by contact: @p dt long, or less. */
    void
    move(const Solids<dim> &solids,
         Contact<dim> &contact,
         State &state,
         double &dt,
         StepCuts &cuts);

    /** False if the step must be repeated. */
    bool
    correct(const Solids<dim> &solids,
            Contact<dim> &contact,
            State &state,
            const double dt);

    StepStart start;
    StepBalance<dim> step_balance;
    double seconds_of_forces = 0.;
  };



  template <int dim>
  void
  ExplicitNewmark<dim>::initialize(const Solids<dim> &solids,
                                   State &state,
                                   const double dt)
  {
    solids.prescribe_velocities(state.time, dt, state.velocities);
    solids.move_tied_nodes(state);
    solids.distribute_to_hanging_nodes(state.velocities);
    solids.distribute_to_hanging_nodes(state.positions);
    solids.evaluate_forces(state, true);
    solids.compute_accelerations(state, dt);
  }



  template <int dim>
  void
  ExplicitNewmark<dim>::predict(const Solids<dim> &solids,
                                State &state,
                                const double dt)
  {
    accelerate_and_move(dt, start, state);
    solids.push_rigid_bodies(0.5 * dt, state);
    solids.prescribe_rigid_bodies(state.time + 0.5 * dt, state.rigid_motions);
    solids.prescribe_positions(state.time,
                               dt,
                               start.positions,
                               state.positions,
                               state.velocities);
  }



  template <int dim>
  bool
  ExplicitNewmark<dim>::correct(const Solids<dim> &solids,
                                Contact<dim> &contact,
                                State &state,
                                const double dt)
  {
    using ConstVectors = typename Contact<dim>::ConstVectors;
    using Vectors      = typename Contact<dim>::Vectors;

    step_balance.before_contact(solids, state);
    contact.correct({state.time, dt},
                    {pointers<ConstVectors>(start.positions),
                     pointers<Vectors>(state.positions),
                     pointers<Vectors>(state.velocities),
                     pointers<ConstVectors>(state.accelerations),
                     &state.rigid_motions,
                     solids.rigid_accelerations(state)});
    return !contact.must_repeat();
  }



  template <int dim>
  void
  ExplicitNewmark<dim>::move(const Solids<dim> &solids,
                             Contact<dim> &contact,
                             State &state,
                             double &dt,
                             StepCuts &cuts)
  {
    predict(solids, state, dt);
    // detect and respond
    while (!correct(solids, contact, state, dt))
      {
        state.rigid_motions = start.rigid_motions;
        require_cut(cuts.total(), state.time, dt, contact.reason_to_repeat());
        dt *= 0.5;
        cuts.add(CutReason::no_free_end);
        predict(solids, state, dt);
      }
    solids.move_tied_nodes(state);
    for (auto &positions : state.positions)
      positions.update_ghost_values();
    solids.distribute_to_hanging_nodes(state.positions);
    solids.distribute_to_hanging_nodes(state.velocities);
    step_balance.after_contact(solids, contact, state, dt);
  }



  template <int dim>
  StepTaken
  ExplicitNewmark<dim>::step(const Solids<dim> &solids,
                             Contact<dim> &contact,
                             State &state,
                             const double wanted_dt,
                             const bool with_energies,
                             Balance &balance)
  {
    start.take(state);
    step_balance.begin(solids, state, start);
    StepTaken taken;
    double &dt        = taken.dt;
    dt                = wanted_dt;
    const Clock clock = state;

    move(solids, contact, state, dt, taken.cuts);
    for (unsigned int n_cuts_for_cells = 0;; ++n_cuts_for_cells)
      try
        {
          state.advance(dt);
          const Stopwatch watch(seconds_of_forces);
          solids.evaluate_forces(state,
                                 with_energies,
                                 dt,
                                 n_cuts_for_cells < max_cuts_for_cells
                                   ? &start.positions
                                   : nullptr);
          break; // accept
        }
      catch (const RunError &error)
        {
          static_cast<Clock &>(state) = clock;
          if (n_cuts_for_cells == max_cuts_for_cells)
            give_up(error, state.time, dt);
          state.rigid_motions = start.rigid_motions;
          contact.discard_step();
          dt *= 0.5;
          taken.cuts.add(CutReason::inverted_cell);
          move(solids, contact, state, dt, taken.cuts);
        }
    solids.compute_accelerations(state, dt);
    accelerate(0.5 * dt, state.accelerations, state.velocities);
    solids.push_rigid_bodies(0.5 * dt, state);
    step_balance.after_corrector(solids, contact, state, dt, balance);
    if (contact.updates_velocities())
      step_balance.add_losses(contact.update_velocities(
                                pointers<typename Contact<dim>::Vectors>(
                                  state.velocities)),
                              balance);
    solids.prescribe_velocities(state.time, dt, state.velocities);
    solids.prescribe_rigid_bodies(state.time, state.rigid_motions);
    solids.move_tied_nodes(state);
    solids.distribute_to_hanging_nodes(state.velocities);
    step_balance.finish(solids, contact, state, dt, balance);
    return taken;
  }



  RICOCHET_REGISTER_TIME_INTEGRATOR(
    ExplicitNewmark,
    "explicit Newmark",
    "Newmark's method with beta = 0 and gamma = 1/2 (central differences) as "
    "predictor and corrector, contact in between.")
} // namespace Ricochet
