// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_feature_blocks_h
#define ricochet_source_search_feature_blocks_h

namespace Ricochet
{
  /** Boxes that one box is compared with at once. */
  constexpr unsigned int block_size = 8;



  /**
   * Some features of one kind in structure of arrays: their boxes, their
   * @p n_vertices vertices, as floating point numbers that fit the same
   * registers, and their own numbers. Lanes without a feature have boxes that
   * overlap nothing.
   */
  template <int dim, unsigned int n_vertices>
  struct alignas(64) FeatureBlock
  {
    double lower[dim][block_size];
    double upper[dim][block_size];
    double vertices[n_vertices][block_size];
    unsigned int numbers[block_size];
    unsigned int size; // lanes with a feature, the first ones
  };

  template <int dim>
  using FacetBlock = FeatureBlock<dim, dim>;

  template <int dim>
  using EdgeBlock = FeatureBlock<dim, 2>;

  template <int dim>
  using VertexBlock = FeatureBlock<dim, 1>;



  /** Where the features of a leaf are. */
  template <int dim>
  struct LeafFeatures
  {
    /** The box around all features. */
    const double *lower, *upper;

    const FacetBlock<dim> *facets, *end_facets;
    const EdgeBlock<dim> *edges, *end_edges;
    const VertexBlock<dim> *vertices, *end_vertices;
  };



  /** Where to write the next pairs, two numbers each. */
  struct PairOutput
  {
    unsigned int *vertex_facet, *edge_edge;
  };



  /**
   * Writes the pairs of features of two leaves, or of one leaf given twice,
   * whose boxes overlap and that share no vertex. There must be room for all
   * pairs.
   */
  template <int dim>
  using LeafComparison = void (*)(const LeafFeatures<dim> &a,
                                  const LeafFeatures<dim> &b,
                                  PairOutput &output);
} // namespace Ricochet

#endif
