// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_swept_tests_h
#define ricochet_search_swept_tests_h

#include <deal.II/base/point.h>

#include <array>

namespace Ricochet
{
  /**
   * Do two features meet while their vertices go straight from one position to
   * another? Features are closed sets: touching counts, also at the start and
   * at the end.
   *
   * The answer "no" is a proof: the way is covered by intervals of time, in
   * each of which the features are on different sides of a plane (their own
   * common plane, a fixed one, or one that moves with their closest points) by
   * more than all rounding errors together: conservative advancement (Mirtich,
   * 1996; Zhang, Lee and Kim, 2006) for straight paths. The answer "yes" means
   * that no such plane was found from @p time on. That is so at round-off
   * distance, about 1e-14 of the extents of the pair and its motion, and in
   * rare degenerate cases at a small distance: facets that are as flat as a
   * needle, and features that touch tangentially or move in one plane, because
   * the search ends after a fixed number of steps. @p time is therefore never
   * late, and always in [0,1]; it is not touched when the answer is "no".
   *
   * Facets catch vertices a little beyond their border (border_tolerance).
   * In aligned bodies vertices pass exactly along a border, where round-off
   * would decide whether they slip by.
   *
   * All tolerances are relative to the size of the pair and its motion, so the
   * answers do not depend on units or, as far as the differences of positions
   * are representable, on the place of the origin. Distances below 1e-70 count
   * as touching, since their products underflow; lengths must be below 1e15.
   */
  namespace SweptTest
  {
    /**
     * How much larger facets are for vertices, relative to their size.
     * Anything from round-off to 1e-6 gives the same collisions.
     */
    constexpr double border_tolerance = 1e-10;

    /** Vertex 0 and segment 1-2, in the plane. */
    bool
    vertex_edge(const std::array<dealii::Point<2>, 3> &begin,
                const std::array<dealii::Point<2>, 3> &end,
                double &time);

    /** Vertex 0 and triangle 1-2-3. */
    bool
    vertex_triangle(const std::array<dealii::Point<3>, 4> &begin,
                    const std::array<dealii::Point<3>, 4> &end,
                    double &time);

    /** Segments 0-1 and 2-3. */
    bool
    edge_edge(const std::array<dealii::Point<3>, 4> &begin,
              const std::array<dealii::Point<3>, 4> &end,
              double &time);
  } // namespace SweptTest
} // namespace Ricochet

#endif
