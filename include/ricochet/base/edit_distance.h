// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_edit_distance_h
#define ricochet_base_edit_distance_h

#include <string>
#include <vector>

namespace Ricochet
{
  /** Number of inserted, deleted and changed letters, ignoring case. */
  unsigned int
  edit_distance(const std::string &a, const std::string &b);

  /** The candidates that look most like @p word, best first, at most @p n. */
  std::vector<std::string>
  nearest_names(const std::string &word,
                const std::vector<std::string> &candidates,
                const unsigned int n = 3);
} // namespace Ricochet

#endif
