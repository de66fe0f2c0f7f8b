// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/table_observer.h>
#include <ricochet/output/tables.h>

namespace Ricochet
{
  /** bodies.csv: each body. */
  template <int dim>
  class BodiesTable : public TableObserver<dim, BodyRow>
  {
  public:
    BodiesTable()
      : TableObserver<dim, BodyRow>("bodies.csv", body_columns())
    {}

  protected:
    std::vector<BodyRow>
    rows(const RunView<dim> &run) override
    {
      const Totals &totals = run.totals();
      std::vector<BodyRow> result;
      for (unsigned int b = 0; b < totals.bodies.size(); ++b)
        result.push_back({run.settings.names[b], totals.bodies[b]});
      return result;
    }
  };



  RICOCHET_REGISTER_OBSERVER(
    BodiesTable,
    "bodies",
    "bodies.csv: centre, velocity, spin and energies of each body.")
} // namespace Ricochet
