// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/closest_points.h>
#include <ricochet/search/collision.h>
#include <ricochet/search/obstacle_search.h>
#include <ricochet/search/swept_tests.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision_weights.h"
#include "feature_normals.h"

namespace Ricochet
{
  namespace
  {
    using dealii::Point;
    using dealii::Tensor;

    /** Position of a vertex between two configurations, at the fraction @p s of
     * the way. */
    template <int dim>
    Point<dim>
    vertex_position(const Surface<dim> &surface,
                    const std::vector<Point<dim>> &begin,
                    const std::vector<Point<dim>> &end,
                    const double s,
                    const unsigned int vertex)
    {
      const Point<dim> a = vertex_position(surface, begin, vertex);
      const Point<dim> b = vertex_position(surface, end, vertex);
      return a + s * (b - a);
    }



    /** A vertex that meets a facet with a smaller weight of one of its corners
     * meets its border. */
    constexpr double border_weight = 1e-9;



    /** Relative to the local length: below, a direction is only round-off. */
    constexpr double round_off_length = 1e-13;



    /** Gaps of points there that differ by less are the same: what positions of
     * double precision can tell. */
    template <int dim>
    double
    resolution(const Point<dim> &x)
    {
      double largest = 0.;
      for (unsigned int d = 0; d < dim; ++d)
        largest = std::max(largest, std::abs(x[d]));
      return 8. * std::numeric_limits<double>::epsilon() * largest;
    }

    /** The same of all points of a collision. */
    template <int dim>
    double
    resolution(const Collision<dim> &collision,
               const std::vector<Point<dim>> &positions)
    {
      double result = 0.;
      for (const unsigned int node : collision.nodes)
        result = std::max(result, resolution(positions[node]));
      return result;
    }

    /** A detection distance is at least so many times the resolution, so that
     * sides can be told. */
    constexpr double least_resolutions = 16.;

    /** The detection distance of pairs of edges relative to that of vertices
     * and facets: where flat surfaces lie on each other, these keep the edges
     * apart, and many crossings of edges in a plane need not be looked at. */
    constexpr double edge_share = 0.1;



    /** Whether the two features meet on straight paths between two
     * configurations of the nodes. */
    template <int dim>
    bool
    paths_meet(const Surface<dim> &surface,
               const Encounter &encounter,
               const std::vector<Point<dim>> &begin,
               const std::vector<Point<dim>> &end)
    {
      auto vertices = feature_vertices(surface, encounter);
      // The swept tests take the facet first.
      if (encounter.kind == PairKind::vertex_facet)
        std::rotate(vertices.begin(), vertices.begin() + 1, vertices.end());
      std::array<Point<dim>, dim + 1> x_begin, x_end;
      for (unsigned int i = 0; i < dim + 1; ++i)
        {
          x_begin[i] = vertex_position(surface, begin, vertices[i]);
          x_end[i]   = vertex_position(surface, end, vertices[i]);
        }
      double time = 0.;
      if constexpr (dim == 2)
        return SweptTest::vertex_edge(x_begin, x_end, time);
      else if (encounter.kind == PairKind::vertex_facet)
        return SweptTest::vertex_triangle(x_begin, x_end, time);
      else
        return SweptTest::edge_edge(x_begin, x_end, time);
    }
  } // namespace



  template <int dim>
  std::array<unsigned int, dim + 1>
  feature_vertices(const Surface<dim> &surface, const Encounter &encounter)
  {
    std::array<unsigned int, dim + 1> vertices;
    if (encounter.kind == PairKind::vertex_facet)
      {
        const auto &facet = surface.facets[encounter.second];
        vertices[0]       = encounter.first;
        std::copy(facet.begin(), facet.end(), vertices.begin() + 1);
      }
    else if constexpr (dim == 3)
      {
        const auto &a = surface.edges[encounter.first];
        const auto &b = surface.edges[encounter.second];
        vertices      = {{a[0], a[1], b[0], b[1]}};
      }
    return vertices;
  }



