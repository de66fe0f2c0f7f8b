// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/observer.h>
#include <ricochet/output/progress.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace Ricochet
{
  /** Tells on standard output how far the run is, see Progress. */
  template <int dim>
  class ProgressLine : public Observer<dim>
  {
  public:
    void
    start(const RunView<dim> &run) override
    {
      if (run.is_first_rank())
        progress.emplace(run.state.time, run.settings.end_time);
    }

    void
    record(const RunView<dim> &run) override
    {
      if (!run.row_is_due())
        return;
      const auto values = values_of(run);
      if (progress)
        progress->update(values);
    }

    void
    flush() override
    {
      if (progress)
        progress->interrupt();
    }

    void
    finish(const RunView<dim> &run) override
    {
      const auto values = values_of(run);
      if (progress)
        progress->finish(values);
    }

  private:
    static Progress::Values
    values_of(const RunView<dim> &run)
    {
      const ContactRecord &contact = run.contact.get_state().record;
      return {run.state.step,
              run.state.time,
              run.step().dt,
              contact.n_node_face + contact.n_edge_edge,
              (run.totals().total_energy() - run.start_energy()) /
                std::max(run.energy_scale(),
                         std::numeric_limits<double>::min()),
              run.step().n_iterations};
    }

    /** On rank 0. */
    std::optional<Progress> progress;
  };



  RICOCHET_REGISTER_OBSERVER(ProgressLine,
                             "progress",
                             "A line on the screen that tells how far it is.")
} // namespace Ricochet
