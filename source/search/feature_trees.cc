// SPDX-License-Identifier: LGPL-2.1-or-later

#include "feature_trees.h"

#include <algorithm>
#include <numeric>

#include "leaf_kernels.h"

namespace Ricochet
{
  namespace
  {
    using dealii::Point;

    /** More facets per leaf make fewer nodes but more pairs to compare; most
     * edges of five facets, 7.5 on a large surface, fit one block. */
    constexpr unsigned int facets_per_leaf = 5;

    /** Edges and vertices that a leaf can have at most. */
    constexpr unsigned int max_features = 3 * facets_per_leaf;

    /** Depth of a balanced tree over 2^32 facets, for both nodes of a pair. */
    constexpr unsigned int stack_capacity = 256;
  } // namespace



  template <int dim>
  template <unsigned int n_vertices>
  void
  FeatureTrees<dim>::Features<n_vertices>::add(
    const unsigned int number,
    const std::array<unsigned int, n_vertices> &vertices)
  {
    if (blocks.size() == begin_of_leaf.back() ||
        blocks.back().size == block_size)
      {
        blocks.emplace_back();
        auto &block = blocks.back();
        block.size  = 0;
        for (unsigned int d = 0; d < dim; ++d)
          for (unsigned int k = 0; k < block_size; ++k)
            {
              block.lower[d][k] = Box<dim>().lower[d];
              block.upper[d][k] = Box<dim>().upper[d];
            }
      }
    auto &block               = blocks.back();
    block.numbers[block.size] = number;
    for (unsigned int i = 0; i < n_vertices; ++i)
      block.vertices[i][block.size] = vertices[i];
    ++block.size;
  }



  template <int dim>
  template <unsigned int n_vertices>
  void
  FeatureTrees<dim>::Features<n_vertices>::update(
    const unsigned int leaf,
    const std::vector<Box<dim>> &vertex_boxes,
    const double relative_inflation,
    const std::vector<double> &lengths,
    Box<dim> &leaf_box)
  {
    for (unsigned int b = begin_of_leaf[leaf]; b < begin_of_leaf[leaf + 1]; ++b)
      {
        auto &block = blocks[b];
        for (unsigned int k = 0; k < block.size; ++k)
          {
            const auto vertex = [&](const unsigned int i) {
              return static_cast<unsigned int>(block.vertices[i][k]);
            };
            Box<dim> box = vertex_boxes[vertex(0)];
            for (unsigned int i = 1; i < n_vertices; ++i)
              box.include(vertex_boxes[vertex(i)]);
            box.inflate(relative_inflation * lengths[block.numbers[k]]);
            leaf_box.include(box);
            for (unsigned int d = 0; d < dim; ++d)
              {
                block.lower[d][k] = box.lower[d];
                block.upper[d][k] = box.upper[d];
              }
          }
      }
  }



  template <int dim>
  class FeatureTrees<dim>::Collector
  {
  public:
    Collector(FeaturePairs &pairs)
      : pairs(pairs)
    {}

    ~Collector()
    {
      flush();
    }

    /** Room for the pairs of two leaves. */
    PairOutput &
    output()
    {
      constexpr unsigned int n = capacity - room;
      if (next.vertex_facet > vertex_facet[n].data() ||
          next.edge_edge > edge_edge[n].data())
        flush();
      return next;
    }

  private:
    using Pair = FeaturePairs::Pair;
    static_assert(sizeof(Pair) == 2 * sizeof(unsigned int),
                  "Pairs are written as two numbers.");
    static constexpr unsigned int room     = max_features * max_features;
    static constexpr unsigned int capacity = 4 * room;

    void
    flush()
    {
      const auto append = [](std::vector<Pair> &to,
                             const std::array<Pair, capacity> &from,
                             unsigned int *&end) {
        to.insert(to.end(),
                  from.begin(),
                  from.begin() + (end - from[0].data()) / 2);
        end = const_cast<unsigned int *>(from[0].data());
      };
      append(pairs.vertex_facet, vertex_facet, next.vertex_facet);
      append(pairs.edge_edge, edge_edge, next.edge_edge);
    }

    FeaturePairs &pairs;
    std::array<Pair, capacity> vertex_facet, edge_edge;
    PairOutput next{vertex_facet[0].data(), edge_edge[0].data()};
  };



