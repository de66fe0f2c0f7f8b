// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/moment.h>
#include <ricochet/time/implicit_balance.h>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** The components of a node from the first one on. */
    template <int dim>
    Tensor<1, dim>
    node(const dealii::LinearAlgebra::distributed::Vector<double> &vector,
         const unsigned int first)
    {
      Tensor<1, dim> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = vector.local_element(first + d);
      return result;
    }



    /** This rank's share of the kinetic energy. */
    double
    kinetic_energy(const ForestVectors &momenta,
                   const ForestVectors &velocities)
    {
      double sum = 0.;
      for (unsigned int p = 0; p < momenta.size(); ++p)
        for (unsigned int i = 0; i < momenta[p].locally_owned_size(); ++i)
          sum +=
            0.5 * momenta[p].local_element(i) * velocities[p].local_element(i);
      return sum;
    }
  } // namespace



  template <int dim>
  void
  ImplicitBalance<dim>::begin(const Solids<dim> &solids,
                              const StepStart &step_start)
  {
    start = &step_start;
    solids.momenta(start->velocities, momenta_begin);
  }



  template <int dim>
  void
  ImplicitBalance<dim>::before_update(const Solids<dim> &solids,
                                      const State &state)
  {
    solids.momenta(state.velocities, momenta_end);
    energy_before_update = kinetic_energy(momenta_end, state.velocities);
  }



  template <int dim>
  void
  ImplicitBalance<dim>::finish(const Solids<dim> &solids,
                               const Contact<dim> &contact,
                               const State &state,
                               const Forces &forces,
                               const double dt,
                               Balance &balance)
  {
    balance.contact_share = 1.;
    balance.last_step     = dt;
    solids.momenta(state.velocities, momenta_end);
    if (solids.has_body_forces())
      add_external_forces(state, forces, dt, balance);
    if (contact.gives_forces())
      add_contact(solids, contact, state, forces, balance);
    if (solids.has_supports())
      add_supports(solids, contact, state, forces, dt, balance);
  }



  template <int dim>
  void
  ImplicitBalance<dim>::add_external_forces(const State &state,
                                            const Forces &forces,
                                            const double dt,
                                            Balance &balance) const
  {
    for (unsigned int p = 0; p < state.positions.size(); ++p)
      for (unsigned int i = 0; i < state.positions[p].locally_owned_size();
           i += dim)
        {
          const auto f   = node<dim>(forces.external[p], i);
          const auto x_0 = node<dim>(start->positions[p], i),
                     x_1 = node<dim>(state.positions[p], i);
          balance.external_work += f * (x_1 - x_0);
          balance.external_angular_momentum +=
            dt * moment(0.5 * (x_0 + x_1), f);
        }
  }



  template <int dim>
  void
  ImplicitBalance<dim>::add_supports(const Solids<dim> &solids,
                                     const Contact<dim> &contact,
                                     const State &state,
                                     const Forces &forces,
                                     const double dt,
                                     Balance &balance) const
  {
    balance.support_impulses.resize(solids.n_forests());
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      {
        const auto &x_1 = state.positions[p], &x_0 = start->positions[p];
        balance.support_impulses[p].resize(x_1.locally_owned_size());
        unsigned int last = dealii::numbers::invalid_unsigned_int;
        for (const auto &support : solids.supports(p))
          {
            const unsigned int i = support.dof;
            const double f       = forces.external[p].local_element(i) -
                             forces.internal[p].local_element(i) +
                             forces.contact[p].local_element(i);
            const double change = momenta_end[p].local_element(i) -
                                  momenta_begin[p].local_element(i);
            const double mean = 0.5 * (state.velocities[p].local_element(i) +
                                       start->velocities[p].local_element(i));
            balance.support_impulses[p][i] += change - dt * f;
            balance.external_work +=
              mean * change - f * (x_1.local_element(i) - x_0.local_element(i));

            // All components of the node at once, once.
            const unsigned int first = i - support.component;
            if (first == last)
              continue;
            last           = first;
            const auto all = node<dim>(forces.external[p], first) -
                             node<dim>(forces.internal[p], first) +
                             node<dim>(forces.contact[p], first);
            balance.external_angular_momentum +=
              moment(node<dim>(x_1, first), node<dim>(momenta_end[p], first)) -
              moment(node<dim>(x_0, first),
                     node<dim>(momenta_begin[p], first)) -
              dt * moment(0.5 * (node<dim>(x_0, first) + node<dim>(x_1, first)),
                          all);
          }
      }
    // The velocity update pushes at nodes, supports stand against it.
    const ContactState<dim> &change = contact.get_state();
    const auto &nodes               = contact.get_nodes().nodes;
    for (const unsigned int touched : change.touched_nodes)
      {
        if (!contact.gives_forces() || touched >= nodes.size())
          continue;
        const auto &location = nodes[touched];
        const auto &x        = state.positions[location.source];
        if (!x.in_local_range(location.dofs[0]))
          continue;
        const unsigned int first =
          x.get_partitioner()->global_to_local(location.dofs[0]);
        bool is_held = false;
        const Tensor<1, dim> impulse =
          change.impulses[touched] -
          dt * node<dim>(forces.contact[location.source], first);
        for (unsigned int d = 0; d < dim; ++d)
          if (solids.inverse_mass(location.source).local_element(first + d) ==
              0.)
            {
              is_held = true;
              balance.support_impulses[location.source][first + d] -=
                impulse[d];
            }
        if (is_held)
          balance.external_angular_momentum -=
            moment(node<dim>(x, first), impulse);
      }
  }



  template <int dim>
  void
  ImplicitBalance<dim>::add_contact(const Solids<dim> &solids,
                                    const Contact<dim> &contact,
                                    const State &state,
                                    const Forces &forces,
                                    Balance &balance) const
  {
    double work =
      kinetic_energy(momenta_end, state.velocities) - energy_before_update;
    for (unsigned int p = 0; p < state.positions.size(); ++p)
      for (unsigned int i = 0; i < state.positions[p].locally_owned_size(); ++i)
        work += forces.contact[p].local_element(i) *
                (state.positions[p].local_element(i) -
                 start->positions[p].local_element(i));
    const ContactRecord &record = contact.get_state().record;
    balance.friction_loss += record.friction_loss;
    balance.restitution_loss += record.restitution_loss;
    balance.contact_angular_momentum += record.angular_momentum_change;
    if (dealii::Utilities::MPI::this_mpi_process(solids.get_communicator()) ==
        0)
      {
        work += record.friction_loss + record.restitution_loss;
        // What obstacles take; all ranks know of it.
        for (const auto &load : contact.get_obstacles().loads())
          {
            work += load.work;
            balance.external_work -= load.work;
            balance.external_angular_momentum -= load.angular_impulse;
          }
      }
    balance.contact_work += work;
  }



  template class ImplicitBalance<2>;
  template class ImplicitBalance<3>;
} // namespace Ricochet
