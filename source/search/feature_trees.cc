// SPDX-License-Identifier: LGPL-2.1-or-later

#include "feature_trees.h"

#include <algorithm>
#include <numeric>

namespace Ricochet
{
  namespace
  {
    using dealii::Point;

    /** More facets per leaf make fewer nodes but more pairs to compare. */
    constexpr unsigned int max_facets_of_leaf = 4;

    /** Depth of a balanced tree over 2^32 facets, for both nodes of a pair. */
    constexpr unsigned int stack_capacity = 256;



    template <std::size_t n, std::size_t m>
    bool
    share_a_vertex(const std::array<unsigned int, n> &a,
                   const std::array<unsigned int, m> &b)
    {
      for (const unsigned int i : a)
        for (const unsigned int j : b)
          if (i == j)
            return true;
      return false;
    }
  } // namespace



  template <int dim>
  struct FeatureTrees<dim>::Selection
  {
    Selection(const Features &features,
              const unsigned int leaf,
              const Box<dim> &box)
    {
      for (unsigned int k = features.begin_of_leaf[leaf];
           k < features.begin_of_leaf[leaf + 1];
           ++k)
        {
          positions[size] = k;
          size += features.boxes[k].overlaps(box);
        }
    }

    // One more than there can be: the last one tried is written, too.
    std::array<unsigned int, 3 * max_facets_of_leaf + 1> positions;
    unsigned int size = 0;
  };



