// SPDX-License-Identifier: LGPL-2.1-or-later

#include "pair_chunk.h"

#include <algorithm>

namespace Ricochet
{
  template <int dim>
  void
  PairChunk::take(const std::vector<PairTimes::Pair> &list,
                  const PairTimes &times,
                  const std::size_t first_block,
                  const std::size_t last_block,
                  const MotionClocks<dim> &motion,
                  const PairKind kind,
                  const StepPaths<dim> *const paths)
  {
    n = n_blocks = 0;
    for (std::size_t b = first_block; b < last_block; ++b)
      {
        const PairTimes::Block &block = times.blocks[b];
        const auto [first, second]    = block.bodies;
        const auto time               = motion.of(first, second);
        if (block.idle_until > time.latest ||
            (paths != nullptr && !paths->has_moved(first) &&
             !paths->has_moved(second)))
          continue;
        const unsigned int n_before = n;
        for (std::size_t k = block.begin; k < block.end; ++k)
          {
            numbers[n] = k;
            n += !(times.idle_until[k] > time.latest);
          }
        if (paths != nullptr)
          n = std::copy_if(numbers.begin() + n_before,
                           numbers.begin() + n,
                           numbers.begin() + n_before,
                           [&](const std::size_t k) {
                             return paths->has_moved(kind,
                                                     list[k][0],
                                                     list[k][1]);
                           }) -
              numbers.begin();
        for (unsigned int k = n_before; k < n; ++k)
          {
            pairs[k]  = list[numbers[k]];
            clocks[k] = time.now;
          }
        if (n > n_before)
          blocks[n_blocks++] = b;
      }
  }



#define RICOCHET_INSTANTIATE(dim)                                     \
  template void PairChunk::take(const std::vector<PairTimes::Pair> &, \
                                const PairTimes &,                    \
                                const std::size_t,                    \
                                const std::size_t,                    \
                                const MotionClocks<dim> &,            \
                                const PairKind,                       \
                                const StepPaths<dim> *const);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
