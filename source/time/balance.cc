// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/time/balance.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /** The moment x × f about the origin. */
    template <int dim>
    Tensor<1, 3>
    moment(const double *x, const double *f)
    {
      if (dim == 2)
        return Tensor<1, 3>({0., 0., x[0] * f[1] - x[1] * f[0]});
      return Tensor<1, 3>({x[1] * f[dim - 1] - x[dim - 1] * f[1],
                           x[dim - 1] * f[0] - x[0] * f[dim - 1],
                           x[0] * f[1] - x[1] * f[0]});
    }



    /** The moment of one component of a force. */
    template <int dim>
    Tensor<1, 3>
    moment(const double *x, const unsigned int component, const double f)
    {
      std::array<double, dim> force{};
      force[component] = f;
      return moment<dim>(x, force.data());
    }



    /** Copy all local values, ghosts included, without communication. */
    void
    copy(const ForestVectors &from, ForestVectors &to)
    {
      to.resize(from.size());
      for (unsigned int p = 0; p < from.size(); ++p)
        {
          const auto &layout = *from[p].get_partitioner();
          if (to[p].get_partitioner() != from[p].get_partitioner())
            to[p].reinit(from[p].get_partitioner());
          std::copy_n(from[p].begin(),
                      layout.locally_owned_size() + layout.n_ghost_indices(),
                      to[p].begin());
        }
    }
  } // namespace



  template <int dim>
  void
  StepBalance<dim>::begin(const Solids<dim> &solids, const State &state)
  {
    copy(state.positions, positions);
    if (solids.has_body_forces())
      copy(state.external_forces, external_forces);
    copy(state.velocities, velocities);
  }



  template <int dim>
  void
  StepBalance<dim>::before_contact(const Contact<dim> &contact,
                                   const State &state)
  {
    // What impulses on a lumped mass change is known from their nodes.
    if (contact.get_state().inverse_mass.is_consistent())
      {
        copy(state.positions, predicted_positions);
        copy(state.velocities, predicted_velocities);
      }
  }



  template <int dim>
  void
  StepBalance<dim>::after_contact(const Solids<dim> &solids,
                                  const Contact<dim> &contact,
                                  const State &state,
                                  const double dt,
                                  Balance &balance)
  {
    const ContactRecord &record = contact.get_state().record;
    add_losses(record, balance);
    if (solids.has_supports())
      {
        balance.support_impulses.resize(solids.n_forests());
        for (unsigned int p = 0; p < solids.n_forests(); ++p)
          balance.support_impulses[p].resize(positions[p].locally_owned_size());
        if (solids.has_consistent_mass())
          solids.momenta(velocities, momenta);
        add_supports(solids, state, positions, velocities, dt, -1., balance);
      }
    if (contact.get_state().has_acted())
      {
        add_potential_change(solids, contact, state, dt, balance);
        if (solids.has_consistent_mass() &&
            !contact.get_state().inverse_mass.is_consistent())
          add_lumping(solids, record, balance);
      }
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
  StepBalance<dim>::finish(const Solids<dim> &solids,
                           const Contact<dim> &contact,
                           const State &state,
                           const double dt,
                           Balance &balance)
  {
    if (solids.has_body_forces())
      add_body_forces(solids, state, dt, balance);
    if (solids.has_supports())
      {
        if (solids.has_consistent_mass())
          solids.momenta(state.velocities, momenta);
        add_supports(solids,
                     state,
                     state.positions,
                     state.velocities,
                     dt,
                     1.,
                     balance);
      }
    if (contact.get_state().has_acted())
      {
        add_impulse_power(state, dt, balance);
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
  StepBalance<dim>::undo_contact(const Solids<dim> &solids,
                                 const Contact<dim> &contact,
                                 const State &state)
  {
    moved_nodes.assign(state.positions.size(), {});
    if (contact.get_state().inverse_mass.is_consistent())
      for (unsigned int p = 0; p < moved_nodes.size(); ++p)
        {
          const auto &layout = *state.positions[p].get_partitioner();
          moved_nodes[p].resize(
            (layout.locally_owned_size() + layout.n_ghost_indices()) / dim);
          std::iota(moved_nodes[p].begin(), moved_nodes[p].end(), 0u);
          predicted_positions[p].update_ghost_values();
        }
    else
      {
        undo_touched_nodes(contact, state);
        for (unsigned int p = 0; p < moved_nodes.size(); ++p)
          solids.forest(p).get_hanging_nodes().add_dependent(moved_nodes[p]);
      }
    solids.distribute_to_hanging_nodes(predicted_positions);
    solids.distribute_to_hanging_nodes(predicted_velocities);
  }



  template <int dim>
  void
  StepBalance<dim>::undo_touched_nodes(const Contact<dim> &contact,
                                       const State &state)
  {
    const ContactState<dim> &change = contact.get_state();
    copy(state.positions, predicted_positions);
    copy(state.velocities, predicted_velocities);
    for (const unsigned int node : change.touched_nodes)
      {
        const auto &location = contact.get_nodes().nodes[node];
        const unsigned int p = location.source;
        const auto &layout   = *state.positions[p].get_partitioner();
        if (!layout.in_local_range(location.dofs[0]) &&
            !layout.is_ghost_entry(location.dofs[0]))
          continue;
        const unsigned int local = layout.global_to_local(location.dofs[0]);
        moved_nodes[p].push_back(local / dim);
        for (unsigned int d = 0; d < dim; ++d)
          {
            predicted_positions[p].local_element(local + d) =
              change.predicted_end[node][d];
            predicted_velocities[p].local_element(local + d) =
              change.predicted_velocities[node][d];
          }
      }
  }



  template <int dim>
  void
  StepBalance<dim>::add_potential_change(const Solids<dim> &solids,
                                         const Contact<dim> &contact,
                                         const State &state,
                                         const double dt,
                                         Balance &balance)
  {
    undo_contact(solids, contact, state);
    copy(state.velocities, velocity_changes);
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      {
        predicted_velocities[p].update_ghost_values();
        velocity_changes[p].add(-1., predicted_velocities[p]);
        const unsigned int n_owned = state.positions[p].locally_owned_size();
        for (const unsigned int node : moved_nodes[p])
          for (unsigned int i = dim * node; i < dim * (node + 1); ++i)
            if (i < n_owned)
              balance.contact_work -=
                state.external_forces[p].local_element(i) *
                (state.positions[p].local_element(i) -
                 predicted_positions[p].local_element(i));
      }
    on_all_ranks(solids.get_communicator(), [&]() {
      for (unsigned int p = 0; p < solids.n_forests(); ++p)
        {
          double energy = 0., power = 0.;
          solids.compare(p,
                         moved_nodes[p],
                         predicted_positions[p],
                         state.positions[p],
                         predicted_velocities[p],
                         state.histories[p],
                         dt,
                         energy,
                         power);
          balance.contact_work += energy - 0.5 * dt * power;
        }
    });
  }



  template <int dim>
  void
  StepBalance<dim>::add_lumping(const Solids<dim> &solids,
                                const ContactRecord &record,
                                Balance &balance)
  {
    solids.momenta(velocity_changes, momenta);
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      for (unsigned int i = 0; i < momenta[p].locally_owned_size(); ++i)
        balance.contact_work += momenta[p].local_element(i) *
                                (predicted_velocities[p].local_element(i) +
                                 0.5 * velocity_changes[p].local_element(i));
    if (dealii::Utilities::MPI::this_mpi_process(solids.get_communicator()) ==
        0)
      balance.contact_work += record.restitution_loss + record.friction_loss;
  }



  template <int dim>
  void
  StepBalance<dim>::add_impulse_power(const State &state,
                                      const double dt,
                                      Balance &balance) const
  {
    for (unsigned int p = 0; p < moved_nodes.size(); ++p)
      {
        const unsigned int n_owned = state.positions[p].locally_owned_size();
        for (const unsigned int node : moved_nodes[p])
          for (unsigned int i = dim * node; i < dim * (node + 1); ++i)
            if (i < n_owned)
              balance.contact_work -=
                0.5 * dt * velocity_changes[p].local_element(i) *
                (state.internal_forces[p].local_element(i) -
                 state.external_forces[p].local_element(i));
      }
  }



  template <int dim>
  void
  StepBalance<dim>::add_body_forces(const Solids<dim> &solids,
                                    const State &state,
                                    const double dt,
                                    Balance &balance) const
  {
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      {
        const double *x_0 = positions[p].begin();
        const double *x_1 = state.positions[p].begin();
        const double *f_0 = external_forces[p].begin();
        const double *f_1 = state.external_forces[p].begin();
        for (unsigned int i = 0; i < positions[p].locally_owned_size();
             i += dim)
          {
            for (unsigned int d = 0; d < dim; ++d)
              balance.external_work +=
                0.5 * (f_0[i + d] + f_1[i + d]) * (x_1[i + d] - x_0[i + d]);
            balance.external_angular_momentum +=
              0.5 * dt *
              (moment<dim>(x_0 + i, f_0 + i) + moment<dim>(x_1 + i, f_1 + i));
          }
      }
  }



  template <int dim>
  void
  StepBalance<dim>::add_supports(const Solids<dim> &solids,
                                 const State &state,
                                 const ForestVectors &positions_there,
                                 const ForestVectors &velocities_there,
                                 const double dt,
                                 const double sign,
                                 Balance &balance) const
  {
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      for (const auto &support : solids.supports(p))
        {
          const unsigned int i       = support.dof;
          const double mean_velocity = (state.positions[p].local_element(i) -
                                        positions[p].local_element(i)) /
                                       dt;
          const double force = state.external_forces[p].local_element(i) -
                               state.internal_forces[p].local_element(i);
          const double momentum = solids.has_consistent_mass()
                                    ? momenta[p].local_element(i)
                                    : solids.mass(p).local_element(i) *
                                        velocities_there[p].local_element(i);
          const double impulse  = sign * momentum - 0.5 * dt * force;
          balance.support_impulses[p][i] += impulse;
          balance.external_work += mean_velocity * impulse;
          balance.external_angular_momentum +=
            moment<dim>(positions_there[p].begin() + (i - support.component),
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
              const double impulse = -change.impulses[node][d];
              balance.support_impulses[location.source][first + d] += impulse;
              balance.external_work +=
                impulse *
                (x.local_element(first + d) -
                 positions[location.source].local_element(first + d)) /
                dt;
              balance.external_angular_momentum +=
                moment<dim>(x.begin() + first, d, impulse);
            }
      }
  }



  template class StepBalance<2>;
  template class StepBalance<3>;
} // namespace Ricochet
