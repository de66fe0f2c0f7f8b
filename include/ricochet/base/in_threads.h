// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_in_threads_h
#define ricochet_base_in_threads_h

#include <deal.II/base/parallel.h>

#include <cstddef>

namespace Ricochet
{
  /** Call @p action with all numbers below @p n, in threads if there are more
   * than @p numbers_per_task; what it changes must belong to its number. */
  template <typename Action>
  void
  in_threads(const std::size_t n,
             const Action &action,
             const unsigned int numbers_per_task)
  {
    dealii::parallel::apply_to_subranges(
      std::size_t(0),
      n,
      [&](const std::size_t first, const std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
          action(i);
      },
      numbers_per_task);
  }
} // namespace Ricochet

#endif
