// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/stopwatch.h>
#include <ricochet/contact.h>
#include <ricochet/response/overlap_removal.h>

#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** The symmetric table of pairs that "a:b, c:d" stands for. */
    std::vector<char>
    table_of_pairs(const std::string &pairs,
                   const std::vector<std::string> &names)
    {
      if (pairs == "all")
        return {};

      std::vector<char> table(names.size() * names.size(), 0);
      for (const auto &item : split_list_of_bodies(pairs))
        for (const auto &[a, b] : parse_body_pair(item, names, "Contact/Pairs"))
          table[a * names.size() + b] = table[b * names.size() + a] = 1;
      return table;
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
    using Responses = Registry<ContactResponse<dim>>;
    prm.declare_entry("Response",
                      "dcr",
                      Patterns::Selection(Responses::selection()),
                      "How collisions act on the bodies.\n" +
                        Responses::documentation() + "\nUnits: None.");
    prm.declare_entry("Restitution",
                      "1",
                      Patterns::Double(0., 1.),
                      "Coefficient of restitution of each contact point. It "
                      "acts on the mass of the contact nodes only; it is not "
                      "the restitution of the bodies. Units: None.");
    prm.declare_entry("Friction coefficient",
                      "0",
                      Patterns::Double(0.),
                      "Coulomb's coefficient of friction. Units: None.");
    prm.declare_entry("Detection distance",
                      "1e-6",
                      Patterns::Double(0., 0.1),
                      "Features closer than this at the end of a step are in "
                      "contact. Units: local edge length of the surface.");
    prm.declare_entry("Clearance",
                      "1e-4",
                      Patterns::Double(0., 0.1),
                      "The gap that contact points are moved to, or back to "
                      "where they started if that is closer; doubled in every "
                      "further pass of a step. At least the detection "
                      "distance. Units: local edge length.");
    prm.declare_entry("Largest clearance",
                      "1e-3",
                      Patterns::Double(0., 0.1),
                      "Limit of the clearance in later passes. Units: local "
                      "edge length of the surface.");
    prm.declare_entry("Maximum passes",
                      "15",
                      Patterns::Integer(1),
                      "Detection and response are repeated in a step until "
                      "nothing is left to do, at most this often. Units: "
                      "None.");
    prm.declare_entry("Maximum projections",
                      "30",
                      Patterns::Integer(0),
                      "With the guarantee: what passes do not settle is "
                      "projected together and looked at again, at most this "
                      "often. Units: None.");
    prm.declare_entry("Guarantee",
                      "true",
                      Patterns::Bool(),
                      "Whether a step must end without intersections: what "
                      "passes do not settle is projected together, then moved "
                      "rigidly for this step, then the step is cut. 'false' "
                      "with one pass and zero clearance and detection distance "
                      "is the published method, which leaves intersections. "
                      "Units: None.");
    prm.declare_entry("Search margin",
                      "0.05",
                      Patterns::Double(0.),
                      "How far bodies may leave their expected paths before "
                      "their candidate lists, which look some steps ahead, are "
                      "made anew. Changes the speed of a run, never its "
                      "result. Units: local edge length of the surface.");
    prm.declare_entry("Pairs",
                      "all",
                      Patterns::Anything(),
                      "Which bodies may touch: 'all', or pairs of names such "
                      "as 'ball:plate, ball:wall'; the name of a repeated body "
                      "stands for all of its copies. Units: None.");
    prm.declare_entry("Self-contact",
                      "false",
                      Patterns::Bool(),
                      "Whether bodies may touch themselves; with 'Pairs', "
                      "those that are paired with themselves ('tube:tube'). "
                      "Units: None.");
    OverlapPolicies::declare_parameters(prm);
    for (const auto &entry : Responses::entries())
      {
        prm.enter_subsection(entry.first);
        entry.second.declare_parameters(prm);
        prm.leave_subsection();
      }
  }



  template <int dim>
  void
  Contact<dim>::parse_parameters(ParameterHandler &prm,
                                 const std::vector<std::string> &names)
  {
    PassSettings &pass           = settings.pass;
    pass.restitution             = prm.get_double("Restitution");
    pass.friction                = prm.get_double("Friction coefficient");
    pass.eta                     = prm.get_double("Detection distance");
    pass.delta                   = prm.get_double("Clearance");
    settings.largest_delta       = prm.get_double("Largest clearance");
    settings.max_passes          = prm.get_integer("Maximum passes");
    settings.max_projections     = prm.get_integer("Maximum projections");
    settings.guarantee           = prm.get_bool("Guarantee");
    search_settings.eta          = pass.eta;
    search_settings.margin       = prm.get_double("Search margin");
    search_settings.self_contact = prm.get_bool("Self-contact");
    search_settings.body_pairs   = table_of_pairs(prm.get("Pairs"), names);
    policies.parse_parameters(prm, names);
    require(pass.delta >= pass.eta,
            "Contact: 'Clearance' (" + prm.get("Clearance") +
              ") must not be smaller than 'Detection distance' (" +
              prm.get("Detection distance") +
              "), or contacts would be found again forever. Make the "
              "detection distance smaller.");
    settings.largest_delta = std::max(settings.largest_delta, pass.delta);

    const std::string name = prm.get("Response");
    response               = Registry<ContactResponse<dim>>::create(name);
    prm.enter_subsection(name);
    response->parse_parameters(prm);
    prm.leave_subsection();
    correction = dynamic_cast<const ContactCorrection<dim> *>(response.get());
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
    communicator = comm;
    extract_surface(sources, communicator, surface, nodes);
    search.reinit(surface, search_settings, communicator);
    settling.reinit(surface, search, settings);
    ignored.reinit(surface, search_settings, {});

    const unsigned int n = surface.n_nodes;
    state.begin = state.end = nodes.positions;
    state.velocities.resize(n);
    state.impulses.resize(n);
    state.position_impulses.resize(n);
    state.normal_impulses.resize(n);
    state.status.resize(n);
    if (needs_accelerations())
      state.accelerations.resize(n);

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
    inverse_mass_operator = operation;
    state.inverse_mass.reinit([this](const unsigned int node) {
      const auto &from        = nodes.nodes[node];
      const unsigned int rank = Utilities::MPI::this_mpi_process(communicator);
      std::vector<double> values(surface.n_nodes * dim, 0.);
      for (unsigned int d = 0; d < dim; ++d)
        {
          VectorType unit(layouts[from.source]);
          if (unit.in_local_range(from.dofs[d]))
            unit(from.dofs[d]) = 1.;
          inverse_mass_operator(from.source, unit);
          for (const unsigned int k : nodes.nodes_of_rank[rank])
            if (nodes.nodes[k].source == from.source)
              values[k * dim + d] = unit(nodes.nodes[k].dofs[d]);
        }
      Utilities::MPI::sum(values, communicator, values);
      typename InverseMass<dim>::Column result(surface.n_nodes);
      for (unsigned int k = 0; k < surface.n_nodes; ++k)
        for (unsigned int d = 0; d < dim; ++d)
          result[k][d] = values[k * dim + d];
      return result;
    });
  }



  template <int dim>
  std::vector<Overlap<dim>>
  Contact<dim>::find_overlaps() const
  {
    return Ricochet::find_overlaps(surface,
                                   vertex_positions(),
                                   ignored.remaining_search());
  }



  template <int dim>
  void
  Contact<dim>::ignore_overlaps(const std::vector<BodyPair> &pairs)
  {
    ignored.reinit(surface, search_settings, pairs);
    search.set_body_pairs(ignored.remaining_search().body_pairs);
  }



  template <int dim>
  bool
  Contact<dim>::remove_overlaps(const Vectors &positions)
  {
    const bool is_done = Ricochet::remove_overlaps(surface,
                                                   find_overlaps(),
                                                   ignored.remaining_search(),
                                                   settling,
                                                   state);
    if (is_done && inverse_mass_operator)
      add_response(state.position_impulses, positions);
    else if (is_done)
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
      gather(positions_begin, positions_end, velocities, accelerations);
    }
    if (!ignored.empty() &&
        ignored.update(surface.vertex_positions(state.begin, vertex_buffer)))
      search.set_body_pairs(ignored.remaining_search().body_pairs);
    state.predicted_end        = state.end;
    state.predicted_velocities = state.velocities;
    settling.settle(*correction, state);
    finish_step();
    if (state.has_acted() && !must_repeat())
      {
        if (inverse_mass_operator)
          {
            add_response(state.position_impulses, positions_end);
            add_response(state.impulses, velocities);
          }
        else
          {
            scatter(state.end, positions_end);
            scatter(state.velocities, velocities);
          }
      }
    return state.record;
  }



  template <int dim>
  void
  Contact<dim>::begin_step(const double dt)
  {
    // Only what the last step touched needs clearing.
    for (const unsigned int node : state.touched_nodes)
      {
        state.impulses[node]          = 0.;
        state.position_impulses[node] = 0.;
        state.normal_impulses[node]   = 0.;
        state.status[node]            = ContactStatus::open;
      }
    state.touched_nodes.clear();
    state.handled.clear();
    state.record = ContactRecord();
    state.dt     = dt;
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
  Contact<dim>::gather(const ConstVectors &positions_begin,
                       const Vectors &positions_end,
                       const Vectors &velocities,
                       const ConstVectors &accelerations)
  {
    const bool with_accelerations = needs_accelerations();
    const unsigned int n_fields   = with_accelerations ? 4 : 3;
    const unsigned int rank = Utilities::MPI::this_mpi_process(communicator);
    AssertThrow(!with_accelerations || accelerations.size() > 0,
                ExcMessage("The contact response needs the accelerations."));

    send_buffer.clear();
    for (const unsigned int node : nodes.nodes_of_rank[rank])
      {
        const auto &location = nodes.nodes[node];
        const auto pack      = [&](const VectorType &vector) {
          for (unsigned int d = 0; d < dim; ++d)
            send_buffer.push_back(vector(location.dofs[d]));
        };
        pack(*positions_begin[location.source]);
        pack(*positions_end[location.source]);
        pack(*velocities[location.source]);
        if (with_accelerations)
          pack(*accelerations[location.source]);
      }

    std::vector<int> counts, offsets;
    int total = 0;
    for (const auto &nodes_of_one : nodes.nodes_of_rank)
      {
        counts.push_back(nodes_of_one.size() * n_fields * dim);
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
        {
          const auto unpack = [&](auto &field) {
            for (unsigned int d = 0; d < dim; ++d)
              field[node][d] = *value++;
          };
          unpack(state.begin);
          unpack(state.end);
          unpack(state.velocities);
          if (with_accelerations)
            unpack(state.accelerations);
        }
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
  bool
  Contact<dim>::needs_accelerations() const
  {
    return correction != nullptr && correction->needs_accelerations();
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
