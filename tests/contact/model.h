// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_contact_model_h
#define ricochet_tests_contact_model_h

#include <ricochet/contact.h>

#include <deal.II/base/mpi.h>
#include <deal.II/distributed/shared_tria.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <tuple>
#include <vector>

#include "../sums.h"

/** What a body, a unit cube or square, is and does at the start of a step. */
template <int dim>
struct CubeMotion
{
  /** Where it is. */
  dealii::Tensor<2, dim> rotation;
  dealii::Tensor<1, dim> centre;

  /** The velocity at x is velocity + gradient (x - centre). */
  dealii::Tensor<1, dim> velocity;
  dealii::Tensor<2, dim> gradient;
};



/** How the bodies are kept. */
enum class Layout
{
  one_forest,
  forest_per_body,
  simplices
};



/** Momenta and centre of mass are kept, but for what contact is known to do. */
template <int dim>
void
expect_momenta(const Sums<dim> &before,
               const Sums<dim> &after,
               const Ricochet::ContactRecord &record)
{
  EXPECT_LE((after.momentum - before.momentum).norm(),
            1e-13 * before.momentum_scale);
  EXPECT_LE((after.mass_moment - before.mass_moment).norm(),
            1e-13 * before.mass_moment_scale);
  EXPECT_LE((after.angular_momentum - before.angular_momentum -
             record.angular_momentum_change)
              .norm(),
            1e-13 * before.angular_momentum_scale);
}



/**
 * A program of somebody else that has bodies of deal.II cells, with masses
 * that differ from node to node, and does not use anything of the library.
 */
template <int dim>
class Model
{
public:
  using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

  Model(const MPI_Comm communicator,
        const std::vector<CubeMotion<dim>> &cubes,
        const Layout layout           = Layout::one_forest,
        const unsigned int refinement = 1)
    : communicator(communicator)
    , cubes(cubes)
  {
    if (layout == Layout::forest_per_body)
      for (unsigned int body = 0; body < cubes.size(); ++body)
        parts.push_back(make_part({body}, layout, refinement));
    else
      {
        std::vector<unsigned int> bodies;
        for (unsigned int body = 0; body < cubes.size(); ++body)
          bodies.push_back(body);
        parts.push_back(make_part(bodies, layout, refinement));
      }
    for (auto *vectors :
         {&begin, &end, &velocities, &accelerations, &inverse_mass})
      for (const auto &part : parts)
        {
          vectors->emplace_back();
          vectors->back().reinit(
            part->dof_handler.locally_owned_dofs(),
            dealii::DoFTools::extract_locally_relevant_dofs(part->dof_handler),
            communicator);
        }
    for_each_node(
      [&](const unsigned int p, const Node &node, const dealii::Point<dim> &x) {
        const auto &cube = cubes[node.body];
        const dealii::Tensor<1, dim> v =
          cube.velocity + cube.gradient * (x - cube.centre);
        double phase = 0.;
        for (unsigned int d = 0; d < dim; ++d)
          phase += (3. + 2. * d) * x[d];
        for (unsigned int d = 0; d < dim; ++d)
          {
            begin[p](node.dofs[d])        = x[d];
            velocities[p](node.dofs[d])   = v[d];
            inverse_mass[p](node.dofs[d]) = 1. / (1. + 0.5 * std::sin(phase));
          }
      });
    end = begin;
  }

  std::vector<Ricochet::SurfaceSource<dim>>
  sources() const
  {
    std::vector<Ricochet::SurfaceSource<dim>> result;
    for (const auto &part : parts)
      {
        result.emplace_back();
        result.back().dof_handler = &part->dof_handler;
        result.back().body        = [](const auto &cell) {
          return cell->material_id();
        };
      }
    return result;
  }

  Ricochet::ContactModel<dim>
  contact_model() const
  {
    return {sources(), pointers(inverse_mass), communicator, obstacles};
  }

  void
  reinit(Ricochet::Contact<dim> &contact) const
  {
    contact.reinit(contact_model());
  }

  /** Free flight. */
  void
  predict(const double dt)
  {
    begin = end;
    for (unsigned int p = 0; p < parts.size(); ++p)
      end[p].add(dt, velocities[p]);
  }

  const Ricochet::ContactRecord &
  correct(Ricochet::Contact<dim> &contact,
          const double dt,
          const double time = 0.)
  {
    typename Ricochet::Contact<dim>::Vectors positions, speeds;
    for (unsigned int p = 0; p < parts.size(); ++p)
      {
        positions.push_back(&end[p]);
        speeds.push_back(&velocities[p]);
      }
    return contact.correct(
      {time, dt},
      {pointers(begin), positions, speeds, pointers(accelerations)});
  }

  Sums<dim>
  sums() const
  {
    Sums<dim> result;
    for_each_node(
      [&](const unsigned int p, const Node &node, const dealii::Point<dim> &) {
        dealii::Tensor<1, dim> x, v;
        for (unsigned int d = 0; d < dim; ++d)
          {
            x[d] = end[p](node.dofs[d]);
            v[d] = velocities[p](node.dofs[d]);
          }
        const double mass = 1. / inverse_mass[p](node.dofs[0]);
        result.add(x, v, mass * x, mass * v);
      });
    result.sum_over_ranks(communicator);
    return result;
  }

