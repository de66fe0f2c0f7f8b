// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_simulation_simulation_h
#define ricochet_simulation_simulation_h

#include <ricochet/base/parameter_file.h>
#include <ricochet/output/checkpoint.h>
#include <ricochet/output/output_directory.h>
#include <ricochet/output/run_view.h>
#include <ricochet/simulation/model.h>
#include <ricochet/simulation/observers.h>
#include <ricochet/simulation/options.h>
#include <ricochet/time/balance.h>
#include <ricochet/time/step_size.h>
#include <ricochet/time/time_integrator.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/timer.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace Ricochet
{
  /**
   * One run of the program: owns model, integrator and observers, and holds the
   * time loop. The only place that knows all rooms. All members are collective.
   */
  template <int dim>
  class Simulation
  {
  public:
    /** Read all parameters. Throws a UserError for what cannot be. */
    Simulation(const ParameterFile &file,
               const Options &options,
               const MPI_Comm communicator);

    /** Declare every entry, with the user-named sections of @p file. */
    static void
    declare_parameters(dealii::ParameterHandler &prm,
                       const ParameterFile &file);

    /**
     * Run to the end: the time loop.
     *
     * @return The exit code: 0, or 128 plus the signal that stopped the run.
     */
    int
    run();

    /** Build the model, report its sizes and initial overlaps, and stop. */
    void
    validate();

    /**
     * Build the model, or read the checkpoint, and write the first outputs.
     *
     * @return False if the checkpoint is that of a complete run, so that
     *   nothing is to be done.
     */
    bool
    start();

    /** Whether the end time is reached. */
    bool
    is_finished() const
    {
      return step_size.is_finished(state, end_time);
    }

    /** One step, and the outputs after it. */
    void
    advance();

    /**
     * Fit everything that depends on mesh, surface and bodies to what these are
     * now. To be called after each change of them, between two steps; the
     * vectors of the state belong to the new mesh then. Changes nothing if
     * nothing has changed.
     */
    void
    prepare();

    /** Last outputs and checkpoint. */
    void
    finish();

  private:
    void
    parse_parameters();

    OutputDirectory
    open_directory() const;

    /** Bodies, contact surface and initial state. */
    void
    build();

    CheckpointData
    save();

    void
    load(const CheckpointData &data);

    /** This rank's pieces of the vectors on the mesh. Collective. */
    std::map<std::string, DistributedNumbers>
    own_pieces();

    /** Read them from the checkpoint that @p data was read from. */
    void
    load_pieces(const CheckpointData &data);

    /** Save or restore what is no vector on the mesh. */
    void
    serialize(CheckpointArchive &archive);

    /** Whether the end time is reached. Throws a UserError if it is passed. */
    bool
    is_complete(const CheckpointData &data) const;

    /** Whether it is time for a checkpoint. The same on all ranks. */
    bool
    checkpoint_is_due();

    void
    write_checkpoint();

    /** Refuse to go on with other bodies than those of @p directory. */
    void
    check_same_model(const OutputDirectory &directory);

    void
    refuse_to_overwrite_input() const;

    /** Forces at the start, or the equilibrium first; @p dt is the length of
     * the first step. */
    void
    initialize(const double dt);

    /** The length of the next step. */
    double
    next_step();

    void
    greet(const double dt) const;

    /**
     * Report what overlaps at the start, to a table too if there is a
     * directory, and do what the parameters say about it. Returns how many
     * pairs of bodies overlap.
     */
    unsigned int
    treat_overlaps(const OutputDirectory *directory);

    /** A line on standard output, once. */
    void
    say(const std::string &text) const;

    void
    write_parameters(const OutputDirectory &directory);

    const ParameterFile &file;
    const Options options;
    const MPI_Comm communicator;
    dealii::ParameterHandler prm;

    std::string output_name;
    double end_time = 0.;

    /** Whether the results of another run may be replaced. */
    bool overwrite = false;

    /** Steps between rows of the tables. */
    unsigned int row_interval = 1;

    /** Seconds between checkpoints; 0 if there are none. */
    double checkpoint_period = 0.;

    /** Seconds from the start of the program until this began to read, and
     * until all was read. */
    double time_of_start = 0., time_of_reading = 0.;

    Model<dim> model;
    std::unique_ptr<TimeIntegrator<dim>> integrator;
    std::shared_ptr<EquationSolver> equation_solver =
      std::make_shared<EquationSolver>();
    bool starts_in_equilibrium = false;
    StepSize<dim> step_size;
    State state;
    Balance balance;

    /** From start() on. */
    std::optional<RunView<dim>> view;

    Observers<dim> observers;
    std::optional<Checkpoint> checkpoint;
    dealii::Timer since_checkpoint;
  };
} // namespace Ricochet

#endif
