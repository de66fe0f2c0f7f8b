// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/in_threads.h>
#include <ricochet/geometry/collision_weights.h>
#include <ricochet/overlap/obstacle_search.h>
#include <ricochet/search/closest_points.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "distance_path.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** How much the normals at the impact and at the end of the step may
     * differ (their cosine) for the latter to tell where the obstacle is. */
    constexpr double least_cosine = 0.5;



    /** Vertices of a block. */
    constexpr unsigned int block_size = 16;

    constexpr unsigned int blocks_per_task = 64;

    /** Balls are larger by this, more than round-off. */
    constexpr double ball_factor = 1. + 1e-10;



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



    /** How far other vertices of a facet are from its first one, at most. */
    template <int dim>
    double
    size_of(const std::array<unsigned int, dim> &facet,
            const std::vector<Point<dim>> &positions)
    {
      double size = 0.;
      for (const unsigned int v : facet)
        size = std::max(size, positions[v].distance(positions[facet[0]]));
      return size;
    }



    /** The longest of the paths of the vertices of a facet. */
    template <int dim>
    double
    path_length_of(const std::array<unsigned int, dim> &facet,
                   const std::vector<Point<dim>> &begin,
                   const std::vector<Point<dim>> &end)
    {
      double length = 0.;
      for (const unsigned int v : facet)
        length = std::max(length, begin[v].distance(end[v]));
      return length;
    }
  } // namespace



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
  ObstacleSearch<dim>::may_touch(const SearchSettings &which,
                                 const unsigned int body,
                                 const unsigned int k) const
  {
    return body < first_body &&
           which.may_touch(body, first_body + k, surface->n_bodies);
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
    Found found{first_node, contacts, encounters};
    bool has_blocks_at_rest = false;
    for (const unsigned int k : numbers)
      {
        const Positions &begin_X = in_frame(k, 0, begin, begin_buffer);
        const Positions &end_X   = in_frame(k, 1, end, end_buffer);
        if (obstacles[k].shape->kind() != Obstacle<dim>::Kind::vertices)
          {
            detect_facets(k, begin_X, end_X, found);
            continue;
          }
        const bool is_at_rest = obstacles[k].motion.is_at_rest();
        if (!(is_at_rest && has_blocks_at_rest))
          find_blocks(begin_X, end_X);
        has_blocks_at_rest = is_at_rest;
        detect_vertices(k, begin_X, end_X, found);
      }
    if (!contacts.empty())
      std::sort(encounters.begin(), encounters.end());
  }



  template <int dim>
  void
  ObstacleSearch<dim>::find_blocks(const Positions &begin, const Positions &end)
  {
    const unsigned int n = surface->n_vertices();
    blocks.resize((n + block_size - 1) / block_size);
    in_threads(
      blocks.size(),
      [&](const std::size_t b) {
        const unsigned int first = b * block_size;
        Point<dim> lower = begin[first], upper = lower;
        double reach = 0.;
        for (unsigned int v = first; v < std::min(n, first + block_size); ++v)
          {
            for (unsigned int d = 0; d < dim; ++d)
              {
                lower[d] = std::min({lower[d], begin[v][d], end[v][d]});
                upper[d] = std::max({upper[d], begin[v][d], end[v][d]});
              }
            reach = std::max(reach, settings.eta * surface->vertex_length[v]);
          }
        const Tensor<1, dim> diagonal = upper - lower;
        blocks[b]                     = {lower + 0.5 * diagonal,
                                         0.5 * ball_factor * diagonal.norm(),
                                         reach};
      },
      blocks_per_task);
  }



  template <int dim>
  void
  ObstacleSearch<dim>::detect_vertices(const unsigned int k,
                                       const Positions &begin,
                                       const Positions &end,
                                       Found &found) const
  {
    const Obstacle<dim> &shape = *obstacles[k].shape;
    for (unsigned int b = 0; b < blocks.size(); ++b)
      {
        const VertexBlock &block = blocks[b];
        if (shape.signed_distance(block.centre) >= block.radius + block.reach)
          continue;
        const unsigned int first = b * block_size;
        for (unsigned int v = first;
             v < std::min(surface->n_vertices(), first + block_size);
             ++v)
          detect_vertex(k, v, begin, end, found);
      }
  }



  template <int dim>
  void
  ObstacleSearch<dim>::detect_vertex(const unsigned int k,
                                     const unsigned int v,
                                     const Positions &begin,
                                     const Positions &end,
                                     Found &found) const
  {
    const Obstacle<dim> &shape = *obstacles[k].shape;
    const bool only_ends       = shape.room_is_convex();
    const double length        = surface->vertex_length[v];
    const double reach         = settings.eta * length;
    const double at_end        = shape.signed_distance(end[v]);
    if (only_ends && at_end >= reach)
      return;
    const Tensor<1, dim> path = end[v] - begin[v];
    const double at_begin     = shape.signed_distance(begin[v]);
    if (at_begin + at_end - path.norm() >= 2. * reach ||
        !may_touch(settings, surface->vertex_body[v], k))
      return;

    const auto distance = [&](const double s) {
      return shape.signed_distance(begin[v] + s * path);
    };
    const double tolerance = tolerance_of(end[v], length);
    double time            = 1.;
    bool crossing          = at_end < -tolerance;
    if (crossing && only_ends)
      time = time_of_impact(distance, 0., 1.);
    else if (!only_ends)
      crossing = enters(distance, path.norm(), -tolerance, time);
    if (!crossing && at_end >= reach)
      return;

    FeaturePoint point;
    point.n_vertices  = 1;
    point.vertices[0] = v;
    point.weights[0]  = 1.;
    point.length      = length;
    add(
      k,
      point,
      [&](const double s) { return begin[v] + s * path; },
      {time, PairKind::given, v, k, crossing},
      at_end < reach,
      found);
  }



  template <int dim>
  void
  ObstacleSearch<dim>::detect_facets(const unsigned int k,
                                     const Positions &begin,
                                     const Positions &end,
                                     Found &found) const
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
        const double path_length = path_length_of<dim>(facet, begin, end);
        if (first.norm() - radius >=
              size_of<dim>(facet, begin) + path_length + reach ||
            !may_touch(settings, surface->facet_body[f], k))
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

        FeaturePoint point;
        point.n_vertices    = dim;
        point.vertices      = facet;
        point.length        = length;
        const auto point_at = [&](const double s) {
          point.weights = closest(s).weights;
          Tensor<1, dim> X;
          for (unsigned int i = 0; i < dim; ++i)
            X += point.weights[i] *
                 (begin[facet[i]] + s * (end[facet[i]] - begin[facet[i]]));
          return Point<dim>(X);
        };
        add(k,
            point,
            point_at,
            {time, PairKind::given, f, k, crossing},
            at_end < reach,
            found);
      }
  }



  template <int dim>
  template <typename PointAt>
  void
  ObstacleSearch<dim>::add(const unsigned int k,
                           const FeaturePoint &point,
                           const PointAt &point_at,
                           Encounter encounter,
                           const bool is_close,
                           Found &found) const
  {
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
          point_at(encounter.time); // its weights are those of the point
      }
    const Point<dim> foot = X - shape.signed_distance(X) * normal;
    ObstacleContact<dim> contact;
    contact.obstacle          = k;
    contact.begin             = placed[k][0].to_space(foot);
    contact.end               = placed[k][1].to_space(foot);
    Collision<dim> &collision = contact.collision;
    for (unsigned int i = 0; i < point.n_vertices; ++i)
      {
        collision.vertices[i]       = point.vertices[i];
        collision.vertex_weights[i] = point.weights[i];
        add_vertex(*surface, point.vertices[i], point.weights[i], collision);
      }
    collision.nodes.push_back(found.first_node + found.contacts.size());
    collision.weights.push_back(-1.);
    collision.normal = placed[k][1].rotation * normal;
    collision.length = point.length;
    collision.bodies = {
      {surface->vertex_body[point.vertices[0]], first_body + k}};
    encounter.collision = found.contacts.size();
    found.contacts.push_back(contact);
    found.encounters.push_back(encounter);
  }



  template <int dim>
  std::vector<Overlap<dim>>
  ObstacleSearch<dim>::find_overlaps(const Positions &positions,
                                     const SearchSettings &wanted,
                                     const unsigned int end) const
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
          if (depth > tolerance_of(point, length) && may_touch(wanted, body, k))
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



  template class ObstacleSearch<2>;
  template class ObstacleSearch<3>;
} // namespace Ricochet
