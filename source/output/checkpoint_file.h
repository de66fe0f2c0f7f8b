// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_output_checkpoint_file_h
#define ricochet_source_output_checkpoint_file_h

#include <ricochet/output/checkpoint.h>

#include <deal.II/base/mpi.h>

#include <cstdint>
#include <map>
#include <string>

namespace Ricochet
{
  // The HDF5 file of a checkpoint. All of these throw a RunError with what HDF5
  // says if it fails.

  /** At least the number of bytes that write_checkpoint_file() needs, if its
   * scalars and vectors are those of this rank. */
  std::uint64_t
  size_of_checkpoint_file(const CheckpointData &data);

  /** Write a file; scalars and vectors are those of rank 0. Collective. */
  void
  write_checkpoint_file(const std::string &name,
                        const CheckpointData &data,
                        const MPI_Comm communicator);

  /** Read all but the values of what is distributed, on this rank alone. */
  CheckpointData
  read_checkpoint_file(const std::string &name);

  /** See Checkpoint::read_pieces(). */
  void
  read_checkpoint_pieces(const std::string &name,
                         std::map<std::string, DistributedNumbers> &pieces,
                         const MPI_Comm communicator);

  /** Throw a RunError unless the file has @p data to the last bit. Collective.
   */
  void
  verify_checkpoint_file(const std::string &name,
                         const CheckpointData &data,
                         const MPI_Comm communicator);
} // namespace Ricochet

#endif
