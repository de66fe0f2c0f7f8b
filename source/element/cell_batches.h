// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_cell_batches_h
#define ricochet_source_element_cell_batches_h

#include <ricochet/element/cell_table.h>
#include <ricochet/material/material.h>

#include <vector>

#include "cell_kernel_types.h"

namespace Ricochet
{
  /**
   * The cells of a table in batches of batch_size cells of one material, for
   * the kernels.
   *
   * Slot s is place s % batch_size of batch s / batch_size. The last batch of a
   * material is filled up with copies of its last cell.
   */
  template <int dim>
  struct CellBatches
  {
    void
    reinit(const CellTable<dim> &cells,
           const std::vector<const Material<dim> *> &materials);

    unsigned int
    n_batches() const
    {
      return batch_material.size();
    }

    /** Whether the slot holds a cell and not just a copy of one. */
    bool
    is_filled(const unsigned int slot) const
    {
      return slot % batch_size < n_filled[slot / batch_size];
    }

    std::size_t
    memory_consumption() const;

    /** The cell, as a row of the table, in each slot. */
    std::vector<unsigned int> slot_cell;

    /** How many slots of each batch are not copies. */
    std::vector<unsigned char> n_filled;

    std::vector<const Material<dim> *> batch_material;

    /** <tt>nodes[(batch*nodes_per_cell+a)*batch_size+lane]</tt> */
    std::vector<unsigned int> nodes;

  private:
    /** Distribute the cells to slots, in the order of materials and table. */
    void
    fill_slots(const CellTable<dim> &cells,
               const std::vector<const Material<dim> *> &materials);
  };
} // namespace Ricochet

#endif
