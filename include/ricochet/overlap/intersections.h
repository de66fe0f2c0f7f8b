// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_overlap_intersections_h
#define ricochet_overlap_intersections_h

#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <array>
#include <optional>
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

  /** Those of these pairs of which one facet at least is wanted; costs little
   * more than looking at these, and at the boxes of all.
   *
   * @param[in] is_wanted A flag for each facet. */
  template <int dim>
  std::vector<std::array<unsigned int, 2>>
  facets_intersecting(const Surface<dim> &surface,
                      const std::vector<dealii::Point<dim>> &positions,
                      const std::vector<char> &is_wanted,
                      const double tolerance = 1e-9);

  /** Where facets @p a and @p b pass through each other, in the sense of
   * intersecting_facets(): the middle of the points at which edges pierce. */
  template <int dim>
  std::optional<dealii::Point<dim>>
  place_of_crossing(const Surface<dim> &surface,
                    const std::vector<dealii::Point<dim>> &positions,
                    const unsigned int a,
                    const unsigned int b,
                    const double tolerance = 1e-9);

  /** What is shorter than @p tolerance times the local edge length of two
   * facets at @p x counts as zero; never less than the rounding of positions.
   */
  template <int dim>
  double
  zero_length(const Surface<dim> &surface,
              const unsigned int facet_a,
              const unsigned int facet_b,
              const dealii::Point<dim> &x,
              const double tolerance);
} // namespace Ricochet

#endif
