// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/stopwatch.h>
#include <ricochet/contact.h>
#include <ricochet/impulse/unanswered_energy.h>
#include <ricochet/response/contact_parameters.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <cmath>
#include <sstream>

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  Contact<dim>::Contact() = default;



  template <int dim>
  Contact<dim>::~Contact() = default;



  template <int dim>
  void
  Contact<dim>::declare_parameters(ParameterHandler &prm)
  {
    ContactParameters<dim>::declare_parameters(prm);
  }



  template <int dim>
  void
  Contact<dim>::parse_parameters(ParameterHandler &prm,
                                 const std::vector<std::string> &body_names)
  {
    ContactParameters<dim> parameters;
    parameters.parse_parameters(prm, body_names);
    settings        = parameters.settling;
    search_settings = parameters.search;
    policies        = parameters.overlaps;
    names           = body_names;
    correction      = std::move(parameters.correction);
    forces          = std::move(parameters.forces);
  }



  template <int dim>
  const ContactRecord &
  Contact<dim>::correct(const ContactStep &step, const Prediction &prediction)
  {
    AssertThrow(correction != nullptr,
                ExcMessage("Contact::correct() is for a response that corrects "
                           "predictions; this one gives forces."));
    begin_step(step);
    {
      Stopwatch watch(settling.search_time);
      exchange.gather({{prediction.positions_begin, state.start_positions},
                       {prediction.positions_end, state.end_positions}});
    }
    if (!rigid_bodies.empty())
      {
        AssertThrow(prediction.rigid_motions != nullptr,
                    ExcMessage("Contact::correct() needs the motions of the "
                               "rigid bodies: set Prediction::rigid_motions."));
        rigid_bodies.begin_step(*prediction.rigid_motions,
                                prediction.rigid_accelerations,
                                state);
      }
    update_ignored();
    debts_begin = state.debts;
    settling.settle(*correction, state, [&]() {
      Stopwatch watch(settling.response_time);
      std::vector<typename SurfaceExchange<dim>::NodalField> fields{
        {prediction.velocities, state.velocities}};
      if (!prediction.accelerations.empty())
        fields.push_back({prediction.accelerations, state.accelerations});
      exchange.gather(fields);
      state.predicted_positions  = state.end_positions;
      state.predicted_velocities = state.velocities;
    });
    finish_step();
    if (must_repeat())
      {
        discard_step();
        return state.record;
      }
    settling.accept(state);
    if (!rigid_bodies.empty())
      *prediction.rigid_motions = rigid_bodies.end_of_step(state);
    if (state.has_acted())
      {
        if (apply_inverse_mass)
          {
            add_response(state.position_impulses, prediction.positions_end);
            add_response(state.impulses, prediction.velocities);
          }
        else
          exchange.scatter(state.velocities, prediction.velocities);
        // Exactly what was found free of intersections.
        exchange.scatter(state.end_positions, prediction.positions_end);
      }
    return state.record;
  }



  template <int dim>
  void
  Contact<dim>::discard_step()
  {
    state.debts = debts_begin;
    settling.resting_pairs.forget_step();
  }



  template <int dim>
  bool
  Contact<dim>::updates_velocities() const
  {
    return restores_energy() && state.has_acted() && !must_repeat();
  }



  template <int dim>
  ContactRecord
  Contact<dim>::update_velocities(const Vectors &velocities)
  {
    Stopwatch watch(settling.response_time);
    exchange.gather({{velocities, state.velocities}});
    const ContactRecord before = state.record;
    if (share_of_gaps > 0.)
      restore_energy_of_gaps();
    else
      correction->update_velocities(surface, state);
    exchange.scatter(state.velocities, velocities);

    ContactRecord change = state.record;
    change.restitution_loss -= before.restitution_loss;
    change.friction_loss -= before.friction_loss;
    change.angular_momentum_change -= before.angular_momentum_change;
    return change;
  }



  template <int dim>
  void
  Contact<dim>::begin_forces(const ContactStep &step, const Motion &start)
  {
    AssertThrow(gives_forces(),
                ExcMessage("Contact::begin_forces() is for a response that "
                           "gives forces; this one corrects predictions."));
    begin_step(step);
    gather_start(start);
    forces->begin_step(surface, state);
  }



  template <int dim>
  void
  Contact<dim>::begin_equilibrium(const ContactStep &step, const Motion &start)
  {
    AssertThrow(gives_forces(),
                ExcMessage("Contact::begin_equilibrium() is for a response "
                           "that gives forces; this one corrects "
                           "predictions."));
    begin_step({step.start, 0.});
    state.dt = step.dt;
    gather_start(start);
    forces->begin_equilibrium(surface, state);
  }



  template <int dim>
  void
  Contact<dim>::gather_start(const Motion &start)
  {
    exchange.gather({{start.positions, state.start_positions},
                     {start.velocities, state.velocities}});
    // Nodes of obstacles are at both ends already.
    std::copy_n(state.start_positions.begin(),
                nodes.nodes.size(),
                state.end_positions.begin());
    if (!rigid_bodies.empty())
      rigid_bodies.place_for_forces(*start.rigid_steps, state);
    pairs.clear();
  }



  template <int dim>
  const std::vector<ContactElement<dim>> &
  Contact<dim>::evaluate_forces(const Motion &iterate,
                                const Vectors &sum,
                                const bool with_stiffness,
                                const bool with_friction)
  {
    exchange.gather({{iterate.positions, state.end_positions},
                     {iterate.velocities, state.velocities}});
    if (!rigid_bodies.empty())
      rigid_bodies.place_for_forces(*iterate.rigid_steps, state);
    obstacles.forget_contacts(state);
    settling.detect(state, pairs);
    Stopwatch watch(settling.response_time);
    PassSettings pass = settings.pass;
    if (!with_friction)
      pass.friction = 0.;
    elements.clear();
    forces->evaluate(surface, pairs, pass, state, with_stiffness, elements);
    nodal_forces.assign(state.end_positions.size(), Tensor<1, dim>());
    for (const ContactElement<dim> &element : elements)
      for (unsigned int i = 0; i < element.nodes.size(); ++i)
        nodal_forces[element.nodes[i]] += element.forces[i];
    exchange.add(nodal_forces, sum);
    return elements;
  }



  template <int dim>
  double
  Contact<dim>::solve_rigid_steps(const ContactStep &step,
                                  std::vector<RigidStep> &steps)
  {
    AssertThrow(solves_rigid_steps(),
                ExcMessage("Contact::solve_rigid_steps() is for a response "
                           "that does so."));
    begin_step(step);
    rigid_bodies.place(steps, state);
    obstacles.forget_contacts(state);
    settling.detect(state, pairs);
    Stopwatch watch(settling.response_time);
    const double stored =
      forces->solve_rigid_steps(surface, pairs, rigid_bodies, state, steps);
    finish_step();
    return stored;
  }



  template <int dim>
  bool
  Contact<dim>::augment_forces()
  {
    Stopwatch watch(settling.response_time);
    return forces->augment(surface, pairs, settings.pass, state);
  }



  template <int dim>
  const ContactRecord &
  Contact<dim>::accept_forces(const Vectors &velocities,
                              std::vector<RigidMotion> *rigid_motions)
  {
    Stopwatch watch(settling.response_time);
    exchange.gather({{velocities, state.velocities}});
    if (!rigid_bodies.empty())
      rigid_bodies.set_velocities(*rigid_motions, state);
    forces->accept_step(surface, pairs, settings.pass, state);
    std::vector<Tensor<1, dim>> updates; // what the forces have not done yet
    if (apply_inverse_mass || !rigid_bodies.empty())
      {
        updates = state.impulses;
        for (unsigned int node = 0; node < nodal_forces.size(); ++node)
          updates[node] -= state.dt * nodal_forces[node];
      }
    if (apply_inverse_mass) // moves more than the surface
      add_response(updates, velocities);
    else
      exchange.scatter(state.velocities, velocities);
    if (!rigid_bodies.empty())
      rigid_bodies.update(updates, *rigid_motions, state);
    finish_step();
    return state.record;
  }



  template <int dim>
  void
  Contact<dim>::accept_equilibrium()
  {
    Stopwatch watch(settling.response_time);
    forces->accept_equilibrium(surface, pairs, settings.pass, state);
  }



  template <int dim>
  std::vector<double>
  Contact<dim>::unanswered_energy(const ConstVectors &velocities,
                                  const ConstVectors &accelerations) const
  {
    const unsigned int n_bodies =
      std::max<std::size_t>(surface.n_bodies, names.size());
    if (gives_forces() || !state.has_acted() ||
        settings.pass.restitution.smallest() == 1.)
      return std::vector<double>(n_bodies, 0.);
    // Nodes of obstacles keep what they have.
    auto v = state.velocities, a = state.accelerations;
    exchange.gather({{velocities, v}, {accelerations, a}});
    return Ricochet::unanswered_energy(state, settings.pass, v, a, n_bodies);
  }



  template <int dim>
  std::string
  Contact<dim>::reason_to_repeat() const
  {
    const auto name = [&](const unsigned int body) {
      return body < names.size() ? "'" + names[body] + "'"
                                 : "body " + std::to_string(body);
    };
    std::ostringstream text;
    text << "Near (" << state.record.place << "), "
         << name(state.record.bodies[0]) << " and "
         << name(state.record.bodies[1])
         << " cannot be kept apart: bodies are squeezed between supports or "
            "obstacles that leave them no room, or are at the back of a "
            "surface. Change the prescribed motions or turn the surface "
            "around, or set 'Contact/Guarantee = false'.";
    return text.str();
  }



  template <int dim>
  void
  Contact<dim>::begin_step(const ContactStep &step)
  {
    state.clear_response();
    state.touched_nodes.clear();
    state.dt = step.dt;
    obstacles.begin_step(step.start, state);
  }



  template <int dim>
  void
  Contact<dim>::finish_step()
  {
    for (const Collision<dim> &collision : state.handled)
      // fmin ignores the nan that stands for "none".
      state.record.min_gap =
        std::fmin(state.record.min_gap,
                  collision.normal *
                    collision.weighted_sum(state.end_positions));
    obstacles.finish_step(state);
    auto &touched = state.touched_nodes;
    boost::sort::spreadsort::integer_sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  }



  template <int dim>
  std::vector<Point<dim>>
  Contact<dim>::vertex_positions() const
  {
    std::vector<Point<dim>> buffer;
    return surface.vertex_positions(state.end_positions, buffer);
  }



  template <int dim>
  void
  Contact<dim>::add_response(const std::vector<Tensor<1, dim>> &impulses,
                             const Vectors &result) const
  {
    for (unsigned int source = 0; source < result.size(); ++source)
      {
        VectorType change = exchange.zero_vector(source);
        for (const auto &owned : exchange.get_owned_nodes())
          if (owned.source == source)
            for (unsigned int d = 0; d < dim; ++d)
              change.local_element(owned.entries[d]) = impulses[owned.node][d];
        apply_inverse_mass(source, change);
        *result[source] += change;
      }
  }



  template <int dim>
  double
  Contact<dim>::step_limit(const ConstVectors &velocities,
                           const std::vector<RigidMotion> &rigid_motions)
  {
    if (gives_forces() || !correction->limits_step())
      return std::numeric_limits<double>::infinity();
    std::vector<double> speeds(surface.n_bodies, 0.);
    for (const auto &owned : exchange.get_owned_nodes())
      {
        Tensor<1, dim> v;
        for (unsigned int d = 0; d < dim; ++d)
          v[d] = velocities[owned.source]->local_element(owned.entries[d]);
        double &speed = speeds[body_of_node[owned.node]];
        speed         = std::max(speed, v.norm());
      }
    for (unsigned int k = 0; k < rigid_motions.size(); ++k)
      speeds[rigid_bodies.body_numbers()[k]] =
        rigid_bodies.speed(k, rigid_motions[k]);
    Utilities::MPI::max(speeds, communicator, speeds);
    const double limit  = correction->step_limit(speeds);
    shortest_step_limit = std::min(shortest_step_limit, limit);
    return limit;
  }



  template <int dim>
  std::vector<std::pair<std::string, double>>
  Contact<dim>::numbers() const
  {
    auto result = response().numbers();
    if (n_steps_by_parts > 0)
      result.emplace_back("steps proved in parts", n_steps_by_parts);
    if (n_steps_by_iterates > 0)
      result.emplace_back("steps proved by iterates", n_steps_by_iterates);
    if (correction != nullptr && correction->limits_step())
      result.emplace_back("shortest step limit", shortest_step_limit);
    return result;
  }



  template <int dim>
  std::string
  Contact<dim>::warning(const double courant_number) const
  {
    // One body alone is no mistake.
    if (std::max<std::size_t>(surface.n_bodies, names.size()) > 1)
      if (const std::string idle = reason_to_be_idle(); !idle.empty())
        return idle;
    return correction != nullptr
             ? correction->warning(settings.pass, courant_number)
             : "";
  }



  template class Contact<2>;
  template class Contact<3>;
} // namespace Ricochet
