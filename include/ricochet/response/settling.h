// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_settling_h
#define ricochet_response_settling_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/resting_pairs.h>
#include <ricochet/projection/closest_point_projection.h>
#include <ricochet/response/contact_correction.h>
#include <ricochet/response/contact_obstacles.h>
#include <ricochet/search/search.h>

#include <deal.II/base/point.h>

#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace Ricochet
{
  /** How far a step goes until it is accepted. */
  struct SettlingSettings
  {
    /** What the response does in the first pass. */
    PassSettings pass;

    unsigned int max_passes = 15;

    /** Rounds of detection and projection; 0 leaves this stage out. */
    unsigned int max_projections = 30;

    /** Whether a step is accepted only when nothing meets on the way from its
     * start to its end; otherwise it is accepted after the passes. */
    bool guarantee = true;
  };



  /**
   * Detection and response, repeated until the paths from the start of the step
   * to its corrected end meet nowhere. The stages, each for what the one before
   * has left over:
   *
   * 1. passes of the response, pair by pair, with growing slack; what it does
   *    not look at collides by deflect_pair(); before them, rigid bodies that
   *    rest on each other push as in the last step,
   * 2. the closest-point projection of all contact points of a group at once,
   *    by impulses at the start of the step,
   * 3. groups of nodes that move rigidly in this step; a group that meets
   *    another node takes it in (coupled nodes are in one from the start),
   * 4. nothing: the caller has to repeat the step with a shorter one.
   *
   * Pairs first and rigid zones last is the order of Bridson, Fedkiw and
   * Anderson (2002); all contact points of a zone at once in between are an
   * idea of Harmon et al. (2008), who project velocities onto equalities
   * instead.
   *
   * Pairs that touch at the start of the step (by construction of an initial
   * state, since contact leaves a clearance) have no side to be kept on; for
   * them only the response decides.
   */
  template <int dim>
  class Settling
  {
  public:
    /** One point per node or vertex. */
    using Positions = std::vector<dealii::Point<dim>>;

    /** Use this surface, this search and these obstacles (if any), which must
     * outlive this object.
     *
     * @param[in] searched Which bodies may touch.
     */
    void
    reinit(const Surface<dim> &surface,
           Search<dim> &search,
           const SearchSettings &searched,
           const SettlingSettings &settings,
           ContactObstacles<dim> *obstacles = nullptr,
           const bool has_rigid_bodies      = false);

    /**
     * Correct @p state. Sets ContactRecord::unsettled if the step is to be
     * repeated, or if there is no guarantee and the passes did not end.
     *
     * @param[in] prepare Called once, on all ranks, before the first response
     *   to any encounter: most steps have none, and need no more of @p state
     *   than both positions.
     */
    void
    settle(
      ContactCorrection<dim> &correction,
      ContactState<dim> &state,
      const std::function<void()> &prepare = []() {});

    /** Stage 2 alone. Whether nothing is left to do. */
    bool
    project_groups(ContactState<dim> &state);

    /** Find what meets, or is in reach, on the ways of the nodes; contacts with
     * obstacles add their nodes. */
    void
    detect(ContactState<dim> &state, std::vector<Encounter> &found);

    /** Whether any of these keeps the positions from being accepted. */
    bool
    any_blocked(const std::vector<Encounter> &found,
                const ContactState<dim> &state) const;

    /** An accepted step ends as settle() has left it. */
    void
    accept(const ContactState<dim> &state)
    {
      if (has_rigid_bodies)
        resting_pairs.remember(settings.pass, state);
    }

    /** The rigid bodies that hold each other from step to step. */
    RestingPairs<dim> resting_pairs;

    /** Wall time spent in detection and in the response so far, in seconds. */
    double search_time = 0., response_time = 0.;

  private:
    using Key = std::tuple<PairKind, unsigned int, unsigned int>;

    /** Whether what moved rigidly intersects other bodies at the end of the
     * step: it is unsettled then. */
    void
    check_end(ContactState<dim> &state);

    /** Write down where a step does not settle. */
    void
    note_place(ContactState<dim> &state) const;

    /** Stage 1. Whether nothing is left to do. */
    bool
    repeat_passes(ContactCorrection<dim> &correction, ContactState<dim> &state);

    /** Let pairs collide that keep the positions from being accepted although
     * the response has nothing to do: those that it does not look at. Whether
     * there were any. */
    bool
    deflect_blocked(const PassSettings &pass, ContactState<dim> &state) const;

    /** How a pair is kept apart by projections; @p is_constrained says whether
     * a constraint could not do it. Whether it is too close at all. */
    bool
    find_collision(const CollisionGeometry<dim> &geometry,
                   const Encounter &encounter,
                   const bool is_constrained,
                   const ContactState<dim> &state,
                   Collision<dim> &collision) const;

    /**
     * Add a constraint for each pair that is too close, or replace the one it
     * has; @p slack is what they get more than they need, relative to that.
     *
     * @return Whether anything was added.
     */
    bool
    add_constraints(const ContactState<dim> &state, const double slack);

    /** Let the impulses act that move the predictor to its projection; not, and
     * false, if they would add energy since constraints are against each other.
     */
    bool
    push_constraints(ContactState<dim> &state) const;

    /** Stage 3. */
    bool
    move_groups(ContactState<dim> &state);

    const Surface<dim> *surface      = nullptr;
    Search<dim> *search              = nullptr;
    ContactObstacles<dim> *obstacles = nullptr;
    bool has_rigid_bodies            = false;
    SearchSettings pairs;
    SettlingSettings settings;

    std::vector<Encounter> encounters;
    Positions begin_vertices, end_vertices;

    /** Where vertices were before groups moved rigidly; empty if none did. */
    Positions vertices_before_groups;

    std::vector<GapConstraint<dim>> constraints;
    std::vector<PairKind> kinds; // of the constraints
    std::map<Key, unsigned int> number_of_constraint;
  };
} // namespace Ricochet

#endif
