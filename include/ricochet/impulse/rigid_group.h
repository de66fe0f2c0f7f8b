// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_rigid_group_h
#define ricochet_impulse_rigid_group_h

#include <ricochet/impulse/contact_state.h>

#include <vector>

namespace Ricochet
{
  /**
   * Let a group of nodes move like a rigid body for this step, a rigid impact
   * zone (Provot, 1997; Bridson, Fedkiw and Anderson, 2002):
   *
   *   v_i = V + omega x (x_i(t) - c),   x_i(t + dt) = x_i(t) + dt v_i,
   *
   * with the linear and angular momentum that the group has, sum m v and
   * sum m x(t + dt) x v. Among all velocities with these momenta this is the
   * one with the smallest kinetic energy; what is lost counts as restitution.
   * With a consistent mass, read the inverse of the group's part of the inverse
   * mass for m: impulses on the group do all this, and the other nodes follow.
   * The map from x(t) to any point of the paths is affine with the determinant
   * 1 + (s dt omega)^2 > 0, so that nothing inside the group can meet that did
   * not touch before, however large the step.
   *
   * Nodes with prescribed components keep them, and the supports or obstacles
   * take what momentum they need.
   *
   * @return False, with nothing changed, if the prescribed motion of the group
   *   is not that of a rigid body.
   */
  template <int dim>
  bool
  move_rigidly(const std::vector<unsigned int> &nodes,
               ContactState<dim> &state);
} // namespace Ricochet

#endif
