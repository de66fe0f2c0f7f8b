// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_collision_weights_h
#define ricochet_source_search_collision_weights_h

#include <ricochet/search/collision.h>
#include <ricochet/surface/surface.h>

#include <algorithm>

namespace Ricochet
{
  /**
   * Add a weighted vertex to the nodes and weights of a collision. Each node
   * occurs once, also if several vertices depend on it, since effective masses
   * have the squares of the weights.
   */
  template <int dim>
  void
  add_vertex(const Surface<dim> &surface,
             const unsigned int vertex,
             const double vertex_weight,
             Collision<dim> &collision)
  {
    if (surface.vertices_are_nodes)
      {
        collision.nodes.push_back(vertex);
        collision.weights.push_back(vertex_weight);
        return;
      }
    for (unsigned int k = surface.node_begin[vertex];
         k < surface.node_begin[vertex + 1];
         ++k)
      {
        const unsigned int node = surface.vertex_nodes[k];
        const double weight     = vertex_weight * surface.node_weights[k];
        const auto known =
          std::find(collision.nodes.begin(), collision.nodes.end(), node);
        if (known != collision.nodes.end())
          collision.weights[known - collision.nodes.begin()] += weight;
        else
          {
            collision.nodes.push_back(node);
            collision.weights.push_back(weight);
          }
      }
  }
} // namespace Ricochet

#endif
