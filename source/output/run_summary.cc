// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/instruction_set.h>
#include <ricochet/base/run_clock.h>
#include <ricochet/output/observer.h>
#include <ricochet/output/summary.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

namespace Ricochet
{
  namespace
  {
    /** Gains of energy that are told, relative to the energy of the run. */
    constexpr double told_gain = 0.01;



    /** What the user should know at the end. */
    void
    print_warnings(const Summary &summary)
    {
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
    }
  } // namespace



  /** summary.txt, see Summary; on the screen, too. */
  template <int dim>
  class RunSummary : public Observer<dim>
  {
  public:
    void
    start(const RunView<dim> &run) override
    {
      search_time_start   = run.contact.search_time();
      response_time_start = run.contact.response_time();
    }

    void
    record(const RunView<dim> &run) override;

    void
    finish(const RunView<dim> &run) override;

    void
    serialize(CheckpointArchive &archive) override;

  private:
    /** What is left of the balances of momenta. */
    void
    add_conservation(const RunView<dim> &run);

    void
    add_energies(const RunView<dim> &run);

    void
    add_times(const RunView<dim> &run);

    Summary summary;
    double search_time_start = 0., response_time_start = 0.;
  };



  template <int dim>
  void
  RunSummary<dim>::record(const RunView<dim> &run)
  {
    const ContactRecord &record = run.contact.get_state().record;
    summary.n_node_face += record.n_node_face;
    summary.n_edge_edge += record.n_edge_edge;
    summary.n_passes += record.n_passes;
    summary.n_projected += record.n_projected;
    summary.n_rigid += record.n_rigid;
    summary.cuts.add(run.step().cuts);
    summary.n_unsettled_steps += record.unsettled ? 1 : 0;
    summary.n_iterations += run.step().n_iterations;
    summary.n_linear_iterations += run.step().n_linear_iterations;
    summary.n_augmentations += run.step().n_augmentations;
    summary.min_gap = std::fmin(summary.min_gap, record.min_gap);
    if (!run.row_is_due())
      return;

    // In the energy that the integrator conserves: kinetic and internal energy
    // of vibrations fluctuate in any case.
    const double gain = run.totals().shadow_energy() - run.start_energy();
    if (gain > summary.largest_gain)
      {
        summary.largest_gain      = gain;
        summary.largest_gain_step = run.state.step;
      }
  }



  template <int dim>
  void
  RunSummary<dim>::add_conservation(const RunView<dim> &run)
  {
    const BodySums &start = run.start().all, &end = run.totals().all;
    const bool is_free = !run.solids.has_supports() &&
                         !run.solids.has_body_forces() &&
                         run.contact.get_obstacles().get().empty();
    const auto if_free = [is_free](const dealii::Tensor<1, 3> &change) {
      return is_free ? change.norm() : std::numeric_limits<double>::quiet_NaN();
    };
    summary.momentum_error = if_free(end.momentum - start.momentum);
    summary.momentum_scale = std::max(start.momentum_scale, end.momentum_scale);
    summary.angular_momentum_change =
      if_free(end.angular_momentum - start.angular_momentum);
    summary.angular_momentum_error = run.totals().unexplained_angular_momentum;
    summary.angular_momentum_scale =
      std::max(start.angular_momentum_scale, end.angular_momentum_scale);
  }



  template <int dim>
  void
  RunSummary<dim>::add_energies(const RunView<dim> &run)
  {
    const auto energies = [](const Totals &totals) {
      return Summary::Energies{totals.all.kinetic_energy,
                               totals.all.internal_energy,
                               totals.total_energy()};
    };
    const Totals &end      = run.totals();
    summary.start          = energies(run.start());
    summary.end            = energies(end);
    summary.plastic        = end.all.plastic_loss;
    summary.viscous        = end.all.viscous_loss;
    summary.friction       = end.friction_loss;
    summary.restitution    = end.restitution_loss;
    summary.external_work  = end.external_work;
    summary.contact_work   = end.contact_work;
    summary.energy_scale   = run.energy_scale();
    summary.plastic_strain = run.solids.largest(run.state, "plastic_strain");
    summary.temperature    = run.solids.largest(run.state, "temperature");
  }



  template <int dim>
  void
  RunSummary<dim>::add_times(const RunView<dim> &run)
  {
    const double search   = run.contact.search_time() - search_time_start;
    const double response = run.contact.response_time() - response_time_start;
    const double forces   = run.integrator.force_time();
    const RunTimes &times = run.times;
    summary.wall_time     = seconds_since_start();
    summary.step_time     = times.steps;
    summary.times         = {{"start of the program", times.starting},
                             {"reading", times.reading},
                             {"set-up", times.set_up},
                             {forces > 0. ? "integration" : "forces and integration",
                              times.steps - forces - search - response},
                             {"search", search},
                             {"response", response},
                             {"output", times.output},
                             {"pictures", times.pictures},
                             {"checkpoints", times.checkpoints}};
    if (forces > 0.)
      summary.times.insert(summary.times.begin() + 3, {"forces", forces});
  }



  template <int dim>
  void
  RunSummary<dim>::finish(const RunView<dim> &run)
  {
    add_conservation(run);
    add_energies(run);
    summary.n_steps           = run.state.step;
    summary.end_time          = run.state.time;
    const auto &statistics    = run.contact.search_statistics();
    summary.n_rebuilds        = statistics.n_rebuilds;
    summary.steps_per_rebuild = double(summary.n_steps) *
                                run.contact.get_surface().n_bodies /
                                std::max(1UL, statistics.n_rebuilt_bodies);
    summary.response        = run.contact.numbers();
    summary.observers       = run.numbers;
    summary.instruction_set = name_of(preferred_instruction_set());
    const auto sizes        = run.solids.sizes();
    summary.n_elements      = sizes.cells;
    summary.n_nodes         = sizes.nodes;
    summary.n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(run.communicator());

    add_times(run);

    on_first_rank(run.communicator(), [&]() {
      summary.write(run.settings.directory);
      std::cout << summary.text();
      print_warnings(summary);
      std::cout << std::flush;
    });
  }



  template <int dim>
  void
  RunSummary<dim>::serialize(CheckpointArchive &archive)
  {
    archive("largest gain", summary.largest_gain);
    archive("step of the largest gain", summary.largest_gain_step);
    archive("node-face contacts", summary.n_node_face);
    archive("edge-edge contacts", summary.n_edge_edge);
    archive("passes", summary.n_passes);
    archive("projected groups", summary.n_projected);
    archive("rigid groups", summary.n_rigid);
    for (unsigned int k = 0; k < StepCuts::n_reasons; ++k)
      archive("cuts: " + StepCuts::name(CutReason(k)), summary.cuts.counts[k]);
    archive("Newton iterations", summary.n_iterations);
    archive("linear iterations", summary.n_linear_iterations);
    archive("augmentations", summary.n_augmentations);
    archive("unsettled steps", summary.n_unsettled_steps);
    archive("smallest gap", summary.min_gap);
  }



  RICOCHET_REGISTER_OBSERVER(
    RunSummary,
    "summary",
    "summary.txt: what was conserved, what contact did, where time went.")
} // namespace Ricochet
