// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/obstacle/surface_check.h>

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <boost/pending/disjoint_sets.hpp>
#include <cmath>
#include <map>
#include <unordered_map>

#include "shells.h"
#include "surface_mender.h"
#include "touching_solids.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  SurfaceCheck
  SurfaceMender::mend()
  {
    for (unsigned int f = 0; f < facets.size(); ++f)
      if (has_equal_vertices(facets[f]) || long_side(f) != no_side)
        ++check.n_without_area;
    leave_out_points();
    leave_out_repeated();
    leave_out_lines();
    require(!facets.empty(),
            where + ": no triangle has an area. Write the file again.");
    turn_facets();
    pair_sides();
    if (leave_out_backs())
      {
        // What is left may be fronts here and backs there.
        const unsigned int n_turned = check.n_turned;
        turn_facets();
        check.n_turned = n_turned;
        pair_sides();
      }
    separate_solids();
    leave_out_vertices();
    check.shells = find_shells(surface, partner);
    return std::move(check);
  }



  void
  SurfaceMender::turn_facets()
  {
    // Over edges with two sides only; of others, all tell nothing yet.
    std::vector<unsigned int> neighbor(3 * facets.size(), no_side);
    for_each_edge(facets, [&](const std::vector<unsigned int> &sides) {
      if (sides.size() != 2)
        return;
      neighbor[sides[0]] = sides[1];
      neighbor[sides[1]] = sides[0];
    });
    enum Side : char
    {
      unknown,
      kept,
      turned
    };
    std::vector<Side> side_of(facets.size(), unknown);
    std::vector<unsigned int> part;
    for (unsigned int first = 0; first < facets.size(); ++first)
      {
        if (side_of[first] != unknown)
          continue;
        part.assign(1, first);
        side_of[first]                = kept;
        std::array<double, 3> area_of = {{0., 0., 0.}};
        for (std::size_t k = 0; k < part.size(); ++k)
          {
            const unsigned int f = part[k];
            area_of[side_of[f]] += area(f);
            for (unsigned int s = 3 * f; s < 3 * f + 3; ++s)
              {
                if (neighbor[s] == no_side)
                  continue;
                const unsigned int other = neighbor[s] / 3;
                const Side side =
                  are_opposite(s, neighbor[s]) == (side_of[f] == kept) ? kept
                                                                       : turned;
                if (side_of[other] == unknown)
                  part.push_back(other);
                require(side_of[other] == unknown || side_of[other] == side,
                        where +
                          ": the surface has only one side, as a "
                          "Moebius strip has, seen at " +
                          name_of_edge(s) +
                          ". Make it a surface with a front and a back.");
                side_of[other] = side;
              }
          }
        const Side wrong = area_of[turned] > area_of[kept] ? kept : turned;
        for (const unsigned int f : part)
          if (side_of[f] == wrong)
            {
              std::swap(facets[f][1], facets[f][2]);
              ++check.n_turned;
            }
      }
  }



  void
  SurfaceMender::pair_around(const std::vector<unsigned int> &sides)
  {
    const unsigned int low = std::min(vertex(sides[0], 0), vertex(sides[0], 1));
    const unsigned int high =
      std::max(vertex(sides[0], 0), vertex(sides[0], 1));
    const Tensor<1, 3> axis =
      (vertices[high] - vertices[low]) / vertices[high].distance(vertices[low]);
    const auto arm = [&](const unsigned int side) {
      const Tensor<1, 3> r = vertices[vertex(side, 2)] - vertices[low];
      const Tensor<1, 3> n = r - (r * axis) * axis;
      return n / n.norm();
    };
    const Tensor<1, 3> x = arm(sides[0]), y = cross_product_3d(axis, x);
    std::vector<TriangleAtEdge> triangles;
    for (const unsigned int side : sides)
      {
        const Tensor<1, 3> a = arm(side);
        const double angle   = std::atan2(a * y, a * x);
        // From low to high, the normal is where angles are larger.
        triangles.push_back(
          {angle < 0. ? angle + 2. * dealii::numbers::PI : angle,
           vertex(side, 0) == high});
      }
    const auto pairs = pairs_around_solids(triangles);
    require(pairs.has_value(),
            where + ": " + std::to_string(sides.size()) +
              " triangles meet at " + name_of_edge(sides[0]) +
              " and do not bound solids that touch there. Remove those that "
              "are inside of a solid or face the wrong way.");
    for (const auto &[a, b] : *pairs)
      {
        partner[sides[a]] = sides[b];
        partner[sides[b]] = sides[a];
      }
  }



  void
  SurfaceMender::pair_sides()
  {
    partner.assign(3 * facets.size(), no_side);
    for_each_edge(facets, [this](const std::vector<unsigned int> &sides) {
      if (sides.size() > 2)
        pair_around(sides);
      else if (sides.size() == 2)
        {
          partner[sides[0]] = sides[1];
          partner[sides[1]] = sides[0];
        }
    });
  }



  bool
  SurfaceMender::leave_out_backs()
  {
    // Those of another solid, which only touches, stay.
    boost::disjoint_sets_with_storage<> shells(facets.size());
    for (unsigned int side = 0; side < partner.size(); ++side)
      if (partner[side] != no_side)
        shells.union_set(side / 3, partner[side] / 3);
    std::map<Facet, unsigned int> sorted;
    for (unsigned int f = 0; f < facets.size(); ++f)
      {
        Facet facet = facets[f];
        std::sort(facet.begin(), facet.end());
        const auto [front, is_new] = sorted.emplace(facet, f);
        if (!is_new && shells.find_set(front->second) == shells.find_set(f))
          {
            facets[f].fill(0);
            ++check.n_backs;
          }
      }
    leave_out_points();
    return check.n_backs > 0;
  }



  void
  SurfaceMender::separate_solids()
  {
    // A corner of a facet has the number of the side that starts there.
    boost::disjoint_sets_with_storage<> corners(partner.size());
    const auto end_of = [](const unsigned int side) {
      return 3 * (side / 3) + (side + 1) % 3;
    };
    for (unsigned int side = 0; side < partner.size(); ++side)
      if (partner[side] != no_side)
        {
          corners.union_set(side, end_of(partner[side]));
          corners.union_set(end_of(side), partner[side]);
        }
    // The first of the fans around a vertex keeps it.
    std::map<std::size_t, unsigned int> vertex_of_fan;
    std::vector<char> is_taken(vertices.size(), 0);
    for (unsigned int corner = 0; corner < partner.size(); ++corner)
      {
        unsigned int &v = facets[corner / 3][corner % 3];
        const auto [fan, is_new] =
          vertex_of_fan.emplace(corners.find_set(corner), v);
        if (is_new && is_taken[v])
          {
            fan->second = vertices.size();
            vertices.push_back(Point<3>(vertices[v]));
            is_taken.push_back(1);
          }
        is_taken[v] = 1;
        v           = fan->second;
      }
    for_each_edge(facets, [this](const std::vector<unsigned int> &sides) {
      require(sides.size() <= 2,
              where + ": a solid touches itself along " +
                name_of_edge(sides[0]) +
                " alone. Leave a gap there, or join the parts by more than "
                "an edge.");
    });
  }



  ObstacleSurface<3>
  join_vertices(const std::vector<std::array<Point<3>, 3>> &triangles)
  {
    using Key       = std::array<double, 3>;
    const auto hash = [](const Key &key) {
      return boost::hash_range(key.begin(), key.end());
    };
    std::unordered_map<Key, unsigned int, decltype(hash)> numbers(
      triangles.size() / 2 + 1,
      hash);
    ObstacleSurface<3> result;
    for (const auto &triangle : triangles)
      {
        Facet facet{};
        for (unsigned int i = 0; i < 3; ++i)
          {
            // The sum makes -0 a 0, which has another hash.
            const Key key{
              {triangle[i][0] + 0., triangle[i][1] + 0., triangle[i][2] + 0.}};
            const auto [entry, is_new] =
              numbers.emplace(key, result.vertices.size());
            if (is_new)
              result.vertices.push_back(triangle[i]);
            facet[i] = entry->second;
          }
        result.facets.push_back(facet);
      }
    return result;
  }



  SurfaceCheck
  mend_surface(ObstacleSurface<3> &surface, const std::string &where)
  {
    return SurfaceMender(surface, where).mend();
  }



  void
  add_backs(ObstacleSurface<3> &surface, const SurfaceCheck &check)
  {
    for (const Shell &shell : check.shells)
      {
        if (shell.is_closed())
          continue;
        std::map<unsigned int, unsigned int> back_of; // of vertices
        for (const unsigned int f : shell.facets)
          {
            Facet facet = surface.facets[f];
            std::swap(facet[1], facet[2]);
            for (unsigned int &v : facet)
              {
                const auto [entry, is_new] =
                  back_of.emplace(v, surface.vertices.size());
                if (is_new)
                  surface.vertices.push_back(Point<3>(surface.vertices[v]));
                v = entry->second;
              }
            surface.facets.push_back(facet);
          }
      }
  }
} // namespace Ricochet
