// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_search_settings_h
#define ricochet_search_search_settings_h

#include <cstddef>
#include <vector>

namespace Ricochet
{
  /** What to search for.
   *
   * @note Contact responses from outside may include this header. */
  struct SearchSettings
  {
    /**
     * Detection distance relative to the local edge length (the smaller one of
     * the two features): pairs closer than this at the end of the step are
     * encounters.
     */
    double eta = 1e-6;

    /**
     * Margin of the candidate lists relative to the local edge length, around
     * the motion that is expected. Larger values give longer lists that stay
     * valid for more steps.
     */
    double margin = 0.05;

    /** Whether pairs of one body count (features that share a vertex never do).
     */
    bool self_contact = false;

    /**
     * Pairs of bodies to look at, as a symmetric table; empty means all.
     * body_pairs[a * n_bodies + b] != 0 when a and b may touch; this holds for
     * a == b, too, if self-contact is on.
     */
    std::vector<char> body_pairs;

    /** Whether that table, for so many bodies, lets two bodies touch. */
    bool
    may_touch(const unsigned int body_a,
              const unsigned int body_b,
              const unsigned int n_bodies) const
    {
      return body_pairs.empty() ||
             body_pairs[std::size_t(body_a) * n_bodies + body_b] != 0;
    }
  };
} // namespace Ricochet

#endif
