// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_collective_h
#define ricochet_base_collective_h

#include <deal.II/base/mpi.h>

#include <functional>

namespace Ricochet
{
  /**
   * Call @p action on every rank. If it throws on some of them, throw on all:
   * the error of the lowest such rank, as UserError or RunError if it was one
   * and as std::runtime_error otherwise. Without this, a full disk on one rank
   * leaves the others waiting for it forever. Collective; @p action itself
   * must not communicate.
   */
  void
  on_all_ranks(const MPI_Comm communicator,
               const std::function<void()> &action);

  /** The same, with @p action called on rank 0 only. */
  void
  on_first_rank(const MPI_Comm communicator,
                const std::function<void()> &action);
} // namespace Ricochet

#endif