  template <int dim>
  void
  FeatureTrees<dim>::reinit(const Surface<dim> &surface,
                            const std::vector<Point<dim>> &positions)
  {
    compare_leaves =
      RICOCHET_CALL_KERNEL(preferred_instruction_set(), leaf_comparison<dim>());
    nodes.clear();
    roots.assign(surface.n_bodies, Surface<dim>::none);
    end_of_tree.assign(surface.n_bodies, 0);
    n_leaves = 0;

    std::vector<Point<dim>> centres(surface.n_facets());
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      for (const unsigned int v : surface.facets[f])
        centres[f] += dealii::Tensor<1, dim>(positions[v]) / double(dim);

    std::vector<unsigned int> order(surface.n_facets());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<unsigned int> leaf_of_facet(surface.n_facets());
    for (unsigned int begin = 0, end; begin < surface.n_facets(); begin = end)
      {
        const unsigned int body = surface.facet_body[begin];
        for (end = begin + 1;
             end < surface.n_facets() && surface.facet_body[end] == body;)
          ++end;
        AssertThrow(!has_root(body),
                    dealii::ExcMessage("The facets of one body must be "
                                       "consecutive."));
        roots[body] = nodes.size();
        build_tree(centres,
                   order.begin() + begin,
                   order.begin() + end,
                   leaf_of_facet);
        end_of_tree[body] = nodes.size();
      }
    distribute_features(surface, leaf_of_facet);
  }



  template <int dim>
  void
  FeatureTrees<dim>::build_tree(const std::vector<Point<dim>> &centres,
                                const std::vector<unsigned int>::iterator begin,
                                const std::vector<unsigned int>::iterator end,
                                std::vector<unsigned int> &leaf_of_facet)
  {
    const unsigned int node = nodes.size();
    nodes.push_back(Node{Box<dim>(), 0, Surface<dim>::none});
    const unsigned int n = end - begin;
    if (n <= facets_per_leaf)
      {
        nodes[node].leaf = n_leaves;
        for (auto f = begin; f < end; ++f)
          leaf_of_facet[*f] = n_leaves;
        ++n_leaves;
        return;
      }

    Box<dim> box;
    for (auto f = begin; f < end; ++f)
      box.include(centres[*f]);
    unsigned int axis = 0;
    for (unsigned int d = 1; d < dim; ++d)
      if (box.upper[d] - box.lower[d] > box.upper[axis] - box.lower[axis])
        axis = d;

    // All leaves but one are full.
    const unsigned int n_half =
      (n + facets_per_leaf - 1) / facets_per_leaf / 2 * facets_per_leaf;
    const auto middle = begin + n_half;
    std::nth_element(begin,
                     middle,
                     end,
                     [&](const unsigned int a, const unsigned int b) {
                       return std::make_pair(centres[a][axis], a) <
                              std::make_pair(centres[b][axis], b);
                     });
    build_tree(centres, begin, middle, leaf_of_facet);
    nodes[node].right = nodes.size();
    build_tree(centres, middle, end, leaf_of_facet);
  }



  template <int dim>
  void
  FeatureTrees<dim>::distribute_features(
    const Surface<dim> &surface,
    const std::vector<unsigned int> &leaf_of_facet)
  {
    using Lists = std::vector<std::vector<unsigned int>>;
    Lists facets_of_leaf(n_leaves), edges_of_leaf(n_leaves),
      vertices_of_leaf(n_leaves);

    std::vector<unsigned int> owner(surface.n_vertices(), Surface<dim>::none);
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      {
        const unsigned int leaf = leaf_of_facet[f];
        facets_of_leaf[leaf].push_back(f);
        for (const unsigned int v : surface.facets[f])
          if (owner[v] == Surface<dim>::none)
            {
              owner[v] = leaf;
              vertices_of_leaf[leaf].push_back(v);
            }
      }
    for (unsigned int e = 0; e < surface.n_edges(); ++e)
      {
        unsigned int leaf = leaf_of_facet[surface.edge_facets[e][0]];
        if (surface.edge_facets[e][1] != Surface<dim>::none)
          {
            const unsigned int other = leaf_of_facet[surface.edge_facets[e][1]];
            if (edges_of_leaf[other].size() < edges_of_leaf[leaf].size())
              leaf = other;
          }
        edges_of_leaf[leaf].push_back(e);
      }

    const auto fill =
      [&](auto &features, const Lists &lists, const auto &vertices_of) {
        features.clear();
        for (const auto &list : lists)
          {
            features.begin_leaf();
            for (const unsigned int k : list)
              features.add(k, vertices_of(k));
          }
        features.begin_leaf();
      };
    fill(facets, facets_of_leaf, [&](const unsigned int f) {
      return surface.facets[f];
    });
    fill(edges, edges_of_leaf, [&](const unsigned int e) {
      return surface.edges[e];
    });
    fill(vertices, vertices_of_leaf, [&](const unsigned int v) {
      return std::array<unsigned int, 1>{{v}};
    });
  }