  template <int dim>
  std::vector<unsigned int>
  feature_nodes(const Surface<dim> &surface,
                const Encounter &encounter,
                const ObstacleContacts<dim> *obstacles)
  {
    if (encounter.kind == PairKind::obstacle)
      return obstacles->nodes_of(surface, encounter);
    const auto vertices = feature_vertices(surface, encounter);
    if (surface.vertices_are_nodes)
      return {vertices.begin(), vertices.end()};
    std::vector<unsigned int> nodes;
    for (const unsigned int v : vertices)
      nodes.insert(nodes.end(),
                   surface.vertex_nodes.begin() + surface.node_begin[v],
                   surface.vertex_nodes.begin() + surface.node_begin[v + 1]);
    return nodes;
  }



  template <int dim>
  bool
  touch(const Surface<dim> &surface,
        const Encounter &encounter,
        const std::vector<Point<dim>> &nodes)
  {
    std::array<Point<dim>, dim + 1> x;
    const auto vertices = feature_vertices(surface, encounter);
    for (unsigned int i = 0; i < dim + 1; ++i)
      x[i] = vertex_position(surface, nodes, vertices[i]);
    double distance_square = 0.;
    if constexpr (dim == 2)
      distance_square =
        closest_point_on_facet(x[0], {{x[1], x[2]}}).distance_square;
    else if (encounter.kind == PairKind::vertex_facet)
      distance_square =
        closest_point_on_facet(x[0], {{x[1], x[2], x[3]}}).distance_square;
    else
      distance_square =
        closest_points_of_segments(x[0], x[1], x[2], x[3]).distance_square;
    return std::sqrt(distance_square) <=
           std::max(touching_distance * pair_length(surface, encounter),
                    2. * std::max(resolution(x[0]), resolution(x[dim])));
  }



  template <int dim>
  CollisionGeometry<dim>::CollisionGeometry(
    const Surface<dim> &surface,
    const Positions &begin,
    const Positions &end,
    const ObstacleContacts<dim> *obstacles)
    : surface(surface)
    , begin(begin)
    , end(end)
    , obstacles(obstacles)
  {}



  template <int dim>
  typename CollisionGeometry<dim>::AtImpact
  CollisionGeometry<dim>::at_impact(const Encounter &encounter) const
  {
    AtImpact result;
    if (encounter.kind == PairKind::obstacle)
      return result; // all is known
    const double s = encounter.time;
    if (encounter.kind == PairKind::vertex_facet)
      {
        std::array<Point<dim>, dim> x;
        for (unsigned int i = 0; i < dim; ++i)
          x[i] = vertex_position(surface,
                                 begin,
                                 end,
                                 s,
                                 surface.facets[encounter.second][i]);
        const auto closest = closest_point_on_facet(
          vertex_position(surface, begin, end, s, encounter.first),
          x);
        result.weights[0] = 1.;
        for (unsigned int i = 0; i < dim; ++i)
          result.weights[i + 1] = -closest.weights[i];
        result.is_on_border =
          *std::min_element(closest.weights.begin(), closest.weights.end()) <
          border_weight;
        result.raw_normal     = facet_normal<dim>(x);
        result.has_raw_normal = true;
      }
    else if constexpr (dim == 3)
      {
        const auto &a       = surface.edges[encounter.first];
        const auto &b       = surface.edges[encounter.second];
        const auto position = [&](const unsigned int vertex) {
          return vertex_position(surface, begin, end, s, vertex);
        };
        const Tensor<1, 3> e_1 = position(a[1]) - position(a[0]);
        const Tensor<1, 3> e_2 = position(b[1]) - position(b[0]);
        const auto closest     = closest_points_of_segments(position(a[0]),
                                                        position(a[1]),
                                                        position(b[0]),
                                                        position(b[1]));
        result.weights         = {{1. - closest.first,
                                   closest.first,
                                   -(1. - closest.second),
                                   -closest.second}};
        orient(encounter, e_1, e_2, result);
      }
    add_end(encounter, result);
    return result;
  }



