// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/forest.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/index_set.h>
#include <deal.II/base/numbers.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_tools.h>
#include <deal.II/fe/mapping_fe_field.h>
#include <deal.II/grid/cell_id.h>

#include <algorithm>
#include <list>
#include <numeric>

namespace Ricochet
{
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
    if (levels || cells.simplex || cuts_pay(trees))
      {
        create_triangulation(communicator,
                             join(trees),
                             static_cast<bool>(levels));
        refine(trees, levels);
      }
    else
      create_flat_triangulation(communicator, trees);
    distribute_dofs();
    build_cell_table();
    find_hanging_nodes();
    find_regions();
    follow_curved_nodes();
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
