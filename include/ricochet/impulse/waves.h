// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_waves_h
#define ricochet_impulse_waves_h

#include <ricochet/impulse/contact_state.h>

#include <functional>
#include <vector>

namespace Ricochet
{
  /**
   * Handle contact points such that each node sees what it would see if they
   * were handled one after the other, but many at once: a point is in the first
   * wave if it shares no node with an earlier one, else in the wave behind the
   * last of those that it shares nodes with. Waves follow each other, the
   * points of one are nothing to each other and are handled in threads, in the
   * order of their nodes, which lie together in memory.
   *
   * The motion is the same to the last bit as in one loop, and everything is
   * the same on any number of threads: what is written down is put together,
   * and summed, in the order of the waves.
   *
   * @param[in] n_points How many contact points there are.
   * @param[in] add_nodes Adds the nodes that the contact point of a number
   *   reads or changes, at least one; some may repeat.
   * @param[in] handle Handles the contact point of that number, and says
   *   whether it changed anything. It must change nothing but the state that it
   *   is given, and of that only what belongs to the nodes.
   * @return Whether any point changed anything.
   */
  template <int dim>
  bool
  handle_in_waves(
    const unsigned int n_points,
    const std::function<void(const unsigned int, std::vector<unsigned int> &)>
      &add_nodes,
    const std::function<bool(const unsigned int, ContactState<dim> &)> &handle,
    ContactState<dim> &state);
} // namespace Ricochet

#endif