  template <>
  void
  CollisionGeometry<2>::orient(const Encounter &,
                               const Tensor<1, 2> &,
                               const Tensor<1, 2> &,
                               AtImpact &) const
  {}



  template <>
  void
  CollisionGeometry<3>::orient(const Encounter &encounter,
                               const Tensor<1, 3> &e_1,
                               const Tensor<1, 3> &e_2,
                               AtImpact &result) const
  {
    result.raw_normal     = cross_product_3d(e_1, e_2);
    const double sine     = result.raw_normal.norm();
    result.has_raw_normal = sine > parallel_sine * e_1.norm() * e_2.norm();
    if (!result.has_raw_normal)
      return;
    result.raw_normal /= sine;

    // The side that the edges were on before; edges that start in touch have
    // none.
    Tensor<1, 3> separation;
    const auto &a = surface.edges[encounter.first];
    const auto &b = surface.edges[encounter.second];
    for (unsigned int i = 0; i < 4; ++i)
      separation +=
        result.weights[i] *
        Tensor<1, 3>(vertex_position(surface, begin, i < 2 ? a[i] : b[i - 2]));
    const double side = result.raw_normal * separation;
    if (side < 0.)
      result.raw_normal *= -1.;
    result.has_raw_normal =
      std::abs(side) >
      std::max(round_off_length * pair_length(surface, encounter),
               2. *
                 std::max(resolution(vertex_position(surface, begin, a[0])),
                          resolution(vertex_position(surface, begin, a[1]))));
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::is_closer(const double distance,
                                    const Positions &current,
                                    const Tensor<1, dim> &normal,
                                    Collision<dim> &collision) const
  {
    collision.normal       = normal;
    collision.gap          = normal * collision.weighted_sum(current);
    collision.start_gap    = normal * collision.weighted_sum(begin);
    const double round_off = resolution(collision, current);
    const double least     = distance > 0.
                               ? std::max(distance, least_resolutions * round_off)
                               : distance;
    // Pairs that start closer need not open. Those in touch stay so; others
    // come closer, but never so close that they would be taken for these.
    const double touching = touching_distance * collision.length;
    collision.least_gap   = least;
    if (collision.start_gap > -touching && collision.start_gap < least)
      collision.least_gap =
        collision.start_gap < 2. * touching
          ? std::min(collision.start_gap, 0.)
          : std::max(2. * touching, 0.5 * collision.start_gap);
    return collision.gap < collision.least_gap - round_off;
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::evaluate(const Encounter &encounter,
                                   const AtImpact &at_impact,
                                   const Positions &current,
                                   const double relative_eta,
                                   Collision<dim> &collision) const
  {
    if (encounter.kind == PairKind::obstacle)
      {
        obstacles->set_collision(surface, encounter, collision);
        return is_closer(relative_eta * collision.length,
                         current,
                         collision.normal,
                         collision);
      }
    // Exactly aligned bodies slide in the planes of each other's sides, and
    // what follows a vertex through a facet crosses as well: there, only a
    // crossing counts that the pairs before have left.
    set_pair(surface, encounter, collision);
    if (!at_impact.is_plausible)
      {
        set_weights(surface,
                    feature_vertices(surface, encounter),
                    at_impact.weights,
                    collision);
        if (!encounter.crossing ||
            !still_crosses(encounter, at_impact, current, collision))
          return false;
      }
    const double eta = relative_eta * collision.length;
    if (encounter.kind == PairKind::vertex_facet)
      return evaluate_vertex_facet(encounter,
                                   at_impact,
                                   current,
                                   eta,
                                   collision);
    if constexpr (dim == 3)
      return evaluate_edge_edge(encounter, at_impact, current, eta, collision);
    return false;
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::can_touch(const unsigned int vertex,
                                    const Tensor<1, dim> &normal) const
  {
    const Point<dim> x = vertex_position(surface, end, vertex);
    for (unsigned int k = surface.neighbor_begin[vertex];
         k < surface.neighbor_begin[vertex + 1];
         ++k)
      {
        const Tensor<1, dim> edge =
          vertex_position(surface, end, surface.neighbors[k]) - x;
        if (normal * edge < -cone_tolerance * edge.norm())
          return false;
      }
    return true;
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::is_between_facets(
    const std::array<unsigned int, dim + 1> &vertices,
    const std::array<double, 4> &weights,
    const Tensor<1, dim> &normal) const
  {
    if (!can_touch(vertices[0], normal))
      return false;
    for (unsigned int i = 1; i < dim + 1; ++i)
      if (weights[i] != 0. && !can_touch(vertices[i], -normal))
        return false;
    return true;
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::still_crosses(const Encounter &encounter,
                                        const AtImpact &at_impact,
                                        const Positions &current,
                                        const Collision<dim> &collision) const
  {
    return !grazes(at_impact, current, collision) &&
           paths_meet(surface, encounter, begin, current);
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::grazes(const AtImpact &at_impact,
                                 const Positions &current,
                                 const Collision<dim> &collision) const
  {
    if (at_impact.is_on_border && !at_impact.is_plausible)
      return true;
    const double limit         = std::max(touching_distance * collision.length,
                                  2. * resolution(collision, current));
    const Tensor<1, dim> start = collision.weighted_sum(begin);
    const Tensor<1, dim> stop  = collision.weighted_sum(current);
    return std::any_of(at_impact.sliding_normals.begin(),
                       at_impact.sliding_normals.end(),
                       [&](const Tensor<1, dim> &n) {
                         return std::abs(n * start) <= limit &&
                                n * stop >= -limit;
                       });
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::is_blocked(const Encounter &encounter,
                                     const Positions &current) const
  {
    if (encounter.kind == PairKind::obstacle)
      return encounter.crossing; // also of what touches it at the start
    // Those that end in touch would be left out in the next step.
    if (!(encounter.crossing || touch(surface, encounter, current)) ||
        touch(surface, encounter, begin))
      return false;
    const AtImpact impact = at_impact(encounter);
    if (!impact.has_raw_normal)
      return false; // parallel: the vertices decide
    Collision<dim> collision;
    set_pair(surface, encounter, collision);
    set_weights(surface,
                feature_vertices(surface, encounter),
                impact.weights,
                collision);
    return !grazes(impact, current, collision);
  }



  template <int dim>
  void
  CollisionGeometry<dim>::agree_on_normal(const Encounter &encounter,
                                          AtImpact &result) const
  {
    if (surface.vertex_facets.empty())
      return;
    const auto vertices = feature_vertices(surface, encounter);
    std::vector<unsigned int> met;
    std::array<double, 4> weights = result.weights;
    for (unsigned int i = 1; i < dim + 1; ++i)
      if (weights[i] < -border_weight)
        met.push_back(vertices[i]);
      else
        weights[i] = 0.;
    const Tensor<1, dim> own = mean_normal(surface, end, {vertices[0]});
    if (!(own.norm() > 0.))
      return;
    const Tensor<1, dim> n = mean_normal(surface, end, met) - own;
    const double length    = n.norm();
    if (!(length > parallel_sine) ||
        !is_between_facets(vertices, weights, n / length))
      return;
    result.end_weights = result.weights;
    result.end_normal  = n / length;
    result.is_inside   = true;
  }



  template <int dim>
  void
  CollisionGeometry<dim>::add_end(const Encounter &encounter,
                                  AtImpact &result) const
  {
    if (encounter.kind == PairKind::vertex_facet)
      {
        std::array<Point<dim>, dim> x;
        for (unsigned int i = 0; i < dim; ++i)
          x[i] =
            vertex_position(surface, end, surface.facets[encounter.second][i]);
        const auto closest =
          closest_point_on_facet(vertex_position(surface, end, encounter.first),
                                 x);
        result.end_weights[0] = 1.;
        for (unsigned int i = 0; i < dim; ++i)
          result.end_weights[i + 1] = -closest.weights[i];
        result.is_inside  = closest.is_inside;
        result.end_normal = facet_normal<dim>(x);
        if (encounter.crossing && result.is_on_border)
          agree_on_normal(encounter, result);
        result.is_plausible = can_touch(encounter.first, result.end_normal);
        result.sliding_normals.push_back(result.end_normal);
      }
    else if constexpr (dim == 3)
      {
        const auto &a       = surface.edges[encounter.first];
        const auto &b       = surface.edges[encounter.second];
        const auto position = [&](const unsigned int vertex) {
          return vertex_position(surface, end, vertex);
        };
        const Tensor<1, 3> e_1 = position(a[1]) - position(a[0]);
        const Tensor<1, 3> e_2 = position(b[1]) - position(b[0]);
        Tensor<1, 3> n         = cross_product_3d(e_1, e_2);
        const double sine      = n.norm();
        if (!(sine > parallel_sine * e_1.norm() * e_2.norm()))
          result.has_raw_normal = false;
        if (!result.has_raw_normal)
          return;
        n *= (n * result.raw_normal < 0. ? -1. : 1.) / sine;
        const EdgeNormals normals_a(surface, end, encounter.first);
        const EdgeNormals normals_b(surface, end, encounter.second);
        result.is_flat         = normals_a.is_flat || normals_b.is_flat;
        result.end_normal      = fitting_normal(normals_a, normals_b, n);
        result.is_plausible    = fits(normals_a, normals_b, result.end_normal);
        result.sliding_normals = {-normals_a.first,
                                  -normals_a.second,
                                  normals_b.first,
                                  normals_b.second};
      }
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::evaluate_vertex_facet(const Encounter &encounter,
                                                const AtImpact &at_impact,
                                                const Positions &current,
                                                const double eta,
                                                Collision<dim> &collision) const
  {
    const auto vertices = feature_vertices(surface, encounter);
    const double limit =
      at_impact.is_plausible ? eta : -round_off_length * collision.length;

    // (a) the closest point, if it is inside the facet.
    set_weights(surface, vertices, at_impact.end_weights, collision);
    if (at_impact.is_inside &&
        is_closer(limit, current, at_impact.end_normal, collision))
      return true;

    // Next to the border of a facet that it has not crossed, a vertex has only
    // the way straight away from it.
    if (!encounter.crossing)
      {
        const Tensor<1, dim> h = collision.weighted_sum(current);
        const double distance  = h.norm();
        const Tensor<1, dim> normal =
          distance > round_off_length * collision.length ? h / distance
                                                         : at_impact.end_normal;
        return !at_impact.is_inside && distance < eta &&
               is_between_facets(vertices, at_impact.end_weights, normal) &&
               is_closer(eta, current, normal, collision);
      }

    // (b), (c) the material point of the impact.
    set_weights(surface, vertices, at_impact.weights, collision);
    return is_closer(limit, current, at_impact.end_normal, collision) ||
           (still_crosses(encounter, at_impact, current, collision) &&
            is_closer(limit, current, at_impact.raw_normal, collision));
  }



  template <>
  bool
  CollisionGeometry<2>::evaluate_edge_edge(const Encounter &,
                                           const AtImpact &,
                                           const Positions &,
                                           const double,
                                           Collision<2> &) const
  {
    return false;
  }



  template <>
  bool
  CollisionGeometry<3>::evaluate_edge_edge(const Encounter &encounter,
                                           const AtImpact &at_impact,
                                           const Positions &current,
                                           const double eta,
                                           Collision<3> &collision) const
  {
    if (!at_impact.has_raw_normal)
      return false; // parallel: the vertices decide
    const auto vertices = feature_vertices(surface, encounter);
    const double limit  = at_impact.is_plausible
                            ? edge_share * eta
                            : -round_off_length * collision.length;

    // (a) the closest points, if they are inside both edges. They run along the
    // edges when these move, so they are those of the current positions.
    std::array<Point<3>, 4> x;
    for (unsigned int i = 0; i < 4; ++i)
      x[i] = vertex_position(surface, current, vertices[i]);
    const auto closest = closest_points_of_segments(x[0], x[1], x[2], x[3]);
    if (closest.is_inside)
      {
        set_weights(surface,
                    vertices,
                    {{1. - closest.first,
                      closest.first,
                      -(1. - closest.second),
                      -closest.second}},
                    collision);
        if (is_closer(limit, current, at_impact.end_normal, collision))
          return true;
      }
    if (!encounter.crossing)
      return false;

    // (b), (c) the material points of the impact.
    set_weights(surface, vertices, at_impact.weights, collision);
    return is_closer(limit, current, at_impact.end_normal, collision) ||
           (still_crosses(encounter, at_impact, current, collision) &&
            is_closer(limit, current, at_impact.raw_normal, collision));
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::evaluate_along(const Encounter &encounter,
                                         const std::array<double, 4> &weights,
                                         const Tensor<1, dim> &normal,
                                         const Positions &current,
                                         const double relative_eta,
                                         Collision<dim> &collision) const
  {
    set_pair(surface, encounter, collision);
    set_weights(surface,
                feature_vertices(surface, encounter),
                weights,
                collision);
    return is_closer(relative_eta * collision.length,
                     current,
                     normal,
                     collision);
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::evaluate_at_impact(const Encounter &encounter,
                                             const AtImpact &at_impact,
                                             const Positions &current,
                                             Collision<dim> &collision) const
  {
    if (encounter.kind == PairKind::obstacle && encounter.crossing)
      {
        obstacles->set_collision(surface, encounter, collision);
        is_closer(0., current, collision.normal, collision);
        return true;
      }
    if (!encounter.crossing || !at_impact.has_raw_normal)
      return false;
    Tensor<1, dim> normal = at_impact.raw_normal;
    if constexpr (dim == 3)
      if (encounter.kind == PairKind::edge_edge)
        normal = fitting_normal(EdgeNormals(surface, current, encounter.first),
                                EdgeNormals(surface, current, encounter.second),
                                normal);
    evaluate_along(encounter,
                   at_impact.weights,
                   normal,
                   current,
                   0.,
                   collision);
    return true;
  }



  template <int dim>
  void
  CollisionGeometry<dim>::add_read_nodes(const Encounter &encounter,
                                         std::vector<unsigned int> &nodes) const
  {
    const auto own = feature_nodes(surface, encounter, obstacles);
    nodes.insert(nodes.end(), own.begin(), own.end());
    if (encounter.kind == PairKind::obstacle)
      return;
    for (const unsigned int v : feature_vertices(surface, encounter))
      for (unsigned int k = surface.neighbor_begin[v];
           k < surface.neighbor_begin[v + 1];
           ++k)
        {
          const unsigned int neighbor = surface.neighbors[k];
          if (surface.vertices_are_nodes)
            nodes.push_back(neighbor);
          else
            nodes.insert(nodes.end(),
                         surface.vertex_nodes.begin() +
                           surface.node_begin[neighbor],
                         surface.vertex_nodes.begin() +
                           surface.node_begin[neighbor + 1]);
        }
  }



#define RICOCHET_INSTANTIATE(dim)                              \
  template class CollisionGeometry<dim>;                       \
  template std::array<unsigned int, dim + 1> feature_vertices( \
    const Surface<dim> &,                                      \
    const Encounter &);                                        \
  template std::vector<unsigned int> feature_nodes(            \
    const Surface<dim> &,                                      \
    const Encounter &,                                         \
    const ObstacleContacts<dim> *);                            \
  template bool touch(const Surface<dim> &,                    \
                      const Encounter &,                       \
                      const std::vector<Point<dim>> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
