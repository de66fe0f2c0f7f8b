// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/cell_fields.h>
#include <ricochet/output/observer.h>
#include <ricochet/output/output_times.h>
#include <ricochet/output/solution_writer.h>

#include <deal.II/base/patterns.h>

#include <optional>

namespace Ricochet
{
  /** solution.pvd: bodies for ParaView. */
  template <int dim>
  class ParaviewSolution : public Observer<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry("Number of ParaView files",
                        "20",
                        dealii::Patterns::Integer(0),
                        "How many solution and contact files are spread over "
                        "the run, besides the one at the start; 0 writes none. "
                        "Units: None.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      times = OutputTimes(prm.get_integer("Number of ParaView files"));
    }

    void
    start(const RunView<dim> &run) override
    {
      writer.emplace(run.settings.directory,
                     run.communicator(),
                     run.settings.resume);
      times.start(run.state.time, run.settings.end_time);
      if (!run.settings.resume)
        record(run);
    }

    void
    record(const RunView<dim> &run) override
    {
      if (!times.is_due(run.state.time))
        return;
      std::vector<SolutionPart<dim>> parts;
      for (unsigned int p = 0; p < run.solids.n_forests(); ++p)
        parts.push_back({run.solids.forest(p).get_dof_handler(),
                         run.solids.forest(p).get_mapping(),
                         run.state.positions[p],
                         run.state.velocities[p],
                         cell_fields(run.solids, run.state, p)});
      writer->write(run.state.time, run.state.step, parts);
      times.count();
    }

    void
    serialize(CheckpointArchive &archive) override
    {
      if (times.any())
        times.serialize(archive);
    }

  private:
    OutputTimes times;
    std::optional<SolutionWriter<dim>> writer;
  };



  RICOCHET_REGISTER_OBSERVER(
    ParaviewSolution,
    "ParaView solution",
    "solution.pvd: displacement, velocity, stress of the bodies.")
} // namespace Ricochet
