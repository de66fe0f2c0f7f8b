// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_node_groups_h
#define ricochet_impulse_node_groups_h

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <numeric>
#include <vector>

namespace Ricochet
{
  /** Sets of nodes (or whatever has numbers) that can be joined; at first each
   * one is a set of its own. */
  class NodeGroups
  {
  public:
    /** Sets of one node each. */
    explicit NodeGroups(const unsigned int n_nodes)
      : rank(n_nodes, 0)
      , parent(n_nodes)
      , sets(rank.data(), parent.data())
    {
      std::iota(parent.begin(), parent.end(), 0u);
    }

    NodeGroups(const NodeGroups &) = delete;
    NodeGroups &
    operator=(const NodeGroups &) = delete;

    /** A number that all nodes of the set have in common. */
    unsigned int
    group_of(const unsigned int node)
    {
      return sets.find_set(node);
    }

    /** Whether the nodes are in one group already. */
    template <typename Nodes>
    bool
    are_one(const Nodes &nodes)
    {
      return std::all_of(nodes.begin(), nodes.end(), [&](unsigned int node) {
        return group_of(node) == group_of(nodes.front());
      });
    }

    /** Make one set of the sets of these nodes. */
    template <typename Nodes>
    void
    join(const Nodes &nodes)
    {
      if (nodes.empty())
        return;
      unsigned int group = group_of(nodes.front());
      for (const unsigned int node : nodes)
        {
          const unsigned int other = group_of(node);
          if (other == group)
            continue;
          sets.link(other, group);
          group = group_of(group);
        }
    }

  private:
    std::vector<unsigned int> rank, parent;
    boost::disjoint_sets<unsigned int *, unsigned int *> sets;
  };
} // namespace Ricochet

#endif
