// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_in_threads_h
#define ricochet_base_in_threads_h

#include <deal.II/base/parallel.h>

#include <cstddef>

namespace Ricochet
{
  /**
   * Call @p function(begin, end) for parts of the range from 0 to @p n, on
   * several threads if there are more than @p numbers_per_task; what is done
   * for one number must not depend on another one. The default is for passes
   * over the entries of vectors.
   */
  template <typename Function>
  void
  for_each_range(const std::size_t n,
                 const Function &function,
                 const unsigned int numbers_per_task = 8192)
  {
    dealii::parallel::apply_to_subranges(std::size_t(0),
                                         n,
                                         function,
                                         numbers_per_task);
  }



  /** The same, one number at a time. */
  template <typename Action>
  void
  in_threads(const std::size_t n,
             const Action &action,
             const unsigned int numbers_per_task)
  {
    for_each_range(
      n,
      [&](const std::size_t first, const std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
          action(i);
      },
      numbers_per_task);
  }
} // namespace Ricochet

#endif
