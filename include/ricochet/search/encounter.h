// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_encounter_h
#define ricochet_search_encounter_h

#include <limits>
#include <tuple>

namespace Ricochet
{
  /**
   * The kinds of pairs. In 2D there is no @p edge_edge.
   *
   * The vertices of a pair of features are always in one order: the vertex or
   * the first edge, then the facet or the second edge.
   */
  enum class PairKind : unsigned char
  {
    vertex_facet = 0,
    edge_edge    = 1,

    /** A feature and something that is no feature of the surface; what they
     * mean is known when they are found, see GivenCollision. */
    given = 2
  };



  /**
   * A pair that meets on its way through one step, or is closer than the
   * detection distance at its end.
   *
   * A contact response gets a list of them. It need not look at what is inside,
   * but for what it does in another way for some kinds: collisions are made
   * from encounters by CollisionGeometry.
   *
   * @note Contact responses from outside may include this header, and those of
   * SearchSettings, Collision, CollisionGeometry, ClosestCollisions and Branch.
   * The others of search/ serve Contact and change when it needs them to.
   */
  struct Encounter
  {
    /**
     * Time of impact as a fraction of the step, in [0,1]; 1 when the paths do
     * not meet and only the final distance is too small.
     */
    double time;

    PairKind kind;

    /** vertex_facet: the vertex. edge_edge: the edge with the smaller number.
     * given: the feature. */
    unsigned int first;

    /** vertex_facet: the facet. edge_edge: the other edge. given: a number for
     * what the feature meets. With kind and first it names the pair, also in
     * the next detections. */
    unsigned int second;

    /** Whether the paths meet (rather than only ending close together). */
    bool crossing;

    /** given: which one of the collisions that come with this detection. */
    unsigned int collision = std::numeric_limits<unsigned int>::max();

    /** The time in units of 2^-30 of a step, so that round-off does not order
     * what happens at once. */
    long int
    ticks() const
    {
      return static_cast<long int>(time * (1L << 30));
    }

    /** The order in which encounters are resolved: by ticks, then ids. */
    friend bool
    operator<(const Encounter &a, const Encounter &b)
    {
      return std::make_tuple(a.ticks(), a.kind, a.first, a.second) <
             std::make_tuple(b.ticks(), b.kind, b.first, b.second);
    }
  };
} // namespace Ricochet

#endif
