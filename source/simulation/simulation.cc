// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>
#include <ricochet/simulation/signals.h>
#include <ricochet/simulation/simulation.h>
#include <ricochet/simulation/starting_overlaps.h>

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
    prm.leave_subsection();

    prm.enter_subsection("Mass");
    prm.declare_entry("Matrix",
                      "lumped",
                      Patterns::Selection("lumped|consistent"),
                      "The mass matrix of the bodies. Units: None.");
    prm.declare_entry("Contact",
                      "as bodies",
                      Patterns::Selection("as bodies|lumped"),
                      "The mass that impulses act on: the same, or the lumped "
                      "one although the bodies move with a consistent one, "
                      "which is faster, keeps the linear momentum, but not the "
                      "angular one. Units: None.");
    prm.leave_subsection();

    prm.enter_subsection("Bodies");
    prm.declare_entry("Element degree",
                      "1",
                      Patterns::Integer(1, 2),
                      "The degree of the polynomials in each direction of the "
                      "elements of all bodies. With 2, which needs "
                      "quadrilaterals or hexahedra without 'Local "
                      "refinement', the nodes in the middle of edges, faces "
                      "and cells move as well, and the contact surface goes "
                      "through all of them on the boundary; edges are straight "
                      "at the start. The stable step is about 0.4 times "
                      "that of degree 1 on the same mesh. Units: None.");
    for (const auto &name : file.subsections({"Bodies"}))
      {
        prm.enter_subsection(name);
        BodyParameters<dim>::declare_parameters(
          prm,
          file.subsections({"Bodies", name, "Prescribed motion"}));
        prm.leave_subsection();
      }
    prm.leave_subsection();

    prm.enter_subsection("Obstacles");
    for (const auto &name : file.subsections({"Obstacles"}))
      {
        prm.enter_subsection(name);
        PlacedObstacle<dim>::declare_parameters(prm);
        prm.leave_subsection();
      }
    prm.leave_subsection();

    prm.enter_subsection("Contact");
    Contact<dim>::declare_parameters(prm);
    prm.leave_subsection();

    prm.enter_subsection("Output");
    OutputParameters<dim>::declare_parameters(prm,
                                              file.subsections(
                                                {"Output", "Probes"}));
    prm.leave_subsection();
  }



  template <int dim>
  Simulation<dim>::Simulation(const ParameterFile &file,
                              const Options &options,
                              const MPI_Comm communicator)
    : file(file)
    , options(options)
    , communicator(communicator)
  {
    agree_on_instruction_set(communicator);
    declare_parameters(prm, file);
    file.apply_to(prm);
    parse_parameters();
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
    integrator = choose<TimeIntegrator<dim>>(prm, "Integrator");
    prm.leave_subsection();

    prm.enter_subsection("Mass");
    const bool consistent = prm.get("Matrix") == "consistent";
    lumped_contact        = !consistent || prm.get("Contact") == "lumped";
    prm.leave_subsection();

    prm.enter_subsection("Bodies");
    solids = std::make_unique<Solids<dim>>(communicator,
                                           consistent ? MassKind::consistent
                                                      : MassKind::lumped,
                                           prm.get_integer("Element degree"));
    for (const auto &section : file.subsections({"Bodies"}))
      {
        prm.enter_subsection(section);
        make_mesh_file_absolute("Mesh");
        BodyParameters<dim> parameters;
        parameters.parse_parameters(prm,
                                    section,
                                    file.subsections(
                                      {"Bodies", section, "Prescribed motion"}),
                                    file.directory());
        prm.leave_subsection();
        for (Body<dim> &body : parameters.create_bodies())
          {
            names.push_back(body.name);
            bodies.push_back(std::move(body));
          }
      }
    prm.leave_subsection();

    parse_obstacles();
    prm.enter_subsection("Contact");
    contact.parse_parameters(prm, names);
    integrator->check_contact(contact);
    if (names.size() > 1 || prm.get_bool("Self-contact"))
      step_size.expect_contact();
    prm.leave_subsection();
    require(!consistent || !lumped_contact || !contact.restores_energy(),
            "'Energy restoration' does not go with 'Contact' = lumped over "
            "'Matrix' = consistent in 'Mass': these have different energies. "
            "Choose the same for both, or set it to false.");

    prm.enter_subsection("Output");
    output.parse_parameters(prm, file.subsections({"Output", "Probes"}));
    prm.leave_subsection();
  }



  template <int dim>
  void
  Simulation<dim>::make_mesh_file_absolute(const std::string &section)
  {
    prm.enter_subsection(section);
    if (!prm.get("Mesh file").empty())
      prm.set("Mesh file",
              std::filesystem::absolute(
                std::filesystem::path(file.directory()) / prm.get("Mesh file"))
                .lexically_normal()
                .string());
    prm.leave_subsection();
  }



  template <int dim>
  void
  Simulation<dim>::parse_obstacles()
  {
    prm.enter_subsection("Obstacles");
    for (const auto &name : file.subsections({"Obstacles"}))
      {
        require(std::find(names.begin(), names.end(), name) == names.end(),
                "Obstacle '" + name +
                  "' has the name of a body. Give it another one.");
        prm.enter_subsection(name);
        make_mesh_file_absolute("mesh");
        make_mesh_file_absolute("stl");
        obstacles.emplace_back();
        obstacles.back().parse_parameters(prm, name);
        prm.leave_subsection();
        names.push_back(name);
      }
    prm.leave_subsection();
  }



  template <int dim>
  void
  Simulation<dim>::build()
  {
    solids->reinit(std::move(bodies));
    ContactModel<dim> model;
    model.communicator = communicator;
    model.obstacles    = obstacles;
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      {
        const Forest<dim> &forest = solids->forest(p);
        model.sources.emplace_back();
        SurfaceSource<dim> &source = model.sources.back();
        source.dof_handler         = &forest.get_dof_handler();
        source.hanging_nodes = &forest.get_hanging_nodes().get_constraints();
        source.body          = [&forest](const auto &cell) {
          return forest.body_of_cell(cell);
        };
        source.is_contact_face = [this, &forest](const auto &cell,
                                                 const unsigned int f) {
          const auto &ids =
            solids->body(forest.body_of_cell(cell)).contact_boundary_ids;
          return ids.empty() || ids.count(cell->face(f)->boundary_id()) > 0;
        };
        model.inverse_masses.push_back(&solids->inverse_mass(p));
      }
    if (!lumped_contact)
      model.apply_inverse_mass = [this](const unsigned int source,
                                        auto &vector) {
        solids->apply_inverse_consistent_mass(source, vector);
      };
    contact.reinit(model);
    state = solids->initial_state();
#ifdef __GLIBC__
    // What set-up alone needed, about 200 bytes per cell.
    malloc_trim(0);
#endif
  }



  template <int dim>
  int
  Simulation<dim>::run()
  {
    using Existing = OutputDirectory::Existing;
    require(end_time > 0.,
            file.where({}, "End time") +
              ": 'End time' is 0, so there is nothing to run. Set it above 0.");
    refuse_to_overwrite_input();
    const OutputDirectory directory(output_name,
                                    options.restart    ? Existing::resume
                                    : output.overwrite ? Existing::overwrite
                                                       : Existing::refuse,
                                    communicator);
    const Checkpoint checkpoint(directory, communicator);
    std::optional<ResumePoint> resume;
    CheckpointData data;
    if (options.restart)
      {
        check_same_model(directory);
        data   = checkpoint.read();
        resume = data.resume_point();
        if (is_complete(data))
          {
            say("The run in '" + output_name +
                "' is complete, and nothing was changed. Set a later 'End "
                "time' to go on.");
            return 0;
          }
      }
    write_parameters(directory);
    for (const auto &warning : file.warnings())
      say("Warning: " + warning);

    build();
    recorder = std::make_unique<Recorder<dim>>(output,
                                               directory,
                                               *solids,
                                               contact,
                                               names,
                                               end_time,
                                               resume);
    if (resume)
      load(data);
    else
      treat_overlaps(&directory);
    double dt = next_step();
    if (!resume)
      integrator->initialize(*solids, state, dt);
    greet(dt);
    recorder->start(state, balance);

    const SignalGuard signals;
    while (!step_size.is_finished(state, end_time))
      {
        dt = next_step();
        const StepTaken taken =
          integrator->step(*solids,
                           contact,
                           state,
                           dt,
                           recorder->wants_energies(state.step + 1) ||
                             step_size.is_last(state, end_time),
                           balance);
        if (taken.n_cuts > 0)
          step_size.estimate_anew();
        recorder->record(state, balance, taken);
        // A signal may reach one rank only.
        const int signal =
          Utilities::MPI::max(signals.received(), communicator);
        if (signal != 0 || recorder->checkpoint_is_due())
          {
            recorder->flush();
            checkpoint.write(save());
          }
        if (signal != 0)
          {
            say("Stopped by signal " + std::to_string(signal) + " after step " +
                std::to_string(state.step) + ". Continue with --restart.");
            return 128 + signal;
          }
      }
    recorder->finish(state, balance, dt);
    checkpoint.write(save()); // a later end time can go on from here
    return 0;
  }



  template <int dim>
  void
  Simulation<dim>::validate()
  {
    build();
    const unsigned int n_overlaps = treat_overlaps(nullptr);
    const double dt               = next_step();
    integrator->initialize(*solids, state, dt);
    greet(dt);

    BodySums all;
    for (const BodySums &sums : sum_bodies(*solids, state))
      all += sums;
    std::ostringstream text;
    text << "Mass " << all.mass << ", kinetic energy " << all.kinetic_energy
         << ", stable time step " << step_size.stable_step()
         << ", initially overlapping pairs of bodies " << n_overlaps;
    say(text.str());
    say("The parameters are valid.");
  }



  template <int dim>
  double
  Simulation<dim>::next_step()
  {
    typename Contact<dim>::ConstVectors velocities;
    for (const auto &vector : state.velocities)
      velocities.push_back(&vector);
    return std::min(step_size.next(*integrator, *solids, state, end_time),
                    contact.step_limit(velocities));
  }



  template <int dim>
  void
  Simulation<dim>::greet(const double dt) const
  {
    const auto sizes = solids->sizes();
    std::ostringstream text;
    text << file.name() << ": bodies " << solids->n_bodies() << ", cells "
         << sizes.cells << ", nodes " << sizes.nodes << ", contact facets "
         << contact.get_surface().n_facets() << ", ranks "
         << Utilities::MPI::n_mpi_processes(communicator) << ", first step "
         << dt;
    for (const auto &[name, number] : contact.numbers())
      text << ", " << name << " " << number;
    say(text.str());
    const std::string warning =
      contact.warning(step_size.regular_step() / step_size.stable_step());
    if (!warning.empty())
      say("Warning: " + warning);
  }



  template <int dim>
  unsigned int
  Simulation<dim>::treat_overlaps(const OutputDirectory *const directory)
  {
    const StartingOverlaps<dim> overlaps(contact, names);
    refuse_wrong_sides(overlaps);
    if (directory != nullptr)
      on_first_rank(communicator, [&]() { overlaps.write(*directory); });
    for (const std::string &line : overlaps.report())
      say(line);
    overlaps.treat(*solids, contact, state);
    return overlaps.n_pairs();
  }



  template <int dim>
  void
  Simulation<dim>::refuse_wrong_sides(
    const StartingOverlaps<dim> &overlaps) const
  {
    auto pairs = contact.find_wrong_sides();
    pairs.erase(std::remove_if(pairs.begin(),
                               pairs.end(),
                               [&](const BodyPair &pair) {
                                 return overlaps.contains(pair);
                               }),
                pairs.end());
    require(
      pairs.empty(),
      pairs.empty()
        ? ""
        : "Obstacle '" + names[pairs[0][1]] + "': body '" + names[pairs[0][0]] +
            "' and " + std::to_string(pairs.size() - 1) +
            " others are behind its surface, where nothing would keep "
            "them. Turn its facets around (of STL files by 'Turn around = "
            "true'), place the body on the other side, or leave the pair "
            "out of 'Contact/Pairs'.");
  }



  template <int dim>
  void
  Simulation<dim>::refuse_to_overwrite_input() const
  {
    on_first_rank(communicator, [&]() {
      std::error_code none;
      if (output.overwrite && !options.restart)
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
