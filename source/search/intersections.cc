// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/intersections.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/tensor.h>
#include <deal.II/boost_adaptors/bounding_box.h>
#include <deal.II/boost_adaptors/point.h>
#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <cmath>

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



    /** Whether segments cross by more than @p depth at both. */
    bool
    intersect(const std::array<Point<2>, 2> &a,
              const std::array<Point<2>, 2> &b,
              const double depth)
    {
      const auto separates = [depth](const std::array<Point<2>, 2> &line,
                                     const std::array<Point<2>, 2> &points) {
        const Tensor<1, 2> t = line[1] - line[0];
        const double length  = t.norm();
        const double d_0     = cross(t, points[0] - line[0]) / length;
        const double d_1     = cross(t, points[1] - line[0]) / length;
        return std::min(d_0, d_1) < -depth && std::max(d_0, d_1) > depth;
      };
      return separates(a, b) && separates(b, a);
    }



    /** Whether the segment from p to q goes through the triangle by more than
     *  @p depth on all sides. */
    bool
    pierces(const Point<3> &p,
            const Point<3> &q,
            const std::array<Point<3>, 3> &x,
            const double depth)
    {
      Tensor<1, 3> n = cross_product_3d(x[1] - x[0], x[2] - x[0]);
      n /= n.norm();
      const double d_p = n * (p - x[0]), d_q = n * (q - x[0]);
      if (std::min(d_p, d_q) >= -depth || std::max(d_p, d_q) <= depth)
        return false;
      const Point<3> at = p + d_p / (d_p - d_q) * (q - p);
      for (unsigned int i = 0; i < 3; ++i)
        {
          const Tensor<1, 3> e = x[(i + 1) % 3] - x[i];
          if (n * cross_product_3d(e, at - x[i]) <= depth * e.norm())
            return false;
        }
      return true;
    }



    bool
    intersect(const std::array<Point<3>, 3> &a,
              const std::array<Point<3>, 3> &b,
              const double depth)
    {
      for (unsigned int i = 0; i < 3; ++i)
        if (pierces(a[i], a[(i + 1) % 3], b, depth) ||
            pierces(b[i], b[(i + 1) % 3], a, depth))
          return true;
      return false;
    }
  } // namespace



  template <int dim>
  std::vector<std::array<unsigned int, 2>>
  intersecting_facets(const Surface<dim> &surface,
                      const std::vector<Point<dim>> &positions,
                      const double tolerance)
  {
    std::vector<std::array<Point<dim>, dim>> corners;
    std::vector<std::pair<dealii::BoundingBox<dim>, unsigned int>> boxes;
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      {
        std::array<Point<dim>, dim> x;
        for (unsigned int i = 0; i < dim; ++i)
          x[i] = positions[surface.facets[f][i]];
        corners.push_back(x);
        boxes.emplace_back(dealii::BoundingBox<dim>(
                             std::vector<Point<dim>>(x.begin(), x.end())),
                           f);
      }
    const auto tree = dealii::pack_rtree(boxes);

    std::vector<std::array<unsigned int, 2>> pairs;
    for (const auto &box : boxes)
      for (const auto &other :
           tree | boost::geometry::index::adaptors::queried(
                    boost::geometry::index::intersects(box.first)))
        {
          const unsigned int a = box.second, b = other.second;
          if (a < b && surface.facet_body[a] != surface.facet_body[b] &&
              intersect(corners[a],
                        corners[b],
                        tolerance * std::min(surface.facet_length[a],
                                             surface.facet_length[b])))
            pairs.push_back({{a, b}});
        }
    return pairs;
  }



  template std::vector<std::array<unsigned int, 2>>
  intersecting_facets(const Surface<2> &,
                      const std::vector<Point<2>> &,
                      const double);
  template std::vector<std::array<unsigned int, 2>>
  intersecting_facets(const Surface<3> &,
                      const std::vector<Point<3>> &,
                      const double);
} // namespace Ricochet
