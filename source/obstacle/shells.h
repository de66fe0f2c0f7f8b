// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_obstacle_shells_h
#define ricochet_source_obstacle_shells_h

#include <ricochet/obstacle/surface_check.h>

#include <vector>

namespace Ricochet
{
  /** The side of a facet that has no other one at its edge. */
  constexpr unsigned int no_side = static_cast<unsigned int>(-1);



  /**
   * The connected pieces of a surface, in the order of their first facets.
   *
   * @param[in] partner For side i of facet f, from its vertex i to the next,
   *   with the number 3 f + i: the side that it is connected with, or no_side.
   */
  std::vector<Shell>
  find_shells(const ObstacleSurface<3> &surface,
              const std::vector<unsigned int> &partner);
} // namespace Ricochet

#endif
