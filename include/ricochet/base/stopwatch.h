// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_stopwatch_h
#define ricochet_base_stopwatch_h

#include <chrono>

namespace Ricochet
{
  /** Adds the wall time until its end to a counter of seconds. */
  class Stopwatch
  {
  public:
    /** Start; the counter must outlive this object. */
    explicit Stopwatch(double &seconds)
      : seconds(seconds)
      , start(std::chrono::steady_clock::now())
    {}

    ~Stopwatch()
    {
      seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
    }

    Stopwatch(const Stopwatch &) = delete;
    Stopwatch &
    operator=(const Stopwatch &) = delete;

  private:
    double &seconds;
    const std::chrono::steady_clock::time_point start;
  };
} // namespace Ricochet

#endif
