// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_table_observer_h
#define ricochet_output_table_observer_h

#include <ricochet/base/collective.h>
#include <ricochet/output/observer.h>
#include <ricochet/output/table.h>

#include <optional>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * An observer that writes a table, with new rows whenever
   * RunView::row_is_due(); a restarted run continues it.
   */
  template <int dim, typename Row>
  class TableObserver : public Observer<dim>
  {
  public:
    /** @p file_name is that in the output directory. */
    TableObserver(const std::string &file_name, const Columns<Row> &columns)
      : file_name(file_name)
      , columns(columns)
    {}

    void
    start(const RunView<dim> &run) override
    {
      if (!is_wanted(run))
        return;
      on_first_rank(run.communicator(), [&]() {
        table.emplace(run.settings.directory.file(file_name),
                      columns,
                      run.settings.resume);
      });
      if (!run.settings.resume)
        write(run);
    }

    void
    record(const RunView<dim> &run) override
    {
      if (is_wanted(run) && run.row_is_due())
        write(run);
    }

    void
    flush() override
    {
      if (table)
        table->flush();
    }

  protected:
    /** Whether there is anything to write in this run. The same on all ranks.
     */
    virtual bool
    is_wanted(const RunView<dim> &) const
    {
      return true;
    }

    /** The rows of the present state. Called on all ranks, so it may
     * communicate; those of rank 0 are written. */
    virtual std::vector<Row>
    rows(const RunView<dim> &run) = 0;

  private:
    void
    write(const RunView<dim> &run)
    {
      const std::vector<Row> new_rows = rows(run);
      on_first_rank(run.communicator(), [&]() {
        for (const Row &row : new_rows)
          table->add(run.state.step, run.state.time, row);
      });
    }

    const std::string file_name;
    const Columns<Row> columns;

    /** On rank 0. */
    std::optional<Table<Row>> table;
  };
} // namespace Ricochet

#endif
