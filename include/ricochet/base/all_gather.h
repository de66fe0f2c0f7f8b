// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_all_gather_h
#define ricochet_base_all_gather_h

#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace Ricochet
{
  /**
   * Put the entries of all ranks together, one rank after the other, on every
   * rank. Collective. dealii::Utilities::MPI::all_gather() does the same for
   * objects of any kind, which it compresses.
   *
   * @tparam T What can be sent as its bytes; in all less than 2 GB.
   * @param[out] all The entries.
   * @return Where those of each rank begin in @p all, and where the last end.
   */
  template <typename T>
  std::vector<std::size_t>
  all_gather(const std::vector<T> &own,
             const MPI_Comm communicator,
             std::vector<T> &all)
  {
    static_assert(std::is_trivially_copyable<T>::value,
                  "Entries are sent as bytes.");
    std::vector<std::uint64_t> n_of_rank(
      dealii::Utilities::MPI::n_mpi_processes(communicator));
    const std::uint64_t n_own = own.size();
    int ierr                  = MPI_Allgather(&n_own,
                             1,
                             MPI_UINT64_T,
                             n_of_rank.data(),
                             1,
                             MPI_UINT64_T,
                             communicator);
    AssertThrowMPI(ierr);
    std::vector<std::size_t> begin(1, 0);
    std::vector<int> counts, offsets; // in bytes
    for (const std::uint64_t n : n_of_rank)
      {
        offsets.push_back(begin.back() * sizeof(T));
        counts.push_back(n * sizeof(T));
        begin.push_back(begin.back() + n);
      }
    AssertThrow(begin.back() * sizeof(T) <=
                  static_cast<std::size_t>(std::numeric_limits<int>::max()),
                dealii::ExcMessage(
                  "More than 2 GB about contact cannot be sent to all ranks at "
                  "once. Use a coarser mesh where bodies touch."));
    all.resize(begin.back());
    ierr = MPI_Allgatherv(own.data(),
                          own.size() * sizeof(T),
                          MPI_BYTE,
                          all.data(),
                          counts.data(),
                          offsets.data(),
                          MPI_BYTE,
                          communicator);
    AssertThrowMPI(ierr);
    return begin;
  }
} // namespace Ricochet

#endif
