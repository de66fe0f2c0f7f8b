// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_body_make_cell_table_h
#define ricochet_tests_body_make_cell_table_h

#include <ricochet/element/cell_table.h>

#include <deal.II/grid/tria.h>

#include <vector>

/**
 * The cells of a serial mesh as a table whose nodes are the mesh's vertices, in
 * their order; the material id is the body.
 */
template <int dim>
Ricochet::CellTable<dim>
make_cell_table(const dealii::Triangulation<dim> &mesh)
{
  Ricochet::CellTable<dim> table;
  table.simplex        = mesh.all_reference_cells_are_simplex();
  table.nodes_per_cell = table.simplex ? dim + 1 : 1 << dim;
  for (const auto &cell : mesh.active_cell_iterators())
    {
      for (const unsigned int v : cell->vertex_indices())
        table.cell_nodes.push_back(cell->vertex_index(v));
      table.cell_body.push_back(cell->material_id());
      table.cell_is_owned.push_back(1);
    }
  table.n_owned_nodes       = mesh.n_vertices();
  table.n_nodes             = mesh.n_vertices();
  table.reference_positions = mesh.get_vertices();
  return table;
}



/** The reference positions of a table as one vector. */
template <int dim>
std::vector<double>
positions_of(const Ricochet::CellTable<dim> &table)
{
  std::vector<double> positions;
  for (const auto &point : table.reference_positions)
    for (unsigned int c = 0; c < dim; ++c)
      positions.push_back(point[c]);
  return positions;
}

#endif
