// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_time_balance_h
#define ricochet_time_balance_h

#include <ricochet/body/solids.h>
#include <ricochet/contact.h>

#include <deal.II/base/tensor.h>

#include <vector>

namespace Ricochet
{
  /**
   * What entered and left the system since the start, to close the balances of
   * energy and angular momentum (METHODS-explicit-3d 2.2 and 2.3):
   *
   *   kinetic + internal + dissipated - external work - contact work = const.
   */
  struct Balance
  {
    /** Same on all ranks: losses of the impulses. */
    double restitution_loss = 0., friction_loss = 0.;

    /**
     * This rank's share: work of body forces, of moving supports and of moving
     * obstacles; and the
     * energy that position corrections put in, which in one step is
     *   P(x) - P(x~) - dt/2 [v+ . grad P(x) - v- . grad P(x~)]
     * with the potential P of internal and external forces, the predictor x~,
     * and the mid-step velocities before (-) and after (+) contact. When bodies
     * with a consistent mass meet with a lumped one, it also has what that does
     * to the kinetic energy.
     */
    double external_work = 0., contact_work = 0.;

    /** Same on all ranks: change that contact is known to cause. */
    dealii::Tensor<1, 3> contact_angular_momentum;

    /**
     * Impulses that supports gave to their nodes since the start, per forest
     * and locally owned degree of freedom; empty if there are none.
     */
    std::vector<std::vector<double>> support_impulses;

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
    /** Before the predictor. */
    void
    begin(const Solids<dim> &solids, const State &state);

    /** Between the predictor and contact. */
    void
    before_contact(const Contact<dim> &contact, const State &state);

    /** After contact, before the forces at the new positions. */
    void
    after_contact(const Solids<dim> &solids,
                  const Contact<dim> &contact,
                  const State &state,
                  const double dt,
                  Balance &balance);

    /** After the velocities at the end of the step were updated. */
    void
    add_losses(const ContactRecord &record, Balance &balance);

    /** At the end of the step. */
    void
    finish(const Solids<dim> &solids,
           const Contact<dim> &contact,
           const State &state,
           const double dt,
           Balance &balance);

    /** The positions at the start of the step. */
    const ForestVectors &
    positions_begin() const
    {
      return positions;
    }

    /** The velocities at the start of the step. */
    const ForestVectors &
    velocities_begin() const
    {
      return velocities;
    }

  private:
    /**
     * The motion before contact, and the nodes that contact moved: those it
     * touched with the hanging nodes that follow them, or with a consistent
     * mass all.
     */
    void
    undo_contact(const Solids<dim> &solids,
                 const Contact<dim> &contact,
                 const State &state);

    /** Set back the nodes that an impulse on a lumped mass touched. */
    void
    undo_touched_nodes(const Contact<dim> &contact, const State &state);

    void
    add_potential_change(const Solids<dim> &solids,
                         const Contact<dim> &contact,
                         const State &state,
                         const double dt,
                         Balance &balance);

    /**
     * Impulses on a lumped mass although the bodies have a consistent one: what
     * the kinetic energy changes beyond the losses of the impulses.
     */
    void
    add_lumping(const Solids<dim> &solids,
                const ContactRecord &record,
                Balance &balance);

    void
    add_impulse_power(const State &state,
                      const double dt,
                      Balance &balance) const;

    void
    add_body_forces(const Solids<dim> &solids,
                    const State &state,
                    const double dt,
                    Balance &balance) const;

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
    ForestVectors positions, velocities, external_forces;

    // Before contact, and what it changed.
    ForestVectors predicted_positions, predicted_velocities, velocity_changes;
    std::vector<std::vector<unsigned int>> moved_nodes; // local

    ForestVectors momenta; // of a consistent mass
  };
} // namespace Ricochet

#endif
