// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_global_history_h
#define ricochet_body_global_history_h

#include <ricochet/base/distributed_numbers.h>
#include <ricochet/body/solids.h>

#include <vector>

namespace Ricochet
{
  /**
   * The histories of this rank's own cells of forest @p p, for checkpoints: as
   * a piece of those of all cells in the order of their ids, with the same
   * number of values for each. Of size 0 if no law has a memory. Collective.
   */
  template <int dim>
  DistributedNumbers
  own_history(const Solids<dim> &solids,
              const State &state,
              const unsigned int p);



  /**
   * Set the histories of all cells of forest @p p that this rank has, with
   * those of ghost cells from their owners. Collective.
   *
   * @param[in] values Of the rank's own cells as own_history() gives them, also
   *   if that was on another number of ranks.
   */
  template <int dim>
  void
  set_history(const std::vector<double> &values,
              const Solids<dim> &solids,
              const unsigned int p,
              State &state);
} // namespace Ricochet

#endif
