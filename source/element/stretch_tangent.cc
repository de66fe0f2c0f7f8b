// SPDX-License-Identifier: LGPL-2.1-or-later

#include "stretch_tangent.h"

#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    template <int dim>
    Tensor<2, dim>
    read(const unsigned int n_points, const double *values)
    {
      Tensor<2, dim> result;
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int j = 0; j < dim; ++j)
          result[i][j] = values[(i * dim + j) * n_points];
      return result;
    }



    /**
     * The changes of F = V F_begin with the stretch V that change F^T F as
     * unit changes of each component of F do. In the directions of V, whose
     * eigenvalues are v_a, these with W = dF F_begin^-1 are
     *   dV_ab = (v_a W_ab + v_b W_ba) / (v_a + v_b).
     */
    template <int dim>
    Tensor<4, dim>
    changes_by_stretch(const Tensor<2, dim> &F_begin, const Tensor<2, dim> &F)
    {
      const Tensor<2, dim> inverse = invert(F_begin);
      const auto pairs =
        eigenvectors(symmetrize(F * inverse),
                     dealii::SymmetricTensorEigenvectorMethod::jacobi);
      Tensor<2, dim> directions;
      for (unsigned int a = 0; a < dim; ++a)
        for (unsigned int i = 0; i < dim; ++i)
          directions[i][a] = pairs[a].second[i];
      const Tensor<2, dim> before = inverse * directions,
                           after  = transpose(directions) * F_begin;

      Tensor<4, dim> result;
      for (unsigned int k = 0; k < dim; ++k)
        for (unsigned int l = 0; l < dim; ++l)
          {
            Tensor<2, dim> change;
            for (unsigned int a = 0; a < dim; ++a)
              for (unsigned int b = 0; b < dim; ++b)
                change[a][b] =
                  (pairs[a].first * directions[k][a] * before[l][b] +
                   pairs[b].first * directions[k][b] * before[l][a]) /
                  (pairs[a].first + pairs[b].first);
            result[k][l] = directions * change * after;
          }
      return result;
    }
  } // namespace



  template <int dim>
  void
  restrict_to_stretches(const unsigned int n_points,
                        const unsigned int n_fields,
                        const double *F_begin,
                        const double *F,
                        const double *P,
                        double *A,
                        double *right)
  {
    constexpr unsigned int n = dim * dim;
    for (unsigned int p = 0; p < n_points; ++p)
      {
        const Tensor<2, dim> F_p = read<dim>(n_points, F + p);
        const Tensor<2, dim> S   = invert(F_p) * read<dim>(n_points, P + p);
        const Tensor<4, dim> changes =
          changes_by_stretch(read<dim>(n_points, F_begin + p), F_p);

        for (unsigned int field = 0; field < n_fields; ++field)
          {
            double *const values    = right + field * n * n_points + p;
            const Tensor<2, dim> of = read<dim>(n_points, values);
            for (unsigned int k = 0; k < dim; ++k)
              for (unsigned int l = 0; l < dim; ++l)
                values[(k * dim + l) * n_points] =
                  scalar_product(of, changes[k][l]);
          }

        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            {
              double *const row =
                A + static_cast<std::size_t>(i * dim + j) * n * n_points + p;
              const Tensor<2, dim> of = read<dim>(n_points, row);
              for (unsigned int k = 0; k < dim; ++k)
                for (unsigned int l = 0; l < dim; ++l)
                  {
                    // The rest of the change turns the stress.
                    double value = scalar_product(of, changes[k][l]);
                    for (unsigned int m = 0; m < dim; ++m)
                      value +=
                        ((i == k && m == l ? 1. : 0.) - changes[k][l][i][m]) *
                        S[m][j];
                    row[(k * dim + l) * n_points] = value;
                  }
            }
      }
  }



  template void
  restrict_to_stretches<2>(const unsigned int,
                           const unsigned int,
                           const double *,
                           const double *,
                           const double *,
                           double *,
                           double *);
  template void
  restrict_to_stretches<3>(const unsigned int,
                           const unsigned int,
                           const double *,
                           const double *,
                           const double *,
                           double *,
                           double *);
} // namespace Ricochet
