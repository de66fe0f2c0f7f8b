// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/global_history.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>
#include <deal.II/grid/grid_tools.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** How many numbers are kept for each cell: laws differ, so as many as the
     * longest one needs. Collective. */
    template <int dim>
    unsigned int
    numbers_per_cell(const Solids<dim> &solids,
                     const State &state,
                     const unsigned int p)
    {
      unsigned int n_per_cell     = 0;
      std::vector<double> history = state.histories[p];
      solids.internal_forces(p).exchange_history(
        history,
        [&](const unsigned int, const std::vector<double *> &values) {
          n_per_cell = std::max<unsigned int>(n_per_cell, values.size());
        });
      return Utilities::MPI::max(n_per_cell, solids.get_communicator());
    }



    /** For each row of the table, the number of owned ones before it. */
    template <int dim>
    std::vector<unsigned int>
    owned_cells_before(const CellTable<dim> &cells)
    {
      std::vector<unsigned int> result(1, 0);
      for (const char is_owned : cells.cell_is_owned)
        result.push_back(result.back() + (is_owned ? 1 : 0));
      return result;
    }
  } // namespace



  template <int dim>
  DistributedNumbers
  own_history(const Solids<dim> &solids,
              const State &state,
              const unsigned int p)
  {
    const CellTable<dim> &cells   = solids.forest(p).get_cells();
    const unsigned int n_per_cell = numbers_per_cell(solids, state, p);
    const auto before             = owned_cells_before(cells);
    const unsigned int n_owned    = before.back();

    DistributedNumbers result;
    result.values.resize(std::size_t(n_per_cell) * n_owned);
    const auto all =
      Utilities::MPI::all_gather(solids.get_communicator(), n_owned);
    const unsigned int rank =
      Utilities::MPI::this_mpi_process(solids.get_communicator());
    result.size =
      n_per_cell * std::accumulate(all.begin(), all.end(), std::uint64_t(0));
    result.begin =
      n_per_cell *
      std::accumulate(all.begin(), all.begin() + rank, std::uint64_t(0));

    std::vector<double> history = state.histories[p];
    solids.internal_forces(p).exchange_history(
      history,
      [&](const unsigned int row, const std::vector<double *> &values) {
        if (cells.cell_is_owned[row])
          for (unsigned int i = 0; i < values.size(); ++i)
            result.values[std::size_t(n_per_cell) * before[row] + i] =
              *values[i];
      });
    return result;
  }



  template <int dim>
  void
  set_history(const std::vector<double> &values,
              const Solids<dim> &solids,
              const unsigned int p,
              State &state)
  {
    using Cell = typename DoFHandler<dim>::active_cell_iterator;

    const unsigned int n_per_cell = numbers_per_cell(solids, state, p);
    if (n_per_cell == 0)
      return;
    const Forest<dim> &forest = solids.forest(p);
    const auto cells          = forest.cells_of_table();
    const auto before         = owned_cells_before(forest.get_cells());
    AssertDimension(values.size(), std::size_t(n_per_cell) * before.back());

    std::vector<std::vector<double>> of_rows(cells.size());
    std::vector<unsigned int> rows(forest.get_triangulation().n_active_cells(),
                                   numbers::invalid_unsigned_int);
    for (unsigned int row = 0; row < cells.size(); ++row)
      {
        const Cell &cell                = cells[row].second;
        rows[cell->active_cell_index()] = row;
        const auto begin =
          values.begin() + std::size_t(n_per_cell) * before[row];
        if (cell->is_locally_owned())
          of_rows[row].assign(begin, begin + n_per_cell);
      }
    GridTools::exchange_cell_data_to_ghosts<std::vector<double>>(
      forest.get_dof_handler(),
      [&](const Cell &cell) {
        const unsigned int row = rows[cell->active_cell_index()];
        return row != numbers::invalid_unsigned_int ? of_rows[row]
                                                    : std::vector<double>();
      },
      [&](const Cell &cell, const std::vector<double> &of_cell) {
        const unsigned int row = rows[cell->active_cell_index()];
        if (row != numbers::invalid_unsigned_int)
          of_rows[row] = of_cell;
      });
    solids.internal_forces(p).exchange_history(
      state.histories[p],
      [&](const unsigned int row, const std::vector<double *> &of_cell) {
        for (unsigned int i = 0; i < of_cell.size(); ++i)
          *of_cell[i] = of_rows[row][i];
      });
  }



#define RICOCHET_INSTANTIATE_GLOBAL_HISTORY(dim)               \
  template DistributedNumbers own_history(const Solids<dim> &, \
                                          const State &,       \
                                          const unsigned int); \
  template void set_history(const std::vector<double> &,       \
                            const Solids<dim> &,               \
                            const unsigned int,                \
                            State &);

  RICOCHET_INSTANTIATE_GLOBAL_HISTORY(2)
  RICOCHET_INSTANTIATE_GLOBAL_HISTORY(3)
} // namespace Ricochet
