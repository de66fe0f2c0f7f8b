// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/body/global_history.h>

#include <deal.II/base/mpi.h>
#include <deal.II/grid/cell_id.h>

#include <algorithm>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** Where the numbers of each row of the table are in the global vector. */
    struct Layout
    {
      std::vector<std::size_t> begins;
      std::size_t size = 0;
    };



    template <int dim>
    Layout
    make_layout(const Solids<dim> &solids,
                const State &state,
                const unsigned int p)
    {
      const MPI_Comm communicator = solids.get_communicator();

      // Laws differ, so reserve for all cells what the longest one needs.
      unsigned int n_per_cell     = 0;
      std::vector<double> history = state.histories[p];
      solids.internal_forces(p).exchange_history(
        history,
        [&](const unsigned int, const std::vector<double *> &values) {
          n_per_cell = std::max<unsigned int>(n_per_cell, values.size());
        });
      n_per_cell = Utilities::MPI::max(n_per_cell, communicator);
      if (n_per_cell == 0)
        return {};

      const auto cells = solids.forest(p).cells_of_table();
      std::vector<CellId::binary_type> mine;
      for (const auto &[id, cell] : cells)
        if (cell->is_locally_owned())
          mine.push_back(id.template to_binary<dim>());
      std::vector<CellId> all;
      for (const auto &ids : Utilities::MPI::all_gather(communicator, mine))
        for (const auto &id : ids)
          all.emplace_back(id);
      std::sort(all.begin(), all.end());

      Layout layout;
      layout.size = all.size() * n_per_cell;
      for (const auto &id_and_cell : cells)
        layout.begins.push_back(
          (std::lower_bound(all.begin(), all.end(), id_and_cell.first) -
           all.begin()) *
          n_per_cell);
      return layout;
    }
  } // namespace



  template <int dim>
  std::vector<double>
  gather_history(const Solids<dim> &solids,
                 const State &state,
                 const unsigned int p)
  {
    const Layout layout = make_layout(solids, state, p);
    // Adding this zero changes no number, not even the sign of a zero.
    std::vector<double> result(layout.size, -0.);
    const CellTable<dim> &cells = solids.forest(p).get_cells();
    std::vector<double> history = state.histories[p];
    solids.internal_forces(p).exchange_history(
      history,
      [&](const unsigned int row, const std::vector<double *> &values) {
        if (cells.cell_is_owned[row])
          for (unsigned int i = 0; i < values.size(); ++i)
            result[layout.begins[row] + i] = *values[i];
      });
    Utilities::MPI::sum(result, solids.get_communicator(), result);
    return result;
  }



  template <int dim>
  void
  scatter_history(const std::vector<double> &values,
                  const Solids<dim> &solids,
                  const unsigned int p,
                  State &state)
  {
    const Layout layout = make_layout(solids, state, p);
    require(values.size() == layout.size,
            "The checkpoint belongs to another mesh, or to other materials. "
            "Restart with the parameter file that it was made with.");
    solids.internal_forces(p).exchange_history(
      state.histories[p],
      [&](const unsigned int row, const std::vector<double *> &of_cell) {
        for (unsigned int i = 0; i < of_cell.size(); ++i)
          *of_cell[i] = values[layout.begins[row] + i];
      });
  }



#define RICOCHET_INSTANTIATE_GLOBAL_HISTORY(dim)                   \
  template std::vector<double> gather_history(const Solids<dim> &, \
                                              const State &,       \
                                              const unsigned int); \
  template void scatter_history(const std::vector<double> &,       \
                                const Solids<dim> &,               \
                                const unsigned int,                \
                                State &);

  RICOCHET_INSTANTIATE_GLOBAL_HISTORY(2)
  RICOCHET_INSTANTIATE_GLOBAL_HISTORY(3)
} // namespace Ricochet
