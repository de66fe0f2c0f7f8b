// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_candidate_pairs_h
#define ricochet_source_search_candidate_pairs_h

#include <ricochet/search/search.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <vector>

#include "box.h"
#include "feature_trees.h"
#include "pair_times.h"

namespace Ricochet
{
  /**
   * The broad phase: lists of all pairs of features that can meet as long as
   * every vertex stays inside its own *limits*, the idea of the neighbour lists
   * of Verlet (1967).
   *
   * The limits of a vertex are a box around its path at the time of building
   * and its way through the next steps if it goes on like that, with the margin
   * around it. Bodies that are far from all others get one wider box for all of
   * their vertices and no pairs. Since the boxes hold whole paths, the lists
   * are complete at any speed; fast motion only makes them long and
   * short-lived.
   *
   * A body that leaves its limits gets new ones, and only its pairs are looked
   * for anew; with those of bodies that its facets have vertices of, as of a
   * rigid region: they have one box together. So the order of the pairs depends
   * on the past, but not which encounters they lead to.
   */
  template <int dim>
  class CandidatePairs
  {
  public:
    using Positions = std::vector<dealii::Point<dim>>;

    void
    reinit(const Surface<dim> &surface, const SearchSettings &settings);

    /**
     * Make the lists complete for a step.
     *
     * Throws a RunError if a position is not finite.
     *
     * @return For how many bodies they were made anew.
     */
    unsigned int
    update(const Positions &begin, const Positions &end);

    /** Let a flag of one of several connected bodies be one of all. */
    void
    share_among_connected(std::vector<char> &flags) const;

    const FeaturePairs &
    get() const
    {
      return pairs;
    }

    /** When the pairs of the lists are to be looked at: zero for new ones, to
     * be set by who looks at them. */
    PairTimes vertex_facet_times, edge_edge_times;

  private:
    using BodyPair = typename FeatureTrees<dim>::NodePair;

    void
    check_finite(const Positions &positions, const char *when) const;

    /** Find the bodies that have vertices in facets of others. */
    void
    find_connected_bodies();

    /** Find the bodies that have left their limits; whether there are any. */
    bool
    find_restless_bodies(const Positions &begin, const Positions &end);

    /** New limits for the restless bodies, and boxes around those. */
    void
    set_limits(const Positions &begin, const Positions &end);

    /** Find the pairs of bodies whose boxes are close. */
    void
    find_close_bodies();

    /** Bodies in wide boxes that are close to another one become restless;
     * whether there are any. */
    bool
    wake_bodies();

    /** Replace the pairs of the restless bodies. */
    void
    renew_pairs();

    /** Append the pairs that a thread has found. */
    void
    append(const FeaturePairs &share);

    /** Whether all vertices of a pair belong to one rigid region, though a
     * feature is found with the body that has this. */
    template <typename Features>
    bool
    is_rigid(const Features &features, const FeaturePairs::Pair &pair) const;

    const Surface<dim> *surface    = nullptr;
    const SearchSettings *settings = nullptr;

    FeatureTrees<dim> trees;
    bool has_trees = false;
    std::vector<Box<dim>> limits; // per vertex

    /** Largest length of a body's facets. */
    std::vector<double> body_length;

    /** Boxes that the bodies stay in, and whether all their vertices may go
     * anywhere in them. */
    std::vector<Box<dim>> body_boxes;
    std::vector<char> is_wide;

    /** For each body the smallest number of those that it is connected with,
     * and whether it has vertices in facets of others. Empty if none has. */
    std::vector<unsigned int> first_connected;
    std::vector<char> is_region;

    /** Vertices outside their limits, and bodies that need new ones. */
    std::vector<char> has_left, is_restless;

    /** Boxes that two bodies have in common if they can meet, and the pairs of
     * bodies that do. */
    std::vector<Box<dim>> reaches;
    std::vector<BodyPair> close_bodies, restless_pairs;

    /** Shares of the threads. */
    std::vector<BodyPair> node_pairs;
    std::vector<FeaturePairs> shares;

    FeaturePairs pairs;
  };
} // namespace Ricochet

#endif
