// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_search_make_bodies_h
#define ricochet_tests_search_make_bodies_h

#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace Ricochet
{
  /** Surfaces of simple bodies for tests and benchmarks of the search. */
  template <int dim>
  struct Bodies
  {
    using Facet = std::array<unsigned int, dim>;

    Surface<dim> surface;
    std::vector<dealii::Point<dim>> positions;

    void
    add(const std::vector<dealii::Point<dim>> &points,
        const std::vector<Facet> &facets)
    {
      const unsigned int offset = positions.size();
      for (const auto &p : points)
        {
          positions.push_back(p);
          surface.vertex_body.push_back(surface.n_bodies);
        }
      for (Facet facet : facets)
        {
          for (unsigned int &v : facet)
            v += offset;
          surface.facets.push_back(facet);
          surface.facet_body.push_back(surface.n_bodies);
          surface.facet_boundary_id.push_back(0);
        }
      ++surface.n_bodies;
    }

    /** Call after the last body. */
    void
    finish()
    {
      surface.n_nodes            = positions.size();
      surface.vertices_are_nodes = true;
      surface.build_edges(positions);
    }
  };



  /** A closed polygon around @p centre. */
  inline void
  add_polygon(Bodies<2> &bodies,
              const dealii::Point<2> &centre,
              const double radius_x,
              const double radius_y,
              const unsigned int n)
  {
    std::vector<dealii::Point<2>> points;
    std::vector<std::array<unsigned int, 2>> facets;
    for (unsigned int i = 0; i < n; ++i)
      {
        const double angle = 2. * M_PI * (i + 0.3) / n;
        points.push_back(centre +
                         dealii::Tensor<1, 2>({radius_x * std::cos(angle),
                                               radius_y * std::sin(angle)}));
        facets.push_back({{i, (i + 1) % n}});
      }
    bodies.add(points, facets);
  }



  /**
   * The box with sides @p size, its faces cut into squares, and these into
   * triangles; as a sphere (ellipsoid) if @p is_round.
   */
  inline void
  add_box(Bodies<3> &bodies,
          const dealii::Point<3> &centre,
          const dealii::Tensor<1, 3> &size,
          const std::array<unsigned int, 3> &n,
          const bool is_round = false)
  {
    std::map<std::array<unsigned int, 3>, unsigned int> numbers;
    std::vector<dealii::Point<3>> points;
    std::vector<std::array<unsigned int, 3>> facets;
    const auto vertex = [&](const std::array<unsigned int, 3> &grid) {
      const auto entry = numbers.emplace(grid, points.size());
      if (entry.second)
        {
          dealii::Tensor<1, 3> p;
          for (unsigned int d = 0; d < 3; ++d)
            p[d] = double(grid[d]) / n[d] - 0.5;
          if (is_round)
            p *= 0.5 / p.norm();
          for (unsigned int d = 0; d < 3; ++d)
            p[d] *= size[d];
          points.push_back(centre + p);
        }
      return entry.first->second;
    };

    for (unsigned int d = 0; d < 3; ++d)
      for (unsigned int side = 0; side < 2; ++side)
        {
          const unsigned int a = (d + 1 + side) % 3, b = (d + 2 - side) % 3;
          for (unsigned int i = 0; i < n[a]; ++i)
            for (unsigned int j = 0; j < n[b]; ++j)
              {
                const auto corner = [&](const unsigned int k,
                                        const unsigned int l) {
                  std::array<unsigned int, 3> grid;
                  grid[d] = side * n[d];
                  grid[a] = i + k;
                  grid[b] = j + l;
                  return vertex(grid);
                };
                const unsigned int v[4] = {corner(0, 0),
                                           corner(1, 0),
                                           corner(1, 1),
                                           corner(0, 1)};
                // The directions a and b are exchanged on the upper side, so
                // that all facets face outward.
                facets.push_back({{v[0], v[2], v[1]}});
                facets.push_back({{v[0], v[3], v[2]}});
              }
        }
    bodies.add(points, facets);
  }



  /** A tetrahedron with its right angle at @p corner. */
  inline void
  add_tetrahedron(Bodies<3> &bodies,
                  const dealii::Point<3> &corner,
                  const double size)
  {
    std::vector<dealii::Point<3>> points(4, corner);
    for (unsigned int d = 0; d < 3; ++d)
      points[d + 1][d] += size;
    bodies.add(points, {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}});
  }
} // namespace Ricochet

#endif
