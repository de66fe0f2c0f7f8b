// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_cell_stresses_h
#define ricochet_body_cell_stresses_h

#include <ricochet/body/solids.h>

#include <vector>

namespace Ricochet
{
  /**
   * Fields of one forest for output, one value per locally owned active cell
   * in the order of the DoFHandler.
   */
  struct CellStresses
  {
    std::vector<double> body;

    /**
     * Equivalent (von Mises) Cauchy stress and pressure (minus the mean normal
     * stress) at the centre of the cell. In 2D from the in-plane components
     * only.
     */
    std::vector<double> von_mises, pressure;
  };



  /** Compute the fields of forest @p p from the present positions. */
  template <int dim>
  CellStresses
  cell_stresses(const Solids<dim> &solids,
                const State &state,
                const unsigned int p);
} // namespace Ricochet

#endif
