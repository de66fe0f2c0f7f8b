// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_mass_weighted_friction_h
#define ricochet_impulse_mass_weighted_friction_h

#include <ricochet/geometry/collision.h>
#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/pass_settings.h>

namespace Ricochet
{
  /**
   * Push a vertex and a face apart as push_pair() does, but with the friction
   * of del Pozo, Lopez-Gomez and Romero (2018), eqs. (37)-(47): the face takes
   * part with all of its mass and the velocity of its mass centre. Slip acts on
   * the nodes of the face by their masses; stick gives all of them and the
   * vertex one tangential velocity.
   *
   * Takes energy and keeps the linear momentum, but not the angular one in
   * three dimensions, and velocities jump at the limit of stick, which is that
   * of the vertex alone. Nodes whose mass is infinite take what the face gets.
   * With a consistent mass, or where a node is held in some directions only,
   * friction is that of push_pair().
   *
   * @param[in] collision Of a vertex, its first side, and a facet.
   */
  template <int dim>
  void
  push_with_mass_weighted_friction(const Collision<dim> &collision,
                                   const PassSettings &settings,
                                   ContactState<dim> &state);
} // namespace Ricochet

#endif
