// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_intersections_h
#define ricochet_search_intersections_h

#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <array>
#include <vector>

namespace Ricochet
{
  /**
   * All pairs of facets of different bodies that pass through each other in
   * one configuration: in 3D an edge of one pierces the other, in 2D the
   * segments cross.
   *
   * For reports and tests, not for the time loop: every pair whose boxes
   * overlap is looked at.
   *
   * @param[in] positions One point per vertex.
   * @param[in] tolerance Intersections that are no deeper than this part of
   *   the local edge length do not count: touching is not intersecting.
   */
  template <int dim>
  std::vector<std::array<unsigned int, 2>>
  intersecting_facets(const Surface<dim> &surface,
                      const std::vector<dealii::Point<dim>> &positions,
                      const double tolerance = 1e-9);
} // namespace Ricochet

#endif
