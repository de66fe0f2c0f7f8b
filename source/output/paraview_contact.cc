// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/output/contact_writer.h>
#include <ricochet/output/observer.h>
#include <ricochet/output/obstacle_view.h>
#include <ricochet/output/output_times.h>

#include <optional>

namespace Ricochet
{
  /**
   * contact.pvd and obstacles.pvd: the contact surface, and the obstacles that
   * have no surface of their own, with what happened there.
   */
  template <int dim>
  class ParaviewContact : public Observer<dim>
  {
  public:
    /** The entry is that of the solution: its files belong together. */
    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      times = OutputTimes(prm.get_integer("Number of ParaView files"));
    }

    void
    prepare(const RunView<dim> &run) override
    {
      surface.prepare(run.contact.get_surface().n_nodes, run.state.time);
      view.emplace(run.contact.get_obstacles());
      obstacles.prepare(view->get_surface().n_nodes, run.state.time);
    }

    void
    start(const RunView<dim> &run) override
    {
      on_first_rank(run.communicator(), [&]() {
        surface_writer.emplace(run.settings.directory,
                               run.contact.get_surface(),
                               run.settings.resume);
        if (view->get_surface().n_facets() > 0)
          obstacle_writer.emplace(run.settings.directory,
                                  view->get_surface(),
                                  run.settings.resume,
                                  "obstacles");
      });
      times.start(run.state.time, run.settings.end_time);
      if (!is_restored)
        reset(run);
      if (!run.settings.resume)
        write_if_due(run);
    }

    void
    record(const RunView<dim> &run) override
    {
      if (times.any() && run.is_first_rank())
        {
          const double share = run.balance.contact_share;
          surface.add(run.contact.get_state(), share);
          if (obstacle_writer)
            obstacles.add(view->loads(run.contact.get_state()), share);
        }
      write_if_due(run);
    }

    void
    serialize(CheckpointArchive &archive) override
    {
      if (!times.any())
        return;
      is_restored = archive.is_loading();
      times.serialize(archive);
      surface.serialize(archive, "surface");
      obstacles.serialize(archive, "obstacles");
    }

  private:
    void
    write_if_due(const RunView<dim> &run)
    {
      if (!times.is_due(run.state.time))
        return;
      on_first_rank(run.communicator(), [&]() {
        // Contact points on obstacles are no nodes of the surface.
        auto positions = run.contact.get_state().end_positions;
        positions.resize(run.contact.get_surface().n_nodes);
        surface_writer->write(run.state.time,
                              run.state.step,
                              positions,
                              surface);
        if (obstacle_writer)
          obstacle_writer->write(run.state.time,
                                 run.state.step,
                                 view->positions(),
                                 obstacles);
      });
      reset(run);
      times.count();
    }

    /** Begin a new interval. */
    void
    reset(const RunView<dim> &run)
    {
      surface.reset(run.contact.get_surface().n_nodes, run.state.time);
      obstacles.reset(view->get_surface().n_nodes, run.state.time);
    }

    OutputTimes times;
    bool is_restored = false;

    std::optional<ObstacleView<dim>> view;

    /** Since the last output; on rank 0. */
    ContactInterval<dim> surface, obstacles;

    std::optional<ContactWriter<dim>> surface_writer, obstacle_writer;
  };



  RICOCHET_REGISTER_OBSERVER(
    ParaviewContact,
    "ParaView contact",
    "contact.pvd and obstacles.pvd: impulse, gap and status on surfaces.")
} // namespace Ricochet
