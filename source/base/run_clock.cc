// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/run_clock.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

#ifdef __linux__
#  include <unistd.h>
#endif

namespace Ricochet
{
  namespace
  {
    /** How long the process was there already. */
    double
    age_of_process()
    {
#ifdef __linux__
      // Its start is the 22nd word, in ticks since the start of the system; the
      // second one is a name in parentheses.
      std::ifstream process("/proc/self/stat"), system("/proc/uptime");
      std::string text;
      double uptime = 0.;
      if (!std::getline(process, text) || !(system >> uptime))
        return 0.;
      std::istringstream words(text.substr(text.rfind(')') + 1));
      std::string word;
      for (unsigned int n = 3; n < 22; ++n)
        words >> word;
      double ticks = 0.;
      const double age =
        words >> ticks ? uptime - ticks / sysconf(_SC_CLK_TCK) : 0.;
      return age > 0. && age < 1e6 ? age : 0.;
#else
      return 0.;
#endif
    }
  } // namespace



  double
  seconds_since_start()
  {
    using Clock                  = std::chrono::steady_clock;
    using Seconds                = std::chrono::duration<double>;
    static const auto first_call = Clock::now();
    static const double age      = age_of_process();
    return age + Seconds(Clock::now() - first_call).count();
  }
} // namespace Ricochet