  /** The values of vectors at all nodes of the surface, on all ranks. */
  std::vector<dealii::Point<dim>>
  at_nodes(const std::vector<VectorType> &vectors,
           const Ricochet::SurfaceNodes<dim> &nodes) const
  {
    std::vector<double> values(nodes.nodes.size() * dim, 0.);
    for (unsigned int n = 0; n < nodes.nodes.size(); ++n)
      for (unsigned int d = 0; d < dim; ++d)
        {
          const auto dof     = nodes.nodes[n].dofs[d];
          const auto &vector = vectors[nodes.nodes[n].source];
          if (vector.in_local_range(dof))
            values[n * dim + d] = vector(dof);
        }
    dealii::Utilities::MPI::sum(values, communicator, values);
    std::vector<dealii::Point<dim>> result(nodes.nodes.size());
    for (unsigned int n = 0; n < result.size(); ++n)
      for (unsigned int d = 0; d < dim; ++d)
        result[n][d] = values[n * dim + d];
    return result;
  }

  const dealii::DoFHandler<dim> &
  get_dof_handler() const
  {
    return parts[0]->dof_handler;
  }

  const MPI_Comm communicator;
  std::vector<Ricochet::PlacedObstacle<dim>> obstacles; // of the contact
  std::vector<VectorType> begin, end, velocities, accelerations, inverse_mass;

private:
  using Triangulation = dealii::parallel::TriangulationBase<dim>;

  struct Part
  {
    Part(std::unique_ptr<Triangulation> &&mesh,
         const dealii::FiniteElement<dim> &scalar_element)
      : triangulation(std::move(mesh))
      , dof_handler(*triangulation)
    {
      dof_handler.distribute_dofs(dealii::FESystem<dim>(scalar_element, dim));
    }

    std::unique_ptr<Triangulation> triangulation;
    dealii::DoFHandler<dim> dof_handler;
  };

  /** One node of this rank. */
  struct Node
  {
    unsigned int body;
    std::array<dealii::types::global_dof_index, dim> dofs;
  };

  static typename Ricochet::Contact<dim>::ConstVectors
  pointers(const std::vector<VectorType> &vectors)
  {
    typename Ricochet::Contact<dim>::ConstVectors result;
    for (const auto &vector : vectors)
      result.push_back(&vector);
    return result;
  }

  /** Call @p action(part, node, position in the mesh) for all owned nodes. */
  template <typename Function>
  void
  for_each_node(const Function &action) const
  {
    for (unsigned int p = 0; p < parts.size(); ++p)
      {
        const auto &dof_handler  = parts[p]->dof_handler;
        dealii::IndexSet missing = dof_handler.locally_owned_dofs();
        std::vector<bool> done(missing.n_elements(), false);
        for (const auto &cell : dof_handler.active_cell_iterators())
          if (cell->is_locally_owned())
            for (const unsigned int v : cell->vertex_indices())
              {
                const auto first = cell->vertex_dof_index(v, 0);
                if (!missing.is_element(first) ||
                    done[missing.index_within_set(first)])
                  continue;
                done[missing.index_within_set(first)] = true;
                Node node;
                node.body = cell->material_id();
                for (unsigned int d = 0; d < dim; ++d)
                  node.dofs[d] = cell->vertex_dof_index(v, d);
                action(p, node, cell->vertex(v));
              }
      }
  }

  std::unique_ptr<Part>
  make_part(const std::vector<unsigned int> &bodies,
            const Layout layout,
            const unsigned int refinement) const
  {
    using namespace dealii;

    // The meshes side by side, so that nothing is merged where they touch.
    std::vector<Point<dim>> vertices;
    std::vector<CellData<dim>> cells;
    for (const unsigned int body : bodies)
      {
        dealii::Triangulation<dim> cube;
        GridGenerator::subdivided_hyper_cube(cube, 2, -0.5, 0.5);
        if (layout == Layout::simplices)
          {
            dealii::Triangulation<dim> hypercubes;
            hypercubes.copy_triangulation(cube);
            cube.clear();
            GridGenerator::convert_hypercube_to_simplex_mesh(hypercubes, cube);
          }
        auto description = GridTools::get_coarse_mesh_description(cube);
        for (auto cell : std::get<1>(description))
          {
            for (unsigned int &vertex : cell.vertices)
              vertex += vertices.size();
            cell.material_id = body;
            cells.push_back(cell);
          }
        for (const auto &x : std::get<0>(description))
          vertices.push_back(
            Point<dim>(cubes[body].rotation * x + cubes[body].centre));
      }

    if (layout == Layout::simplices)
      {
        using Shared = parallel::shared::Triangulation<dim>;
        auto mesh    = std::make_unique<Shared>(communicator,
                                             Shared::MeshSmoothing::none,
                                             true,
                                             Shared::partition_custom_signal);
        mesh->signals.create.connect([pointer = mesh.get(), this]() {
          const unsigned int n_ranks =
            Utilities::MPI::n_mpi_processes(communicator);
          for (const auto &cell : pointer->active_cell_iterators())
            cell->set_subdomain_id(cell->active_cell_index() * n_ranks /
                                   pointer->n_active_cells());
        });
        mesh->create_triangulation(vertices, cells, SubCellData());
        return std::make_unique<Part>(std::move(mesh), FE_SimplexP<dim>(1));
      }
    auto mesh =
      std::make_unique<parallel::distributed::Triangulation<dim>>(communicator);
    mesh->create_triangulation(vertices, cells, SubCellData());
    mesh->refine_global(refinement);
    return std::make_unique<Part>(std::move(mesh), FE_Q<dim>(1));
  }

  const std::vector<CubeMotion<dim>> cubes;
  std::vector<std::unique_ptr<Part>> parts;
};

#endif
