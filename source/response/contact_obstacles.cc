// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/moment.h>
#include <ricochet/response/contact_obstacles.h>

#include <algorithm>
#include <sstream>
#include <tuple>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** What moves by less in a step, relative to the size of the model, is not
     * looked at for jumps. */
    constexpr double no_jump = 1e-3;

    /** A motion with most of a step's way in such a part of the step jumps. */
    constexpr unsigned int n_bisections = 30;



    /** Half the diagonal of the box around some points, and its middle. */
    template <int dim>
    std::pair<Point<dim>, double>
    extent_of(const std::vector<Point<dim>> &points)
    {
      if (points.empty())
        return {Point<dim>(), 1.};
      Point<dim> low = points[0], high = points[0];
      for (const Point<dim> &x : points)
        for (unsigned int d = 0; d < dim; ++d)
          {
            low[d]  = std::min(low[d], x[d]);
            high[d] = std::max(high[d], x[d]);
          }
      return {low + 0.5 * (high - low), 0.5 * low.distance(high)};
    }
  } // namespace



  template <int dim>
  void
  ContactObstacles<dim>::add_to(Surface<dim> &target,
                                const Positions &nodes,
                                const unsigned int n_bodies,
                                const unsigned int first_rigid)
  {
    first_body        = std::max(n_bodies, target.n_bodies);
    first_vertex_node = target.n_nodes;
    reference.clear();
    obstacle_of_node.clear();
    step_loads.assign(obstacles.size(), ObstacleLoad<dim>());
    if (obstacles.empty())
      return;

    Positions buffer;
    Positions vertices       = target.vertex_positions(nodes, buffer);
    std::tie(middle, extent) = extent_of(vertices);
    for (unsigned int k = 0; k < obstacles.size(); ++k)
      {
        obstacles[k].shape->set_extent(extent);
        if (obstacles[k].shape->kind() != Obstacle<dim>::Kind::surface)
          continue;
        const auto part = obstacles[k].shape->surface(middle, extent);
        target.append(part.vertices.size(), part.facets, first_body + k);
        const auto placement = obstacles[k].motion.placement(0.);
        for (const Point<dim> &X : part.vertices)
          {
            vertices.push_back(placement.to_space(X));
            reference.push_back(X);
            obstacle_of_node.push_back(k);
          }
      }
    target.n_bodies = first_body + obstacles.size();
    target.build_edges(vertices);
    target.remove_flat_edges(vertices, std::min(first_rigid, first_body));

    first_frame_node = target.n_nodes;
    for (unsigned int k = 0; k < obstacles.size(); ++k)
      for (unsigned int d = 0; d < dim; ++d)
        {
          Point<dim> X = middle;
          X[d] += extent;
          reference.push_back(X);
          obstacle_of_node.push_back(k);
        }
    first_contact_node = first_frame_node + dim * obstacles.size();
  }



  template <int dim>
  SearchSettings
  ContactObstacles<dim>::without_pairs_of_obstacles(
    const SearchSettings &settings) const
  {
    SearchSettings result = settings;
    if (obstacles.empty())
      return result;
    const std::size_t n = first_body + obstacles.size();
    if (result.body_pairs.empty())
      result.body_pairs.assign(n * n, 1);
    for (std::size_t a = first_body; a < n; ++a)
      for (std::size_t b = first_body; b < n; ++b)
        result.body_pairs[a * n + b] = 0;
    return result;
  }



  template <int dim>
  void
  ContactObstacles<dim>::reinit(const Surface<dim> &new_surface,
                                const SearchSettings &settings)
  {
    surface = &new_surface;
    search.reinit(*surface, obstacles, first_body, settings);
  }



  template <int dim>
  void
  ContactObstacles<dim>::begin_step(const double time, ContactState<dim> &state)
  {
    if (obstacles.empty())
      return;
    place(time, state);
    if (state.dt > 0.)
      refuse_jumps(time, state.dt);
  }



  template <int dim>
  void
  ContactObstacles<dim>::begin_part(const double time, ContactState<dim> &part)
  {
    if (obstacles.empty())
      return;
    of_whole_step = obstacle_of_node;
    place(time, part);
  }



  template <int dim>
  void
  ContactObstacles<dim>::end_part(const double time,
                                  const ContactState<dim> &whole)
  {
    if (obstacles.empty())
      return;
    search.place(time, whole.dt);
    obstacle_of_node = of_whole_step;
  }



  template <int dim>
  void
  ContactObstacles<dim>::place(const double time, ContactState<dim> &state)
  {
    search.place(time, state.dt);
    state.resize(first_vertex_node);
    forget_contacts(state);
    for (unsigned int i = 0; i < reference.size(); ++i)
      {
        const auto &placements = search.placements(obstacle_of_node[i]);
        state.move_obstacle_node(first_vertex_node + i,
                                 placements[0].to_space(reference[i]),
                                 placements[1].to_space(reference[i]));
      }
  }



  template <int dim>
  void
  ContactObstacles<dim>::forget_contacts(ContactState<dim> &state)
  {
    if (obstacles.empty())
      return;
    state.resize(first_contact_node);
    obstacle_of_node.resize(reference.size());
    state.given_collisions.clear();
  }



  template <int dim>
  void
  ContactObstacles<dim>::detect(const Positions &begin_vertices,
                                const Positions &end_vertices,
                                ContactState<dim> &state,
                                std::vector<Encounter> &encounters)
  {
    if (search.empty())
      return;
    search.detect(begin_vertices,
                  end_vertices,
                  state.start_positions.size(),
                  contacts,
                  encounters);
    state.resize(state.start_positions.size() + contacts.size());
    state.given_collisions.clear();
    for (const ObstacleContact<dim> &contact : contacts)
      {
        const auto &nodes = contact.collision.nodes;
        state.move_obstacle_node(nodes.back(), contact.begin, contact.end);
        obstacle_of_node.push_back(contact.obstacle);
        // The feature, and what holds the obstacle.
        GivenCollision<dim> given{contact.collision,
                                  {nodes.begin(), nodes.end() - 1}};
        for (unsigned int d = 0; d < dim; ++d)
          given.nodes.push_back(first_frame_node + contact.obstacle * dim + d);
        state.given_collisions.push_back(given);
      }
  }



  template <int dim>
  void
  ContactObstacles<dim>::finish_step(ContactState<dim> &state)
  {
    if (obstacles.empty())
      return;
    step_loads.assign(obstacles.size(), ObstacleLoad<dim>());
    for (unsigned int i = 0; i < obstacle_of_node.size(); ++i)
      {
        const unsigned int node       = first_vertex_node + i;
        const Tensor<1, dim> &impulse = state.impulses[node];
        ObstacleLoad<dim> &load       = step_loads[obstacle_of_node[i]];
        load.impulse += impulse;
        const Tensor<1, dim> at_start =
          state.dt > 0. ? state.position_impulses[node] / state.dt
                        : Tensor<1, dim>();
        load.angular_impulse +=
          moment(state.start_positions[node], at_start) +
          moment(state.end_positions[node], impulse - at_start);
        load.work += impulse * state.velocities[node];
      }
    for (const auto &[body, couple] : state.couples)
      step_loads[body - first_body].angular_impulse += couple;
    auto &touched = state.touched_nodes;
    touched.erase(std::remove_if(touched.begin(),
                                 touched.end(),
                                 [this](const unsigned int node) {
                                   return node >= first_vertex_node;
                                 }),
                  touched.end());
  }



  template <int dim>
  std::vector<std::array<unsigned int, 2>>
  ContactObstacles<dim>::contact_nodes() const
  {
    std::vector<std::array<unsigned int, 2>> result;
    for (unsigned int i = reference.size(); i < obstacle_of_node.size(); ++i)
      result.push_back(
        {{first_vertex_node + i, first_body + obstacle_of_node[i]}});
    return result;
  }



  template <int dim>
  void
  ContactObstacles<dim>::refuse_jumps(const double time, const double dt) const
  {
    for (unsigned int k = 0; k < obstacles.size(); ++k)
      {
        if (obstacles[k].motion.is_at_rest())
          continue;
        // How far the points that hold its frame move meanwhile.
        const auto way = [&](const double from, const double to) {
          const auto a   = obstacles[k].motion.placement(from),
                     b   = obstacles[k].motion.placement(to);
          double longest = 0.;
          for (unsigned int d = 0; d < dim; ++d)
            {
              const Point<dim> &X =
                reference[first_frame_node - first_vertex_node + k * dim + d];
              longest =
                std::max(longest, a.to_space(X).distance(b.to_space(X)));
            }
          return longest;
        };
        double from = time, to = time + dt;
        const double whole = way(from, to);
        if (!(whole > no_jump * extent))
          continue;
        for (unsigned int n = 0; n < n_bisections; ++n)
          {
            const double middle = 0.5 * (from + to);
            if (!(from < middle && middle < to))
              break;
            (way(from, middle) > way(middle, to) ? to : from) = middle;
          }
        if (way(from, to) < 0.5 * whole)
          continue;
        std::ostringstream message;
        message << "Obstacle '" << obstacles[k].name << "' jumps by " << whole
                << " at time " << to
                << ". Let its 'Motion' be continuous, over many steps.";
        throw RunError(message.str());
      }
  }



  template class ContactObstacles<2>;
  template class ContactObstacles<3>;
} // namespace Ricochet
