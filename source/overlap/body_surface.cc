// SPDX-License-Identifier: LGPL-2.1-or-later

#include "body_surface.h"

#include <ricochet/geometry/feature_normals.h>
#include <ricochet/overlap/intersections.h>
#include <ricochet/search/closest_points.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/tensor.h>
#include <deal.II/boost_adaptors/bounding_box.h>
#include <deal.II/boost_adaptors/point.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace Ricochet
{
  using dealii::BoundingBox;
  using dealii::Point;
  using dealii::Tensor;

  namespace bgi = boost::geometry::index;

  namespace
  {
    /** The angle of a facet at a point with these weights on it. */
    double
    angle_at(const std::array<Point<2>, 2> &, const ClosestPointOnFacet<2> &at)
    {
      return at.is_inside ? 2. : 1.;
    }



    double
    angle_at(const std::array<Point<3>, 3> &x, const ClosestPointOnFacet<3> &at)
    {
      if (at.n_supports > 1)
        return (at.n_supports - 1) * dealii::numbers::PI;
      const unsigned int i =
        std::max_element(at.weights.begin(), at.weights.end()) -
        at.weights.begin();
      const Tensor<1, 3> e_1 = x[(i + 1) % 3] - x[i];
      const Tensor<1, 3> e_2 = x[(i + 2) % 3] - x[i];
      return std::atan2(cross_product_3d(e_1, e_2).norm(), e_1 * e_2);
    }
  } // namespace



  template <int dim>
  BoundingBox<dim>
  facet_box(const Surface<dim> &surface,
            const std::vector<Point<dim>> &positions,
            const unsigned int facet)
  {
    const auto x = facet_corners(surface, positions, facet);
    return BoundingBox<dim>(std::vector<Point<dim>>(x.begin(), x.end()));
  }



  template <int dim>
  BodySurface<dim>::BodySurface(const Surface<dim> &surface,
                                const std::vector<Point<dim>> &positions,
                                const std::vector<unsigned int> &facets,
                                const bool is_closed,
                                const double tolerance)
    : surface(surface)
    , positions(positions)
    , is_closed(is_closed)
    , tolerance(tolerance)
  {
    std::vector<Entry> entries;
    for (const unsigned int f : facets)
      entries.emplace_back(facet_box(surface, positions, f), f);
    tree = dealii::pack_rtree(entries);
  }



  template <int dim>
  std::vector<unsigned int>
  BodySurface<dim>::facets_in(const BoundingBox<dim> &box) const
  {
    std::vector<unsigned int> result;
    for (const Entry &entry :
         tree | bgi::adaptors::queried(bgi::intersects(box)))
      result.push_back(entry.second);
    std::sort(result.begin(), result.end());
    return result;
  }



  template <int dim>
  bool
  BodySurface<dim>::has_facets_in(const BoundingBox<dim> &box) const
  {
    return tree.qbegin(bgi::intersects(box)) != tree.qend();
  }



  template <int dim>
  std::vector<unsigned int>
  BodySurface<dim>::closest_facets(const Point<dim> &p) const
  {
    constexpr std::size_t first_number = 16, factor = 8;
    std::vector<Entry> entries;
    std::vector<unsigned int> result;
    for (std::size_t n = first_number;; n *= factor)
      {
        entries.clear();
        result.clear();
        tree.query(bgi::nearest(p, n), std::back_inserter(entries));
        double closest = std::numeric_limits<double>::infinity(), reach = 0.;
        double zero = 0.;
        for (const auto &[box, f] : entries)
          {
            const auto x = facet_corners(surface, positions, f);
            const double length =
              std::sqrt(closest_point_on_facet(p, x).distance_square);
            if (length < closest)
              {
                closest = length;
                zero    = zero_length(surface, f, f, p, tolerance);
              }
            reach = std::max<double>(reach, boost::geometry::distance(p, box));
            result.push_back(f);
          }
        // All other boxes are further away than the furthest of these.
        if (entries.size() < n || reach > closest + zero)
          {
            std::sort(result.begin(), result.end());
            return result;
          }
      }
  }


  template <int dim>
  std::optional<typename BodySurface<dim>::Inside>
  BodySurface<dim>::find_inside(const Point<dim> &p,
                                const unsigned int facet) const
  {
    if (!is_closed || !boost::geometry::intersects(p, tree.bounds()))
      return {};

    // All facets that share the closest point add to its normal.
    Inside closest{0, std::numeric_limits<double>::infinity()};
    Tensor<1, dim> h, normal;
    for (const unsigned int f : closest_facets(p))
      {
        const double zero   = zero_length(surface, facet, f, p, tolerance);
        const auto x        = facet_corners(surface, positions, f);
        const auto at       = closest_point_on_facet(p, x);
        const double length = std::sqrt(at.distance_square);
        if (length > closest.depth + zero)
          continue;
        Tensor<1, dim> from_facet = p - x[0];
        for (unsigned int i = 1; i < dim; ++i)
          from_facet -= at.weights[i] * (x[i] - x[0]);
        if ((from_facet - h).norm() > zero)
          {
            if (length >= closest.depth)
              continue; // another place, as far away
            normal = 0.;
          }
        if (length < closest.depth)
          {
            closest = {f, length};
            h       = from_facet;
          }
        normal += angle_at(x, at) * facet_normal<dim>(x);
      }
    if (closest.depth <=
          zero_length(surface, facet, closest.facet, p, tolerance) ||
        h * normal >= 0.)
      return {};
    return closest;
  }



#define RICOCHET_INSTANTIATE(dim)                                      \
  template BoundingBox<dim> facet_box(const Surface<dim> &,            \
                                      const std::vector<Point<dim>> &, \
                                      const unsigned int);             \
  template class BodySurface<dim>;

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
