// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/summary.h>

#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <string>

#include "temporary_directory.h"

namespace
{
  using namespace Ricochet;
  using namespace Ricochet::Testing;

  Summary
  example()
  {
    Summary summary;
    summary.n_steps           = 2000;
    summary.end_time          = 0.5;
    summary.momentum_error    = 2e-12;
    summary.momentum_scale    = 4.;
    summary.start             = {100., 0., 100.};
    summary.end               = {60., 30., 99.};
    summary.friction          = 9.;
    summary.largest_gain      = 0.25;
    summary.largest_gain_step = 1234;
    summary.n_passes          = 3000;
    summary.n_elements        = 500;
    summary.min_gap           = std::numeric_limits<double>::quiet_NaN();
    summary.wall_time         = 10.;
    summary.step_time         = 8.;
    summary.instruction_set   = "avx2";
    summary.times             = {{"internal forces", 2.}, {"search", 4.}};
    return summary;
  }



  /** The words of the line that starts with @p name. */
  std::string
  line_of(const std::string &text, const std::string &name)
  {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      {
        std::istringstream words(line);
        std::string squeezed, word;
        while (words >> word)
          squeezed += (squeezed.empty() ? "" : " ") + word;
        if (squeezed.compare(0, name.size(), name) == 0)
          return squeezed;
      }
    return "";
  }



  TEST(Summary, TellsRelativeErrorsAndRates)
  {
    const std::string text = example().text();
    EXPECT_EQ(line_of(text, "linear momentum"),
              "linear momentum error 2e-12 5e-13 of sum m |v|");
    EXPECT_EQ(line_of(text, "change of the total"),
              "change of the total -1 -0.01 of largest energy");
    EXPECT_EQ(line_of(text, "largest gain"),
              "largest gain of the total 0.25 0.0025 of largest energy");
    EXPECT_EQ(line_of(text, "in step"), "in step 1234");
    EXPECT_EQ(line_of(text, "instruction set"), "instruction set avx2");
    EXPECT_EQ(line_of(text, "passes"), "passes 3000 1.5 per step");
    EXPECT_EQ(line_of(text, "search"), "search 4 40.0 %");
    EXPECT_EQ(line_of(text, "everything else"), "everything else 4 40.0 %");
    EXPECT_EQ(line_of(text, "steps per second"), "steps per second 250");

    // 8 s / (2000 * 500) = 8 us.
    EXPECT_EQ(line_of(text, "ns per element"), "ns per element per step 8000");
  }



  TEST(Summary, TellsWhyStepsWereCut)
  {
    StepCuts first, second;
    first.add(CutReason::closed_gaps);
    first.add(CutReason::inverted_cell);
    second.add(CutReason::closed_gaps);
    Summary summary = example();
    EXPECT_EQ(line_of(summary.text(), "cuts of a step"), "cuts of a step 0");
    summary.cuts.add(first);
    summary.cuts.add(second);
    const std::string text = summary.text();
    EXPECT_EQ(line_of(text, "cuts of a step"), "cuts of a step 3");
    EXPECT_EQ(line_of(text, "gaps that did"), "gaps that did not open 2");
    EXPECT_EQ(line_of(text, "a cell would"), "a cell would be inverted 1");
    EXPECT_EQ(line_of(text, "equations did"), "");
    EXPECT_EQ(line_of(text, "no end"), "");
  }



  TEST(Summary, LeavesOutWhatIsNotKnown)
  {
    const std::string text = example().text();
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(line_of(text, "smallest gap"), "");

    // No division by zero in an empty run either.
    const std::string empty = Summary().text();
    EXPECT_EQ(empty.find("nan"), std::string::npos);
    EXPECT_EQ(empty.find("inf"), std::string::npos);
  }



  TEST(Summary, FitsIntoATerminal)
  {
    std::istringstream lines(example().text());
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80U) << line;
  }



  TEST(Summary, IsWrittenToTheOutputDirectory)
  {
    const TemporaryDirectory directory;
    example().write(directory.output());
    EXPECT_EQ(contents(directory.file("summary.txt")), example().text());

    fs::remove(directory.file("summary.txt"));
    fs::create_symlink("/dev/full", directory.file("summary.txt"));
    EXPECT_THROW(example().write(directory.output()), RunError);
  }
} // namespace
