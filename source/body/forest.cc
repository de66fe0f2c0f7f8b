// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/body/forest.h>
#include <ricochet/body/forest_order.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/index_set.h>
#include <deal.II/base/numbers.h>
#include <deal.II/distributed/shared_tria.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_tools.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_fe_field.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/cell_id.h>

#include <algorithm>
#include <cstdint>
#include <list>
#include <numeric>

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
  Forest<dim>::Forest(const MPI_Comm communicator,
                      const std::vector<Tree> &trees,
                      const Levels &levels,
                      const unsigned int degree)
  {
    cells.degree = degree;
    build(communicator, trees, levels);
  }



  template <int dim>
  Forest<dim>::Forest(
    const MPI_Comm communicator,
    const std::vector<
      std::pair<unsigned int, const dealii::Triangulation<dim> *>> &serial)
  {
    std::list<CoarseMesh<dim>> meshes;
    std::vector<Tree> trees;
    for (const auto &body : serial)
      {
        meshes.emplace_back(*body.second);
        trees.emplace_back(body.first, &meshes.back());
      }
    build(communicator, trees, {});
  }



  template <int dim>
  void
  Forest<dim>::build(const MPI_Comm communicator,
                     const std::vector<Tree> &trees,
                     const Levels &levels)
  {
    AssertThrow(!trees.empty(), dealii::ExcMessage("A forest needs bodies."));
    cells.simplex = trees[0].second->is_simplex();
    create_triangulation(communicator, join(trees), static_cast<bool>(levels));
    refine(trees, levels);
    distribute_dofs();
    build_cell_table();
    find_hanging_nodes();
    find_regions();
    follow_curved_nodes();
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
    const bool several_ranks =
      dealii::Utilities::MPI::n_mpi_processes(communicator) > 1;
    if (!cells.simplex && (several_ranks || local_refinement))
      triangulation =
        std::make_unique<dealii::parallel::distributed::Triangulation<dim>>(
          communicator,
          dealii::Triangulation<dim>::none);
    else
      {
        using Shared = dealii::parallel::shared::Triangulation<dim>;
        auto shared =
          std::make_unique<Shared>(communicator,
                                   dealii::Triangulation<dim>::none,
                                   /*allow_artificial_cells = */ several_ranks,
                                   Shared::Settings::partition_custom_signal);
        shared->signals.create.connect(
          [pointer = shared.get()]() { partition_contiguously(*pointer); });
        triangulation = std::move(shared);
        if (!cells.simplex)
          sort_trees(mesh);
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
  Forest<dim>::sort_trees(CoarseMesh<dim> &mesh)
  {
    const std::vector<unsigned int> places = places_in_forest(mesh);
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



  template <int dim>
  void
  Forest<dim>::distribute_dofs()
  {
    dof_handler.reinit(*triangulation);
    if (cells.simplex)
      dof_handler.distribute_dofs(
        dealii::FESystem<dim>(dealii::FE_SimplexP<dim>(1), dim));
    else
      dof_handler.distribute_dofs(
        dealii::FESystem<dim>(dealii::FE_Q<dim>(cells.degree), dim));

    element_nodes.resize(dof_handler.get_fe().n_dofs_per_cell() / dim);
    if (cells.simplex)
      std::iota(element_nodes.begin(), element_nodes.end(), 0u);
    else
      element_nodes =
        dealii::FETools::lexicographic_to_hierarchic_numbering<dim>(
          cells.degree);

    // Both triangulations cut a sequence of all cells that is the same for any
    // number of ranks into contiguous pieces, and the lowest rank at a vertex
    // owns it. Numbering nodes as they appear in that sequence is therefore
    // independent of the cuts.
    dealii::DoFRenumbering::hierarchical(dof_handler);

    partitioner = std::make_shared<const dealii::Utilities::MPI::Partitioner>(
      dof_handler.locally_owned_dofs(),
      dealii::DoFTools::extract_locally_relevant_dofs(dof_handler),
      triangulation->get_communicator());
  }



  template <int dim>
  void
  Forest<dim>::get_nodes(
    const typename dealii::DoFHandler<dim>::active_cell_iterator &cell,
    std::vector<unsigned int> &nodes) const
  {
    const dealii::FiniteElement<dim> &fe = dof_handler.get_fe();
    std::vector<dealii::types::global_dof_index> dofs(fe.n_dofs_per_cell());
    cell->get_dof_indices(dofs);
    nodes.resize(cells.nodes_per_cell);
    for (unsigned int a = 0; a < nodes.size(); ++a)
      {
        const auto dof = [&](const unsigned int c) {
          return dofs[fe.component_to_system_index(c, element_nodes[a])];
        };
        nodes[a] = partitioner->global_to_local(dof(0)) / dim;
        for (unsigned int c = 1; c < dim; ++c)
          AssertThrow(dof(c) == dof(0) + c, dealii::ExcInternalError());
      }
  }



  template <int dim>
  dealii::Point<dim>
  Forest<dim>::reference_position(
    const typename dealii::DoFHandler<dim>::active_cell_iterator &cell,
    const unsigned int a) const
  {
    // Elements count vertices, lines, faces, and the cell, in this order. What
    // cells share is asked for itself, so that they agree to the last bit.
    unsigned int n = element_nodes[a];
    if (n < cell->n_vertices())
      return cell->vertex(n);
    n -= cell->n_vertices();
    if (n < cell->n_lines())
      return node_amidst(cell->line(n));
    n -= cell->n_lines();
    if constexpr (dim == 3)
      if (n < cell->n_faces())
        return node_amidst(cell->face(n));
    return node_amidst(cell);
  }



  template <int dim>
  template <typename Object>
  dealii::Point<dim>
  Forest<dim>::node_amidst(const Object &object) const
  {
    if (!curved_nodes.empty())
      {
        std::vector<unsigned int> vertices;
        for (const unsigned int v : object->vertex_indices())
          vertices.push_back(object->vertex_index(v));
        if (const auto *node = curved_nodes.find(vertices))
          return *node;
      }
    return object->center();
  }



  template <int dim>
  void
  Forest<dim>::follow_curved_nodes()
  {
    if (curved_nodes.empty())
      return;
    curved_positions.reinit(partitioner);
    for (unsigned int n = 0; n < cells.n_owned_nodes; ++n)
      for (unsigned int d = 0; d < dim; ++d)
        curved_positions.local_element(dim * n + d) =
          cells.reference_positions[n][d];
    curved_positions.update_ghost_values();
    mapping = std::make_unique<dealii::MappingFEField<
      dim,
      dim,
      dealii::LinearAlgebra::distributed::Vector<double>>>(dof_handler,
                                                           curved_positions);
  }



  template <int dim>
  void
  Forest<dim>::build_cell_table()
  {
    using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;

    cells.nodes_per_cell = element_nodes.size();
    cells.n_owned_nodes  = partitioner->locally_owned_size() / dim;
    cells.n_nodes = cells.n_owned_nodes + partitioner->n_ghost_indices() / dim;
    cells.reference_positions.resize(cells.n_nodes);
    node_bodies.resize(cells.n_nodes);

    std::vector<unsigned int> nodes;
    for (const Cell &cell : dof_handler.active_cell_iterators())
      if (!cell->is_artificial())
        {
          const unsigned int body = body_of_cell(cell);
          get_nodes(cell, nodes);
          for (unsigned int a = 0; a < nodes.size(); ++a)
            {
              cells.reference_positions[nodes[a]] = reference_position(cell, a);
              node_bodies[nodes[a]]               = body;
            }
        }

    for (const auto &id_and_cell : cells_of_table())
      {
        const Cell &cell = id_and_cell.second;
        get_nodes(cell, nodes);
        cells.cell_nodes.insert(cells.cell_nodes.end(),
                                nodes.begin(),
                                nodes.end());
        cells.cell_body.push_back(body_of_cell(cell));
        cells.cell_is_owned.push_back(cell->is_locally_owned());
      }
  }



  template <int dim>
  std::vector<std::pair<dealii::CellId,
                        typename dealii::DoFHandler<dim>::active_cell_iterator>>
  Forest<dim>::cells_of_table() const
  {
    using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;

    std::vector<unsigned int> nodes;
    std::vector<std::pair<dealii::CellId, Cell>> sorted;
    for (const Cell &cell : dof_handler.active_cell_iterators())
      if (!cell->is_artificial())
        {
          if (region_of_cell(cell) != 0)
            continue;
          bool is_needed = cell->is_locally_owned();
          get_nodes(cell, nodes);
          for (const unsigned int node : nodes)
            is_needed |= node < cells.n_owned_nodes;
          if (is_needed)
            sorted.emplace_back(cell->id(), cell);
        }
    std::sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) {
      return a.first < b.first;
    });
    return sorted;
  }



  template <int dim>
  void
  Forest<dim>::find_regions()
  {
    node_regions.assign(cells.n_nodes, 0);
    // Of ghost nodes a rank may not see all cells.
    dealii::LinearAlgebra::distributed::Vector<double> regions(partitioner);
    std::vector<unsigned int> nodes;
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (!cell->is_artificial() && region_of_cell(cell) != 0)
        {
          get_nodes(cell, nodes);
          for (const unsigned int node : nodes)
            if (!hanging_nodes.get_constraints().is_constrained(
                  partitioner->local_to_global(dim * node)))
              regions.local_element(dim * node) = region_of_cell(cell);
        }
    regions.update_ghost_values();
    for (unsigned int n = 0; n < cells.n_nodes; ++n)
      node_regions[n] =
        static_cast<unsigned int>(regions.local_element(dim * n));
  }



  template <int dim>
  void
  Forest<dim>::find_hanging_nodes()
  {
    hanging_nodes.reinit(dof_handler, partitioner);
    if (hanging_nodes.empty())
      return;
    // Bodies at rest then have no strain, not even one of round-off.
    typename HangingNodes<dim>::VectorType positions(partitioner);
    for (unsigned int n = 0; n < cells.n_owned_nodes; ++n)
      for (unsigned int d = 0; d < dim; ++d)
        positions.local_element(dim * n + d) = cells.reference_positions[n][d];
    hanging_nodes.distribute(positions);
    positions.update_ghost_values();
    for (unsigned int n = 0; n < cells.n_nodes; ++n)
      for (unsigned int d = 0; d < dim; ++d)
        cells.reference_positions[n][d] = positions.local_element(dim * n + d);
  }



  template <int dim>
  const std::set<dealii::types::boundary_id> &
  Forest<dim>::get_boundary_ids(const unsigned int body) const
  {
    const auto ids = boundary_ids.find(body);
    AssertThrow(ids != boundary_ids.end(),
                dealii::ExcMessage("The body is not in this forest."));
    return ids->second;
  }



  template <int dim>
  std::vector<unsigned int>
  Forest<dim>::nodes_on_boundary(
    const unsigned int body,
    const std::set<dealii::types::boundary_id> &ids) const
  {
    const dealii::FiniteElement<dim> &fe = dof_handler.get_fe();
    std::vector<dealii::types::global_dof_index> dofs;
    std::vector<unsigned int> nodes;
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (!cell->is_artificial() && cell->at_boundary() &&
          body_of_cell(cell) == body)
        for (const unsigned int f : cell->face_indices())
          {
            const auto face = cell->face(f);
            if (!face->at_boundary() || ids.count(face->boundary_id()) == 0)
              continue;
            dofs.resize(fe.n_dofs_per_face(f));
            face->get_dof_indices(dofs);
            for (const auto dof : dofs)
              nodes.push_back(partitioner->global_to_local(dof) / dim);
          }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }



  template class Forest<2>;
  template class Forest<3>;
} // namespace Ricochet
