// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_closest_points_h
#define ricochet_search_closest_points_h

#include <deal.II/base/point.h>

#include <array>

namespace Ricochet
{
  /**
   * The point of a facet (segment in 2D, triangle in 3D) that is closest to a
   * given point.
   */
  template <int dim>
  struct ClosestPointOnFacet
  {
    /**
     * Weights of the facet's vertices: not negative, sum one. A weight is
     * exactly zero where the point is on the opposite edge.
     */
    std::array<double, dim> weights;

    /** Square of the distance. */
    double distance_square;

    /** How many weights are positive: 1 at a vertex, 2 on an edge of a
     * triangle or inside a segment, 3 inside a triangle. */
    unsigned int n_supports;

    /** Whether all weights are positive. */
    bool is_inside;
  };



  /** The closest points of two segments. */
  struct ClosestPointsOfSegments
  {
    /** Position on the first and second segment, in [0,1]. */
    double first, second;

    /** Square of the distance. */
    double distance_square;

    /** Whether both points are inside their segments, not at an end. */
    bool is_inside;
  };



  /** The position in [0,1] on the segment from @p a to @p b closest to @p p;
   * 0 for a segment without length. */
  template <int dim>
  double
  closest_point_on_segment(const dealii::Point<dim> &p,
                           const dealii::Point<dim> &a,
                           const dealii::Point<dim> &b);



  /**
   * The point of the facet with vertices @p x that is closest to @p p. Facets
   * that are degenerate to a segment or a point are allowed.
   */
  ClosestPointOnFacet<2>
  closest_point_on_facet(const dealii::Point<2> &p,
                         const std::array<dealii::Point<2>, 2> &x);

  /** The same in 3D. */
  ClosestPointOnFacet<3>
  closest_point_on_facet(const dealii::Point<3> &p,
                         const std::array<dealii::Point<3>, 3> &x);



  /**
   * The closest points of the segments from @p a to @p b and from @p c to
   * @p d. Segments may be parallel (then one of the closest pairs is at an
   * end) or without length.
   */
  template <int dim>
  ClosestPointsOfSegments
  closest_points_of_segments(const dealii::Point<dim> &a,
                             const dealii::Point<dim> &b,
                             const dealii::Point<dim> &c,
                             const dealii::Point<dim> &d);
} // namespace Ricochet

#endif
