// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_search_exact_oracle_h
#define ricochet_tests_search_exact_oracle_h

#include <optional>

#include "exact_polynomial.h"
#include "swept_pairs.h"

namespace Ricochet
{
  /**
   * Exact answers to the question of the swept tests: doubles are integers
   * times a power of two, so all conditions are signs of polynomials in time
   * with integer coefficients, at zeros of such polynomials.
   */
  namespace Exact
  {
    /**
     * The first time in [0,1] at which the closed features touch. (Of two
     * candidates that are closer than 1e-24 either may be taken.)
     */
    template <Kind kind>
    std::optional<Time>
    first_touch(const Points<kind> &begin, const Points<kind> &end);

    /**
     * A certified filter in double precision: whether the pair is apart because
     * its differences have one sign in some coordinate, or its points are never
     * in one plane. Most pairs that are apart are decided by it.
     */
    template <Kind kind>
    bool
    are_obviously_apart(const Points<kind> &begin, const Points<kind> &end);
  } // namespace Exact
} // namespace Ricochet

#endif
