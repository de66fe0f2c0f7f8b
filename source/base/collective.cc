// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>

#include <deal.II/base/exceptions.h>

#include <boost/serialization/utility.hpp>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace Ricochet
{
  namespace
  {
    enum ErrorKind
    {
      no_error,
      user_error,
      run_error,
      other_error
    };



    /** What @p action threw. */
    std::pair<int, std::string>
    error_of(const std::function<void()> &action)
    {
      try
        {
          action();
        }
      catch (const RunError &error)
        {
          return {run_error, error.what()};
        }
      catch (const UserError &error)
        {
          return {user_error, error.what()};
        }
      catch (const std::exception &error)
        {
          return {other_error, error.what()};
        }
      return {no_error, ""};
    }
  } // namespace



  void
  on_all_ranks(const MPI_Comm communicator, const std::function<void()> &action)
  {
    namespace MPI = dealii::Utilities::MPI;

    auto error = error_of(action);

    const unsigned int n_ranks = MPI::n_mpi_processes(communicator);
    const unsigned int rank    = MPI::this_mpi_process(communicator);
    const unsigned int failed =
      MPI::min(error.first == no_error ? n_ranks : rank, communicator);
    if (failed == n_ranks)
      return;

    error = MPI::broadcast(communicator, error, failed);
    switch (error.first)
      {
        case user_error:
          throw UserError(error.second);
        case run_error:
          throw RunError(error.second);
        default:
          throw std::runtime_error(error.second);
      }
  }



  void
  on_first_rank(const MPI_Comm communicator,
                const std::function<void()> &action)
  {
    const bool first =
      (dealii::Utilities::MPI::this_mpi_process(communicator) == 0);
    on_all_ranks(communicator, [&]() {
      if (first)
        action();
    });
  }



  void
  one_rank_after_another(const MPI_Comm communicator,
                         std::vector<double> &values,
                         const std::function<void()> &action)
  {
    namespace MPI = dealii::Utilities::MPI;

    const unsigned int rank = MPI::this_mpi_process(communicator);
    const unsigned int last = MPI::n_mpi_processes(communicator) - 1;
    constexpr int tag       = 0;
    if (rank > 0)
      {
        const int ierr = MPI_Recv(values.data(),
                                  values.size(),
                                  MPI_DOUBLE,
                                  rank - 1,
                                  tag,
                                  communicator,
                                  MPI_STATUS_IGNORE);
        AssertThrowMPI(ierr);
      }
    action();
    if (rank < last)
      {
        const int ierr = MPI_Send(values.data(),
                                  values.size(),
                                  MPI_DOUBLE,
                                  rank + 1,
                                  tag,
                                  communicator);
        AssertThrowMPI(ierr);
      }
    values = MPI::broadcast(communicator, values, last);
  }
} // namespace Ricochet
