// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/material/material.h>

#include <deal.II/base/exceptions.h>

namespace Ricochet
{
  template <int dim>
  void
  Material<dim>::evaluate_step(const unsigned int,
                               const double,
                               const double *,
                               const double *,
                               double *,
                               double *,
                               double *) const
  {
    AssertThrow(false,
                dealii::ExcMessage("A law with a memory must override "
                                   "Material::evaluate_step()."));
  }



  template class Material<2>;
  template class Material<3>;
} // namespace Ricochet

RICOCHET_DEFINE_REGISTRY(::Ricochet::Material<2>)
RICOCHET_DEFINE_REGISTRY(::Ricochet::Material<3>)
