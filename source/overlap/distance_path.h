// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_overlap_distance_path_h
#define ricochet_source_overlap_distance_path_h

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

namespace Ricochet
{
  // When a distance becomes negative on the way through a step; what has the
  // distance, and from what, does not matter here.

  /** The shortest piece of a step that a path is followed in. */
  constexpr double shortest_piece = 1. / 256.;



  /** Where a distance becomes negative between @p a, where it is not, and
   * @p b. */
  template <typename Function>
  double
  time_of_impact(const Function &distance, const double a, const double b)
  {
    const double at_a = distance(a), at_b = distance(b);
    if (!(at_a > 0.))
      return a;
    const double linear = a + (b - a) * at_a / (at_a - at_b);
    if (std::abs(distance(linear)) <= 1e-12 * (at_a - at_b))
      return linear;
    std::uintmax_t n_iterations = 100;
    return boost::math::tools::toms748_solve(
             distance,
             a,
             b,
             at_a,
             at_b,
             boost::math::tools::eps_tolerance<double>(40),
             n_iterations)
      .first;
  }



  /**
   * Follow a path of the given length until the distance is below @p limit.
   * Whether that happens; then @p time is when it becomes negative. A piece is
   * as long as the distance allows: sphere tracing (Hart, 1996) in time.
   */
  template <typename Function>
  bool
  enters(const Function &distance,
         const double path_length,
         const double limit,
         double &time)
  {
    double s = 0., value = distance(0.);
    while (s < 1.)
      {
        const double piece =
          std::max(shortest_piece, path_length > 0. ? value / path_length : 1.);
        const double next = std::min(1., s + piece);
        value             = distance(next);
        if (value < limit)
          {
            time = time_of_impact(distance, s, next);
            return true;
          }
        s = next;
      }
    return false;
  }
} // namespace Ricochet

#endif
