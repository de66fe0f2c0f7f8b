// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_way_combinations_h
#define ricochet_projection_way_combinations_h

#include <ricochet/geometry/branches.h>
#include <ricochet/impulse/inverse_mass.h>
#include <ricochet/projection/admissible_projection.h>

#include <deal.II/base/point.h>

#include <boost/container_hash/hash.hpp>
#include <functional>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** Two facets that cross and how this is ended. */
  template <int dim>
  struct Crossing
  {
    unsigned int facet_a, facet_b;

    /** The ways back, see ways_back(). */
    std::vector<BranchSet<dim>> ways;

    /** The way that is taken. */
    BranchSet<dim> taken;
  };



  /** Combinations of ways are tried up to this number: six crossings with two
   * each. */
  constexpr unsigned int max_combinations = 64;



  /**
   * Try all combinations of the ways out of some crossings, and keep the one
   * whose closest point is closest to the predictor. Where the set of
   * admissible configurations is a union of few pieces, this is the projection
   * onto the set itself; it is meant for crossings whose closest ways, each for
   * itself, have no point in common.
   *
   * Of combinations at the same distance (to 1e-9) the first one is kept, where
   * the ways of the last crossing vary fastest. Those that are not solved, or
   * at whose closest point one of the crossings is left, do not count.
   *
   * @param[in,out] crossings With ways that all of them @p projection may be
   *   asked to respect.
   * @param[in,out] projection Respects the other branches of the step, and none
   *   of these. On success, also those of the best combination.
   * @param[in] target_of The gap to keep at a branch.
   * @param[in] middle_of See AdmissibleProjection::project().
   * @return Whether there is one. False also if there are more than
   *   max_combinations.
   */
  template <int dim>
  bool
  take_closest_combination(
    const Surface<dim> &surface,
    const InverseMass<dim> &inverse_mass,
    const std::vector<dealii::Point<dim>> &predictor,
    const std::vector<dealii::Point<dim>> *middle_of,
    const std::function<double(const Branch<dim> &)> &target_of,
    std::vector<Crossing<dim>> &crossings,
    AdmissibleProjection<dim> &projection);



  /** The crossings of a step, so that other ways can be taken. */
  template <int dim>
  class Crossings
  {
  public:
    /** Forget all. */
    void
    clear();

    /** Note down a crossing. Found once more, only the ways of the first time
     * can be exchanged, and what is taken now stays. */
    void
    add(const Crossing<dim> &crossing);

    /** Note down a branch that is to be respected, whatever ways are taken;
     * once is enough. */
    void
    demand(const Branch<dim> &branch);

    /**
     * Let take_closest_combination() choose the ways of those crossings that
     * took an @p unsettled branch. Parameters as there.
     *
     * @return Whether this solved the projection.
     */
    bool
    take_other_ways(const Surface<dim> &surface,
                    const InverseMass<dim> &inverse_mass,
                    const std::vector<dealii::Point<dim>> &predictor,
                    const std::vector<dealii::Point<dim>> *middle_of,
                    const std::function<double(const Branch<dim> &)> &target_of,
                    const std::set<Branch<dim>> &unsettled,
                    AdmissibleProjection<dim> &projection);

  private:
    template <typename Key>
    using Set = std::unordered_set<Key, boost::hash<Key>>;

    std::vector<Crossing<dim>> crossings; // with several ways
    Set<std::pair<unsigned int, unsigned int>> known_facets; // of these
    Set<Branch<dim>> taken; // of crossings with one way, or found once more
    std::vector<Branch<dim>> demanded;
  };
} // namespace Ricochet

#endif
