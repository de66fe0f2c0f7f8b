// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/material/isotropic_kernel_types.h>
#include <ricochet/material/isotropic_laws.h>

// The isotropic laws on batches of points.

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      /** F of n_lanes points, and F - 1. */
      template <int dim>
      inline __attribute__((always_inline)) void
      load_gradients(const double *const source,
                     const unsigned int n_points,
                     VectorTensor<dim> &F,
                     VectorTensor<dim> &H)
      {
        load_tensor<dim>(source, n_points, F);
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            H[i][j] = (i == j ? F[i][j] - 1. : F[i][j]);
      }



      template <int dim, class Law, bool with_energy>
      void
      loop_over_points(const double lambda,
                       const double mu,
                       const unsigned int n_points,
                       const double *F,
                       double *P,
                       double *W)
      {
        for (unsigned int p = 0; p < n_points; p += n_lanes)
          {
            VectorTensor<dim> F_p, H_p, P_p;
            load_gradients<dim>(F + p, n_points, F_p, H_p);
            const Vector W_p =
              evaluate_law<Law, dim>(lambda, mu, F_p, H_p, with_energy, P_p);

            store_tensor<dim>(P_p, n_points, P + p);
            if constexpr (with_energy)
              store(W + p, W_p);
          }
      }



      template <int dim, class Law>
      void
      evaluate(const double lambda,
               const double mu,
               const unsigned int n_points,
               const double *F,
               double *P,
               double *W)
      {
        if (W != nullptr)
          loop_over_points<dim, Law, true>(lambda, mu, n_points, F, P, W);
        else
          loop_over_points<dim, Law, false>(lambda, mu, n_points, F, P, W);
      }



      template <int dim, class Law>
      void
      tangent(const double lambda,
              const double mu,
              const unsigned int n_points,
              const double *F,
              double *A)
      {
        for (unsigned int p = 0; p < n_points; p += n_lanes)
          {
            VectorTensor<dim> F_p, H_p;
            load_gradients<dim>(F + p, n_points, F_p, H_p);
            Law::tangent(
              lambda,
              mu,
              F_p,
              H_p,
              [=](const int i,
                  const int j,
                  const int k,
                  const int l,
                  const Vector value) {
                store(A + (((i * dim + j) * dim + k) * dim + l) * n_points + p,
                      value);
              });
          }
      }



      template <int dim, class Law>
      constexpr IsotropicKernels
      kernels_of(const IsotropicLaw law)
      {
        return {&evaluate<dim, Law>, &tangent<dim, Law>, law};
      }
    } // namespace



    template <int dim>
    IsotropicKernels
    neo_hookean()
    {
      return kernels_of<dim, NeoHookean<dim>>(IsotropicLaw::neo_hookean);
    }



    template <int dim>
    IsotropicKernels
    saint_venant_kirchhoff()
    {
      return kernels_of<dim, SaintVenantKirchhoff<dim>>(
        IsotropicLaw::saint_venant_kirchhoff);
    }



    template <int dim>
    IsotropicKernels
    linear_elastic()
    {
      return kernels_of<dim, LinearElastic<dim>>(IsotropicLaw::linear_elastic);
    }



    template IsotropicKernels
    neo_hookean<2>();
    template IsotropicKernels
    neo_hookean<3>();
    template IsotropicKernels
    saint_venant_kirchhoff<2>();
    template IsotropicKernels
    saint_venant_kirchhoff<3>();
    template IsotropicKernels
    linear_elastic<2>();
    template IsotropicKernels
    linear_elastic<3>();
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet
