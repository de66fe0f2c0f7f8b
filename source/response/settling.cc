// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/stopwatch.h>
#include <ricochet/impulse/deflection.h>
#include <ricochet/impulse/held_pairs.h>
#include <ricochet/impulse/node_groups.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/rigid_group.h>
#include <ricochet/impulse/rigid_nodes.h>
#include <ricochet/overlap/intersections.h>
#include <ricochet/projection/group_impulses.h>
#include <ricochet/response/settling.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

namespace Ricochet
{
  using dealii::Point;

  namespace
  {
    /** How many times as many passes are allowed with rigid bodies: what one
     * pass lets a body do, the next one knows of its neighbors in a stack. */
    constexpr unsigned int passes_of_rigid_bodies = 4;

    /** The slack grows by this factor, up to the whole way that a pair is held
     * up on. */
    constexpr double slack_growth = 8., largest_slack = 1.;
  } // namespace



  template <int dim>
  void
  Settling<dim>::reinit(const Surface<dim> &new_surface,
                        Search<dim> &new_search,
                        const SearchSettings &searched,
                        const SettlingSettings &new_settings,
                        ContactObstacles<dim> *new_obstacles,
                        const bool with_rigid_bodies)
  {
    surface          = &new_surface;
    search           = &new_search;
    pairs            = searched;
    settings         = new_settings;
    obstacles        = new_obstacles;
    has_rigid_bodies = with_rigid_bodies;
  }



  template <int dim>
  void
  Settling<dim>::settle(ContactCorrection<dim> &correction,
                        ContactState<dim> &state,
                        const std::function<void()> &prepare)
  {
    vertices_before_groups.clear();
    detect(state, encounters);
    if (!encounters.empty())
      prepare();
    if (repeat_passes(correction, state))
      return;
    if (settings.guarantee && (project_groups(state) || move_groups(state)))
      {
        if (!vertices_before_groups.empty())
          check_end(state);
        return;
      }
    state.record.unsettled = true;
    note_place(state);
  }



  template <int dim>
  void
  Settling<dim>::check_end(ContactState<dim> &state)
  {
    const Positions &end =
      surface->vertex_positions(state.end_positions, end_vertices);
    std::vector<char> has_moved(surface->n_facets(), 0);
    for (unsigned int f = 0; f < surface->n_facets(); ++f)
      for (const unsigned int v : surface->facets[f])
        if (end[v] != vertices_before_groups[v])
          has_moved[f] = 1;

    // Of bodies that may touch; what intersects before is no step's fault.
    const auto intersecting = [&](const Positions &vertices) {
      auto found      = facets_intersecting(*surface, vertices, has_moved);
      const auto body = [&](const unsigned int facet) {
        return surface->facet_body[facet];
      };
      found.erase(std::remove_if(found.begin(),
                                 found.end(),
                                 [&](const auto &pair) {
                                   return !pairs.may_touch(body(pair[0]),
                                                           body(pair[1]),
                                                           surface->n_bodies);
                                 }),
                  found.end());
      return found;
    };
    const auto found = intersecting(end);
    if (found.empty() ||
        !intersecting(
           surface->vertex_positions(state.start_positions, begin_vertices))
           .empty())
      return;
    state.record.unsettled = true;
    const auto &facets     = found[0];
    for (unsigned int d = 0; d < dim; ++d)
      state.record.place[d] = end[surface->facets[facets[0]][0]][d];
    state.record.bodies = {
      {surface->facet_body[facets[0]], surface->facet_body[facets[1]]}};
  }



  template <int dim>
  void
  Settling<dim>::note_place(ContactState<dim> &state) const
  {
    const auto geometry = state.geometry(*surface);
    for (const Encounter &encounter : encounters)
      {
        if (!geometry.is_blocked(encounter, state.end_positions))
          continue;
        Collision<dim> collision;
        geometry.evaluate_at_impact(encounter,
                                    geometry.at_impact(encounter),
                                    state.end_positions,
                                    collision);
        state.record.bodies = collision.bodies;
        for (unsigned int i = 0; i < collision.nodes.size(); ++i)
          for (unsigned int d = 0; d < dim; ++d)
            state.record.place[d] +=
              std::max(0., collision.weights[i]) *
              state.start_positions[collision.nodes[i]][d];
        return;
      }
  }



