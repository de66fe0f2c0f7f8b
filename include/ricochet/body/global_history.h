// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_global_history_h
#define ricochet_body_global_history_h

#include <ricochet/body/solids.h>

#include <vector>

namespace Ricochet
{
  /**
   * The histories of all cells of forest @p p in the order of their ids, the
   * same on all ranks and for any number of ranks: for checkpoints. Empty if no
   * law has a memory. Collective.
   */
  template <int dim>
  std::vector<double>
  gather_history(const Solids<dim> &solids,
                 const State &state,
                 const unsigned int p);



  /**
   * Set the histories of this rank's cells of forest @p p to what
   * gather_history() returned. Collective. Throws a UserError if that was
   * another mesh.
   */
  template <int dim>
  void
  scatter_history(const std::vector<double> &values,
                  const Solids<dim> &solids,
                  const unsigned int p,
                  State &state);
} // namespace Ricochet

#endif
