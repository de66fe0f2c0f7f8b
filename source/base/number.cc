// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/number.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

namespace Ricochet
{
  std::optional<double>
  number_of(const std::string &word)
  {
    // The function does not know a plus sign in front.
    const bool has_plus = word.size() > 1 && word[0] == '+' && word[1] != '-';
    const char *const begin = word.data() + (has_plus ? 1 : 0);
    const char *const end   = word.data() + word.size();
    double number           = 0.;
    const auto result       = std::from_chars(begin, end, number);
    if (result.ptr != end || begin == end)
      return {};
    if (result.ec == std::errc::result_out_of_range)
      // Above the range this is infinity, below it the nearest number.
      number = std::strtod(begin, nullptr);
    else if (result.ec != std::errc())
      return {};
    return std::isfinite(number) ? std::optional<double>(number) : std::nullopt;
  }
} // namespace Ricochet
