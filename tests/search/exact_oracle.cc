// SPDX-License-Identifier: LGPL-2.1-or-later

#include "exact_oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace Ricochet
{
  namespace Exact
  {
    namespace
    {
      /** A vector that moves: one polynomial for each coordinate. */
      template <int dim>
      using Moving = std::array<Polynomial, dim>;



      template <std::size_t dim>
      Polynomial
      dot(const std::array<Polynomial, dim> &a,
          const std::array<Polynomial, dim> &b)
      {
        Polynomial sum;
        for (unsigned int d = 0; d < dim; ++d)
          sum = sum + a[d] * b[d];
        return sum;
      }

      std::array<Polynomial, 1>
      cross(const Moving<2> &a, const Moving<2> &b)
      {
        return {{a[0] * b[1] - a[1] * b[0]}};
      }

      Moving<3>
      cross(const Moving<3> &a, const Moving<3> &b)
      {
        return {{a[1] * b[2] - a[2] * b[1],
                 a[2] * b[0] - a[0] * b[2],
                 a[0] * b[1] - a[1] * b[0]}};
      }



      /** Whether the origin is on the segment from @p a to @p b. */
      template <int dim>
      bool
      contains(const Moving<dim> &a, const Moving<dim> &b, Time &time)
      {
        for (const Polynomial &p : cross(a, b))
          if (sign(p, time) != 0)
            return false;
        return sign(dot(a, b), time) <= 0;
      }

      /**
       * Whether the origin, in the plane of a convex polygon, is inside. The
       * weights of the sides add up to the square of the normal or twice it, so
       * all are zero if and only if the polygon is degenerate to a segment or
       * a point, which then is covered by its sides.
       */
      template <std::size_t n_vertices>
      bool
      contains(const std::array<Moving<3>, n_vertices> &vertices, Time &time)
      {
        Moving<3> e, f;
        for (unsigned int d = 0; d < 3; ++d)
          {
            e[d] = vertices[1][d] - vertices[0][d];
            f[d] = vertices[2][d] - vertices[0][d];
          }
        const Moving<3> normal = cross(e, f);
        bool is_inside         = false;
        for (unsigned int i = 0; i < n_vertices; ++i)
          {
            const int side =
              sign(dot(normal,
                       cross(vertices[i], vertices[(i + 1) % n_vertices])),
                   time);
            if (side < 0)
              return false;
            is_inside = is_inside || side > 0;
          }
        for (unsigned int i = 0; i < n_vertices && !is_inside; ++i)
          is_inside =
            contains<3>(vertices[i], vertices[(i + 1) % n_vertices], time);
        return is_inside;
      }



      const Time start = {{}, 0, 0, true, 0};

      std::optional<Time>
      earlier(std::optional<Time> a, std::optional<Time> b)
      {
        constexpr unsigned int enough = 80;
        if (!a || !b)
          return a ? a : b;
        for (;;)
          {
            const Integer a_left = a->k << b->m, b_left = b->k << a->m;
            if (a_left + (Integer(!a->is_exact) << b->m) <= b_left)
              return a;
            if (b_left + (Integer(!b->is_exact) << a->m) <= a_left)
              return b;
            if (std::min(a->m, b->m) >= enough)
              return a;
            // Exact times stay as they are.
            const bool refine_a = !a->is_exact && (b->is_exact || a->m <= b->m);
            (refine_a ? a : b)->refine();
          }
      }



      /** The first time at which the origin is on a segment. */
      template <int dim>
      std::optional<Time>
      first_time_on_segment(const Moving<dim> &a, const Moving<dim> &b)
      {
        Polynomial together;
        for (const Polynomial &p : cross(a, b))
          together = common_divisor(together, p);
        const Polynomial between = dot(a, b);
        if (together.empty())
          {
            // Always in one line.
            if (between.empty() || between[0].sign() <= 0)
              return start;
            const auto candidates = zeros(between);
            return candidates.empty() ? std::optional<Time>()
                                      : candidates.front();
          }
        for (Time &time : zeros(together))
          if (sign(between, time) <= 0)
            return time;
        return {};
      }

      /** The first time at which the origin is in a polygon. */
      template <std::size_t n_vertices>
      std::optional<Time>
      first_time_in_polygon(const std::array<Moving<3>, n_vertices> &vertices)
      {
        const Polynomial volume =
          dot(vertices[0], cross(vertices[1], vertices[2]));
        if (!volume.empty())
          {
            for (Time &time : zeros(volume))
              if (contains(vertices, time))
                return time;
            return {};
          }
        // Always in one plane: inside at once, or it comes in over a side.
        Time time = start;
        if (contains(vertices, time))
          return time;
        std::optional<Time> first;
        for (unsigned int i = 0; i < n_vertices; ++i)
          first =
            earlier(first,
                    first_time_on_segment<3>(vertices[i],
                                             vertices[(i + 1) % n_vertices]));
        return first;
      }



      /** Which points' differences are the vertices of the moving polygon. */
      template <Kind kind>
      constexpr auto
      differences()
      {
        using Pairs = std::array<std::array<unsigned int, 2>,
                                 kind == Kind::edge_edge ? 4 : dimension(kind)>;
        if constexpr (kind == Kind::vertex_edge)
          return Pairs{{{{1, 0}}, {{2, 0}}}};
        else if constexpr (kind == Kind::vertex_triangle)
          return Pairs{{{{1, 0}}, {{2, 0}}, {{3, 0}}}};
        else
          return Pairs{{{{2, 0}}, {{3, 0}}, {{3, 1}}, {{2, 1}}}};
      }
    } // namespace



    template <Kind kind>
    std::optional<Time>
    first_touch(const Points<kind> &begin, const Points<kind> &end)
    {
      constexpr int dim = dimension(kind);
      // Unit: the smallest last digit of all numbers.
      int exponent = std::numeric_limits<int>::max();
      for (const auto *points : {&begin, &end})
        for (const auto &x : *points)
          for (unsigned int d = 0; d < dim; ++d)
            if (x[d] != 0.)
              exponent = std::min(exponent, std::ilogb(x[d]) - 52);
      const auto integer = [exponent](const double x) {
        if (x == 0.)
          return Integer(0);
        const int e = std::ilogb(x) - 52;
        return Integer(static_cast<long long>(std::ldexp(x, -e)))
               << (e - exponent);
      };

      constexpr auto pairs = differences<kind>();
      std::array<Moving<dim>, pairs.size()> vertices;
      for (unsigned int i = 0; i < pairs.size(); ++i)
        for (unsigned int d = 0; d < dim; ++d)
          {
            const auto [a, b] = pairs[i];
            const Integer x   = integer(begin[a][d]) - integer(begin[b][d]);
            const Integer y   = integer(end[a][d]) - integer(end[b][d]);
            vertices[i][d]    = {x, y - x};
            trim(vertices[i][d]);
          }
      if constexpr (dim == 2)
        return first_time_on_segment<2>(vertices[0], vertices[1]);
      else
        return first_time_in_polygon(vertices);
    }



    template <Kind kind>
    bool
    are_obviously_apart(const Points<kind> &begin, const Points<kind> &end)
    {
      constexpr int dim    = dimension(kind);
      constexpr auto pairs = differences<kind>();
      using Vector         = dealii::Tensor<1, dim>;
      std::array<std::array<Vector, pairs.size()>, 2> x;
      for (unsigned int i = 0; i < pairs.size(); ++i)
        {
          x[0][i] = begin[pairs[i][0]] - begin[pairs[i][1]];
          x[1][i] = end[pairs[i][0]] - end[pairs[i][1]];
        }

      // Signs of differences are exact.
      double product = 1.;
      for (unsigned int d = 0; d < dim; ++d)
        {
          double low = x[0][0][d], high = low;
          for (const auto &side : x)
            for (const Vector &vertex : side)
              {
                low  = std::min(low, vertex[d]);
                high = std::max(high, vertex[d]);
              }
          if (low > 0. || high < 0.)
            return true;
          product *= high - low;
        }

      // Bernstein coefficients of the determinant of the first vertices: means
      // of determinants with each vertex at the begin or the end. Each is a sum
      // of dim! products, of magnitude at most `product', with at most 15
      // rounding errors of half an epsilon.
      const double error =
        6. * 8. * std::numeric_limits<double>::epsilon() * product;
      if (!(error > 1e-250))
        return false; // underflow
      std::array<double, dim + 1> c;
      if constexpr (dim == 2)
        {
          const auto det = [&x](const unsigned int i, const unsigned int j) {
            return x[i][0][0] * x[j][1][1] - x[i][0][1] * x[j][1][0];
          };
          c = {{det(0, 0), 0.5 * (det(0, 1) + det(1, 0)), det(1, 1)}};
        }
      else
        {
          const auto det = [&x](const unsigned int i,
                                const unsigned int j,
                                const unsigned int k) {
            return x[i][0] * dealii::cross_product_3d(x[j][1], x[k][2]);
          };
          c = {{det(0, 0, 0),
                (det(1, 0, 0) + det(0, 1, 0) + det(0, 0, 1)) / 3.,
                (det(0, 1, 1) + det(1, 0, 1) + det(1, 1, 0)) / 3.,
                det(1, 1, 1)}};
        }
      const auto [low, high] = std::minmax_element(c.begin(), c.end());
      return *low > error || *high < -error;
    }



    template std::optional<Time>
    first_touch<Kind::vertex_edge>(const Points<Kind::vertex_edge> &,
                                   const Points<Kind::vertex_edge> &);
    template std::optional<Time>
    first_touch<Kind::vertex_triangle>(const Points<Kind::vertex_triangle> &,
                                       const Points<Kind::vertex_triangle> &);
    template std::optional<Time>
    first_touch<Kind::edge_edge>(const Points<Kind::edge_edge> &,
                                 const Points<Kind::edge_edge> &);
    template bool
    are_obviously_apart<Kind::vertex_edge>(const Points<Kind::vertex_edge> &,
                                           const Points<Kind::vertex_edge> &);
    template bool
    are_obviously_apart<Kind::vertex_triangle>(
      const Points<Kind::vertex_triangle> &,
      const Points<Kind::vertex_triangle> &);
    template bool
    are_obviously_apart<Kind::edge_edge>(const Points<Kind::edge_edge> &,
                                         const Points<Kind::edge_edge> &);
  } // namespace Exact
} // namespace Ricochet
