// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_near_points_h
#define ricochet_source_mesh_near_points_h

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Ricochet
{
  /**
   * For each point the first one within @p distance of it, or itself. Points
   * that are not finite are near none. Linear in the number of points unless
   * many are near each other.
   */
  std::vector<std::uint32_t>
  first_points_within(const std::vector<std::array<double, 3>> &points,
                      const double distance);

  /** Points at the same place. */
  struct CoincidentPoints
  {
    std::size_t n_pairs = 0;
    std::size_t first   = 0; /**< One point of the first pair. */
  };

  /** Count the points of @p is_used that have an earlier one within
   * @p tolerance times the size of the box around all. */
  CoincidentPoints
  find_coincident_points(const std::vector<std::array<double, 3>> &points,
                         const std::vector<bool> &is_used,
                         const double tolerance);
} // namespace Ricochet

#endif
