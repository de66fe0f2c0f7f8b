// SPDX-License-Identifier: LGPL-2.1-or-later

// Long, but one thing: the steps in time and the planes that they try. The
// compiler sees all of them, and the bounds of their errors are beside them.

#include "moving_polygon.h"

#include <ricochet/search/closest_points.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bernstein.h"

namespace Ricochet
{
  using Bernstein::beyond;
  using Bernstein::control_points;
  using Bernstein::positive_until;
  using Bernstein::product;
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();

    /**
     * Bounds of all rounding errors of one certificate, relative to a bound s
     * of the sums of the magnitudes of its terms. With u, half an epsilon, for
     * each operation:
     *
     * Positions of the polygon have 2 u, one for the difference and one for the
     * enlargement (whose own errors are 1e-10 times smaller). So have the edges
     * that span it. All other normals are exact: any vector is a normal, as it
     * was rounded.
     *
     * A plane of the features: three factors 6 u, cross product 2 u, scalar
     * product 3 u, two sums and the division by three 3 u make a = 14. With
     * (a + 8 degree + 1) u of positive_until() that is 39 u.
     *
     * A fixed plane: position and scalar product 5 u, interpolation at one time
     * or, for the time of the end, the rounding of the quotient 3 u: 8 u.
     *
     * A moving plane: position and scalar product 5 u, mean 1 u, so a = 6 and,
     * with degree two, 23 u.
     *
     * A plane that turns with an edge: the scalar products with their means 6 u
     * and 4 u or less, the product of two quadratic functions 4 u, the last
     * difference 1 u, so a = 15 and, with degree four, 48 u.
     *
     * What is above that covers terms of second order and the rounding of s.
     */
    constexpr double feature_plane_error = 32. * epsilon;
    constexpr double fixed_plane_error   = 8. * epsilon;
    constexpr double moving_plane_error  = 16. * epsilon;
    constexpr double turning_plane_error = 32. * epsilon;

    /**
     * Products of four lengths below 1e15 have smaller errors from underflow.
     * (Pairs without such a product above that count as met.)
     */
    constexpr double underflow_error = 1e-290;

    /** Features closer than this touch, relative to extent and motion. */
    constexpr double touching_distance = 64. * epsilon;

    /** Steps in time that need no better plane: few make the whole way. */
    constexpr double large_step = 1. / 32.;

    /**
     * Smaller steps in time are no progress: features that slide along each
     * other at round-off distance would be followed in tiny steps.
     */
    constexpr double smallest_step = 1e-13;

    /** A moving plane need not be followed to its very end: the next one will
     * be better. */
    constexpr unsigned int max_moving_plane_steps = 3;



    /** Cross product in 3D; in 2D the vector turned by a right angle. */
    Tensor<1, 2>
    normal_of(const std::array<Tensor<1, 2>, 1> &edges)
    {
      return Tensor<1, 2>({edges[0][1], -edges[0][0]});
    }

    Tensor<1, 3>
    normal_of(const std::array<Tensor<1, 3>, 2> &edges)
    {
      return dealii::cross_product_3d(edges[0], edges[1]);
    }



    /** The part of @p v across @p e; the second pass removes what rounding
     * left of the first. */
    template <int dim>
    Tensor<1, dim>
    across(Tensor<1, dim> v, const Tensor<1, dim> &e)
    {
      const double e_square = e * e;
      if (e_square > 0.)
        for (unsigned int pass = 0; pass < 2; ++pass)
          v -= (v * e) / e_square * e;
      return v;
    }



