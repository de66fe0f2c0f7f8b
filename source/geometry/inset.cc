// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/geometry/feature_normals.h>
#include <ricochet/geometry/inset.h>

#include <algorithm>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Projections onto the half-space behind each facet: one round is enough
     * at the corner of a box, and acute ones need a few. */
    constexpr unsigned int n_rounds = 20;
  } // namespace



  template <int dim>
  std::vector<Point<dim>>
  inset(const std::vector<Point<dim>> &vertices,
        const std::vector<std::array<unsigned int, dim>> &facets,
        const double distance)
  {
    std::vector<std::vector<Tensor<1, dim>>> normals(vertices.size());
    for (const auto &facet : facets)
      {
        std::array<Point<dim>, dim> corners;
        for (unsigned int i = 0; i < dim; ++i)
          corners[i] = vertices[facet[i]];
        for (const unsigned int vertex : facet)
          normals[vertex].push_back(facet_normal<dim>(corners));
      }
    std::vector<Point<dim>> result = vertices;
    for (unsigned int v = 0; v < vertices.size(); ++v)
      {
        Tensor<1, dim> way; // in units of the distance
        for (unsigned int round = 0; round < n_rounds; ++round)
          for (const Tensor<1, dim> &n : normals[v])
            way -= std::max(0., n * way + 1.) * n;
        result[v] += distance * way;
      }
    return result;
  }



  template std::vector<Point<2>>
  inset<2>(const std::vector<Point<2>> &,
           const std::vector<std::array<unsigned int, 2>> &,
           const double);
  template std::vector<Point<3>>
  inset<3>(const std::vector<Point<3>> &,
           const std::vector<std::array<unsigned int, 3>> &,
           const double);
} // namespace Ricochet
