// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/closest_points.h>

#include <deal.II/base/tensor.h>

#include <algorithm>

namespace Ricochet
{
  namespace
  {
    using dealii::Point;
    using dealii::Tensor;

    /**
     * Triangles and pairs of segments with a smaller squared sine between
     * their edges have no plane in double precision.
     */
    constexpr double degenerate_sine_square = 1e-28;

    /**
     * Below this squared sine the inner solution is not accurate, and the
     * ends are looked at as well.
     */
    constexpr double inaccurate_sine_square = 1e-8;



    /** Position in [0,1] on the segment a + s e that is closest to @p p. */
    template <int dim>
    double
    clamped_position(const Tensor<1, dim> &p_minus_a, const Tensor<1, dim> &e)
    {
      const double length_square = e * e;
      if (!(length_square > 0.))
        return 0.;
      return std::max(0., std::min(1., (p_minus_a * e) / length_square));
    }



    /** The best of the triangle's edges. */
    ClosestPointOnFacet<3>
    closest_point_on_border(const Point<3> &p, const std::array<Point<3>, 3> &x)
    {
      ClosestPointOnFacet<3> result;
      for (unsigned int i = 0; i < 3; ++i)
        {
          const unsigned int j  = (i + 1) % 3;
          const Tensor<1, 3> e  = x[j] - x[i];
          const Tensor<1, 3> h  = p - x[i];
          const double s        = clamped_position(h, e);
          const double distance = (h - s * e).norm_square();
          if (i == 0 || distance < result.distance_square)
            {
              result.weights         = {{0., 0., 0.}};
              result.weights[i]      = 1. - s;
              result.weights[j]      = s;
              result.distance_square = distance;
              result.n_supports      = s > 0. && s < 1. ? 2 : 1;
            }
        }
      result.is_inside = false;
      return result;
    }



    /** The best pair of an end with the other segment. */
    template <int dim>
    ClosestPointsOfSegments
    closest_points_at_ends(const Tensor<1, dim> &e_1,
                           const Tensor<1, dim> &e_2,
                           const Tensor<1, dim> &c_minus_a)
    {
      ClosestPointsOfSegments result{0., 0., -1., false};
      const auto consider = [&](const double s, const double t) {
        const double distance = (c_minus_a + t * e_2 - s * e_1).norm_square();
        if (result.distance_square < 0. || distance < result.distance_square)
          result = {s, t, distance, false};
      };
      consider(0., clamped_position(-c_minus_a, e_2));
      consider(1., clamped_position(e_1 - c_minus_a, e_2));
      consider(clamped_position(c_minus_a, e_1), 0.);
      consider(clamped_position(c_minus_a + e_2, e_1), 1.);
      return result;
    }
  } // namespace



  template <int dim>
  double
  closest_point_on_segment(const Point<dim> &p,
                           const Point<dim> &a,
                           const Point<dim> &b)
  {
    return clamped_position<dim>(p - a, b - a);
  }



  ClosestPointOnFacet<2>
  closest_point_on_facet(const Point<2> &p, const std::array<Point<2>, 2> &x)
  {
    const Tensor<1, 2> e = x[1] - x[0];
    const Tensor<1, 2> h = p - x[0];
    const double s       = clamped_position(h, e);
    const bool inside    = s > 0. && s < 1.;
    return {{{1. - s, s}}, (h - s * e).norm_square(), inside ? 2u : 1u, inside};
  }



  ClosestPointOnFacet<3>
  closest_point_on_facet(const Point<3> &p, const std::array<Point<3>, 3> &x)
  {
    const Tensor<1, 3> e_1     = x[1] - x[0];
    const Tensor<1, 3> e_2     = x[2] - x[0];
    const Tensor<1, 3> h       = p - x[0];
    const Tensor<1, 3> normal  = dealii::cross_product_3d(e_1, e_2);
    const double normal_square = normal.norm_square();
    const double scale         = e_1.norm_square() * e_2.norm_square();
    if (!(normal_square > degenerate_sine_square * scale))
      return closest_point_on_border(p, x);

    const double w_1 =
      (dealii::cross_product_3d(h, e_2) * normal) / normal_square;
    const double w_2 =
      (dealii::cross_product_3d(e_1, h) * normal) / normal_square;
    const double w_0 = 1. - w_1 - w_2;
    if (!(w_0 > 0. && w_1 > 0. && w_2 > 0.))
      return closest_point_on_border(p, x);

    const ClosestPointOnFacet<3> inside =
      {{{w_0, w_1, w_2}}, (h - w_1 * e_1 - w_2 * e_2).norm_square(), 3, true};
    if (normal_square > inaccurate_sine_square * scale)
      return inside;
    const ClosestPointOnFacet<3> border = closest_point_on_border(p, x);
    return border.distance_square < inside.distance_square ? border : inside;
  }



  template <int dim>
  ClosestPointsOfSegments
  closest_points_of_segments(const Point<dim> &a,
                             const Point<dim> &b,
                             const Point<dim> &c,
                             const Point<dim> &d)
  {
    // The squared distance is a convex quadratic function on the unit square:
    // its minimum is the stationary point if that is inside, else on a side.
    const Tensor<1, dim> e_1 = b - a, e_2 = d - c, h = c - a;
    const double e_1_square = e_1 * e_1, e_2_square = e_2 * e_2;
    if (!(e_1_square > 0. && e_2_square > 0.))
      return closest_points_at_ends(e_1, e_2, h);

    // Without its part along the first segment, the second one's position
    // decouples, and nothing cancels when the segments are nearly parallel.
    const Tensor<1, dim> across = e_2 - (e_1 * e_2) / e_1_square * e_1;
    const double across_square  = across * across;
    if (!(across_square > degenerate_sine_square * e_2_square))
      return closest_points_at_ends(e_1, e_2, h);
    const double t = -(h * across) / across_square;
    const double s = (h + t * e_2) * e_1 / e_1_square;
    if (!(s > 0. && s < 1. && t > 0. && t < 1.))
      return closest_points_at_ends(e_1, e_2, h);

    const ClosestPointsOfSegments inside =
      {s, t, (h + t * e_2 - s * e_1).norm_square(), true};
    if (across_square > inaccurate_sine_square * e_2_square)
      return inside;
    const ClosestPointsOfSegments ends = closest_points_at_ends(e_1, e_2, h);
    return ends.distance_square < inside.distance_square ? ends : inside;
  }



  template double
  closest_point_on_segment(const Point<2> &,
                           const Point<2> &,
                           const Point<2> &);
  template double
  closest_point_on_segment(const Point<3> &,
                           const Point<3> &,
                           const Point<3> &);
  template ClosestPointsOfSegments
  closest_points_of_segments(const Point<2> &,
                             const Point<2> &,
                             const Point<2> &,
                             const Point<2> &);
  template ClosestPointsOfSegments
  closest_points_of_segments(const Point<3> &,
                             const Point<3> &,
                             const Point<3> &,
                             const Point<3> &);
} // namespace Ricochet
