// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_pair_times_h
#define ricochet_source_search_pair_times_h

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * When the pairs of a list of candidates are to be looked at, by the
   * MotionClocks of their bodies: for each pair until when nothing can happen
   * to it, and for blocks of consecutive pairs of the same two bodies the
   * first of these times, so that most need not be read.
   */
  struct PairTimes
  {
    using Pair = std::array<unsigned int, 2>;

    struct Block
    {
      std::size_t begin, end;             // of its pairs in the list
      std::array<unsigned int, 2> bodies; // the smaller number first
      double idle_until;                  // of the first of its pairs
    };

    /** The most pairs of a block: few enough that one that is to be looked at
     * costs little, and that the clocks of blocks cost less than pairs. */
    static constexpr std::size_t block_size = 128;

    std::vector<double> idle_until; // of each pair
    std::vector<Block> blocks;

    /** Remove all blocks of some bodies, from the list as well. */
    void
    remove(const std::vector<char> &bodies, std::vector<Pair> &list);

    /**
     * Take up what was appended to the list, with the time zero.
     *
     * @param[in] bodies_of The bodies of a pair, in any order.
     */
    template <typename BodiesOf>
    void
    extend(const std::vector<Pair> &list, const BodiesOf &bodies_of);

    /** After times of its pairs were set. */
    void
    update(Block &block) const
    {
      block.idle_until = *std::min_element(idle_until.begin() + block.begin,
                                           idle_until.begin() + block.end);
    }
  };



  inline void
  PairTimes::remove(const std::vector<char> &bodies, std::vector<Pair> &list)
  {
    std::size_t n_pairs = 0, n_blocks = 0;
    for (const Block &block : blocks)
      {
        if (bodies[block.bodies[0]] || bodies[block.bodies[1]])
          continue;
        const auto move = [&](auto &values) {
          std::move(values.begin() + block.begin,
                    values.begin() + block.end,
                    values.begin() + n_pairs);
        };
        move(list);
        move(idle_until);
        const std::size_t n = block.end - block.begin;
        blocks[n_blocks++]  = {n_pairs,
                               n_pairs + n,
                               block.bodies,
                               block.idle_until};
        n_pairs += n;
      }
    list.resize(n_pairs);
    idle_until.resize(n_pairs);
    blocks.resize(n_blocks);
  }



  template <typename BodiesOf>
  void
  PairTimes::extend(const std::vector<Pair> &list, const BodiesOf &bodies_of)
  {
    std::size_t k           = idle_until.size();
    const std::size_t n_old = blocks.size();
    idle_until.resize(list.size(), 0.);
    for (; k < list.size(); ++k)
      {
        std::array<unsigned int, 2> bodies = bodies_of(list[k]);
        if (bodies[1] < bodies[0])
          std::swap(bodies[0], bodies[1]);
        if (blocks.size() == n_old || blocks.back().bodies != bodies ||
            blocks.back().end - blocks.back().begin == block_size)
          blocks.push_back({k, k, bodies, 0.});
        blocks.back().end = k + 1;
      }
  }
} // namespace Ricochet

#endif
