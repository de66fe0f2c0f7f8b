// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_number_h
#define ricochet_base_number_h

#include <optional>
#include <string>

namespace Ricochet
{
  /**
   * The decimal number that a word is, all of it: digits with a point, perhaps
   * a sign and an exponent behind 'e' or 'E'. Numbers too small for the range
   * of double become the nearest one, which may be 0. Nothing for infinity,
   * NaN, numbers above the range, hexadecimal ones, blanks, and words that go
   * on behind a number, such as "1,5", "1D3" or "1.0-5".
   */
  std::optional<double>
  number_of(const std::string &word);
} // namespace Ricochet

#endif