    template <int dim>
    Tensor<1, dim>
    magnitude(const Tensor<1, dim> &a, const Tensor<1, dim> &b)
    {
      Tensor<1, dim> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = std::max(std::abs(a[d]), std::abs(b[d]));
      return result;
    }
  } // namespace



  template <int dim, unsigned int n_vertices>
  bool
  MovingPolygon<dim, n_vertices>::is_on_one_side()
  {
    for (unsigned int d = 0; d < dim; ++d)
      {
        double low = begin[0][d], high = begin[0][d];
        for (unsigned int i = 0; i < n_vertices; ++i)
          {
            low  = std::min(low, std::min(begin[i][d], end[i][d]));
            high = std::max(high, std::max(begin[i][d], end[i][d]));
          }
        if (low > 0. || high < 0.)
          return true;
        extent[d] = std::max(-low, high);
      }
    return false;
  }



  template <int dim, unsigned int n_vertices>
  void
  MovingPolygon<dim, n_vertices>::prepare_feature_plane()
  {
    const Vector &a = begin[0], &b = end[0];
    const Vector n_0 = normal_of(begin_edges), n_1 = normal_of(end_edges);

    // The error is relative to the sum of the magnitudes of all terms.
    const Vector x = magnitude(a, b);
    const Vector e = magnitude(begin_edges[0], end_edges[0]);
    double terms   = 0.;
    if constexpr (dim == 2)
      {
        coefficients = product(n_0, n_1, a, b);
        terms        = e[1] * x[0] + e[0] * x[1];
      }
    else
      {
        const Vector n_01 =
          dealii::cross_product_3d(begin_edges[0], end_edges[1]) +
          dealii::cross_product_3d(end_edges[0], begin_edges[1]);
        coefficients   = {{n_0 * a,
                           (n_01 * a + n_0 * b) / 3.,
                           (n_01 * b + n_1 * a) / 3.,
                           n_1 * b}};
        const Vector f = magnitude(begin_edges[1], end_edges[1]);
        terms          = x[0] * (e[1] * f[2] + e[2] * f[1]) +
                x[1] * (e[2] * f[0] + e[0] * f[2]) +
                x[2] * (e[0] * f[1] + e[1] * f[0]);
      }
    coefficient_error = feature_plane_error * terms + underflow_error;
  }



  template <int dim, unsigned int n_vertices>
  double
  MovingPolygon<dim, n_vertices>::clear_of_feature_plane_until(
    const double t) const
  {
    const double until =
      positive_until<dim>(coefficients, t, coefficient_error, max_steps);
    if (until > t)
      return until;
    std::array<double, dim + 1> mirrored = coefficients;
    for (double &c : mirrored)
      c = -c;
    return positive_until<dim>(mirrored, t, coefficient_error, max_steps);
  }



  template <int dim, unsigned int n_vertices>
  double
  MovingPolygon<dim, n_vertices>::clear_of_fixed_plane_until(
    const Vector &normal,
    const double t) const
  {
    double error = 0.;
    for (unsigned int d = 0; d < dim; ++d)
      error += std::abs(normal[d]) * extent[d];
    error = fixed_plane_error * error + underflow_error;

    double sign = 1., until = beyond;
    for (unsigned int i = 0; i < n_vertices; ++i)
      {
        double a = normal * begin[i], b = normal * end[i];
        if (i == 0)
          sign = (1. - t) * a + t * b > 0. ? 1. : -1.;
        a *= sign;
        b *= sign;
        if (!((1. - t) * a + t * b > error))
          return t;
        if (!(b > error))
          until = std::min(until, (a - error) / (a - b));
      }
    return std::max(until, t);
  }



  template <int dim, unsigned int n_vertices>
  double
  MovingPolygon<dim, n_vertices>::clear_of_moving_plane_until(
    const Vector &begin_normal,
    const Vector &end_normal,
    const double t) const
  {
    const Vector normal = magnitude(begin_normal, end_normal);
    const double error =
      moving_plane_error * (normal * extent) + underflow_error;
    double until = beyond;
    for (unsigned int i = 0; i < n_vertices && until > t; ++i)
      until = std::min(
        until,
        positive_until<2>(product(begin_normal, end_normal, begin[i], end[i]),
                          t,
                          error,
                          max_moving_plane_steps));
    return until;
  }



  template <int dim, unsigned int n_vertices>
  double
  MovingPolygon<dim, n_vertices>::clear_of_turning_plane_until(
    const Vector &begin_vector,
    const Vector &end_vector,
    const unsigned int direction,
    const double t) const
  {
    const Vector e_0    = directions(0.)[direction];
    const Vector e_1    = directions(1.)[direction];
    const auto e_square = product(e_0, e_1, e_0, e_1);
    const auto e_a      = product(e_0, e_1, begin_vector, end_vector);

    const Vector e = magnitude(e_0, e_1);
    const Vector a = magnitude(begin_vector, end_vector);
    const double error =
      turning_plane_error * ((a * extent) * (e * e) + (a * e) * (e * extent)) +
      underflow_error;
    double sign = 1., until = beyond;
    for (unsigned int i = 0; i < n_vertices && until > t; ++i)
      {
        auto polynomial =
          product(product(begin_vector, end_vector, begin[i], end[i]),
                  e_square);
        const auto other = product(product(e_0, e_1, begin[i], end[i]), e_a);
        for (unsigned int j = 0; j < 5; ++j)
          polynomial[j] -= other[j];
        if (i == 0 && control_points<4>(polynomial, t, 1.)[0] < 0.)
          sign = -1.;
        for (double &c : polynomial)
          c *= sign;
        until = std::min(
          until,
          positive_until<4>(polynomial, t, error, max_moving_plane_steps));
      }
    return until;
  }



  template <int dim, unsigned int n_vertices>
  double
  MovingPolygon<dim, n_vertices>::clear_of_some_turning_plane_until(
    const Vector &begin_closest,
    const Vector &end_closest,
    const double t) const
  {
    const auto edges_0 = directions(0.), edges_1 = directions(1.);
    double until = t;
    for (unsigned int k = 0; k < n_directions; ++k)
      {
        until = std::max(
          until,
          clear_of_turning_plane_until(begin_closest, end_closest, k, t));
        if (n_directions > 1)
          {
            const unsigned int other = (k + 1) % n_directions;
            until                    = std::max(until,
                             clear_of_turning_plane_until(edges_0[other],
                                                          edges_1[other],
                                                          k,
                                                          t));
          }
        const double ahead = ((1. - t) * edges_0[k] + t * edges_1[k]) *
                             ((1. - t) * begin[0] + t * end[0]);
        const double sign = ahead < 0. ? -1. : 1.;
        until             = std::max(until,
                         clear_of_moving_plane_until(sign * edges_0[k],
                                                     sign * edges_1[k],
                                                     t));
        if (until > t + large_step)
          break;
      }
    return until;
  }



  template <int dim, unsigned int n_vertices>
  std::array<Tensor<1, dim>, MovingPolygon<dim, n_vertices>::n_directions>
  MovingPolygon<dim, n_vertices>::directions(const double t) const
  {
    std::array<Vector, n_directions> result;
    for (unsigned int k = 0; k < dim - 1; ++k)
      result[k] = (1. - t) * begin_edges[k] + t * end_edges[k];
    if constexpr (n_directions == 3)
      result[2] = result[1] - result[0];
    return result;
  }



  template <int dim, unsigned int n_vertices>
  std::array<double, n_vertices>
  MovingPolygon<dim, n_vertices>::closest_weights(
    const Vertices &vertices) const
  {
    if constexpr (n_vertices == 4)
      {
        // The parallelogram as the difference of two segments.
        const auto closest =
          closest_points_of_segments(Point<3>(),
                                     Point<3>(vertices[0] - vertices[3]),
                                     Point<3>(vertices[0]),
                                     Point<3>(vertices[1]));
        const double s = closest.first, t = closest.second;
        return {{(1. - s) * (1. - t), (1. - s) * t, s * t, s * (1. - t)}};
      }
    else
      {
        std::array<Point<dim>, n_vertices> x;
        for (unsigned int i = 0; i < n_vertices; ++i)
          x[i] = Point<dim>(vertices[i]);
        return closest_point_on_facet(Point<dim>(), x).weights;
      }
  }



  template <int dim, unsigned int n_vertices>
  double
  MovingPolygon<dim, n_vertices>::clear_of_closest_plane_until(
    const double t) const
  {
    Vertices vertices;
    for (unsigned int i = 0; i < n_vertices; ++i)
      vertices[i] = (1. - t) * begin[i] + t * end[i];
    const auto weights = closest_weights(vertices);

    Vector closest, begin_closest, end_closest;
    for (unsigned int i = 0; i < n_vertices; ++i)
      {
        closest += weights[i] * vertices[i];
        begin_closest += weights[i] * begin[i];
        end_closest += weights[i] * end[i];
      }

    // A fixed plane converges fast to the time of impact, a moving one stays
    // between features that turn together.
    double until = clear_of_fixed_plane_until(closest, t);
    if (until > t + large_step)
      return until;
    until =
      std::max(until,
               clear_of_moving_plane_until(begin_closest, end_closest, t));
    if (until > t + large_step ||
        closest.norm_square() <=
          touching_distance * touching_distance * extent.norm_square())
      return until;
    until = std::max(until, clear_of_border_plane_until(closest, t));
    if (!(until > t + large_step))
      until = std::max(until,
                       clear_of_some_turning_plane_until(begin_closest,
                                                         end_closest,
                                                         t));
    return until;
  }



  template <int dim, unsigned int n_vertices>
  double
  MovingPolygon<dim, n_vertices>::clear_of_border_plane_until(
    const Vector &closest,
    const double t) const
  {
    const auto edges   = directions(t);
    double until       = t;
    const auto try_one = [&](const Vector &normal) {
      until = std::max(until, clear_of_fixed_plane_until(normal, t));
    };

    unsigned int longest = 0;
    for (unsigned int k = 1; k < n_directions; ++k)
      if (edges[k].norm_square() > edges[longest].norm_square())
        longest = k;
    Edges spanning;
    for (unsigned int k = 0; k < dim - 1; ++k)
      spanning[k] = edges[k];
    const Vector normal = across(normal_of(spanning), edges[longest]);

    try_one(normal);
    for (const Vector &edge : edges)
      {
        try_one(across(closest, edge));
        try_one(edge);
        if constexpr (dim == 3)
          try_one(dealii::cross_product_3d(edge, normal));
      }
    return until;
  }



  template <int dim, unsigned int n_vertices>
  bool
  MovingPolygon<dim, n_vertices>::reaches_origin(double &time)
  {
    n_steps = 0;
    if (is_on_one_side())
      return false;
    prepare_feature_plane();

    double t = 0.;
    for (n_steps = 0; n_steps < max_steps; ++n_steps)
      {
        t = clear_of_feature_plane_until(t);
        if (t == beyond)
          return false;
        const double next = clear_of_closest_plane_until(t);
        if (next == beyond)
          return false;
        if (!(next > t + smallest_step))
          break;
        t = next;
      }
    time = t;
    return true;
  }



  template class MovingPolygon<2, 2>;
  template class MovingPolygon<3, 3>;
  template class MovingPolygon<3, 4>;
} // namespace Ricochet
