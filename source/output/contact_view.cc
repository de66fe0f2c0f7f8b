// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/contact_view.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Ricochet
{
  using dealii::Point;

  template <int dim>
  ContactView<dim>::ContactView(const Surface<dim> &surface,
                                const std::vector<unsigned int> &rigid_bodies)
    : surface(surface)
  {
    if (rigid_bodies.empty())
      return;
    const auto &bodies = surface.vertex_body;
    first =
      std::lower_bound(bodies.begin(), bodies.end(), rigid_bodies.front()) -
      bodies.begin();
    end = std::upper_bound(bodies.begin(), bodies.end(), rigid_bodies.back()) -
          bodies.begin();

    own.facets      = surface.facets;
    own.facet_body  = surface.facet_body;
    own.vertex_body = surface.vertex_body;
    own.n_bodies    = surface.n_bodies;
    own.n_nodes     = surface.n_nodes + n_rigid_vertices();
    own.node_begin  = {0};
    for (unsigned int v = 0; v < surface.n_vertices(); ++v)
      {
        if (v >= first && v < end)
          {
            own.vertex_nodes.push_back(surface.n_nodes + v - first);
            own.node_weights.push_back(1.);
          }
        else
          for (unsigned int k = surface.node_begin[v];
               k < surface.node_begin[v + 1];
               ++k)
            {
              own.vertex_nodes.push_back(surface.vertex_nodes[k]);
              own.node_weights.push_back(surface.node_weights[k]);
            }
        own.node_begin.push_back(own.vertex_nodes.size());
      }
  }



  template <int dim>
  std::vector<Point<dim>>
  ContactView<dim>::positions(const ContactState<dim> &state) const
  {
    // Contact points on obstacles are no nodes of the surface.
    Positions result(state.end_positions.begin(),
                     state.end_positions.begin() + surface.n_nodes);
    Positions buffer;
    if (n_rigid_vertices() > 0)
      {
        const Positions &vertices =
          surface.vertex_positions(state.end_positions, buffer);
        result.insert(result.end(),
                      vertices.begin() + first,
                      vertices.begin() + end);
      }
    return result;
  }



  template <int dim>
  void
  ContactView<dim>::add(const ContactState<dim> &state,
                        const double share,
                        ContactInterval<dim> &rigid_vertices) const
  {
    if (n_rigid_vertices() == 0)
      return;
    const auto for_each_vertex = [this](const auto &point, const auto &visit) {
      for (unsigned int i = 0; i < dim + 1; ++i)
        if (point.vertex_weights[i] != 0. && point.vertices[i] >= first &&
            point.vertices[i] < end)
          visit(point.vertices[i] - first, point.vertex_weights[i]);
    };
    for (const PointImpulse<dim> &point : state.point_impulses)
      for_each_vertex(point, [&](const unsigned int n, const double weight) {
        rigid_vertices.impulses[n] += weight * point.impulse;
        rigid_vertices.normal_impulses[n] +=
          share * std::abs(weight) * point.normal;
      });
    for (const PointImpulse<dim> &point :
         sums_of_features(state.point_impulses))
      for_each_vertex(point, [&](const unsigned int n, const double weight) {
        rigid_vertices.tangential_impulses[n] +=
          share * std::abs(weight) * point.tangential();
        rigid_vertices.status[n] = static_cast<double>(point.status);
      });

    for (const Collision<dim> &collision : state.handled)
      for_each_vertex(collision, [&](const unsigned int n, const double) {
        rigid_vertices.gaps[n] = std::numeric_limits<double>::infinity();
      });
    for (const Collision<dim> &collision : state.handled)
      {
        const double gap =
          collision.normal * collision.weighted_sum(state.end_positions);
        for_each_vertex(collision, [&](const unsigned int n, const double) {
          rigid_vertices.gaps[n] = std::min(rigid_vertices.gaps[n], gap);
        });
      }
  }



  template class ContactView<2>;
  template class ContactView<3>;
} // namespace Ricochet
