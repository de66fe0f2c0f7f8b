// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_distributed_numbers_h
#define ricochet_base_distributed_numbers_h

#include <cstdint>
#include <vector>

namespace Ricochet
{
  /**
   * What a rank has of a long list of numbers: a piece without gaps. The pieces
   * of the ranks do not overlap and make up the list, whose order does not
   * depend on the number of ranks.
   */
  struct DistributedNumbers
  {
    /** Length of the list, the same on all ranks. */
    std::uint64_t size = 0;

    /** Where this rank's piece begins in it. */
    std::uint64_t begin = 0;

    /** This rank's piece. */
    std::vector<double> values;
  };
} // namespace Ricochet

#endif
