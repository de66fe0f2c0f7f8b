// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/embedding.h>
#include <ricochet/output/table_observer.h>
#include <ricochet/output/tables.h>

namespace Ricochet
{
  using dealii::Tensor;

  /**
   * obstacles.csv: what obstacles take from bodies.
   *
   * Forces are means over the time since the last row. An impulse of contact
   * acts at the start of a step and belongs to half of the step before and half
   * of the one after it, so where these differ in length a part of it counts.
   */
  template <int dim>
  class ObstaclesTable : public TableObserver<dim, ObstacleRow>
  {
  public:
    ObstaclesTable()
      : TableObserver<dim, ObstacleRow>("obstacles.csv", obstacle_columns())
    {}

    void
    prepare(const RunView<dim> &run) override
    {
      const auto &names = run.settings.names;
      for (unsigned int b = run.solids.n_bodies() + sums.size();
           b < names.size();
           ++b)
        {
          sums.emplace_back();
          sums.back().name = names[b];
          interval_impulses.emplace_back();
        }
    }

    void
    record(const RunView<dim> &run) override
    {
      if (run.contact.get_state().has_acted())
        {
          const auto &loads = run.contact.get_obstacles().loads();
          for (unsigned int k = 0; k < sums.size(); ++k)
            {
              const Tensor<1, 3> impulse = in_space(loads[k].impulse);
              sums[k].impulse += impulse;
              interval_impulses[k] += run.balance.contact_share * impulse;
              sums[k].angular_impulse += loads[k].angular_impulse;
              sums[k].work += loads[k].work;
            }
        }
      TableObserver<dim, ObstacleRow>::record(run);
    }

    void
    serialize(CheckpointArchive &archive) override
    {
      archive("time of the last row", last_time);
      for (unsigned int k = 0; k < sums.size(); ++k)
        {
          const auto value = [&](const std::string &name, auto &number) {
            archive(name + " of '" + sums[k].name + "'", number);
          };
          value("impulse", sums[k].impulse);
          value("angular impulse", sums[k].angular_impulse);
          value("work", sums[k].work);
          value("impulse since the last row", interval_impulses[k]);
        }
    }

  protected:
    bool
    is_wanted(const RunView<dim> &) const override
    {
      return !sums.empty();
    }

    std::vector<ObstacleRow>
    rows(const RunView<dim> &run) override
    {
      const double dt    = run.state.time - last_time;
      const double scale = dt > 0. ? 1. / dt : 0.;
      for (unsigned int k = 0; k < sums.size(); ++k)
        {
          sums[k].force        = scale * interval_impulses[k];
          interval_impulses[k] = 0.;
        }
      last_time = run.state.time;
      return sums;
    }

  private:
    /** Of each obstacle, since the start. */
    std::vector<ObstacleRow> sums;

    /** In the share that counts, since the last row. */
    std::vector<Tensor<1, 3>> interval_impulses;

    double last_time = 0.;
  };



  RICOCHET_REGISTER_OBSERVER(
    ObstaclesTable,
    "obstacles",
    "obstacles.csv: impulse, force and work of bodies on each obstacle.")
} // namespace Ricochet
