// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_run_view_h
#define ricochet_output_run_view_h

#include <ricochet/body/diagnostics.h>
#include <ricochet/body/solids.h>
#include <ricochet/contact.h>
#include <ricochet/output/checkpoint_archive.h>
#include <ricochet/output/output_directory.h>
#include <ricochet/time/balance.h>
#include <ricochet/time/time_integrator.h>

#include <deal.II/base/tensor.h>
#include <deal.II/base/timer.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace Ricochet
{
  /**
   * Sums over all bodies and ranks at the end of a step, and what entered and
   * left since the start: the two sides of the balances of energy and of
   * angular momentum (see Balance).
   */
  struct Totals
  {
    /** Of each body, and of all together. Scales are known at the start and at
     * the end of a run only, and zero in between. */
    std::vector<BodySums> bodies;
    BodySums all;

    /** Since the start: work of loads, supports and moving obstacles; energy
     * that contact put in beyond its losses; and these. */
    double external_work = 0., contact_work = 0., friction_loss = 0.,
           restitution_loss = 0.;

    /** What the integrator conserves instead of kinetic + internal energy. */
    double shadow_kinetic_and_internal = 0.;

    /** Norm of the change of angular momentum since the start beyond what loads
     * and contact are known to have done. */
    double unexplained_angular_momentum = 0.;

    /** The sum of all losses. */
    double
    dissipated_energy() const
    {
      return all.plastic_loss + all.viscous_loss + friction_loss +
             restitution_loss;
    }

    /** kinetic + internal + dissipated - external work - contact work. */
    double
    total_energy() const
    {
      return all.kinetic_energy + all.internal_energy + dissipated_energy() -
             external_work - contact_work;
    }

    /** The same with the shadow energy for kinetic + internal. */
    double
    shadow_energy() const
    {
      return shadow_kinetic_and_internal + dissipated_energy() - external_work -
             contact_work;
    }
  };



  /** Seconds of wall time of the parts of a run. */
  struct RunTimes
  {
    /** To load libraries and start MPI; to read all parameters and meshes; and
     * from then until observers start. */
    double starting = 0., reading = 0., set_up = 0.;

    /** All steps, without what comes after each. */
    double steps = 0.;

    /** What draws pictures, all other observers, and checkpoints. */
    double pictures = 0., output = 0., checkpoints = 0.;
  };



  /**
   * What observers see of a run: the model, its state at the end of the last
   * step, and sums of it. Whoever holds the run tells it of each step by the
   * members that are not const.
   */
  template <int dim>
  class RunView
  {
  public:
    /** What stays the same during a run. */
    struct Settings
    {
      OutputDirectory directory;

      /** Of bodies and then of obstacles, in the order of their numbers. */
      std::vector<std::string> names;

      double end_time = 0.;

      /** Steps between rows of the tables. */
      unsigned int row_interval = 1;

      /** Where a restarted run goes on. */
      std::optional<ResumePoint> resume;
    };

    /** All arguments but @p settings must outlive this object. */
    RunView(const TimeIntegrator<dim> &integrator,
            const Solids<dim> &solids,
            const Contact<dim> &contact,
            const State &state,
            const Balance &balance,
            const Settings &settings);

    const TimeIntegrator<dim> &integrator;
    const Solids<dim> &solids;
    const Contact<dim> &contact;

    /** At the end of the last step; energies only if the step has them, see
     * Observer::wants_energies(). */
    const State &state;

    const Balance &balance;
    const Settings settings;

    /** The last step; zero at the start. */
    const StepTaken &
    step() const
    {
      return last_step;
    }

    /** Whether the end time is reached. */
    bool
    is_complete() const
    {
      return complete;
    }

    /** Whether tables get rows: at the start, each row_interval steps, and at
     * the end. The step has energies then. */
    bool
    row_is_due() const
    {
      return complete || has_row(state.step);
    }

    /** Whether a step has rows wherever the run ends. */
    bool
    has_row(const unsigned long int step) const
    {
      return step % settings.row_interval == 0;
    }

    /** Of the present state, computed when somebody asks for the first time,
     * which is to be in a step with energies. Collective. */
    const Totals &
    totals() const;

    /** Of the start of the whole run; after a restart without the sums of
     * single bodies. */
    const Totals &
    start() const
    {
      return start_totals;
    }

    /** Total energy at the start. */
    double
    start_energy() const
    {
      return start_totals.total_energy();
    }

    /** The largest energy that was there at the start, or supplied until the
     * last totals(). */
    double
    energy_scale() const
    {
      return largest_energy;
    }

    /** Seconds since start(). */
    double
    wall_time() const
    {
      return timer.wall_time();
    }

    /** That of all ranks of the run. */
    MPI_Comm
    communicator() const
    {
      return solids.get_communicator();
    }

    /** Whether this rank is the one that writes. */
    bool
    is_first_rank() const
    {
      return dealii::Utilities::MPI::this_mpi_process(communicator()) == 0;
    }

    /** Up to now. */
    RunTimes times;

    /** At the end of the run: what observers have for the summary. */
    std::vector<std::pair<std::string, double>> numbers;

    /** Before the first step, also after a restart. Collective. */
    void
    begin();

    /** After each step; @p is_last if that has reached the end time. */
    void
    accept(const StepTaken &step, const bool is_last);

    /** What the start was. */
    void
    serialize(CheckpointArchive &archive);

  private:
    Totals
    compute_totals(const bool with_scales) const;

    StepTaken last_step;
    bool complete = false;
    dealii::Timer timer;
    Totals start_totals;

    /** Of the present state, if somebody has asked. */
    mutable std::optional<Totals> present;
    mutable double largest_energy = 0.;
  };
} // namespace Ricochet

#endif
