// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/parameter_file.h>
#include <ricochet/body/probe.h>
#include <ricochet/output/table_observer.h>
#include <ricochet/output/tables.h>

namespace Ricochet
{
  /** probes.csv: points that the user named, in the section 'Probes'. */
  template <int dim>
  class ProbesTable : public TableObserver<dim, ProbeRow>
  {
  public:
    ProbesTable()
      : TableObserver<dim, ProbeRow>("probes.csv", probe_columns())
    {}

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      const ParameterFile all = ParameterFile::all_entries(prm);
      prm.enter_subsection("Probes");
      for (const auto &name : all.subsections({"Output", "Probes"}))
        {
          prm.enter_subsection(name);
          probes.emplace_back();
          probes.back().parse_parameters(prm, name);
          prm.leave_subsection();
        }
      prm.leave_subsection();
    }

    void
    prepare(const RunView<dim> &run) override
    {
      for (Probe<dim> &probe : probes)
        probe.locate(run.solids);
    }

  protected:
    std::vector<ProbeRow>
    rows(const RunView<dim> &run) override
    {
      std::vector<ProbeRow> result;
      for (const Probe<dim> &probe : probes)
        {
          const auto motion = probe.motion(run.solids, run.state);
          result.push_back({probe.get_name(),
                            motion.position,
                            motion.displacement,
                            motion.velocity});
        }
      return result;
    }

  private:
    std::vector<Probe<dim>> probes;
  };



  RICOCHET_REGISTER_OBSERVER(
    ProbesTable,
    "probes",
    "probes.csv: the motion of the points in 'Output/Probes'.")
} // namespace Ricochet
