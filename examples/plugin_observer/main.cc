// SPDX-License-Identifier: LGPL-2.1-or-later

// Run a parameter file with the observer of largest_speed.cc in the program, in
// two parts, the second one from the checkpoint of the first; and hold the
// table that it writes against the closed solution.

#include <ricochet/base/error.h>
#include <ricochet/base/parameter_file.h>
#include <ricochet/simulation/options.h>
#include <ricochet/simulation/simulation.h>

#include <deal.II/base/mpi.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

namespace
{
  /** Whether a line "step,time,body,largest,so_far" is right. */
  bool
  is_right(const std::string &line)
  {
    std::istringstream fields(line);
    std::string step, time_field, body, largest_field, so_far_field;
    std::getline(fields, step, ',');
    std::getline(fields, time_field, ',');
    std::getline(fields, body, ',');
    std::getline(fields, largest_field, ',');
    std::getline(fields, so_far_field, ',');
    const double time    = std::stod(time_field);
    const bool falls     = body == "falling";
    const double largest = falls ? time : std::abs(0.5 - time);
    const double so_far  = falls ? time : 0.5;
    return std::abs(std::stod(largest_field) - largest) < 1e-12 &&
           std::abs(std::stod(so_far_field) - so_far) < 1e-12;
  }
} // namespace



int
main(int argc, char **argv)
{
  if (argc != 2)
    {
      std::cerr << "Usage: plugin_observer falling.prm" << std::endl;
      return 1;
    }
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  try
    {
      for (const bool restart : {false, true})
        {
          const Ricochet::ParameterFile file(argv[1],
                                             {restart ? "End time=1"
                                                      : "End time=0.4"});
          Ricochet::Options options;
          options.restart = restart;
          Ricochet::Simulation<2> simulation(file, options, MPI_COMM_WORLD);
          simulation.run();
        }
    }
  catch (const Ricochet::UserError &error)
    {
      std::cerr << "Error: " << error.what() << std::endl;
      return 1;
    }

  std::ifstream table("output/speeds.csv");
  std::string line;
  std::getline(table, line);
  unsigned int n_right = 0, n_wrong = 0;
  while (std::getline(table, line))
    ++(is_right(line) ? n_right : n_wrong);
  std::cout << n_right << " rows of speeds.csv are right, " << n_wrong
            << " are wrong." << std::endl;
  // Two bodies at 101 times.
  return n_right == 202 && n_wrong == 0 ? 0 : 1;
}
