// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_feature_trees_h
#define ricochet_source_search_feature_trees_h

#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <array>
#include <utility>
#include <vector>

#include "box.h"

namespace Ricochet
{
  /** Pairs of features that may meet, as flat lists of their numbers. */
  struct FeaturePairs
  {
    using Pair = std::array<unsigned int, 2>;

    std::vector<Pair> vertex_facet; // vertex, facet
    std::vector<Pair> edge_edge;    // the smaller number first

    void
    clear()
    {
      vertex_facet.clear();
      edge_edge.clear();
    }
  };



  /**
   * One tree of boxes per body, over patches of a few neighbouring facets and
   * the edges and vertices that belong to them.
   *
   * The patches are made once: a surface keeps its neighbourhoods however it
   * moves. Only the boxes follow the motion, from the leaves to the root in one
   * pass over flat arrays.
   */
  template <int dim>
  class FeatureTrees
  {
  public:
    /** A pair of nodes whose features are still to be compared. */
    using NodePair = std::pair<unsigned int, unsigned int>;

    /** Make the patches for the surface as it lies now. */
    void
    reinit(const Surface<dim> &surface,
           const std::vector<dealii::Point<dim>> &positions);

    /** Whether the body has any facets. */
    bool
    has_root(const unsigned int body) const
    {
      return roots[body] != Surface<dim>::none;
    }

    /**
     * Update all boxes of one body: a feature's box is the hull of its
     * vertices' boxes, inflated by @p relative_inflation times its length.
     */
    void
    update_boxes(const Surface<dim> &surface,
                 const unsigned int body,
                 const std::vector<Box<dim>> &vertex_boxes,
                 const double relative_inflation);

    /**
     * The pairs of nodes from which find_pairs() finds all pairs of two bodies
     * (which may be the same one); split until there are many enough of them
     * to be shared out to threads.
     */
    void
    split(const std::vector<NodePair> &body_pairs,
          const std::size_t n_wanted,
          std::vector<NodePair> &node_pairs) const;

    /**
     * Append all pairs of features under a pair of nodes whose boxes overlap
     * and that share no vertex.
     */
    void
    find_pairs(const Surface<dim> &surface,
               const NodePair &nodes,
               FeaturePairs &pairs) const;

  private:
    struct Node
    {
      Box<dim> box;
      unsigned int right; // the left child is the next node
      unsigned int leaf;  // or none
    };

    /** Features of one kind in the order of the leaves. */
    struct Features
    {
      std::vector<unsigned int> numbers;
      std::vector<Box<dim>> boxes;
      std::vector<unsigned int> begin_of_leaf;
    };

    /** Numbers of the features of one leaf that overlap some box. */
    struct Selection;

    bool
    is_leaf(const unsigned int node) const
    {
      return nodes[node].leaf != Surface<dim>::none;
    }

    void
    build_tree(const std::vector<dealii::Point<dim>> &centres,
               const unsigned int begin,
               const unsigned int end);

    /** Give every edge and vertex to the leaf that has it first. */
    void
    distribute_features(const Surface<dim> &surface);

    /** Append the pairs of children that @p pair stands for. */
    void
    descend(const NodePair &pair, std::vector<NodePair> &children) const;

    void
    compare_leaves(const Surface<dim> &surface,
                   const unsigned int node_a,
                   const unsigned int node_b,
                   FeaturePairs &pairs) const;

    std::vector<Node> nodes;
    std::vector<unsigned int> roots;
    std::vector<unsigned int> end_of_tree; // per body
    unsigned int n_leaves = 0;
    Features facets, edges, vertices;
  };
} // namespace Ricochet

#endif
