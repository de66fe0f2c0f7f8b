// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_sort_encounters_h
#define ricochet_source_search_sort_encounters_h

#include <ricochet/search/encounter.h>

#include <vector>

namespace Ricochet
{
  /** Sort encounters by their order, in about linear time. */
  void
  sort_encounters(std::vector<Encounter> &encounters);
} // namespace Ricochet

#endif
