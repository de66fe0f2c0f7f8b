// SPDX-License-Identifier: LGPL-2.1-or-later

#include "surface_mender.h"

#include <ricochet/base/error.h>

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <boost/pending/disjoint_sets.hpp>
#include <cmath>
#include <map>
#include <unordered_map>

#include "shells.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** The height of a triangle over its longest side that is as good as none:
     * the round-off of coordinates in single precision. */
    constexpr double round_off = 1e-7;
  } // namespace



  void
  SurfaceMender::leave_out_points()
  {
    facets.erase(std::remove_if(facets.begin(),
                                facets.end(),
                                has_equal_vertices),
                 facets.end());
  }



  void
  SurfaceMender::leave_out_repeated()
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
  SurfaceMender::long_side(const unsigned int f) const
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
  SurfaceMender::cut_neighbor(const unsigned int side_of_line,
                              const unsigned int side)
  {
    const unsigned int a = vertex(side_of_line, 0), b = vertex(side_of_line, 1),
                       inner = vertex(side_of_line, 2), tip = vertex(side, 2);
    facets[side_of_line / 3] = {{a, tip, inner}};
    facets[side / 3]         = {{inner, tip, b}};
  }



  void
  SurfaceMender::leave_out_lines()
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
        const auto cut = [&](const unsigned int line, const unsigned int side) {
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
  SurfaceMender::leave_out_vertices()
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
} // namespace Ricochet
