// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_collective_h
#define ricochet_base_collective_h

#include <deal.II/base/mpi.h>

#include <functional>
#include <vector>

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

  /**
   * Let each rank change @p values, one rank after the other in their order;
   * all get the final ones. Sums over data that the ranks hold in order are
   * then the same to the last bit on any number of ranks. Collective;
   * @p action must neither communicate nor throw.
   */
  void
  one_rank_after_another(const MPI_Comm communicator,
                         std::vector<double> &values,
                         const std::function<void()> &action);
} // namespace Ricochet

#endif
