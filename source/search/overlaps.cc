// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/closest_points.h>
#include <ricochet/search/intersections.h>
#include <ricochet/search/overlaps.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/numbers.h>
#include <deal.II/base/tensor.h>
#include <deal.II/boost_adaptors/bounding_box.h>
#include <deal.II/boost_adaptors/point.h>
#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "feature_normals.h"

namespace Ricochet
{
  using dealii::BoundingBox;
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    namespace bgi = boost::geometry::index;

    constexpr double tolerance = 1e-9;

    /** How far below its surface a body is certainly filled, relative to the
     * local edge length; far above the tolerance, far below any thickness. */
    constexpr double skin = 1e-6;

    template <int dim>
    using Positions = std::vector<Point<dim>>;

    template <int dim>
    using Corners = std::array<Point<dim>, dim>;



    template <int dim>
    BoundingBox<dim>
    box_of(const Corners<dim> &x)
    {
      return BoundingBox<dim>(Positions<dim>(x.begin(), x.end()));
    }



    /** Directions along which two crossing facets may be taken apart. */
    std::vector<Tensor<1, 2>>
    separating_axes(const Corners<2> &a, const Corners<2> &b)
    {
      return {facet_normal<2>(a), facet_normal<2>(b)};
    }



    std::vector<Tensor<1, 3>>
    separating_axes(const Corners<3> &a, const Corners<3> &b)
    {
      std::vector<Tensor<1, 3>> axes = {facet_normal<3>(a), facet_normal<3>(b)};
      for (unsigned int i = 0; i < 3; ++i)
        for (unsigned int j = 0; j < 3; ++j)
          {
            const Tensor<1, 3> e_a = a[(i + 1) % 3] - a[i];
            const Tensor<1, 3> e_b = b[(j + 1) % 3] - b[j];
            const Tensor<1, 3> n   = cross_product_3d(e_a, e_b);
            if (n.norm() > parallel_sine * e_a.norm() * e_b.norm())
              axes.push_back(n / n.norm());
          }
      return axes;
    }



    /** The shortest translation that takes one facet off the other. */
    template <int dim>
    double
    depth_of_crossing(const Corners<dim> &a, const Corners<dim> &b)
    {
      double depth = std::numeric_limits<double>::infinity();
      for (const Tensor<1, dim> &axis : separating_axes(a, b))
        {
          const auto extent = [&](const Corners<dim> &x) {
            std::array<double, dim> values;
            for (unsigned int i = 0; i < dim; ++i)
              values[i] = axis * (x[i] - a[0]);
            const auto ends = std::minmax_element(values.begin(), values.end());
            return std::make_pair(*ends.first, *ends.second);
          };
          const auto of_a = extent(a), of_b = extent(b);
          depth = std::min(
            {depth, of_a.second - of_b.first, of_b.second - of_a.first});
        }
      return depth;
    }



    /** The angle of a facet at a point with these weights on it. */
    double
    angle_at(const Corners<2> &, const ClosestPointOnFacet<2> &at)
    {
      return at.is_inside ? 2. : 1.;
    }



    double
    angle_at(const Corners<3> &x, const ClosestPointOnFacet<3> &at)
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



    /** The surface of one body in one configuration. */
    template <int dim>
    class BodySurface
    {
    public:
      BodySurface(const Surface<dim> &surface,
                  const Positions<dim> &positions,
                  const std::vector<unsigned int> &facets,
                  const bool is_closed)
        : surface(surface)
        , positions(positions)
        , is_closed(is_closed)
      {
        std::vector<Entry> entries;
        for (const unsigned int f : facets)
          entries.emplace_back(box_of<dim>(
                                 facet_corners(surface, positions, f)),
                               f);
        tree = dealii::pack_rtree(entries);
      }

      /** Its facets whose boxes overlap a box. */
      std::vector<unsigned int>
      facets_in(const BoundingBox<dim> &box) const
      {
        std::vector<unsigned int> result;
        for (const Entry &entry :
             tree | bgi::adaptors::queried(bgi::intersects(box)))
          result.push_back(entry.second);
        std::sort(result.begin(), result.end());
        return result;
      }

      struct Inside
      {
        /** The closest facet. */
        unsigned int facet;
        double depth;
      };

