// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/obstacle/shape_surfaces.h>

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Points of a circle, the first one on the x axis; with an even number
     * pairs of opposite ones agree to the last bit. */
    std::vector<Point<2>>
    points_of_circle(const double radius, const unsigned int n)
    {
      std::vector<Point<2>> points(n);
      for (unsigned int i = 0; i < n; ++i)
        if (n % 2 == 0 && i >= n / 2)
          points[i] = -points[i - n / 2];
        else
          {
            const double angle = 2. * dealii::numbers::PI * i / n;
            points[i] =
              Point<2>(radius * std::cos(angle), radius * std::sin(angle));
          }
      // Where the cosine is a round-off.
      if (n % 4 == 0)
        {
          points[n / 4]     = Point<2>(0., radius);
          points[3 * n / 4] = Point<2>(0., -radius);
        }
      return points;
    }



    /** An icosahedron with edges across the axes. */
    ObstacleSurface<3>
    icosahedron()
    {
      const double golden = (1. + std::sqrt(5.)) / 2.;
      ObstacleSurface<3> result;
      // (0, +-1, +-golden) and its cyclic permutations: vertex 4 d + 2 t + s.
      for (unsigned int d = 0; d < 3; ++d)
        for (unsigned int v = 0; v < 4; ++v)
          {
            Point<3> x;
            x[(d + 1) % 3] = v % 2 == 0 ? 1. : -1.;
            x[(d + 2) % 3] = v / 2 == 0 ? golden : -golden;
            result.vertices.push_back(x);
          }
      // All triples at the distance of neighbors, which is 2, turned outward.
      const auto are_neighbors = [&](const unsigned int a,
                                     const unsigned int b) {
        return result.vertices[a].distance(result.vertices[b]) < 2.1;
      };
      for (unsigned int a = 0; a < 12; ++a)
        for (unsigned int b = a + 1; b < 12; ++b)
          for (unsigned int c = b + 1; c < 12; ++c)
            if (are_neighbors(a, b) && are_neighbors(b, c) &&
                are_neighbors(c, a))
              {
                const auto &x = result.vertices;
                if (x[a] * cross_product_3d(x[b], x[c]) > 0.)
                  result.facets.push_back({{a, b, c}});
                else
                  result.facets.push_back({{a, c, b}});
              }
      return result;
    }



    /** Cut every triangle into four by the midpoints of its edges, which move
     * out to the unit sphere. */
    void
    refine(ObstacleSurface<3> &surface)
    {
      std::map<std::pair<unsigned int, unsigned int>, unsigned int> midpoints;
      const auto midpoint = [&](const unsigned int a, const unsigned int b) {
        const auto [entry, is_new] =
          midpoints.emplace(std::minmax(a, b), surface.vertices.size());
        if (is_new)
          {
            const Tensor<1, 3> sum =
              Tensor<1, 3>(surface.vertices[a]) + surface.vertices[b];
            surface.vertices.emplace_back(sum / sum.norm());
          }
        return entry->second;
      };
      std::vector<std::array<unsigned int, 3>> facets;
      for (const auto &[a, b, c] : surface.facets)
        {
          const unsigned int ab = midpoint(a, b);
          const unsigned int bc = midpoint(b, c);
          const unsigned int ca = midpoint(c, a);
          facets.push_back({{a, ab, ca}});
          facets.push_back({{ab, b, bc}});
          facets.push_back({{ca, bc, c}});
          facets.push_back({{ab, bc, ca}});
        }
      surface.facets = std::move(facets);
    }
  } // namespace



  template <int dim>
  ObstacleSurface<dim>
  box_surface(const std::array<Point<dim>, 2> &corners)
  {
    ObstacleSurface<dim> result;
    // Bit d of the number of a vertex is its side in direction d.
    for (unsigned int v = 0; v < (1u << dim); ++v)
      {
        Point<dim> x;
        for (unsigned int d = 0; d < dim; ++d)
          x[d] = corners[(v >> d) & 1u][d];
        result.vertices.push_back(x);
      }
    if constexpr (dim == 2)
      result.facets = {{{0, 1}}, {{1, 3}}, {{3, 2}}, {{2, 0}}};
    else
      for (unsigned int d = 0; d < 3; ++d)
        for (unsigned int side = 0; side < 2; ++side)
          {
            // Around the face, counter-clockwise seen from above.
            const unsigned int base = side << d;
            const unsigned int s    = 1u << (d + 1) % 3;
            const unsigned int t    = 1u << (d + 2) % 3;
            std::array<unsigned int, 4> v{
              {base, base + s, base + s + t, base + t}};
            if (side == 0)
              std::swap(v[1], v[3]);
            result.facets.push_back({{v[0], v[1], v[2]}});
            result.facets.push_back({{v[0], v[2], v[3]}});
          }
    return result;
  }



  template <>
  ObstacleSurface<2>
  sphere_surface<2>(const double radius, const unsigned int n_refinements)
  {
    const unsigned int n = 8u << n_refinements;
    ObstacleSurface<2> result;
    result.vertices = points_of_circle(radius, n);
    for (unsigned int i = 0; i < n; ++i)
      result.facets.push_back({{i, (i + 1) % n}});
    return result;
  }



  template <>
  ObstacleSurface<3>
  sphere_surface<3>(const double radius, const unsigned int n_refinements)
  {
    ObstacleSurface<3> result = icosahedron();
    for (Point<3> &x : result.vertices)
      x /= x.norm();
    for (unsigned int i = 0; i < n_refinements; ++i)
      refine(result);
    for (Point<3> &x : result.vertices)
      x *= radius;
    return result;
  }



  ObstacleSurface<3>
  cylinder_surface(const double radius,
                   const double length,
                   const unsigned int n_around,
                   const unsigned int n_along)
  {
    ObstacleSurface<3> result;
    const std::vector<Point<2>> circle = points_of_circle(radius, n_around);
    for (unsigned int j = 0; j <= n_along; ++j)
      for (const Point<2> &x : circle)
        result.vertices.emplace_back(x[0],
                                     x[1],
                                     length * (2. * j - n_along) /
                                       (2. * n_along));
    const unsigned int bottom = result.vertices.size(), top = bottom + 1;
    result.vertices.emplace_back(0., 0., -0.5 * length);
    result.vertices.emplace_back(0., 0., 0.5 * length);

    const auto vertex = [&](const unsigned int i, const unsigned int j) {
      return j * n_around + i % n_around;
    };
    for (unsigned int i = 0; i < n_around; ++i)
      {
        result.facets.push_back({{bottom, vertex(i + 1, 0), vertex(i, 0)}});
        result.facets.push_back(
          {{top, vertex(i, n_along), vertex(i + 1, n_along)}});
        for (unsigned int j = 0; j < n_along; ++j)
          {
            result.facets.push_back(
              {{vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)}});
            result.facets.push_back(
              {{vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)}});
          }
      }
    return result;
  }



  template ObstacleSurface<2>
  box_surface(const std::array<Point<2>, 2> &);
  template ObstacleSurface<3>
  box_surface(const std::array<Point<3>, 2> &);
} // namespace Ricochet
