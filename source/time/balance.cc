// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/time/balance.h>

#include <algorithm>
#include <array>

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
    if (solids.has_supports())
      copy(state.velocities, velocities);
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
    balance.restitution_loss += record.restitution_loss;
    balance.friction_loss += record.friction_loss;
    balance.contact_angular_momentum += record.angular_momentum_change;
    if (solids.has_supports())
      add_supports(solids, state, positions, velocities, dt, -1., balance);
    if (record.n_passes > 0)
      add_potential_change(solids, contact, state, dt, balance);
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
      add_supports(solids,
                   state,
                   state.positions,
                   state.velocities,
                   dt,
                   1.,
                   balance);
    if (contact.get_state().record.n_passes > 0)
      {
        add_impulse_power(contact, state, dt, balance);
        if (solids.has_supports())
          add_support_impulses(solids, contact, state, dt, balance);
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
    // The predictor differs from the present positions at the touched nodes
    // only, and every rank knows those; with a consistent mass everything
    // moved, and the predictor is made again from the impulses.
    const ContactState<dim> &change = contact.get_state();
    const auto &nodes               = contact.get_nodes().nodes;
    copy(state.positions, predictor);
    ForestVectors velocities_before;
    copy(state.velocities, velocities_before);
    std::vector<std::vector<unsigned int>> moved(predictor.size());
    for (const unsigned int node : change.touched_nodes)
      {
        const auto &location = nodes[node];
        const auto &partitioner =
          *state.positions[location.source].get_partitioner();
        const auto first = location.dofs[0];
        if (!partitioner.in_local_range(first) &&
            !partitioner.is_ghost_entry(first))
          continue;
        const unsigned int local = partitioner.global_to_local(first);
        moved[location.source].push_back(local / dim);
        for (unsigned int d = 0; d < dim; ++d)
          predictor[location.source].local_element(local + d) =
            change.predicted_end[node][d];
        if (partitioner.in_local_range(first))
          for (unsigned int d = 0; d < dim; ++d)
            {
              velocities_before[location.source].local_element(local + d) =
                change.predicted_velocities[node][d];
              balance.contact_work -=
                state.external_forces[location.source].local_element(local +
                                                                     d) *
                (change.end[node][d] - change.predicted_end[node][d]);
            }
      }
    for (unsigned int p = 0; p < predictor.size(); ++p)
      {
        velocities_before[p].update_ghost_values();
        double energy = 0., power = 0.;
        solids.compare(p,
                       moved[p],
                       predictor[p],
                       state.positions[p],
                       velocities_before[p],
                       energy,
                       power);
        balance.contact_work += energy - 0.5 * dt * power;
      }
  }



  template <int dim>
  void
  StepBalance<dim>::add_impulse_power(const Contact<dim> &contact,
                                      const State &state,
                                      const double dt,
                                      Balance &balance) const
  {
    const ContactState<dim> &change = contact.get_state();
    const auto &nodes               = contact.get_nodes().nodes;
    for (const unsigned int node : change.touched_nodes)
      {
        const auto &location = nodes[node];
        const auto &internal = state.internal_forces[location.source];
        const auto &external = state.external_forces[location.source];
        if (internal.in_local_range(location.dofs[0]))
          for (unsigned int d = 0; d < dim; ++d)
            balance.contact_work -=
              0.5 * dt *
              (change.velocities[node][d] -
               change.predicted_velocities[node][d]) *
              (internal(location.dofs[d]) - external(location.dofs[d]));
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
          const double momentum = sign * solids.mass(p).local_element(i) *
                                  velocities_there[p].local_element(i);
          const double impulse = momentum - 0.5 * dt * force;
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
