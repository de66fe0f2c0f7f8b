// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/islands.h>
#include <ricochet/impulse/node_groups.h>

#include <deal.II/base/parallel.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace Ricochet
{
  namespace
  {
    /** Islands are handled together until they have so many points: a fixed
     * number, since sums depend on it. */
    constexpr unsigned int points_per_task = 64;

    /** Numbers of contact points, in the order of handling. */
    using Points = std::vector<unsigned int>;



    using AddNodes =
      std::function<void(const unsigned int, std::vector<unsigned int> &)>;

    template <int dim>
    using Handle = std::function<bool(const unsigned int, ContactState<dim> &)>;



    /** Those of each island, in the order of their first ones. */
    std::vector<Points>
    find_islands(const unsigned int n_points,
                 const AddNodes &add_nodes,
                 const unsigned int n_nodes)
    {
      NodeGroups groups(n_nodes);
      std::vector<unsigned int> first_nodes, nodes;
      for (unsigned int i = 0; i < n_points; ++i)
        {
          nodes.clear();
          add_nodes(i, nodes);
          groups.join(nodes);
          first_nodes.push_back(nodes.front());
        }

      std::vector<Points> islands;
      std::map<unsigned int, unsigned int> island_of_group;
      for (unsigned int i = 0; i < n_points; ++i)
        {
          const auto entry =
            island_of_group.emplace(groups.group_of(first_nodes[i]),
                                    islands.size());
          if (entry.second)
            islands.emplace_back();
          islands[entry.first->second].push_back(i);
        }
      return islands;
    }



    /** The points of neighboring islands, one after the other, as tasks. */
    std::vector<Points>
    make_tasks(const std::vector<Points> &islands)
    {
      std::vector<Points> tasks;
      for (const Points &island : islands)
        {
          if (tasks.empty() || tasks.back().size() >= points_per_task)
            tasks.emplace_back();
          tasks.back().insert(tasks.back().end(), island.begin(), island.end());
        }
      return tasks;
    }



    template <int dim>
    bool
    handle_all(const Points &points,
               const Handle<dim> &handle,
               ContactState<dim> &state)
    {
      bool changed = false;
      for (const unsigned int i : points)
        changed = handle(i, state) || changed;
      return changed;
    }
  } // namespace



  void
  in_threads(const unsigned int n,
             const std::function<void(const unsigned int)> &action,
             const unsigned int numbers_per_task)
  {
    dealii::parallel::apply_to_subranges(
      0u,
      n,
      [&](const unsigned int first, const unsigned int last) {
        for (unsigned int i = first; i < last; ++i)
          action(i);
      },
      numbers_per_task);
  }



  template <int dim>
  bool
  handle_in_islands(
    const unsigned int n_points,
    const std::function<void(const unsigned int, std::vector<unsigned int> &)>
      &add_nodes,
    const std::function<bool(const unsigned int, ContactState<dim> &)> &handle,
    ContactState<dim> &state)
  {
    // Coupled nodes move nodes of other islands.
    const bool is_separable = state.inverse_mass.coupled_sets().empty();
    std::vector<Points> tasks;
    if (is_separable && n_points > points_per_task)
      tasks = make_tasks(
        find_islands(n_points, add_nodes, state.start_positions.size()));
    if (tasks.size() < 2)
      {
        Points all(n_points);
        std::iota(all.begin(), all.end(), 0u);
        return handle_all(all, handle, state);
      }

    std::vector<ContactState<dim>> parts;
    parts.reserve(tasks.size());
    for (unsigned int t = 0; t < tasks.size(); ++t)
      parts.push_back(state.share_fields());
    std::vector<char> changed(tasks.size(), 0);
    in_threads(
      tasks.size(),
      [&](const unsigned int t) {
        changed[t] = handle_all(tasks[t], handle, parts[t]) ? 1 : 0;
      },
      1);
    for (const ContactState<dim> &part : parts)
      state.append(part);
    return std::find(changed.begin(), changed.end(), 1) != changed.end();
  }



#define RICOCHET_INSTANTIATE(dim)                                              \
  template bool handle_in_islands(                                             \
    const unsigned int,                                                        \
    const std::function<void(const unsigned int, std::vector<unsigned int> &)> \
      &,                                                                       \
    const std::function<bool(const unsigned int, ContactState<dim> &)> &,      \
    ContactState<dim> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
