// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/time/step_start.h>

#include <algorithm>

namespace Ricochet
{
  namespace
  {
    /** Exchange the vectors, which have the same layout from the second time
     * on. */
    void
    exchange(ForestVectors &from, ForestVectors &to)
    {
      to.resize(from.size());
      for (unsigned int p = 0; p < from.size(); ++p)
        {
          if (to[p].get_partitioner() != from[p].get_partitioner())
            to[p].reinit(from[p].get_partitioner());
          to[p].swap(from[p]);
        }
    }
  } // namespace



  void
  copy_with_ghosts(const ForestVectors &from, ForestVectors &to)
  {
    to.resize(from.size());
    for (unsigned int p = 0; p < from.size(); ++p)
      {
        const auto &layout = *from[p].get_partitioner();
        if (to[p].get_partitioner() != from[p].get_partitioner())
          to[p].reinit(from[p].get_partitioner());
        std::copy_n(from[p].begin(),
                    layout.locally_owned_size() + layout.n_ghost_indices(),
                    to[p].begin());
      }
  }



  void
  StepStart::keep(const State &state)
  {
    copy_with_ghosts(state.positions, positions);
    copy_with_ghosts(state.velocities, velocities);
    rigid_motions = state.rigid_motions;
  }



  void
  StepStart::take(State &state)
  {
    exchange(state.positions, positions);
    exchange(state.velocities, velocities);
    rigid_motions = state.rigid_motions;
  }
} // namespace Ricochet
