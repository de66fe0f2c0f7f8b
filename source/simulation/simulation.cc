// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>
#include <ricochet/base/run_clock.h>
#include <ricochet/base/stopwatch.h>
#include <ricochet/simulation/signals.h>
#include <ricochet/simulation/simulation.h>
#include <ricochet/simulation/starting_overlaps.h>
#include <ricochet/time/initial_equilibrium.h>

#include <deal.II/base/multithread_info.h>
#include <deal.II/base/patterns.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#ifdef __GLIBC__
#  include <malloc.h>
#endif
#include <sstream>

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  void
  Simulation<dim>::declare_parameters(ParameterHandler &prm,
                                      const ParameterFile &file)
  {
    prm.declare_entry("Dimension",
                      "3",
                      Patterns::Selection("2|3"),
                      "Of space. 2 is plane strain. Units: None.");
    prm.declare_entry("Output directory",
                      "output",
                      Patterns::DirectoryName(),
                      "Where results go, relative to the current directory. "
                      "Units: None.");
    prm.declare_entry("End time",
                      "0",
                      Patterns::Double(0.),
                      "The run stops here. Units: time.");
    prm.declare_entry("Threads",
                      "1",
                      Patterns::Integer(1, 1024),
                      "Per rank. The motion does not depend on it. Units: "
                      "None.");

    prm.enter_subsection("Time stepping");
    declare_choice<TimeIntegrator<dim>>(
      prm,
      "Integrator",
      "explicit Newmark",
      Registry<TimeIntegrator<dim>>::documentation() + "\nUnits: None.");
    StepSize<dim>::declare_parameters(prm);
    declare_classes<TimeIntegrator<dim>>(prm);
    prm.declare_entry("Initial equilibrium",
                      "false",
                      Patterns::Bool(),
                      "Whether bodies start in the equilibrium of body forces, "
                      "supports and, with a response that gives forces, "
                      "contact without friction, instead of without stress: "
                      "for gravity and preload. With any integrator. Units: "
                      "None.");
    prm.enter_subsection("Equations");
    EquationSolver::declare_parameters(prm);
    prm.leave_subsection();
    prm.leave_subsection();

    Model<dim>::declare_parameters(prm, file);

    prm.enter_subsection("Output");
    prm.declare_entry("Overwrite",
                      "false",
                      Patterns::Bool(),
                      "Whether the results of another run in the output "
                      "directory may be replaced. Units: None.");
    prm.declare_entry("Steps between history rows",
                      "1",
                      Patterns::Integer(1),
                      "How often rows are written to history.csv and the other "
                      "tables. Units: None.");
    prm.declare_entry("Minutes between checkpoints",
                      "10",
                      Patterns::Double(0.),
                      "Wall time between checkpoints; 0 writes them on signals "
                      "only. Units: minutes.");
    Observers<dim>::declare_parameters(prm, file);
    prm.leave_subsection();
  }



  template <int dim>
  Simulation<dim>::Simulation(const ParameterFile &file,
                              const Options &options,
                              const MPI_Comm communicator)
    : file(file)
    , options(options)
    , communicator(communicator)
    , model(communicator)
  {
    time_of_start = seconds_since_start();
    agree_on_instruction_set(communicator);
    declare_parameters(prm, file);
    file.apply_to(prm);
    try
      {
        parse_parameters();
      }
    catch (const UserError &error)
      {
        throw UserError(file.with_place(error.what()));
      }
    time_of_reading = seconds_since_start();
  }



  template <int dim>
  void
  Simulation<dim>::parse_parameters()
  {
    output_name = options.output_directory.empty() ? prm.get("Output directory")
                                                   : options.output_directory;
    end_time    = prm.get_double("End time");
    MultithreadInfo::set_thread_limit(prm.get_integer("Threads"));

    prm.enter_subsection("Time stepping");
    step_size.parse_parameters(prm);
    integrator            = choose<TimeIntegrator<dim>>(prm, "Integrator");
    starts_in_equilibrium = prm.get_bool("Initial equilibrium");
    prm.enter_subsection("Equations");
    equation_solver->parse_parameters(prm);
    prm.leave_subsection();
    integrator->set_equation_solver(equation_solver);
    prm.leave_subsection();

    model.parse_parameters(prm, file);
    if (model.expects_contact())
      {
        integrator->check_contact(model.get_contact());
        step_size.expect_contact();
      }

    prm.enter_subsection("Output");
    overwrite         = prm.get_bool("Overwrite");
    row_interval      = prm.get_integer("Steps between history rows");
    checkpoint_period = 60. * prm.get_double("Minutes between checkpoints");
    observers.parse_parameters(prm, file);
    prm.leave_subsection();
  }



  template <int dim>
  int
  Simulation<dim>::run()
  {
    if (!start())
      return 0;
    const SignalGuard signals;
    while (!is_finished())
      {
        advance();
        // A signal may reach one rank only.
        const int signal =
          Utilities::MPI::max(signals.received(), communicator);
        if (signal != 0 || checkpoint_is_due())
          write_checkpoint();
        if (signal != 0)
          {
            say("Stopped by signal " + std::to_string(signal) + " after step " +
                std::to_string(state.step) + ". Continue with --restart.");
            return 128 + signal;
          }
      }
    finish();
    return 0;
  }



  template <int dim>
  void
  Simulation<dim>::advance()
  {
    {
      const Stopwatch watch(view->times.steps);
      const double dt = next_step();
      const StepTaken taken =
        integrator->step(model.get_solids(),
                         model.get_contact(),
                         state,
                         dt,
                         observers.wants_energies(*view, state.step + 1) ||
                           step_size.is_last(state, end_time),
                         balance);
      step_size.learn(taken);
      view->accept(taken, is_finished());
    }
    observers.record(*view);
  }



  template <int dim>
  void
  Simulation<dim>::finish()
  {
    // A later end time can go on from the checkpoint.
    observers.finish(*view, [this]() { write_checkpoint(); });
    say("Results are in " + view->settings.directory.name());
  }



  template <int dim>
  bool
  Simulation<dim>::start()
  {
    require(end_time > 0.,
            file.where({}, "End time") +
              ": 'End time' is 0, so there is nothing to run. Set it above 0.");
    const OutputDirectory directory = open_directory();
    checkpoint.emplace(directory, communicator);
    std::optional<CheckpointData> data;
    if (options.restart)
      {
        check_same_model(directory);
        data = checkpoint->read();
        if (is_complete(*data))
          {
            say("The run in '" + directory.name() +
                "' is complete, and nothing was changed. Set a later 'End "
                "time' to go on.");
            return false;
          }
      }
    write_parameters(directory);
    for (const auto &warning : file.warnings())
      say("Warning: " + warning);

    typename RunView<dim>::Settings settings{directory,
                                             model.get_names(),
                                             end_time,
                                             row_interval,
                                             std::nullopt};
    if (data)
      settings.resume = data->resume_point();
    view.emplace(*integrator,
                 model.get_solids(),
                 model.get_contact(),
                 state,
                 balance,
                 settings);
    build();
    if (data)
      load(*data);
    else
      treat_overlaps(&directory);
    const double dt = next_step();
    if (!data)
      initialize(dt);
    greet(dt);
    view->times.starting = time_of_start;
    view->times.reading  = time_of_reading - time_of_start;
    view->times.set_up   = seconds_since_start() - time_of_reading;
    observers.start(*view);
    since_checkpoint.restart();
    return true;
  }



  template <int dim>
  void
  Simulation<dim>::build()
  {
    for (const auto &obstacle : model.get_obstacles())
      for (const auto &warning : obstacle.shape->warnings())
        say("Warning: " + warning);
    try
      {
        model.build();
      }
    catch (const UserError &error)
      {
        throw UserError(file.with_place(error.what()));
      }
    state = model.get_solids().initial_state();
    prepare();
#ifdef __GLIBC__
    // What set-up alone needed, about 200 bytes per cell.
    malloc_trim(0);
#endif
  }



  template <int dim>
  void
  Simulation<dim>::initialize(const double dt)
  {
    if (starts_in_equilibrium)
      {
        find_initial_equilibrium(model.get_solids(),
                                 model.get_contact(),
                                 *equation_solver,
                                 state);
        prepare();
      }
    integrator->initialize(model.get_solids(), state, dt);
    // Those without contact, which holds bodies at rest.
    if (starts_in_equilibrium && model.get_contact().gives_forces())
      for (auto &accelerations : state.accelerations)
        accelerations = 0.;
  }



  template <int dim>
  void
  Simulation<dim>::prepare()
  {
    model.prepare(state);
    if (view)
      observers.prepare(*view);
  }



  template <int dim>
  void
  Simulation<dim>::validate()
  {
    for (const std::string &line : model.mesh_summary())
      say(line);
    build();
    const unsigned int n_overlaps = treat_overlaps(nullptr);
    const double dt               = next_step();
    initialize(dt);
    greet(dt);

    BodySums all;
    for (const BodySums &sums : sum_bodies(model.get_solids(), state))
      all += sums;
    std::ostringstream text;
    text << "Mass " << all.mass << ", kinetic energy " << all.kinetic_energy
         << ", stable time step ";
    if (step_size.has_stable_step())
      text << step_size.stable_step();
    else
      text << "unlimited";
    text << ", initially overlapping pairs of bodies " << n_overlaps;
    say(text.str());
    say("The parameters are valid.");
  }



  template <int dim>
  OutputDirectory
  Simulation<dim>::open_directory() const
  {
    using Existing = OutputDirectory::Existing;
    refuse_to_overwrite_input();
    return OutputDirectory(output_name,
                           options.restart ? Existing::resume
                           : overwrite     ? Existing::overwrite
                                           : Existing::refuse,
                           communicator);
  }



  template <int dim>
  double
  Simulation<dim>::next_step()
  {
    typename Contact<dim>::ConstVectors velocities;
    for (const auto &vector : state.velocities)
      velocities.push_back(&vector);
    return std::min(
      step_size.next(*integrator, model.get_solids(), state, end_time),
      model.get_contact().step_limit(velocities, state.rigid_motions));
  }



  template <int dim>
  void
  Simulation<dim>::greet(const double dt) const
  {
    const auto sizes = model.get_solids().sizes();
    std::ostringstream text;
    text << file.name() << ": bodies " << model.get_solids().n_bodies()
         << ", cells " << sizes.cells << ", nodes " << sizes.nodes
         << ", contact facets " << model.get_contact().get_surface().n_facets()
         << ", ranks " << Utilities::MPI::n_mpi_processes(communicator)
         << ", first step " << dt;
    for (const auto &[name, number] : model.get_contact().numbers())
      text << ", " << name << " " << number;
    say(text.str());
    const std::string warning = model.get_contact().warning(
      step_size.regular_step() / step_size.stable_step());
    if (!warning.empty())
      say("Warning: " + warning);
    for (const std::string &note : model.get_notes())
      say("Note: " + note);
    for (const std::string &note : integrator->notes(model.get_solids()))
      say("Note: " + note);
  }



  template <int dim>
  unsigned int
  Simulation<dim>::treat_overlaps(const OutputDirectory *const directory)
  {
    const StartingOverlaps<dim> overlaps(model.get_contact(),
                                         model.get_names());
    overlaps.refuse_wrong_sides(model.get_contact());
    if (directory != nullptr)
      on_first_rank(communicator, [&]() { overlaps.write(*directory); });
    for (const std::string &line : overlaps.report())
      say(line);
    overlaps.treat(model.get_solids(), model.get_contact(), state);
    return overlaps.n_pairs();
  }



  template <int dim>
  void
  Simulation<dim>::refuse_to_overwrite_input() const
  {
    on_first_rank(communicator, [&]() {
      std::error_code none;
      if (overwrite && !options.restart)
        for (const auto &name : OutputDirectory::files_of_run(output_name))
          require(!std::filesystem::equivalent(output_name + "/" + name,
                                               file.name(),
                                               none),
                  "The parameter file '" + file.name() +
                    "' is one of the files that this run would overwrite. "
                    "Copy it to another directory, or choose another output "
                    "directory (--output DIR).");
    });
  }



  template <int dim>
  void
  Simulation<dim>::say(const std::string &text) const
  {
    if (Utilities::MPI::this_mpi_process(communicator) == 0)
      std::cout << text << std::endl;
  }



  template <int dim>
  void
  Simulation<dim>::write_parameters(const OutputDirectory &directory)
  {
    on_first_rank(communicator, [&]() {
      const std::string name = directory.file("parameters.prm");
      std::ofstream out(name);
      prm.print_parameters(out,
                           ParameterHandler::PRM |
                             ParameterHandler::KeepDeclarationOrder);
      out.close();
      require(out.good(),
              "Cannot write '" + name +
                "'. Check the permissions and the free space of the disk.");
    });
  }



  template class Simulation<2>;
  template class Simulation<3>;
} // namespace Ricochet
