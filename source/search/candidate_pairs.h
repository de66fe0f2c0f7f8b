// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_candidate_pairs_h
#define ricochet_source_search_candidate_pairs_h

#include <ricochet/search/search.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <vector>

#include "box.h"
#include "feature_trees.h"

namespace Ricochet
{
  /**
   * The broad phase: lists of all pairs of features that can meet as long as
   * every vertex stays inside its own *limits*.
   *
   * The limits of a vertex are a box around its path at the time of building,
   * with the margin around it. Bodies that are far from all others get one
   * wider box for all of their vertices and no pairs. Since the boxes hold
   * whole paths, the lists are complete at any speed; fast motion only makes
   * them long and short-lived.
   */
  template <int dim>
  class CandidatePairs
  {
  public:
    using Positions = std::vector<dealii::Point<dim>>;

    void
    reinit(const Surface<dim> &surface, const SearchSettings &settings);

    /** Whether the lists are complete for this step. */
    bool
    are_valid(const Positions &begin, const Positions &end) const;

    /** Make new lists. Throws a RunError if a position is not finite. */
    void
    build(const Positions &begin, const Positions &end);

    const FeaturePairs &
    get() const
    {
      return pairs;
    }

  private:
    using BodyPair = typename FeatureTrees<dim>::NodePair;

    void
    check_finite(const Positions &positions, const char *when) const;

    void
    set_limits(const Positions &begin, const Positions &end);

    bool
    may_touch(const unsigned int body_a, const unsigned int body_b) const;

    void
    find_close_bodies();

    void
    find_pairs();

    const Surface<dim> *surface    = nullptr;
    const SearchSettings *settings = nullptr;

    FeatureTrees<dim> trees;
    bool has_trees = false;
    std::vector<Box<dim>> limits; // per vertex

    /** Largest length of a body's facets. */
    std::vector<double> body_length;

    /** Boxes that the bodies stay in, and the bodies in order of them. */
    std::vector<Box<dim>> body_boxes;
    std::vector<unsigned int> sorted_bodies;
    std::vector<char> is_isolated;
    std::vector<BodyPair> close_bodies;

    /** Shares of the threads. */
    std::vector<BodyPair> node_pairs;
    std::vector<FeaturePairs> shares;

    FeaturePairs pairs;
  };
} // namespace Ricochet

#endif
