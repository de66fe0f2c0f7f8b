// SPDX-License-Identifier: LGPL-2.1-or-later

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

/**
 * Every test program starts MPI, since most rooms of the library use it; one
 * thread unless a test asks for more.
 */
int
main(int argc, char **argv)
{
  testing::InitGoogleTest(&argc, argv);
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 2);
  return RUN_ALL_TESTS();
}
