// SPDX-License-Identifier: LGPL-2.1-or-later

#include "conditions.simd.h"
#include "feature_blocks.h"

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      /** The features of a block whose boxes overlap another box, as bits. */
      template <int dim, unsigned int n>
      inline __attribute__((always_inline)) unsigned int
      overlapping(const FeatureBlock<dim, n> &block,
                  const double *const lower,
                  const double *const upper)
      {
        unsigned int result = 0;
        for (unsigned int lane = 0; lane < block_size; lane += n_lanes)
          {
            Condition overlap =
              less_equal(load(block.lower[0] + lane), broadcast(upper[0])) &
              less_equal(broadcast(lower[0]), load(block.upper[0] + lane));
            for (int d = 1; d < dim; ++d)
              overlap =
                overlap &
                less_equal(load(block.lower[d] + lane), broadcast(upper[d])) &
                less_equal(broadcast(lower[d]), load(block.upper[d] + lane));
            result |= bits_of(overlap) << lane;
          }
        return result;
      }



      /** The features of a block that have a vertex in common with feature
       * @p k of another one, as bits. */
      template <int dim, unsigned int n, unsigned int m>
      inline __attribute__((always_inline)) unsigned int
      sharing(const FeatureBlock<dim, n> &block,
              const FeatureBlock<dim, m> &other,
              const unsigned int k)
      {
        unsigned int result = 0;
        for (unsigned int lane = 0; lane < block_size; lane += n_lanes)
          for (unsigned int j = 0; j < m; ++j)
            {
              const Vector vertex = broadcast(other.vertices[j][k]);
              Condition same = equal(load(block.vertices[0] + lane), vertex);
              for (unsigned int i = 1; i < n; ++i)
                same = same | equal(load(block.vertices[i] + lane), vertex);
              result |= bits_of(same) << lane;
            }
        return result;
      }



      /** The features of a block that overlap feature @p k of another one and
       * share no vertex with it, as bits. */
      template <int dim, unsigned int n, unsigned int m>
      inline __attribute__((always_inline)) unsigned int
      candidates(const FeatureBlock<dim, n> &block,
                 const FeatureBlock<dim, m> &other,
                 const unsigned int k)
      {
        double lower[dim], upper[dim];
        for (int d = 0; d < dim; ++d)
          {
            lower[d] = other.lower[d][k];
            upper[d] = other.upper[d][k];
          }
        unsigned int result = overlapping(block, lower, upper);
        if (result != 0)
          result &= ~sharing(block, other, k);
        return result;
      }



      /** Call @p action for the number of each bit that is set. */
      template <typename Action>
      inline __attribute__((always_inline)) void
      for_each_bit(unsigned int bits, const Action &action)
      {
        for (; bits != 0; bits &= bits - 1)
          action(__builtin_ctz(bits));
      }



      /** Vertices of one leaf and facets of another. */
      template <int dim>
      inline __attribute__((always_inline)) void
      compare_vertices(const LeafFeatures<dim> &a,
                       const LeafFeatures<dim> &b,
                       unsigned int *&output)
      {
        unsigned int *next = output;
        for (const VertexBlock<dim> *v = a.vertices; v < a.end_vertices; ++v)
          for_each_bit(
            overlapping(*v, b.lower, b.upper),
            [&](const unsigned int k) {
              for (const FacetBlock<dim> *f = b.facets; f < b.end_facets; ++f)
                for_each_bit(candidates(*f, *v, k), [&](const unsigned int l) {
                  next[0] = v->numbers[k];
                  next[1] = f->numbers[l];
                  next += 2;
                });
            });
        output = next;
      }



      template <int dim>
      inline __attribute__((always_inline)) void
      compare_edges(const LeafFeatures<dim> &a,
                    const LeafFeatures<dim> &b,
                    unsigned int *&output)
      {
        const bool same    = a.edges == b.edges;
        unsigned int *next = output;
        for (const EdgeBlock<dim> *e = a.edges; e < a.end_edges; ++e)
          for_each_bit(overlapping(*e, b.lower, b.upper),
                       [&](const unsigned int k) {
                         for (const EdgeBlock<dim> *f = same ? e : b.edges;
                              f < b.end_edges;
                              ++f)
                           {
                             unsigned int found = candidates(*f, *e, k);
                             if (f == e)
                               found &= ~0u << k; // each pair of one leaf once
                             const unsigned int number = e->numbers[k];
                             for_each_bit(found, [&](const unsigned int l) {
                               const unsigned int other = f->numbers[l];
                               next[0] = number < other ? number : other;
                               next[1] = number < other ? other : number;
                               next += 2;
                             });
                           }
                       });
        output = next;
      }



      template <int dim>
      void
      compare_leaves(const LeafFeatures<dim> &a,
                     const LeafFeatures<dim> &b,
                     PairOutput &output)
      {
        compare_vertices(a, b, output.vertex_facet);
        if (a.facets != b.facets)
          compare_vertices(b, a, output.vertex_facet);
        if (dim == 3)
          compare_edges(a, b, output.edge_edge);
      }
    } // namespace



    template <int dim>
    LeafComparison<dim>
    leaf_comparison()
    {
      return compare_leaves<dim>;
    }

    template LeafComparison<2>
    leaf_comparison();
    template LeafComparison<3>
    leaf_comparison();
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet
