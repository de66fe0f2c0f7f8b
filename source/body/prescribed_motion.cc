// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/body/prescribed_motion.h>
#include <ricochet/mesh/boundary_ids.h>

#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

namespace Ricochet
{
  template <int dim>
  void
  PrescribedMotion<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    namespace Patterns = dealii::Patterns;

    prm.declare_entry("Boundary ids",
                      "",
                      Patterns::List(Patterns::Integer(0)),
                      "Ids of the boundary faces whose nodes move as given, "
                      "separated by ','. Where two motions give the same "
                      "component of a node, the first one counts. Units: "
                      "none.");
    prm.declare_entry("Components",
                      dim == 2 ? "x, y" : "x, y, z",
                      Patterns::MultipleSelection(dim == 2 ? "x|y" : "x|y|z"),
                      "The components that are given; the others stay free. "
                      "Units: none.");
    prm.declare_entry("Quantity",
                      "displacement",
                      Patterns::Selection("displacement|velocity"),
                      "What the function is. Units: none.");
    prm.declare_entry("Function",
                      dim == 2 ? "0; 0" : "0; 0; 0",
                      Patterns::Anything(),
                      "All components of the displacement or velocity, "
                      "separated by ';', as functions of the reference "
                      "position x, y[, z] and the time t. Units: length for a "
                      "displacement, length over time for a velocity.");
  }



  template <int dim>
  void
  PrescribedMotion<dim>::parse_parameters(dealii::ParameterHandler &prm,
                                          const std::string &section,
                                          const std::string &owner)
  {
    name                    = section;
    const std::string where = owner + ", prescribed motion '" + name + "'";

    boundary_ids = parse_boundary_ids(prm.get("Boundary ids"));
    require(!boundary_ids.empty(), where + ": 'Boundary ids' is empty.");

    components.fill(false);
    for (const std::string &component :
         dealii::Utilities::split_string_list(prm.get("Components")))
      components[component[0] - 'x'] = true;
    require(components != std::array<bool, dim>(),
            where + ": 'Components' is empty.");

    quantity = prm.get("Quantity") == "velocity" ? Quantity::velocity
                                                 : Quantity::displacement;
    function =
      VectorFunction<dim>(prm.get("Function"), where + ", entry 'Function'");
  }



  template <int dim>
  void
  PrescribedMotion<dim>::check_boundary_ids(
    const std::set<dealii::types::boundary_id> &found,
    const std::string &owner) const
  {
    Ricochet::check_boundary_ids(boundary_ids,
                                 found,
                                 owner + ", prescribed motion '" + name + "'");
  }



  template struct PrescribedMotion<2>;
  template struct PrescribedMotion<3>;
} // namespace Ricochet
