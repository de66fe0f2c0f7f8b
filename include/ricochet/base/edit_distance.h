// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_edit_distance_h
#define ricochet_base_edit_distance_h

#include <string>

namespace Ricochet
{
  /** Number of inserted, deleted and changed letters, ignoring case. */
  unsigned int
  edit_distance(const std::string &a, const std::string &b);
} // namespace Ricochet

#endif
