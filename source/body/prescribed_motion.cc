// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/body/prescribed_motion.h>

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
                      Patterns::Anything(),
                      "Ids or names of the boundary faces whose nodes move as "
                      "given, separated by ','. The option --validate lists "
                      "those of a mesh. Where two motions give the same "
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

    boundaries.clear();
    for (const std::string &boundary :
         dealii::Utilities::split_string_list(prm.get("Boundary ids")))
      boundaries.emplace_back(boundary, BoundaryIds());
    require(!boundaries.empty(), where + ": 'Boundary ids' is empty.");

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
  PrescribedMotion<dim>::find_boundaries(const BoundaryNames &names,
                                         const std::string &owner)
  {
    for (auto &[boundary, ids] : boundaries)
      ids =
        names.ids_of(boundary, owner + ", prescribed motion '" + name + "'");
  }



  template <int dim>
  BoundaryIds
  PrescribedMotion<dim>::boundary_ids() const
  {
    BoundaryIds all;
    for (const auto &boundary : boundaries)
      all.insert(boundary.second.begin(), boundary.second.end());
    return all;
  }



  template struct PrescribedMotion<2>;
  template struct PrescribedMotion<3>;
} // namespace Ricochet
