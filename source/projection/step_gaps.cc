// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/projection/closest_way.h>
#include <ricochet/projection/step_gaps.h>

#include <algorithm>

namespace Ricochet
{
  using dealii::Point;

  namespace
  {
    /** A gap is the one that contact leaves up to this factor. */
    constexpr double same_gap = 1. + 1e-6;
  } // namespace



  template <int dim>
  void
  StepGaps<dim>::clear(const double new_clearance, const bool new_opens)
  {
    opens = new_opens;
    projection.clear();
    crossings.clear();
    clearance = new_clearance;
    pressed.clear();
    first_guess.clear();
    guess.clear();
  }



  template <int dim>
  void
  StepGaps<dim>::linearize_from(const std::vector<Point<dim>> &start)
  {
    first_guess = guess = start;
  }



  template <int dim>
  void
  StepGaps<dim>::forget_idle(const Surface<dim> &surface)
  {
    const auto &gaps = projection.get_constraints();
    std::vector<char> is_idle(gaps.size(), 0);
    for (unsigned int k = 0; k < gaps.size(); ++k)
      {
        const auto &branch = projection.branch_of(k);
        is_idle[k]         = !(gaps[k].multiplier > 0.) ||
                     (branch && !is_on_features(surface, *branch, guess));
      }
    projection = projection.without(is_idle);
    crossings.clear();
    for (unsigned int k = 0; k < projection.get_constraints().size(); ++k)
      if (const auto &branch = projection.branch_of(k))
        crossings.demand(*branch);
  }



  template <int dim>
  bool
  StepGaps<dim>::add(const Surface<dim> &surface,
                     const std::vector<Encounter> &encounters,
                     const PassSettings &settings,
                     const ContactState<dim> &state,
                     const Known known)
  {
    const auto geometry = state.geometry(surface);
    bool any            = false;
    for (const Encounter &encounter : encounters)
      any |= add(surface, encounter, geometry, settings, state, known);
    return any;
  }



  template <int dim>
  bool
  StepGaps<dim>::add(const Surface<dim> &surface,
                     const Encounter &encounter,
                     const CollisionGeometry<dim> &geometry,
                     const PassSettings &settings,
                     const ContactState<dim> &state,
                     const Known known)
  {
    // It takes long, and most of what is known does not need it.
    std::optional<typename CollisionGeometry<dim>::AtImpact> known_impact;
    const auto at_impact = [&]() -> const auto &
    {
      if (!known_impact)
        known_impact = geometry.at_impact(encounter);
      return *known_impact;
    };
    if (encounter.kind != PairKind::given)
      {
        const Branch<dim> features = features_of(surface, encounter);
        const auto have_met        = [&]() {
          return encounter.kind == PairKind::edge_edge &&
                 at_impact().is_plausible;
        };
        bool is_new = false;
        if (end_crossings(surface,
                          encounter,
                          features,
                          have_met,
                          state,
                          is_new))
          return is_new;
        if (projection.has(features))
          return known == Known::widen &&
                 widen(surface, encounter, geometry, settings, state);
      }

    Collision<dim> collision;
    const bool is_close = geometry.evaluate(encounter,
                                            at_impact(),
                                            state.end_positions,
                                            settings.eta,
                                            collision);
    if (encounter.kind != PairKind::given)
      {
        if (!is_close && !geometry.is_blocked(encounter, state.end_positions))
          return false;
        const Branch<dim> branch =
          branch_of(surface, encounter, state.start_positions);
        const auto target = target_of(surface, branch, state);
        if (target && at_impact().is_plausible &&
            is_on_features(surface, branch, state.end_positions))
          {
            crossings.demand(branch);
            return projection.add(branch, *target);
          }
        if (!is_close && !geometry.evaluate_at_impact(encounter,
                                                      at_impact(),
                                                      state.end_positions,
                                                      collision))
          return false;
      }
    else if (!is_close || (known == Known::leave && projection.has(encounter)))
      return false;
    projection.add(encounter,
                   collision,
                   projection.has(encounter) ? settings.delta * collision.length
                                             : target_of(collision));
    return true;
  }



