// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/closest_points.h>
#include <ricochet/search/obstacle_search.h>

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

#include "collision_weights.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** The shortest piece of a step that a path is followed in. */
    constexpr double shortest_piece = 1. / 256.;

    /** How much the normals at the impact and at the end of the step may
     * differ (their cosine) for the latter to tell where the obstacle is. */
    constexpr double least_cosine = 0.5;



    /** How far behind an obstacle what touches it may be: the round-off of its
     * position @p x, in the frame of the obstacle. */
    template <int dim>
    double
    tolerance_of(const Point<dim> &x, const double length)
    {
      return std::max(touching_distance * length,
                      8. * std::numeric_limits<double>::epsilon() *
                        Tensor<1, dim>(x).norm());
    }



    /** Where a distance becomes negative between @p a, where it is not, and
     * @p b. */
    template <typename Function>
    double
    time_of_impact(const Function &distance, const double a, const double b)
    {
      const double at_a = distance(a), at_b = distance(b);
      if (!(at_a > 0.))
        return a;
      const double linear = a + (b - a) * at_a / (at_a - at_b);
      if (std::abs(distance(linear)) <= 1e-12 * (at_a - at_b))
        return linear;
      std::uintmax_t n_iterations = 100;
      return boost::math::tools::toms748_solve(
               distance,
               a,
               b,
               at_a,
               at_b,
               boost::math::tools::eps_tolerance<double>(40),
               n_iterations)
        .first;
    }



    /**
     * Follow a path of the given length until the distance is below @p limit.
     * Whether that happens; then @p time is when it becomes negative.
     */
    template <typename Function>
    bool
    enters(const Function &distance,
           const double path_length,
           const double limit,
           double &time)
    {
      double s = 0., value = distance(0.);
      while (s < 1.)
        {
          const double piece =
            std::max(shortest_piece,
                     path_length > 0. ? value / path_length : 1.);
          const double next = std::min(1., s + piece);
          value             = distance(next);
          if (value < limit)
            {
              time = time_of_impact(distance, s, next);
              return true;
            }
          s = next;
        }
      return false;
    }
  } // namespace



  template <int dim>
  const ObstacleContact<dim> &
  ObstacleContacts<dim>::of(const Encounter &encounter) const
  {
    return *std::lower_bound(contacts.begin(),
                             contacts.end(),
                             encounter,
                             [](const ObstacleContact<dim> &a,
                                const Encounter &b) {
                               return std::tie(a.obstacle, a.feature) <
                                      std::tie(b.second, b.first);
                             });
  }



  template <int dim>
  void
  ObstacleContacts<dim>::set_collision(const Surface<dim> &surface,
                                       const Encounter &encounter,
                                       Collision<dim> &collision) const
  {
    const ObstacleContact<dim> &contact = of(encounter);
    collision.nodes.clear();
    collision.weights.clear();
    for (unsigned int i = 0; i < contact.n_vertices; ++i)
      add_vertex(surface, contact.vertices[i], contact.weights[i], collision);
    collision.nodes.push_back(contact.node);
    collision.weights.push_back(-1.);
    collision.normal = contact.normal;
    collision.length = contact.length;
    collision.bodies = {
      {surface.vertex_body[contact.vertices[0]], contact.body}};
  }



  template <int dim>
  std::vector<unsigned int>
  ObstacleContacts<dim>::nodes_of(const Surface<dim> &surface,
                                  const Encounter &encounter) const
  {
    const ObstacleContact<dim> &contact = of(encounter);
    Collision<dim> feature;
    for (unsigned int i = 0; i < contact.n_vertices; ++i)
      add_vertex(surface, contact.vertices[i], 1., feature);
    std::vector<unsigned int> nodes(feature.nodes.begin(), feature.nodes.end());
    for (unsigned int d = 0; d < dim; ++d)
      nodes.push_back(first_frame_node + contact.obstacle * dim + d);
    return nodes;
  }



  template <int dim>
  void
  ObstacleSearch<dim>::reinit(
    const Surface<dim> &new_surface,
    const std::vector<PlacedObstacle<dim>> &new_obstacles,
    const unsigned int new_first_body,
    const SearchSettings &new_settings)
  {
    surface    = &new_surface;
    obstacles  = new_obstacles;
    first_body = new_first_body;
    settings   = new_settings;
    ignored.clear();
    numbers.clear();
    for (unsigned int k = 0; k < obstacles.size(); ++k)
      if (obstacles[k].shape->kind() != Obstacle<dim>::Kind::surface)
        numbers.push_back(k);
    place(0., 0.);
  }



  template <int dim>
  void
  ObstacleSearch<dim>::place(const double time, const double dt)
  {
    placed.resize(obstacles.size());
    for (unsigned int k = 0; k < obstacles.size(); ++k)
      placed[k] = {{obstacles[k].motion.placement(time),
                    obstacles[k].motion.placement(time + dt)}};
  }



  template <int dim>
  bool
  ObstacleSearch<dim>::may_touch(const unsigned int body,
                                 const unsigned int k) const
  {
    return body < first_body &&
           settings.may_touch(body, first_body + k, surface->n_bodies) &&
           (ignored.empty() || ignored.count({{body, first_body + k}}) == 0);
  }



  template <int dim>
  const std::vector<Point<dim>> &
  ObstacleSearch<dim>::in_frame(const unsigned int k,
                                const unsigned int end,
                                const Positions &positions,
                                Positions &buffer) const
  {
    if (obstacles[k].motion.is_at_rest())
      return positions;
    buffer.resize(positions.size());
    for (unsigned int v = 0; v < positions.size(); ++v)
      buffer[v] = placed[k][end].to_frame(positions[v]);
    return buffer;
  }



  template <int dim>
  void
  ObstacleSearch<dim>::detect(const Positions &begin,
                              const Positions &end,
                              const unsigned int first_node,
                              std::vector<ObstacleContact<dim>> &contacts,
                              std::vector<Encounter> &encounters)
  {
    contacts.clear();
    for (const unsigned int k : numbers)
      {
        const Positions &begin_X = in_frame(k, 0, begin, begin_buffer);
        const Positions &end_X   = in_frame(k, 1, end, end_buffer);
        if (obstacles[k].shape->kind() == Obstacle<dim>::Kind::vertices)
          detect_vertices(k, begin_X, end_X, contacts, encounters);
        else
          detect_facets(k, begin_X, end_X, contacts, encounters);
      }
    for (unsigned int c = 0; c < contacts.size(); ++c)
      contacts[c].node = first_node + c;
    if (!contacts.empty())
      std::sort(encounters.begin(), encounters.end());
  }



  template <int dim>
  void
  ObstacleSearch<dim>::detect_vertices(
    const unsigned int k,
    const Positions &begin,
    const Positions &end,
    std::vector<ObstacleContact<dim>> &contacts,
    std::vector<Encounter> &encounters) const
  {
    const Obstacle<dim> &shape = *obstacles[k].shape;
    const bool only_ends       = shape.room_is_convex();
    for (unsigned int v = 0; v < surface->n_vertices(); ++v)
      {
        const double length    = surface->vertex_length[v];
        const double reach     = settings.eta * length;
        const double tolerance = tolerance_of(end[v], length);
        const double at_end    = shape.signed_distance(end[v]);
        if (only_ends && at_end >= reach)
          continue;
        const Tensor<1, dim> path = end[v] - begin[v];
        const double at_begin     = shape.signed_distance(begin[v]);
        if (at_begin + at_end - path.norm() >= 2. * reach ||
            !may_touch(surface->vertex_body[v], k))
          continue;

        const auto distance = [&](const double s) {
          return shape.signed_distance(begin[v] + s * path);
        };
        double time   = 1.;
        bool crossing = at_end < -tolerance;
        if (crossing && only_ends)
          time = time_of_impact(distance, 0., 1.);
        else if (!only_ends)
          crossing = enters(distance, path.norm(), -tolerance, time);
        if (!crossing && at_end >= reach)
          continue;

        ObstacleContact<dim> contact;
        contact.feature     = v;
        contact.obstacle    = k;
        contact.n_vertices  = 1;
        contact.vertices[0] = v;
        contact.weights[0]  = 1.;
        contact.length      = length;
        add(
          contact,
          [&](const double s) { return begin[v] + s * path; },
          {time, PairKind::obstacle, v, k, crossing},
          at_end < reach,
          contacts,
          encounters);
      }
  }



  template <int dim>
  void
  ObstacleSearch<dim>::detect_facets(
    const unsigned int k,
    const Positions &begin,
    const Positions &end,
    std::vector<ObstacleContact<dim>> &contacts,
    std::vector<Encounter> &encounters) const
  {
    const Obstacle<dim> &shape = *obstacles[k].shape;
    const double radius        = shape.core_radius();
    for (unsigned int f = 0; f < surface->n_facets(); ++f)
      {
        const auto &facet      = surface->facets[f];
        const double length    = surface->facet_length[f];
        const double reach     = settings.eta * length;
        const double tolerance = tolerance_of(end[facet[0]], length);
        const Point<dim> first(shape.from_core(begin[facet[0]]));
        double size = 0., path_length = 0.;
        for (const unsigned int v : facet)
          {
            size        = std::max(size, begin[v].distance(begin[facet[0]]));
            path_length = std::max(path_length, begin[v].distance(end[v]));
          }
        if (first.norm() - radius >= size + path_length + reach ||
            !may_touch(surface->facet_body[f], k))
          continue;

        // Corners relative to the core, and the facet's point closest to it.
        std::array<Point<dim>, dim> x_begin, x_end;
        for (unsigned int i = 0; i < dim; ++i)
          {
            x_begin[i] = Point<dim>(shape.from_core(begin[facet[i]]));
            x_end[i]   = Point<dim>(shape.from_core(end[facet[i]]));
          }
        const auto closest = [&](const double s) {
          std::array<Point<dim>, dim> x;
          for (unsigned int i = 0; i < dim; ++i)
            x[i] = x_begin[i] + s * (x_end[i] - x_begin[i]);
          return closest_point_on_facet(Point<dim>(), x);
        };
        const auto distance = [&](const double s) {
          return std::sqrt(closest(s).distance_square) - radius;
        };
        const double at_end = distance(1.);
        if (distance(0.) + at_end - path_length >= 2. * reach)
          continue;
        double time         = 1.;
        const bool crossing = enters(distance, path_length, -tolerance, time);
        if (!crossing && at_end >= reach)
          continue;

        ObstacleContact<dim> contact;
        contact.feature     = f;
        contact.obstacle    = k;
        contact.n_vertices  = dim;
        contact.vertices    = facet;
        contact.length      = length;
        const auto point_at = [&](const double s) {
          contact.weights = closest(s).weights;
          Tensor<1, dim> X;
          for (unsigned int i = 0; i < dim; ++i)
            X += contact.weights[i] *
                 (begin[facet[i]] + s * (end[facet[i]] - begin[facet[i]]));
          return Point<dim>(X);
        };
        add(contact,
            point_at,
            {time, PairKind::obstacle, f, k, crossing},
            at_end < reach,
            contacts,
            encounters);
      }
  }



  template <int dim>
  template <typename PointAt>
  void
  ObstacleSearch<dim>::add(ObstacleContact<dim> &contact,
                           const PointAt &point_at,
                           const Encounter &encounter,
                           const bool is_close,
                           std::vector<ObstacleContact<dim>> &contacts,
                           std::vector<Encounter> &encounters) const
  {
    const unsigned int k       = contact.obstacle;
    const Obstacle<dim> &shape = *obstacles[k].shape;
    Point<dim> X;
    Tensor<1, dim> normal;
    if (encounter.crossing)
      {
        X      = point_at(encounter.time);
        normal = shape.normal(X);
      }
    if (is_close)
      {
        // Where the end of the step is on the side of the impact, it tells
        // more; behind the obstacle it does not.
        const Point<dim> X_end          = point_at(1.);
        const Tensor<1, dim> end_normal = shape.normal(X_end);
        if (!encounter.crossing || end_normal * normal >= least_cosine)
          {
            X      = X_end;
            normal = end_normal;
          }
        else
          point_at(encounter.time); // its weights are those of the contact
      }
    const Point<dim> foot = X - shape.signed_distance(X) * normal;
    contact.body          = first_body + k;
    contact.begin         = placed[k][0].to_space(foot);
    contact.end           = placed[k][1].to_space(foot);
    contact.normal        = placed[k][1].rotation * normal;
    contacts.push_back(contact);
    encounters.push_back(encounter);
  }



  template <int dim>
  template <typename Predicate>
  std::vector<Overlap<dim>>
  ObstacleSearch<dim>::overlaps_of(const Positions &positions,
                                   const unsigned int end,
                                   const Predicate &is_wanted) const
  {
    std::vector<Overlap<dim>> result;
    Positions buffer;
    for (const unsigned int k : numbers)
      {
        const Obstacle<dim> &shape = *obstacles[k].shape;
        const Positions &X         = in_frame(k, end, positions, buffer);
        const auto check           = [&](const unsigned int body,
                               const double length,
                               const Point<dim> &point) {
          const double depth = -shape.signed_distance(point);
          // Not what only touches, or does so but for the round-off.
          if (depth > tolerance_of(point, length) && is_wanted(body, k))
            result.push_back({{{body, first_body + k}},
                              OverlapKind::first_inside,
                              {{Surface<dim>::none, Surface<dim>::none}},
                              placed[k][end].to_space(point),
                              depth});
        };
        if (shape.kind() == Obstacle<dim>::Kind::vertices)
          for (unsigned int v = 0; v < surface->n_vertices(); ++v)
            check(surface->vertex_body[v], surface->vertex_length[v], X[v]);
        else
          for (unsigned int f = 0; f < surface->n_facets(); ++f)
            {
              std::array<Point<dim>, dim> arms;
              for (unsigned int i = 0; i < dim; ++i)
                arms[i] = Point<dim>(shape.from_core(X[surface->facets[f][i]]));
              const auto weights =
                closest_point_on_facet(Point<dim>(), arms).weights;
              Tensor<1, dim> point;
              for (unsigned int i = 0; i < dim; ++i)
                point += weights[i] * X[surface->facets[f][i]];
              check(surface->facet_body[f],
                    surface->facet_length[f],
                    Point<dim>(point));
            }
      }
    std::stable_sort(result.begin(),
                     result.end(),
                     [](const Overlap<dim> &a, const Overlap<dim> &b) {
                       return a.bodies < b.bodies;
                     });
    return result;
  }



  template <int dim>
  std::vector<Overlap<dim>>
  ObstacleSearch<dim>::find_overlaps(const Positions &positions) const
  {
    return overlaps_of(positions,
                       1,
                       [this](const unsigned int body, const unsigned int k) {
                         return may_touch(body, k);
                       });
  }



  template <int dim>
  void
  ObstacleSearch<dim>::update_ignored(const Positions &positions)
  {
    if (ignored.empty())
      return;
    std::set<BodyPair> remaining;
    for (const Overlap<dim> &overlap :
         overlaps_of(positions,
                     0,
                     [this](const unsigned int body, const auto k) {
                       return ignored.count({{body, first_body + k}}) > 0;
                     }))
      remaining.insert(overlap.bodies);
    ignored = remaining;
  }



  template struct ObstacleContacts<2>;
  template struct ObstacleContacts<3>;
  template class ObstacleSearch<2>;
  template class ObstacleSearch<3>;
} // namespace Ricochet
