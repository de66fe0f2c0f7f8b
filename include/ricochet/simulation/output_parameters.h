// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_simulation_output_parameters_h
#define ricochet_simulation_output_parameters_h

#include <ricochet/body/probe.h>

#include <deal.II/base/parameter_handler.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /** What the section Output says. */
  template <int dim>
  struct OutputParameters
  {
    bool overwrite                = false;
    unsigned int history_interval = 1;
    unsigned int n_paraview_files = 0;
    unsigned int n_pictures       = 0;
    double checkpoint_period      = 0.; // wall time in seconds
    double growth_limit           = 0.;
    bool check_intersections      = false;
    std::vector<Probe<dim>> probes;

    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm,
                       const std::vector<std::string> &probe_names);

    /** Read the section that the caller has entered. */
    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::vector<std::string> &probe_names);
  };
} // namespace Ricochet

#endif
