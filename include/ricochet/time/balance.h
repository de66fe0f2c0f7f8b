// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_time_balance_h
#define ricochet_time_balance_h

#include <ricochet/body/solids.h>
#include <ricochet/contact.h>
#include <ricochet/time/step_start.h>

#include <deal.II/base/tensor.h>

#include <vector>

namespace Ricochet
{
  /**
   * What entered and left the system since the start, to close the balances of
   * energy and angular momentum:
   *
   *   kinetic + internal + dissipated - external work - contact work = const.
   *
   * Explicit Newmark keeps this with the shadow energy H = K + U - dt^2/8 a.Ma
   * for kinetic + internal (Hairer, Lubich and Wanner, 2003); the balance of
   * K + U itself oscillates about it.
   */
  struct Balance
  {
    /** Same on all ranks: losses of the impulses. */
    double restitution_loss = 0., friction_loss = 0.;

    /**
     * This rank's share: work of body forces, of moving supports and of moving
     * obstacles; and the energy that contact put in beyond the losses that it
     * states, zero but for round-off if all impulses act at the start of steps.
     *
     * What contact changes in a step is an impulse M d at its start, which lets
     * the nodes move by dt d, and another one, M d', at its end, for the rest
     * of the change of their velocities. With the velocities v_n and v_n+1
     * before the first and after the last of them the energy changes by exactly
     *   d . M (v_n + d/2) + d' . M (v_n+1 - d'/2),
     * since positions do not change meanwhile.
     */
    double external_work = 0., contact_work = 0.;

    /** Same on all ranks: change that contact is known to cause. */
    dealii::Tensor<1, 3> contact_angular_momentum;

    /**
     * Impulses that supports gave to their nodes since the start, per forest
     * and locally owned degree of freedom, those against contact times
     * contact_share; empty if there are none.
     */
    std::vector<std::vector<double>> support_impulses;

    /**
     * The impulse of contact in a step of length dt_n changes the velocity from
     * the middle of the step before to that of this one, so as a force it is
     * one over (dt_n-1 + dt_n) / 2: this times it over the time dt_n.
     */
    double contact_share = 1.;

    /** The length of the last step. */
    double last_step = 0.;

    /** This rank's share: change by external loads, supports and obstacles. */
    dealii::Tensor<1, 3> external_angular_momentum;
  };



  /**
   * Keeps a Balance during the steps of an explicit integrator. The integrator
   * calls the members in the order of their declaration; none of them changes
   * the motion.
   */
  template <int dim>
  class StepBalance
  {
  public:
    /** Before the predictor; @p start is looked at until the end of the step.
     */
    void
    begin(const Solids<dim> &solids,
          const State &state,
          const StepStart &start);

    /** Between the predictor and contact. */
    void
    before_contact(const Solids<dim> &solids, const State &state);

    /** After contact, before the forces at the new positions; up to here, a
     * step may be repeated from its start. */
    void
    after_contact(const Solids<dim> &solids,
                  const Contact<dim> &contact,
                  const State &state,
                  const double dt);

    /** After the velocities at the end of the step got the forces there. */
    void
    after_corrector(const Solids<dim> &solids,
                    const Contact<dim> &contact,
                    const State &state,
                    const double dt,
                    Balance &balance);

    /** After contact has changed these velocities once more. */
    void
    add_losses(const ContactRecord &record, Balance &balance);

    /** At the end of the step. */
    void
    finish(const Solids<dim> &solids,
           const Contact<dim> &contact,
           const State &state,
           const double dt,
           Balance &balance);

  private:
    /** Of a consistent mass: the changes d and d', see Balance. */
    void
    split_changes(const Solids<dim> &solids,
                  const State &state,
                  const double dt);

    /** The energy of one of them, of a consistent mass; @p sign is 1 if these
     * are the velocities before it, -1 after it. */
    void
    add_energy(const Solids<dim> &solids,
               const ForestVectors &velocities_there,
               const double sign,
               const ForestVectors &changes,
               Balance &balance);

    /** The energy of both, of a lumped mass. */
    void
    add_energy_of_nodes(const Contact<dim> &contact,
                        const State &state,
                        const double dt,
                        Balance &balance) const;

    /** The same of rigid bodies, on all of which every rank knows the impulses.
     */
    void
    add_energy_of_rigid_bodies(const Contact<dim> &contact,
                               const State &state,
                               Balance &balance) const;

    /** Body forces on them, and what is held of their motions. */
    void
    add_rigid_bodies(const Solids<dim> &solids,
                     const Contact<dim> &contact,
                     const State &state,
                     const double dt,
                     Balance &balance) const;

    void
    add_body_forces(const Solids<dim> &solids,
                    const State &state,
                    const double dt,
                    Balance &balance) const;

    /** Supports at both ends of the step. */
    void
    add_supports(const Solids<dim> &solids,
                 const State &state,
                 const double dt,
                 Balance &balance);

    /**
     * Supports at one end of the step (@p sign -1 at the start, 1 at the end):
     * they give what the momentum of their degrees of freedom changes beyond
     * the forces there.
     */
    void
    add_supports(const Solids<dim> &solids,
                 const State &state,
                 const ForestVectors &positions_there,
                 const ForestVectors &velocities_there,
                 const std::vector<std::vector<double>> &forces_there,
                 const double dt,
                 const double sign,
                 Balance &balance) const;

    /** Supports also take the impulses of contact on their nodes. */
    void
    add_support_impulses(const Solids<dim> &solids,
                         const Contact<dim> &contact,
                         const State &state,
                         const double dt,
                         Balance &balance) const;

    // At the start of the step.
    const StepStart *start = nullptr;
    ForestVectors external_forces;
    std::vector<std::vector<double>> support_forces; // by forest and support

    // Of a consistent mass: before contact, and what it changed.
    ForestVectors predicted_positions, predicted_velocities;
    ForestVectors start_changes, end_changes;
    ForestVectors momenta; // of a consistent mass
  };
} // namespace Ricochet

#endif
