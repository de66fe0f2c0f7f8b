// SPDX-License-Identifier: LGPL-2.1-or-later

// What the solids do before the first step: from the bodies to forests,
// masses and the motion at time zero.

#include <ricochet/base/collective.h>
#include <ricochet/base/embedding.h>
#include <ricochet/base/error.h>
#include <ricochet/body/consistent_mass.h>
#include <ricochet/body/solids.h>

#include <algorithm>

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  void
  Solids<dim>::reinit(std::vector<Body<dim>> &&new_bodies,
                      std::vector<RigidBody<dim>> &&new_rigid_bodies)
  {
    bodies = std::move(new_bodies);
    rigid  = std::move(new_rigid_bodies);
    take_regions();
    require(n_bodies() > 0,
            "There are no bodies. Add at least one subsection to 'Bodies'.");

    check_degree();
    check_formulations();

    // Hypercubes and simplices live in forests of their own.
    std::vector<typename Forest<dim>::Tree> hypercubes, simplices;
    for (unsigned int b = 0; b < bodies.size(); ++b)
      (bodies[b].mesh.is_simplex() ? simplices : hypercubes)
        .emplace_back(b, &bodies[b].mesh);
    parts.clear();
    any_supports = any_body_force = false;
    for (const auto *meshes : {&hypercubes, &simplices})
      if (!meshes->empty())
        make_part(*meshes);

    any_supports = Utilities::MPI::max(static_cast<unsigned int>(any_supports),
                                       communicator) > 0;
    for (auto &body : bodies)
      {
        any_body_force = any_body_force || !body.body_force.is_zero();
        body.mesh      = CoarseMesh<dim>(); // the forest has it now
      }
  }



  template <int dim>
  void
  Solids<dim>::check_degree() const
  {
    for (const Body<dim> &body : bodies)
      require(degree == 2 || body.mesh.curved_nodes.empty(),
              "Body '" + body.name +
                "' has quadratic cells. Set 'Element degree = 2' in 'Bodies' "
                "to keep the nodes between their vertices, or 'Order of mesh "
                "file = linear' in its section 'Mesh' to leave them out.");
    if (degree == 1)
      return;
    for (const auto &body : bodies)
      {
        require(!body.mesh.is_simplex(),
                "Body '" + body.name +
                  "' consists of simplices, which have elements of degree 1 "
                  "only. Set 'Element degree = 1', or use quadrilaterals or "
                  "hexahedra.");
        require(body.local_refinement.is_zero(),
                "Body '" + body.name +
                  "' has a 'Local refinement', but elements of degree 2 cannot "
                  "have hanging nodes. Set 'Element degree = 1', or refine all "
                  "cells by 'Refinements'.");
      }
  }



  template <int dim>
  void
  Solids<dim>::check_formulations() const
  {
    for (const auto &body : bodies)
      require(body.formulation.kind == ElementFormulation::Kind::full ||
                (degree == 1 && !body.mesh.is_simplex()),
              "Body '" + body.name +
                "' has an 'Element formulation' for quadrilaterals and "
                "hexahedra of degree 1 only. Set it to 'full', or use those.");
  }



  template <int dim>
  void
  Solids<dim>::make_part(const std::vector<typename Forest<dim>::Tree> &meshes)
  {
    std::vector<const Material<dim> *> materials;
    std::vector<ElementFormulation> formulations;
    for (const auto &body : bodies)
      {
        materials.push_back(body.material.get());
        formulations.push_back(body.formulation);
      }

    typename Forest<dim>::Levels levels;
    if (std::any_of(bodies.begin(), bodies.end(), [](const Body<dim> &body) {
          return !body.local_refinement.is_zero();
        }))
      levels = [this](const unsigned int b, const Point<dim> &centre) {
        return bodies[b].refinement_level(centre);
      };

    Part part;
    part.forest =
      std::make_unique<Forest<dim>>(communicator, meshes, levels, degree);
    part.forces = std::make_unique<InternalForces<dim>>();
    on_all_ranks(communicator, [&]() {
      part.forces->reinit(part.forest->get_cells(),
                          materials,
                          body_names(),
                          formulations);
    });

    part.mass.reinit(part.forest->get_partitioner());
    part.inverse_mass.reinit(part.forest->get_partitioner());
    const std::vector<double> &lumped = part.forces->lumped_mass();
    for (unsigned int n = 0; n < lumped.size(); ++n)
      for (unsigned int d = 0; d < dim; ++d)
        part.mass.local_element(dim * n + d) = lumped[n];
    part.forest->get_hanging_nodes().condense(part.mass);
    tie_nodes(part);
    for (unsigned int i = 0; i < part.mass.locally_owned_size(); ++i)
      if (part.mass.local_element(i) > 0.)
        part.inverse_mass.local_element(i) = 1. / part.mass.local_element(i);
    on_all_ranks(communicator, [&]() { find_supports(part); });
    if (mass_kind == MassKind::consistent)
      make_consistent_mass(part);
    parts.push_back(std::move(part));
  }



  template <int dim>
  void
  Solids<dim>::make_consistent_mass(Part &part) const
  {
    part.consistent_mass = std::make_unique<ConsistentMass<dim>>(
      part.forest->get_dof_handler(),
      part.forest->get_mapping(),
      part.forest->get_hanging_nodes().get_constraints(),
      [&](const typename DoFHandler<dim>::active_cell_iterator &cell) {
        return bodies[part.forest->body_of_cell(cell)].material->density();
      },
      part.inverse_mass);
  }



  template <int dim>
  std::vector<Point<dim>>
  Solids<dim>::centres_of_mass() const
  {
    // Mass and first moments in the order of the nodes, which ranks own one
    // after the other: the starting spin depends on them.
    std::vector<double> sums(bodies.size() * (dim + 1), 0.);
    one_rank_after_another(communicator, sums, [&]() {
      for (const Part &part : parts)
        {
          const CellTable<dim> &cells = part.forest->get_cells();
          for (unsigned int n = 0; n < cells.n_owned_nodes; ++n)
            {
              double *row =
                &sums[part.forest->get_node_bodies()[n] * (dim + 1)];
              const double mass = part.mass.local_element(dim * n);
              row[dim] += mass;
              for (unsigned int d = 0; d < dim; ++d)
                row[d] += mass * cells.reference_positions[n][d];
            }
        }
    });
    for (const RigidBody<dim> &body : rigid)
      if (body.is_region())
        {
          double *row = &sums[body.host * (dim + 1)];
          row[dim] += body.mass.mass;
          for (unsigned int d = 0; d < dim; ++d)
            row[d] += body.mass.mass * body.centre[d];
        }
    std::vector<Point<dim>> centres(bodies.size());
    for (unsigned int b = 0; b < bodies.size(); ++b)
      for (unsigned int d = 0; d < dim; ++d)
        centres[b][d] = sums[b * (dim + 1) + d] / sums[b * (dim + 1) + dim];
    return centres;
  }



  template <int dim>
  State
  Solids<dim>::initial_state() const
  {
    State state                           = empty_state();
    const std::vector<Point<dim>> centres = centres_of_mass();
    on_all_ranks(communicator, [&]() {
      for (unsigned int p = 0; p < parts.size(); ++p)
        {
          const CellTable<dim> &cells = parts[p].forest->get_cells();
          for (unsigned int n = 0; n < cells.n_nodes; ++n)
            {
              const Point<dim> &x    = cells.reference_positions[n];
              const unsigned int b   = parts[p].forest->get_node_bodies()[n];
              const Tensor<1, dim> v = bodies[b].velocity_at(x, centres[b]);
              for (unsigned int d = 0; d < dim; ++d)
                {
                  state.positions[p].local_element(dim * n + d)  = x[d];
                  state.velocities[p].local_element(dim * n + d) = v[d];
                }
            }
        }
    });
    distribute_to_hanging_nodes(state.velocities);
    for (const RigidBody<dim> &body : rigid)
      {
        state.rigid_motions.push_back(body.initial_motion());
        if (!body.is_region())
          continue;
        const Body<dim> &host = bodies[body.host];
        RigidMotion &motion   = state.rigid_motions.back();
        motion.velocity =
          in_space(host.velocity_at(body.centre, centres[body.host]));
        motion.set_angular_velocity(rotation_in_space(host.spin));
      }
    move_tied_nodes(state);
    return state;
  }



  template void
  Solids<2>::reinit(std::vector<Body<2>> &&, std::vector<RigidBody<2>> &&);
  template void
  Solids<3>::reinit(std::vector<Body<3>> &&, std::vector<RigidBody<3>> &&);
  template State
  Solids<2>::initial_state() const;
  template State
  Solids<3>::initial_state() const;
} // namespace Ricochet
