// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_obstacle_touching_solids_h
#define ricochet_source_obstacle_touching_solids_h

#include <array>
#include <optional>
#include <vector>

namespace Ricochet
{
  /** A triangle seen along an edge that it ends at. */
  struct TriangleAtEdge
  {
    /** From an arbitrary direction on, in [0, 2 pi). */
    double angle;

    /** Whether the solid behind the triangle is where angles are larger. */
    bool opens;
  };



  /**
   * The pairs of triangles around an edge with nothing but solid between them,
   * as numbers in @p triangles. Angles that differ by round-off count as equal,
   * and triangles there in the order that makes pairs possible; if there may be
   * solid on either side of such, they go on to the next ones rather than to
   * their backs. Nothing if the triangles do not bound solids.
   */
  std::optional<std::vector<std::array<unsigned int, 2>>>
  pairs_around_solids(const std::vector<TriangleAtEdge> &triangles);
} // namespace Ricochet

#endif
