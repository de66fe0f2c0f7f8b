// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_for_each_range_h
#define ricochet_base_for_each_range_h

#include <deal.II/base/parallel.h>

namespace Ricochet
{
  /**
   * Call @p function(begin, end) for parts of the range from 0 to @p n, on
   * several threads if it is long: for passes over the entries of vectors, none
   * of which depends on another one.
   */
  template <typename Function>
  void
  for_each_range(const unsigned int n, const Function &function)
  {
    constexpr unsigned int entries_per_task = 8192;
    dealii::parallel::apply_to_subranges(0U, n, function, entries_per_task);
  }
} // namespace Ricochet

#endif
