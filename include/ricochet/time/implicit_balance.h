// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_time_implicit_balance_h
#define ricochet_time_implicit_balance_h

#include <ricochet/body/solids.h>
#include <ricochet/contact.h>
#include <ricochet/time/balance.h>
#include <ricochet/time/step_start.h>

namespace Ricochet
{
  /**
   * Keeps a Balance during the steps of an implicit integrator, of which the
   * mean forces f on a degree of freedom change the momentum p in a step by
   * dt f. With the displacement dx = dt w,
   *
   * - external forces do the work f_ext . dx;
   * - a support gives what the momentum changes beyond all other forces, and
   *   does the work (v_0 + v_1)/2 (p_1 - p_0) - f dx;
   * - contact takes friction_loss, and what f_c . dx and the velocity update
   *   change beyond that is contact_work: zero with the velocity update.
   *
   * With w = (v_0 + v_1)/2 this leaves nothing unexplained.
   */
  template <int dim>
  class ImplicitBalance
  {
  public:
    /** Mean forces of a step. */
    struct Forces
    {
      const ForestVectors &external, &internal, &contact;
    };

    /** At the start of the step; @p start is looked at until its end. */
    void
    begin(const Solids<dim> &solids, const StepStart &start);

    /** At the end, with the velocities that contact has not changed yet. */
    void
    before_update(const Solids<dim> &solids, const State &state);

    /** With the velocities at the end. */
    void
    finish(const Solids<dim> &solids,
           const Contact<dim> &contact,
           const State &state,
           const Forces &forces,
           const std::vector<RigidStep> &rigid_steps,
           const double dt,
           Balance &balance);

    /**
     * A step of rigid bodies alone; nothing else is called then.
     *
     * @param[in] stored By how much the energy that contact stores has grown:
     *   contact work with the opposite sign.
     */
    void
    finish_rigid_bodies(const Solids<dim> &solids,
                        const Contact<dim> &contact,
                        const std::vector<RigidStep> &steps,
                        const double stored,
                        Balance &balance) const;

  private:
    void
    add_external_forces(const State &state,
                        const Forces &forces,
                        const double dt,
                        Balance &balance) const;

    void
    add_supports(const Solids<dim> &solids,
                 const Contact<dim> &contact,
                 const State &state,
                 const Forces &forces,
                 const double dt,
                 Balance &balance) const;

    /**
     * Forces on rigid bodies, and what holds them: with the impulses P and T of
     * contact, V = (V_0 + V_1)/2 and theta the rotation of the step, supports
     * give m dV - P, l_1 - l_0 - T and the energy that follows from these.
     */
    void
    add_rigid_bodies(const std::vector<RigidStep> &steps,
                     Balance &balance) const;

    /** What contact did to rigid bodies, its work. What held ones take of the
     * velocity update, supports take. */
    double
    work_on_rigid_bodies(const Contact<dim> &contact,
                         const State &state,
                         const std::vector<RigidStep> &steps,
                         Balance &balance) const;

    void
    add_contact(const Solids<dim> &solids,
                const Contact<dim> &contact,
                const State &state,
                const Forces &forces,
                const std::vector<RigidStep> &rigid_steps,
                Balance &balance) const;

    const StepStart *start = nullptr;
    ForestVectors momenta_begin, momenta_end;
    double energy_before_update = 0.;
  };
} // namespace Ricochet

#endif