  template <int dim>
  void
  FeatureTrees<dim>::update_boxes(const Surface<dim> &surface,
                                  const unsigned int body,
                                  const std::vector<Box<dim>> &vertex_boxes,
                                  const double relative_inflation)
  {
    for (unsigned int n = end_of_tree[body]; n-- > roots[body];)
      {
        Node &node = nodes[n];
        node.box   = Box<dim>();
        if (!is_leaf(n))
          {
            node.box.include(nodes[n + 1].box);
            node.box.include(nodes[node.right].box);
            continue;
          }
        const auto update = [&](auto &features,
                                const std::vector<double> &lengths) {
          features.update(node.leaf,
                          vertex_boxes,
                          relative_inflation,
                          lengths,
                          node.box);
        };
        update(facets, surface.facet_length);
        update(edges, surface.edge_length);
        update(vertices, surface.vertex_length);
      }
  }



  template <int dim>
  void
  FeatureTrees<dim>::descend(const NodePair &pair,
                             std::vector<NodePair> &children) const
  {
    const unsigned int a = pair.first, b = pair.second;
    const auto add = [&](const unsigned int i, const unsigned int j) {
      if (nodes[i].box.overlaps(nodes[j].box))
        children.emplace_back(i, j);
    };
    if (a == b)
      {
        add(a + 1, a + 1);
        add(a + 1, nodes[a].right);
        add(nodes[a].right, nodes[a].right);
      }
    else if (is_leaf(b) ||
             (!is_leaf(a) && nodes[a].box.size() >= nodes[b].box.size()))
      {
        add(a + 1, b);
        add(nodes[a].right, b);
      }
    else
      {
        add(a, b + 1);
        add(a, nodes[b].right);
      }
  }



  template <int dim>
  void
  FeatureTrees<dim>::split(const std::vector<NodePair> &body_pairs,
                           const std::size_t n_wanted,
                           std::vector<NodePair> &node_pairs) const
  {
    node_pairs.clear();
    for (const NodePair &pair : body_pairs)
      {
        const unsigned int a = roots[pair.first], b = roots[pair.second];
        if (nodes[a].box.overlaps(nodes[b].box))
          node_pairs.emplace_back(a, b);
      }

    std::vector<NodePair> children;
    bool has_split = true;
    while (has_split && node_pairs.size() < n_wanted)
      {
        has_split = false;
        children.clear();
        for (const NodePair &pair : node_pairs)
          if (is_leaf(pair.first) && is_leaf(pair.second))
            children.push_back(pair);
          else
            {
              descend(pair, children);
              has_split = true;
            }
        node_pairs.swap(children);
      }
  }



  template <int dim>
  LeafFeatures<dim>
  FeatureTrees<dim>::features_of(const Node &node) const
  {
    const auto begin = [](const auto &features, const unsigned int leaf) {
      return features.blocks.data() + features.begin_of_leaf[leaf];
    };
    return {node.box.lower.data(),
            node.box.upper.data(),
            begin(facets, node.leaf),
            begin(facets, node.leaf + 1),
            begin(edges, node.leaf),
            begin(edges, node.leaf + 1),
            begin(vertices, node.leaf),
            begin(vertices, node.leaf + 1)};
  }



  template <int dim>
  void
  FeatureTrees<dim>::find_pairs(const NodePair &start,
                                FeaturePairs &pairs) const
  {
    Collector collector(pairs);
    std::vector<NodePair> stack;
    stack.reserve(stack_capacity);
    stack.push_back(start);
    while (!stack.empty())
      {
        const NodePair pair = stack.back();
        stack.pop_back();
        if (is_leaf(pair.first) && is_leaf(pair.second))
          compare_leaves(features_of(nodes[pair.first]),
                         features_of(nodes[pair.second]),
                         collector.output());
        else
          descend(pair, stack);
      }
  }



  template class FeatureTrees<2>;
  template class FeatureTrees<3>;
} // namespace Ricochet
