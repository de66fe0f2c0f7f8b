// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/material/material.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <cmath>

namespace Ricochet
{
  void
  declare_density(dealii::ParameterHandler &prm)
  {
    // Empty or one number; a missing one gets a better message than a pattern
    // can give.
    prm.declare_entry("Density",
                      "",
                      dealii::Patterns::List(dealii::Patterns::Double(), 0, 1),
                      "Mass per volume of the undeformed body (in two "
                      "dimensions: per area, for unit thickness). Larger than "
                      "0; must be given. Units: mass/length^3.");
  }



  double
  parse_density(const dealii::ParameterHandler &prm)
  {
    const std::string text = dealii::Utilities::trim(prm.get("Density"));
    require(!text.empty(),
            "The entry 'Density' of a material is missing. Set it to the mass "
            "per volume of the undeformed body.");
    const double density = dealii::Utilities::string_to_double(text);
    require(density > 0. && std::isfinite(density),
            "The entry 'Density' = " + text +
              " of a material is not a positive number. Give the mass per "
              "volume of the undeformed body, larger than 0.");
    return density;
  }



  template <int dim>
  void
  Material<dim>::evaluate_step(const unsigned int n_points,
                               const double,
                               const double *F,
                               const double *,
                               double *,
                               double *P,
                               double *W) const
  {
    AssertThrow(history().empty(),
                dealii::ExcMessage("A law with a memory must override "
                                   "Material::evaluate_step()."));
    evaluate(n_points, F, P, W);
  }



  template <int dim>
  void
  Material<dim>::tangent_step(const unsigned int,
                              const double,
                              const double *,
                              const double *,
                              double *) const
  {
    AssertThrow(false,
                dealii::ExcMessage("This law has no tangent: ask it with "
                                   "Material::has_tangent() before."));
  }



  template class Material<2>;
  template class Material<3>;
} // namespace Ricochet

RICOCHET_DEFINE_REGISTRIES(::Ricochet::Material)
