// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_cell_fields_h
#define ricochet_body_cell_fields_h

#include <ricochet/body/solids.h>

#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** Names, and one value per locally owned active cell in the order of the
   * DoFHandler. */
  using CellFields = std::vector<std::pair<std::string, std::vector<double>>>;



  /**
   * The fields of forest @p p for output, from the present positions:
   *
   * - "body": the number of the body.
   * - "von_mises_stress": equivalent Cauchy stress, and "pressure": minus the
   *   mean normal stress; both from the components in the plane in 2D. At the
   *   centre of the cell, or where a law has a memory of the mean stress,
   *   without its viscous part.
   * - What laws with a memory show, such as "plastic_strain" (equivalent) and
   *   "temperature", see MaterialHistory: means of the cell, zero where the law
   *   has no such variable.
   */
  template <int dim>
  CellFields
  cell_fields(const Solids<dim> &solids,
              const State &state,
              const unsigned int p);
} // namespace Ricochet

#endif
