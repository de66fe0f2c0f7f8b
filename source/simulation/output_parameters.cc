// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/simulation/output_parameters.h>

#include <deal.II/base/patterns.h>

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  void
  OutputParameters<dim>::declare_parameters(
    ParameterHandler &prm,
    const std::vector<std::string> &probe_names)
  {
    prm.declare_entry("Overwrite",
                      "false",
                      Patterns::Bool(),
                      "Whether the results of another run in the output "
                      "directory may be replaced. Units: None.");
    prm.declare_entry("Steps between history rows",
                      "1",
                      Patterns::Integer(1),
                      "How often rows are written to history.csv and the other "
                      "tables. Units: None.");
    prm.declare_entry("Number of ParaView files",
                      "20",
                      Patterns::Integer(0),
                      "How many solution and contact files are spread over the "
                      "run, besides the one at the start; 0 writes none. "
                      "Units: None.");
    prm.declare_entry("Number of pictures",
                      "2",
                      Patterns::Integer(0),
                      "How many pictures of the surface are spread over the "
                      "run, besides the one at the start, with all outlines in "
                      "one more, the trajectories; 0 draws none. Units: None.");
    prm.declare_entry("Minutes between checkpoints",
                      "10",
                      Patterns::Double(0.),
                      "Wall time between checkpoints; 0 writes them on signals "
                      "only. Units: minutes.");
    prm.declare_entry("Energy growth limit",
                      "0.5",
                      Patterns::Double(0.),
                      "The run stops when kinetic and internal energy minus "
                      "external work have grown by more than this part of the "
                      "largest energy supplied so far. Units: None.");
    prm.declare_entry("Check intersections",
                      "false",
                      Patterns::Bool(),
                      "Whether to count, at each history row, the pairs of "
                      "facets of different bodies that pass through each "
                      "other. Costs time; the summary tells the sum. Units: "
                      "None.");
    prm.enter_subsection("Probes");
    for (const auto &name : probe_names)
      {
        prm.enter_subsection(name);
        Probe<dim>::declare_parameters(prm);
        prm.leave_subsection();
      }
    prm.leave_subsection();
  }



  template <int dim>
  void
  OutputParameters<dim>::parse_parameters(
    ParameterHandler &prm,
    const std::vector<std::string> &probe_names)
  {
    overwrite           = prm.get_bool("Overwrite");
    history_interval    = prm.get_integer("Steps between history rows");
    n_paraview_files    = prm.get_integer("Number of ParaView files");
    n_pictures          = prm.get_integer("Number of pictures");
    checkpoint_period   = 60. * prm.get_double("Minutes between checkpoints");
    growth_limit        = prm.get_double("Energy growth limit");
    check_intersections = prm.get_bool("Check intersections");
    prm.enter_subsection("Probes");
    for (const auto &name : probe_names)
      {
        prm.enter_subsection(name);
        probes.emplace_back();
        probes.back().parse_parameters(prm, name);
        prm.leave_subsection();
      }
    prm.leave_subsection();
  }



  template struct OutputParameters<2>;
  template struct OutputParameters<3>;
} // namespace Ricochet
