// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/progress.h>

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace
{
  using namespace Ricochet;

  Progress::Values
  values_at(const unsigned long int step, const double time)
  {
    Progress::Values values;
    values.step         = step;
    values.time         = time;
    values.dt           = 1e-3;
    values.contacts     = 12;
    values.energy_error = -2.5e-9;
    return values;
  }



  /** What a terminal shows: the text behind the last return. */
  std::string
  last_line(const std::string &text)
  {
    return text.substr(text.rfind('\r') + 1);
  }



  TEST(Progress, ShowsEverythingIfThereIsRoom)
  {
    double now = 100.;
    std::ostringstream out;
    Progress progress(0., 1., out, 200, [&]() { return now; });
    for (unsigned int step = 1; step <= 250; ++step)
      {
        now += 0.02;
        progress.update(values_at(step, 1e-3 * step));
      }

    progress.finish(values_at(250, 0.25));

    // 5 seconds for a quarter of the time: 15 more. 50 steps a second.
    const std::string line = last_line(out.str());
    for (const char *const part : {" 25 %",
                                   "t = 0.25",
                                   "left 0:15",
                                   "step 250",
                                   "dt = 0.001",
                                   "contacts 12",
                                   "energy error -2.5e-09",
                                   "50 steps/s"})
      EXPECT_NE(line.find(part), std::string::npos) << part << " in " << line;
  }



  TEST(Progress, NeverExceedsTheTerminal)
  {
    for (const unsigned int width : {2, 5, 20, 40, 80, 132})
      {
        double now = 0.;
        std::ostringstream out;
        Progress progress(0., 1., out, width, [&]() { return now; });
        for (unsigned int step = 1; step <= 10; ++step)
          {
            now += 1000.;
            progress.update(values_at(1000000 * step, 0.1 * step));
          }

        // Between the returns; what was there before is written over.
        std::istringstream lines(out.str());
        std::string line;
        unsigned int n = 0;
        while (std::getline(lines, line, '\r'))
          {
            EXPECT_EQ(line.size(), n == 0 ? 0U : width - 1) << line;
            ++n;
          }
        EXPECT_EQ(n, 11U);
        EXPECT_EQ(out.str().find('\n'), std::string::npos);
      }
  }



  TEST(Progress, TerminalIsUpdatedFiveTimesASecond)
  {
    double now = 0.;
    std::ostringstream out;
    Progress progress(0., 1., out, 80, [&]() { return now; });
    for (unsigned int step = 1; step <= 1000; ++step)
      {
        now = step / 256.;
        progress.update(values_at(step, 1e-3 * step));
      }
    const std::string text = out.str();
    const auto n           = std::count(text.begin(), text.end(), '\r');
    EXPECT_GE(n, 15);
    EXPECT_LE(n, 20); // in 3.9 seconds

    // The end of the time may be missed by round-off.
    progress.finish(values_at(1000, 1. - 1e-12));
    EXPECT_NE(last_line(out.str()).find("100 %"), std::string::npos);
    EXPECT_EQ(out.str().back(), '\n');
  }



  TEST(Progress, FilesGetALineForEachTenth)
  {
    double now = 0.;
    std::ostringstream out;
    Progress progress(2., 3., out, 0, [&]() { return now; });
    for (unsigned int step = 1; step <= 1024; ++step)
      {
        now = step / 1024.;
        progress.update(values_at(step, 2. + step / 1024.));
      }
    progress.finish(values_at(1024, 3.));
    const std::string text = out.str();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
    EXPECT_EQ(text.find('\r'), std::string::npos);
    EXPECT_EQ(text.substr(0, 5), " 10 %");
    EXPECT_NE(text.find("\n100 %"), std::string::npos);
  }



  TEST(Progress, SlowRunsTellSomethingEachMinute)
  {
    double now = 0.;
    std::ostringstream out;
    Progress progress(0., 1., out, 0, [&]() { return now; });
    for (unsigned int step = 1; step <= 60; ++step)
      {
        now = 10. * step;
        progress.update(values_at(step, 1e-5 * step));
      }
    const std::string text = out.str();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  }



  TEST(Progress, InterruptLeavesAnEmptyLineForMessages)
  {
    double now = 0.;
    std::ostringstream out;
    Progress progress(0., 1., out, 80, [&]() { return now; });
    progress.interrupt();
    EXPECT_EQ(out.str(), "");
    now = 1.;
    progress.update(values_at(1, 0.5));
    progress.interrupt();
    progress.interrupt();
    const std::string text = out.str();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
    EXPECT_EQ(text.back(), '\n');
  }
} // namespace
