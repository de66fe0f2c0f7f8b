// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_cell_shapes_simd_h
#define ricochet_source_element_cell_shapes_simd_h

#include <ricochet/base/simd.h>

/**
 * @file
 * Shape functions in SIMD lanes; for kernel source files only, see simd.h.
 *
 * A shape turns the nodal values of a scalar into its derivatives in the
 * directions of the unit cell at the quadrature points, in two steps: first
 * "modes", linear combinations of the nodal values without the constant one,
 * then the derivatives. The transposed way leads from weights of the
 * derivatives to nodal values. Direction d at point q has the index
 * [d][index(q,d)].
 */

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      /**
       * The multilinear cell on [-1,1]^dim with Gauss points at s = +-g,
       * g = 1/sqrt(3). Bit d of a number tells the side in direction d, for
       * nodes and for points.
       *
       * Mode m is the coefficient of the product of s_d over the bits d of m.
       * A derivative in direction d does not depend on s_d, so there are only
       * 2^(dim-1) different values; and since all other s_e are +-g, they are
       * sums and differences of the modes times powers of g, formed by
       * "butterflies" as in a fast Hadamard transform.
       */
      template <int dim_>
      struct Hypercube
      {
        static constexpr int dim = dim_, n_nodes = 1 << dim, n_points = n_nodes,
                             n_modes = n_nodes - 1, n_values = n_nodes / 2;
        static constexpr double g = 0.57735026918962576451;



        static constexpr double
        weight(const int /*q*/)
        {
          return 1.;
        }



        /** Cells can be parallelepipeds: then all modes of more than one bit
         * vanish, up to round-off. */
        static constexpr bool can_be_affine = true;

        static constexpr bool
        is_linear(const int m)
        {
          return (m & (m - 1)) == 0;
        }



        /** The bits of the number @p q without bit @p d. */
        static constexpr int
        index(const int q, const int d)
        {
          return ((q >> (d + 1)) << d) | (q & ((1 << d) - 1));
        }



        /** The number whose bits without bit @p d are @p i; bit d is set. */
        static constexpr int
        mode(const int i, const int d)
        {
          return ((i >> d) << (d + 1)) | (1 << d) | (i & ((1 << d) - 1));
        }



        /**
         * 2^-dim g^(k-1) for a mode with k > 0 bits. Modes are kept without it:
         * as sums and differences only, they cannot depend on which products
         * the compiler fuses with them.
         */
        static constexpr double
        scaling(const int m)
        {
          double result = 1. / n_nodes;
          for (int rest = m & (m - 1); rest != 0; rest &= rest - 1)
            result *= g;
          return result;
        }



        static inline __attribute__((always_inline)) void
        modes_from_nodes(const double *const values,
                         const unsigned int stride,
                         Vector (&modes)[n_modes])
        {
          // Differences to the first node: what follows then rounds relative
          // to the size of the cell, not to its distance from the origin.
          Vector c[n_nodes];
          const Vector first = load(values);
          c[0]               = Vector{};
#pragma GCC unroll 8
          for (int a = 1; a < n_nodes; ++a)
            c[a] = load(values + a * stride) - first;

#pragma GCC unroll 3
          for (int d = 0; d < dim; ++d)
#pragma GCC unroll 4
            for (int i = 0; i < n_values; ++i)
              {
                const int with = mode(i, d), without = with ^ (1 << d);
                const Vector sum = c[with] + c[without];
                c[with]          = c[with] - c[without];
                c[without]       = sum;
              }

#pragma GCC unroll 7
          for (int m = 1; m < n_nodes; ++m)
            modes[m - 1] = c[m];
        }



        static inline __attribute__((always_inline)) void
        gradients_from_modes(const Vector (&modes)[n_modes],
                             Vector (&gradients)[dim][n_values])
        {
          Vector scaled[n_modes];
#pragma GCC unroll 7
          for (int m = 1; m < n_nodes; ++m)
            scaled[m - 1] = scaling(m) * modes[m - 1];

#pragma GCC unroll 3
          for (int d = 0; d < dim; ++d)
            {
              Vector v[n_values];
#pragma GCC unroll 4
              for (int i = 0; i < n_values; ++i)
                v[i] = scaled[mode(i, d) - 1];
#pragma GCC unroll 2
              for (int bit = 1; bit < n_values; bit *= 2)
#pragma GCC unroll 4
                for (int i = 0; i < n_values; ++i)
                  if ((i & bit) == 0)
                    {
                      const Vector difference = v[i] - v[i | bit];
                      v[i | bit]              = v[i] + v[i | bit];
                      v[i]                    = difference;
                    }
#pragma GCC unroll 4
              for (int i = 0; i < n_values; ++i)
                gradients[d][i] = v[i];
            }
        }



        static inline __attribute__((always_inline)) void
        nodes_from_gradients(const Vector (&gradients)[dim][n_values],
                             Vector (&nodes)[n_nodes])
        {
          Vector c[n_nodes] = {};
#pragma GCC unroll 3
          for (int d = 0; d < dim; ++d)
            {
              Vector v[n_values];
#pragma GCC unroll 4
              for (int i = 0; i < n_values; ++i)
                v[i] = gradients[d][i];
#pragma GCC unroll 2
              for (int bit = 1; bit < n_values; bit *= 2)
#pragma GCC unroll 4
                for (int i = 0; i < n_values; ++i)
                  if ((i & bit) == 0)
                    {
                      const Vector sum = v[i] + v[i | bit];
                      v[i | bit]       = v[i | bit] - v[i];
                      v[i]             = sum;
                    }
#pragma GCC unroll 4
              for (int i = 0; i < n_values; ++i)
                c[mode(i, d)] += v[i];
            }

#pragma GCC unroll 7
          for (int m = 1; m < n_nodes; ++m)
            c[m] *= scaling(m);

#pragma GCC unroll 3
          for (int d = 0; d < dim; ++d)
#pragma GCC unroll 4
            for (int i = 0; i < n_values; ++i)
              {
                const int with = mode(i, d), without = with ^ (1 << d);
                const Vector sum = c[without] + c[with];
                c[without]       = c[without] - c[with];
                c[with]          = sum;
              }
#pragma GCC unroll 8
          for (int a = 0; a < n_nodes; ++a)
            nodes[a] = c[a];
        }
      };



      /**
       * The cell with polynomials of degree 2 in each direction: nodes and
       * Gauss points in lexicographic order, three in each direction. The
       * modes are the differences to the first node. Interpolation and
       * derivatives work direction by direction.
       */
      template <int dim_>
      struct QuadraticHypercube
      {
        static constexpr int dim = dim_, n_nodes = dim == 2 ? 9 : 27,
                             n_points = n_nodes, n_modes = n_nodes - 1,
                             n_values = n_nodes;

        static constexpr bool can_be_affine = false;

        using Table = double[3][3];

        /** Coordinate on [0,1] and weight of the Gauss points. */
        static constexpr double point[3]   = {0.5 - 0.38729833462074168852,
                                              0.5,
                                              0.5 + 0.38729833462074168852};
        static constexpr double weights[3] = {5. / 18., 4. / 9., 5. / 18.};

        /** [point][node] */
        static constexpr Table values = {
          {(1. - point[0]) * (1. - 2. * point[0]),
           4. * point[0] * (1. - point[0]),
           point[0] * (2. * point[0] - 1.)},
          {0., 1., 0.},
          {(1. - point[2]) * (1. - 2. * point[2]),
           4. * point[2] * (1. - point[2]),
           point[2] * (2. * point[2] - 1.)}};
        static constexpr Table derivatives = {
          {4. * point[0] - 3., 4. - 8. * point[0], 4. * point[0] - 1.},
          {-1., 0., 1.},
          {4. * point[2] - 3., 4. - 8. * point[2], 4. * point[2] - 1.}};



        static constexpr int
        index(const int q, const int /*d*/)
        {
          return q;
        }



        static constexpr double
        weight(const int q)
        {
          return weights[q % 3] * weights[q / 3 % 3] *
                 (dim == 3 ? weights[q / 9] : 1.);
        }



        /** Multiply all lines of values in direction @p e by a table or by its
         * transposed. */
        template <int e, bool transposed>
        static inline __attribute__((always_inline)) void
        multiply(const Table &table, Vector (&v)[n_nodes])
        {
          constexpr int stride = e == 0 ? 1 : e == 1 ? 3 : 9;
          for (int begin = 0; begin < n_nodes; begin += 3 * stride)
            for (int i = begin; i < begin + stride; ++i)
              {
                const Vector a = v[i], b = v[i + stride], c = v[i + 2 * stride];
                for (int k = 0; k < 3; ++k)
                  v[i + k * stride] =
                    (transposed ? table[0][k] : table[k][0]) * a +
                    (transposed ? table[1][k] : table[k][1]) * b +
                    (transposed ? table[2][k] : table[k][2]) * c;
              }
        }



        /** Multiply by the derivatives in direction @p d and by the values in
         * the others. */
        template <bool transposed>
        static inline __attribute__((always_inline)) void
        differentiate(const int d, Vector (&v)[n_nodes])
        {
          multiply<0, transposed>(d == 0 ? derivatives : values, v);
          multiply<1, transposed>(d == 1 ? derivatives : values, v);
          if constexpr (dim == 3)
            multiply<2, transposed>(d == 2 ? derivatives : values, v);
        }



        static inline __attribute__((always_inline)) void
        modes_from_nodes(const double *const nodes,
                         const unsigned int stride,
                         Vector (&modes)[n_modes])
        {
          const Vector first = load(nodes);
          for (int a = 1; a < n_nodes; ++a)
            modes[a - 1] = load(nodes + a * stride) - first;
        }



        static inline __attribute__((always_inline)) void
        gradients_from_modes(const Vector (&modes)[n_modes],
                             Vector (&gradients)[dim][n_values])
        {
          for (int d = 0; d < dim; ++d)
            {
              gradients[d][0] = Vector{};
              for (int a = 1; a < n_nodes; ++a)
                gradients[d][a] = modes[a - 1];
              differentiate<false>(d, gradients[d]);
            }
        }



        static inline __attribute__((always_inline)) void
        nodes_from_gradients(const Vector (&gradients)[dim][n_values],
                             Vector (&nodes)[n_nodes])
        {
          for (int a = 0; a < n_nodes; ++a)
            nodes[a] = Vector{};
          for (int d = 0; d < dim; ++d)
            {
              Vector v[n_nodes];
              for (int q = 0; q < n_points; ++q)
                v[q] = gradients[d][q];
              differentiate<true>(d, v);
              for (int a = 0; a < n_nodes; ++a)
                nodes[a] += v[a];
            }
        }
      };



      /** The linear simplex; the modes are the differences to the first node.
       */
      template <int dim_>
      struct Simplex
      {
        static constexpr int dim = dim_, n_nodes = dim + 1, n_points = 1,
                             n_modes = dim, n_values = 1;

        static constexpr bool can_be_affine = false;



        static constexpr double
        weight(const int /*q*/)
        {
          return dim == 2 ? 1. / 2. : 1. / 6.;
        }



        static constexpr int
        index(const int /*q*/, const int /*d*/)
        {
          return 0;
        }



        static inline __attribute__((always_inline)) void
        modes_from_nodes(const double *const values,
                         const unsigned int stride,
                         Vector (&modes)[n_modes])
        {
          const Vector first = load(values);
          for (int d = 0; d < dim; ++d)
            modes[d] = load(values + (d + 1) * stride) - first;
        }



        static inline __attribute__((always_inline)) void
        gradients_from_modes(const Vector (&modes)[n_modes],
                             Vector (&gradients)[dim][n_values])
        {
          for (int d = 0; d < dim; ++d)
            gradients[d][0] = modes[d];
        }



        static inline __attribute__((always_inline)) void
        nodes_from_gradients(const Vector (&gradients)[dim][n_values],
                             Vector (&nodes)[n_nodes])
        {
          nodes[0] = Vector{};
          for (int d = 0; d < dim; ++d)
            {
              nodes[d + 1] = gradients[d][0];
              nodes[0] -= gradients[d][0];
            }
        }
      };
    } // namespace
  }   // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
