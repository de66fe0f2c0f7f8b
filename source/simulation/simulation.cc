// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/search/intersections.h>
#include <ricochet/simulation/signals.h>
#include <ricochet/simulation/simulation.h>

#include <deal.II/base/multithread_info.h>
#include <deal.II/base/patterns.h>

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

    using Integrators = Registry<TimeIntegrator<dim>>;
    prm.enter_subsection("Time stepping");
    prm.declare_entry("Integrator",
                      "explicit Newmark",
                      Patterns::Selection(Integrators::selection()),
                      Integrators::documentation() + "\nUnits: None.");
    StepSize<dim>::declare_parameters(prm);
    for (const auto &entry : Integrators::entries())
      {
        prm.enter_subsection(entry.first);
        entry.second.declare_parameters(prm);
        prm.leave_subsection();
      }
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
                      "one although the bodies move with a consistent one. "
                      "Units: None.");
    prm.leave_subsection();

    prm.enter_subsection("Bodies");
    for (const auto &name : file.subsections({"Bodies"}))
      {
        prm.enter_subsection(name);
        BodyParameters<dim>::declare_parameters(
          prm,
          file.subsections({"Bodies", name, "Prescribed motion"}));
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
    const std::string name = prm.get("Integrator");
    integrator             = Registry<TimeIntegrator<dim>>::create(name);
    prm.enter_subsection(name);
    integrator->parse_parameters(prm);
    prm.leave_subsection();
    prm.leave_subsection();

    prm.enter_subsection("Mass");
    const bool consistent = prm.get("Matrix") == "consistent";
    lumped_contact        = !consistent || prm.get("Contact") == "lumped";
    prm.leave_subsection();
    solids = std::make_unique<Solids<dim>>(communicator,
                                           consistent ? MassKind::consistent
                                                      : MassKind::lumped);

    std::vector<std::string> names;
    prm.enter_subsection("Bodies");
    for (const auto &section : file.subsections({"Bodies"}))
      {
        prm.enter_subsection(section);
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

    prm.enter_subsection("Contact");
    contact.parse_parameters(prm, names);
    prm.leave_subsection();

    prm.enter_subsection("Output");
    output.parse_parameters(prm, file.subsections({"Output", "Probes"}));
    prm.leave_subsection();
  }



  template <int dim>
  void
  Simulation<dim>::build()
  {
    solids->reinit(std::move(bodies));
    std::vector<SurfaceSource<dim>> sources;
    typename Contact<dim>::ConstVectors inverse_masses;
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      {
        const Forest<dim> &forest = solids->forest(p);
        sources.emplace_back();
        sources.back().dof_handler = &forest.get_dof_handler();
        sources.back().body        = [&forest](const auto &cell) {
          return forest.body_of_cell(cell);
        };
        sources.back().is_contact_face = [this, &forest](const auto &cell,
                                                         const unsigned int f) {
          const auto &ids =
            solids->body(forest.body_of_cell(cell)).contact_boundary_ids;
          return ids.empty() || ids.count(cell->face(f)->boundary_id()) > 0;
        };
        inverse_masses.push_back(&solids->inverse_mass(p));
      }
    contact.reinit(sources, inverse_masses, communicator);
    if (!lumped_contact)
      contact.set_inverse_mass([this](const unsigned int source, auto &vector) {
        solids->apply_inverse_consistent_mass(source, vector);
      });
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
            "'End time' is " + std::to_string(end_time) +
              ": there is nothing to run. Set it above 0.");
    const OutputDirectory directory(output_name,
                                    options.restart    ? Existing::resume
                                    : output.overwrite ? Existing::overwrite
                                                       : Existing::refuse,
                                    communicator);
    write_parameters(directory);
    for (const auto &warning : file.warnings())
      say("Warning: " + warning);

    build();
    const Checkpoint checkpoint(directory, communicator);
    std::optional<ResumePoint> resume;
    CheckpointData data;
    if (options.restart)
      {
        data   = checkpoint.read();
        resume = data.resume_point();
      }
    recorder = std::make_unique<Recorder<dim>>(output,
                                               directory,
                                               *solids,
                                               contact,
                                               end_time,
                                               resume);
    if (resume)
      load(data);
    double dt = step_size.next(*solids, state, end_time);
    if (!resume)
      integrator->initialize(*solids, state, dt);
    greet(dt);
    recorder->start(state, balance);

    const SignalGuard signals;
    while (!step_size.is_finished(state, end_time))
      {
        dt               = step_size.next(*solids, state, end_time);
        const int signal = step(dt, signals);
        recorder->record(state, balance, dt);
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
  int
  Simulation<dim>::step(const double dt, const SignalGuard &signals)
  {
    integrator->step(*solids,
                     contact,
                     state,
                     dt,
                     recorder->wants_energies(state.step + 1),
                     balance);
    // A signal may reach one rank only.
    return Utilities::MPI::max(signals.received(), communicator);
  }



  template <int dim>
  void
  Simulation<dim>::validate()
  {
    build();
    const double dt = step_size.next(*solids, state, end_time);
    integrator->initialize(*solids, state, dt);
    greet(dt);

    BodySums all;
    for (const BodySums &sums : sum_bodies(*solids, state))
      all += sums;
    std::ostringstream text;
    text << "Mass " << all.mass << ", kinetic energy " << all.kinetic_energy
         << ", stable time step " << step_size.stable_step()
         << ", initially intersecting facet pairs "
         << intersecting_facets(contact.get_surface(), contact.get_state().end)
              .size();
    say(text.str());
    say("The parameters are valid.");
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
    say(text.str());
    const std::string warning = contact.warning(dt / step_size.stable_step());
    if (!warning.empty())
      say("Warning: " + warning);
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



  namespace
  {
    /** The whole vector on all ranks, in the order of the degrees of freedom.
     */
    std::vector<double>
    gather(const LinearAlgebra::distributed::Vector<double> &vector)
    {
      std::vector<double> values(vector.size(), 0.);
      for (const auto i : vector.locally_owned_elements())
        values[i] = vector(i);
      Utilities::MPI::sum(values, vector.get_mpi_communicator(), values);
      return values;
    }



    void
    scatter(const std::vector<double> &values,
            LinearAlgebra::distributed::Vector<double> &vector)
    {
      require(values.size() == vector.size(),
              "The checkpoint belongs to another mesh. Restart with the "
              "parameter file that it was made with.");
      for (const auto i : vector.locally_owned_elements())
        vector(i) = values[i];
      vector.update_ghost_values();
    }



    /** All vectors of a state with their names in checkpoints. */
    std::vector<std::pair<std::string, ForestVectors *>>
    named_vectors(State &state)
    {
      return {{"positions", &state.positions},
              {"velocities", &state.velocities},
              {"accelerations", &state.accelerations},
              {"internal forces", &state.internal_forces},
              {"external forces", &state.external_forces}};
    }
  } // namespace



  template <int dim>
  CheckpointData
  Simulation<dim>::save()
  {
    CheckpointData data;
    data.step = state.step;
    data.time = state.time;
    step_size.save(data.scalars);
    recorder->save(data);
    for (const auto &[name, vectors] : named_vectors(state))
      for (unsigned int p = 0; p < vectors->size(); ++p)
        data.vectors[name + " " + std::to_string(p)] = gather((*vectors)[p]);

    // The shares of the ranks are added up; a restart gives all to rank 0.
    std::vector<double> shares{balance.external_work, balance.contact_work};
    for (unsigned int d = 0; d < 3; ++d)
      shares.push_back(balance.external_angular_momentum[d]);
    Utilities::MPI::sum(shares, communicator, shares);
    shares.push_back(balance.restitution_loss);
    shares.push_back(balance.friction_loss);
    for (unsigned int d = 0; d < 3; ++d)
      shares.push_back(balance.contact_angular_momentum[d]);
    data.vectors["balance"] = shares;
    return data;
  }



  template <int dim>
  void
  Simulation<dim>::load(const CheckpointData &data)
  {
    state.step = data.step;
    state.time = data.time;
    step_size.load(data.scalars);
    recorder->load(data);
    for (const auto &[name, vectors] : named_vectors(state))
      for (unsigned int p = 0; p < vectors->size(); ++p)
        scatter(data.vectors.at(name + " " + std::to_string(p)), (*vectors)[p]);

    const std::vector<double> &values = data.vectors.at("balance");
    if (Utilities::MPI::this_mpi_process(communicator) == 0)
      {
        balance.external_work = values[0];
        balance.contact_work  = values[1];
        for (unsigned int d = 0; d < 3; ++d)
          balance.external_angular_momentum[d] = values[2 + d];
      }
    balance.restitution_loss = values[5];
    balance.friction_loss    = values[6];
    for (unsigned int d = 0; d < 3; ++d)
      balance.contact_angular_momentum[d] = values[7 + d];
  }



  template class Simulation<2>;
  template class Simulation<3>;
} // namespace Ricochet
