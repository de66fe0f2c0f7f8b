// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_checkpoint_h
#define ricochet_output_checkpoint_h

#include <ricochet/output/output_directory.h>

#include <deal.II/base/mpi.h>

#include <map>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * Everything that a run needs to go on, as named numbers. Vectors are those
   * of the whole system, so that a checkpoint does not depend on how many
   * ranks wrote it.
   */
  struct CheckpointData
  {
    unsigned long int step = 0;
    double time            = 0.;
    std::map<std::string, double> scalars;
    std::map<std::string, std::vector<double>> vectors;

    /** Where the tables of a restarted run go on. */
    ResumePoint
    resume_point() const
    {
      return {step, time};
    }
  };



  /**
   * Writes and reads the checkpoint of an output directory, one file
   * checkpoint/state with a checksum, bit for bit.
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
     * Write @p data, which only rank 0 needs to have. Collective. After a
     * RunError (full disk) the last checkpoint is still there.
     */
    void
    write(const CheckpointData &data) const;

    /**
     * Read the newest complete checkpoint, on all ranks. Collective.
     *
     * Throws a UserError if there is none, or if all that there are, are
     * damaged or come from another version of the format.
     */
    CheckpointData
    read() const;

    /** Whether there is something to read. Collective. */
    bool
    exists() const;

  private:
    void
    write_on_first_rank(const CheckpointData &data) const;

    /** The contents of the file of the newest complete checkpoint. */
    std::string
    newest() const;

    const std::string current, next, previous;
    const std::string directory;
    const MPI_Comm communicator;
  };
} // namespace Ricochet

#endif
