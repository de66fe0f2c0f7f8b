// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/embedding.h>
#include <ricochet/base/moment.h>
#include <ricochet/response/contact_rigid_bodies.h>

#include <algorithm>
#include <cmath>

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
                                  Surface<dim> &surface,
                                  Positions &nodes)
  {
    sets.clear();
    numbers.clear();
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
        set->place(motions[k]);
        nodes.resize(surface.n_nodes);
        sets.push_back(set);
        numbers.push_back(body.body);
        radii.push_back(radius);
        set->set(motions[k], nodes);
        surface.n_bodies = std::max(surface.n_bodies, body.body + 1);
      }
    predicted = motions;
    if (empty())
      return;
    Positions buffer;
    const Positions &vertices = surface.vertex_positions(nodes, buffer);
    surface.build_edges(vertices);
    surface.remove_flat_edges(vertices, numbers.front());
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
    std::vector<unsigned int> immobile;
    for (unsigned int k = 0; k < sets.size(); ++k)
      {
        result.body_pairs[numbers[k] * n + numbers[k]] = 0;
        const RigidMotion &motion                      = predicted[k];
        bool moves                                     = !motion.holds_rotation;
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
    const std::vector<Tensor<1, 3>> &accelerations,
    ContactState<dim> &state)
  {
    predicted = motions;
    for (unsigned int k = 0; k < sets.size(); ++k)
      {
        RigidNodes<dim> &set = *sets[k];
        set.place(motions[k]);
        set.set(motions[k], state.start_positions);
        set.set_velocities(motions[k], state.velocities);
        for (const unsigned int node : set.get_nodes())
          state.accelerations[node] = accelerations.empty()
                                        ? Tensor<1, dim>()
                                        : out_of_space<dim>(accelerations[k]);
        predicted[k].drift(state.dt);
        set.set(predicted[k], state.end_positions);
      }
  }



  template <int dim>
  typename ContactRigidBodies<dim>::StepLoads
  ContactRigidBodies<dim>::loads(const unsigned int k,
                                 const ContactState<dim> &state) const
  {
    const RigidNodes<dim> &set = *sets[k];
    const auto sum             = [&](const auto &impulses, const bool is_end) {
      return set.sum(impulses,
                     is_end ? state.end_positions : state.start_positions,
                     is_end ? set.drifted(state).centre : set.motion().centre);
    };
    StepLoads result;
    result.at_end = sum(state.impulses, true);
    if (!(state.dt > 0.))
      return result;
    result.at_start      = sum(state.position_impulses, false);
    const RigidLoad late = sum(state.position_impulses, true);
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
