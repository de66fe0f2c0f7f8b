// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_material_isotropic_laws_h
#define ricochet_material_isotropic_laws_h

#include <ricochet/base/simd_tensor.h>

/**
 * @file
 * The isotropic elastic laws in SIMD lanes; for kernel source files only, see
 * simd.h.
 *
 * A law has the stress P = dW/dF from the deformation gradient F, and the
 * energy density W. They are found in three steps, so that loops over points
 * can take one after the other, of which the processor treats several points at
 * a time: invariants of a point; the coefficients that need divisions and a
 * logarithm; and then stress() and energy(). All is written in terms of the
 * displacement gradient H = F - 1, which keeps stress and energy accurate
 * relative to the strain when that is small. Both are proportional to Lame's
 * constants, which are numbers or differ between the lanes; times a volume they
 * give what that volume stores. tangent() calls @p write(i, j, k, l, value) for
 * all dP_ij/dF_kl.
 */

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



      /** Laws that have nothing to find before the stress. */
      template <int dim>
      struct StressAtOnce
      {
        struct Nothing
        {};

        using Invariants   = Nothing;
        using Coefficients = Nothing;

        static inline __attribute__((always_inline)) Invariants
        invariants(const VectorTensor<dim> & /*F*/,
                   const VectorTensor<dim> & /*H*/)
        {
          return {};
        }

        template <typename Modulus>
        static inline __attribute__((always_inline)) Coefficients
        coefficients(const Modulus /*lambda*/,
                     const Modulus /*mu*/,
                     const Invariants & /*of_point*/,
                     const bool /*with_energy*/)
        {
          return {};
        }
      };



      /**
       * The compressible neo-Hookean law
       * W = lambda/2 (ln J)^2 - mu ln J + mu/2 (tr C - dim).
       */
      template <int dim>
      struct NeoHookean
      {
        /** J = det F and J - 1, the latter in two parts: tr H, and the rest. */
        struct Invariants
        {
          Vector J, trace, higher_order;
        };

        static inline __attribute__((always_inline)) Invariants
        invariants(const VectorTensor<dim> &F, const VectorTensor<dim> &H)
        {
          VectorTensor<dim> cofactors;
          compute_cofactors<dim>(F, cofactors);
          return {determinant<dim>(F, cofactors),
                  RICOCHET_SIMD_NAMESPACE::trace<dim>(H),
                  higher_order_dilation<dim>(H)};
        }

        /** The factor of the cofactors of F in the stress; and of the energy
         * density all but mu/2 H:H. */
        struct Coefficients
        {
          Vector factor, energy;
        };

        template <typename Modulus>
        static inline __attribute__((always_inline)) Coefficients
        coefficients(const Modulus lambda,
                     const Modulus mu,
                     const Invariants &of_point,
                     const bool with_energy)
        {
          Vector log_J, dilation_minus_log_J, energy = {};
          compute_logarithm(of_point.trace + of_point.higher_order,
                            of_point.J,
                            log_J,
                            dilation_minus_log_J);
          if (with_energy)
            // (tr C - dim)/2 - ln J = tr H - ln J + H:H/2
            energy = 0.5 * lambda * log_J * log_J +
                     mu * (dilation_minus_log_J - of_point.higher_order);
          return {(lambda * log_J - mu) / of_point.J, energy};
        }

        template <typename Modulus>
        static inline __attribute__((always_inline)) void
        stress(const Modulus /*lambda*/,
               const Modulus mu,
               const VectorTensor<dim> &F,
               const VectorTensor<dim> & /*H*/,
               const Coefficients &of_point,
               VectorTensor<dim> &P)
        {
          VectorTensor<dim> cofactors;
          compute_cofactors<dim>(F, cofactors);
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              P[i][j] = mu * F[i][j] + of_point.factor * cofactors[i][j];
        }

        template <typename Modulus>
        static inline __attribute__((always_inline)) Vector
        energy(const Modulus /*lambda*/,
               const Modulus mu,
               const VectorTensor<dim> &H,
               const Coefficients &of_point,
               const VectorTensor<dim> & /*P*/)
        {
          return of_point.energy + 0.5 * mu * double_contraction<dim>(H, H);
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
      struct SaintVenantKirchhoff : public StressAtOnce<dim>
      {
        using typename StressAtOnce<dim>::Coefficients;

        template <typename Modulus>
        static inline __attribute__((always_inline)) void
        stress(const Modulus lambda,
               const Modulus mu,
               const VectorTensor<dim> &F,
               const VectorTensor<dim> &H,
               const Coefficients & /*of_point*/,
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
        }

        template <typename Modulus>
        static inline __attribute__((always_inline)) Vector
        energy(const Modulus lambda,
               const Modulus mu,
               const VectorTensor<dim> &H,
               const Coefficients & /*of_point*/,
               const VectorTensor<dim> & /*P*/)
        {
          VectorTensor<dim> E;
          const Vector tr_E = green_strain(H, E);
          return 0.5 * lambda * tr_E * tr_E +
                 mu * double_contraction<dim>(E, E);
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
      struct LinearElastic : public StressAtOnce<dim>
      {
        using typename StressAtOnce<dim>::Coefficients;

        template <typename Modulus>
        static inline __attribute__((always_inline)) void
        stress(const Modulus lambda,
               const Modulus mu,
               const VectorTensor<dim> & /*F*/,
               const VectorTensor<dim> &H,
               const Coefficients & /*of_point*/,
               VectorTensor<dim> &P)
        {
          const Vector pressure = lambda * trace<dim>(H);
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              P[i][j] = (i == j ? pressure + 2. * mu * H[i][i]
                                : mu * (H[i][j] + H[j][i]));
        }

        template <typename Modulus>
        static inline __attribute__((always_inline)) Vector
        energy(const Modulus /*lambda*/,
               const Modulus /*mu*/,
               const VectorTensor<dim> &H,
               const Coefficients & /*of_point*/,
               const VectorTensor<dim> &P)
        {
          // P is symmetric: P:eps = P:H.
          return 0.5 * double_contraction<dim>(P, H);
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



      /** Stress @p P, and the energy density if wanted, of one set of points.
       */
      template <class Law, int dim, typename Modulus>
      inline __attribute__((always_inline)) Vector
      evaluate_law(const Modulus lambda,
                   const Modulus mu,
                   const VectorTensor<dim> &F,
                   const VectorTensor<dim> &H,
                   const bool with_energy,
                   VectorTensor<dim> &P)
      {
        const auto coefficients =
          Law::coefficients(lambda, mu, Law::invariants(F, H), with_energy);
        Law::stress(lambda, mu, F, H, coefficients, P);
        return with_energy ? Law::energy(lambda, mu, H, coefficients, P)
                           : Vector{};
      }
    } // namespace
  }   // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
