// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/embedding.h>
#include <ricochet/base/moment.h>
#include <ricochet/body/cell_fields.h>
#include <ricochet/output/observer.h>
#include <ricochet/output/output_times.h>
#include <ricochet/output/solution_writer.h>

#include <deal.II/base/patterns.h>

#include <optional>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** The surfaces of the rigid bodies. */
    template <int dim>
    SolutionSurface<dim>
    rigid_surfaces(const Solids<dim> &solids, const State &state)
    {
      SolutionSurface<dim> result;
      std::vector<Tensor<1, dim>> displacements, velocities;
      for (unsigned int k = 0; k < state.rigid_motions.size(); ++k)
        {
          const RigidBody<dim> &body = solids.rigid_bodies()[k];
          if (body.is_region()) // its cells are there
            continue;
          const RigidMotion &motion   = state.rigid_motions[k];
          const Tensor<2, 3> rotation = motion.rotation();
          const Tensor<1, 3> omega    = motion.angular_velocity();
          const unsigned int first    = result.positions.size();
          for (const Point<dim> &X : body.surface.vertices)
            {
              const Tensor<1, 3> arm = rotation * in_space(Tensor<1, dim>(X));
              const Point<dim> x(
                out_of_space<dim>(Tensor<1, 3>(motion.centre) + arm));
              result.positions.push_back(x);
              displacements.push_back(x - (body.centre + Tensor<1, dim>(X)));
              velocities.push_back(
                out_of_space<dim>(motion.velocity + moment(omega, arm)));
            }
          for (auto facet : body.surface.facets)
            {
              for (unsigned int &vertex : facet)
                vertex += first;
              result.facets.push_back(facet);
              result.facet_bodies.push_back(solids.n_deformable_bodies() + k);
            }
        }
      result.fields.vectors = {{"displacement", displacements},
                               {"velocity", velocities}};
      return result;
    }
  } // namespace



  /** solution.pvd: bodies for ParaView, rigid ones as surfaces. */
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
      writer->write(run.state.time,
                    run.state.step,
                    parts,
                    rigid_surfaces(run.solids, run.state));
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