  template <int dim>
  void
  FeatureTrees<dim>::reinit(const Surface<dim> &surface,
                            const std::vector<Point<dim>> &positions)
  {
    nodes.clear();
    roots.assign(surface.n_bodies, Surface<dim>::none);
    end_of_tree.assign(surface.n_bodies, 0);
    n_leaves = 0;
    for (Features *features : {&facets, &edges, &vertices})
      {
        features->numbers.clear();
        features->begin_of_leaf.clear();
      }

    std::vector<Point<dim>> centres(surface.n_facets());
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      for (const unsigned int v : surface.facets[f])
        centres[f] += dealii::Tensor<1, dim>(positions[v]) / double(dim);

    facets.numbers.resize(surface.n_facets());
    std::iota(facets.numbers.begin(), facets.numbers.end(), 0u);
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
        build_tree(centres, begin, end);
        end_of_tree[body] = nodes.size();
      }
    facets.begin_of_leaf.push_back(surface.n_facets());
    distribute_features(surface);
    for (Features *features : {&facets, &edges, &vertices})
      features->boxes.resize(features->numbers.size());
  }



  template <int dim>
  void
  FeatureTrees<dim>::build_tree(const std::vector<Point<dim>> &centres,
                                const unsigned int begin,
                                const unsigned int end)
  {
    const unsigned int node = nodes.size();
    nodes.push_back(Node{Box<dim>(), 0, Surface<dim>::none});
    if (end - begin <= max_facets_of_leaf)
      {
        nodes[node].leaf = n_leaves++;
        facets.begin_of_leaf.push_back(begin);
        return;
      }

    Box<dim> box;
    for (unsigned int k = begin; k < end; ++k)
      box.include(centres[facets.numbers[k]]);
    unsigned int axis = 0;
    for (unsigned int d = 1; d < dim; ++d)
      if (box.upper[d] - box.lower[d] > box.upper[axis] - box.lower[axis])
        axis = d;

    const unsigned int middle = begin + (end - begin) / 2;
    const auto first          = facets.numbers.begin();
    std::nth_element(first + begin,
                     first + middle,
                     first + end,
                     [&](const unsigned int a, const unsigned int b) {
                       return std::make_pair(centres[a][axis], a) <
                              std::make_pair(centres[b][axis], b);
                     });
    build_tree(centres, begin, middle);
    nodes[node].right = nodes.size();
    build_tree(centres, middle, end);
  }



  template <int dim>
  void
  FeatureTrees<dim>::distribute_features(const Surface<dim> &surface)
  {
    // Edges are found through the facets on them.
    std::vector<std::array<unsigned int, 3>> edges_of_facet(
      surface.n_edges() > 0 ? surface.n_facets() : 0);
    std::vector<unsigned int> n_edges_of_facet(edges_of_facet.size(), 0);
    for (unsigned int e = 0; e < surface.n_edges(); ++e)
      for (const unsigned int f : surface.edge_facets[e])
        if (f != Surface<dim>::none)
          edges_of_facet[f][n_edges_of_facet[f]++] = e;

    std::vector<char> has_edge(surface.n_edges(), 0);
    std::vector<char> has_vertex(surface.n_vertices(), 0);
    const auto take =
      [](const unsigned int n, std::vector<char> &taken, Features &features) {
        if (!taken[n])
          features.numbers.push_back(n);
        taken[n] = 1;
      };
    for (unsigned int leaf = 0; leaf < n_leaves; ++leaf)
      {
        edges.begin_of_leaf.push_back(edges.numbers.size());
        vertices.begin_of_leaf.push_back(vertices.numbers.size());
        for (unsigned int k = facets.begin_of_leaf[leaf];
             k < facets.begin_of_leaf[leaf + 1];
             ++k)
          {
            const unsigned int f = facets.numbers[k];
            for (const unsigned int v : surface.facets[f])
              take(v, has_vertex, vertices);
            if (surface.n_edges() > 0)
              for (unsigned int i = 0; i < n_edges_of_facet[f]; ++i)
                take(edges_of_facet[f][i], has_edge, edges);
          }
      }
    edges.begin_of_leaf.push_back(edges.numbers.size());
    vertices.begin_of_leaf.push_back(vertices.numbers.size());
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

        const auto update = [&](Features &features, const auto &box_of) {
          for (unsigned int k = features.begin_of_leaf[node.leaf];
               k < features.begin_of_leaf[node.leaf + 1];
               ++k)
            {
              features.boxes[k] = box_of(features.numbers[k]);
              node.box.include(features.boxes[k]);
            }
        };
        update(facets, [&](const unsigned int f) {
          Box<dim> box;
          for (const unsigned int v : surface.facets[f])
            box.include(vertex_boxes[v]);
          box.inflate(relative_inflation * surface.facet_length[f]);
          return box;
        });
        update(edges, [&](const unsigned int e) {
          Box<dim> box = vertex_boxes[surface.edges[e][0]];
          box.include(vertex_boxes[surface.edges[e][1]]);
          box.inflate(relative_inflation * surface.edge_length[e]);
          return box;
        });
        update(vertices, [&](const unsigned int v) {
          Box<dim> box = vertex_boxes[v];
          box.inflate(relative_inflation * surface.vertex_length[v]);
          return box;
        });
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
  void
  FeatureTrees<dim>::find_pairs(const Surface<dim> &surface,
                                const NodePair &start,
                                FeaturePairs &pairs) const
  {
    std::vector<NodePair> stack;
    stack.reserve(stack_capacity);
    stack.push_back(start);
    while (!stack.empty())
      {
        const NodePair pair = stack.back();
        stack.pop_back();
        if (is_leaf(pair.first) && is_leaf(pair.second))
          compare_leaves(surface, pair.first, pair.second, pairs);
        else
          descend(pair, stack);
      }
  }



  template <int dim>
  void
  FeatureTrees<dim>::compare_leaves(const Surface<dim> &surface,
                                    const unsigned int node_a,
                                    const unsigned int node_b,
                                    FeaturePairs &pairs) const
  {
    const Node &a = nodes[node_a], &b = nodes[node_b];
    const auto compare_vertices = [&](const Selection &selected_vertices,
                                      const Selection &selected_facets) {
      for (unsigned int i = 0; i < selected_vertices.size; ++i)
        for (unsigned int j = 0; j < selected_facets.size; ++j)
          {
            const unsigned int k = selected_vertices.positions[i];
            const unsigned int l = selected_facets.positions[j];
            if (!vertices.boxes[k].overlaps(facets.boxes[l]))
              continue;
            const unsigned int v = vertices.numbers[k], f = facets.numbers[l];
            if (!share_a_vertex(std::array<unsigned int, 1>{{v}},
                                surface.facets[f]))
              pairs.vertex_facet.push_back({{v, f}});
          }
    };
    const Selection facets_a(facets, a.leaf, b.box);
    const Selection facets_b(facets, b.leaf, a.box);
    if (facets_b.size > 0)
      compare_vertices(Selection(vertices, a.leaf, b.box), facets_b);
    if (facets_a.size > 0 && node_a != node_b)
      compare_vertices(Selection(vertices, b.leaf, a.box), facets_a);

    if (dim == 2 || facets_a.size == 0 || facets_b.size == 0)
      return;
    const Selection edges_a(edges, a.leaf, b.box);
    const Selection edges_b(edges, b.leaf, a.box);
    for (unsigned int i = 0; i < edges_a.size; ++i)
      for (unsigned int j = node_a == node_b ? i + 1 : 0; j < edges_b.size; ++j)
        {
          const unsigned int k = edges_a.positions[i];
          const unsigned int l = edges_b.positions[j];
          if (!edges.boxes[k].overlaps(edges.boxes[l]))
            continue;
          const unsigned int e = edges.numbers[k], g = edges.numbers[l];
          if (!share_a_vertex(surface.edges[e], surface.edges[g]))
            pairs.edge_edge.push_back({{std::min(e, g), std::max(e, g)}});
        }
  }



  template class FeatureTrees<2>;
  template class FeatureTrees<3>;
} // namespace Ricochet
