// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/instruction_set.h>
#include <ricochet/material/isotropic.h>

#include <deal.II/base/tensor.h>

#include "isotropic_kernels.h"

namespace Ricochet
{
  /**
   * Hooke's law between small strain and stress,
   * \f[
   *   P = \lambda (\operatorname{tr} \varepsilon) 1 + 2 \mu \varepsilon,
   *   \quad W = \frac12 P:\varepsilon,
   *   \quad \varepsilon = \frac12 (F + F^T) - 1.
   * \f]
   * Not objective: a rotation by the angle a causes strains of order a^2.
   */
  template <int dim>
  class LinearElastic : public IsotropicMaterial<dim>
  {
  public:
    LinearElastic()
      : IsotropicMaterial<dim>(RICOCHET_CALL_KERNEL(preferred_instruction_set(),
                                                    linear_elastic<dim>()))
    {}

    void
    tangent(const dealii::Tensor<2, dim> &F,
            dealii::Tensor<2, dim> &P,
            dealii::Tensor<4, dim> &A) const override
    {
      const double lambda = this->lambda, mu = this->mu;

      P = mu * (F + transpose(F));
      for (unsigned int i = 0; i < dim; ++i)
        P[i][i] += lambda * (trace(F) - dim) - 2. * mu;

      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int j = 0; j < dim; ++j)
          for (unsigned int k = 0; k < dim; ++k)
            for (unsigned int l = 0; l < dim; ++l)
              A[i][j][k][l] = (i == j && k == l ? lambda : 0.) +
                              (i == k && j == l ? mu : 0.) +
                              (i == l && j == k ? mu : 0.);
    }
  };



  RICOCHET_REGISTER_MATERIAL(
    LinearElastic,
    "small-strain linear",
    "Hooke's law for small strains and small rotations. Plane strain in two "
    "dimensions.")
} // namespace Ricochet