  template <int dim>
  bool
  StepGaps<dim>::keep_apart(const Surface<dim> &surface,
                            const std::vector<Encounter> &encounters,
                            const PassSettings &settings,
                            const ContactState<dim> &state)
  {
    const auto geometry = state.geometry(surface);
    bool any            = false;
    for (const Encounter &encounter : encounters)
      {
        Collision<dim> collision;
        if (!geometry.is_blocked(encounter, state.end_positions) ||
            !geometry.evaluate_at_impact(encounter,
                                         geometry.at_impact(encounter),
                                         state.end_positions,
                                         collision) ||
            collision.gap >= settings.delta * collision.length)
          continue;
        n_kept += projection.has(encounter) ? 0 : 1;
        projection.add(encounter, collision, settings.delta * collision.length);
        any = true;
      }
    return any;
  }



  template <int dim>
  bool
  StepGaps<dim>::widen(const Surface<dim> &surface,
                       const Encounter &encounter,
                       const CollisionGeometry<dim> &geometry,
                       const PassSettings &settings,
                       const ContactState<dim> &state)
  {
    // Where both ends of a curved path are admissible and the straight one is
    // not, more clearance is needed; not of features that were behind each
    // other from the start.
    if (!geometry.is_blocked(encounter, state.end_positions))
      return false;
    const Branch<dim> branch =
      branch_of(surface, encounter, state.start_positions);
    const auto target = target_of(surface, branch, state);
    return target && *target > 0. && projection.raise(branch, settings.delta);
  }



  template <int dim>
  bool
  StepGaps<dim>::end_crossings(const Surface<dim> &surface,
                               const Encounter &encounter,
                               const Branch<dim> &features,
                               const std::function<bool()> &have_met,
                               const ContactState<dim> &state,
                               bool &is_new)
  {
    bool any = false;
    for (const auto &facets : facets_at(surface, encounter))
      {
        const auto ways =
          ways_out(surface, state.end_positions, facets[0], facets[1]);
        if (!ways.empty())
          any |= end_crossing(surface,
                              facets,
                              ways,
                              have_met() ? &features : nullptr,
                              state,
                              is_new);
      }
    return any;
  }



  template <int dim>
  bool
  StepGaps<dim>::end_crossing(const Surface<dim> &surface,
                              const std::array<unsigned int, 2> &facets,
                              const std::vector<BranchSet<dim>> &ways,
                              const Branch<dim> *met,
                              const ContactState<dim> &state,
                              bool &is_new)
  {
    const auto back =
      ways_back(surface, ways, state.start_positions, state.end_positions, met);
    if (back.empty())
      return false;
    const auto &way =
      closest_way(surface, back, state.inverse_mass, state.end_positions);
    for (const Branch<dim> &branch : way)
      is_new |= projection.add(branch, *target_of(surface, branch, state));
    crossings.add({std::min(facets[0], facets[1]),
                   std::max(facets[0], facets[1]),
                   back,
                   way});
    return true;
  }



  template <int dim>
  bool
  StepGaps<dim>::project(const Surface<dim> &surface,
                         const InverseMass<dim> &flexibility,
                         const ContactState<dim> &state)
  {
    // Of the whole step, also where its way has begun anew.
    std::vector<Point<dim>> start;
    if (directions_of_middle)
      {
        start = state.start_positions;
        std::copy(first_guess.begin(), first_guess.end(), start.begin());
      }
    const auto *const middle_of = directions_of_middle ? &start : nullptr;
    ++n_projections;
    std::set<Branch<dim>> unsettled;
    std::vector<Point<dim>> from  = guess;
    const auto project_from_there = [&]() {
      return project_once(surface,
                          flexibility,
                          state,
                          middle_of,
                          from,
                          unsettled);
    };
    bool is_solved = project_from_there();
    if (!is_solved && guess != first_guess)
      {
        from      = first_guess;
        is_solved = project_from_there();
      }
    if (is_solved)
      {
        if (!guess.empty())
          guess = from;
        return true;
      }
    const auto target = [&](const Branch<dim> &branch) {
      return *target_of(surface, branch, state);
    };
    if (crossings.take_other_ways(surface,
                                  flexibility,
                                  state.predicted_positions,
                                  middle_of,
                                  target,
                                  unsettled,
                                  projection))
      {
        ++n_combined;
        return true;
      }
    ++n_failed;
    return false;
  }



