// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_checkpoint_h
#define ricochet_output_checkpoint_h

#include <ricochet/base/distributed_numbers.h>
#include <ricochet/output/output_directory.h>

#include <deal.II/base/mpi.h>

#include <map>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * Everything that a run needs to go on, as named numbers that do not depend
   * on how many ranks wrote them. Names may have any characters but the null
   * character, and at least one.
   */
  struct CheckpointData
  {
    unsigned long int step = 0;
    double time            = 0.;

    /** What is one number for the whole run. */
    std::map<std::string, double> scalars;

    /** What is small enough that one rank holds all of it. */
    std::map<std::string, std::vector<double>> vectors;

    /** What grows with the mesh; all ranks have the same names. */
    std::map<std::string, DistributedNumbers> distributed;

    /** Where the tables of a restarted run go on. */
    ResumePoint
    resume_point() const
    {
      return {step, time};
    }
  };



  /**
   * Writes and reads the checkpoint of an output directory, bit for bit:
   *   - checkpoint/state.h5, an HDF5 file with the attributes step and time,
   *     the scalars as attributes of the group /scalars, and the others as
   *     one-dimensional datasets of the groups /vectors and /distributed, in
   *     which each rank writes and reads its own piece;
   *   - checkpoint/complete, a text with the version of the format, and size
   *     and CRC-32 of that file, written when the file is on the disk. Nothing
   *     else than such a file is ever given to HDF5.
   *
   * In names, the characters / and %, and a dot in front, are written as in web
   * addresses: %2F, %25, %2E.
   *
   * A new one is written as checkpoint.new and put in place by renaming, with
   * the last one as checkpoint.old meanwhile: whenever the run is killed, one
   * of the three is complete, and read() finds it.
   */
  class Checkpoint
  {
  public:
    /** Of a run; nothing is written or read yet. */
    Checkpoint(const OutputDirectory &directory, const MPI_Comm communicator);

    /**
     * Write @p data, of which scalars and vectors count on rank 0 only, and
     * read it again to see that it got there. Collective. After a RunError
     * (full disk) the last checkpoint is still there.
     */
    void
    write(const CheckpointData &data) const;

    /**
     * Read the newest complete checkpoint, on all ranks. Collective.
     *
     * What is distributed has only its size: how much of it is whose is known
     * once there are meshes. read_pieces() reads it then.
     *
     * Throws a UserError if there is none, or if all that there are, are
     * damaged or come from another version of the format.
     */
    CheckpointData
    read();

    /**
     * Fill the values of each of @p pieces, as many as there are, from where
     * they begin in the checkpoint that read() has read. Pieces may also
     * overlap. Collective, with the same names on all ranks, which the
     * checkpoint must have.
     */
    void
    read_pieces(std::map<std::string, DistributedNumbers> &pieces) const;

    /** Whether there is something to read. Collective. */
    bool
    exists() const;

  private:
    /** Make room for a new one. */
    void
    prepare(const CheckpointData &data) const;

    /** Declare the new one complete, and put it in place. */
    void
    finish() const;

    /** The directory of the newest complete checkpoint. */
    std::string
    newest() const;

    const std::string current, next, previous;
    const std::string directory;
    const MPI_Comm communicator;

    /** The file that was read. */
    std::string source;
  };
} // namespace Ricochet

#endif
