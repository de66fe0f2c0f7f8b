// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_cell_formulations_simd_h
#define ricochet_source_element_cell_formulations_simd_h

#include <ricochet/base/simd_tensor.h>

#include "cell_kernel_types.h"

/**
 * @file
 * The element formulations in SIMD lanes; for kernel source files only, see
 * simd.h, CellKernels and ElementFormulation.
 */

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      /** The root of degree dim; the language has none for vectors. */
      template <int dim>
      inline __attribute__((always_inline)) Vector
      root(const Vector a)
      {
        Vector result = {};
        for (unsigned int l = 0; l < n_lanes; ++l)
          result[l] = dim == 2 ? __builtin_sqrt(a[l]) : __builtin_cbrt(a[l]);
        return result;
      }



      template <int dim, int n_points>
      void
      average_dilation(const double *volumes,
                       double *F,
                       double *scales,
                       double *dilation)
      {
        constexpr unsigned int stride = n_points * batch_size;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            Vector determinants[n_points], volume = {}, sum = {};
            for (int q = 0; q < n_points; ++q)
              {
                VectorTensor<dim> F_q, C;
                load_tensor<dim>(F + q * batch_size + lane, stride, F_q);
                compute_cofactors<dim>(F_q, C);
                determinants[q]  = determinant<dim>(F_q, C);
                const Vector V_q = load(volumes + q * batch_size + lane);
                volume += V_q;
                sum += V_q * determinants[q];
              }
            const Vector mean = sum / volume;
            store(dilation + lane, mean);

            for (int q = 0; q < n_points; ++q)
              {
                const Vector scale = root<dim>(mean / determinants[q]);
                store(scales + q * batch_size + lane, scale);
                for (int i = 0; i < dim * dim; ++i)
                  {
                    double *entry = F + i * stride + q * batch_size + lane;
                    store(entry, scale * load(entry));
                  }
              }
          }
      }



      template <int dim, int n_points>
      void
      stress_of_average_dilation(const double *volumes,
                                 const double *F,
                                 const double *scales,
                                 const double *dilation,
                                 double *P)
      {
        constexpr unsigned int stride = n_points * batch_size;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            // With F' = s F, the stress P' = dW/dF', s^dim = J/J_q, and
            // p_q = P':F'/dim, the variation of the energy is
            //   sum V_q [s P':dF_q + p_q (dJ/J - dJ_q/J_q)].
            Vector pressures[n_points], volume = {}, sum = {};
            for (int q = 0; q < n_points; ++q)
              {
                VectorTensor<dim> F_q, P_q;
                load_tensor<dim>(F + q * batch_size + lane, stride, F_q);
                load_tensor<dim>(P + q * batch_size + lane, stride, P_q);
                pressures[q] = double_contraction<dim>(P_q, F_q) * (1. / dim);
                const Vector V_q = load(volumes + q * batch_size + lane);
                volume += V_q;
                sum += V_q * pressures[q];
              }
            const Vector mean_pressure = sum / volume;
            const Vector inverse       = 1. / load(dilation + lane);

            for (int q = 0; q < n_points; ++q)
              {
                // The cofactors of F_q are those of F' over s^(dim-1).
                VectorTensor<dim> F_q, P_q, C;
                load_tensor<dim>(F + q * batch_size + lane, stride, F_q);
                load_tensor<dim>(P + q * batch_size + lane, stride, P_q);
                compute_cofactors<dim>(F_q, C);
                const Vector s       = load(scales + q * batch_size + lane);
                const Vector s_power = dim == 2 ? s : s * s;
                const Vector factor =
                  (mean_pressure - s_power * s * pressures[q]) * inverse /
                  s_power;
                for (int i = 0; i < dim; ++i)
                  for (int j = 0; j < dim; ++j)
                    P_q[i][j] = s * P_q[i][j] + factor * C[i][j];
                store_tensor<dim>(P_q, stride, P + q * batch_size + lane);
              }
          }
      }



      template <int dim, int n_points>
      void
      mean_gradient(const double *volumes, const double *F, double *mean)
      {
        constexpr unsigned int stride = n_points * batch_size;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            Vector volume = {};
            for (int q = 0; q < n_points; ++q)
              volume += load(volumes + q * batch_size + lane);
            for (int i = 0; i < dim * dim; ++i)
              {
                // Differences to the first point, so that affine deformations
                // have no hourglass part, not even one of round-off.
                const Vector first = load(F + i * stride + lane);
                Vector sum         = {};
                for (int q = 1; q < n_points; ++q)
                  sum += load(volumes + q * batch_size + lane) *
                         (load(F + i * stride + q * batch_size + lane) - first);
                store(mean + i * batch_size + lane, first + sum / volume);
              }
          }
      }



      template <int dim, int n_points>
      void
      add_hourglass_control(const double stiffness,
                            const double *F,
                            const double *mean_F,
                            const double *mean_P,
                            const double *mean_W,
                            double *P,
                            double *W)
      {
        constexpr unsigned int stride = n_points * batch_size;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          for (int q = 0; q < n_points; ++q)
            {
              const unsigned int offset = q * batch_size + lane;
              Vector square             = {};
              for (int i = 0; i < dim * dim; ++i)
                {
                  const Vector difference =
                    load(F + i * stride + offset) -
                    load(mean_F + i * batch_size + lane);
                  square += difference * difference;
                  store(P + i * stride + offset,
                        load(mean_P + i * batch_size + lane) +
                          stiffness * difference);
                }
              if (W != nullptr)
                store(W + offset,
                      load(mean_W + lane) + 0.5 * stiffness * square);
            }
      }
    } // namespace
  }   // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
