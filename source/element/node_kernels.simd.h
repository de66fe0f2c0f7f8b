// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_node_kernels_simd_h
#define ricochet_source_element_node_kernels_simd_h

#include <ricochet/base/simd.h>

#include "cell_kernel_types.h"

/**
 * @file
 * The way between nodes, whose components are beside each other, and batches,
 * whose cells are, in SIMD lanes; for kernel source files only, see simd.h and
 * CellKernels. Pairs of components travel together: two pairs that overlap make
 * the three components of a node.
 */

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      typedef double Pair __attribute__((vector_size(16)));

      typedef double UnalignedPair
        __attribute__((vector_size(16), aligned(8), may_alias));



      /** The components of one node of one cell, see place_size(). */
      template <int dim>
      struct Place
      {
        typedef double Values
          __attribute__((vector_size(32), aligned(8), may_alias));
      };

      template <>
      struct Place<2>
      {
        using Values = UnalignedPair;
      };



      inline __attribute__((always_inline)) Pair
      load_pair(const double *const source)
      {
        return *reinterpret_cast<const UnalignedPair *>(source);
      }



      /** The pairs at the first and every other address, one after the other.
       */
      inline __attribute__((always_inline)) Vector
      load_every_other(const double *const *const from)
      {
#if defined(__AVX512F__)
        const auto low  = __builtin_shufflevector(load_pair(from[0]),
                                                 load_pair(from[2]),
                                                 0,
                                                 1,
                                                 2,
                                                 3);
        const auto high = __builtin_shufflevector(load_pair(from[4]),
                                                  load_pair(from[6]),
                                                  0,
                                                  1,
                                                  2,
                                                  3);
        return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#elif defined(__AVX__)
        return __builtin_shufflevector(load_pair(from[0]),
                                       load_pair(from[2]),
                                       0,
                                       1,
                                       2,
                                       3);
#else
        return load_pair(from[0]);
#endif
      }



      /** Write the pairs of a vector from number @p k on to every other place
       * after @p destination, which are @p stride apart. */
      template <unsigned int stride, int k = 0>
      inline __attribute__((always_inline)) void
      store_every_other(const Vector pairs, double *const destination)
      {
        *reinterpret_cast<UnalignedPair *>(destination + 2 * k * stride) =
          __builtin_shufflevector(pairs, pairs, 2 * k, 2 * k + 1);
        if constexpr (2 * (k + 1) < n_lanes)
          store_every_other<stride, k + 1>(pairs, destination);
      }



      /** See CellKernels. */
      template <int dim, int n_nodes>
      void
      gather(const unsigned int *nodes, const double *source, double *values)
      {
        for (int a = 0; a < n_nodes; ++a)
          for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
            {
              const double *from[n_lanes];
              for (unsigned int l = 0; l < n_lanes; ++l)
                from[l] = source + static_cast<unsigned long int>(dim) *
                                     nodes[a * batch_size + lane + l];
              double *const to  = values + a * dim * batch_size + lane;
              const Vector even = load_every_other(from),
                           odd  = load_every_other(from + 1);
              store(to, first_of_pairs(even, odd));
              store(to + batch_size, second_of_pairs(even, odd));
              if constexpr (dim == 3)
                {
                  for (unsigned int l = 0; l < n_lanes; ++l)
                    ++from[l];
                  store(to + 2 * batch_size,
                        second_of_pairs(load_every_other(from),
                                        load_every_other(from + 1)));
                }
            }
      }



      /** See CellKernels. */
      template <int dim, int n_nodes>
      void
      scatter(const double *values, double *places)
      {
        constexpr unsigned int stride = place_size(dim);
        for (int a = 0; a < n_nodes; ++a)
          for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
            {
              const double *const from = values + a * dim * batch_size + lane;
              double *const to = places + (a * batch_size + lane) * stride;
              const Vector x = load(from), y = load(from + batch_size);
              store_every_other<stride>(first_of_pairs(x, y), to);
              store_every_other<stride>(second_of_pairs(x, y), to + stride);
              if constexpr (dim == 3)
                {
                  const Vector z = load(from + 2 * batch_size), none = {};
                  store_every_other<stride>(first_of_pairs(z, none), to + 2);
                  store_every_other<stride>(second_of_pairs(z, none),
                                            to + stride + 2);
                }
            }
      }



      /** See CellKernels. */
      template <int dim>
      void
      sum_at_nodes(const unsigned int n,
                   const unsigned int *nodes,
                   const unsigned int *begin,
                   const unsigned int *places,
                   const double *buffer,
                   const bool go_on,
                   double *sums)
      {
        using Values = typename Place<dim>::Values;
        for (unsigned int i = 0; i < n; ++i)
          {
            double *const result =
              sums + static_cast<unsigned long int>(dim) * nodes[i];
            Values sum = {};
            if (go_on)
              for (int c = 0; c < dim; ++c)
                sum[c] = result[c];
            for (unsigned int k = begin[i]; k < begin[i + 1]; ++k)
              sum += *reinterpret_cast<const Values *>(buffer + places[k]);
            for (int c = 0; c < dim; ++c)
              result[c] = sum[c];
          }
      }
    } // namespace
  }   // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
