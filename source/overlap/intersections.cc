// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/geometry/feature_normals.h>
#include <ricochet/geometry/piercing.h>
#include <ricochet/overlap/intersections.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/tensor.h>
#include <deal.II/boost_adaptors/bounding_box.h>
#include <deal.II/boost_adaptors/point.h>
#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "body_surface.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    double
    cross(const Tensor<1, 2> &a, const Tensor<1, 2> &b)
    {
      return a[0] * b[1] - a[1] * b[0];
    }



    /** Where segments cross by more than @p depth at both. */
    std::optional<Point<2>>
    crossing(const std::array<Point<2>, 2> &a,
             const std::array<Point<2>, 2> &b,
             const double depth)
    {
      const auto distances = [](const std::array<Point<2>, 2> &line,
                                const std::array<Point<2>, 2> &points) {
        const Tensor<1, 2> t = line[1] - line[0];
        const double length  = t.norm();
        return std::make_pair(cross(t, points[0] - line[0]) / length,
                              cross(t, points[1] - line[0]) / length);
      };
      const auto separates = [depth](const std::pair<double, double> &d) {
        return std::min(d.first, d.second) < -depth &&
               std::max(d.first, d.second) > depth;
      };
      const auto d = distances(a, b);
      if (!separates(d) || !separates(distances(b, a)))
        return {};
      return b[0] + d.first / (d.first - d.second) * (b[1] - b[0]);
    }



    std::optional<Point<3>>
    crossing(const std::array<Point<3>, 3> &a,
             const std::array<Point<3>, 3> &b,
             const double depth)
    {
      Tensor<1, 3> sum;
      unsigned int n = 0;
      const auto add = [&](const std::optional<Point<3>> &point) {
        if (point)
          {
            sum += *point;
            ++n;
          }
      };
      for (unsigned int i = 0; i < 3; ++i)
        {
          const unsigned int j = (i + 1) % 3;
          add(place_of_piercing(a[i], a[j], b, facet_normal<3>(b), depth));
          add(place_of_piercing(b[i], b[j], a, facet_normal<3>(a), depth));
        }
      if (n == 0)
        return {};
      return Point<3>(sum / n);
    }
  } // namespace



  template <int dim>
  double
  zero_length(const Surface<dim> &surface,
              const unsigned int facet_a,
              const unsigned int facet_b,
              const Point<dim> &x,
              const double tolerance)
  {
    constexpr double round_off = 16. * std::numeric_limits<double>::epsilon();
    double largest             = 0.;
    for (unsigned int d = 0; d < dim; ++d)
      largest = std::max(largest, std::abs(x[d]));
    return tolerance * std::min(surface.facet_length[facet_a],
                                surface.facet_length[facet_b]) +
           round_off * largest;
  }



  template <int dim>
  std::optional<Point<dim>>
  place_of_crossing(const Surface<dim> &surface,
                    const std::vector<Point<dim>> &positions,
                    const unsigned int a,
                    const unsigned int b,
                    const double tolerance)
  {
    const auto x = facet_corners(surface, positions, a);
    return crossing(x,
                    facet_corners(surface, positions, b),
                    zero_length(surface, a, b, x[0], tolerance));
  }



  template <int dim>
  std::vector<std::array<unsigned int, 2>>
  intersecting_facets(const Surface<dim> &surface,
                      const std::vector<Point<dim>> &positions,
                      const double tolerance)
  {
    return facets_intersecting(surface,
                               positions,
                               std::vector<char>(surface.n_facets(), 1),
                               tolerance);
  }



  template <int dim>
  std::vector<std::array<unsigned int, 2>>
  facets_intersecting(const Surface<dim> &surface,
                      const std::vector<Point<dim>> &positions,
                      const std::vector<char> &is_wanted,
                      const double tolerance)
  {
    std::vector<std::pair<dealii::BoundingBox<dim>, unsigned int>> boxes;
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      if (is_wanted[f])
        boxes.emplace_back(facet_box(surface, positions, f), f);
    const auto tree = dealii::pack_rtree(boxes);

    std::vector<std::array<unsigned int, 2>> pairs;
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      for (const auto &other : tree | boost::geometry::index::adaptors::queried(
                                        boost::geometry::index::intersects(
                                          facet_box(surface, positions, f))))
        {
          const unsigned int a = std::min(f, other.second),
                             b = std::max(f, other.second);
          // Pairs of two that are wanted are found twice.
          if ((a == f || !is_wanted[f]) &&
              surface.facet_body[a] != surface.facet_body[b] &&
              place_of_crossing(surface, positions, a, b, tolerance))
            pairs.push_back({{a, b}});
        }
    return pairs;
  }



#define RICOCHET_INSTANTIATE(dim)                                        \
  template std::vector<std::array<unsigned int, 2>> intersecting_facets( \
    const Surface<dim> &,                                                \
    const std::vector<Point<dim>> &,                                     \
    const double);                                                       \
  template std::vector<std::array<unsigned int, 2>> facets_intersecting( \
    const Surface<dim> &,                                                \
    const std::vector<Point<dim>> &,                                     \
    const std::vector<char> &,                                           \
    const double);                                                       \
  template std::optional<Point<dim>> place_of_crossing(                  \
    const Surface<dim> &,                                                \
    const std::vector<Point<dim>> &,                                     \
    const unsigned int,                                                  \
    const unsigned int,                                                  \
    const double);                                                       \
  template double zero_length(const Surface<dim> &,                      \
                              const unsigned int,                        \
                              const unsigned int,                        \
                              const Point<dim> &,                        \
                              const double);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
