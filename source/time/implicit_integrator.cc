// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/body/vector_pointers.h>
#include <ricochet/time/implicit_integrator.h>

#include <algorithm>
#include <sstream>

namespace Ricochet
{
  namespace
  {
    /** Steps do not become shorter than this part of the longest one. */
    constexpr double shortest = 1. / 4096.;

    /** What is told in vain so often. */
    constexpr unsigned int max_augmentations = 30;
  } // namespace



  template <int dim>
  void
  ImplicitIntegrator<dim>::initialize(const Solids<dim> &solids,
                                      State &state,
                                      const double dt)
  {
    require(!solids.has_rigid_regions(),
            "Time stepping: this 'Integrator' is not made for bodies with "
            "'Rigid material ids'. Set it to an explicit one, or let the rigid "
            "parts be bodies of their own.");
    require(solids.rigid_bodies().empty() || moves_rigid_bodies(),
            "Time stepping: this 'Integrator' is not made for rigid bodies. "
            "Set it to energy-momentum, or to an explicit one.");
    solids.prescribe_velocities(state.time, dt, state.velocities);
    solids.distribute_to_hanging_nodes(state.velocities);
    solids.distribute_to_hanging_nodes(state.positions);
    solids.evaluate_forces(state, true);
    solids.compute_accelerations(state, dt);
    is_built     = false;
    longest_step = 0.;
  }



  template <int dim>
  std::vector<std::string>
  ImplicitIntegrator<dim>::notes(const Solids<dim> &solids) const
  {
    std::string names;
    for (unsigned int b = 0; b < solids.n_deformable_bodies(); ++b)
      if (!solids.body(b).material->has_tangent())
        names += (names.empty() ? "'" : ", '") + solids.body(b).name + "'";
    if (names.empty())
      return {};
    return {"the laws of " + names +
            " have no tangent of their own; theirs come from differences of "
            "stresses, which takes longer."};
  }



  template <int dim>
  void
  ImplicitIntegrator<dim>::guess_velocities(const Solids<dim> &solids,
                                            const State &state,
                                            const double dt,
                                            const double last_dt)
  {
    copy_with_ghosts(state.velocities, guess);
    // The mean of the last step, without the vibrations that a long step turns
    // around in each step.
    for (unsigned int p = 0; p < guess.size(); ++p)
      guess[p].add(-0.5 * last_dt, state.accelerations[p]);
    copy_with_ghosts(state.positions, end_of_guess);
    solids.prescribe_positions(state.time,
                               dt,
                               state.positions,
                               end_of_guess,
                               guess);
  }



  template <int dim>
  Newton::Result
  ImplicitIntegrator<dim>::solve(const Solids<dim> &solids,
                                 Contact<dim> &contact,
                                 State &state,
                                 const double dt,
                                 const double last_dt,
                                 StepTaken &taken)
  {
    copy_with_ghosts(state.external_forces, end_forces);
    solids.evaluate_external_forces(state.time + dt, end_forces);
    guess_velocities(solids, state, dt, last_dt);
    equations.begin(state, dt, scheme(state, end_forces, dt), guess);
    const auto count = [&](const Newton::Result &result) {
      taken.n_iterations += result.n_iterations;
      taken.n_linear_iterations += result.n_linear_iterations;
      return result;
    };
    const auto iterate = [&](const bool loosely) {
      return count(equation_solver->solve(equations, loosely));
    };
    // Friction follows the pressure, which is far too large in the first
    // iterates: contact without friction first.
    const auto solve_in_two_parts = [&]() {
      equations.set_friction(false);
      const Newton::Result result = iterate(true);
      equations.set_friction(true);
      return result.has_converged ? iterate(false) : result;
    };
    const auto solve_once = [&](const bool by_iterates) {
      return contact.gives_gaps()
               ? count(solve_with_gaps(contact, state, dt, by_iterates))
               : solve_in_two_parts();
    };
    Newton::Result result = solve_once(false);
    if (!result.has_converged)
      {
        // From where the step begins, with supports moved.
        for (auto &velocities : guess)
          velocities = 0.;
        solids.prescribe_positions(state.time,
                                   dt,
                                   state.positions,
                                   end_of_guess,
                                   guess);
        equations.restart(guess);
        result = solve_once(false);
        if (!result.has_converged && contact.gives_gaps())
          {
            equations.restart(guess);
            result = solve_once(true);
          }
      }
    for (unsigned int k = 0; result.has_converged && contact.gives_forces() &&
                             k < max_augmentations && contact.augment_forces();
         ++k)
      {
        ++taken.n_augmentations;
        result = iterate(false);
      }
    return result;
  }



  template <int dim>
  Newton::Result
  ImplicitIntegrator<dim>::solve_with_gaps(Contact<dim> &contact,
                                           const State &state,
                                           const double dt,
                                           const bool by_iterates)
  {
    using ConstVectors = typename Contact<dim>::ConstVectors;
    contact.begin_gaps({state.time, dt},
                       {pointers<ConstVectors>(state.positions),
                        pointers<ConstVectors>(state.velocities)},
                       by_iterates);
    ConstrainedNewton<dim> newton(equations, contact, *equation_solver);
    const Newton::Result result = newton.solve();
    gap_forces                  = newton.gap_forces();
    return result;
  }



