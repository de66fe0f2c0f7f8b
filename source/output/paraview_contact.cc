// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/output/contact_view.h>
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
      view.emplace(run.contact.get_surface(),
                   run.contact.get_rigid_bodies().body_numbers());
      surface.prepare(run.contact.get_surface().n_nodes, run.state.time);
      rigid_vertices.prepare(view->n_rigid_vertices(), run.state.time);
      obstacle_view.emplace(run.contact.get_obstacles());
      obstacles.prepare(obstacle_view->get_surface().n_nodes, run.state.time);
    }

    void
    start(const RunView<dim> &run) override
    {
      on_first_rank(run.communicator(), [&]() {
        surface_writer.emplace(run.settings.directory,
                               view->get_surface(),
                               run.settings.resume);
        if (obstacle_view->get_surface().n_facets() > 0)
          obstacle_writer.emplace(run.settings.directory,
                                  obstacle_view->get_surface(),
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
          const auto &state  = run.contact.get_state();
          surface.add(state, share);
          view->add(state, share, rigid_vertices);
          if (obstacle_writer)
            obstacles.add(obstacle_view->loads(state), share);
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
      if (view->n_rigid_vertices() > 0)
        rigid_vertices.serialize(archive, "rigid surfaces");
      obstacles.serialize(archive, "obstacles");
    }

  private:
    void
    write_if_due(const RunView<dim> &run)
    {
      if (!times.is_due(run.state.time))
        return;
      on_first_rank(run.communicator(), [&]() {
        surface.append(rigid_vertices);
        surface_writer->write(run.state.time,
                              run.state.step,
                              view->positions(run.contact.get_state()),
                              surface);
        if (obstacle_writer)
          obstacle_writer->write(run.state.time,
                                 run.state.step,
                                 obstacle_view->positions(),
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
      rigid_vertices.reset(view->n_rigid_vertices(), run.state.time);
      obstacles.reset(obstacle_view->get_surface().n_nodes, run.state.time);
    }

    OutputTimes times;
    bool is_restored = false;

    std::optional<ContactView<dim>> view;
    std::optional<ObstacleView<dim>> obstacle_view;

    /** Since the last output, on rank 0: of the nodes of the surface, the
     * vertices of rigid bodies, and the obstacles of the view. */
    ContactInterval<dim> surface, rigid_vertices, obstacles;

    std::optional<ContactWriter<dim>> surface_writer, obstacle_writer;
  };



  RICOCHET_REGISTER_OBSERVER(
    ParaviewContact,
    "ParaView contact",
    "contact.pvd and obstacles.pvd: impulse, gap and status on surfaces.")
} // namespace Ricochet
