// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/output/observer.h>
#include <ricochet/output/obstacle_view.h>
#include <ricochet/output/output_times.h>
#include <ricochet/pictures/pictures.h>

#include <deal.II/base/patterns.h>

#include <iostream>
#include <optional>

namespace Ricochet
{
  /** Draws surfaces during the run, and at its end what is drawn from tables,
   * see Pictures. */
  template <int dim>
  class PictureObserver : public Observer<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry("Number of pictures",
                        "2",
                        dealii::Patterns::Integer(0),
                        "How many pictures of the surface are spread over the "
                        "run, besides the one at the start, with all outlines "
                        "in one more, the trajectories; 0 draws none. Units: "
                        "None.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      times = OutputTimes(prm.get_integer("Number of pictures"));
    }

    void
    prepare(const RunView<dim> &run) override
    {
      if (!pictures)
        pictures.emplace(run.settings.directory, run.settings.names);
    }

    void
    start(const RunView<dim> &run) override
    {
      times.start(run.state.time, run.settings.end_time);
      if (run.settings.resume)
        on_first_rank(run.communicator(),
                      [&]() { pictures->resume(run.settings.resume->time); });
      else
        record(run);
    }

    void
    record(const RunView<dim> &run) override
    {
      if (!times.is_due(run.state.time))
        return;
      on_first_rank(run.communicator(), [&]() { draw(run); });
      times.count();
    }

    void
    finish(const RunView<dim> &run) override
    {
      if (!times.any())
        return;
      on_first_rank(run.communicator(), [&]() {
        pictures->draw_history();
        pictures->template draw_trajectories<dim>(run.solids.n_bodies());
        if (!pictures->remark().empty())
          std::cout << pictures->remark() << std::endl;
      });
    }

    void
    serialize(CheckpointArchive &archive) override
    {
      if (!times.any())
        return;
      times.serialize(archive);
      pictures->serialize(archive);
    }

  private:
    void
    draw(const RunView<dim> &run)
    {
      const auto &surface = run.contact.get_surface();
      const ObstacleView<dim> obstacles(run.contact.get_obstacles());
      const auto &view         = obstacles.get_surface();
      auto facets              = surface.facets;
      auto bodies              = surface.facet_body;
      auto positions           = run.contact.vertex_positions();
      const unsigned int first = positions.size();
      for (const auto &x : obstacles.positions())
        positions.push_back(x);
      for (unsigned int f = 0; f < view.n_facets(); ++f)
        if (!obstacles.hides_bodies(view.facet_body[f]))
          {
            facets.push_back(view.facets[f]);
            for (unsigned int &v : facets.back())
              v += first;
            bodies.push_back(view.facet_body[f]);
          }
      pictures->template draw_surface<dim>(run.state.time,
                                           run.state.step,
                                           facets,
                                           bodies,
                                           positions);
    }

    OutputTimes times;
    std::optional<Pictures> pictures;
  };



  RICOCHET_REGISTER_OBSERVER(
    PictureObserver,
    "pictures",
    "plots/: surfaces, trajectories and curves, without ParaView.")
} // namespace Ricochet
