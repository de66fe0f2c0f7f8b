// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/progress.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace Ricochet
{
  namespace
  {
    constexpr double terminal_interval = 0.2, plain_interval = 60.;



    double
    steady_seconds()
    {
      return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
    }



    /** Columns of the terminal at standard output, or 0 if it is none. */
    unsigned int
    terminal_width()
    {
      if (!::isatty(STDOUT_FILENO))
        return 0;
      struct winsize size;
      if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
      return 80;
    }



    template <typename... Arguments>
    std::string
    print(const char *const format, const Arguments... arguments)
    {
      char text[100];
      std::snprintf(text, sizeof(text), format, arguments...);
      return text;
    }



    /** "4:05" or "3:04:05"; "--" if it is not known. */
    std::string
    duration(const double seconds)
    {
      if (!(seconds >= 0. && seconds < 1e7))
        return "--";
      const auto s = static_cast<unsigned long int>(seconds + 0.5);
      return (s < 3600
                ? print("%lu:%02lu", s / 60, s % 60)
                : print("%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60));
    }
  } // namespace



  Progress::Progress(const double start_time, const double end_time)
    : start_time(start_time)
    , end_time(end_time)
    , out(&std::cout)
    , standard_output(true)
    , width(terminal_width())
    , clock(&steady_seconds)
    , clock_start(clock())
    , last_write(clock_start)
  {}



  Progress::Progress(const double start_time,
                     const double end_time,
                     std::ostream &out,
                     const unsigned int width,
                     const Clock &clock)
    : start_time(start_time)
    , end_time(end_time)
    , out(&out)
    , standard_output(false)
    , width(width)
    , clock(clock)
    , clock_start(clock())
    , last_write(clock_start)
  {}



  std::string
  Progress::line(const Values &values, const unsigned int columns) const
  {
    const double span = end_time - start_time;
    const double share =
      (span > 0. ? std::min(1., std::max(0., (values.time - start_time) / span))
                 : 1.);
    const double elapsed = clock() - clock_start;
    const double rate    = (elapsed > 0. ? n_updates / elapsed : 0.);
    const double remaining =
      (share > 0. ? elapsed * (1. - share) / share : -1.);

    // The most important first: what does not fit into the line is left out.
    std::vector<std::string> parts = {
      print("%3.0f %%", std::floor(100. * share + 1e-6)), // but round-off
      print("t = %.4g", values.time),
      "left " + duration(remaining),
      print("step %lu", values.step),
      print("dt = %.3g", values.dt),
      print("contacts %lu", values.contacts),
      print("energy error %.1e", values.energy_error),
      print(rate < 10. ? "%.2g steps/s" : "%.0f steps/s", rate)};
    if (values.n_iterations > 0)
      parts.insert(parts.begin() + 6,
                   print("iterations %lu",
                         static_cast<unsigned long int>(values.n_iterations)));

    std::string text = parts.front();
    for (unsigned int i = 1; i < parts.size(); ++i)
      {
        if (columns > 0 && text.size() + 2 + parts[i].size() > columns)
          break;
        text += "  " + parts[i];
      }
    if (columns > 0 && text.size() > columns)
      text.resize(columns);
    return text;
  }



  void
  Progress::write(const Values &values)
  {
    if (standard_output && width > 0)
      width = std::max(2U, terminal_width());

    // A full last column would make some terminals go to the next line.
    if (width > 0)
      {
        const std::string text = line(values, width - 1);
        *out << '\r' << text << std::string(width - 1 - text.size(), ' ')
             << std::flush;
        line_is_open = true;
      }
    else
      *out << line(values, 0) << '\n' << std::flush;
  }



  void
  Progress::update(const Values &values)
  {
    ++n_updates;
    const double now = clock();

    bool due = false;
    if (width > 0)
      due = (now - last_write >= terminal_interval);
    else
      {
        const double span = end_time - start_time;
        const double tenths =
          (span > 0. ? std::floor(10. * (values.time - start_time) / span)
                     : 0.);
        due = (tenths > tenths_written || now - last_write >= plain_interval);
        if (tenths > tenths_written)
          tenths_written = tenths;
      }

    if (due)
      {
        last_write = now;
        write(values);
      }
  }



  void
  Progress::finish(const Values &values)
  {
    // The last tenth has been told already.
    if (width > 0 || tenths_written < 10)
      write(values);
    interrupt();
  }



  void
  Progress::interrupt()
  {
    if (line_is_open)
      *out << '\n' << std::flush;
    line_is_open = false;
  }
} // namespace Ricochet
