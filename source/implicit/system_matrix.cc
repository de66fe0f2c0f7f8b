// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/matrix_row.h>
#include <ricochet/implicit/system_matrix.h>

#include <deal.II/base/std_cxx17/optional.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparsity_tools.h>

#include <Epetra_CrsMatrix.h>
#include <Epetra_Import.h>
#include <Epetra_Map.h>
#include <Epetra_Vector.h>
#include <algorithm>
#include <cmath>
#include <map>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    using Number = TrilinosWrappers::types::int_type;

    /** Replace values of ghost cells of the table by those of their owners, who
     * know of all their hanging nodes. Collective. */
    template <int dim>
    void
    take_from_owners(const Forest<dim> &forest, std::vector<char> &values)
    {
      using Cell       = typename DoFHandler<dim>::active_cell_iterator;
      const auto cells = forest.cells_of_table();
      std::map<CellId, unsigned int> rows;
      for (unsigned int row = 0; row < cells.size(); ++row)
        rows[cells[row].first] = row;
      GridTools::exchange_cell_data_to_ghosts<char, DoFHandler<dim>>(
        forest.get_dof_handler(),
        [&](const Cell &cell) -> std_cxx17::optional<char> {
          return values[rows.at(cell->id())];
        },
        [&](const Cell &cell, const char value) {
          const auto row = rows.find(cell->id());
          if (row != rows.end())
            values[row->second] = value;
        });
    }
  } // namespace



  template <int dim>
  void
  SystemMatrix<dim>::reinit(const Solids<dim> &new_solids)
  {
    solids = &new_solids;
    numbering.reinit(*solids);
    contact_pairs.clear();
    element_entries.clear();
    find_constraints();
    build();
  }



  template <int dim>
  void
  SystemMatrix<dim>::find_constraints()
  {
    const unsigned int n = numbering.owned().n_elements();
    is_fixed.assign(n, 0);
    is_constrained.assign(n, 0);
    has_hanging_nodes.assign(solids->n_forests(), {});
    hanging.clear();
    hanging.reinit(numbering.relevant());
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      {
        const Forest<dim> &forest   = solids->forest(p);
        const auto &hanging_nodes   = forest.get_hanging_nodes();
        const auto &constraints     = hanging_nodes.get_constraints();
        const CellTable<dim> &cells = forest.get_cells();
        const auto &layout          = *forest.get_partitioner();
        std::vector<char> node_hangs(cells.n_nodes, 0);
        for (unsigned int node = 0; node < cells.n_nodes; ++node)
          {
            const auto dof   = layout.local_to_global(dim * node);
            node_hangs[node] = constraints.is_constrained(dof) ? 1 : 0;
            if (node >= cells.n_owned_nodes)
              continue;
            for (unsigned int d = 0; d < dim; ++d)
              {
                const unsigned int own = numbering.begin(p) + dim * node + d;
                is_constrained[own] =
                  solids->inverse_mass(p).local_element(dim * node + d) == 0.;
                is_fixed[own] =
                  is_constrained[own] && node_hangs[node] == 0 ? 1 : 0;
              }
          }
        for (const auto &line : constraints.get_lines())
          {
            const auto number = numbering.of_dof(p, line.index);
            if (!numbering.relevant().is_element(number))
              continue;
            hanging.add_line(number);
            for (const auto &[master, weight] : line.entries)
              hanging.add_entry(number, numbering.of_dof(p, master), weight);
          }
        has_hanging_nodes[p].assign(cells.n_cells(), 0);
        if (!hanging_nodes.empty())
          {
            for (unsigned int i = 0; i < cells.cell_nodes.size(); ++i)
              if (node_hangs[cells.cell_nodes[i]] != 0)
                has_hanging_nodes[p][i / cells.nodes_per_cell] = 1;
            take_from_owners(forest, has_hanging_nodes[p]);
          }
      }
    hanging.close();
    for (unsigned int k = 0;
         k < solids->rigid_bodies().size() && numbering.owns_rigid_bodies();
         ++k)
      {
        const RigidBody<dim> &body = solids->rigid_bodies()[k];
        for (unsigned int i = 0; i < numbering.n_rigid_unknowns; ++i)
          {
            const unsigned int row = numbering.of_rigid_body(k) + i;
            is_fixed[row]          = is_constrained[row] =
              i < dim ? body.holds_velocity[i] : body.holds_rotation;
          }
      }
  }



  template <int dim>
  void
  SystemMatrix<dim>::build()
  {
    const IndexSet &owned = numbering.owned();
    DynamicSparsityPattern pattern(owned.size(),
                                   owned.size(),
                                   numbering.relevant());
    add_cells_to_pattern(pattern);
    for (const auto &[row, column] : contact_pairs)
      if (owned.is_element(row))
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            pattern.add(row + i, column + j);
    for (const auto &[row, column] : element_entries)
      pattern.add(row, column);
    SparsityTools::distribute_sparsity_pattern(pattern,
                                               owned,
                                               numbering.get_communicator(),
                                               numbering.relevant());
    matrix = std::make_shared<MatrixType>();
    matrix->reinit(owned, owned, pattern, numbering.get_communicator());
    mark_fixed_columns();
    find_places();
  }



  template <int dim>
  void
  SystemMatrix<dim>::add_cells_to_pattern(DynamicSparsityPattern &pattern) const
  {
    std::vector<types::global_dof_index> dofs;
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      {
        const CellTable<dim> &cells = solids->forest(p).get_cells();
        const unsigned int n        = cells.nodes_per_cell;
        for (unsigned int cell = 0; cell < cells.n_cells(); ++cell)
          {
            const unsigned int *const nodes = &cells.cell_nodes[cell * n];
            dofs.clear();
            for (unsigned int a = 0; a < n; ++a)
              for (unsigned int d = 0; d < dim; ++d)
                dofs.push_back(numbering.of_local(p, dim * nodes[a] + d));
            if (has_hanging_nodes[p][cell] != 0)
              {
                if (cells.cell_is_owned[cell] != 0)
                  hanging.add_entries_local_to_global(dofs, pattern, true);
                continue;
              }
            std::vector<types::global_dof_index> columns(dofs);
            std::sort(columns.begin(), columns.end());
            for (unsigned int a = 0; a < n; ++a)
              if (nodes[a] < cells.n_owned_nodes)
                for (unsigned int d = 0; d < dim; ++d)
                  pattern.add_entries(dofs[dim * a + d],
                                      columns.begin(),
                                      columns.end(),
                                      true);
          }
      }
  }



  template <int dim>
  void
  SystemMatrix<dim>::find_places()
  {
    const Epetra_CrsMatrix &crs = matrix->trilinos_matrix();
    rows.resize(numbering.owned().n_elements());
    for (unsigned int row = 0; row < rows.size(); ++row)
      rows[row] = row_of(crs, row).values;

    places.assign(solids->n_forests(), {});
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      {
        const CellTable<dim> &cells = solids->forest(p).get_cells();
        const unsigned int n        = cells.nodes_per_cell;
        const unsigned int n_dofs   = dim * n;
        places[p].assign(static_cast<std::size_t>(cells.n_cells()) * n * n_dofs,
                         0);
        std::vector<int> columns(n_dofs);
        for (unsigned int cell = 0; cell < cells.n_cells(); ++cell)
          {
            if (has_hanging_nodes[p][cell] != 0)
              continue;
            const unsigned int *const nodes = &cells.cell_nodes[cell * n];
            for (unsigned int b = 0; b < n; ++b)
              for (unsigned int d = 0; d < dim; ++d)
                columns[dim * b + d] = crs.ColMap().LID(static_cast<Number>(
                  numbering.of_local(p, dim * nodes[b] + d)));
            for (unsigned int a = 0; a < n; ++a)
              {
                if (nodes[a] >= cells.n_owned_nodes)
                  continue;
                const MatrixRow row =
                  row_of(crs, numbering.begin(p) + dim * nodes[a]);
                for (unsigned int j = 0; j < n_dofs; ++j)
                  places[p][(static_cast<std::size_t>(cell) * n + a) * n_dofs +
                            j] = std::lower_bound(row.columns,
                                                  row.columns + row.n_entries,
                                                  columns[j]) -
                                 row.columns;
              }
          }
      }
  }



  template <int dim>
  void
  SystemMatrix<dim>::mark_fixed_columns()
  {
    const Epetra_CrsMatrix &crs = matrix->trilinos_matrix();
    Epetra_Vector own(crs.DomainMap()), all(crs.ColMap());
    for (unsigned int i = 0; i < is_fixed.size(); ++i)
      own[i] = is_fixed[i];
    if (crs.Importer() != nullptr)
      all.Import(own, *crs.Importer(), Insert);
    else
      all = own;
    column_is_fixed.resize(all.MyLength());
    for (unsigned int i = 0; i < column_is_fixed.size(); ++i)
      column_is_fixed[i] = all[i] != 0.;

    rows_to_finish.clear();
    for (unsigned int r = 0; r < is_fixed.size(); ++r)
      {
        const MatrixRow row = row_of(crs, r);
        if (is_constrained[r] != 0 ||
            std::any_of(row.columns,
                        row.columns + row.n_entries,
                        [&](const int column) {
                          return column_is_fixed[column] != 0;
                        }))
          rows_to_finish.push_back(r);
      }
  }



  template <int dim>
  template <typename Function>
  void
  SystemMatrix<dim>::for_each_pair(const ContactElement<dim> &contact,
                                   const SurfaceNodes<dim> &nodes,
                                   const Function &visit) const
  {
    const auto first_number = [&](const unsigned int node) {
      const auto &location = nodes.nodes[node];
      return numbering.of_dof(location.source, location.dofs[0]);
    };
    for (unsigned int i = 0; i < contact.nodes.size(); ++i)
      {
        if (contact.nodes[i] >= nodes.nodes.size())
          continue; // of an obstacle
        const auto row = first_number(contact.nodes[i]);
        if (!numbering.owned().is_element(row))
          continue;
        for (unsigned int j = 0; j < contact.nodes.size(); ++j)
          if (contact.nodes[j] < nodes.nodes.size())
            visit(row, i, j, first_number(contact.nodes[j]));
      }
  }



  template <int dim>
  void
  SystemMatrix<dim>::cover(const std::vector<ContactElement<dim>> &contacts,
                           const SurfaceNodes<dim> &nodes,
                           const std::vector<SystemElement> &elements)
  {
    const auto size = [this]() {
      return contact_pairs.size() + element_entries.size();
    };
    const std::size_t n_before = size();
    for (const auto &contact : contacts)
      for_each_pair(contact,
                    nodes,
                    [&](const auto row,
                        const unsigned int,
                        const unsigned int,
                        const auto column) {
                      contact_pairs.insert(NodePair{{row, column}});
                    });
    for (const SystemElement &element : elements)
      for (const auto row : element.dofs)
        if (numbering.owned().is_element(row))
          for (const auto column : element.dofs)
            element_entries.insert(NodePair{{row, column}});
    const bool has_grown =
      Utilities::MPI::max(size() > n_before ? 1U : 0U,
                          numbering.get_communicator()) > 0;
    if (has_grown)
      build();
  }



  template <int dim>
  void
  SystemMatrix<dim>::clear()
  {
    *matrix = 0.;
  }



  template <int dim>
  void
  SystemMatrix<dim>::add_mass(const double factor)
  {
    const Epetra_CrsMatrix &crs = matrix->trilinos_matrix();
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      solids->for_each_mass_entry(
        p,
        [&](const unsigned int row, const auto column, const double value) {
          const unsigned int own = numbering.begin(p) + row;
          const MatrixRow view   = row_of(crs, own);
          const int local =
            crs.ColMap().LID(static_cast<Number>(numbering.of_dof(p, column)));
          const int *const place =
            std::lower_bound(view.columns,
                             view.columns + view.n_entries,
                             local);
          view.values[place - view.columns] += factor * value;
        });
  }



  template <int dim>
  void
  SystemMatrix<dim>::add_cells(const unsigned int forest,
                               const CellMatrices<dim> &matrices,
                               const double factor)
  {
    const CellTable<dim> &cells = solids->forest(forest).get_cells();
    const unsigned int n        = cells.nodes_per_cell;
    const unsigned int n_dofs   = dim * n;
    // Node by node, since the cells have their entries side by side.
    for (unsigned int a = 0; a < n; ++a)
      for (unsigned int l = 0; l < matrices.n_cells; ++l)
        {
          const unsigned int cell = matrices.cells[l];
          const unsigned int node = cells.cell_nodes[cell * n + a];
          if (has_hanging_nodes[forest][cell] != 0 ||
              node >= cells.n_owned_nodes)
            continue;
          const unsigned int *const place =
            &places[forest][(static_cast<std::size_t>(cell) * n + a) * n_dofs];
          for (unsigned int i = 0; i < dim; ++i)
            {
              double *const row =
                rows[numbering.begin(forest) + dim * node + i];
              for (unsigned int j = 0; j < n_dofs; ++j)
                row[place[j]] += factor * matrices(l, dim * a + i, j);
            }
        }
    for (unsigned int l = 0; l < matrices.n_cells; ++l)
      if (has_hanging_nodes[forest][matrices.cells[l]] != 0 &&
          cells.cell_is_owned[matrices.cells[l]] != 0)
        add_hanging_cell(forest, matrices, l, factor);
  }



  template <int dim>
  void
  SystemMatrix<dim>::add_hanging_cell(const unsigned int forest,
                                      const CellMatrices<dim> &matrices,
                                      const unsigned int l,
                                      const double factor)
  {
    const CellTable<dim> &cells = solids->forest(forest).get_cells();
    const unsigned int n        = cells.nodes_per_cell;
    std::vector<types::global_dof_index> dofs(dim * n);
    FullMatrix<double> of_cell(dim * n, dim * n);
    for (unsigned int i = 0; i < dim * n; ++i)
      {
        dofs[i] = numbering.of_local(
          forest,
          dim * cells.cell_nodes[matrices.cells[l] * n + i / dim] + i % dim);
        for (unsigned int j = 0; j < dim * n; ++j)
          of_cell(i, j) = factor * matrices(l, i, j);
      }
    hanging.distribute_local_to_global(of_cell, dofs, *matrix);
  }



  template <int dim>
  void
  SystemMatrix<dim>::add_contacts(
    const std::vector<ContactElement<dim>> &contacts,
    const SurfaceNodes<dim> &nodes,
    const double factor)
  {
    for (const auto &contact : contacts)
      for_each_pair(contact,
                    nodes,
                    [&](const auto row,
                        const unsigned int i,
                        const unsigned int j,
                        const auto column) {
                      for (unsigned int c = 0; c < dim; ++c)
                        for (unsigned int d = 0; d < dim; ++d)
                          matrix->add(row + c,
                                      column + d,
                                      factor * contact.stiffness(dim * i + c,
                                                                 dim * j + d));
                    });
  }



  template <int dim>
  void
  SystemMatrix<dim>::add_elements(const std::vector<SystemElement> &elements)
  {
    for (const SystemElement &element : elements)
      for (unsigned int i = 0; i < element.dofs.size(); ++i)
        if (numbering.owned().is_element(element.dofs[i]))
          for (unsigned int j = 0; j < element.dofs.size(); ++j)
            matrix->add(element.dofs[i], element.dofs[j], element.matrix(i, j));
  }



  template <int dim>
  void
  SystemMatrix<dim>::finish()
  {
    matrix->compress(VectorOperation::add);
    const Epetra_CrsMatrix &crs = matrix->trilinos_matrix();
    for (const unsigned int r : rows_to_finish)
      {
        const MatrixRow row = row_of(crs, r);
        const int diagonal  = crs.ColMap().LID(crs.GRID64(r));
        for (int k = 0; k < row.n_entries; ++k)
          {
            if (row.columns[k] != diagonal &&
                (is_fixed[r] != 0 || column_is_fixed[row.columns[k]] != 0))
              row.values[k] = 0.;
            if (row.columns[k] == diagonal && is_constrained[r] != 0)
              row.values[k] =
                row.values[k] != 0. ? std::abs(row.values[k]) : 1.;
          }
      }
  }



  template <int dim>
  void
  SystemMatrix<dim>::set_constrained_to_zero(
    typename SystemNumbering<dim>::VectorType &vector) const
  {
    for (unsigned int i = 0; i < is_constrained.size(); ++i)
      if (is_constrained[i] != 0)
        vector.local_element(i) = 0.;
  }



  template <int dim>
  double
  SystemMatrix<dim>::diagonal(const unsigned int row) const
  {
    return matrix->diag_element(numbering.owned().nth_index_in_set(row));
  }



  template class SystemMatrix<2>;
  template class SystemMatrix<3>;
} // namespace Ricochet
