// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/simd_tensor.h>
#include <ricochet/material/isotropic_kernel_types.h>

// The isotropic laws on batches of points. All are written in terms of the
// displacement gradient H = F - 1, which keeps stress and energy accurate
// relative to the strain when that is small.

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      template <int dim>
      inline __attribute__((always_inline)) Vector
      trace(const VectorTensor<dim> &A)
      {
        Vector result = A[0][0];
        for (int i = 1; i < dim; ++i)
          result += A[i][i];
        return result;
      }



      /** det(1+H) - 1 - tr(H): the terms of second and third order in H. */
      template <int dim>
      inline __attribute__((always_inline)) Vector
      higher_order_dilation(const VectorTensor<dim> &H)
      {
        if constexpr (dim == 2)
          return H[0][0] * H[1][1] - H[0][1] * H[1][0];
        else
          {
            VectorTensor<dim> cofactors;
            compute_cofactors<dim>(H, cofactors);
            return trace<dim>(cofactors) + determinant<dim>(H, cofactors);
          }
      }



      /**
       * The compressible neo-Hookean law
       * W = lambda/2 (ln J)^2 - mu ln J + mu/2 (tr C - dim).
       */
      template <int dim>
      struct NeoHookean
      {
        template <bool with_energy>
        static inline __attribute__((always_inline)) Vector
        evaluate(const double lambda,
                 const double mu,
                 const VectorTensor<dim> &F,
                 const VectorTensor<dim> &H,
                 VectorTensor<dim> &P)
        {
          const Vector higher_order = higher_order_dilation<dim>(H);
          const Vector dilation     = trace<dim>(H) + higher_order;

          VectorTensor<dim> cofactors;
          compute_cofactors<dim>(F, cofactors);
          const Vector J = determinant<dim>(F, cofactors);

          Vector log_J, dilation_minus_log_J;
          compute_logarithm(dilation, J, log_J, dilation_minus_log_J);

          const Vector factor = (lambda * log_J - mu) / J;
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              P[i][j] = mu * F[i][j] + factor * cofactors[i][j];

          if constexpr (with_energy)
            // (tr C - dim)/2 - ln J = tr H - ln J + H:H/2
            return 0.5 * lambda * log_J * log_J +
                   mu * (dilation_minus_log_J - higher_order +
                         0.5 * double_contraction<dim>(H, H));
          else
            return Vector{};
        }

        template <class Write>
        static inline __attribute__((always_inline)) void
        tangent(const double lambda,
                const double mu,
                const VectorTensor<dim> &F,
                const VectorTensor<dim> &H,
                const Write &write)
        {
          const Vector dilation = trace<dim>(H) + higher_order_dilation<dim>(H);
          VectorTensor<dim> G; // F^-T
          compute_cofactors<dim>(F, G);
          const Vector J = determinant<dim>(F, G);
          Vector log_J, dilation_minus_log_J;
          compute_logarithm(dilation, J, log_J, dilation_minus_log_J);
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              G[i][j] /= J;

          const Vector factor = mu - lambda * log_J;
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              for (int k = 0; k < dim; ++k)
                for (int l = 0; l < dim; ++l)
                  write(i,
                        j,
                        k,
                        l,
                        (i == k && j == l ? mu : 0.) +
                          lambda * G[i][j] * G[k][l] +
                          factor * G[i][l] * G[k][j]);
        }
      };



      /**
       * W = lambda/2 (tr E)^2 + mu E:E with Green's strain
       * E = (H + H^T + H^T H)/2.
       */
      template <int dim>
      struct SaintVenantKirchhoff
      {
        template <bool with_energy>
        static inline __attribute__((always_inline)) Vector
        evaluate(const double lambda,
                 const double mu,
                 const VectorTensor<dim> &F,
                 const VectorTensor<dim> &H,
                 VectorTensor<dim> &P)
        {
          VectorTensor<dim> E, S;
          const Vector tr_E = green_strain(H, E);
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              S[i][j] = (i == j ? lambda * tr_E + 2. * mu * E[i][j]
                                : 2. * mu * E[i][j]);

          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              {
                P[i][j] = F[i][0] * S[0][j];
                for (int k = 1; k < dim; ++k)
                  P[i][j] += F[i][k] * S[k][j];
              }

          if constexpr (with_energy)
            return 0.5 * lambda * tr_E * tr_E +
                   mu * double_contraction<dim>(E, E);
          else
            return Vector{};
        }

        template <class Write>
        static inline __attribute__((always_inline)) void
        tangent(const double lambda,
                const double mu,
                const VectorTensor<dim> &F,
                const VectorTensor<dim> &H,
                const Write &write)
        {
          VectorTensor<dim> S, FFT;
          const Vector pressure = lambda * green_strain(H, S);
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              {
                S[i][j] =
                  (i == j ? pressure + 2. * mu * S[i][j] : 2. * mu * S[i][j]);
                FFT[i][j] = F[i][0] * F[j][0];
                for (int k = 1; k < dim; ++k)
                  FFT[i][j] += F[i][k] * F[j][k];
              }

          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              for (int k = 0; k < dim; ++k)
                for (int l = 0; l < dim; ++l)
                  {
                    Vector value =
                      lambda * F[i][j] * F[k][l] + mu * F[i][l] * F[k][j];
                    if (i == k)
                      value += S[j][l];
                    if (j == l)
                      value += mu * FFT[i][k];
                    write(i, j, k, l, value);
                  }
        }

      private:
        /** E, and its trace as the result. */
        static inline __attribute__((always_inline)) Vector
        green_strain(const VectorTensor<dim> &H, VectorTensor<dim> &E)
        {
          for (int i = 0; i < dim; ++i)
            for (int j = i; j < dim; ++j)
              {
                Vector HTH = H[0][i] * H[0][j];
                for (int k = 1; k < dim; ++k)
                  HTH += H[k][i] * H[k][j];
                E[i][j] = 0.5 * (H[i][j] + H[j][i] + HTH);
                E[j][i] = E[i][j];
              }
          return trace<dim>(E);
        }
      };



      /**
       * P = lambda tr(eps) 1 + 2 mu eps, W = P:eps/2 with
       * eps = (H + H^T)/2.
       */
      template <int dim>
      struct LinearElastic
      {
        template <bool with_energy>
        static inline __attribute__((always_inline)) Vector
        evaluate(const double lambda,
                 const double mu,
                 const VectorTensor<dim> & /*F*/,
                 const VectorTensor<dim> &H,
                 VectorTensor<dim> &P)
        {
          const Vector pressure = lambda * trace<dim>(H);
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              P[i][j] = (i == j ? pressure + 2. * mu * H[i][i]
                                : mu * (H[i][j] + H[j][i]));

          if constexpr (with_energy)
            // P is symmetric: P:eps = P:H.
            return 0.5 * double_contraction<dim>(P, H);
          else
            return Vector{};
        }

        template <class Write>
        static inline __attribute__((always_inline)) void
        tangent(const double lambda,
                const double mu,
                const VectorTensor<dim> & /*F*/,
                const VectorTensor<dim> & /*H*/,
                const Write &write)
        {
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              for (int k = 0; k < dim; ++k)
                for (int l = 0; l < dim; ++l)
                  write(i,
                        j,
                        k,
                        l,
                        broadcast((i == j && k == l ? lambda : 0.) +
                                  (i == k && j == l ? mu : 0.) +
                                  (i == l && j == k ? mu : 0.)));
        }
      };



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
              Law::template evaluate<with_energy>(lambda, mu, F_p, H_p, P_p);

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
      kernels_of()
      {
        return {&evaluate<dim, Law>, &tangent<dim, Law>};
      }
    } // namespace



    template <int dim>
    IsotropicKernels
    neo_hookean()
    {
      return kernels_of<dim, NeoHookean<dim>>();
    }



    template <int dim>
    IsotropicKernels
    saint_venant_kirchhoff()
    {
      return kernels_of<dim, SaintVenantKirchhoff<dim>>();
    }



    template <int dim>
    IsotropicKernels
    linear_elastic()
    {
      return kernels_of<dim, LinearElastic<dim>>();
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
