// SPDX-License-Identifier: LGPL-2.1-or-later

// How a forest makes its triangulation from the meshes of the bodies.

#include <ricochet/base/collective.h>
#include <ricochet/body/forest.h>
#include <ricochet/body/forest_order.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/distributed/shared_tria.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q1.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>
#include <map>

namespace Ricochet
{
  namespace
  {
    /** Cut the cells, in their order, into pieces of almost equal size. */
    template <int dim>
    void
    partition_contiguously(
      dealii::parallel::shared::Triangulation<dim> &triangulation)
    {
      const std::uint64_t n_ranks = dealii::Utilities::MPI::n_mpi_processes(
        triangulation.get_communicator());
      const std::uint64_t n_cells = triangulation.n_active_cells();
      for (const auto &cell : triangulation.active_cell_iterators())
        cell->set_subdomain_id(cell->active_cell_index() * n_ranks / n_cells);
    }
  } // namespace



  template <int dim>
  bool
  Forest<dim>::cuts_pay(const std::vector<Tree> &trees)
  {
    double n_coarse = 0., n_cells = 0.;
    for (const auto &[body, mesh] : trees)
      {
        n_coarse += mesh->cells.size();
        n_cells += mesh->cells.size() *
                   std::pow(2., static_cast<int>(dim * mesh->refinements));
      }
    return 2. * n_coarse < n_cells;
  }



  template <int dim>
  CoarseMesh<dim>
  Forest<dim>::join(const std::vector<Tree> &trees)
  {
    CoarseMesh<dim> forest;
    for (const auto &[body, mesh] : trees)
      {
        AssertThrow(mesh->is_simplex() == cells.simplex,
                    dealii::ExcMessage("Two cell types in one forest."));
        AssertThrow(boundary_ids.emplace(body, mesh->boundary_ids()).second,
                    dealii::ExcMessage("Two bodies have one number."));
        bodies.push_back(body);

        const unsigned int offset = forest.vertices.size();
        const auto append         = [offset](const auto &from, auto &to) {
          for (auto data : from)
            {
              for (unsigned int &vertex : data.vertices)
                vertex += offset;
              to.push_back(data);
            }
        };
        append(mesh->cells, forest.cells);
        if (mesh->n_rigid_regions == 0)
          for (unsigned int c = cell_bodies.size(); c < forest.cells.size();
               ++c)
            forest.cells[c].material_id = 0;
        append(mesh->subcell_data.boundary_lines,
               forest.subcell_data.boundary_lines);
        append(mesh->subcell_data.boundary_quads,
               forest.subcell_data.boundary_quads);
        forest.vertices.insert(forest.vertices.end(),
                               mesh->vertices.begin(),
                               mesh->vertices.end());
        curved_nodes.append(mesh->curved_nodes, offset);
        cell_bodies.resize(forest.cells.size(), body);
      }
    std::sort(bodies.begin(), bodies.end());
    return forest;
  }



  template <int dim>
  void
  Forest<dim>::create_triangulation(const MPI_Comm communicator,
                                    CoarseMesh<dim> &&mesh,
                                    const bool local_refinement)
  {
    if (cells.simplex)
      create_shared_triangulation(communicator);
    else if (dealii::Utilities::MPI::n_mpi_processes(communicator) > 1 ||
             local_refinement)
      triangulation =
        std::make_unique<dealii::parallel::distributed::Triangulation<dim>>(
          communicator,
          dealii::Triangulation<dim>::none);
    else
      {
        create_shared_triangulation(communicator);
        sort_cells(places_in_forest(mesh), mesh);
      }

    if (cells.simplex)
      mapping =
        std::make_unique<dealii::MappingFE<dim>>(dealii::FE_SimplexP<dim>(1));
    else
      mapping = std::make_unique<dealii::MappingQ1<dim>>();
    mesh.create_triangulation(*triangulation);
  }



  template <int dim>
  void
  Forest<dim>::create_flat_triangulation(const MPI_Comm communicator,
                                         const std::vector<Tree> &trees)
  {
    std::list<CoarseMesh<dim>> cut;
    std::vector<Tree> flat;
    for (const auto &[body, mesh] : trees)
      if (mesh->refinements == 0)
        flat.emplace_back(body, mesh);
      else
        {
          cut.push_back(mesh->refined());
          flat.emplace_back(body, &cut.back());
        }
    CoarseMesh<dim> mesh = join(flat);
    cut.clear();
    sort_cells(places_on_curve(mesh, cell_bodies), mesh);
    create_shared_triangulation(communicator);
    mapping = std::make_unique<dealii::MappingQ1<dim>>();
    mesh.create_triangulation(*triangulation);
  }



  template <int dim>
  void
  Forest<dim>::create_shared_triangulation(const MPI_Comm communicator)
  {
    using Shared = dealii::parallel::shared::Triangulation<dim>;
    auto shared =
      std::make_unique<Shared>(communicator,
                               dealii::Triangulation<dim>::none,
                               /*allow_artificial_cells = */
                               dealii::Utilities::MPI::n_mpi_processes(
                                 communicator) > 1,
                               Shared::Settings::partition_custom_signal);
    shared->signals.create.connect(
      [pointer = shared.get()]() { partition_contiguously(*pointer); });
    triangulation = std::move(shared);
  }



  template <int dim>
  void
  Forest<dim>::sort_cells(const std::vector<unsigned int> &places,
                          CoarseMesh<dim> &mesh)
  {
    std::vector<dealii::CellData<dim>> sorted(mesh.cells.size());
    std::vector<unsigned int> bodies_of_sorted(mesh.cells.size());
    for (unsigned int c = 0; c < places.size(); ++c)
      {
        sorted[places[c]]           = std::move(mesh.cells[c]);
        bodies_of_sorted[places[c]] = cell_bodies[c];
      }
    mesh.cells  = std::move(sorted);
    cell_bodies = std::move(bodies_of_sorted);
  }



  template <int dim>
  void
  Forest<dim>::refine(const std::vector<Tree> &trees, const Levels &levels)
  {
    std::map<unsigned int, unsigned int> n_cuts;
    for (const auto &[body, mesh] : trees)
      n_cuts[body] = mesh->refinements;
    const auto is_coarse = [&](const auto &cell) {
      const unsigned int level = cell->level(), body = body_of_cell(cell),
                         least = n_cuts[body];
      return level < least ||
             (levels && level - least < levels(body, cell->center()));
    };

    const MPI_Comm communicator = triangulation->get_communicator();
    for (bool changed = true; changed;)
      {
        unsigned int n_marked = 0;
        on_all_ranks(communicator, [&]() {
          for (const auto &cell : triangulation->active_cell_iterators())
            if (cell->is_locally_owned() && is_coarse(cell))
              {
                cell->set_refine_flag();
                ++n_marked;
              }
        });
        changed = dealii::Utilities::MPI::max(n_marked, communicator) > 0;
        if (changed)
          triangulation->execute_coarsening_and_refinement();
      }
  }



#define RICOCHET_INSTANTIATE_TRIANGULATION(dim)                          \
  template bool Forest<dim>::cuts_pay(const std::vector<Tree> &);        \
  template CoarseMesh<dim> Forest<dim>::join(const std::vector<Tree> &); \
  template void Forest<dim>::create_triangulation(const MPI_Comm,        \
                                                  CoarseMesh<dim> &&,    \
                                                  const bool);           \
  template void Forest<dim>::create_flat_triangulation(                  \
    const MPI_Comm,                                                      \
    const std::vector<Tree> &);                                          \
  template void Forest<dim>::refine(const std::vector<Tree> &, const Levels &);

  RICOCHET_INSTANTIATE_TRIANGULATION(2)
  RICOCHET_INSTANTIATE_TRIANGULATION(3)
#undef RICOCHET_INSTANTIATE_TRIANGULATION
} // namespace Ricochet
