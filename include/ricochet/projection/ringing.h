// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_ringing_h
#define ricochet_projection_ringing_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/projection/closest_point_projection.h>

#include <vector>

namespace Ricochet
{
  /**
   * Stop the ringing of features that are pressed against each other.
   *
   * Newmark's method turns the relative velocity of such features round in each
   * step, w_1 = -w_0, since they stay where they are and its displacement is
   * that of the mean velocity. Here their gaps g_c get the velocities of an
   * inelastic contact instead (Moreau, 1988):
   *
   *   v_1 = v' + M^-1 sum_c w_c n_c q_c,
   *   q_c >= 0,   n_c . w_c v_1 >= 0,   q_c n_c . w_c v_1 = 0,
   *
   * with the velocities v' without the impulses p_c that the gaps have had in
   * the step. What changes is an impulse q_c - p_c along each normal, which
   * keeps both momenta; the kinetic energy of the ringing is lost, as
   * ContactRecord::restitution_loss says. Gaps whose conditions contradict each
   * other are left as they are.
   *
   * @param[in] pressed Gaps at the end of the step, their multipliers p_c in
   *   units of mass times velocity.
   * @param[in,out] state Velocities at the end of the step, and the log.
   */
  template <int dim>
  void
  stop_ringing(const std::vector<GapConstraint<dim>> &pressed,
               ContactState<dim> &state);
} // namespace Ricochet

#endif