  template <int dim>
  void
  Settling<dim>::detect(ContactState<dim> &state, std::vector<Encounter> &found)
  {
    Stopwatch watch(search_time);
    const Positions &begin =
      surface->vertex_positions(state.start_positions, begin_vertices);
    const Positions &end =
      surface->vertex_positions(state.end_positions, end_vertices);
    search->detect(begin, end, found);
    if (obstacles != nullptr)
      obstacles->detect(begin, end, state, found);
  }



  template <int dim>
  bool
  Settling<dim>::repeat_passes(ContactCorrection<dim> &correction,
                               ContactState<dim> &state)
  {
    PassSettings pass = settings.pass;
    if (has_rigid_bodies &&
        resting_pairs.expect(*surface, encounters, pass, state))
      {
        Stopwatch watch(response_time);
        ease_pairs(pass, state);
        share_losses(state);
        straighten_rigid_bodies(state);
        ++state.record.n_passes;
      }
    const unsigned int max_passes =
      (has_rigid_bodies ? passes_of_rigid_bodies : 1) * settings.max_passes;
    for (unsigned int n = 0; n < max_passes; ++n)
      {
        if (state.record.n_passes > 0)
          detect(state, encounters);
        Stopwatch watch(response_time);
        if (!correction.correct(*surface, encounters, pass, state) &&
            !(settings.guarantee && deflect_blocked(pass, state)))
          return !settings.guarantee || !any_blocked(encounters, state);
        ease_pairs(pass, state);
        straighten_rigid_bodies(state);
        ++state.record.n_passes;
        pass.widen(settings.pass);
        pass.slack = std::min(slack_growth * pass.slack, largest_slack);
      }
    return false;
  }



  template <int dim>
  bool
  Settling<dim>::deflect_blocked(const PassSettings &pass,
                                 ContactState<dim> &state) const
  {
    if (encounters.empty())
      return false;
    const auto geometry = state.geometry(*surface);
    bool any            = false;
    for (const Encounter &encounter : encounters)
      {
        Collision<dim> collision;
        if (!geometry.is_blocked(encounter, state.end_positions) ||
            !find_collision(geometry, encounter, false, state, collision) ||
            deflect_pair(collision, pass, state).status == ContactStatus::open)
          continue;
        note_handled(encounter.kind, collision, state);
        any = true;
      }
    return any;
  }



  template <int dim>
  bool
  Settling<dim>::any_blocked(const std::vector<Encounter> &found,
                             const ContactState<dim> &state) const
  {
    if (found.empty())
      return false;
    const auto geometry = state.geometry(*surface);
    return std::any_of(found.begin(),
                       found.end(),
                       [&](const Encounter &encounter) {
                         return geometry.is_blocked(encounter,
                                                    state.end_positions);
                       });
  }



  template <int dim>
  bool
  Settling<dim>::project_groups(ContactState<dim> &state)
  {
    constraints.clear();
    kinds.clear();
    number_of_constraint.clear();
    Positions predictor = state.end_positions;
    ProjectionResult projection;
    bool is_done = false;
    for (unsigned int round = 0;
         round < settings.max_projections && projection.is_solved && !is_done;
         ++round)
      {
        detect(state, encounters);
        Stopwatch watch(response_time);
        predictor.insert(predictor.end(),
                         state.end_positions.begin() + predictor.size(),
                         state.end_positions.end()); // new nodes of obstacles
        is_done = !add_constraints(state,
                                   std::min(settings.pass.slack * (1. + round),
                                            largest_slack));
        if (!is_done)
          projection = project_onto_gaps(constraints,
                                         state.inverse_mass,
                                         predictor,
                                         state.end_positions);
      }
    state.end_positions = predictor;
    if (!push_constraints(state))
      return false;
    state.record.n_projected += projection.n_groups;
    if (has_rigid_bodies)
      {
        // What the projection knows of a rotation is its first order.
        straighten_rigid_bodies(state);
        detect(state, encounters);
      }
    return is_done && !any_blocked(encounters, state);
  }



