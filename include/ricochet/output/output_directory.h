// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_output_directory_h
#define ricochet_output_output_directory_h

#include <deal.II/base/mpi.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * Where a restarted run goes on: the last step of the checkpoint. Tables and
   * lists of files keep what belongs to this step or an earlier one and drop
   * the rest, which will be computed again.
   */
  struct ResumePoint
  {
    unsigned long int step = 0;
    double time            = 0.;
  };



  /**
   * The directory that a run writes to.
   *
   * Files of a run, also of an earlier version of the same one, are known by
   * their names: history.csv, bodies.csv, obstacles.csv,
   * reactions.csv, probes.csv, overlaps.csv,
   * parameters.prm, summary.txt, solution.pvd, solution-*.vtu, solution-*.pvtu,
   * contact.pvd, contact-*.vtu, contact-*.pvtu, the files of Checkpoint in the
   * directories checkpoint, checkpoint.new and checkpoint.old, and what
   * Pictures writes into the directory plots. Anything else is the user's and
   * is left alone.
   */
  class OutputDirectory
  {
  public:
    /** What to do with the files of another run. */
    enum class Existing
    {
      /** Throw a UserError. */
      refuse,
      /** Remove them, and nothing else. */
      overwrite,
      /** Keep them: this run continues that one. */
      resume
    };

    /**
     * Make the directory (with parents) if it does not exist, and make sure
     * that it can be written to. Collective; all ranks throw the same
     * UserError if one cannot use it.
     */
    OutputDirectory(const std::string &name,
                    const Existing existing,
                    const MPI_Comm communicator);

    /** The name, without a slash at the end. */
    const std::string &
    name() const
    {
      return directory;
    }

    /** The name of a file in the directory. */
    std::string
    file(const std::string &file_name) const
    {
      return directory + "/" + file_name;
    }

    /**
     * The names, sorted and relative to @p directory, of the files that a run
     * has written there. Empty if the directory does not exist.
     */
    static std::vector<std::string>
    files_of_run(const std::string &directory);

  private:
    void
    create(const Existing existing) const;

    std::string directory;
  };
} // namespace Ricochet

#endif
