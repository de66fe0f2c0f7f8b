// SPDX-License-Identifier: LGPL-2.1-or-later

#include "neo_hookean.h"

#include <ricochet/base/instruction_set.h>

#include <cmath>
#include <limits>

#include "isotropic_kernels.h"

namespace Ricochet
{
  template <int dim>
  NeoHookean<dim>::NeoHookean()
    : IsotropicMaterial<dim>(
        RICOCHET_CALL_KERNEL(preferred_instruction_set(), neo_hookean<dim>()))
  {}



  template <int dim>
  void
  NeoHookean<dim>::tangent(const dealii::Tensor<2, dim> &F,
                           dealii::Tensor<2, dim> &P,
                           dealii::Tensor<4, dim> &A) const
  {
    const double J = determinant(F);
    if (!(J > 0.))
      {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            {
              P[i][j] = nan;
              for (unsigned int k = 0; k < dim; ++k)
                for (unsigned int l = 0; l < dim; ++l)
                  A[i][j][k][l] = nan;
            }
        return;
      }

    const dealii::Tensor<2, dim> F_inverse = invert(F);
    const double factor = this->lambda * std::log(J) - this->mu;

    P = this->mu * F + factor * transpose(F_inverse);
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        for (unsigned int k = 0; k < dim; ++k)
          for (unsigned int l = 0; l < dim; ++l)
            A[i][j][k][l] = (i == k && j == l ? this->mu : 0.) +
                            this->lambda * F_inverse[j][i] * F_inverse[l][k] -
                            factor * F_inverse[j][k] * F_inverse[l][i];
  }



  RICOCHET_REGISTER_MATERIAL(
    NeoHookean,
    "neo-Hookean",
    "Compressible rubber-like solid for large deformations, W = lambda/2 "
    "(ln J)^2 - mu ln J + mu/2 (tr C - dim); resists inversion. Plane strain "
    "in two dimensions.")
} // namespace Ricochet
