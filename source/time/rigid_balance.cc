// SPDX-License-Identifier: LGPL-2.1-or-later

// The part of StepBalance for rigid bodies, of which every rank knows all.

#include <ricochet/time/balance.h>

namespace Ricochet
{
  using dealii::cross_product_3d;
  using dealii::Tensor;

  namespace
  {
    /** The energy of an impulse on what is not held; @p sign is 1 if this is
     * the motion before it, -1 after it. */
    double
    energy_of(const RigidLoad &load,
              const RigidMotion &motion,
              const double sign)
    {
      double sum = 0.;
      for (unsigned int d = 0; d < 3; ++d)
        if (!motion.holds_velocity[d])
          sum += load.impulse[d] *
                 (motion.velocity[d] +
                  0.5 * sign * motion.inverse_mass(d) * load.impulse[d]);
      if (!motion.holds_rotation)
        sum += load.angular_impulse *
               (motion.angular_velocity() +
                0.5 * sign * (motion.inverse_inertia() * load.angular_impulse));
      return sum;
    }



    /** What supports do in a step to components that are held: they give them
     * their momentum and take what contact gives them. */
    template <typename Loads>
    void
    add_held(const RigidMotion &from,
             const RigidMotion &to,
             const Loads &loads,
             const double dt,
             Balance &balance)
    {
      const Tensor<1, 3> c_0(from.centre), c_1(to.centre);
      Tensor<1, 3> early, late;
      for (unsigned int d = 0; d < 3; ++d)
        if (to.holds_velocity[d])
          {
            early[d] = -loads.at_start.impulse[d];
            late[d]  = -loads.at_end.impulse[d];
          }
      const double work = (early + late) * (c_1 - c_0) / dt;
      balance.external_work += work;
      balance.contact_work -= work;
      for (unsigned int d = 0; d < 3; ++d)
        if (to.holds_velocity[d])
          {
            balance.external_work += 0.5 * to.mass.mass *
                                     (to.velocity[d] * to.velocity[d] -
                                      from.velocity[d] * from.velocity[d]);
            late[d] += to.mass.mass * (to.velocity[d] - from.velocity[d]);
          }
      balance.external_angular_momentum +=
        cross_product_3d(c_0, early) + cross_product_3d(c_1, late);
      if (!to.holds_rotation)
        return;
      const Tensor<1, 3> taken =
        loads.at_start.angular_impulse + loads.at_end.angular_impulse;
      const double work_of_turn =
        -0.5 * (taken * (from.angular_velocity() + to.angular_velocity()));
      balance.external_work += 0.5 * (to.spin() * to.angular_velocity() -
                                      from.spin() * from.angular_velocity()) +
                               work_of_turn;
      balance.contact_work -= work_of_turn;
      balance.external_angular_momentum += to.spin() - from.spin() - taken;
    }
  } // namespace



  template <int dim>
  void
  StepBalance<dim>::add_energy_of_rigid_bodies(const Contact<dim> &contact,
                                               const State &state,
                                               Balance &balance) const
  {
    const auto &bodies = contact.get_rigid_bodies();
    for (unsigned int k = 0; k < state.rigid_motions.size(); ++k)
      if (bodies.was_pushed(k, contact.get_state()))
        {
          const auto loads = bodies.loads(k, contact.get_state());
          balance.contact_work +=
            energy_of(loads.at_start, start->rigid_motions[k], 1.) +
            energy_of(loads.at_end, state.rigid_motions[k], -1.);
        }
  }



  template <int dim>
  void
  StepBalance<dim>::add_rigid_bodies(const Solids<dim> &solids,
                                     const Contact<dim> &contact,
                                     const State &state,
                                     const double dt,
                                     Balance &balance) const
  {
    const auto &bodies = contact.get_rigid_bodies();
    for (unsigned int k = 0; k < state.rigid_motions.size(); ++k)
      {
        const RigidMotion &from    = start->rigid_motions[k];
        const RigidMotion &to      = state.rigid_motions[k];
        const RigidBody<dim> &body = solids.rigid_bodies()[k];
        if (body.has_force())
          {
            const Tensor<1, 3> c_0(from.centre), c_1(to.centre);
            const Tensor<1, 3> f_0 = body.force(state.time - dt),
                               f_1 = body.force(state.time);
            balance.external_work += 0.5 * ((f_0 + f_1) * (c_1 - c_0));
            balance.external_angular_momentum +=
              0.5 * dt *
              (cross_product_3d(c_0, f_0) + cross_product_3d(c_1, f_1));
          }
        const auto &holds = to.holds_velocity;
        if (to.holds_rotation || holds[0] || holds[1] || holds[2])
          add_held(from,
                   to,
                   bodies.was_pushed(k, contact.get_state())
                     ? bodies.loads(k, contact.get_state())
                     : typename ContactRigidBodies<dim>::StepLoads(),
                   dt,
                   balance);
      }
  }



#define RICOCHET_INSTANTIATE(dim)                                        \
  template void StepBalance<dim>::add_energy_of_rigid_bodies(            \
    const Contact<dim> &,                                                \
    const State &,                                                       \
    Balance &) const;                                                    \
  template void StepBalance<dim>::add_rigid_bodies(const Solids<dim> &,  \
                                                   const Contact<dim> &, \
                                                   const State &,        \
                                                   const double,         \
                                                   Balance &) const;

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
