// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/obstacle_view.h>

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <limits>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  template <int dim>
  ObstacleView<dim>::ObstacleView(const ContactObstacles<dim> &obstacles)
    : obstacles(obstacles)
  {
    surface.vertices_are_nodes = true;
    const auto &all            = obstacles.get();
    for (unsigned int k = 0; k < all.size(); ++k)
      {
        if (all[k].shape->kind() == Obstacle<dim>::Kind::surface)
          continue;
        const auto part = all[k].shape->surface(obstacles.middle_of_bodies(),
                                                obstacles.extent_of_bodies());
        surface.append(part.vertices.size(),
                       part.facets,
                       obstacles.first_number() + k);
        reference.insert(reference.end(),
                         part.vertices.begin(),
                         part.vertices.end());
      }
  }



  template <int dim>
  std::vector<Point<dim>>
  ObstacleView<dim>::positions() const
  {
    Positions result;
    for (unsigned int v = 0; v < reference.size(); ++v)
      result.push_back(
        obstacles.get_search()
          .placements(surface.vertex_body[v] - obstacles.first_number())[1]
          .to_space(reference[v]));
    return result;
  }



  template <int dim>
  ContactState<dim>
  ObstacleView<dim>::loads(const ContactState<dim> &state) const
  {
    ContactState<dim> result;
    result.resize(surface.n_nodes);
    const Positions places = positions();
    for (const auto &[node, body] : obstacles.contact_nodes())
      {
        if (state.impulses[node] == Tensor<1, dim>())
          continue;
        unsigned int nearest = Surface<dim>::none;
        double distance      = std::numeric_limits<double>::infinity();
        for (unsigned int v = 0; v < places.size(); ++v)
          if (surface.vertex_body[v] == body &&
              places[v].distance_square(state.end_positions[node]) < distance)
            {
              nearest  = v;
              distance = places[v].distance_square(state.end_positions[node]);
            }
        if (nearest == Surface<dim>::none)
          continue;
        result.impulses[nearest] += state.impulses[node];
        result.normal_impulses[nearest] += state.normal_impulses[node];
        result.status[nearest] = state.status[node];
        result.touched_nodes.push_back(nearest);
      }
    return result;
  }



  template <int dim>
  bool
  ObstacleView<dim>::hides_bodies(const unsigned int body) const
  {
    Tensor<1, dim> middle;
    unsigned int n = 0;
    for (unsigned int v = 0; v < reference.size(); ++v)
      if (surface.vertex_body[v] == body)
        {
          middle += reference[v];
          ++n;
        }
    middle /= std::max(n, 1u);
    double size = 0.;
    for (unsigned int v = 0; v < reference.size(); ++v)
      if (surface.vertex_body[v] == body)
        size = std::max(size, (reference[v] - middle).norm());
    const auto &shape = *obstacles.get()[body - obstacles.first_number()].shape;
    return shape.signed_distance(Point<dim>(middle)) > 1e-6 * size;
  }



  template class ObstacleView<2>;
  template class ObstacleView<3>;
} // namespace Ricochet
