// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>
#include <ricochet/body/cell_fields.h>
#include <ricochet/search/intersections.h>
#include <ricochet/simulation/recorder.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <sstream>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** Gains of energy that are told, relative to the energy of the run. */
    constexpr double told_gain = 0.01;
  } // namespace



  template <int dim>
  Recorder<dim>::Recorder(const OutputParameters<dim> &parameters,
                          const OutputDirectory &directory,
                          const Solids<dim> &solids,
                          const Contact<dim> &contact,
                          const std::vector<std::string> &names,
                          const double end_time,
                          const std::optional<ResumePoint> &resume)
    : parameters(parameters)
    , directory(directory)
    , solids(solids)
    , contact(contact)
    , end_time(end_time)
    , communicator(solids.get_communicator())
    , loads(directory,
            solids,
            contact,
            {names.begin() + solids.n_bodies(), names.end()},
            resume)
    , restarted(resume.has_value())
  {
    for (Probe<dim> &probe : this->parameters.probes)
      probe.locate(solids);
    solution_writer =
      std::make_unique<SolutionWriter<dim>>(directory, communicator, resume);
    on_first_rank(communicator, [&]() {
      history  = std::make_unique<HistoryWriter>(directory, resume);
      bodies   = std::make_unique<BodiesWriter>(directory, resume);
      probes   = std::make_unique<ProbesWriter>(directory, resume);
      pictures = std::make_unique<Pictures>(directory, names);
      contact_writer =
        std::make_unique<ContactWriter<dim>>(directory,
                                             contact.get_surface(),
                                             resume);
      if (contact.get_obstacles().view().n_facets() > 0)
        obstacle_writer =
          std::make_unique<ContactWriter<dim>>(directory,
                                               contact.get_obstacles().view(),
                                               resume,
                                               "obstacles");
    });
    summary.min_gap = std::numeric_limits<double>::quiet_NaN();
    if (parameters.check_intersections)
      summary.n_intersections = 0.;
  }



  template <int dim>
  Recorder<dim>::~Recorder() = default;



  template <int dim>
  void
  Recorder<dim>::start(const State &state, const Balance &balance)
  {
    start_time = state.time;
    if (!restarted)
      {
        reset_intervals(state.time);
        const Totals now     = totals(state, balance, true);
        initial              = now.all;
        const HistoryRow row = history_row(state, balance, now, 0.);
        energy_scale         = row.kinetic_energy + row.internal_energy;
        // Bodies at rest: the round-off of their stresses is no growth.
        constexpr double strain = 1e-12;
        for (unsigned int b = 0; b < now.bodies.size(); ++b)
          energy_scale =
            std::max(energy_scale,
                     now.bodies[b].mass *
                       std::pow(strain * solids.body(b).material->wave_speed(),
                                2));
        summary.start_time = state.time;
        summary.start      = {row.kinetic_energy,
                              row.internal_energy,
                              row.total_energy()};
        write_tables(state, balance, now, row);
        write_fields(state);
        draw(state);
      }
    if (Utilities::MPI::this_mpi_process(communicator) == 0)
      progress = std::make_unique<Progress>(start_time, end_time);
    timer.restart();
    output_time         = 0.;
    search_time_start   = contact.search_time();
    response_time_start = contact.response_time();
  }



  template <int dim>
  typename Recorder<dim>::Totals
  Recorder<dim>::totals(const State &state,
                        const Balance &balance,
                        const bool with_scales) const
  {
    Totals result;
    result.bodies = sum_bodies(solids, state, with_scales);
    typename Contact<dim>::ConstVectors velocities, accelerations;
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      {
        velocities.push_back(&state.velocities[p]);
        accelerations.push_back(&state.accelerations[p]);
      }
    const auto unanswered =
      contact.unanswered_energy(velocities, accelerations);
    for (unsigned int b = 0; b < result.bodies.size(); ++b)
      {
        result.bodies[b].kinetic_energy -= unanswered[b];
        result.unanswered_energy += unanswered[b];
        result.all += result.bodies[b];
      }

    std::vector<double> shares{balance.external_work, balance.contact_work};
    for (unsigned int d = 0; d < 3; ++d)
      shares.push_back(balance.external_angular_momentum[d]);
    Utilities::MPI::sum(shares, communicator, shares);
    result.external_work = shares[0];
    result.contact_work  = shares[1];
    for (unsigned int d = 0; d < 3; ++d)
      result.explained_angular_momentum[d] =
        balance.contact_angular_momentum[d] + shares[2 + d];
    return result;
  }



  template <int dim>
  HistoryRow
  Recorder<dim>::history_row(const State &state,
                             const Balance &balance,
                             const Totals &totals,
                             const double dt) const
  {
    const ContactRecord &record = contact.get_state().record;
    HistoryRow row;
    row.step            = state.step;
    row.time            = state.time;
    row.dt              = dt;
    row.kinetic_energy  = totals.all.kinetic_energy;
    row.internal_energy = totals.all.internal_energy;
    row.external_work   = totals.external_work;
    row.contact_work    = totals.contact_work;
    row.shadow_kinetic_and_internal =
      row.kinetic_energy + totals.unanswered_energy + row.internal_energy -
      dt * dt / 8. * totals.all.acceleration_square;
    row.momentum         = totals.all.momentum;
    row.angular_momentum = totals.all.angular_momentum;
    row.node_face        = record.n_node_face;
    row.edge_edge        = record.n_edge_edge;
    row.passes           = record.n_passes;
    row.projected        = record.n_projected;
    row.rigid            = record.n_rigid;
    row.min_gap          = record.min_gap;
    row.plastic          = totals.all.plastic_loss;
    row.viscous          = totals.all.viscous_loss;
    row.friction         = balance.friction_loss;
    row.restitution      = balance.restitution_loss;
    row.l_error = (totals.all.angular_momentum - initial.angular_momentum -
                   totals.explained_angular_momentum)
                    .norm();
    row.wall_time = timer.wall_time();
    return row;
  }



  template <int dim>
  void
  Recorder<dim>::record(const State &state,
                        const Balance &balance,
                        const StepTaken &step)
  {
    Timer timing;
    loads.add_step(balance);
    const ContactRecord &record = contact.get_state().record;
    if (Utilities::MPI::this_mpi_process(communicator) == 0)
      {
        interval.add(contact.get_state(), balance.contact_share);
        if (obstacle_writer && parameters.n_paraview_files > 0)
          obstacle_interval.add(contact.get_obstacles().loads_on_view(
                                  contact.get_state()),
                                balance.contact_share);
      }
    summary.n_steps = state.step;
    summary.n_node_face += record.n_node_face;
    summary.n_edge_edge += record.n_edge_edge;
    summary.n_passes += record.n_passes;
    summary.n_projected += record.n_projected;
    summary.n_rigid += record.n_rigid;
    summary.n_cuts += step.n_cuts;
    summary.n_unsettled_steps += record.unsettled ? 1 : 0;
    summary.min_gap = std::fmin(summary.min_gap, record.min_gap);

    if (wants_energies(state.step))
      {
        const Totals now = totals(state, balance, false);
        HistoryRow row   = history_row(state, balance, now, step.dt);
        row.cuts         = step.n_cuts;
        write_tables(state, balance, now, row);
        keep_summary(row);
        if (parameters.check_intersections)
          summary.n_intersections += n_intersections();
        if (progress)
          progress->update(progress_of(row));
      }
    if (is_due(state, n_fields_written, parameters.n_paraview_files))
      write_fields(state);
    if (is_due(state, n_pictures_drawn, parameters.n_pictures))
      draw(state);
    output_time += timing.wall_time();
  }



  template <int dim>
  void
  Recorder<dim>::reset_intervals(const double time)
  {
    interval.reset(contact.get_surface().n_nodes, time);
    obstacle_interval.reset(contact.get_obstacles().view().n_nodes, time);
  }



  template <int dim>
  unsigned int
  Recorder<dim>::n_intersections() const
  {
    // Obstacles may stand in each other.
    const auto &body = contact.get_surface().facet_body;
    const auto pairs =
      intersecting_facets(contact.get_surface(), contact.vertex_positions());
    return std::count_if(pairs.begin(), pairs.end(), [&](const auto &pair) {
      return body[pair[0]] < solids.n_bodies() ||
             body[pair[1]] < solids.n_bodies();
    });
  }



  template <int dim>
  Progress::Values
  Recorder<dim>::progress_of(const HistoryRow &row) const
  {
    return {row.step,
            row.time,
            row.dt,
            row.node_face + row.edge_edge,
            (row.total_energy() - summary.start.total) /
              std::max(energy_scale, std::numeric_limits<double>::min())};
  }



  template <int dim>
  bool
  Recorder<dim>::is_due(const State &state,
                        const unsigned int n,
                        const unsigned int n_outputs) const
  {
    // Round-off adds up in the time.
    return n_outputs > 0 && n <= n_outputs &&
           state.time >= end_time * n / n_outputs * (1. - 1e-10);
  }



  template <int dim>
  void
  Recorder<dim>::keep_summary(const HistoryRow &row)
  {
    summary.end = {row.kinetic_energy, row.internal_energy, row.total_energy()};
    // In the energy that the integrator conserves: kinetic and internal energy
    // of vibrations fluctuate in any case.
    const double start  = summary.start.kinetic + summary.start.internal;
    const double growth = row.shadow_energy() - start;
    if (growth > summary.largest_gain)
      {
        summary.largest_gain      = growth;
        summary.largest_gain_step = row.step;
      }
    energy_scale         = std::max(energy_scale, std::abs(row.external_work));
    summary.energy_scale = energy_scale;
    check_growth(row, start);
  }



  template <int dim>
  void
  Recorder<dim>::check_growth(const HistoryRow &row, const double start) const
  {
    // Whatever contact did, and without the losses.
    const double growth =
      row.shadow_kinetic_and_internal - row.external_work - start;
    if (!(growth <= parameters.growth_limit * energy_scale) &&
        energy_scale > 0.)
      {
        std::ostringstream message;
        message << "Step " << row.step << ", time " << row.time
                << ": the energy has grown by " << growth << ", more than "
                << parameters.growth_limit << " of what was there or supplied, "
                << energy_scale
                << ". The run is unstable: choose a smaller 'Time step' or "
                   "'Courant number', or raise 'Output/Energy growth limit'.";
        throw RunError(message.str());
      }
  }



  template <int dim>
  void
  Recorder<dim>::write_tables(const State &state,
                              const Balance &balance,
                              const Totals &totals,
                              const HistoryRow &row)
  {
    std::vector<typename Probe<dim>::Motion> motions;
    for (const Probe<dim> &probe : parameters.probes)
      motions.push_back(probe.motion(solids, state));
    loads.write(state.step, state.time, balance);

    on_first_rank(communicator, [&]() {
      history->add(row);
      for (unsigned int b = 0; b < totals.bodies.size(); ++b)
        {
          const BodySums &body = totals.bodies[b];
          bodies->add(state.step,
                      state.time,
                      solids.body(b).name,
                      {body.mass,
                       body.centre(),
                       body.momentum / body.mass,
                       body.spin(),
                       body.kinetic_energy,
                       body.internal_energy});
        }
      for (unsigned int i = 0; i < motions.size(); ++i)
        probes->add(state.step,
                    state.time,
                    parameters.probes[i].get_name(),
                    motions[i].position,
                    motions[i].displacement,
                    motions[i].velocity);
    });
  }



  template <int dim>
  void
  Recorder<dim>::write_fields(const State &state)
  {
    if (parameters.n_paraview_files == 0)
      return;
    std::vector<SolutionPart<dim>> parts;
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      {
        parts.push_back({solids.forest(p).get_dof_handler(),
                         solids.forest(p).get_mapping(),
                         state.positions[p],
                         state.velocities[p],
                         cell_fields(solids, state, p)});
      }
    solution_writer->write(state.time, state.step, parts);
    on_first_rank(communicator, [&]() {
      // Contact points on obstacles are no nodes of the surface.
      auto positions = contact.get_state().end;
      positions.resize(contact.get_surface().n_nodes);
      contact_writer->write(state.time, state.step, positions, interval);
      if (obstacle_writer)
        obstacle_writer->write(state.time,
                               state.step,
                               contact.get_obstacles().view_positions(),
                               obstacle_interval);
      reset_intervals(state.time);
    });
    ++n_fields_written;
  }



  template <int dim>
  void
  Recorder<dim>::draw(const State &state)
  {
    if (parameters.n_pictures == 0)
      return;
    on_first_rank(communicator, [&]() {
      auto facets              = contact.get_surface().facets;
      auto bodies              = contact.get_surface().facet_body;
      auto positions           = contact.vertex_positions();
      const auto &obstacles    = contact.get_obstacles();
      const unsigned int first = positions.size();
      for (const auto &x : obstacles.view_positions())
        positions.push_back(x);
      for (unsigned int f = 0; f < obstacles.view().n_facets(); ++f)
        if (!obstacles.hides_bodies(obstacles.view().facet_body[f]))
          {
            facets.push_back(obstacles.view().facets[f]);
            for (unsigned int &v : facets.back())
              v += first;
            bodies.push_back(obstacles.view().facet_body[f]);
          }
      pictures->template draw_surface<dim>(state.time,
                                           state.step,
                                           facets,
                                           bodies,
                                           positions);
    });
    ++n_pictures_drawn;
  }



  template <int dim>
  void
  Recorder<dim>::finish(const State &state,
                        const Balance &balance,
                        const double dt)
  {
    const Totals now     = totals(state, balance, true);
    const HistoryRow row = history_row(state, balance, now, dt);
    if (!wants_energies(state.step))
      {
        write_tables(state, balance, now, row);
        keep_summary(row);
      }
    const double run_time = timer.wall_time();
    flush();

    const bool is_free = !solids.has_supports() && !solids.has_body_forces() &&
                         contact.get_obstacles().get().empty();
    summary.end_time       = state.time;
    summary.momentum_error = is_free ? (row.momentum - initial.momentum).norm()
                                     : std::numeric_limits<double>::quiet_NaN();
    summary.momentum_scale =
      std::max(initial.momentum_scale, now.all.momentum_scale);
    summary.angular_momentum_change =
      is_free ? (row.angular_momentum - initial.angular_momentum).norm()
              : std::numeric_limits<double>::quiet_NaN();
    summary.angular_momentum_error = row.l_error;
    summary.angular_momentum_scale =
      std::max(initial.angular_momentum_scale, now.all.angular_momentum_scale);
    summary.plastic           = row.plastic;
    summary.viscous           = row.viscous;
    summary.plastic_strain    = solids.largest(state, "plastic_strain");
    summary.temperature       = solids.largest(state, "temperature");
    summary.friction          = row.friction;
    summary.restitution       = row.restitution;
    summary.external_work     = row.external_work;
    summary.contact_work      = row.contact_work;
    const auto &statistics    = contact.search_statistics();
    summary.n_rebuilds        = statistics.n_rebuilds;
    summary.steps_per_rebuild = double(summary.n_steps) *
                                contact.get_surface().n_bodies /
                                std::max(1UL, statistics.n_rebuilt_bodies);
    summary.response      = contact.numbers();
    summary.n_elements    = solids.sizes().cells;
    summary.n_nodes       = solids.sizes().nodes;
    summary.n_ranks       = Utilities::MPI::n_mpi_processes(communicator);
    summary.wall_time     = run_time;
    const double search   = contact.search_time() - search_time_start;
    const double response = contact.response_time() - response_time_start;
    summary.times         = {{"forces and integration",
                              run_time - search - response - output_time},
                             {"search", search},
                             {"response", response},
                             {"output", output_time}};

    summary.instruction_set = name_of(preferred_instruction_set());

    on_first_rank(communicator, [&]() {
      progress->finish(progress_of(row));
      if (parameters.n_pictures > 0)
        {
          pictures->draw_history();
          pictures->template draw_trajectories<dim>(solids.n_bodies());
        }
      summary.write(directory);
      std::cout << summary.text();
      if (summary.largest_gain > told_gain * summary.energy_scale)
        std::cout << "Warning: the total energy has grown by "
                  << summary.largest_gain << " until step "
                  << summary.largest_gain_step << ", "
                  << 100. * summary.largest_gain / summary.energy_scale
                  << " % of what was there or supplied. Choose a smaller "
                     "'Courant number' or 'Time step'.\n";
      if (summary.n_unsettled_steps > 0)
        std::cout << "Warning: contact did not settle in "
                  << summary.n_unsettled_steps
                  << " steps; bodies may pass through each other from there "
                     "on. Choose smaller steps or more 'Maximum passes'.\n";
      std::cout << "Results are in " << directory.name() << "\n";
      if (!pictures->remark().empty())
        std::cout << pictures->remark() << "\n";
      std::cout << std::flush;
    });
  }



  template <int dim>
  void
  Recorder<dim>::flush()
  {
    on_first_rank(communicator, [&]() {
      history->flush();
      bodies->flush();
      probes->flush();
      loads.flush();
      if (progress)
        progress->interrupt();
    });
  }



  template <int dim>
  bool
  Recorder<dim>::checkpoint_is_due()
  {
    const double now = timer.wall_time();
    const bool due =
      Utilities::MPI::broadcast(communicator,
                                parameters.checkpoint_period > 0. &&
                                  now - last_checkpoint >
                                    parameters.checkpoint_period,
                                0);
    if (due)
      last_checkpoint = now;
    return due;
  }



  template <int dim>
  void
  Recorder<dim>::save(CheckpointData &data) const
  {
    loads.save(data);
    auto &scalars                     = data.scalars;
    scalars["energy scale"]           = energy_scale;
    scalars["number of fields"]       = n_fields_written;
    scalars["number of pictures"]     = n_pictures_drawn;
    scalars["start kinetic"]          = summary.start.kinetic;
    scalars["start internal"]         = summary.start.internal;
    scalars["start total"]            = summary.start.total;
    scalars["largest gain"]           = summary.largest_gain;
    scalars["largest gain step"]      = summary.largest_gain_step;
    scalars["node-face contacts"]     = summary.n_node_face;
    scalars["edge-edge contacts"]     = summary.n_edge_edge;
    scalars["passes"]                 = summary.n_passes;
    scalars["projected groups"]       = summary.n_projected;
    scalars["rigid groups"]           = summary.n_rigid;
    scalars["cuts"]                   = summary.n_cuts;
    scalars["unsettled steps"]        = summary.n_unsettled_steps;
    scalars["smallest gap"]           = summary.min_gap;
    scalars["momentum scale"]         = initial.momentum_scale;
    scalars["angular momentum scale"] = initial.angular_momentum_scale;
    for (unsigned int d = 0; d < 3; ++d)
      {
        scalars["momentum " + std::to_string(d)] = initial.momentum[d];
        scalars["angular momentum " + std::to_string(d)] =
          initial.angular_momentum[d];
      }
    interval.save(data, "contact");
    obstacle_interval.save(data, "obstacle");
  }



  template <int dim>
  void
  Recorder<dim>::load(const CheckpointData &data)
  {
    loads.load(data);
    const auto &scalars            = data.scalars;
    energy_scale                   = scalars.at("energy scale");
    n_fields_written               = scalars.at("number of fields");
    n_pictures_drawn               = scalars.at("number of pictures");
    summary.start.kinetic          = scalars.at("start kinetic");
    summary.start.internal         = scalars.at("start internal");
    summary.start.total            = scalars.at("start total");
    summary.largest_gain           = scalars.at("largest gain");
    summary.largest_gain_step      = scalars.at("largest gain step");
    summary.n_node_face            = scalars.at("node-face contacts");
    summary.n_edge_edge            = scalars.at("edge-edge contacts");
    summary.n_passes               = scalars.at("passes");
    summary.n_projected            = scalars.at("projected groups");
    summary.n_rigid                = scalars.at("rigid groups");
    summary.n_cuts                 = scalars.at("cuts");
    summary.n_unsettled_steps      = scalars.at("unsettled steps");
    summary.min_gap                = scalars.at("smallest gap");
    initial.momentum_scale         = scalars.at("momentum scale");
    initial.angular_momentum_scale = scalars.at("angular momentum scale");
    for (unsigned int d = 0; d < 3; ++d)
      {
        initial.momentum[d] = scalars.at("momentum " + std::to_string(d));
        initial.angular_momentum[d] =
          scalars.at("angular momentum " + std::to_string(d));
      }
    interval.load(data, "contact", contact.get_surface().n_nodes);
    obstacle_interval.load(data,
                           "obstacle",
                           contact.get_obstacles().view().n_nodes);
  }



  template class Recorder<2>;
  template class Recorder<3>;
} // namespace Ricochet
