// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/stopwatch.h>
#include <ricochet/contact.h>
#include <ricochet/response/contact_parameters.h>
#include <ricochet/response/overlap_removal.h>
#include <ricochet/response/pair_response.h>
#include <ricochet/search/intersections.h>
#include <ricochet/search/sides.h>
#include <ricochet/surface/skin.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** The numbers of a vector of points or tensors, one after the other. */
    template <typename Field>
    double *
    first_number(Field &field)
    {
      return field.empty() ? nullptr : &field[0][0];
    }
  } // namespace



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
    response        = std::move(parameters.response);
    correction      = dynamic_cast<ContactCorrection<dim> *>(response.get());
  }



  template <int dim>
  void
  Contact<dim>::reinit(const std::vector<SurfaceSource<dim>> &sources,
                       const ConstVectors &inverse_mass,
                       const MPI_Comm comm)
  {
    AssertThrow(correction != nullptr,
                ExcMessage("Call Contact::parse_parameters() with a response "
                           "for explicit integrators before reinit()."));
    AssertDimension(sources.size(), inverse_mass.size());
    require(!correction->updates_velocities() || obstacles.get().empty(),
            "Contact: 'Energy restoration' is for bodies that hit each other. "
            "Set it to false, or leave obstacles out.");
    communicator = comm;
    extract_surface(sources, communicator, surface, nodes);
    const unsigned int n = surface.n_nodes;
    obstacles.add_to(surface,
                     nodes.positions,
                     names.size() -
                       std::min(names.size(), obstacles.get().size()));
    search_settings = obstacles.without_pairs_of_obstacles(search_settings);
    search.reinit(surface, search_settings, communicator);
    obstacles.reinit(surface, search_settings);
    settling.reinit(surface, search, settings, &obstacles);
    ignored.reinit(surface, search_settings, {});
    correction->reinit(surface,
                       search_settings,
                       smallest_skin_heights(sources,
                                             surface.n_bodies,
                                             communicator));
    body_of_node = surface.node_bodies();

    state.begin = state.end = nodes.positions;
    state.resize(n);
    begin_step(0.);

    // Each rank knows the masses of its own nodes; sums with zeros are exact.
    std::vector<double> values(n * dim, 0.);
    for (const unsigned int node :
         nodes.nodes_of_rank[Utilities::MPI::this_mpi_process(communicator)])
      for (unsigned int d = 0; d < dim; ++d)
        values[node * dim + d] =
          (*inverse_mass[nodes.nodes[node].source])(nodes.nodes[node].dofs[d]);
    Utilities::MPI::sum(values, communicator, values);
    std::vector<Tensor<1, dim>> lumped(n);
    for (unsigned int node = 0; node < n; ++node)
      for (unsigned int d = 0; d < dim; ++d)
        lumped[node][d] = values[node * dim + d];
    state.inverse_mass.reinit(lumped);
    inverse_mass_operator = nullptr;
    layouts.clear();
    for (const VectorType *vector : inverse_mass)
      layouts.push_back(vector->get_partitioner());
  }



  template <int dim>
  void
  Contact<dim>::set_inverse_mass(const InverseMassOperator &operation)
  {
    require(!correction->updates_velocities(),
            "Contact: 'Energy restoration' is for a lumped mass. Set it to "
            "false, or 'Matrix' in 'Mass' to lumped.");
    inverse_mass_operator = operation;
    std::vector<std::vector<unsigned int>> nodes_of_body(surface.n_bodies);
    for (unsigned int node = 0; node < nodes.nodes.size(); ++node)
      nodes_of_body[body_of_node[node]].push_back(node);
    for (const auto &members : nodes_of_body)
      if (!members.empty())
        state.inverse_mass.couple(std::make_shared<ConsistentNodes<dim>>(
          members,
          [this, members](const unsigned int j) {
            return inverse_mass_column(members, j);
          }));
  }



  template <int dim>
  typename ConsistentNodes<dim>::Column
  Contact<dim>::inverse_mass_column(const std::vector<unsigned int> &members,
                                    const unsigned int j) const
  {
    const auto &from = nodes.nodes[members[j]];
    std::vector<double> values(members.size() * dim, 0.);
    for (unsigned int d = 0; d < dim; ++d)
      {
        VectorType unit(layouts[from.source]);
        if (unit.in_local_range(from.dofs[d]))
          unit(from.dofs[d]) = 1.;
        inverse_mass_operator(from.source, unit);
        for (unsigned int k = 0; k < members.size(); ++k)
          {
            const auto &to = nodes.nodes[members[k]];
            if (to.source == from.source && unit.in_local_range(to.dofs[d]))
              values[k * dim + d] = unit(to.dofs[d]);
          }
      }
    Utilities::MPI::sum(values, communicator, values);
    typename ConsistentNodes<dim>::Column result(members.size());
    for (unsigned int k = 0; k < members.size(); ++k)
      for (unsigned int d = 0; d < dim; ++d)
        result[k][d] = values[k * dim + d];
    return result;
  }



  template <int dim>
  std::vector<Overlap<dim>>
  Contact<dim>::find_overlaps() const
  {
    const auto positions = vertex_positions();
    auto overlaps =
      Ricochet::find_overlaps(surface, positions, ignored.remaining_search());
    const auto others = obstacles.find_overlaps(positions);
    overlaps.insert(overlaps.end(), others.begin(), others.end());
    return overlaps;
  }



  template <int dim>
  std::vector<BodyPair>
  Contact<dim>::find_wrong_sides() const
  {
    return obstacles.get().empty() ? std::vector<BodyPair>()
                                   : bodies_behind(surface,
                                                   vertex_positions(),
                                                   obstacles.first_number(),
                                                   ignored.remaining_search());
  }



  template <int dim>
  void
  Contact<dim>::ignore_overlaps(const std::vector<BodyPair> &pairs)
  {
    ignored.reinit(surface, search_settings, obstacles.ignore(pairs));
    search.set_body_pairs(ignored.remaining_search().body_pairs);
  }



  template <int dim>
  std::vector<BodyPair>
  Contact<dim>::ignored_overlaps() const
  {
    std::vector<BodyPair> pairs = ignored.get();
    pairs.insert(pairs.end(),
                 obstacles.get_ignored().begin(),
                 obstacles.get_ignored().end());
    return pairs;
  }



  template <int dim>
  bool
  Contact<dim>::remove_overlaps(const Vectors &positions)
  {
    const bool is_done = Ricochet::remove_overlaps(surface,
                                                   find_overlaps(),
                                                   ignored.remaining_search(),
                                                   settling,
                                                   state) &&
                         find_overlaps().empty();
    if (is_done && inverse_mass_operator)
      add_response(state.position_impulses, positions);
    if (is_done)
      scatter(state.end, positions);
    begin_step(0.);
    return is_done;
  }



  template <int dim>
  const ContactRecord &
  Contact<dim>::correct(const ConstVectors &positions_begin,
                        const Vectors &positions_end,
                        const Vectors &velocities,
                        const double dt,
                        const ConstVectors &accelerations)
  {
    begin_step(dt);
    {
      Stopwatch watch(settling.search_time);
      gather({{positions_begin, first_number(state.begin)},
              {{positions_end.begin(), positions_end.end()},
               first_number(state.end)}});
    }
    if (!ignored.empty() &&
        ignored.update(surface.vertex_positions(state.begin, vertex_buffer)))
      search.set_body_pairs(ignored.remaining_search().body_pairs);
    if (!obstacles.get_ignored().empty())
      obstacles.update_ignored(
        surface.vertex_positions(state.begin, vertex_buffer));
    debts_begin = state.debts;
    settling.settle(*correction, state, [&]() {
      Stopwatch watch(settling.response_time);
      std::vector<NodalField> fields{{{velocities.begin(), velocities.end()},
                                      first_number(state.velocities)}};
      if (!accelerations.empty())
        fields.push_back({accelerations, first_number(state.accelerations)});
      gather(fields);
      state.predicted_end        = state.end;
      state.predicted_velocities = state.velocities;
    });
    if (state.record.n_rigid > 0 && settings.guarantee)
      check_end();
    finish_step();
    if (must_repeat())
      discard_step();
    else if (state.has_acted())
      {
        if (inverse_mass_operator)
          {
            add_response(state.position_impulses, positions_end);
            add_response(state.impulses, velocities);
          }
        else
          scatter(state.velocities, velocities);
        // Exactly what was found free of intersections.
        scatter(state.end, positions_end);
      }
    return state.record;
  }



  template <int dim>
  void
  Contact<dim>::discard_step()
  {
    state.debts = debts_begin;
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
    gather({{{velocities.begin(), velocities.end()},
             first_number(state.velocities)}});
    const ContactRecord before = state.record;
    correction->update_velocities(surface, state);
    scatter(state.velocities, velocities);

    ContactRecord change = state.record;
    change.restitution_loss -= before.restitution_loss;
    change.friction_loss -= before.friction_loss;
    change.angular_momentum_change -= before.angular_momentum_change;
    return change;
  }



  template <int dim>
  std::vector<double>
  Contact<dim>::unanswered_energy(const ConstVectors &velocities,
                                  const ConstVectors &accelerations) const
  {
    std::vector<double> energies(std::max<std::size_t>(surface.n_bodies,
                                                       names.size()),
                                 0.);
    if (!state.has_acted() || settings.pass.restitution.smallest() == 1.)
      return energies;
    // Nodes of obstacles keep what they have.
    auto v = state.velocities, a = state.accelerations;
    gather({{velocities, first_number(v)}, {accelerations, first_number(a)}});
    for (const Collision<dim> &collision : state.handled)
      {
        if (settings.pass.restitution.of(collision.bodies) == 1.)
          continue;
        const Tensor<1, dim> n = collision.normal;
        const double change =
          std::min(-(n * collision.weighted_sum(v)),
                   -0.5 * state.dt * (n * collision.weighted_sum(a)));
        const Tensor<2, dim> C = state.inverse_mass.effective(collision);
        const double C_nn      = product(n, C, n);
        if (!(change > 0. && C_nn > 0.))
          continue;
        const double impulse = change / C_nn;
        for (unsigned int side = 0; side < 2; ++side)
          {
            const auto part = side_of(collision, side);
            energies[collision.bodies[side]] -=
              impulse * (n * part.weighted_sum(v) +
                         0.5 * impulse *
                           product(n, state.inverse_mass.effective(part), n));
          }
        state.inverse_mass.apply(collision, impulse * n, v);
      }
    return energies;
  }



  template <int dim>
  void
  Contact<dim>::check_end()
  {
    // Of bodies that may touch; what intersects before is no step's fault.
    const auto intersecting = [&](const std::vector<Point<dim>> &nodes) {
      auto pairs =
        intersecting_facets(surface,
                            surface.vertex_positions(nodes, vertex_buffer));
      const auto body = [&](const unsigned int facet) {
        return surface.facet_body[facet];
      };
      pairs.erase(std::remove_if(pairs.begin(),
                                 pairs.end(),
                                 [&](const auto &pair) {
                                   return !search_settings.may_touch(
                                     body(pair[0]),
                                     body(pair[1]),
                                     surface.n_bodies);
                                 }),
                  pairs.end());
      return pairs;
    };
    const auto pairs = intersecting(state.end);
    if (pairs.empty() || !intersecting(state.begin).empty())
      return;
    state.record.unsettled   = true;
    const unsigned int facet = pairs[0][0];
    const auto x = surface.vertex_positions(state.end, vertex_buffer);
    for (unsigned int d = 0; d < dim; ++d)
      state.record.place[d] = x[surface.facets[facet][0]][d];
    state.record.bodies = {
      {surface.facet_body[facet], surface.facet_body[pairs[0][1]]}};
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
  Contact<dim>::begin_step(const double dt)
  {
    state.clear_response();
    state.touched_nodes.clear();
    state.dt = dt;
    obstacles.begin_step(time, state);
  }



  template <int dim>
  void
  Contact<dim>::finish_step()
  {
    for (const Collision<dim> &collision : state.handled)
      // fmin ignores the nan that stands for "none".
      state.record.min_gap =
        std::fmin(state.record.min_gap,
                  collision.normal * collision.weighted_sum(state.end));
    obstacles.finish_step(state);
    auto &touched = state.touched_nodes;
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  }



  template <int dim>
  std::vector<Point<dim>>
  Contact<dim>::vertex_positions() const
  {
    std::vector<Point<dim>> buffer;
    return surface.vertex_positions(state.end, buffer);
  }



  template <int dim>
  void
  Contact<dim>::gather(const std::vector<NodalField> &fields) const
  {
    const unsigned int rank = Utilities::MPI::this_mpi_process(communicator);
    send_buffer.clear();
    for (const unsigned int node : nodes.nodes_of_rank[rank])
      {
        const auto &location = nodes.nodes[node];
        for (const NodalField &field : fields)
          for (unsigned int d = 0; d < dim; ++d)
            send_buffer.push_back(
              (*field.vectors[location.source])(location.dofs[d]));
      }

    std::vector<int> counts, offsets;
    int total = 0;
    for (const auto &nodes_of_one : nodes.nodes_of_rank)
      {
        counts.push_back(nodes_of_one.size() * fields.size() * dim);
        offsets.push_back(total);
        total += counts.back();
      }
    receive_buffer.resize(total);
    const int ierr = MPI_Allgatherv(send_buffer.data(),
                                    send_buffer.size(),
                                    MPI_DOUBLE,
                                    receive_buffer.data(),
                                    counts.data(),
                                    offsets.data(),
                                    MPI_DOUBLE,
                                    communicator);
    AssertThrowMPI(ierr);

    const double *value = receive_buffer.data();
    for (const auto &nodes_of_one : nodes.nodes_of_rank)
      for (const unsigned int node : nodes_of_one)
        for (const NodalField &field : fields)
          for (unsigned int d = 0; d < dim; ++d)
            field.values[node * dim + d] = *value++;
  }



  template <int dim>
  template <typename Field>
  void
  Contact<dim>::scatter(const Field &field, const Vectors &vectors) const
  {
    const unsigned int rank = Utilities::MPI::this_mpi_process(communicator);
    for (const unsigned int node : nodes.nodes_of_rank[rank])
      {
        const auto &location = nodes.nodes[node];
        for (unsigned int d = 0; d < dim; ++d)
          (*vectors[location.source])(location.dofs[d]) = field[node][d];
      }
  }



  template <int dim>
  void
  Contact<dim>::add_response(const std::vector<Tensor<1, dim>> &impulses,
                             const Vectors &result) const
  {
    const unsigned int rank = Utilities::MPI::this_mpi_process(communicator);
    for (unsigned int source = 0; source < result.size(); ++source)
      {
        VectorType change(layouts[source]);
        for (const unsigned int node : nodes.nodes_of_rank[rank])
          if (nodes.nodes[node].source == source)
            for (unsigned int d = 0; d < dim; ++d)
              change(nodes.nodes[node].dofs[d]) = impulses[node][d];
        inverse_mass_operator(source, change);
        *result[source] += change;
      }
  }



  template <int dim>
  double
  Contact<dim>::step_limit(const ConstVectors &velocities)
  {
    if (!correction->limits_step())
      return std::numeric_limits<double>::infinity();
    std::vector<double> speeds(surface.n_bodies, 0.);
    for (const unsigned int node :
         nodes.nodes_of_rank[Utilities::MPI::this_mpi_process(communicator)])
      {
        const auto &location = nodes.nodes[node];
        Tensor<1, dim> v;
        for (unsigned int d = 0; d < dim; ++d)
          v[d] = (*velocities[location.source])(location.dofs[d]);
        double &speed = speeds[body_of_node[node]];
        speed         = std::max(speed, v.norm());
      }
    Utilities::MPI::max(speeds, communicator, speeds);
    const double limit  = correction->step_limit(speeds);
    shortest_step_limit = std::min(shortest_step_limit, limit);
    return limit;
  }



  template <int dim>
  std::vector<std::pair<std::string, double>>
  Contact<dim>::numbers() const
  {
    auto result = correction->numbers();
    if (correction->limits_step())
      result.emplace_back("shortest step limit", shortest_step_limit);
    return result;
  }



  template <int dim>
  std::string
  Contact<dim>::warning(const double courant_number) const
  {
    return correction != nullptr
             ? correction->warning(settings.pass, courant_number)
             : "";
  }



  template class Contact<2>;
  template class Contact<3>;
} // namespace Ricochet
