// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_overlap_sides_h
#define ricochet_overlap_sides_h

#include <ricochet/base/body_pairs.h>
#include <ricochet/search/search_settings.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <vector>

namespace Ricochet
{
  /**
   * Pairs of a body and a rigid surface whose back it is at: contact would keep
   * it on the wrong side, or let it through. The surface may be open; a body
   * beyond its border is at neither side.
   *
   * Bodies that do not intersect the surface are on one side of it, so one
   * vertex tells: on which side of the plane of the closest facet it is, and of
   * several that are as close, of the one that it is furthest above or below.
   *
   * @param[in] positions Of the vertices of the surface.
   * @param[in] first_rigid The number of the first body that is a rigid
   *   surface.
   * @param[in] search Which bodies may touch.
   */
  template <int dim>
  std::vector<BodyPair>
  bodies_behind(const Surface<dim> &surface,
                const std::vector<dealii::Point<dim>> &positions,
                const unsigned int first_rigid,
                const SearchSettings &search);
} // namespace Ricochet

#endif
