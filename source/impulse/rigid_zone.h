// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_impulse_rigid_zone_h
#define ricochet_source_impulse_rigid_zone_h

#include <ricochet/impulse/contact_state.h>

#include <vector>

namespace Ricochet
{
  /**
   * What move_rigidly() does with a group that has rigid bodies: one of them,
   * with the mass, momentum and angular momentum of all, or with the motion of
   * what is held. Where the bodies end is rigid, not on the straight paths of
   * the group, so the end has to be looked at.
   *
   * @return False, with nothing changed, if nodes are held in some directions
   *   only, have a consistent mass, or if what is held does not move like a
   *   rigid body.
   */
  template <int dim>
  bool
  move_zone(const std::vector<unsigned int> &nodes, ContactState<dim> &state);
} // namespace Ricochet

#endif
