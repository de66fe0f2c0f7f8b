// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_response_place_in_layer_h
#define ricochet_tests_response_place_in_layer_h

#include <algorithm>
#include <array>
#include <utility>

namespace Ricochet
{
  /** The nodes around the place (x, y) of a layer of width x width unit
   * squares, numbered row by row, with the weights that they have there. */
  inline std::array<std::pair<unsigned int, double>, 4>
  place_in_layer(const double x, const double y, const unsigned int width)
  {
    const unsigned int i = std::min<unsigned int>(x, width - 1),
                       j = std::min<unsigned int>(y, width - 1);
    const double a = x - i, c = y - j;
    const unsigned int first = i + (width + 1) * j;
    return {{{first, (1. - a) * (1. - c)},
             {first + 1, a * (1. - c)},
             {first + width + 1, (1. - a) * c},
             {first + width + 2, a * c}}};
  }
} // namespace Ricochet

#endif
