// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_pair_chunk_h
#define ricochet_source_search_pair_chunk_h

#include <ricochet/search/encounter.h>

#include <array>
#include <vector>

#include "motion_clocks.h"
#include "pair_times.h"
#include "step_paths.h"

namespace Ricochet
{
  /** The pairs of some blocks of a list that are to be looked at: what one task
   * tests. */
  struct PairChunk
  {
    /** Fixed numbers, whatever the threads. */
    static constexpr std::size_t n_blocks_at_most = 32;
    static constexpr std::size_t size =
      n_blocks_at_most * PairTimes::block_size;

    std::array<PairTimes::Pair, size> pairs;
    std::array<std::size_t, size> numbers; // in their list
    std::array<double, size> clocks;       // of their bodies, now
    unsigned int n = 0;

    /** The blocks that they are from. */
    std::array<std::size_t, n_blocks_at_most> blocks;
    unsigned int n_blocks = 0;

    /**
     * Take those that can have come close since they were last looked at.
     *
     * @param[in] first_block, last_block Of the list; the last one is not
     *   taken.
     * @param[in] paths If not null, only pairs that have moved are taken.
     */
    template <int dim>
    void
    take(const std::vector<PairTimes::Pair> &list,
         const PairTimes &times,
         const std::size_t first_block,
         const std::size_t last_block,
         const MotionClocks<dim> &motion,
         const PairKind kind,
         const StepPaths<dim> *paths);
  };
} // namespace Ricochet

#endif
