// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_obstacle_shape_surfaces_h
#define ricochet_obstacle_shape_surfaces_h

#include <ricochet/obstacle/obstacle.h>

#include <array>

// Facets of simple shapes, closed and outward oriented.

namespace Ricochet
{
  /** A box with edges along the axes between its lower and its upper corner:
   * twelve triangles, or four segments. */
  template <int dim>
  ObstacleSurface<dim>
  box_surface(const std::array<dealii::Point<dim>, 2> &corners);

  /**
   * A polyhedron with vertices on a sphere about the origin: an icosahedron
   * whose triangles are cut into four @p n_refinements times; in 2D a regular
   * polygon of 8 sides that are cut into two as often. With every vertex x
   * there is -x, to the last bit, and (in 3D from one refinement on) there are
   * vertices on all axes.
   */
  template <int dim>
  ObstacleSurface<dim>
  sphere_surface(const double radius, const unsigned int n_refinements);

  /**
   * A prism about the origin with its axis along z, whose @p n_around edges
   * along the axis are on a cylinder and are cut into @p n_along; the first is
   * above the x axis.
   */
  ObstacleSurface<3>
  cylinder_surface(const double radius,
                   const double length,
                   const unsigned int n_around,
                   const unsigned int n_along);
} // namespace Ricochet

#endif
