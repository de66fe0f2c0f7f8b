// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/embedding.h>
#include <ricochet/base/moment.h>
#include <ricochet/response/contact_rigid_bodies.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** The body is in a sphere that is larger by this, so that no weight is
     * negative by round-off. */
    constexpr double room = 1.0001;
  } // namespace



  template <int dim>
  void
  ContactRigidBodies<dim>::add_to(const std::vector<RigidSurface<dim>> &bodies,
                                  const Motions &motions,
                                  const SurfaceNodes<dim> &of_sources,
                                  Surface<dim> &surface,
                                  Positions &nodes)
  {
    sets.clear();
    numbers.clear();
    hosts.clear();
    radii.clear();
    first = surface.n_nodes;
    nodes.resize(first);
    for (unsigned int k = 0; k < bodies.size(); ++k)
      {
        const RigidSurface<dim> &body = bodies[k];
        double radius                 = 0.;
        for (const Point<dim> &X : body.vertices)
          radius = std::max(radius, X.norm());
        const auto set =
          std::make_shared<RigidNodes<dim>>(surface.n_nodes, room * radius);
        if (body.is_in_source())
          {
            surface.n_nodes += dim + 1;
            surface.vertices_are_nodes = false;
          }
        else
          {
            std::vector<double> weights;
            for (const Point<dim> &X : body.vertices)
              {
                const auto row = set->weights_of(X);
                weights.insert(weights.end(), row.begin(), row.end());
              }
            surface.append(dim + 1,
                           weights,
                           body.facets,
                           body.boundary_ids,
                           body.body);
          }
        set->place(motions[k]);
        nodes.resize(surface.n_nodes);
        sets.push_back(set);
        numbers.push_back(body.body);
        hosts.push_back(body.host);
        radii.push_back(radius);
        set->set(motions[k], nodes);
        surface.n_bodies = std::max(surface.n_bodies, body.body + 1);
      }
    predicted = motions;
    if (empty())
      return;
    hold_points_of_sources(of_sources, surface);
    Positions buffer;
    const Positions &vertices = surface.vertex_positions(nodes, buffer);
    surface.build_edges(vertices);
    surface.remove_flat_edges(vertices, numbers.front());
  }



  template <int dim>
  void
  ContactRigidBodies<dim>::hold_points_of_sources(
    const SurfaceNodes<dim> &of_sources,
    Surface<dim> &surface) const
  {
    const auto &entries = of_sources.rigid_entries;
    if (entries.empty())
      return;
    const std::vector<unsigned int> begin = surface.node_begin,
                                    old   = surface.vertex_nodes;
    const std::vector<double> weights     = surface.node_weights;
    surface.node_begin                    = {0};
    surface.vertex_nodes.clear();
    surface.node_weights.clear();
    unsigned int next = 0; // of the entries
    for (unsigned int v = 0; v < surface.n_vertices(); ++v)
      {
        std::map<unsigned int, double> row;
        for (unsigned int k = begin[v]; k < begin[v + 1]; ++k)
          {
            if (next == entries.size() || entries[next] != k)
              {
                row[old[k]] += weights[k];
                continue;
              }
            const RigidPoint<dim> &point = of_sources.rigid_points[next++];
            const auto set =
              std::lower_bound(numbers.begin(), numbers.end(), point.body) -
              numbers.begin();
            const auto of_point = sets[set]->weights_of(point.X);
            for (unsigned int i = 0; i <= dim; ++i)
              row[sets[set]->get_nodes()[i]] += weights[k] * of_point[i];
          }
        for (const auto &[node, weight] : row)
          {
            surface.vertex_nodes.push_back(node);
            surface.node_weights.push_back(weight);
          }
        surface.node_begin.push_back(surface.vertex_nodes.size());
      }
  }



  template <int dim>
  SearchSettings
  ContactRigidBodies<dim>::without_useless_pairs(
    const SearchSettings &settings,
    const unsigned int n_bodies) const
  {
    SearchSettings result = settings;
    if (empty())
      return result;
    const std::size_t n = n_bodies;
    if (result.body_pairs.empty())
      result.body_pairs.assign(n * n, 1);
    const auto host_of = [this](const unsigned int body) {
      const auto found = std::lower_bound(numbers.begin(), numbers.end(), body);
      return found != numbers.end() && *found == body
               ? hosts[found - numbers.begin()]
               : dealii::numbers::invalid_unsigned_int;
    };
    std::vector<unsigned int> immobile;
    for (unsigned int k = 0; k < sets.size(); ++k)
      {
        result.body_pairs[numbers[k] * n + numbers[k]] = 0;
        if (hosts[k] < n && !settings.self_contact)
          for (unsigned int other = 0; other < n; ++other)
            if (other == hosts[k] || host_of(other) == hosts[k])
              result.body_pairs[numbers[k] * n + other] =
                result.body_pairs[other * n + numbers[k]] = 0;
        const RigidMotion &motion = predicted[k];
        bool moves                = !motion.holds_rotation;
        for (unsigned int d = 0; d < dim; ++d)
          moves = moves || !motion.holds_velocity[d];
        if (!moves)
          immobile.push_back(numbers[k]);
      }
    for (unsigned int b = numbers.back() + 1; b < n_bodies; ++b) // obstacles
      immobile.push_back(b);
    for (const std::size_t a : immobile)
      for (const std::size_t b : immobile)
        result.body_pairs[a * n + b] = 0;
    return result;
  }



  template <int dim>
  void
  ContactRigidBodies<dim>::couple(InverseMass<dim> &inverse_mass) const
  {
    for (const auto &set : sets)
      inverse_mass.couple(set);
  }



  template <int dim>
  double
  ContactRigidBodies<dim>::speed(const unsigned int k,
                                 const RigidMotion &motion) const
  {
    return motion.velocity.norm() + motion.angular_velocity().norm() * radii[k];
  }



  template <int dim>
  void
  ContactRigidBodies<dim>::begin_step(
    const Motions &motions,
    const std::vector<RigidAcceleration> &accelerations,
    ContactState<dim> &state)
  {
    predicted = motions;
    for (unsigned int k = 0; k < sets.size(); ++k)
      {
        RigidNodes<dim> &set = *sets[k];
        set.place(motions[k]);
        set.set(motions[k], state.start_positions);
        set.set_velocities(motions[k], state.velocities);
        for (unsigned int i = 0; i <= dim; ++i)
          state.accelerations[set.get_nodes()[i]] =
            accelerations.empty()
              ? Tensor<1, dim>()
              : out_of_space<dim>(
                  accelerations[k].of_centre +
                  dealii::cross_product_3d(accelerations[k].angular,
                                           in_space(set.arms()[i])));
        predicted[k].drift(state.dt);
        set.set(predicted[k], state.end_positions);
      }
  }



  template <int dim>
  void
  ContactRigidBodies<dim>::place(const std::vector<RigidStep> &steps,
                                 ContactState<dim> &state)
  {
    for (unsigned int k = 0; k < sets.size(); ++k)
      {
        sets[k]->place(steps[k].start());
        sets[k]->set(steps[k].start(), state.start_positions);
        sets[k]->set(steps[k].end(), state.end_positions);
      }
  }



  template <int dim>
  void
  ContactRigidBodies<dim>::place_for_forces(const std::vector<RigidStep> &steps,
                                            ContactState<dim> &state)
  {
    middle_arms.resize(sets.size());
    for (unsigned int k = 0; k < sets.size(); ++k)
      {
        const RigidStep &step     = steps[k];
        const Tensor<2, 3> R      = step.start().rotation();
        const Tensor<1, 3> middle = 0.5 * (Tensor<1, 3>(step.start().centre) +
                                           Tensor<1, 3>(step.end().centre));
        middle_arms[k].clear();
        std::vector<Tensor<1, dim>> end_arms;
        for (unsigned int i = 0; i <= dim; ++i)
          {
            const unsigned int node = sets[k]->get_nodes()[i];
            const Tensor<1, 3> arm =
              step.modified_arm(R * in_space(sets[k]->corners()[i]));
            const Tensor<1, 3> half_way =
              0.5 * step.length() * step.mean_velocity_at(arm);
            state.start_positions[node] =
              Point<dim>(out_of_space<dim>(middle + arm - half_way));
            state.end_positions[node] =
              Point<dim>(out_of_space<dim>(middle + arm + half_way));
            state.velocities[node] =
              out_of_space<dim>(2. / step.length() * half_way);
            middle_arms[k].push_back(out_of_space<dim>(arm));
            end_arms.push_back(out_of_space<dim>(
              arm + 0.5 * dealii::cross_product_3d(step.turn(), arm)));
          }
        sets[k]->place(step.end(), end_arms);
      }
  }



  template <int dim>
  RigidLoad
  ContactRigidBodies<dim>::load_of_forces(
    const unsigned int k,
    const std::vector<Tensor<1, dim>> &forces,
    const ContactState<dim> &state) const
  {
    RigidLoad result;
    for (unsigned int i = 0; i <= dim; ++i)
      {
        const Tensor<1, dim> impulse =
          state.dt * forces[sets[k]->get_nodes()[i]];
        result.impulse += in_space(impulse);
        result.angular_impulse += moment(middle_arms[k][i], impulse);
      }
    return result;
  }



  template <int dim>
  void
  ContactRigidBodies<dim>::set_velocities(const Motions &motions,
                                          ContactState<dim> &state) const
  {
    for (unsigned int k = 0; k < sets.size(); ++k)
      sets[k]->set_velocities(motions[k], state.velocities);
  }



  template <int dim>
  void
  ContactRigidBodies<dim>::update(const std::vector<Tensor<1, dim>> &impulses,
                                  Motions &motions,
                                  ContactState<dim> &state)
  {
    updates.assign(sets.size(), {});
    for (unsigned int k = 0; k < sets.size(); ++k)
      {
        RigidLoad &load = updates[k];
        for (unsigned int i = 0; i <= dim; ++i)
          {
            const Tensor<1, dim> &impulse = impulses[sets[k]->get_nodes()[i]];
            load.impulse += in_space(impulse);
            load.angular_impulse += moment(sets[k]->arms()[i], impulse);
          }
        motions[k].push(load.impulse, load.angular_impulse);
        sets[k]->set(motions[k], state.end_positions);
      }
  }



  template <int dim>
  typename ContactRigidBodies<dim>::StepLoads
  ContactRigidBodies<dim>::loads(const unsigned int k,
                                 const ContactState<dim> &state) const
  {
    const RigidNodes<dim> &set = *sets[k];
    const Point<3> end_centre  = set.drifted(state).centre;
    const auto sum_at_end      = [&](const auto &impulses) {
      return set.sum(impulses, state.end_positions, end_centre);
    };
    StepLoads result;
    result.at_end = sum_at_end(state.impulses);
    if (!(state.dt > 0.))
      return result;
    result.at_start      = set.sum(state.position_impulses,
                              state.start_positions,
                              set.motion().centre);
    const RigidLoad late = sum_at_end(state.position_impulses);
    result.at_start.impulse /= state.dt;
    result.at_start.angular_impulse /= state.dt;
    result.at_end.impulse -= late.impulse / state.dt;
    result.at_end.angular_impulse -= late.angular_impulse / state.dt;
    return result;
  }



  template <int dim>
  typename ContactRigidBodies<dim>::Motions
  ContactRigidBodies<dim>::end_of_step(const ContactState<dim> &state) const
  {
    Motions result = predicted;
    for (unsigned int k = 0; k < sets.size(); ++k)
      {
        if (!was_pushed(k, state))
          continue;
        result[k]            = sets[k]->drifted(state);
        const RigidLoad late = loads(k, state).at_end;
        result[k].push(late.impulse, late.angular_impulse);
      }
    return result;
  }



  template <int dim>
  bool
  ContactRigidBodies<dim>::was_pushed(const unsigned int k,
                                      const ContactState<dim> &state) const
  {
    const auto &nodes = sets[k]->get_nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](const unsigned int n) {
      return state.impulses[n] != Tensor<1, dim>() ||
             state.position_impulses[n] != Tensor<1, dim>();
    });
  }



  template class ContactRigidBodies<2>;
  template class ContactRigidBodies<3>;
} // namespace Ricochet
