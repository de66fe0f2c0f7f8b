// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/obstacle/surface_check.h>

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <boost/pending/disjoint_sets.hpp>
#include <cmath>
#include <map>
#include <sstream>
#include <unordered_map>

#include "shells.h"
#include "touching_solids.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** The height of a triangle over its longest side that is as good as none:
     * the round-off of coordinates in single precision. */
    constexpr double round_off = 1e-7;

    using Facet = std::array<unsigned int, 3>;



    bool
    has_equal_vertices(const Facet &facet)
    {
      return facet[0] == facet[1] || facet[1] == facet[2] ||
             facet[2] == facet[0];
    }



    /** Call @p action with the sides of each edge; sides have the numbers of
     * find_shells(). */
    template <typename Action>
    void
    for_each_edge(const std::vector<Facet> &facets, const Action &action)
    {
      std::vector<std::array<unsigned int, 3>> sides;
      for (unsigned int s = 0; s < 3 * facets.size(); ++s)
        {
          const unsigned int a = facets[s / 3][s % 3];
          const unsigned int b = facets[s / 3][(s + 1) % 3];
          sides.push_back({{std::min(a, b), std::max(a, b), s}});
        }
      std::sort(sides.begin(), sides.end());
      std::vector<unsigned int> group;
      for (std::size_t k = 0; k < sides.size(); ++k)
        {
          group.push_back(sides[k][2]);
          if (k + 1 == sides.size() || sides[k + 1][0] != sides[k][0] ||
              sides[k + 1][1] != sides[k][1])
            {
              action(group);
              group.clear();
            }
        }
    }



    /** What mend_surface() does. */
    class Mender
    {
    public:
      Mender(ObstacleSurface<3> &surface, const std::string &where)
        : surface(surface)
        , vertices(surface.vertices)
        , facets(surface.facets)
        , where(where)
      {}

      SurfaceCheck
      mend();

    private:
      void
      leave_out_repeated();

      /** Those with two equal vertices. */
      void
      leave_out_points();

      /** Those with three vertices of a line. */
      void
      leave_out_lines();

      /** The side that the vertices lie along if they are of one line. */
      unsigned int
      long_side(const unsigned int f) const;

      /** Give the place of a line to both halves of the facet at its longest
       * side. */
      void
      cut_neighbor(const unsigned int side_of_line, const unsigned int side);

      void
      turn_facets();

      void
      pair_sides();

      /** The sides of an edge with more than two. */
      void
      pair_around(const std::vector<unsigned int> &sides);

      /** Those of a sheet that has each triangle in both orientations; whether
       * there were any. */
      bool
      leave_out_backs();

      void
      separate_solids();

      void
      leave_out_vertices();

      double
      area(const unsigned int f) const
      {
        const Point<3> &x = vertices[facets[f][0]];
        return 0.5 * cross_product_3d(vertices[facets[f][1]] - x,
                                      vertices[facets[f][2]] - x)
                       .norm();
      }

      /** The vertex of a side: 0 its start, 1 its end, 2 the other one. */
      unsigned int
      vertex(const unsigned int side, const unsigned int i) const
      {
        return facets[side / 3][(side + i) % 3];
      }

      bool
      are_opposite(const unsigned int side, const unsigned int other) const
      {
        return vertex(side, 0) != vertex(other, 0);
      }

      std::string
      name_of_edge(const unsigned int side) const
      {
        std::ostringstream text;
        text << "the edge from (" << vertices[vertex(side, 0)] << ") to ("
             << vertices[vertex(side, 1)] << ")";
        return text.str();
      }

      ObstacleSurface<3> &surface;
      std::vector<Point<3>> &vertices;
      std::vector<Facet> &facets;
      const std::string &where;
      SurfaceCheck check;
      std::vector<unsigned int> partner; // as for find_shells()
    };



    SurfaceCheck
    Mender::mend()
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
    Mender::leave_out_points()
    {
      facets.erase(std::remove_if(facets.begin(),
                                  facets.end(),
                                  has_equal_vertices),
                   facets.end());
    }



    void
    Mender::leave_out_repeated()
    {
      std::vector<std::pair<Facet, unsigned int>> sorted;
      for (unsigned int f = 0; f < facets.size(); ++f)
        {
          Facet facet = facets[f];
          std::rotate(facet.begin(),
                      std::min_element(facet.begin(), facet.end()),
                      facet.end());
          sorted.emplace_back(facet, f);
        }
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t k = 1; k < sorted.size(); ++k)
        if (sorted[k].first == sorted[k - 1].first)
          {
            facets[sorted[k].second].fill(0);
            ++check.n_repeated;
          }
      leave_out_points();
    }



    unsigned int
    Mender::long_side(const unsigned int f) const
    {
      unsigned int longest = 0;
      double square        = 0.;
      for (unsigned int i = 0; i < 3; ++i)
        {
          const double s = vertices[vertex(3 * f + i, 0)].distance_square(
            vertices[vertex(3 * f + i, 1)]);
          if (s > square)
            longest = i;
          square = std::max(square, s);
        }
      return 2. * area(f) <= round_off * square ? 3 * f + longest : no_side;
    }



    void
    Mender::cut_neighbor(const unsigned int side_of_line,
                         const unsigned int side)
    {
      const unsigned int a     = vertex(side_of_line, 0),
                         b     = vertex(side_of_line, 1),
                         inner = vertex(side_of_line, 2), tip = vertex(side, 2);
      facets[side_of_line / 3] = {{a, tip, inner}};
      facets[side / 3]         = {{inner, tip, b}};
    }



    void
    Mender::leave_out_lines()
    {
      // A cut may leave another line, along a shorter side than the one before.
      constexpr unsigned int max_passes = 100;
      for (unsigned int pass = 0; pass < max_passes; ++pass)
        {
          std::vector<unsigned int> lines(facets.size());
          for (unsigned int f = 0; f < facets.size(); ++f)
            lines[f] = long_side(f);
          if (std::count(lines.begin(), lines.end(), no_side) ==
              static_cast<std::ptrdiff_t>(lines.size()))
            return;
          // New facets wait for the next pass, and so do lines beside them.
          std::vector<char> is_new(facets.size(), 0), waits(facets.size(), 0);
          const auto cut = [&](const unsigned int line,
                               const unsigned int side) {
            if (lines[line / 3] != line)
              return;
            waits[line / 3] = 1;
            // A line along a longer side goes first.
            const bool other_is_longer =
              lines[side / 3] != no_side && lines[side / 3] != side;
            if (is_new[line / 3] || is_new[side / 3] || other_is_longer)
              return;
            cut_neighbor(line, side);
            is_new[line / 3] = is_new[side / 3] = 1;
          };
          for_each_edge(std::vector<Facet>(facets),
                        [&](const std::vector<unsigned int> &sides) {
                          if (sides.size() != 2 || is_new[sides[0] / 3] ||
                              is_new[sides[1] / 3])
                            {
                              for (const unsigned int s : sides)
                                if (sides.size() == 2 && lines[s / 3] == s)
                                  waits[s / 3] = 1;
                              return;
                            }
                          if (!are_opposite(sides[0], sides[1]))
                            return;
                          cut(sides[0], sides[1]);
                          cut(sides[1], sides[0]);
                        });
          const bool is_last = pass + 1 == max_passes;
          for (unsigned int f = 0; f < facets.size(); ++f)
            if (!is_new[f] && lines[f] != no_side && (is_last || !waits[f]))
              facets[f].fill(0);
          leave_out_points();
        }
    }



    void
    Mender::turn_facets()
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
                    are_opposite(s, neighbor[s]) == (side_of[f] == kept)
                      ? kept
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
    Mender::pair_around(const std::vector<unsigned int> &sides)
    {
      const unsigned int low =
        std::min(vertex(sides[0], 0), vertex(sides[0], 1));
      const unsigned int high =
        std::max(vertex(sides[0], 0), vertex(sides[0], 1));
      const Tensor<1, 3> axis = (vertices[high] - vertices[low]) /
                                vertices[high].distance(vertices[low]);
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
    Mender::pair_sides()
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
    Mender::leave_out_backs()
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
    Mender::separate_solids()
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



    void
    Mender::leave_out_vertices()
    {
      std::vector<unsigned int> number(vertices.size(), no_side);
      std::vector<Point<3>> kept;
      for (const Facet &facet : facets)
        for (const unsigned int v : facet)
          number[v] = 0;
      for (unsigned int v = 0; v < vertices.size(); ++v)
        if (number[v] != no_side)
          {
            number[v] = kept.size();
            kept.push_back(vertices[v]);
          }
      for (Facet &facet : facets)
        for (unsigned int &v : facet)
          v = number[v];
      vertices = std::move(kept);
    }
  } // namespace



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
    return Mender(surface, where).mend();
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