  template <int dim>
  bool
  Settling<dim>::find_collision(const CollisionGeometry<dim> &geometry,
                                const Encounter &encounter,
                                const bool is_constrained,
                                const ContactState<dim> &state,
                                Collision<dim> &collision) const
  {
    const auto at_impact = geometry.at_impact(encounter);
    const bool is_close  = geometry.evaluate(encounter,
                                            at_impact,
                                            state.end_positions,
                                            settings.pass.eta,
                                            collision);
    if (is_close && !(is_constrained && collision.start_gap < 0. &&
                      encounter.kind == PairKind::edge_edge))
      return true;
    if (!geometry.is_blocked(encounter, state.end_positions))
      return is_close;
    if (!is_close)
      return geometry.evaluate_at_impact(encounter,
                                         at_impact,
                                         state.end_positions,
                                         collision) &&
             collision.gap < settings.pass.delta * collision.length;
    // Edges that come back although they were behind along their normal from
    // the start do so for ever: the normal is not that of their side.
    Collision<dim> other;
    if (geometry.evaluate_along(encounter,
                                at_impact.weights,
                                at_impact.raw_normal,
                                state.end_positions,
                                settings.pass.delta,
                                other))
      collision = other;
    return true;
  }



  template <int dim>
  bool
  Settling<dim>::add_constraints(const ContactState<dim> &state,
                                 const double slack)
  {
    const auto geometry = state.geometry(*surface);
    bool any            = false;
    for (const Encounter &encounter : encounters)
      {
        const Key key(encounter.kind, encounter.first, encounter.second);
        GapConstraint<dim> constraint;
        Collision<dim> &collision = constraint.collision;
        if (!find_collision(geometry,
                            encounter,
                            number_of_constraint.count(key) > 0,
                            state,
                            collision))
          continue;
        constraint.target =
          collision.least_gap +
          slack * std::max(0., collision.least_gap - collision.gap);
        const auto entry =
          number_of_constraint.emplace(key, constraints.size());
        if (entry.second)
          {
            constraints.push_back(constraint);
            kinds.push_back(encounter.kind);
          }
        else
          constraints[entry.first->second] = constraint;
        any = true;
      }
    return any;
  }



  template <int dim>
  bool
  Settling<dim>::push_constraints(ContactState<dim> &state) const
  {
    // Before the first step there is no motion yet.
    if (state.dt > 0.)
      {
        GroupImpulses<dim> impulses(constraints, state);
        for (const GapConstraint<dim> &constraint : constraints)
          if (impulses.gains_at_start(constraint.collision))
            return false;
      }
    for (unsigned int k = 0; k < constraints.size(); ++k)
      {
        const Collision<dim> &collision = constraints[k].collision;
        if (state.dt > 0.)
          push_along(collision,
                     constraints[k].multiplier / state.dt,
                     ImpulseTime::start,
                     state);
        else
          shift_pair(collision,
                     constraints[k].multiplier * collision.normal,
                     state);
        note_handled(kinds[k], collision, state);
      }
    return true;
  }



  template <int dim>
  bool
  Settling<dim>::move_groups(ContactState<dim> &state)
  {
    const Positions &vertices =
      surface->vertex_positions(state.end_positions, end_vertices);
    vertices_before_groups.assign(vertices.begin(),
                                  vertices.begin() + surface->n_vertices());
    NodeGroups groups(state.start_positions.size());
    // Impulses on one of them move the others, and then what is to be rigid
    // already.
    for (const auto &set : state.inverse_mass.coupled_sets())
      groups.join(set->get_nodes());
    std::set<unsigned int> members; // of any group
    const auto groups_of = [&groups](const auto &nodes) {
      std::set<unsigned int> result;
      for (const unsigned int node : nodes)
        result.insert(groups.group_of(node));
      return result;
    };
    while (true)
      {
        detect(state, encounters);
        Stopwatch watch(response_time);
        const auto geometry = state.geometry(*surface);
        std::vector<unsigned int> grown;
        for (const Encounter &encounter : encounters)
          {
            if (!geometry.is_blocked(encounter, state.end_positions))
              continue;
            const auto nodes = geometry.nodes(encounter);
            if (groups.are_one(nodes) &&
                std::all_of(nodes.begin(), nodes.end(), [&](unsigned int node) {
                  return members.count(node) > 0;
                }))
              continue;
            groups.join(nodes);
            members.insert(nodes.begin(), nodes.end());
            grown.push_back(nodes.front());
          }
        if (grown.empty())
          {
            state.record.n_rigid += groups_of(members).size();
            return true;
          }
        for (const unsigned int root : groups_of(grown))
          {
            std::vector<unsigned int> group;
            std::copy_if(members.begin(),
                         members.end(),
                         std::back_inserter(group),
                         [&](const unsigned int node) {
                           return groups.group_of(node) == root;
                         });
            if (!move_rigidly(group, state))
              return false;
          }
      }
  }



  template class Settling<2>;
  template class Settling<3>;
} // namespace Ricochet
