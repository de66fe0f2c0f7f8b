// SPDX-License-Identifier: LGPL-2.1-or-later

#include "nonsmooth.h"

#include <ricochet/base/error.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/rigid_nodes.h>
#include <ricochet/projection/closest_way.h>
#include <ricochet/projection/energy_restoration.h>
#include <ricochet/projection/group_impulses.h>

#include <algorithm>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  template <int dim>
  void
  NonsmoothResponse<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    prm.declare_entry(
      "Exact angular momentum",
      "false",
      dealii::Patterns::Bool(),
      "Whether contact forces have the directions of the gaps in the middle of "
      "the step, instead of those at its end: then they keep the angular "
      "momentum to round-off instead of to first order in the step, but the "
      "projection is no longer the closest point. Units: None.");
    prm.declare_entry(
      "Energy restoration",
      "false",
      dealii::Patterns::Bool(),
      "Whether contacts that close push on until they have given back the "
      "energy that their forces took, as in the energy-momentum method of "
      "Love and Laursen (2003), equation (74): impacts are then elastic. Only "
      "with a lumped mass and without obstacles. Units: None.");
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    keep_angular_momentum = prm.get_bool("Exact angular momentum");
    energy_restoration    = prm.get_bool("Energy restoration");
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::check(const PassSettings &settings) const
  {
    require(settings.friction.largest() == 0.,
            "Contact: the response 'nonsmooth' has no friction, and 'Friction "
            "coefficient' or 'Friction of pairs' is not zero. Set them to 0 or "
            "leave them out, or use 'Response = dcr' or 'barycentric'.");
    require(settings.restitution.smallest() == 1.,
            "Contact: the restitution of the response 'nonsmooth' follows from "
            "its projection. Leave 'Restitution' at 1 and 'Restitution of "
            "pairs' out, or use 'Response = dcr' or 'barycentric'.");
  }



  template <int dim>
  bool
  NonsmoothResponse<dim>::correct(const Surface<dim> &surface,
                                  const std::vector<Encounter> &encounters,
                                  const PassSettings &settings,
                                  ContactState<dim> &state)
  {
    if (!state.has_acted())
      {
        projection.clear();
        crossings.clear();
        clearance = settings.delta;
      }
    const auto geometry = state.geometry(surface);
    bool any            = false;
    for (const Encounter &encounter : encounters)
      any |= add(surface, encounter, geometry, settings, state);
    if (!any)
      return false;

    project(surface, state);
    take_back(state);
    apply(state);
    return true;
  }



  template <int dim>
  bool
  NonsmoothResponse<dim>::add(const Surface<dim> &surface,
                              const Encounter &encounter,
                              const CollisionGeometry<dim> &geometry,
                              const PassSettings &settings,
                              const ContactState<dim> &state)
  {
    const auto at_impact = geometry.at_impact(encounter);
    Branch<dim> branch;
    if (encounter.kind != PairKind::given)
      {
        branch      = branch_of(surface, encounter, state.start_positions);
        bool is_new = false;
        const bool edges_met =
          encounter.kind == PairKind::edge_edge && at_impact.is_plausible;
        if (end_crossings(surface,
                          encounter,
                          edges_met ? &branch : nullptr,
                          state,
                          is_new))
          return is_new;
      }

    Collision<dim> collision;
    const bool is_close = geometry.evaluate(encounter,
                                            at_impact,
                                            state.end_positions,
                                            settings.eta,
                                            collision);
    if (encounter.kind != PairKind::given)
      {
        const bool is_blocked =
          geometry.is_blocked(encounter, state.end_positions);
        if (!is_close && !is_blocked)
          return false;
        // Where both ends of a curved path are admissible and the straight one
        // is not, more clearance is needed.
        if (projection.has(branch))
          return is_blocked && projection.raise(branch, settings.delta);
        const auto target = target_of(surface, branch, state);
        if (target && at_impact.is_plausible &&
            is_on_features(surface, branch, state.end_positions))
          {
            crossings.demand(branch);
            return projection.add(branch, *target);
          }
        if (!is_close && !geometry.evaluate_at_impact(encounter,
                                                      at_impact,
                                                      state.end_positions,
                                                      collision))
          return false;
      }
    else if (!is_close)
      return false;
    projection.add(encounter,
                   collision,
                   projection.has(encounter) ? settings.delta * collision.length
                                             : target_of(collision));
    return true;
  }



  template <int dim>
  bool
  NonsmoothResponse<dim>::end_crossings(const Surface<dim> &surface,
                                        const Encounter &encounter,
                                        const Branch<dim> *met,
                                        const ContactState<dim> &state,
                                        bool &is_new)
  {
    bool any = false;
    for (const auto &[f, g] : facets_at(surface, encounter))
      any |= end_crossing(surface, f, g, met, state, is_new);
    return any;
  }



  template <int dim>
  bool
  NonsmoothResponse<dim>::end_crossing(const Surface<dim> &surface,
                                       const unsigned int facet_a,
                                       const unsigned int facet_b,
                                       const Branch<dim> *met,
                                       const ContactState<dim> &state,
                                       bool &is_new)
  {
    const auto ways =
      ways_back(surface,
                ways_out(surface, state.end_positions, facet_a, facet_b),
                state.start_positions,
                state.end_positions,
                met);
    if (ways.empty())
      return false;
    const auto &way =
      closest_way(surface, ways, state.inverse_mass, state.end_positions);
    for (const Branch<dim> &branch : way)
      is_new |= projection.add(branch, *target_of(surface, branch, state));
    crossings.add(
      {std::min(facet_a, facet_b), std::max(facet_a, facet_b), ways, way});
    return true;
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::project(const Surface<dim> &surface,
                                  const ContactState<dim> &state)
  {
    const auto *const middle_of =
      keep_angular_momentum ? &state.start_positions : nullptr;
    std::vector<Point<dim>> positions;
    const auto result = projection.project(surface,
                                           state.inverse_mass,
                                           state.predicted_positions,
                                           middle_of,
                                           positions);
    ++n_projections;
    n_iterations += result.n_iterations;
    most_iterations = std::max(most_iterations, result.n_iterations);
    if (result.is_solved)
      return;
    const auto target = [&](const Branch<dim> &branch) {
      return *target_of(surface, branch, state);
    };
    if (crossings.take_other_ways(surface,
                                  state.inverse_mass,
                                  state.predicted_positions,
                                  middle_of,
                                  target,
                                  result.unsettled,
                                  projection))
      ++n_combined;
    else
      ++n_failed;
  }



  template <int dim>
  std::optional<double>
  NonsmoothResponse<dim>::target_of(const Surface<dim> &surface,
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
  NonsmoothResponse<dim>::target_of(const Collision<dim> &collision) const
  {
    // What starts closer than the clearance stays there: to open the gap on
    // would be work that contact does.
    const double largest = clearance * collision.length;
    return std::clamp(collision.start_gap,
                      std::min(2. * touching_distance * collision.length,
                               largest),
                      largest);
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::take_back(ContactState<dim> &state) const
  {
    const unsigned int n_passes = state.record.n_passes;
    state.clear_response();
    go_to_start_of_rigid_bodies(state);
    state.end_positions   = state.predicted_positions;
    state.velocities      = state.predicted_velocities;
    state.record.n_passes = n_passes;
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::apply(ContactState<dim> &state) const
  {
    const auto &constraints = projection.get_constraints();
    GroupImpulses<dim> impulses(constraints, state);
    for (unsigned int k = 0; k < constraints.size(); ++k)
      {
        const Collision<dim> &collision = constraints[k].collision;
        const double impulse            = constraints[k].multiplier / state.dt;
        note_handled(projection.kind_of(k), collision, state);
        if (!impulses.gains(collision)) // else left to the guarantee
          push_along(collision, impulse, ImpulseTime::start, state);
      }
    // When all are where they will be.
    straighten_rigid_bodies(state);
    go_to_end_of_rigid_bodies(state);
    impulses.look_at_end(constraints, state);
    for (const GapConstraint<dim> &c : constraints)
      if (!impulses.gains(c.collision))
        push_along(c.collision,
                   impulses.share_at_end(c.collision) * c.multiplier / state.dt,
                   ImpulseTime::end,
                   state);
    state.record.restitution_loss = impulses.loss();
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::update_velocities(const Surface<dim> &surface,
                                            ContactState<dim> &state)
  {
    // The work is that of the impulses on the mean velocity of the step: with
    // it the energy that explicit Newmark keeps, K + U - dt^2/8 a.Ma, changes,
    // where the displacement of the step would miss dt^2/4 F.(a_n+1 - a_n).
    std::vector<double> work;
    for (const GapConstraint<dim> &c : projection.get_constraints())
      {
        const Tensor<1, dim> v_begin =
          c.collision.weighted_sum(state.predicted_velocities) -
          0.5 * state.dt * c.collision.weighted_sum(state.accelerations);
        work.push_back(
          c.multiplier / state.dt *
          (c.collision.normal *
           (v_begin + c.collision.weighted_sum(state.velocities))));
      }
    restore_energy(projection.at(surface, state.end_positions), work, state);
  }



  template <int dim>
  std::vector<std::pair<std::string, double>>
  NonsmoothResponse<dim>::numbers() const
  {
    if (n_projections == 0)
      return {};
    return {{"projections", n_projections},
            {"of these by combinations of ways", n_combined},
            {"of these not solved", n_failed},
            {"iterations per projection", double(n_iterations) / n_projections},
            {"most iterations", most_iterations}};
  }



  RICOCHET_REGISTER_CONTACT_CORRECTION(
    NonsmoothResponse,
    "nonsmooth",
    "Nonsmooth contact (Kane, Repetto, Ortiz and Marsden, 1999): the "
    "closest-point projection of the predictor onto the configurations without "
    "overlap, by sequential quadratic programming; without friction, explicit.")
} // namespace Ricochet
