// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_search_candidates_h
#define ricochet_tests_search_candidates_h

#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <algorithm>
#include <vector>

#include "feature_trees.h"
#include "overlapping_boxes.h"

namespace Ricochet
{
  template <int dim>
  using Boxes = std::vector<Box<dim>>;

  /** The boxes of the paths of all vertices, larger by @p r on every side. */
  template <int dim>
  void
  make_vertex_boxes(const std::vector<dealii::Point<dim>> &begin,
                    const std::vector<dealii::Point<dim>> &end,
                    const double r,
                    Boxes<dim> &boxes)
  {
    boxes.assign(begin.size(), Box<dim>());
    for (unsigned int v = 0; v < begin.size(); ++v)
      {
        boxes[v].include(begin[v]);
        boxes[v].include(end[v]);
        boxes[v].inflate(r);
      }
  }



  template <int dim, std::size_t n>
  Box<dim>
  hull(const Boxes<dim> &vertex_boxes,
       const std::array<unsigned int, n> &vertices)
  {
    Box<dim> box;
    for (const unsigned int v : vertices)
      box.include(vertex_boxes[v]);
    return box;
  }



  template <std::size_t n, std::size_t m>
  bool
  share_a_vertex(const std::array<unsigned int, n> &a,
                 const std::array<unsigned int, m> &b)
  {
    return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) !=
           a.end();
  }



  /** All candidates, those within one body included, by the trees of the
   * search. */
  template <int dim>
  class TreeCandidates
  {
  public:
    TreeCandidates(const Surface<dim> &surface,
                   const std::vector<dealii::Point<dim>> &positions)
      : surface(surface)
    {
      trees.reinit(surface, positions);
    }

    void
    find(const std::vector<dealii::Point<dim>> &begin,
         const std::vector<dealii::Point<dim>> &end,
         const double r,
         FeaturePairs &pairs)
    {
      make_vertex_boxes(begin, end, r, boxes);
      body_boxes.assign(surface.n_bodies, Box<dim>());
      for (unsigned int v = 0; v < boxes.size(); ++v)
        body_boxes[surface.vertex_body[v]].include(boxes[v]);
      find_overlapping_boxes(body_boxes, body_pairs);
      for (unsigned int b = 0; b < surface.n_bodies; ++b)
        {
          trees.update_boxes(surface, b, boxes, 0.);
          body_pairs.emplace_back(b, b);
        }
      trees.split(body_pairs, 0, node_pairs);
      pairs.clear();
      for (const auto &nodes : node_pairs)
        trees.find_pairs(nodes, pairs);
    }

  private:
    const Surface<dim> &surface;
    FeatureTrees<dim> trees;
    Boxes<dim> boxes, body_boxes;
    std::vector<typename FeatureTrees<dim>::NodePair> body_pairs, node_pairs;
  };
} // namespace Ricochet

#endif