      /** Whether @p p, a point of @p facet, is strictly inside. */
      std::optional<Inside>
      find_inside(const Point<dim> &p, const unsigned int facet) const;

    private:
      using Entry = std::pair<BoundingBox<dim>, unsigned int>;

      const Surface<dim> &surface;
      const Positions<dim> &positions;
      const bool is_closed;
      dealii::RTree<Entry> tree;
    };



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
      for (auto entry = tree.qbegin(bgi::nearest(p, tree.size()));
           entry != tree.qend();
           ++entry)
        {
          const unsigned int f = entry->second;
          const double zero    = zero_length(surface, facet, f, p, tolerance);
          if (boost::geometry::distance(p, entry->first) > closest.depth + zero)
            break;
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



    /** Everything for one configuration. */
    template <int dim>
    class Finder
    {
    public:
      Finder(const Surface<dim> &surface,
             const Positions<dim> &positions,
             const SearchSettings &settings);

      std::vector<Overlap<dim>>
      find();

    private:
      std::vector<BodyPair>
      close_bodies() const;

      const BodySurface<dim> &
      body(const unsigned int b);

      void
      add_crossings(const BodyPair &bodies);

      /** Points of one of the bodies in the other. */
      void
      add_points(const BodyPair &bodies, const OverlapKind kind);

      const Surface<dim> &surface;
      const Positions<dim> &positions;
      const SearchSettings &settings;
      std::vector<std::vector<unsigned int>> facets; // of each body
      std::vector<BoundingBox<dim>> boxes;           // of each body
      std::vector<char> is_closed;
      std::map<unsigned int, BodySurface<dim>> surfaces;
      std::vector<Overlap<dim>> overlaps;
    };



    template <int dim>
    Finder<dim>::Finder(const Surface<dim> &surface,
                        const Positions<dim> &positions,
                        const SearchSettings &settings)
      : surface(surface)
      , positions(positions)
      , settings(settings)
      , facets(surface.n_bodies)
      , boxes(surface.n_bodies)
      , is_closed(surface.n_bodies, 1)
    {
      std::vector<unsigned int> n_facets(surface.n_vertices(), 0);
      for (unsigned int f = 0; f < surface.n_facets(); ++f)
        {
          const unsigned int b = surface.facet_body[f];
          const auto box = box_of<dim>(facet_corners(surface, positions, f));
          if (facets[b].empty())
            boxes[b] = box;
          else
            boxes[b].merge_with(box);
          facets[b].push_back(f);
          for (const unsigned int v : surface.facets[f])
            ++n_facets[v];
        }
      if (dim == 2)
        for (unsigned int v = 0; v < surface.n_vertices(); ++v)
          if (n_facets[v] == 1)
            is_closed[surface.vertex_body[v]] = 0;
      for (unsigned int e = 0; e < surface.n_edges(); ++e)
        if (surface.edge_facets[e][1] == Surface<dim>::none)
          is_closed[surface.edge_body(e)] = 0;
    }



    template <int dim>
    std::vector<BodyPair>
    Finder<dim>::close_bodies() const
    {
      std::vector<std::pair<BoundingBox<dim>, unsigned int>> entries;
      for (unsigned int b = 0; b < surface.n_bodies; ++b)
        if (!facets[b].empty())
          entries.emplace_back(boxes[b], b);
      const auto tree = dealii::pack_rtree(entries);

      std::vector<BodyPair> pairs;
      for (const auto &entry : entries)
        for (const auto &other :
             tree | bgi::adaptors::queried(bgi::intersects(entry.first)))
          {
            const unsigned int a = entry.second, b = other.second;
            if ((a < b || (a == b && settings.self_contact)) &&
                settings.may_touch(a, b, surface.n_bodies))
              pairs.push_back({{a, b}});
          }
      std::sort(pairs.begin(), pairs.end());
      return pairs;
    }



    template <int dim>
    const BodySurface<dim> &
    Finder<dim>::body(const unsigned int b)
    {
      auto found = surfaces.find(b);
      if (found == surfaces.end())
        found = surfaces
                  .emplace(std::piecewise_construct,
                           std::forward_as_tuple(b),
                           std::forward_as_tuple(surface,
                                                 positions,
                                                 facets[b],
                                                 is_closed[b] != 0))
                  .first;
      return found->second;
    }



    template <int dim>
    void
    Finder<dim>::add_crossings(const BodyPair &bodies)
    {
      const auto share_vertex = [this](const unsigned int a,
                                       const unsigned int b) {
        const auto &x = surface.facets[a], &y = surface.facets[b];
        return std::find_first_of(x.begin(), x.end(), y.begin(), y.end()) !=
               x.end();
      };
      for (const unsigned int a : body(bodies[0]).facets_in(boxes[bodies[1]]))
        {
          const auto x = facet_corners(surface, positions, a);
          for (const unsigned int b : body(bodies[1]).facets_in(box_of<dim>(x)))
            {
              if (bodies[0] == bodies[1] && (b <= a || share_vertex(a, b)))
                continue;
              const auto place =
                place_of_crossing(surface, positions, a, b, tolerance);
              if (place)
                overlaps.push_back({bodies,
                                    OverlapKind::crossing,
                                    {{a, b}},
                                    *place,
                                    depth_of_crossing<dim>(
                                      x,
                                      facet_corners(surface, positions, b))});
            }
        }
    }



    template <int dim>
    void
    Finder<dim>::add_points(const BodyPair &bodies, const OverlapKind kind)
    {
      const bool first_inside   = kind == OverlapKind::first_inside;
      const BodySurface<dim> &a = body(bodies[first_inside ? 0 : 1]);
      const BodySurface<dim> &b = body(bodies[first_inside ? 1 : 0]);
      const auto is_inside      = [&](const Point<dim> &p,
                                 const unsigned int facet) {
        const auto inside = b.find_inside(p, facet);
        if (inside)
          overlaps.push_back({bodies,
                              kind,
                              first_inside ? BodyPair{{facet, inside->facet}}
                                                : BodyPair{{inside->facet, facet}},
                              p,
                              inside->depth});
        return inside.has_value();
      };

      std::set<unsigned int> vertices;
      for (const unsigned int f :
           a.facets_in(boxes[bodies[first_inside ? 1 : 0]]))
        {
          const auto x = facet_corners(surface, positions, f);
          Tensor<1, dim> middle;
          for (unsigned int i = 0; i < dim; ++i)
            {
              if (vertices.insert(surface.facets[f][i]).second)
                is_inside(x[i], f);
              // Each edge of a closed surface once.
              const unsigned int j = (i + 1) % dim;
              if (dim == 3 && surface.facets[f][i] < surface.facets[f][j])
                is_inside(x[i] + 0.5 * (x[j] - x[i]), f);
              middle += (x[i] - x[0]) / dim;
            }
          const Point<dim> centre = x[0] + middle;
          if (!is_inside(centre, f))
            is_inside(centre -
                        skin * surface.facet_length[f] * facet_normal<dim>(x),
                      f);
        }
    }



    template <int dim>
    std::vector<Overlap<dim>>
    Finder<dim>::find()
    {
      for (const BodyPair &bodies : close_bodies())
        {
          add_crossings(bodies);
          if (bodies[0] != bodies[1])
            {
              add_points(bodies, OverlapKind::first_inside);
              add_points(bodies, OverlapKind::second_inside);
            }
        }
      return overlaps;
    }
  } // namespace



  template <int dim>
  std::vector<Overlap<dim>>
  find_overlaps(const Surface<dim> &surface,
                const std::vector<Point<dim>> &positions,
                const SearchSettings &settings)
  {
    return Finder<dim>(surface, positions, settings).find();
  }



  template <int dim>
  std::vector<BodyPair>
  overlapping_bodies(const std::vector<Overlap<dim>> &overlaps)
  {
    std::set<BodyPair> pairs;
    for (const Overlap<dim> &overlap : overlaps)
      pairs.insert(overlap.bodies);
    return {pairs.begin(), pairs.end()};
  }



#define RICOCHET_INSTANTIATE(dim)                    \
  template std::vector<Overlap<dim>> find_overlaps(  \
    const Surface<dim> &,                            \
    const std::vector<Point<dim>> &,                 \
    const SearchSettings &);                         \
  template std::vector<BodyPair> overlapping_bodies( \
    const std::vector<Overlap<dim>> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
