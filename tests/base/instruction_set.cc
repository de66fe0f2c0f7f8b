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

  // What is agreed on holds until the process ends, so all is one test.
  TEST(AgreeOnInstructionSet, AllRanksUseTheNarrowestFromThenOn)
  {
    unsetenv(variable);
    EXPECT_EQ(preferred_instruction_set(), available_instruction_sets().back());

    const bool is_last =
      (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) + 1 ==
       dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD));
    if (is_last)
      setenv(variable, "mmx", 1);
    EXPECT_THROW(agree_on_instruction_set(MPI_COMM_WORLD), UserError);

    if (is_last)
      setenv(variable, "baseline", 1);
    agree_on_instruction_set(MPI_COMM_WORLD);
    EXPECT_EQ(preferred_instruction_set(), InstructionSet::baseline);

    unsetenv(variable);
    agree_on_instruction_set(MPI_COMM_SELF);
    EXPECT_EQ(preferred_instruction_set(), InstructionSet::baseline);
  }
} // namespace
