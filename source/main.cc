// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>
#include <ricochet/base/version.h>
#include <ricochet/simulation/options.h>
#include <ricochet/simulation/simulation.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/multithread_info.h>

#include <iostream>
#include <new>
#include <string>
#include <vector>

namespace
{
  using namespace Ricochet;
  using Action = Options::Action;

  void
  print_version()
  {
    const std::string set = name_of(preferred_instruction_set());
    std::cout << "Ricochet " << Version::number << " (" << Version::revision
              << ", " << Version::build_type << ", " << Version::compiler
              << ")\ndeal.II " << Version::deal_ii << "\nTrilinos "
              << Version::trilinos << "\np4est " << Version::p4est
              << "\ninstruction set " << set << "\n";
  }



  template <class Interface>
  void
  print_family()
  {
    if (Registry<Interface>::entries().empty())
      return;
    std::cout << Interface::family_name() << ":\n";
    for (const auto &entry : Registry<Interface>::entries())
      std::cout << "  " << entry.first << ": " << entry.second.description
                << "\n";
  }



  template <int dim>
  int
  work(const ParameterFile &file, const Options &options)
  {
    if (options.action == Action::run || options.action == Action::validate)
      {
        Simulation<dim> simulation(file, options, MPI_COMM_WORLD);
        if (options.action == Action::run)
          return simulation.run();
        simulation.validate();
        return 0;
      }

    dealii::ParameterHandler prm;
    Simulation<dim>::declare_parameters(prm, file);
    if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
      prm.print_parameters(
        std::cout,
        options.action == Action::print_parameters_json
          ? dealii::ParameterHandler::JSON
          : dealii::ParameterHandler::PRM |
              dealii::ParameterHandler::KeepDeclarationOrder);
    return 0;
  }



  int
  run(const Options &options)
  {
    // Without a file, user-named sections are shown under sample names.
    const ParameterFile file =
      options.parameter_file.empty()
        ? ParameterFile::with_sections(
            {{"Bodies", "any name"},
             {"Bodies", "any name", "Prescribed motion", "any name"},
             {"Obstacles", "any name"},
             {"Output", "Probes", "any name"}})
        : ParameterFile(options.parameter_file, options.overrides);
    const std::string dimension = file.value({}, "Dimension", "3");
    require(dimension == "2" || dimension == "3",
            file.where({}, "Dimension") + ": 'Dimension' cannot be '" +
              dimension + "'. Allowed: 2 or 3.");
    return dimension == "2" ? work<2>(file, options) : work<3>(file, options);
  }



  /** The message of an error, once; on one of several ranks, end all. */
  int
  fail(const std::string &message, const bool on_all_ranks)
  {
    const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
    if (rank == 0 || !on_all_ranks)
      std::cerr << "Error: " << message << std::endl;
    if (!on_all_ranks &&
        dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) > 1)
      MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
} // namespace



int
main(int argc, char **argv)
{
  Options options;
  try
    {
      options = parse_command_line({argv + 1, argv + argc});
      if (options.action == Action::version)
        {
          print_version();
          return 0;
        }
    }
  catch (const UserError &error)
    {
      std::cerr << "Error: " << error.what() << std::endl;
      return 1;
    }
  if (options.action == Action::help)
    {
      std::cout << usage();
      return 0;
    }
  if (options.action == Action::list_plugins)
    {
      print_family<Material<3>>();
      print_family<Obstacle<3>>();
      print_family<ContactCorrection<3>>();
      print_family<ContactForces<3>>();
      print_family<FrictionLaw>();
      print_family<TimeIntegrator<3>>();
      print_family<Observer<3>>();
      return 0;
    }

  // Without the options: PETSc, which deal.II starts if it has it, takes them
  // for its own and complains at the end that it made no use of them.
  int n_arguments = 1;
  dealii::Utilities::MPI::MPI_InitFinalize
    mpi(n_arguments, argv, dealii::numbers::invalid_unsigned_int);
  try
    {
      return run(options);
    }
  catch (const UserError &error)
    {
      // Raised by all ranks alike, see on_all_ranks().
      return fail(error.what(), true);
    }
  catch (const std::bad_alloc &)
    {
      return fail(
        "There is not enough memory for this model. Choose fewer "
        "'Refinements', less in 'Repeat', or more ranks on more "
        "machines.",
        false);
    }
  catch (const std::exception &error)
    {
      return fail(error.what(), false);
    }
}
