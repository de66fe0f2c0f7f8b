// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_lanczos_simd_h
#define ricochet_source_element_lanczos_simd_h

#include <ricochet/base/simd.h>

#include "cell_kernel_types.h"

/**
 * @file
 * Lanczos' iteration (Lanczos, 1950), every vector made orthogonal to all
 * before it, in SIMD lanes, one matrix per cell; and the largest eigenvalue of
 * the tridiagonal matrix by bisection (Barth, Martin and Wilkinson, 1967). For
 * kernel source files only, see simd.h and CellKernels.
 */

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      inline __attribute__((always_inline)) Vector
      absolute_value(const Vector a)
      {
        return select(a < 0., -a, a);
      }



      inline __attribute__((always_inline)) Vector
      maximum(const Vector a, const Vector b)
      {
        return select(a > b, a, b);
      }



      template <int dim, int n_nodes>
      void
      displace(const double *x,
               const double *scaling,
               const double *y,
               double *displaced,
               double *step)
      {
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            Vector shortest = broadcast(__builtin_inf());
            for (int a = 1; a < n_nodes; ++a)
              {
                Vector distance = {};
                for (int c = 0; c < dim; ++c)
                  distance =
                    maximum(distance,
                            absolute_value(
                              load(x + (a * dim + c) * batch_size + lane) -
                              load(x + c * batch_size + lane)));
                shortest = select(distance < shortest, distance, shortest);
              }

            Vector largest = broadcast(__DBL_MIN__);
            for (int i = 0; i < dim * n_nodes; ++i)
              largest =
                maximum(largest,
                        absolute_value(load(scaling + i * batch_size + lane) *
                                       load(y + i * batch_size + lane)));

            const Vector size = 1e-6 * shortest / largest;
            for (int i = 0; i < dim * n_nodes; ++i)
              {
                const unsigned int k = i * batch_size + lane;
                store(displaced + k,
                      load(x + k) + size * load(scaling + k) * load(y + k));
              }
            store(step + lane, size);
          }
      }



      template <int n_dofs>
      void
      extend(const unsigned int k,
             const double *displaced_forces,
             const double *forces,
             const double *scaling,
             const double *step,
             double *basis,
             double *diagonal,
             double *off_diagonal)
      {
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            // w = M^(-1/2) K M^(-1/2) y_k by the difference of two forces
            Vector w[n_dofs];
            const Vector inverse_step = 1. / load(step + lane);
            for (int i = 0; i < n_dofs; ++i)
              {
                const unsigned int n = i * batch_size + lane;
                w[i] = (load(displaced_forces + n) - load(forces + n)) *
                       load(scaling + n) * inverse_step;
              }

            // Against all earlier vectors, not only the last two: the
            // differences are too rough to rely on the orthogonality that
            // exact arithmetic implies.
            for (unsigned int j = k + 1; j-- > 0;)
              {
                const double *y = basis + j * n_dofs * batch_size + lane;
                Vector product  = {};
                for (int i = 0; i < n_dofs; ++i)
                  product += w[i] * load(y + i * batch_size);
                for (int i = 0; i < n_dofs; ++i)
                  w[i] -= product * load(y + i * batch_size);
                if (j == k)
                  store(diagonal + k * batch_size + lane, product);
              }

            Vector square = {};
            for (int i = 0; i < n_dofs; ++i)
              square += w[i] * w[i];
            const Vector norm = square_root(square);
            store(off_diagonal + k * batch_size + lane, norm);

            const Vector inverse =
              select(norm > __DBL_MIN__, 1. / norm, Vector{});
            double *next = basis + (k + 1) * n_dofs * batch_size + lane;
            for (int i = 0; i < n_dofs; ++i)
              store(next + i * batch_size, w[i] * inverse);
          }
      }



      void
      largest_eigenvalue(const unsigned int n,
                         const double *diagonal,
                         const double *off_diagonal,
                         double *eigenvalue)
      {
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            const auto entry = [lane](const double *a, const unsigned int i) {
              return load(a + i * batch_size + lane);
            };

            // Between the largest diagonal entry and Gershgorin's bound, by
            // bisection: all pivots of A - lambda are negative exactly if
            // lambda is above all eigenvalues.
            Vector below = entry(diagonal, 0), above = below;
            for (unsigned int i = 0; i < n; ++i)
              {
                Vector bound = entry(diagonal, i);
                below        = maximum(below, bound);
                if (i > 0)
                  bound += entry(off_diagonal, i - 1);
                if (i + 1 < n)
                  bound += entry(off_diagonal, i);
                above = maximum(above, bound);
              }

            for (unsigned int iteration = 0; iteration < 22; ++iteration)
              {
                const Vector middle = 0.5 * (below + above);
                Vector pivot        = entry(diagonal, 0) - middle;
                Bits is_above       = (pivot < 0.);
                for (unsigned int i = 1; i < n; ++i)
                  {
                    const Vector b = entry(off_diagonal, i - 1);
                    pivot = entry(diagonal, i) - middle - b * b / pivot;
                    is_above &= (pivot < 0.);
                  }
                above = select(is_above, middle, above);
                below = select(is_above, below, middle);
              }
            store(eigenvalue + lane, above);
          }
      }
    } // namespace
  }   // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
