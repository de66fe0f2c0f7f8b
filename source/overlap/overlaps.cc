// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/geometry/feature_normals.h>
#include <ricochet/overlap/intersections.h>
#include <ricochet/overlap/overlaps.h>
#include <ricochet/surface/connected_bodies.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/tensor.h>
#include <deal.II/boost_adaptors/bounding_box.h>
#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "body_surface.h"

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

    /** Facets with more room than this around them, relative to the local edge
     * length, stay clear of a surface; far above the tolerance, too. */
    constexpr double clear_distance = 0.01;

    template <int dim>
    using Positions = std::vector<Point<dim>>;

    template <int dim>
    using Corners = std::array<Point<dim>, dim>;



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

      /** That of a body with all that it is connected to, which together have
       * an inside: a rigid region and its host. */
      const BodySurface<dim> &
      whole(const unsigned int b);

      /** Find which bodies are connected, and which wholes are closed. */
      void
      find_wholes();

      void
      add_crossings(const BodyPair &bodies);

      /**
       * Those of some facets of another body that may have points in this one.
       * Of a connected part of a surface that stays clear of this one, one
       * point tells whether all are inside.
       */
      std::vector<unsigned int>
      facets_that_enter(const BodySurface<dim> &body,
                        const std::vector<unsigned int> &facets) const;

      /** Points of one of the bodies in the other. */
      void
      add_points(const BodyPair &bodies, const OverlapKind kind);

      const Surface<dim> &surface;
      const Positions<dim> &positions;
      const SearchSettings &settings;
      std::vector<std::vector<unsigned int>> facets; // of each body
      std::vector<BoundingBox<dim>> boxes;           // of each body
      std::vector<unsigned int> whole_of_body;       // a body of it
      std::vector<unsigned int> n_bodies_of_whole;   // by that body
      std::vector<char> is_closed;                   // of the whole
      std::map<unsigned int, BodySurface<dim>> surfaces, wholes;
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
      for (unsigned int f = 0; f < surface.n_facets(); ++f)
        {
          const unsigned int b = surface.facet_body[f];
          const auto box       = facet_box(surface, positions, f);
          if (facets[b].empty())
            boxes[b] = box;
          else
            boxes[b].merge_with(box);
          facets[b].push_back(f);
        }
      find_wholes();
    }



    template <int dim>
    void
    Finder<dim>::find_wholes()
    {
      whole_of_body = connected_bodies(surface);
      n_bodies_of_whole.assign(surface.n_bodies, 0);
      for (const unsigned int whole : whole_of_body)
        ++n_bodies_of_whole[whole];
      std::vector<unsigned int> n_facets(surface.n_vertices(), 0);
      for (const auto &facet : surface.facets)
        for (const unsigned int v : facet)
          ++n_facets[v];
      if (dim == 2)
        for (unsigned int v = 0; v < surface.n_vertices(); ++v)
          if (n_facets[v] == 1)
            is_closed[whole_of_body[surface.vertex_body[v]]] = 0;
      for (unsigned int e = 0; e < surface.n_edges(); ++e)
        if (surface.edge_facets[e][1] == Surface<dim>::none)
          is_closed[whole_of_body[surface.edge_body(e)]] = 0;
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
        found =
          surfaces
            .emplace(std::piecewise_construct,
                     std::forward_as_tuple(b),
                     std::forward_as_tuple(surface,
                                           positions,
                                           facets[b],
                                           is_closed[whole_of_body[b]] != 0,
                                           tolerance))
            .first;
      return found->second;
    }



    template <int dim>
    const BodySurface<dim> &
    Finder<dim>::whole(const unsigned int b)
    {
      const unsigned int number = whole_of_body[b];
      if (n_bodies_of_whole[number] == 1)
        return body(b);
      auto found = wholes.find(number);
      if (found != wholes.end())
        return found->second;
      std::vector<unsigned int> all;
      for (unsigned int other = 0; other < surface.n_bodies; ++other)
        if (whole_of_body[other] == number)
          all.insert(all.end(), facets[other].begin(), facets[other].end());
      return wholes
        .emplace(std::piecewise_construct,
                 std::forward_as_tuple(number),
                 std::forward_as_tuple(surface,
                                       positions,
                                       all,
                                       is_closed[number] != 0,
                                       tolerance))
        .first->second;
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
          for (const unsigned int b :
               body(bodies[1]).facets_in(facet_box(surface, positions, a)))
            {
              if ((bodies[0] == bodies[1] && b <= a) || share_vertex(a, b))
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
    std::vector<unsigned int>
    Finder<dim>::facets_that_enter(
      const BodySurface<dim> &body,
      const std::vector<unsigned int> &facets) const
    {
      std::vector<unsigned int> result, clear;
      std::map<unsigned int, unsigned int> numbers; // of vertices
      for (const unsigned int f : facets)
        {
          auto box = facet_box(surface, positions, f);
          box.extend(clear_distance * surface.facet_length[f]);
          const bool is_close = body.has_facets_in(box);
          (is_close ? result : clear).push_back(f);
          if (!is_close)
            for (const unsigned int v : surface.facets[f])
              numbers.emplace(v, numbers.size());
        }

      boost::disjoint_sets_with_storage<> parts(numbers.size());
      for (const unsigned int f : clear)
        for (const unsigned int v : surface.facets[f])
          parts.union_set(numbers[surface.facets[f][0]], numbers[v]);
      std::map<unsigned int, bool> is_inside; // of each part
      for (const unsigned int f : clear)
        {
          const unsigned int v = surface.facets[f][0];
          const auto [part, is_new] =
            is_inside.emplace(parts.find_set(numbers[v]), false);
          if (is_new)
            part->second = body.find_inside(positions[v], f).has_value();
          if (part->second)
            result.push_back(f);
        }
      std::sort(result.begin(), result.end());
      return result;
    }



    template <int dim>
    void
    Finder<dim>::add_points(const BodyPair &bodies, const OverlapKind kind)
    {
      const bool first_inside   = kind == OverlapKind::first_inside;
      const BodySurface<dim> &a = body(bodies[first_inside ? 0 : 1]);
      const unsigned int other  = bodies[first_inside ? 1 : 0];
      const BodySurface<dim> &b = whole(other);
      const auto is_inside      = [&](const Point<dim> &p,
                                 const unsigned int facet) {
        auto inside = b.find_inside(p, facet);
        // Another body of the same whole has the others.
        if (inside && surface.facet_body[inside->facet] != other)
          inside.reset();
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
           facets_that_enter(b,
                             a.facets_in(boxes[bodies[first_inside ? 1 : 0]])))
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
          if (whole_of_body[bodies[0]] != whole_of_body[bodies[1]])
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