  template <int dim>
  StepTaken
  ImplicitIntegrator<dim>::step(const Solids<dim> &solids,
                                Contact<dim> &contact,
                                State &state,
                                const double wanted_dt,
                                const bool with_energies,
                                Balance &balance)
  {
    longest_step = std::max(longest_step, wanted_dt);
    if (contact.solves_rigid_steps())
      return step_of_rigid_bodies(solids, contact, state, wanted_dt, balance);
    if (!is_built || of_contact != &contact)
      {
        equations.reinit(solids, contact);
        of_contact = &contact;
        is_built   = true;
      }
    StepTaken taken;
    taken.dt = wanted_dt;
    for (;;)
      {
        const Newton::Result result =
          solve(solids, contact, state, taken.dt, balance.last_step, taken);
        if (result.has_converged)
          break;
        if (0.5 * taken.dt < shortest * longest_step)
          {
            std::ostringstream message;
            message << "Time stepping: at time " << state.time
                    << " the equations of a step were not solved, down to a "
                       "length of "
                    << taken.dt << ": " << result.reason
                    << ". The largest part of the residual is in "
                    << equations.describe_largest_residual()
                    << ". Look at the velocity, loads and material of that "
                       "body and at the penalties of contact, use finer cells "
                       "there, or a smaller 'Time step'.";
            throw RunError(message.str());
          }
        taken.dt *= 0.5;
        taken.cuts.add(result.kind);
      }
    accept(solids, contact, state, taken.dt, with_energies, balance);
    return taken;
  }



  template <int dim>
  StepTaken
  ImplicitIntegrator<dim>::step_of_rigid_bodies(const Solids<dim> &solids,
                                                Contact<dim> &contact,
                                                State &state,
                                                const double wanted_dt,
                                                Balance &balance)
  {
    StepTaken taken;
    taken.dt = wanted_dt;
    for (;;)
      try
        {
          std::vector<RigidStep> steps = solids.rigid_steps(state, taken.dt);
          const double stored =
            contact.solve_rigid_steps({state.time, taken.dt}, steps);
          for (unsigned int k = 0; k < steps.size(); ++k)
            state.rigid_motions[k] = steps[k].end();
          state.advance(taken.dt);
          step_balance.finish_rigid_bodies(solids,
                                           contact,
                                           steps,
                                           stored,
                                           balance);
          return taken;
        }
      catch (const RunError &)
        {
          if (0.5 * taken.dt < shortest * longest_step)
            throw;
          taken.dt *= 0.5;
          taken.cuts.add(CutReason::unsettled);
        }
  }



  template <int dim>
  void
  ImplicitIntegrator<dim>::finish_with_gaps(const Solids<dim> &solids,
                                            Contact<dim> &contact,
                                            State &state,
                                            const double dt)
  {
    using Vectors      = typename Contact<dim>::Vectors;
    const double share = finish_without_gaps(solids, dt, state);
    contact.accept_gaps(share, pointers<Vectors>(state.velocities));
    for (auto &forces : gap_forces)
      forces *= share;
    equations.set_contact_forces(gap_forces);
  }



  template <int dim>
  void
  ImplicitIntegrator<dim>::accept(const Solids<dim> &solids,
                                  Contact<dim> &contact,
                                  State &state,
                                  const double dt,
                                  const bool with_energies,
                                  Balance &balance)
  {
    start.keep(state);
    step_balance.begin(solids, start);
    ForestVectors mean_forces;
    copy_with_ghosts(state.external_forces, mean_forces);
    for (unsigned int p = 0; p < mean_forces.size(); ++p)
      mean_forces[p].sadd(0.5, 0.5, end_forces[p]);

    for (unsigned int p = 0; p < state.positions.size(); ++p)
      {
        state.internal_forces[p].copy_locally_owned_data_from(
          equations.internal_forces()[p]);
        state.external_forces[p].copy_locally_owned_data_from(end_forces[p]);
      }
    copy_with_ghosts(equations.positions(), state.positions);
    std::swap(state.histories, equations.new_histories);
    if (with_energies)
      state.energies = equations.energies;
    state.advance(dt);
    if (contact.gives_gaps())
      finish_with_gaps(solids, contact, state, dt);
    else
      finish(equations.mean_velocities(), dt, state);
    // With a consistent mass, others would notice.
    if (!solids.has_consistent_mass())
      solids.prescribe_velocities(state.time, dt, state.velocities);

    const std::vector<RigidStep> rigid_steps = equations.rigid_steps();
    for (unsigned int k = 0; k < rigid_steps.size(); ++k)
      state.rigid_motions[k] = rigid_steps[k].end();
    step_balance.before_update(solids, state);
    using Vectors            = typename Contact<dim>::Vectors;
    const Vectors velocities = pointers<Vectors>(state.velocities);
    if (contact.gives_forces())
      contact.accept_forces(velocities, &state.rigid_motions);
    else if (contact.get_state().has_acted())
      contact.update_velocities(velocities);
    solids.distribute_to_hanging_nodes(state.velocities);
    for (auto &velocities : state.velocities)
      velocities.update_ghost_values();
    step_balance.finish(solids,
                        contact,
                        state,
                        {mean_forces,
                         equations.internal_forces(),
                         equations.contact_forces()},
                        rigid_steps,
                        dt,
                        balance);
  }



  template class ImplicitIntegrator<2>;
  template class ImplicitIntegrator<3>;
} // namespace Ricochet
