// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/in_threads.h>
#include <ricochet/base/moment.h>
#include <ricochet/body/body_forces.h>
#include <ricochet/time/balance.h>

#include <algorithm>
#include <array>
#include <vector>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /** The components of a node from the first one on. */
    template <int dim>
    Tensor<1, dim>
    node(const double *const values)
    {
      Tensor<1, dim> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = values[d];
      return result;
    }



    /** The moment about the origin of one component of a force on a node. */
    template <int dim>
    Tensor<1, 3>
    moment_of_component(const double *x,
                        const unsigned int component,
                        const double f)
    {
      Tensor<1, dim> force;
      force[component] = f;
      return moment(node<dim>(x), force);
    }



    /** What forces do. */
    struct Loads
    {
      double work = 0.;
      Tensor<1, 3> moments;
    };

    /**
     * Twice the work of forces on the degrees of freedom from @p begin to
     * before @p end between two sets of positions x, (f_0 + f_1) . (x_1 - x_0),
     * and the sum of their moments at both. Without tensors: this is a pass
     * over all nodes in every step.
     */
    template <int dim>
    Loads
    loads_on_part(const unsigned int begin,
                  const unsigned int end,
                  const std::array<const double *, 2> &x,
                  const std::array<const double *, 2> &f)
    {
      double sum = 0., moment[3] = {};
      for (unsigned int i = begin; i < end; i += dim)
        {
          double of_node = 0.;
          for (unsigned int d = 0; d < dim; ++d)
            of_node +=
              (f[0][i + d] + f[1][i + d]) * (x[1][i + d] - x[0][i + d]);
          sum += of_node;
          for (unsigned int c = dim == 2 ? 2 : 0; c < 3; ++c)
            {
              const unsigned int a = i + (c + 1) % 3, b = i + (c + 2) % 3;
              moment[c] += (x[0][a] * f[0][b] - x[0][b] * f[0][a]) +
                           (x[1][a] * f[1][b] - x[1][b] * f[1][a]);
            }
        }
      return {sum, Tensor<1, 3>({moment[0], moment[1], moment[2]})};
    }



    /** The same of all @p n degrees of freedom, in parts that do not depend on
     * the number of threads, as their sum would. */
    template <int dim>
    void
    add_loads(const unsigned int n,
              const std::array<const double *, 2> &x,
              const std::array<const double *, 2> &f,
              Loads &loads)
    {
      constexpr unsigned int size = 4096 * dim;
      std::vector<Loads> parts((n + size - 1) / size);
      in_threads(
        parts.size(),
        [&](const std::size_t k) {
          const unsigned int begin = k * size;
          parts[k] = loads_on_part<dim>(begin, std::min(begin + size, n), x, f);
        },
        1);
      for (const Loads &part : parts)
        {
          loads.work += part.work;
          loads.moments += part.moments;
        }
    }



    /** External and internal forces on all supports, by forest. */
    template <int dim>
    std::vector<std::vector<double>>
    forces_at_supports(const Solids<dim> &solids, const State &state)
    {
      std::vector<std::vector<double>> forces(solids.n_forests());
      for (unsigned int p = 0; p < solids.n_forests(); ++p)
        for (const auto &support : solids.supports(p))
          forces[p].push_back(
            state.external_forces[p].local_element(support.dof) -
            state.internal_forces[p].local_element(support.dof));
      return forces;
    }
  } // namespace



  template <int dim>
  void
  StepBalance<dim>::begin(const Solids<dim> &solids,
                          const State &state,
                          const StepStart &step_start)
  {
    start = &step_start;
    if (solids.has_body_forces() && !have_constant_body_forces(solids))
      copy_with_ghosts(state.external_forces, external_forces);
    if (solids.has_supports())
      support_forces = forces_at_supports(solids, state);
  }



  template <int dim>
  void
  StepBalance<dim>::before_contact(const Solids<dim> &solids,
                                   const State &state)
  {
    // What impulses on a lumped mass change is known from their nodes.
    if (solids.has_consistent_mass())
      {
        copy_with_ghosts(state.positions, predicted_positions);
        copy_with_ghosts(state.velocities, predicted_velocities);
      }
  }



  template <int dim>
  void
  StepBalance<dim>::after_contact(const Solids<dim> &solids,
                                  const Contact<dim> &contact,
                                  const State &state,
                                  const double dt)
  {
    if (contact.get_state().has_acted() && solids.has_consistent_mass())
      split_changes(solids, state, dt);
  }



  template <int dim>
  void
  StepBalance<dim>::add_losses(const ContactRecord &record, Balance &balance)
  {
    balance.restitution_loss += record.restitution_loss;
    balance.friction_loss += record.friction_loss;
    balance.contact_angular_momentum += record.angular_momentum_change;
  }



  template <int dim>
  void
  StepBalance<dim>::after_corrector(const Solids<dim> &solids,
                                    const Contact<dim> &contact,
                                    const State &state,
                                    const double dt,
                                    Balance &balance)
  {
    if (!contact.get_state().has_acted())
      return;
    const ContactRecord &record = contact.get_state().record;
    add_losses(record, balance);
    if (solids.has_consistent_mass())
      {
        add_energy(solids, start->velocities, 1., start_changes, balance);
        add_energy(solids, state.velocities, -1., end_changes, balance);
      }
    else
      add_energy_of_nodes(contact, state, dt, balance);
    if (dealii::Utilities::MPI::this_mpi_process(solids.get_communicator()) ==
        0)
      {
        balance.contact_work += record.restitution_loss + record.friction_loss;
        add_energy_of_rigid_bodies(contact, state, balance);
        for (const auto &load : contact.get_obstacles().loads())
          balance.contact_work += load.work;
      }
  }



  template <int dim>
  void
  StepBalance<dim>::finish(const Solids<dim> &solids,
                           const Contact<dim> &contact,
                           const State &state,
                           const double dt,
                           Balance &balance)
  {
    balance.contact_share =
      balance.last_step > 0. ? 2. * dt / (balance.last_step + dt) : 1.;
    balance.last_step = dt;
    if (solids.has_body_forces())
      add_body_forces(solids, state, dt, balance);
    if (solids.has_supports())
      add_supports(solids, state, dt, balance);
    if (dealii::Utilities::MPI::this_mpi_process(solids.get_communicator()) ==
        0)
      add_rigid_bodies(solids, contact, state, dt, balance);
    if (contact.get_state().has_acted())
      {
        if (solids.has_supports())
          add_support_impulses(solids, contact, state, dt, balance);
        // All ranks know the impulses on obstacles.
        if (dealii::Utilities::MPI::this_mpi_process(
              solids.get_communicator()) == 0)
          for (const auto &load : contact.get_obstacles().loads())
            {
              balance.external_work -= load.work;
              balance.external_angular_momentum -= load.angular_impulse;
            }
      }
  }



  template <int dim>
  void
  StepBalance<dim>::split_changes(const Solids<dim> &solids,
                                  const State &state,
                                  const double dt)
  {
    for (auto &x : predicted_positions)
      x.update_ghost_values();
    solids.distribute_to_hanging_nodes(predicted_positions);
    solids.distribute_to_hanging_nodes(predicted_velocities);
    copy_with_ghosts(state.positions, start_changes);
    copy_with_ghosts(state.velocities, end_changes);
    for (unsigned int p = 0; p < start_changes.size(); ++p)
      {
        start_changes[p] -= predicted_positions[p];
        start_changes[p] *= 1. / dt;
        end_changes[p] -= predicted_velocities[p];
        end_changes[p] -= start_changes[p];
      }
  }



  template <int dim>
  void
  StepBalance<dim>::add_energy(const Solids<dim> &solids,
                               const ForestVectors &velocities_there,
                               const double sign,
                               const ForestVectors &changes,
                               Balance &balance)
  {
    solids.momenta(changes, momenta);
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      for (unsigned int i = 0; i < momenta[p].locally_owned_size(); ++i)
        if (solids.inverse_mass(p).local_element(i) > 0.)
          balance.contact_work += momenta[p].local_element(i) *
                                  (velocities_there[p].local_element(i) +
                                   0.5 * sign * changes[p].local_element(i));
  }



  template <int dim>
  void
  StepBalance<dim>::add_energy_of_nodes(const Contact<dim> &contact,
                                        const State &state,
                                        const double dt,
                                        Balance &balance) const
  {
    const ContactState<dim> &change = contact.get_state();
    for (const unsigned int node : change.touched_nodes)
      {
        if (node >= contact.get_nodes().nodes.size()) // of a rigid body
          continue;
        const auto &location = contact.get_nodes().nodes[node];
        const auto &v        = state.velocities[location.source];
        if (!v.in_local_range(location.dofs[0]))
          continue;
        const unsigned int first =
          v.get_partitioner()->global_to_local(location.dofs[0]);
        const Tensor<2, dim> inverse_mass = change.inverse_mass.of_node(node);
        for (unsigned int d = 0; d < dim; ++d)
          {
            const double at_start = change.position_impulses[node][d] / dt;
            const double at_end   = change.impulses[node][d] - at_start;
            const double v_0 =
              start->velocities[location.source].local_element(first + d);
            if (inverse_mass[d][d] > 0.)
              balance.contact_work +=
                at_start * (v_0 + 0.5 * inverse_mass[d][d] * at_start) +
                at_end * (v.local_element(first + d) -
                          0.5 * inverse_mass[d][d] * at_end);
          }
      }
  }



  template <int dim>
  void
  StepBalance<dim>::add_body_forces(const Solids<dim> &solids,
                                    const State &state,
                                    const double dt,
                                    Balance &balance) const
  {
    const ForestVectors &forces_at_start = have_constant_body_forces(solids)
                                             ? state.external_forces
                                             : external_forces;
    Loads loads;
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      add_loads<dim>(
        start->positions[p].locally_owned_size(),
        {{start->positions[p].begin(), state.positions[p].begin()}},
        {{forces_at_start[p].begin(), state.external_forces[p].begin()}},
        loads);
    balance.external_work += 0.5 * loads.work;
    balance.external_angular_momentum += 0.5 * dt * loads.moments;
  }



  template <int dim>
  void
  StepBalance<dim>::add_supports(const Solids<dim> &solids,
                                 const State &state,
                                 const double dt,
                                 Balance &balance)
  {
    balance.support_impulses.resize(solids.n_forests());
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      balance.support_impulses[p].resize(
        start->positions[p].locally_owned_size());
    if (solids.has_consistent_mass())
      solids.momenta(start->velocities, momenta);
    add_supports(solids,
                 state,
                 start->positions,
                 start->velocities,
                 support_forces,
                 dt,
                 -1.,
                 balance);
    if (solids.has_consistent_mass())
      solids.momenta(state.velocities, momenta);
    add_supports(solids,
                 state,
                 state.positions,
                 state.velocities,
                 forces_at_supports(solids, state),
                 dt,
                 1.,
                 balance);
  }



  template <int dim>
  void
  StepBalance<dim>::add_supports(
    const Solids<dim> &solids,
    const State &state,
    const ForestVectors &positions_there,
    const ForestVectors &velocities_there,
    const std::vector<std::vector<double>> &forces_there,
    const double dt,
    const double sign,
    Balance &balance) const
  {
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      for (unsigned int s = 0; s < solids.supports(p).size(); ++s)
        {
          const auto &support        = solids.supports(p)[s];
          const unsigned int i       = support.dof;
          const double mean_velocity = (state.positions[p].local_element(i) -
                                        start->positions[p].local_element(i)) /
                                       dt;
          const double momentum = solids.has_consistent_mass()
                                    ? momenta[p].local_element(i)
                                    : solids.mass(p).local_element(i) *
                                        velocities_there[p].local_element(i);
          const double impulse =
            sign * momentum - 0.5 * dt * forces_there[p][s];
          balance.support_impulses[p][i] += impulse;
          balance.external_work += mean_velocity * impulse;
          balance.external_angular_momentum +=
            moment_of_component<dim>(positions_there[p].begin() +
                                       (i - support.component),
                                     support.component,
                                     impulse);
        }
  }



  template <int dim>
  void
  StepBalance<dim>::add_support_impulses(const Solids<dim> &solids,
                                         const Contact<dim> &contact,
                                         const State &state,
                                         const double dt,
                                         Balance &balance) const
  {
    const ContactState<dim> &change = contact.get_state();
    const auto &nodes               = contact.get_nodes().nodes;
    for (const unsigned int node : change.touched_nodes)
      {
        if (node >= nodes.size()) // of a rigid body
          continue;
        const auto &location = nodes[node];
        const auto &x        = state.positions[location.source];
        if (!x.in_local_range(location.dofs[0]))
          continue;
        const unsigned int first =
          x.get_partitioner()->global_to_local(location.dofs[0]);
        for (unsigned int d = 0; d < dim; ++d)
          if (solids.inverse_mass(location.source).local_element(first + d) ==
              0.)
            {
              const double impulse  = -change.impulses[node][d];
              const double at_start = -change.position_impulses[node][d] / dt;
              balance.support_impulses[location.source][first + d] +=
                balance.contact_share * impulse;
              const double work =
                impulse *
                (x.local_element(first + d) -
                 start->positions[location.source].local_element(first + d)) /
                dt;
              balance.external_work += work;
              balance.contact_work -= work;
              balance.external_angular_momentum +=
                moment_of_component<dim>(
                  start->positions[location.source].begin() + first,
                  d,
                  at_start) +
                moment_of_component<dim>(x.begin() + first,
                                         d,
                                         impulse - at_start);
            }
      }
  }



  template class StepBalance<2>;
  template class StepBalance<3>;
} // namespace Ricochet