  template <int dim>
  bool
  StepGaps<dim>::project_once(const Surface<dim> &surface,
                              const InverseMass<dim> &flexibility,
                              const ContactState<dim> &state,
                              const std::vector<Point<dim>> *middle_of,
                              std::vector<Point<dim>> &guess,
                              std::set<Branch<dim>> &unsettled)
  {
    // What no body has is where the step ends.
    for (unsigned int node = 0;
         !guess.empty() && node < state.predicted_positions.size();
         ++node)
      if (node >= guess.size())
        guess.push_back(state.predicted_positions[node]);
      else if (!flexibility.is_of_body(node))
        guess[node] = state.predicted_positions[node];
    const auto result = projection.project(surface,
                                           flexibility,
                                           state.predicted_positions,
                                           middle_of,
                                           guess);
    n_iterations += result.n_iterations;
    n_large += result.n_large;
    n_by_columns += result.n_by_columns;
    most_iterations = std::max(most_iterations, result.n_iterations);
    unsettled       = result.unsettled;
    return result.is_solved;
  }



  template <int dim>
  void
  StepGaps<dim>::find_pressed(const Surface<dim> &surface,
                              const ContactState<dim> &state)
  {
    const auto &gaps = projection.get_constraints();
    pressed.assign(gaps.size(), 0);
    if (!stops_ringing)
      return;
    const auto at_start = projection.at(surface, state.start_positions);
    for (unsigned int k = 0; k < gaps.size(); ++k)
      {
        // Those without a branch know it from their encounter.
        // One that had to become wider does work.
        const Collision<dim> &start = at_start[k].collision;
        const double start_gap      = projection.kind_of(k) == PairKind::given
                                        ? start.start_gap
                                        : start.gap;
        pressed[k]                  = gaps[k].multiplier > 0. &&
                     start_gap <= same_gap * clearance * start.length &&
                     gaps[k].target <=
                       start_gap + (same_gap - 1.) * clearance * start.length &&
                     gaps[k].collision.normal *
                         gaps[k].collision.weighted_sum(state.velocities) >=
                       0.;
      }
  }



  template <int dim>
  std::optional<double>
  StepGaps<dim>::target_of(const Surface<dim> &surface,
                           const Branch<dim> &branch,
                           const ContactState<dim> &state) const
  {
    Collision<dim> start;
    if (!evaluate_branch(surface, branch, state.start_positions, start))
      return {};
    start.start_gap = start.gap;
    return target_of(start);
  }



  template <int dim>
  double
  StepGaps<dim>::target_of(const Collision<dim> &collision) const
  {
    if (!opens && collision.start_gap < 0.)
      return collision.start_gap;
    // What starts closer than the clearance stays there: to open the gap on
    // would be work that contact does.
    const double largest = clearance * collision.length;
    return std::clamp(collision.start_gap,
                      std::min(2. * touching_distance * collision.length,
                               largest),
                      largest);
  }



  template <int dim>
  std::vector<std::pair<std::string, double>>
  StepGaps<dim>::numbers() const
  {
    if (n_projections == 0)
      return {};
    std::vector<std::pair<std::string, double>> result{
      {"projections", n_projections},
      {"of these by combinations of ways", n_combined},
      {"of these not solved", n_failed},
      {"iterations per projection", double(n_iterations) / n_projections},
      {"most iterations", most_iterations}};
    if (n_large > 0)
      {
        result.emplace_back("large systems of gaps", n_large);
        result.emplace_back("of these by columns", n_by_columns);
      }
    if (n_kept > 0)
      result.emplace_back("pairs kept apart as they met", n_kept);
    return result;
  }



  template class StepGaps<2>;
  template class StepGaps<3>;
} // namespace Ricochet
