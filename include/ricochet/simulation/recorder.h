// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_simulation_recorder_h
#define ricochet_simulation_recorder_h

#include <ricochet/body/diagnostics.h>
#include <ricochet/body/solids.h>
#include <ricochet/contact.h>
#include <ricochet/output/checkpoint.h>
#include <ricochet/output/contact_writer.h>
#include <ricochet/output/output_directory.h>
#include <ricochet/output/pictures.h>
#include <ricochet/output/progress.h>
#include <ricochet/output/solution_writer.h>
#include <ricochet/output/summary.h>
#include <ricochet/output/tables.h>
#include <ricochet/simulation/load_tables.h>
#include <ricochet/simulation/output_parameters.h>
#include <ricochet/time/balance.h>
#include <ricochet/time/time_integrator.h>

#include <deal.II/base/timer.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * Watches a run: writes tables, ParaView files, pictures, progress and the
   * summary, and stops a run whose energy grows. It never changes the motion.
   * All members are collective.
   */
  template <int dim>
  class Recorder
  {
  public:
    /**
     * @param[in] names Of bodies and then of obstacles.
     * @param[in] resume Where a restarted run goes on.
     */
    Recorder(const OutputParameters<dim> &parameters,
             const OutputDirectory &directory,
             const Solids<dim> &solids,
             const Contact<dim> &contact,
             const std::vector<std::string> &names,
             const double end_time,
             const std::optional<ResumePoint> &resume);

    ~Recorder();

    /** Note the initial state, or the one after a restart. */
    void
    start(const State &state, const Balance &balance);

    /** Whether the next step should compute strain energies. */
    bool
    wants_energies(const unsigned long int step) const
    {
      return step % parameters.history_interval == 0;
    }

    /** After each step of length @p dt. */
    void
    record(const State &state, const Balance &balance, const StepTaken &step);

    /** After the last step: last outputs, pictures and the summary. */
    void
    finish(const State &state, const Balance &balance, const double dt);

    /** Make all files whole, before a checkpoint or the end by a signal. */
    void
    flush();

    /** Whether a checkpoint is due. The same on all ranks. */
    bool
    checkpoint_is_due();

    /** Store what a restart needs to go on. */
    void
    save(CheckpointData &data) const;

    /** Take up what save() stored. */
    void
    load(const CheckpointData &data);

  private:
    /** Sums of the whole system and its balances at one time. */
    struct Totals
    {
      BodySums all;
      std::vector<BodySums> bodies;
      double external_work = 0., contact_work = 0.;

      /** See Contact::unanswered_energy(); not in the kinetic energies. */
      double unanswered_energy = 0.;
      dealii::Tensor<1, 3> explained_angular_momentum;
    };

    Totals
    totals(const State &state,
           const Balance &balance,
           const bool with_scales) const;

    HistoryRow
    history_row(const State &state,
                const Balance &balance,
                const Totals &totals,
                const double dt) const;

    Progress::Values
    progress_of(const HistoryRow &row) const;

    void
    write_tables(const State &state,
                 const Balance &balance,
                 const Totals &totals,
                 const HistoryRow &row);

    void
    write_fields(const State &state);

    void
    draw(const State &state);

    /** Keep energies and gains for the summary, and stop when they grow. */
    void
    keep_summary(const HistoryRow &row);

    /** Throw a RunError if the energy has grown by too much since it was
     * @p start. */
    void
    check_growth(const HistoryRow &row, const double start) const;

    /** What is shown next begins at @p time. */
    void
    reset_intervals(const double time);

    /** Pairs of facets that intersect, those of two obstacles left out. */
    unsigned int
    n_intersections() const;

    /** Whether output @p n of @p n_outputs evenly spread ones has come. */
    bool
    is_due(const State &state,
           const unsigned int n,
           const unsigned int n_outputs) const;

    OutputParameters<dim> parameters;
    const OutputDirectory directory;
    const Solids<dim> &solids;
    const Contact<dim> &contact;
    const double end_time;
    const MPI_Comm communicator;

    std::unique_ptr<HistoryWriter> history;
    std::unique_ptr<BodiesWriter> bodies;
    std::unique_ptr<ProbesWriter> probes;
    LoadTables<dim> loads;
    std::unique_ptr<ContactWriter<dim>> contact_writer, obstacle_writer;
    std::unique_ptr<SolutionWriter<dim>> solution_writer;
    std::unique_ptr<Pictures> pictures;
    std::unique_ptr<Progress> progress;

    ContactInterval<dim> interval, obstacle_interval;
    Summary summary;
    BodySums initial;
    dealii::Timer timer;
    double output_time               = 0.;
    double start_time                = 0.;
    double energy_scale              = 0.;
    unsigned int n_fields_written    = 0;
    unsigned int n_pictures_drawn    = 0;
    bool restarted                   = false;
    double last_checkpoint           = 0.;
    mutable double search_time_start = 0., response_time_start = 0.;
  };
} // namespace Ricochet

#endif
