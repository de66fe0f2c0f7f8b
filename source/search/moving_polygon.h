// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_moving_polygon_h
#define ricochet_source_search_moving_polygon_h

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>

namespace Ricochet
{
  /**
   * The difference of two moving features: the convex polygon of all
   * differences of a point of one and a point of the other. The features
   * touch when it contains the origin. It is a segment for a vertex and an
   * edge in 2D, a triangle for a vertex and a triangle, and a parallelogram
   * for two edges. Its vertices move on straight paths.
   *
   * Time advances conservatively (Mirtich, 1996; Zhang, Lee and Kim, 2006), but
   * by separating planes instead of distances and bounds of speeds: as long as
   * a plane keeps the polygon from the origin, the features are apart, and
   * where it ends, the closest points there give the next one. How long a plane
   * does so is the first zero of a polynomial, see Bernstein::positive_until().
   */
  template <int dim, unsigned int n_vertices>
  class MovingPolygon
  {
  public:
    using Vector   = dealii::Tensor<1, dim>;
    using Vertices = std::array<Vector, n_vertices>;
    using Edges    = std::array<Vector, dim - 1>;

    /**
     * The vertices in cyclic order, and the edges that span the polygon from
     * its vertex 0 (to vertex 1 and to the last one).
     */
    Vertices begin, end;
    Edges begin_edges, end_edges;

    /**
     * A safeguard: pairs that take more steps in time count as met, which errs
     * to the safe side. Ordinary pairs take less than ten.
     */
    static constexpr unsigned int max_steps = 200;

    /** Whether the origin is inside at some time, and the first such time. */
    bool
    reaches_origin(double &time);

    /** Full steps in time that the answer took. */
    unsigned int n_steps;

  private:
    static constexpr unsigned int n_directions = dim == 2          ? 1
                                                 : n_vertices == 3 ? 3
                                                                   : 2;

    /** Whether all coordinates in one direction have one sign, always. This
     * test is exact. */
    bool
    is_on_one_side();

    /** Fill the polynomial whose zeros are the times when the origin is in
     * the plane of the polygon. */
    void
    prepare_feature_plane();

    /** Times until which a plane separates the origin from the polygon, from
     * time @p t on. */
    double
    clear_of_feature_plane_until(const double t) const;

    double
    clear_of_fixed_plane_until(const Vector &normal, const double t) const;

    double
    clear_of_moving_plane_until(const Vector &begin_normal,
                                const Vector &end_normal,
                                const double t) const;

    /**
     * The normal is the part of a moving vector a(t) that is across one of
     * the polygon's edges e(t) at all times, n = (e.e) a - (e.a) e. With the
     * vector to the closest point it stays between parallel edges that turn
     * together, with another edge of the polygon between features that turn
     * in one plane.
     */
    double
    clear_of_turning_plane_until(const Vector &begin_vector,
                                 const Vector &end_vector,
                                 const unsigned int direction,
                                 const double t) const;

    /** The best of all planes that turn with an edge or across one. */
    double
    clear_of_some_turning_plane_until(const Vector &begin_closest,
                                      const Vector &end_closest,
                                      const double t) const;

    /** The best of several planes through the closest point. */
    double
    clear_of_closest_plane_until(const double t) const;

    /** Planes for polygons that are nearly degenerate, and for origins close
     * to the border between the regions of two features of the polygon. */
    double
    clear_of_border_plane_until(const Vector &closest, const double t) const;

    /** Directions of the polygon's edges at time @p t. */
    std::array<Vector, n_directions>
    directions(const double t) const;

    /** The weights of the point closest to the origin. */
    std::array<double, n_vertices>
    closest_weights(const Vertices &vertices) const;

    /** Largest absolute coordinates in the step. */
    Vector extent;

    std::array<double, dim + 1> coefficients;
    double coefficient_error;
  };



  /** The differences of the features of SweptTest, facets larger by
   * SweptTest::border_tolerance. */
  MovingPolygon<2, 2>
  polygon_of_vertex_edge(const std::array<dealii::Point<2>, 3> &begin,
                         const std::array<dealii::Point<2>, 3> &end);

  MovingPolygon<3, 3>
  polygon_of_vertex_triangle(const std::array<dealii::Point<3>, 4> &begin,
                             const std::array<dealii::Point<3>, 4> &end);

  MovingPolygon<3, 4>
  polygon_of_edge_edge(const std::array<dealii::Point<3>, 4> &begin,
                       const std::array<dealii::Point<3>, 4> &end);
} // namespace Ricochet

#endif
