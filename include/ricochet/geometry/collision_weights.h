// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_geometry_collision_weights_h
#define ricochet_geometry_collision_weights_h

#include <ricochet/geometry/collision.h>
#include <ricochet/search/feature_kinds.h>
#include <ricochet/surface/surface.h>

#include <algorithm>
#include <array>

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

  /** Fill vertices, nodes and weights of a collision from weights of vertices.
   */
  template <int dim>
  void
  set_weights(const Surface<dim> &surface,
              const std::array<unsigned int, dim + 1> &vertices,
              const std::array<double, 4> &weights,
              Collision<dim> &collision)
  {
    collision.vertices = vertices;
    std::copy_n(weights.begin(), dim + 1, collision.vertex_weights.begin());
    if (surface.vertices_are_nodes)
      {
        collision.nodes.assign(vertices.begin(), vertices.end());
        collision.weights.assign(weights.begin(), weights.begin() + dim + 1);
        return;
      }
    collision.nodes.clear();
    collision.weights.clear();
    for (unsigned int i = 0; i < vertices.size(); ++i)
      add_vertex(surface, vertices[i], weights[i], collision);
  }



  /** Fill what does not depend on positions. */
  template <int dim>
  void
  set_pair(const Surface<dim> &surface,
           const Encounter &encounter,
           Collision<dim> &collision)
  {
    collision.length = pair_length(surface, encounter);
    collision.bodies = for_kind<dim>(encounter.kind, [&](const auto features) {
      return features.bodies(surface, encounter.first, encounter.second);
    });
  }



  /** Nodes, weights, bodies and length of two features with weights of their
   * vertices. */
  template <int dim>
  void
  set_features(const Surface<dim> &surface,
               const Encounter &encounter,
               const std::array<double, 4> &weights,
               Collision<dim> &collision)
  {
    set_pair(surface, encounter, collision);
    set_weights(surface,
                feature_vertices(surface, encounter),
                weights,
                collision);
  }
} // namespace Ricochet

#endif
