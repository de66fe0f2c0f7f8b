// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_output_times_h
#define ricochet_output_output_times_h

#include <ricochet/output/checkpoint_archive.h>

namespace Ricochet
{
  /** The times of a number of outputs that are spread evenly over a run,
   * besides one at the start. */
  class OutputTimes
  {
  public:
    /** @p n_outputs may be 0, for none at all. */
    explicit OutputTimes(const unsigned int n_outputs = 0)
      : n_outputs(n_outputs)
    {}

    /** Whether there are any outputs. */
    bool
    any() const
    {
      return n_outputs > 0;
    }

    /**
     * At the start, or after a restart at @p time: if the outputs until then
     * were to come at other times, as for another end of the run, those that
     * would have come until now are left out.
     */
    void
    start(const double time, const double end)
    {
      end_time = end;
      if (any() && time > 0. &&
          (restored_end_time != end || restored_n_outputs != n_outputs))
        n_done = 1 + static_cast<unsigned int>(time * n_outputs / end_time *
                                               (1. + round_off));
    }

    /** Whether the next output has come. */
    bool
    is_due(const double time) const
    {
      return any() && n_done <= n_outputs &&
             time >= end_time * n_done / n_outputs * (1. - round_off);
    }

    /** After each output. */
    void
    count()
    {
      ++n_done;
    }

    /** Save or restore how many there were. */
    void
    serialize(CheckpointArchive &archive)
    {
      archive("number of outputs", n_done);
      restored_n_outputs = n_outputs;
      restored_end_time  = end_time;
      archive("last number of outputs", restored_n_outputs);
      archive("end time", restored_end_time);
    }

  private:
    /** Of the time, where it adds up; relative. */
    static constexpr double round_off = 1e-10;

    unsigned int n_outputs;
    double end_time     = 0.;
    unsigned int n_done = 0;

    /** What was planned when the checkpoint was written. */
    unsigned int restored_n_outputs = 0;
    double restored_end_time        = 0.;
  };
} // namespace Ricochet

#endif
