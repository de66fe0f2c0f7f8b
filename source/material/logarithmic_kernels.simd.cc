// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/simd_tensor.h>

#include "logarithmic_kernel_types.h"

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      using Matrix = VectorTensor<3>;



      /** Where a component of a symmetric tensor is stored, or -1 if it is zero
       * in plane strain. */
      template <int dim>
      constexpr int
      place(const int i, const int j)
      {
        const int a = i < j ? i : j, b = i < j ? j : i;
        if (dim == 3)
          return a == 0 ? b : a + b + 1;
        return a == 2 ? 3 : b == 2 ? -1 : a + b;
      }



      /** F, in two dimensions with a third direction. */
      template <int dim>
      inline __attribute__((always_inline)) void
      load_gradient(const double *const source,
                    const unsigned int stride,
                    Matrix &F)
      {
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            F[i][j] = i < dim && j < dim ? load(source + (i * dim + j) * stride)
                                         : broadcast(i == j ? 1. : 0.);
      }



      template <int dim>
      inline __attribute__((always_inline)) void
      load_symmetric(const double *const source,
                     const unsigned int stride,
                     Matrix &A)
      {
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            A[i][j] = place<dim>(i, j) >= 0
                        ? load(source + place<dim>(i, j) * stride)
                        : Vector{};
      }



      /** A B A^T for a symmetric B. */
      inline __attribute__((always_inline)) void
      congruence(const Matrix &A, const Matrix &B, Matrix &result)
      {
        Matrix AB;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            AB[i][j] =
              A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
        for (int i = 0; i < 3; ++i)
          for (int j = i; j < 3; ++j)
            {
              result[i][j] =
                AB[i][0] * A[j][0] + AB[i][1] * A[j][1] + AB[i][2] * A[j][2];
              result[j][i] = result[i][j];
            }
      }



      /** The symmetric tensor with these eigenvalues and directions. */
      inline __attribute__((always_inline)) void
      compose(const double *const values,
              const unsigned int stride,
              const Matrix &directions,
              Matrix &result)
      {
        Vector value[3];
        for (int k = 0; k < 3; ++k)
          value[k] = load(values + k * stride);
        for (int i = 0; i < 3; ++i)
          for (int j = i; j < 3; ++j)
            {
              Vector sum = value[0] * directions[i][0] * directions[j][0];
              for (int k = 1; k < 3; ++k)
                sum += value[k] * directions[i][k] * directions[j][k];
              result[i][j] = sum;
              result[j][i] = sum;
            }
      }



      /** Jacobi's rotation that makes A[p][q] zero; V collects them. */
      template <int p, int q>
      inline __attribute__((always_inline)) void
      rotate(Matrix &A, Matrix &V)
      {
        constexpr int r         = 3 - p - q;
        const Vector difference = A[q][q] - A[p][p], twice = 2. * A[p][q];
        const Bits negative = (difference < 0.);
        const Vector length =
          select(negative, -difference, difference) +
          square_root(difference * difference + twice * twice);
        const Vector t = select(length > 0.,
                                select(negative, -twice, twice) / length,
                                Vector{});
        const Vector c = 1. / square_root(t * t + 1.), s = t * c;

        A[p][p] -= t * A[p][q];
        A[q][q] += t * A[p][q];
        A[p][q] = A[q][p] = Vector{};
        const Vector rp = A[r][p], rq = A[r][q];
        A[r][p] = A[p][r] = c * rp - s * rq;
        A[r][q] = A[q][r] = s * rp + c * rq;
        for (int i = 0; i < 3; ++i)
          {
            const Vector ip = V[i][p], iq = V[i][q];
            V[i][p] = c * ip - s * iq;
            V[i][q] = s * ip + c * iq;
          }
      }



      /** Eigenvalues on the diagonal of A, eigenvectors in the columns of V. */
      inline __attribute__((always_inline)) void
      diagonalize(Matrix &A, Matrix &V)
      {
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            V[i][j] = broadcast(i == j ? 1. : 0.);
        // Converges quadratically; four sweeps leave round-off.
        constexpr int n_sweeps = 5;
        for (int sweep = 0; sweep < n_sweeps; ++sweep)
          {
            rotate<0, 1>(A, V);
            rotate<0, 2>(A, V);
            rotate<1, 2>(A, V);
          }
      }



      template <int dim>
      void
      split(const unsigned int n_points,
            const double *F,
            const double *plastic_metric,
            double *strains,
            double *directions)
      {
        for (unsigned int p = 0; p < n_points; p += n_lanes)
          {
            Matrix F_p, metric, b, V, cofactors;
            load_gradient<dim>(F + p, n_points, F_p);
            load_symmetric<dim>(plastic_metric + p, n_points, metric);
            congruence(F_p, metric, b);
            for (int i = 0; i < 3; ++i)
              b[i][i] -= 1.;
            diagonalize(b, V);

            // Their sum is ln(det F), since flow keeps the volume; said so
            // here, or else round-off would add up from step to step. NaN for
            // det F <= 0.
            compute_cofactors<3>(F_p, cofactors);
            const Vector J = determinant<3>(F_p, cofactors);
            Vector strain[3], log_J, remainder;
            compute_logarithm(J - 1., J, log_J, remainder);
            Vector correction = log_J;
            for (int k = 0; k < 3; ++k)
              {
                Vector logarithm;
                compute_logarithm(b[k][k], b[k][k] + 1., logarithm, remainder);
                strain[k] = 0.5 * logarithm;
                correction -= strain[k];
              }
            for (int k = 0; k < 3; ++k)
              store(strains + k * n_points + p,
                    strain[k] + correction * (1. / 3.));
            store_tensor<3>(V, n_points, directions + p);
          }
      }



      template <int dim>
      void
      join(const unsigned int n_points,
           const double *F,
           const double *directions,
           const double *stresses,
           const double *stretches,
           const double *flowed,
           const double *old_metric,
           double *new_metric,
           double *P)
      {
        for (unsigned int p = 0; p < n_points; p += n_lanes)
          {
            Matrix F_p, V, stress, b, inverse, metric;
            load_gradient<dim>(F + p, n_points, F_p);
            load_tensor<3>(directions + p, n_points, V);
            compose(stresses + p, n_points, V, stress);
            compose(stretches + p, n_points, V, b);

            Matrix cofactors;
            compute_cofactors<3>(F_p, cofactors);
            const Vector inverse_J = 1. / determinant<3>(F_p, cofactors);
            for (int i = 0; i < 3; ++i)
              for (int j = 0; j < 3; ++j)
                inverse[i][j] = cofactors[j][i] * inverse_J;

            for (int i = 0; i < dim; ++i)
              for (int j = 0; j < dim; ++j)
                {
                  Vector sum = stress[i][0] * inverse[j][0];
                  for (int k = 1; k < 3; ++k)
                    sum += stress[i][k] * inverse[j][k];
                  store(P + (i * dim + j) * n_points + p, sum);
                }

            congruence(inverse, b, metric);
            const Bits has_flowed = (load(flowed + p) != 0.);
            for (int i = 0; i < 3; ++i)
              for (int j = i; j < 3; ++j)
                if (place<dim>(i, j) >= 0)
                  {
                    const unsigned int k = place<dim>(i, j) * n_points + p;
                    store(new_metric + k,
                          select(has_flowed,
                                 metric[i][j],
                                 load(old_metric + k)));
                  }
          }
      }
    } // namespace



    template <int dim>
    LogarithmicKernels
    logarithmic_kernels()
    {
      return {&split<dim>, &join<dim>};
    }



    template LogarithmicKernels
    logarithmic_kernels<2>();
    template LogarithmicKernels
    logarithmic_kernels<3>();
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet
