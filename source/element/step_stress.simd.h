// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_step_stress_simd_h
#define ricochet_source_element_step_stress_simd_h

#include <ricochet/base/simd_tensor.h>

#include "cell_kernel_types.h"

/**
 * @file
 * The stress of a step at the points in SIMD lanes; for kernel
 * source files only, see simd.h, StepKernels and StepForces.
 */

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      /** A B */
      template <int dim>
      inline __attribute__((always_inline)) void
      multiply(const VectorTensor<dim> &A,
               const VectorTensor<dim> &B,
               VectorTensor<dim> &result)
      {
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            {
              Vector sum = A[i][0] * B[0][j];
              for (int k = 1; k < dim; ++k)
                sum += A[i][k] * B[k][j];
              result[i][j] = sum;
            }
      }



      /** A^T B */
      template <int dim>
      inline __attribute__((always_inline)) void
      multiply_transposed(const VectorTensor<dim> &A,
                          const VectorTensor<dim> &B,
                          VectorTensor<dim> &result)
      {
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            {
              Vector sum = A[0][i] * B[0][j];
              for (int k = 1; k < dim; ++k)
                sum += A[k][i] * B[k][j];
              result[i][j] = sum;
            }
      }



      template <int dim>
      inline __attribute__((always_inline)) void
      symmetrize(VectorTensor<dim> &A)
      {
        for (int i = 0; i < dim; ++i)
          for (int j = i + 1; j < dim; ++j)
            A[i][j] = A[j][i] = 0.5 * (A[i][j] + A[j][i]);
      }



      template <int dim>
      inline __attribute__((always_inline)) void
      invert(const VectorTensor<dim> &A, VectorTensor<dim> &inverse)
      {
        VectorTensor<dim> cofactors;
        compute_cofactors<dim>(A, cofactors);
        const Vector factor = 1. / determinant<dim>(A, cofactors);
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            inverse[i][j] = factor * cofactors[j][i];
      }



      /** The mean of A^T A and B^T B. */
      template <int dim>
      inline __attribute__((always_inline)) void
      compute_mean_metric(const VectorTensor<dim> &A,
                          const VectorTensor<dim> &B,
                          VectorTensor<dim> &C)
      {
        for (int i = 0; i < dim; ++i)
          for (int j = i; j < dim; ++j)
            {
              Vector sum = A[0][i] * A[0][j] + B[0][i] * B[0][j];
              for (int k = 1; k < dim; ++k)
                sum += A[k][i] * A[k][j] + B[k][i] * B[k][j];
              C[i][j] = C[j][i] = 0.5 * sum;
            }
      }



      template <int dim>
      void
      triangular_middle(const unsigned int n,
                        const double *F_begin,
                        const double *F_end,
                        double *F)
      {
        for (unsigned int p = 0; p < n; p += n_lanes)
          {
            VectorTensor<dim> A, B, C, R = {};
            load_tensor<dim>(F_begin + p, n, A);
            load_tensor<dim>(F_end + p, n, B);
            compute_mean_metric<dim>(A, B, C);
            for (int i = 0; i < dim; ++i)
              {
                Vector square = C[i][i];
                for (int k = 0; k < i; ++k)
                  square -= R[k][i] * R[k][i];
                R[i][i]              = square_root(square);
                const Vector inverse = 1. / R[i][i];
                for (int j = i + 1; j < dim; ++j)
                  {
                    Vector sum = C[i][j];
                    for (int k = 0; k < i; ++k)
                      sum -= R[k][i] * R[k][j];
                    R[i][j] = sum * inverse;
                  }
              }
            store_tensor<dim>(R, n, F + p);
          }
      }



      /**
       * The root of a symmetric positive definite tensor (Denman and Beavers,
       * 1976). So many iterations are enough for eigenvalues up to 1e5; those
       * of the mean of two metrics, seen from one of them, are above 1/2.
       */
      template <int dim>
      inline __attribute__((always_inline)) void
      compute_root(VectorTensor<dim> &Y)
      {
        constexpr int n_iterations = 12;
        VectorTensor<dim> Z        = {};
        for (int i = 0; i < dim; ++i)
          Z[i][i] = broadcast(1.);
        for (int n = 0; n < n_iterations; ++n)
          {
            VectorTensor<dim> inverse_Y, inverse_Z;
            invert<dim>(Y, inverse_Y);
            invert<dim>(Z, inverse_Z);
            for (int i = 0; i < dim; ++i)
              for (int j = 0; j < dim; ++j)
                {
                  Y[i][j] = 0.5 * (Y[i][j] + inverse_Z[i][j]);
                  Z[i][j] = 0.5 * (Z[i][j] + inverse_Y[i][j]);
                }
          }
        symmetrize<dim>(Y);
      }



      template <int dim>
      void
      stretched_middle(const unsigned int n,
                       const double *F_begin,
                       const double *F_end,
                       double *F)
      {
        for (unsigned int p = 0; p < n; p += n_lanes)
          {
            // With the change G from the start, the mean of 1 and G^T G is that
            // of F^T F seen from there.
            VectorTensor<dim> A, B, inverse, G, one = {}, V, result;
            load_tensor<dim>(F_begin + p, n, A);
            load_tensor<dim>(F_end + p, n, B);
            invert<dim>(A, inverse);
            multiply<dim>(B, inverse, G);
            for (int i = 0; i < dim; ++i)
              one[i][i] = broadcast(1.);
            compute_mean_metric<dim>(one, G, V);
            compute_root<dim>(V);
            multiply<dim>(V, A, result);
            store_tensor<dim>(result, n, F + p);
          }
      }



      template <int dim>
      void
      mean_of_ends(const unsigned int n,
                   const double *F_begin,
                   const double *F_end,
                   double *F)
      {
        for (unsigned int i = 0; i < dim * dim * n; i += n_lanes)
          store(F + i, 0.5 * (load(F_begin + i) + load(F_end + i)));
      }



      /** What a point knows of a step. */
      template <int dim, bool objective>
      struct StepPoint
      {
        inline __attribute__((always_inline))
        StepPoint(const unsigned int stride,
                  const double *F_begin,
                  const double *F_end,
                  const double *F,
                  const double *P)
        {
          VectorTensor<dim> begin, change;
          load_tensor<dim>(F_begin, stride, begin);
          load_tensor<dim>(F_end, stride, end);
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              {
                mean[i][j]   = 0.5 * (begin[i][j] + end[i][j]);
                change[i][j] = end[i][j] - begin[i][j];
              }
          if constexpr (objective)
            {
              multiply_transposed<dim>(mean, change, strain);
              symmetrize<dim>(strain);
              VectorTensor<dim> middle, P_middle;
              load_tensor<dim>(F, stride, middle);
              load_tensor<dim>(P, stride, P_middle);
              invert<dim>(middle, inverse);
              multiply<dim>(inverse, P_middle, stress);
              symmetrize<dim>(stress);
            }
          else
            {
              for (int i = 0; i < dim; ++i)
                for (int j = 0; j < dim; ++j)
                  strain[i][j] = change[i][j];
              load_tensor<dim>(P, stride, stress);
            }
        }

        /** F at the end and the mean of both ends, and if objective the inverse
         * of that in the middle. */
        VectorTensor<dim> end, mean, inverse;

        /** The change of Green's strain and the second Piola-Kirchhoff stress,
         * or the change of F and the first one. */
        VectorTensor<dim> strain, stress;
      };



      template <int dim, bool objective>
      void
      algorithmic_stress_of(const unsigned int n_points,
                            const double *volumes,
                            const double *F_begin,
                            const double *F_end,
                            const double *F,
                            const double *P,
                            const double *work,
                            const double smallest_strain,
                            double *stress,
                            double *alpha,
                            double *inverse_square)
      {
        const unsigned int stride = n_points * batch_size;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            Vector volume = {}, square = {}, stress_power = {};
            for (unsigned int q = 0; q < n_points; ++q)
              {
                const unsigned int offset = q * batch_size + lane;
                const StepPoint<dim, objective> point(stride,
                                                      F_begin + offset,
                                                      F_end + offset,
                                                      F + offset,
                                                      P + offset);
                const Vector V_q = load(volumes + offset);
                volume += V_q;
                square +=
                  V_q * double_contraction<dim>(point.strain, point.strain);
                stress_power +=
                  V_q * double_contraction<dim>(point.stress, point.strain);
              }
            const Bits is_tiny =
              (square <= smallest_strain * smallest_strain * volume);
            const Vector inverse = select(is_tiny, Vector{}, 1. / square);
            const Vector factor =
              select(is_tiny,
                     Vector{},
                     (load(work + lane) - stress_power) * inverse);
            store(alpha + lane, factor);
            store(inverse_square + lane, inverse);

            for (unsigned int q = 0; q < n_points; ++q)
              {
                const unsigned int offset = q * batch_size + lane;
                const StepPoint<dim, objective> point(stride,
                                                      F_begin + offset,
                                                      F_end + offset,
                                                      F + offset,
                                                      P + offset);
                VectorTensor<dim> T, result;
                for (int i = 0; i < dim; ++i)
                  for (int j = 0; j < dim; ++j)
                    T[i][j] = point.stress[i][j] + factor * point.strain[i][j];
                if constexpr (objective)
                  {
                    multiply<dim>(point.mean, T, result);
                    store_tensor<dim>(result, stride, stress + offset);
                  }
                else
                  store_tensor<dim>(T, stride, stress + offset);
              }
          }
      }



      template <int dim>
      void
      algorithmic_stress(const bool objective,
                         const unsigned int n_points,
                         const double *volumes,
                         const double *F_begin,
                         const double *F_end,
                         const double *F,
                         const double *P,
                         const double *work,
                         const double smallest_strain,
                         double *stress,
                         double *alpha,
                         double *inverse_square)
      {
        (objective ? &algorithmic_stress_of<dim, true>
                   : &algorithmic_stress_of<dim, false>)(n_points,
                                                         volumes,
                                                         F_begin,
                                                         F_end,
                                                         F,
                                                         P,
                                                         work,
                                                         smallest_strain,
                                                         stress,
                                                         alpha,
                                                         inverse_square);
      }
    } // namespace
  }   // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
