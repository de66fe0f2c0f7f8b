// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/closest_points.h>
#include <ricochet/search/swept_tests.h>

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Ricochet
{
  namespace
  {
    using dealii::Point;
    using dealii::Tensor;

    constexpr double epsilon = std::numeric_limits<double>::epsilon();

    /**
     * Bounds of all rounding errors of one certificate, relative to the sum of
     * the magnitudes of its terms: differences of positions, products and sums,
     * evaluation at a time, and the rounding of the time that is returned. A
     * count gives 24 epsilon for a plane of the features, 7 for a fixed plane,
     * 15 for a moving one and 28 for one that turns with an edge.
     */
    constexpr double feature_plane_error = 32. * epsilon;
    constexpr double fixed_plane_error   = 8. * epsilon;
    constexpr double moving_plane_error  = 16. * epsilon;
    constexpr double turning_plane_error = 32. * epsilon;

    /** Features closer than this, relative to their extent and motion, touch.
     */
    constexpr double touching_distance = 64. * epsilon;

    /** Stands for a time after the end of the step. */
    constexpr double beyond = 2.;

    /** Steps in time that need no better plane; few of them make the whole way.
     */
    constexpr double large_step = 1. / 32.;

    /**
     * Smaller steps in time are no progress. Root finding goes down to
     * round-off; features that slide along each other at round-off distance
     * would be followed in tiny steps otherwise.
     */
    constexpr double smallest_root_step = 2. * epsilon;
    constexpr double smallest_step      = 1e-13;

    /**
     * A safeguard: pairs that take longer count as met, which errs to the safe
     * side. Ordinary pairs take less than ten.
     */
    constexpr unsigned int max_steps = 200;

    /** A moving plane need not be followed to its very end: the next one will
     * be better. */
    constexpr unsigned int max_moving_plane_steps = 3;



    /** Bernstein coefficients on [t,r], 0 <= t < r <= 1, of the polynomial
     * with coefficients @p c on [0,1] (de Casteljau's algorithm). */
    template <unsigned int degree>
    std::array<double, degree + 1>
    control_points(const std::array<double, degree + 1> &c,
                   const double t,
                   const double r)
    {
      std::array<double, degree + 1> g = c;
      if (t > 0.)
        for (unsigned int k = 1; k <= degree; ++k)
          for (unsigned int j = 0; j + k <= degree; ++j)
            g[j] = (1. - t) * g[j] + t * g[j + 1];
      if (r < 1.)
        {
          const double s = (r - t) / (1. - t);
          for (unsigned int k = 1; k <= degree; ++k)
            for (unsigned int j = degree; j >= k; --j)
              g[j] = (1. - s) * g[j - 1] + s * g[j];
        }
      return g;
    }



    /**
     * A time up to which the polynomial with Bernstein coefficients @p c on
     * [0,1] is larger than @p error, starting from time @p t; @p t if it is not
     * so there, and @p beyond if it is so until 1.
     *
     * A polynomial lies in the convex hull of its control points, so it cannot
     * vanish before the hull does (Bezier clipping from one side).
     */
    template <unsigned int degree>
    double
    positive_until(const std::array<double, degree + 1> &c,
                   double t,
                   const double error,
                   const unsigned int max_root_steps)
    {
      // Look at [t,r] only: far control points would spoil the convergence.
      double r = 1.;
      for (unsigned int step = 0; step < max_root_steps; ++step)
        {
          std::array<double, degree + 1> g = control_points<degree>(c, t, r);
          bool all_positive                = true;
          for (double &value : g)
            {
              value -= error;
              all_positive = all_positive && value > 0.;
            }
          if (all_positive)
            {
              if (r == 1.)
                return beyond;
              const double width = r - t;
              t                  = r;
              r                  = std::min(1., t + 8. * width);
              continue;
            }
          if (!(g[0] > 0.))
            return t;

          double crossing = degree;
          for (unsigned int j = 1; j <= degree; ++j)
            if (!(g[j] > 0.))
              for (unsigned int i = 0; i < j; ++i)
                if (g[i] > 0.)
                  crossing =
                    std::min(crossing, i + (j - i) * g[i] / (g[i] - g[j]));
          const double next = std::min(1., t + crossing / degree * (r - t));
          if (!(next > t + smallest_root_step))
            return t;
          r = std::min(1., next + 2. * (next - t));
          t = next;
        }
      return t;
    }



    /** Bernstein coefficients of the product of two linear functions. */
    template <int dim>
    std::array<double, 3>
    product(const Tensor<1, dim> &a_0,
            const Tensor<1, dim> &a_1,
            const Tensor<1, dim> &b_0,
            const Tensor<1, dim> &b_1)
    {
      return {{a_0 * b_0, 0.5 * (a_0 * b_1 + a_1 * b_0), a_1 * b_1}};
    }



    /** Bernstein coefficients of the product of two quadratic functions. */
    std::array<double, 5>
    product(const std::array<double, 3> &a, const std::array<double, 3> &b)
    {
      return {{a[0] * b[0],
               0.5 * (a[0] * b[1] + a[1] * b[0]),
               (a[0] * b[2] + 4. * (a[1] * b[1]) + a[2] * b[0]) / 6.,
               0.5 * (a[1] * b[2] + a[2] * b[1]),
               a[2] * b[2]}};
    }



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



    /**
     * The difference of two moving features: the convex polygon of all
     * differences of a point of one and a point of the other. The features
     * touch when it contains the origin. It is a segment for a vertex and an
     * edge in 2D, a triangle for a vertex and a triangle, and a parallelogram
     * for two edges. Its vertices move on straight paths.
     */
    template <int dim, unsigned int n_vertices>
    class MovingPolygon
    {
    public:
      using Vector   = Tensor<1, dim>;
      using Vertices = std::array<Vector, n_vertices>;
      using Edges    = std::array<Vector, dim - 1>;

      /**
       * The vertices in cyclic order, and the edges that span the polygon from
       * its vertex 0 (to vertex 1 and to the last one).
       */
      Vertices begin, end;
      Edges begin_edges, end_edges;

      /** Whether the origin is inside at some time, and the first such time. */
      bool
      reaches_origin(double &time);

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

      void
      set_coefficients(const Tensor<1, 2> &a, const Tensor<1, 2> &b);

      void
      set_coefficients(const Tensor<1, 3> &a, const Tensor<1, 3> &b);

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
    MovingPolygon<dim, n_vertices>::set_coefficients(const Tensor<1, 2> &a,
                                                     const Tensor<1, 2> &b)
    {
      const Tensor<1, 2> n_0 = normal_of(begin_edges);
      const Tensor<1, 2> n_1 = normal_of(end_edges);
      coefficients           = {{n_0 * a, 0.5 * (n_0 * b + n_1 * a), n_1 * b}};
    }



    template <int dim, unsigned int n_vertices>
    void
    MovingPolygon<dim, n_vertices>::set_coefficients(const Tensor<1, 3> &a,
                                                     const Tensor<1, 3> &b)
    {
      using dealii::cross_product_3d;
      const Tensor<1, 3> n_00 = normal_of(begin_edges);
      const Tensor<1, 3> n_11 = normal_of(end_edges);
      const Tensor<1, 3> n_01 = cross_product_3d(begin_edges[0], end_edges[1]) +
                                cross_product_3d(end_edges[0], begin_edges[1]);
      coefficients = {{n_00 * a,
                       (n_01 * a + n_00 * b) / 3.,
                       (n_01 * b + n_11 * a) / 3.,
                       n_11 * b}};
    }



    template <int dim, unsigned int n_vertices>
    void
    MovingPolygon<dim, n_vertices>::prepare_feature_plane()
    {
      set_coefficients(begin[0], end[0]);

      // The sum of the magnitudes of all terms.
      const Vector a = magnitude(begin[0], end[0]);
      const Vector e = magnitude(begin_edges[0], end_edges[0]);
      double terms   = 0.;
      if constexpr (dim == 2)
        terms = e[1] * a[0] + e[0] * a[1];
      else
        {
          const Vector f = magnitude(begin_edges[1], end_edges[1]);
          terms          = a[0] * (e[1] * f[2] + e[2] * f[1]) +
                  a[1] * (e[2] * f[0] + e[0] * f[2]) +
                  a[2] * (e[0] * f[1] + e[1] * f[0]);
        }
      coefficient_error = feature_plane_error * terms;
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
      error *= fixed_plane_error;

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
      const double error  = moving_plane_error * (normal * extent);
      double until        = beyond;
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
        turning_plane_error * ((a * extent) * (e * e) + (a * e) * (e * extent));
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
      if (is_on_one_side())
        return false;
      prepare_feature_plane();

      double t = 0.;
      for (unsigned int step = 0; step < max_steps; ++step)
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
  } // namespace



  bool
  SweptTest::vertex_edge(const std::array<Point<2>, 3> &begin,
                         const std::array<Point<2>, 3> &end,
                         double &time)
  {
    MovingPolygon<2, 2> polygon;
    for (unsigned int i = 0; i < 2; ++i)
      {
        polygon.begin[i] = begin[i] - begin[2];
        polygon.end[i]   = end[i] - end[2];
      }
    polygon.begin_edges[0] = begin[1] - begin[0];
    polygon.end_edges[0]   = end[1] - end[0];
    return polygon.reaches_origin(time);
  }



  bool
  SweptTest::vertex_triangle(const std::array<Point<3>, 4> &begin,
                             const std::array<Point<3>, 4> &end,
                             double &time)
  {
    MovingPolygon<3, 3> polygon;
    for (unsigned int i = 0; i < 3; ++i)
      {
        polygon.begin[i] = begin[i] - begin[3];
        polygon.end[i]   = end[i] - end[3];
      }
    for (unsigned int k = 0; k < 2; ++k)
      {
        polygon.begin_edges[k] = begin[k + 1] - begin[0];
        polygon.end_edges[k]   = end[k + 1] - end[0];
      }
    return polygon.reaches_origin(time);
  }



  bool
  SweptTest::edge_edge(const std::array<Point<3>, 4> &begin,
                       const std::array<Point<3>, 4> &end,
                       double &time)
  {
    // Differences of the second and the first edge's ends, around the
    // parallelogram.
    constexpr std::array<unsigned int, 4> first{{0, 0, 1, 1}};
    constexpr std::array<unsigned int, 4> second{{2, 3, 3, 2}};

    MovingPolygon<3, 4> polygon;
    for (unsigned int i = 0; i < 4; ++i)
      {
        polygon.begin[i] = begin[second[i]] - begin[first[i]];
        polygon.end[i]   = end[second[i]] - end[first[i]];
      }
    polygon.begin_edges = {{begin[3] - begin[2], begin[0] - begin[1]}};
    polygon.end_edges   = {{end[3] - end[2], end[0] - end[1]}};
    return polygon.reaches_origin(time);
  }
} // namespace Ricochet
