// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/table_observer.h>
#include <ricochet/output/tables.h>

namespace Ricochet
{
  /** history.csv: the whole system. */
  template <int dim>
  class HistoryTable : public TableObserver<dim, HistoryRow>
  {
  public:
    HistoryTable()
      : TableObserver<dim, HistoryRow>("history.csv", history_columns())
    {}

  protected:
    std::vector<HistoryRow>
    rows(const RunView<dim> &run) override
    {
      return {{run.step(),
               run.totals(),
               run.contact.get_state().record,
               run.wall_time()}};
    }
  };



  RICOCHET_REGISTER_OBSERVER(
    HistoryTable,
    "history",
    "history.csv: energies, momenta and contacts of the whole system.")
} // namespace Ricochet
