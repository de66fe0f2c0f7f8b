// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_progress_h
#define ricochet_output_progress_h

#include <functional>
#include <iosfwd>
#include <string>

namespace Ricochet
{
  /**
   * Tells how far a run is: one line that is written over and over on a
   * terminal, a few lines per run elsewhere (a file, a queueing system).
   * Belongs to rank 0.
   */
  class Progress
  {
  public:
    /** What is told. */
    struct Values
    {
      unsigned long int step = 0;
      double time = 0., dt = 0.;

      /** Contact points in the last step. */
      unsigned long int contacts = 0;

      /** Change of the total energy relative to the largest energy. */
      double energy_error = 0.;

      /** Of implicit steps: iterations of Newton's method. */
      unsigned int n_iterations = 0;
    };

    /** Seconds from any fixed moment on. */
    using Clock = std::function<double()>;

    /**
     * Write to standard output.
     *
     * @param[in] start_time,end_time The simulated time of this run; after a
     *   restart, from the checkpoint on.
     */
    Progress(const double start_time, const double end_time);

    /**
     * Write to any stream.
     *
     * @param[in] width Columns of the terminal, or 0 for a stream that is none.
     */
    Progress(const double start_time,
             const double end_time,
             std::ostream &out,
             const unsigned int width,
             const Clock &clock);

    /**
     * After each step. Writes five times per second at most on a terminal;
     * elsewhere at each tenth of the time to simulate, and when a minute has
     * passed without that.
     */
    void
    update(const Values &values);

    /** After the last step: writes the last state and ends the line. */
    void
    finish(const Values &values);

    /**
     * End the line on a terminal, so that a message can be written; the next
     * update goes on in a new line.
     */
    void
    interrupt();

    /** The text for @p values, at most @p width columns unless that is 0. */
    std::string
    line(const Values &values, const unsigned int width) const;

  private:
    void
    write(const Values &values);

    const double start_time, end_time;
    std::ostream *out;

    /** Whether to look up the width of the terminal on standard output. */
    bool standard_output;
    unsigned int width;

    Clock clock;
    const double clock_start;
    double last_write;
    unsigned int tenths_written = 0;
    unsigned long int n_updates = 0;
    bool line_is_open           = false;
  };
} // namespace Ricochet

#endif
