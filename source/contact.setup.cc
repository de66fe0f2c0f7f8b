// SPDX-License-Identifier: LGPL-2.1-or-later

// What contact does before the first step, and when the model has changed.

#include <ricochet/base/error.h>
#include <ricochet/contact.h>
#include <ricochet/geometry/inset.h>
#include <ricochet/overlap/sides.h>
#include <ricochet/projection/step_gaps.h>
#include <ricochet/response/overlap_removal.h>
#include <ricochet/surface/skin.h>

#include <algorithm>
#include <memory>
#include <set>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** How much further inside the contact surfaces of rigid bodies are,
     * relative to their radii: so much room is between flush ones. */
    constexpr double room_between_rigid_bodies = 1e-9;



    template <int dim>
    std::vector<RigidSurface<dim>>
    with_inset(std::vector<RigidSurface<dim>> bodies)
    {
      for (RigidSurface<dim> &body : bodies)
        {
          double radius = 0.;
          for (const Point<dim> &X : body.vertices)
            radius = std::max(radius, X.norm());
          body.vertices = inset<dim>(body.vertices,
                                     body.facets,
                                     room_between_rigid_bodies * radius);
        }
      return bodies;
    }
  } // namespace



  template <int dim>
  void
  Contact<dim>::reinit(const ContactModel<dim> &model)
  {
    AssertThrow(correction != nullptr || forces != nullptr,
                ExcMessage(
                  "Call Contact::parse_parameters() before reinit()."));
    AssertDimension(model.sources.size(), model.inverse_masses.size());
    check_model(model);
    communicator = model.communicator;
    extract_surface(model.sources, communicator, surface, nodes);
    exchange.reinit(nodes, model.inverse_masses, communicator);
    auto node_positions = nodes.positions;
    rigid_bodies.add_to(gives_forces() ? model.rigid_bodies
                                       : with_inset(model.rigid_bodies),
                        model.rigid_motions,
                        nodes,
                        surface,
                        node_positions);
    const unsigned int n_body_nodes = surface.n_nodes;
    obstacles.set(model.obstacles);
    obstacles.add_to(surface,
                     node_positions,
                     names.size() -
                       std::min(names.size(), model.obstacles.size()),
                     rigid_bodies.empty()
                       ? surface.n_bodies
                       : rigid_bodies.body_numbers().front());
    searched = rigid_bodies.without_useless_pairs(
      obstacles.without_pairs_of_obstacles(search_settings),
      obstacles.first_number() + model.obstacles.size());
    if (gives_forces())
      searched.eta = std::max(searched.eta, forces->reach());
    const std::string idle = reason_to_be_idle();
    require(model.may_be_idle || idle.empty(),
            idle +
              " Number the bodies by SurfaceSource::body, or let each be "
              "a source of its own; if nothing is to touch, set "
              "ContactModel::may_be_idle.");
    search.reinit(surface, searched, communicator);
    obstacles.reinit(surface, searched);
    settling.reinit(surface,
                    search,
                    searched,
                    settings,
                    &obstacles,
                    !rigid_bodies.empty());
    ignored.reinit(surface, searched, {});
    response().reinit(surface,
                      searched,
                      smallest_skin_heights(model.sources,
                                            surface.n_bodies,
                                            communicator));
    body_of_node = surface.node_bodies();

    // What is known of nodes of before means nothing to these.
    state.clear_response();
    state.touched_nodes.clear();
    state.debts.clear();
    settling.resting_pairs.clear();
    state.start_positions = state.end_positions = node_positions;
    state.resize(n_body_nodes);
    if (!model.positions.empty())
      {
        exchange.gather({{model.positions, state.start_positions}});
        state.end_positions = state.start_positions;
      }
    start_time = model.time;
    begin_step({start_time, 0.});
    take_over_masses(model);
    rigid_bodies.begin_step(model.rigid_motions, {}, state);
  }



  template <int dim>
  void
  Contact<dim>::check_model(const ContactModel<dim> &model) const
  {
    require(!restores_energy() || model.obstacles.empty(),
            "Contact: 'Energy restoration' is for bodies that hit each other. "
            "Set it to false, or leave obstacles out.");
    require(!solves_rigid_steps() ||
              (model.sources.empty() && !model.rigid_bodies.empty()),
            "Contact: 'Response' = rigid is for models of rigid bodies and "
            "obstacles alone, and here is a body that deforms, or none. Choose "
            "another response.");
    require(model.rigid_bodies.empty() || !restores_energy(),
            "Contact: 'Energy restoration' is for bodies that deform. Set it "
            "to false: rigid bodies conserve energy without it.");
    require(!restores_energy() || !model.apply_inverse_mass,
            "Contact: 'Energy restoration' is for a lumped mass. Set it to "
            "false, or 'Matrix' in 'Mass' to lumped.");
    require(!gives_gaps() || !model.apply_inverse_mass ||
              !correction->step_gaps()->get_stops_ringing(),
            "Contact: 'Stop ringing' is for a lumped mass. Set it to false, or "
            "'Matrix' in 'Mass' to lumped.");
  }



  template <int dim>
  std::string
  Contact<dim>::reason_to_be_idle() const
  {
    std::set<unsigned int> bodies(surface.facet_body.begin(),
                                  surface.facet_body.end());
    for (unsigned int k = 0; k < obstacles.get().size(); ++k)
      bodies.insert(obstacles.first_number() + k);
    for (const unsigned int a : bodies)
      for (const unsigned int b : bodies)
        if ((a != b || searched.self_contact) &&
            searched.may_touch(a, b, surface.n_bodies))
          return "";
    const std::string reason =
      bodies.empty() ? "no face takes part"
      : bodies.size() == 1
        ? "only one body takes part, there is no obstacle for it, "
          "and 'Self-contact' is false"
        : "no two of the bodies and obstacles are in 'Pairs'";
    return "Contact: nothing can ever touch: " + reason + ".";
  }



  template <int dim>
  void
  Contact<dim>::take_over_masses(const ContactModel<dim> &model)
  {
    std::vector<Tensor<1, dim>> lumped(nodes.nodes.size() +
                                       rigid_bodies.nodes().size() * (dim + 1));
    exchange.gather({{model.inverse_masses, lumped}});
    state.inverse_mass.reinit(lumped);
    rigid_bodies.couple(state.inverse_mass);

    apply_inverse_mass = model.apply_inverse_mass;
    if (!apply_inverse_mass)
      return;
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
        VectorType unit = exchange.zero_vector(from.source);
        if (unit.in_local_range(from.dofs[d]))
          unit(from.dofs[d]) = 1.;
        apply_inverse_mass(from.source, unit);
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
    const auto others =
      obstacles.get_search().find_overlaps(positions,
                                           ignored.remaining_search(),
                                           1);
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
    ignored.reinit(surface, searched, pairs, &obstacles.get_search());
    leave_out_ignored();
  }



  template <int dim>
  std::vector<BodyPair>
  Contact<dim>::ignored_overlaps() const
  {
    return ignored.get();
  }



  template <int dim>
  void
  Contact<dim>::leave_out_ignored()
  {
    const auto body_pairs = ignored.remaining_search().body_pairs;
    search.set_body_pairs(body_pairs);
    obstacles.set_body_pairs(body_pairs);
  }



  template <int dim>
  void
  Contact<dim>::update_ignored()
  {
    if (!ignored.empty() &&
        ignored.update(
          surface.vertex_positions(state.start_positions, vertex_buffer)))
      leave_out_ignored();
  }



  template <int dim>
  bool
  Contact<dim>::remove_overlaps(const Vectors &positions,
                                std::vector<RigidMotion> *rigid_motions)
  {
    const bool is_done = Ricochet::remove_overlaps(surface,
                                                   find_overlaps(),
                                                   ignored.remaining_search(),
                                                   settling,
                                                   state) &&
                         find_overlaps().empty();
    if (is_done && apply_inverse_mass)
      add_response(state.position_impulses, positions);
    if (is_done)
      {
        exchange.scatter(state.end_positions, positions);
        if (rigid_motions != nullptr)
          *rigid_motions = rigid_bodies.end_of_step(state);
      }
    begin_step({start_time, 0.});
    return is_done;
  }



#define RICOCHET_INSTANTIATE(dim)                                             \
  template void Contact<dim>::reinit(const ContactModel<dim> &);              \
  template std::string Contact<dim>::reason_to_be_idle() const;               \
  template std::vector<Overlap<dim>> Contact<dim>::find_overlaps() const;     \
  template std::vector<BodyPair> Contact<dim>::find_wrong_sides() const;      \
  template void Contact<dim>::ignore_overlaps(const std::vector<BodyPair> &); \
  template std::vector<BodyPair> Contact<dim>::ignored_overlaps() const;      \
  template void Contact<dim>::leave_out_ignored();                            \
  template void Contact<dim>::update_ignored();                               \
  template bool Contact<dim>::remove_overlaps(const Vectors &,                \
                                              std::vector<RigidMotion> *);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
