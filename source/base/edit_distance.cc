// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/edit_distance.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace Ricochet
{
  unsigned int
  edit_distance(const std::string &a, const std::string &b)
  {
    std::vector<unsigned int> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i)
      {
        unsigned int diagonal = row[0];
        row[0]                = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j)
          {
            const bool same = std::tolower(static_cast<unsigned char>(a[i])) ==
                              std::tolower(static_cast<unsigned char>(b[j]));
            const unsigned int change = diagonal + (same ? 0 : 1);
            diagonal                  = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, change});
          }
      }
    return row.back();
  }



  std::vector<std::string>
  nearest_names(const std::string &word,
                const std::vector<std::string> &candidates,
                const unsigned int n)
  {
    std::vector<std::pair<unsigned int, std::string>> ranked;
    for (const auto &candidate : candidates)
      ranked.emplace_back(edit_distance(word, candidate), candidate);
    std::stable_sort(ranked.begin(),
                     ranked.end(),
                     [](const auto &a, const auto &b) {
                       return a.first < b.first;
                     });
    std::vector<std::string> result;
    for (std::size_t i = 0; i < std::min<std::size_t>(n, ranked.size()); ++i)
      result.push_back(ranked[i].second);
    return result;
  }
} // namespace Ricochet
