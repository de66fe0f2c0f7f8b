// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_pictures_gnuplot_h
#define ricochet_pictures_gnuplot_h

#include <string>

namespace Ricochet
{
  /** How a run of gnuplot ended. */
  struct GnuplotResult
  {
    /** Whether there is a picture, and if not, why. */
    enum Outcome
    {
      done,
      /** There is no such program. */
      not_found,
      failed
    };

    Outcome outcome = done;

    /** For the user, without a full stop; empty when done. */
    std::string reason;
  };

  /**
   * Let gnuplot execute a script and wait for it, a minute at most. Never
   * throws: pictures are no reason to lose a run.
   *
   * @param[in] program The name of the program, or its path.
   * @param[in] directory Where it works.
   * @param[in] script The script's name relative to that directory.
   * @param[in] log What gnuplot says is written to this file, relative to the
   *   present directory.
   */
  GnuplotResult
  run_gnuplot(const std::string &program,
              const std::string &directory,
              const std::string &script,
              const std::string &log);

  /** A text as gnuplot's scripts quote it. */
  std::string
  gnuplot_quoted(const std::string &text);
} // namespace Ricochet

#endif
