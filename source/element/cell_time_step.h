// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_cell_time_step_h
#define ricochet_source_element_cell_time_step_h

#include "cell_forces.h"

namespace Ricochet
{
  /**
   * The smallest 2/omega_max of the cells of one batch at the given positions,
   * each with its own mass. Cells without meaningful forces go to @p failed.
   *
   * By Lanczos' iteration for the largest eigenvalue, with the product of the
   * tangent stiffness and a vector by a difference of forces; the result is
   * too small by 0.25 %, and not too large.
   */
  template <int dim>
  double
  stable_time_step(const CellForces<dim> &cell_forces,
                   const BatchView<dim> &batch,
                   const double *positions,
                   FirstCell &failed);
} // namespace Ricochet

#endif
