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
                               const std::vector<RigidStep> &rigid_steps,
                               const double dt,
                               Balance &balance)
  {
    balance.contact_share = 1.;
    balance.last_step     = dt;
    solids.momenta(state.velocities, momenta_end);
    if (solids.has_body_forces())
      add_external_forces(state, forces, dt, balance);
    add_contact(solids, contact, state, forces, rigid_steps, balance);
    // All ranks know of all.
    if (dealii::Utilities::MPI::this_mpi_process(solids.get_communicator()) ==
        0)
      add_rigid_bodies(rigid_steps, balance);
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
        if (touched >= nodes.size())
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
                                    const std::vector<RigidStep> &rigid_steps,
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
        work += record.friction_loss + record.restitution_loss +
                work_on_rigid_bodies(contact, state, rigid_steps, balance);
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



  template <int dim>
  void
  ImplicitBalance<dim>::finish_rigid_bodies(const Solids<dim> &solids,
                                            const Contact<dim> &contact,
                                            const std::vector<RigidStep> &steps,
                                            const double stored,
                                            Balance &balance) const
  {
    balance.contact_share = 1.;
    balance.last_step     = steps.front().length();
    balance.contact_angular_momentum +=
      contact.get_state().record.angular_momentum_change;
    // All ranks know of all.
    if (dealii::Utilities::MPI::this_mpi_process(solids.get_communicator()) !=
        0)
      return;
    balance.contact_work -= stored;
    for (const auto &load : contact.get_obstacles().loads())
      {
        balance.external_work -= load.work;
        balance.external_angular_momentum -= load.angular_impulse;
      }
    add_rigid_bodies(steps, balance);
  }



  template <int dim>
  void
  ImplicitBalance<dim>::add_rigid_bodies(const std::vector<RigidStep> &steps,
                                         Balance &balance) const
  {
    for (const RigidStep &step : steps)
      {
        const RigidMotion &from = step.start(), &to = step.end();
        // From outside, at the centre.
        Tensor<1, 3> impulse = step.length() * step.constant_force();
        for (unsigned int d = 0; d < 3; ++d)
          if (to.holds_velocity[d])
            impulse[d] = to.mass.mass * (to.velocity[d] - from.velocity[d]) -
                         step.given_impulse()[d];
        balance.external_work += impulse * step.mean_velocity();
        balance.external_angular_momentum +=
          moment(0.5 * (Tensor<1, 3>(from.centre) + Tensor<1, 3>(to.centre)),
                 impulse);
        if (to.holds_rotation)
          {
            const Tensor<1, 3> &taken = step.given_angular_impulse();
            balance.external_work +=
              0.5 * (to.spin() * to.angular_velocity() -
                     from.spin() * from.angular_velocity()) -
              taken * step.mean_angular_velocity();
            balance.external_angular_momentum +=
              to.spin() - from.spin() - taken;
          }
      }
  }



  template <int dim>
  double
  ImplicitBalance<dim>::work_on_rigid_bodies(
    const Contact<dim> &contact,
    const State &state,
    const std::vector<RigidStep> &steps,
    Balance &balance) const
  {
    double work = 0.;
    for (unsigned int k = 0; k < steps.size(); ++k)
      {
        const RigidStep &step     = steps[k];
        const RigidMotion &motion = state.rigid_motions[k];
        const auto &update        = contact.get_rigid_bodies().last_update(k);
        work += step.given_impulse() * step.mean_velocity() +
                step.given_angular_impulse() * step.mean_angular_velocity() +
                motion.kinetic_energy() - step.end().kinetic_energy();
        Tensor<1, 3> taken;
        for (unsigned int d = 0; d < dim; ++d)
          if (motion.holds_velocity[d])
            taken[d] = update.impulse[d];
        double taken_work = taken * motion.velocity;
        balance.external_angular_momentum -=
          moment(Tensor<1, 3>(motion.centre), taken);
        if (motion.holds_rotation)
          {
            taken_work += update.angular_impulse * motion.angular_velocity();
            balance.external_angular_momentum -= update.angular_impulse;
          }
        balance.external_work -= taken_work;
        work += taken_work;
      }
    return work;
  }



  template class ImplicitBalance<2>;
  template class ImplicitBalance<3>;
} // namespace Ricochet
