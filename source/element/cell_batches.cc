// SPDX-License-Identifier: LGPL-2.1-or-later

#include "cell_batches.h"

#include <deal.II/base/exceptions.h>
#include <deal.II/base/memory_consumption.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace Ricochet
{
  template <int dim>
  void
  CellBatches<dim>::fill_slots(
    const CellTable<dim> &cells,
    const std::vector<const Material<dim> *> &materials)
  {
    // Bodies that share a material share batches.
    std::map<const Material<dim> *, unsigned int> first_body;
    std::vector<unsigned int> group(materials.size());
    for (unsigned int body = 0; body < materials.size(); ++body)
      group[body] = first_body.emplace(materials[body], body).first->second;

    std::vector<unsigned int> order(cells.n_cells());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&](const unsigned int a, const unsigned int b) {
                       return group[cells.cell_body[a]] <
                              group[cells.cell_body[b]];
                     });

    slot_cell.clear();
    n_filled.clear();
    batch_material.clear();
    for (const unsigned int cell : order)
      {
        const Material<dim> *const material = materials[cells.cell_body[cell]];
        if (batch_material.empty() || batch_material.back() != material ||
            n_filled.back() == batch_size)
          {
            slot_cell.resize(batch_material.size() * batch_size,
                             slot_cell.empty() ? 0 : slot_cell.back());
            batch_material.push_back(material);
            n_filled.push_back(0);
          }
        slot_cell.push_back(cell);
        ++n_filled.back();
      }
    slot_cell.resize(batch_material.size() * batch_size,
                     slot_cell.empty() ? 0 : slot_cell.back());
  }



  template <int dim>
  void
  CellBatches<dim>::reinit(const CellTable<dim> &cells,
                           const std::vector<const Material<dim> *> &materials)
  {
    const unsigned int n = cells.nodes_per_cell;
    AssertThrow(static_cast<std::size_t>(cells.n_cells() +
                                         batch_size * materials.size()) *
                    n * place_size(dim) <
                  std::numeric_limits<unsigned int>::max(),
                dealii::ExcMessage("Too many cells on one MPI rank for 32-bit "
                                   "numbers. Use more ranks."));

    fill_slots(cells, materials);

    nodes.resize(slot_cell.size() * n);
    for (unsigned int slot = 0; slot < slot_cell.size(); ++slot)
      {
        const unsigned int batch = slot / batch_size, lane = slot % batch_size;
        for (unsigned int a = 0; a < n; ++a)
          nodes[(batch * n + a) * batch_size + lane] =
            cells.cell_nodes[slot_cell[slot] * n + a];
      }
  }



  template <int dim>
  std::size_t
  CellBatches<dim>::memory_consumption() const
  {
    using dealii::MemoryConsumption::memory_consumption;
    return memory_consumption(slot_cell) + memory_consumption(n_filled) +
           memory_consumption(batch_material) + memory_consumption(nodes);
  }



  template struct CellBatches<2>;
  template struct CellBatches<3>;
} // namespace Ricochet
