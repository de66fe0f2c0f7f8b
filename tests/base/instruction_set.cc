// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>

#include <deal.II/base/mpi.h>

#include <cstdlib>
#include <gtest/gtest.h>

namespace
{
  using namespace Ricochet;

  constexpr char variable[] = "RICOCHET_SIMD";

  /** Leaves neither a wish nor an agreement behind. */
  class AgreeOnInstructionSet : public testing::Test
  {
  protected:
    void
    TearDown() override
    {
      unsetenv(variable);
      agree_on_instruction_set(MPI_COMM_WORLD);
    }

    const bool is_last =
      (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) + 1 ==
       dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD));
  };



  TEST_F(AgreeOnInstructionSet, AllRanksUseTheNarrowest)
  {
    if (is_last)
      setenv(variable, "baseline", 1);
    agree_on_instruction_set(MPI_COMM_WORLD);
    EXPECT_EQ(preferred_instruction_set(), InstructionSet::baseline);

    // The next agreement does not depend on this one.
    unsetenv(variable);
    agree_on_instruction_set(MPI_COMM_WORLD);
    EXPECT_EQ(preferred_instruction_set(), available_instruction_sets().back());
  }



  TEST_F(AgreeOnInstructionSet, AWrongWishOnOneRankIsAnErrorOnAll)
  {
    if (is_last)
      setenv(variable, "mmx", 1);
    EXPECT_THROW(agree_on_instruction_set(MPI_COMM_WORLD), UserError);
  }
} // namespace
