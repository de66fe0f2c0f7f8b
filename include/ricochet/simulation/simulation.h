// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_simulation_simulation_h
#define ricochet_simulation_simulation_h

#include <ricochet/base/parameter_file.h>
#include <ricochet/body/body.h>
#include <ricochet/body/solids.h>
#include <ricochet/contact.h>
#include <ricochet/output/checkpoint.h>
#include <ricochet/output/output_directory.h>
#include <ricochet/simulation/options.h>
#include <ricochet/simulation/recorder.h>
#include <ricochet/time/balance.h>
#include <ricochet/time/step_size.h>
#include <ricochet/time/time_integrator.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/parameter_handler.h>

#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  template <int dim>
  class StartingOverlaps;



  class SignalGuard;

  /**
   * One run of the program: owns bodies, contact, integrator and output, and
   * holds the time loop. The only place that knows all rooms.
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

  private:
    void
    parse_parameters();

    void
    parse_obstacles();

    /** So that parameters.prm can be run from where it is. */
    void
    make_mesh_file_absolute(const std::string &section);

    /** Bodies, contact surface and initial state. */
    void
    build();

    CheckpointData
    save();

    void
    load(const CheckpointData &data);

    void
    load_balance(const CheckpointData &data);

    /** Whether the end time is reached. Throws a UserError if it is passed. */
    bool
    is_complete(const CheckpointData &data) const;

    /** Refuse to go on with other bodies than those of @p directory. */
    void
    check_same_model(const OutputDirectory &directory);

    void
    refuse_to_overwrite_input() const;

    /** Refuse bodies that are at the back of an obstacle, but not those that
     * overlap with it. */
    void
    refuse_wrong_sides(const StartingOverlaps<dim> &overlaps) const;

    /** The length of the next step. Collective. */
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
    std::vector<Body<dim>> bodies;

    /** Of bodies and obstacles, in the order of their numbers. */
    std::vector<std::string> names;
    bool lumped_contact = true;
    std::vector<PlacedObstacle<dim>> obstacles;
    OutputParameters<dim> output;

    std::unique_ptr<Solids<dim>> solids;
    Contact<dim> contact;
    std::unique_ptr<TimeIntegrator<dim>> integrator;
    StepSize<dim> step_size;
    std::unique_ptr<Recorder<dim>> recorder;

    State state;
    Balance balance;
  };
} // namespace Ricochet

#endif
