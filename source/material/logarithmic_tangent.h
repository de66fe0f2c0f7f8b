// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_material_logarithmic_tangent_h
#define ricochet_source_material_logarithmic_tangent_h

#include <deal.II/base/tensor.h>

#include <array>
#include <cmath>

namespace Ricochet
{
  /** One point of a law in principal logarithmic strains e of the tensor
   * b = F C F^T with eigenvalues exp(2 e), in three dimensions always. */
  struct LogarithmicPoint
  {
    /** F and C, and the directions of the eigenvectors in the columns of V. */
    dealii::Tensor<2, 3> F, C, V;

    /** The strains and the principal Kirchhoff stresses. */
    std::array<double, 3> strains, stresses;

    /** The derivatives of the stresses by the strains. */
    dealii::Tensor<2, 3> moduli;

    /** Twice the shear modulus of the step: what takes differences of strains
     * to differences of stresses. */
    double twice_shear;
  };



  /** Deformation, directions and strains of point @p p in a batch; see
   * LogarithmicKernels for the layout. */
  template <int dim>
  LogarithmicPoint
  logarithmic_point(const unsigned int n_points,
                    const unsigned int p,
                    const double *F,
                    const double *metric,
                    const double *strains,
                    const double *directions)
  {
    LogarithmicPoint point;
    point.F[2][2] = 1.;
    for (unsigned int i = 0, k = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        {
          point.F[i][j] = F[(i * dim + j) * n_points + p];
          if (i <= j)
            point.C[i][j] = point.C[j][i] = metric[k++ * n_points + p];
        }
    if (dim == 2)
      point.C[2][2] = metric[3 * n_points + p];
    for (unsigned int i = 0; i < 3; ++i)
      {
        point.strains[i] = strains[i * n_points + p];
        for (unsigned int j = 0; j < 3; ++j)
          point.V[i][j] = directions[(i * 3 + j) * n_points + p];
      }
    return point;
  }



  /**
   * dP/dF of the stress P = tau F^-T, with tau in the directions of b and C
   * held: in these directions, the derivative of tau is
   * \f[
   *   d\tau_{aa} = \sum_c \frac{\partial \tau_a}{\partial e_c}
   *                \frac{db_{cc}}{2 b_c},
   *   \qquad
   *   d\tau_{ab} = \frac{\tau_a - \tau_b}{b_a - b_b} \, db_{ab}
   * \f]
   * (Hill, 1978). The quotient has its limit where eigenvalues are equal.
   */
  template <int dim>
  dealii::Tensor<4, dim>
  logarithmic_tangent(const LogarithmicPoint &point)
  {
    using dealii::Tensor;
    const Tensor<2, 3> &V        = point.V;
    const Tensor<2, 3> F_inverse = invert(point.F);
    const Tensor<2, 3> H         = point.C * transpose(point.F) * V;

    std::array<double, 3> eigenvalues; // of b
    for (unsigned int a = 0; a < 3; ++a)
      eigenvalues[a] = std::exp(2. * point.strains[a]);
    Tensor<2, 3> stress, quotient;
    for (unsigned int a = 0; a < 3; ++a)
      for (unsigned int b = 0; b < 3; ++b)
        {
          const double difference = point.strains[a] - point.strains[b],
                       relative   = std::expm1(2. * difference);
          quotient[a][b]          = point.twice_shear / eigenvalues[b] *
                           (relative == 0. ? 0.5 : difference / relative);
          for (unsigned int c = 0; c < 3; ++c)
            stress[a][b] += V[a][c] * point.stresses[c] * V[b][c];
        }
    const Tensor<2, 3> P = stress * transpose(F_inverse);

    Tensor<4, dim> A;
    for (unsigned int k = 0; k < dim; ++k)
      for (unsigned int l = 0; l < dim; ++l)
        {
          // For a unit dF_kl, db_ab = V_ka H_lb + V_kb H_la.
          Tensor<2, 3> principal;
          for (unsigned int a = 0; a < 3; ++a)
            for (unsigned int b = 0; b < 3; ++b)
              if (a != b)
                principal[a][b] =
                  quotient[a][b] * (V[k][a] * H[l][b] + V[k][b] * H[l][a]);
              else
                {
                  for (unsigned int c = 0; c < 3; ++c)
                    principal[a][a] +=
                      point.moduli[a][c] * V[k][c] * H[l][c] / eigenvalues[c];
                }
          const Tensor<2, 3> change =
            V * principal * transpose(V) * transpose(F_inverse);
          for (unsigned int i = 0; i < dim; ++i)
            for (unsigned int j = 0; j < dim; ++j)
              A[i][j][k][l] = change[i][j] - P[i][l] * F_inverse[j][k];
        }
    return A;
  }
} // namespace Ricochet

#endif
