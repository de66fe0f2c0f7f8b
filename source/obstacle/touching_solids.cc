// SPDX-License-Identifier: LGPL-2.1-or-later

#include "touching_solids.h"

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <numeric>

namespace Ricochet
{
  namespace
  {
    /** Angles that differ by less are equal; above the round-off of
     * coordinates in single precision. */
    constexpr double same_angle = 1e-6;

    using Pairs  = std::vector<std::array<unsigned int, 2>>;
    using Groups = std::vector<std::vector<unsigned int>>;



    /** Groups of equal angles, in the order of these. */
    Groups
    groups_of_equal_angles(const std::vector<TriangleAtEdge> &triangles)
    {
      std::vector<unsigned int> order(triangles.size());
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(), [&](const auto a, const auto b) {
        return triangles[a].angle < triangles[b].angle;
      });
      Groups groups;
      for (unsigned int k = 0; k < order.size(); ++k)
        {
          if (k == 0 ||
              triangles[order[k]].angle - triangles[order[k - 1]].angle >
                same_angle)
            groups.emplace_back();
          groups.back().push_back(order[k]);
        }
      if (groups.size() > 1 && triangles[order.front()].angle +
                                   2. * dealii::numbers::PI -
                                   triangles[order.back()].angle <=
                                 same_angle)
        {
          groups.front().insert(groups.front().end(),
                                groups.back().begin(),
                                groups.back().end());
          groups.pop_back();
        }
      return groups;
    }



    /** Openings and closings in turn, if there is solid at the start or not;
     * empty if that is not possible. */
    std::vector<unsigned int>
    sequence_of(const std::vector<TriangleAtEdge> &triangles,
                const Groups &groups,
                const bool starts_inside)
    {
      std::vector<unsigned int> result;
      bool inside = starts_inside;
      for (const auto &group : groups)
        {
          std::array<std::vector<unsigned int>, 2>
            waiting; // closings, openings
          for (const unsigned int t : group)
            waiting[triangles[t].opens ? 1 : 0].push_back(t);
          for (unsigned int k = 0; k < group.size(); ++k)
            {
              auto &next = waiting[inside ? 0 : 1];
              if (next.empty())
                return {};
              result.push_back(next.back());
              next.pop_back();
              inside = !inside;
            }
        }
      return inside == starts_inside ? result : std::vector<unsigned int>();
    }
  } // namespace



  std::optional<Pairs>
  pairs_around_solids(const std::vector<TriangleAtEdge> &triangles)
  {
    const Groups groups = groups_of_equal_angles(triangles);
    std::vector<unsigned int> group_of(triangles.size());
    for (unsigned int g = 0; g < groups.size(); ++g)
      for (const unsigned int t : groups[g])
        group_of[t] = g;

    std::optional<Pairs> best;
    unsigned int fewest = triangles.size();
    for (const bool starts_inside : {false, true})
      {
        const auto sequence = sequence_of(triangles, groups, starts_inside);
        if (sequence.empty())
          continue;
        Pairs pairs;
        unsigned int n_equal = 0;
        for (unsigned int k = starts_inside ? 1 : 0; k < sequence.size();
             k += 2)
          {
            const unsigned int a = sequence[k],
                               b = sequence[(k + 1) % sequence.size()];
            pairs.push_back({{a, b}});
            n_equal += group_of[a] == group_of[b] ? 1 : 0;
          }
        if (n_equal < fewest)
          best = pairs;
        fewest = std::min(fewest, n_equal);
      }
    return best;
  }
} // namespace Ricochet
