// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_feature_trees_h
#define ricochet_source_search_feature_trees_h

#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <array>
#include <utility>
#include <vector>

#include "box.h"
#include "feature_blocks.h"

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
   * pass over flat arrays (van den Bergen, 1997).
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
    find_pairs(const NodePair &nodes, FeaturePairs &pairs) const;

  private:
    struct Node
    {
      Box<dim> box;
      unsigned int right; // the left child is the next node
      unsigned int leaf;  // or none
    };

    /** Features of one kind in the order of the leaves. */
    template <unsigned int n_vertices>
    struct Features
    {
      std::vector<FeatureBlock<dim, n_vertices>> blocks;
      std::vector<unsigned int> begin_of_leaf;

      void
      clear()
      {
        blocks.clear();
        begin_of_leaf.clear();
      }

      void
      begin_leaf()
      {
        begin_of_leaf.push_back(blocks.size());
      }

      void
      add(const unsigned int number,
          const std::array<unsigned int, n_vertices> &vertices);

      /** Update the boxes of one leaf and include them in @p leaf_box. */
      void
      update(const unsigned int leaf,
             const std::vector<Box<dim>> &vertex_boxes,
             const double relative_inflation,
             const std::vector<double> &lengths,
             Box<dim> &leaf_box);
    };

    /** Collects pairs and appends many at once to the lists. */
    class Collector;

    bool
    is_leaf(const unsigned int node) const
    {
      return nodes[node].leaf != Surface<dim>::none;
    }

    /** Make the tree over part of the facets, whose order is changed. */
    void
    build_tree(const std::vector<dealii::Point<dim>> &centres,
               const std::vector<unsigned int>::iterator begin,
               const std::vector<unsigned int>::iterator end,
               std::vector<unsigned int> &leaf_of_facet);

    /** Fill the leaves: every edge and vertex belongs to one of the leaves
     * that have facets at it, to the one with the fewest. */
    void
    distribute_features(const Surface<dim> &surface,
                        const std::vector<unsigned int> &leaf_of_facet);

    /** Append the pairs of children that @p pair stands for. */
    void
    descend(const NodePair &pair, std::vector<NodePair> &children) const;

    LeafFeatures<dim>
    features_of(const Node &node) const;

    std::vector<Node> nodes;
    std::vector<unsigned int> roots;
    std::vector<unsigned int> end_of_tree; // per body
    unsigned int n_leaves = 0;
    Features<dim> facets;
    Features<2> edges;
    Features<1> vertices;
    LeafComparison<dim> compare_leaves = nullptr;
  };
} // namespace Ricochet

#endif
