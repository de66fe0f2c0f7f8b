// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/instruction_set.h>
#include <ricochet/material/isotropic.h>

#include <deal.II/base/tensor.h>

#include "isotropic_kernels.h"

namespace Ricochet
{
  /**
   * The Saint Venant-Kirchhoff law: Hooke's law between Green's strain and the
   * second Piola-Kirchhoff stress,
   * \f[
   *   W = \frac\lambda2 (\operatorname{tr} E)^2 + \mu E:E,
   *   \qquad
   *   P = F S, \quad S = \lambda (\operatorname{tr} E) 1 + 2 \mu E,
   *   \quad E = \frac12 (F^T F - 1).
   * \f]
   */
  template <int dim>
  class SaintVenantKirchhoff : public IsotropicMaterial<dim>
  {
  public:
    SaintVenantKirchhoff()
      : IsotropicMaterial<dim>(
          RICOCHET_CALL_KERNEL(preferred_instruction_set(),
                               saint_venant_kirchhoff<dim>()))
    {}

    void
    tangent(const dealii::Tensor<2, dim> &F,
            dealii::Tensor<2, dim> &P,
            dealii::Tensor<4, dim> &A) const override
    {
      const double lambda = this->lambda, mu = this->mu;

      const dealii::Tensor<2, dim> FFT = F * transpose(F);
      dealii::Tensor<2, dim> E         = 0.5 * (transpose(F) * F);
      for (unsigned int i = 0; i < dim; ++i)
        E[i][i] -= 0.5;

      dealii::Tensor<2, dim> S = 2. * mu * E;
      for (unsigned int i = 0; i < dim; ++i)
        S[i][i] += lambda * trace(E);

      P = F * S;
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int j = 0; j < dim; ++j)
          for (unsigned int k = 0; k < dim; ++k)
            for (unsigned int l = 0; l < dim; ++l)
              A[i][j][k][l] =
                (i == k ? S[l][j] : 0.) + lambda * F[i][j] * F[k][l] +
                mu * F[i][l] * F[k][j] + (j == l ? mu * FFT[i][k] : 0.);
    }
  };



  RICOCHET_REGISTER_MATERIAL(
    SaintVenantKirchhoff,
    "Saint Venant-Kirchhoff",
    "Linear law between Green's strain and the second Piola-Kirchhoff stress: "
    "large rotations, moderate strains; softens under strong compression. "
    "Plane strain in two dimensions.")
} // namespace Ricochet
