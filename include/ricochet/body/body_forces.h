// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_body_forces_h
#define ricochet_body_body_forces_h

#include <ricochet/body/solids.h>

namespace Ricochet
{
  /** Whether the body forces of all bodies that deform are the same at all
   * points and times, or zero: State::external_forces do not change then. */
  template <int dim>
  bool
  have_constant_body_forces(const Solids<dim> &solids)
  {
    for (unsigned int b = 0; b < solids.n_deformable_bodies(); ++b)
      if (!solids.body(b).body_force.is_constant())
        return false;
    return true;
  }
} // namespace Ricochet

#endif
