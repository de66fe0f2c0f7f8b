// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_geometry_inset_h
#define ricochet_geometry_inset_h

#include <deal.II/base/point.h>

#include <array>
#include <vector>

namespace Ricochet
{
  /**
   * The vertices of a surface whose facets are all @p distance further inside:
   * each vertex moves until it is so far behind the planes of all facets that
   * meet there. Vertices where facets fold back on each other move by a few
   * times the distance and may stay less far behind some.
   *
   * Bodies that lie on each other exactly, as flush blocks do, have no side to
   * be kept on: whether a vertex on the border of a face is above it or beside
   * it is for round-off to say. With the least inset there is room between
   * them.
   *
   * @param[in] vertices Of the surface.
   * @param[in] facets Their vertices, oriented as those of Surface.
   * @param[in] distance A length, small against the facets.
   */
  template <int dim>
  std::vector<dealii::Point<dim>>
  inset(const std::vector<dealii::Point<dim>> &vertices,
        const std::vector<std::array<unsigned int, dim>> &facets,
        const double distance);
} // namespace Ricochet

#endif
