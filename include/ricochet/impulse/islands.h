// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_islands_h
#define ricochet_impulse_islands_h

#include <ricochet/impulse/contact_state.h>

#include <functional>
#include <vector>

namespace Ricochet
{
  /** Call @p action with all numbers below @p n, in threads if there are more
   * than @p numbers_per_task; what it changes must belong to its number. */
  void
  in_threads(const unsigned int n,
             const std::function<void(const unsigned int)> &action,
             const unsigned int numbers_per_task = 64);



  /**
   * Handle contact points one after the other, but those that share no nodes,
   * directly or through others, in threads: contact points form islands, and
   * what happens in one is nothing to another one. The motion is the same to
   * the last bit as without islands, and everything is the same on any number
   * of threads: what is written down is put together, and summed, in the order
   * of the islands' first points.
   *
   * @param[in] n_points How many contact points there are.
   * @param[in] add_nodes Adds the nodes that the contact point of a number
   *   reads or changes; some may repeat.
   * @param[in] handle Handles the contact point of that number, and says
   *   whether it changed anything. It must change nothing but the state that it
   *   is given, and of that only what belongs to the nodes.
   * @return Whether any point changed anything.
   */
  template <int dim>
  bool
  handle_in_islands(
    const unsigned int n_points,
    const std::function<void(const unsigned int, std::vector<unsigned int> &)>
      &add_nodes,
    const std::function<bool(const unsigned int, ContactState<dim> &)> &handle,
    ContactState<dim> &state);
} // namespace Ricochet

#endif
