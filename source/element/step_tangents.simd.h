// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_step_tangents_simd_h
#define ricochet_source_element_step_tangents_simd_h

#include <ricochet/base/simd_tensor.h>

#include "cell_kernel_types.h"
#include "step_stress.simd.h"

/**
 * @file
 * Tangents of a step at the points in SIMD lanes; for kernel
 * source files only, see simd.h, StepKernels and StepForces.
 */

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      /** The derivative of a tensor by another one in each lane. */
      template <int dim>
      using VectorTangent = Vector[dim][dim][dim][dim];



      template <int dim>
      inline __attribute__((always_inline)) void
      load_tangent(const double *const source,
                   const unsigned int stride,
                   VectorTangent<dim> &A)
      {
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            for (int k = 0; k < dim; ++k)
              for (int l = 0; l < dim; ++l)
                A[i][j][k][l] =
                  load(source + (((i * dim + j) * dim + k) * dim + l) * stride);
      }



      template <int dim>
      inline __attribute__((always_inline)) void
      store_tangent(const VectorTangent<dim> &A,
                    const unsigned int stride,
                    double *const destination)
      {
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            for (int k = 0; k < dim; ++k)
              for (int l = 0; l < dim; ++l)
                store(destination +
                        (((i * dim + j) * dim + k) * dim + l) * stride,
                      A[i][j][k][l]);
      }



      /** Products of a tensor and a tangent from both sides. */
      template <int dim>
      inline __attribute__((always_inline)) void
      contract(const VectorTangent<dim> &A,
               const VectorTensor<dim> &B,
               VectorTensor<dim> &A_B,
               VectorTensor<dim> &B_A)
      {
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            {
              A_B[i][j] = double_contraction<dim>(A[i][j], B);
              B_A[i][j] = Vector{};
            }
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            for (int k = 0; k < dim; ++k)
              for (int l = 0; l < dim; ++l)
                B_A[k][l] += B[i][j] * A[i][j][k][l];
      }



      template <int dim, int n_points>
      void
      tangent_of_average_dilation(const double *volumes,
                                  const double *F,
                                  const double *scales,
                                  const double *dilation,
                                  const double *P,
                                  double *A,
                                  double *left,
                                  double *right)
      {
        // In the notation of stress_of_average_dilation(), with G = F^-T before
        // scaling, t_q = G:dF_q, the mean t = sum V_q J_q t_q / (V J), the mean
        // pressure p, and P' and A' of the scaled gradients F' = s F:
        //   P_q  = s P' + (p J_q/J - p_q) G
        //   dp_q = (a - b G):dF_q + b t,   a = s/dim (F':A' + P'),
        //          b = (F':A':F' + dim p_q)/dim^2
        //   dP_q = s^2 A':dF_q + M (t - t_q) - (p J_q/J - p_q) G dF_q^T G
        //          + G [J_q/J (dp + p (t_q - t)) - dp_q],
        //          M = s/dim (A':F' + P').
        constexpr unsigned int stride = n_points * batch_size,
                               field  = dim * dim * stride;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            Vector pressures[n_points], volume = {}, sum = {}, sum_b = {};
            for (int q = 0; q < n_points; ++q)
              {
                const unsigned int offset = q * batch_size + lane;
                VectorTensor<dim> F_q, P_q;
                load_tensor<dim>(F + offset, stride, F_q);
                load_tensor<dim>(P + offset, stride, P_q);
                pressures[q] = double_contraction<dim>(P_q, F_q) * (1. / dim);
                const Vector V_q = load(volumes + offset);
                volume += V_q;
                sum += V_q * pressures[q];
              }
            const Vector mean_pressure  = sum / volume;
            const Vector inverse_volume = 1. / volume;
            const Vector inverse        = 1. / load(dilation + lane);

            for (int q = 0; q < n_points; ++q)
              {
                const unsigned int offset = q * batch_size + lane;
                VectorTensor<dim> F_q, P_q, G, M, a;
                VectorTangent<dim> A_q;
                load_tensor<dim>(F + offset, stride, F_q);
                load_tensor<dim>(P + offset, stride, P_q);
                load_tangent<dim>(A + offset, stride, A_q);
                compute_cofactors<dim>(F_q, G);
                const Vector s       = load(scales + offset);
                const Vector s_power = dim == 2 ? s * s : s * s * s;
                const Vector ratio   = 1. / s_power; // J_q/J

                contract<dim>(A_q, F_q, M, a);
                const Vector b =
                  (double_contraction<dim>(M, F_q) + dim * pressures[q]) *
                  (1. / (dim * dim));
                sum_b += load(volumes + offset) * b;
                const Vector factor = s * (1. / dim);
                for (int i = 0; i < dim; ++i)
                  for (int j = 0; j < dim; ++j)
                    {
                      G[i][j] *= s * inverse;
                      M[i][j] = factor * (M[i][j] + P_q[i][j]);
                      a[i][j] = factor * (a[i][j] + P_q[i][j]) - b * G[i][j];
                    }

                const Vector p = mean_pressure * ratio, p_q = pressures[q];
                for (int i = 0; i < dim; ++i)
                  for (int j = 0; j < dim; ++j)
                    for (int k = 0; k < dim; ++k)
                      for (int l = 0; l < dim; ++l)
                        A_q[i][j][k][l] = s * s * A_q[i][j][k][l] +
                                          (p * G[i][j] - M[i][j]) * G[k][l] -
                                          G[i][j] * a[k][l] -
                                          (p - p_q) * G[i][l] * G[k][j];
                store_tangent<dim>(A_q, stride, A + offset);

                // The pairs of t and of dp; what dp depends on t is added
                // below.
                for (int i = 0; i < dim; ++i)
                  for (int j = 0; j < dim; ++j)
                    {
                      const unsigned int entry =
                        (i * dim + j) * stride + offset;
                      store(left + entry, M[i][j] - (p + b) * G[i][j]);
                      store(left + field + entry, ratio * G[i][j]);
                      store(right + entry, ratio * inverse_volume * G[i][j]);
                      store(right + field + entry, inverse_volume * a[i][j]);
                    }
              }

            const Vector mean_b = sum_b * inverse_volume;
            for (int q = 0; q < n_points; ++q)
              for (int i = 0; i < dim * dim; ++i)
                {
                  const unsigned int entry = i * stride + q * batch_size + lane;
                  store(left + entry,
                        load(left + entry) +
                          mean_b * load(left + field + entry));
                }
          }
      }



      /** Stress and tangent at one point, see StepKernels::step_tangent. */
      template <int dim, bool objective>
      struct PointTangent
      {
        inline __attribute__((always_inline))
        PointTangent(const StepPoint<dim, objective> &point)
        {
          if constexpr (objective)
            {
              multiply<dim>(point.mean, point.inverse, G);
              multiply<dim>(point.end, point.inverse, H);
              for (int i = 0; i < dim; ++i)
                for (int j = 0; j < dim; ++j)
                  H[i][j] *= 0.5;
              multiply_transposed<dim>(point.inverse, point.strain, weight);
            }
          else
            for (int i = 0; i < dim; ++i)
              for (int j = 0; j < dim; ++j)
                weight[i][j] = point.strain[i][j];
        }

        /** A left field. */
        inline __attribute__((always_inline)) void
        transform_left(VectorTensor<dim> &values) const
        {
          if constexpr (objective)
            transform(G, values);
        }

        /** A right field. */
        inline __attribute__((always_inline)) void
        transform_right(VectorTensor<dim> &values) const
        {
          if constexpr (objective)
            transform(H, values);
          else
            for (int i = 0; i < dim; ++i)
              for (int j = 0; j < dim; ++j)
                values[i][j] *= 0.5;
        }

        /**
         * Replaces the tangent @p A, and gives the derivative of the negative
         * stress power with the change of strain held. Goes through A by its
         * second and fourth index, so that a slice of it fits into registers.
         */
        inline __attribute__((always_inline)) void
        transform_tangent(const StepPoint<dim, objective> &point,
                          const Vector alpha,
                          const unsigned int stride,
                          double *A,
                          VectorTensor<dim> &slope) const
        {
          const Vector half_alpha = 0.5 * alpha;
          VectorTensor<dim> of_stress, of_alpha;
          if constexpr (objective)
            for (int i = 0; i < dim; ++i)
              for (int k = 0; k < dim; ++k)
                {
                  of_stress[i][k] = broadcast(i == k ? 0.5 : 0.);
                  of_alpha[i][k]  = Vector{};
                  for (int m = 0; m < dim; ++m)
                    {
                      of_stress[i][k] -= G[i][m] * H[k][m];
                      of_alpha[i][k] +=
                        half_alpha * point.mean[i][m] * point.end[k][m];
                    }
                }

          for (int l = 0; l < dim; ++l)
            {
              Vector sum[dim] = {};
              for (int j = 0; j < dim; ++j)
                {
                  VectorTensor<dim> slice;
                  const auto entry = [&](const int i, const int k) {
                    return A + (((i * dim + j) * dim + k) * dim + l) * stride;
                  };
                  for (int i = 0; i < dim; ++i)
                    for (int k = 0; k < dim; ++k)
                      {
                        slice[i][k] = load(entry(i, k));
                        sum[k] -= weight[i][j] * slice[i][k];
                      }
                  if constexpr (objective)
                    {
                      // dS/dE in the middle pushed to the mean and to the end.
                      for (int k = 0; k < dim; ++k)
                        sum[k] += weight[k][j] * point.stress[j][l];
                      transform(G, slice);
                      const Vector S = point.stress[j][l],
                                   E = half_alpha * point.strain[j][l];
                      for (int i = 0; i < dim; ++i)
                        for (int k = 0; k < dim; ++k)
                          {
                            Vector value =
                              of_stress[i][k] * S +
                              half_alpha * point.mean[i][l] * point.end[k][j];
                            if (i == k)
                              value += E;
                            if (j == l)
                              value += of_alpha[i][k];
                            for (int m = 0; m < dim; ++m)
                              value += slice[i][m] * H[k][m];
                            store(entry(i, k), value);
                          }
                    }
                  else
                    for (int i = 0; i < dim; ++i)
                      for (int k = 0; k < dim; ++k)
                        store(entry(i, k),
                              0.5 * slice[i][k] +
                                (i == k && j == l ? alpha : Vector{}));
                }
              for (int k = 0; k < dim; ++k)
                slope[k][l] = sum[k];
            }
          transform_right(slope);
        }

        /** From the middle to the mean of the ends and to the end, the latter
         * halved; and the strain in the step, as seen by the stress P. */
        VectorTensor<dim> G, H, weight;

      private:
        static inline __attribute__((always_inline)) void
        transform(const VectorTensor<dim> &B, VectorTensor<dim> &values)
        {
          for (int l = 0; l < dim; ++l)
            {
              Vector column[dim];
              for (int k = 0; k < dim; ++k)
                column[k] = values[k][l];
              for (int k = 0; k < dim; ++k)
                {
                  values[k][l] = B[k][0] * column[0];
                  for (int m = 1; m < dim; ++m)
                    values[k][l] += B[k][m] * column[m];
                }
            }
        }
      };



      template <int dim, bool objective>
      void
      step_tangent_of(const unsigned int n_points,
                      const unsigned int n_fields,
                      const double *volumes,
                      const double *F_begin,
                      const double *F_end,
                      const double *F,
                      const double *P,
                      const double *P_end,
                      const double *alpha,
                      double *A,
                      double *left,
                      double *right,
                      double *strains,
                      double *slopes,
                      double *products)
      {
        const unsigned int stride = n_points * batch_size,
                           field  = dim * dim * stride;
        for (unsigned int k = 0; k < n_fields * batch_size; ++k)
          products[k] = 0.;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          for (unsigned int q = 0; q < n_points; ++q)
            {
              const unsigned int offset = q * batch_size + lane;
              const StepPoint<dim, objective> point(stride,
                                                    F_begin + offset,
                                                    F_end + offset,
                                                    F + offset,
                                                    P + offset);
              const PointTangent<dim, objective> tangent(point);
              const Vector factor = load(alpha + lane);

              VectorTensor<dim> slope, T, P_q;
              tangent.transform_tangent(point,
                                        factor,
                                        stride,
                                        A + offset,
                                        slope);

              // The work less the stress power and alpha times the square.
              for (int i = 0; i < dim; ++i)
                for (int j = 0; j < dim; ++j)
                  T[i][j] =
                    point.stress[i][j] + 2. * factor * point.strain[i][j];
              if constexpr (objective)
                {
                  multiply<dim>(point.mean, point.strain, P_q);
                  store_tensor<dim>(P_q, stride, strains + offset);
                  multiply<dim>(point.end, T, P_q);
                }
              else
                {
                  store_tensor<dim>(point.strain, stride, strains + offset);
                  for (int i = 0; i < dim; ++i)
                    for (int j = 0; j < dim; ++j)
                      P_q[i][j] = T[i][j];
                }
              for (int i = 0; i < dim; ++i)
                for (int j = 0; j < dim; ++j)
                  slope[i][j] +=
                    load(P_end + (i * dim + j) * stride + offset) - P_q[i][j];
              store_tensor<dim>(slope, stride, slopes + offset);

              for (unsigned int k = 0; k < n_fields; ++k)
                {
                  double *const product = products + k * batch_size + lane;
                  VectorTensor<dim> values;
                  load_tensor<dim>(left + k * field + offset, stride, values);
                  store(product,
                        load(product) +
                          load(volumes + offset) *
                            double_contraction<dim>(tangent.weight, values));
                  tangent.transform_left(values);
                  store_tensor<dim>(values, stride, left + k * field + offset);
                  load_tensor<dim>(right + k * field + offset, stride, values);
                  tangent.transform_right(values);
                  store_tensor<dim>(values, stride, right + k * field + offset);
                }
            }
      }



      template <int dim>
      void
      step_tangent(const bool objective,
                   const unsigned int n_points,
                   const unsigned int n_fields,
                   const double *volumes,
                   const double *F_begin,
                   const double *F_end,
                   const double *F,
                   const double *P,
                   const double *P_end,
                   const double *alpha,
                   double *A,
                   double *left,
                   double *right,
                   double *strains,
                   double *slopes,
                   double *products)
      {
        (objective ? &step_tangent_of<dim, true>
                   : &step_tangent_of<dim, false>)(n_points,
                                                   n_fields,
                                                   volumes,
                                                   F_begin,
                                                   F_end,
                                                   F,
                                                   P,
                                                   P_end,
                                                   alpha,
                                                   A,
                                                   left,
                                                   right,
                                                   strains,
                                                   slopes,
                                                   products);
      }
    } // namespace
  }   // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
