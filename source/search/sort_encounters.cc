// SPDX-License-Identifier: LGPL-2.1-or-later

#include "sort_encounters.h"

#include <ricochet/base/in_threads.h>

#include <algorithm>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <cstdint>

namespace Ricochet
{
  namespace
  {
    /** What an encounter is sorted by, but for its last ids, and where it is.
     */
    struct Key
    {
      std::uint64_t begin; // of time, kind, and ids
      std::uint32_t number;

      friend bool
      operator<(const Key &a, const Key &b)
      {
        return a.begin < b.begin;
      }
    };

    constexpr unsigned int encounters_per_task = 2048;

    Key
    key_of(const Encounter &encounter, const std::uint32_t number)
    {
      const std::uint64_t ticks = encounter.ticks();
      const std::uint64_t kind  = static_cast<std::uint64_t>(encounter.kind);
      return {ticks << 33 | kind << 31 | encounter.first >> 1, number};
    }
  } // namespace



  void
  sort_encounters(std::vector<Encounter> &encounters)
  {
    std::vector<Key> keys(encounters.size());
    in_threads(
      keys.size(),
      [&](const std::size_t k) { keys[k] = key_of(encounters[k], k); },
      encounters_per_task);
    boost::sort::spreadsort::integer_sort(keys.begin(),
                                          keys.end(),
                                          [](const Key &key,
                                             const unsigned int shift) {
                                            return key.begin >> shift;
                                          });

    for (auto first = keys.begin(); first != keys.end();)
      {
        auto last = first + 1;
        while (last != keys.end() && last->begin == first->begin)
          ++last;
        std::sort(first, last, [&](const Key &a, const Key &b) {
          return encounters[a.number] < encounters[b.number];
        });
        first = last;
      }
    std::vector<Encounter> sorted(encounters.size());
    in_threads(
      keys.size(),
      [&](const std::size_t k) { sorted[k] = encounters[keys[k].number]; },
      encounters_per_task);
    encounters.swap(sorted);
  }
} // namespace Ricochet
