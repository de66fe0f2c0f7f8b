// SPDX-License-Identifier: LGPL-2.1-or-later

#include "pair_geometry.h"

#include <ricochet/geometry/collision_weights.h>
#include <ricochet/geometry/feature_normals.h>
#include <ricochet/search/feature_kinds.h>

namespace Ricochet
{
  namespace
  {
    using dealii::Point;
    using dealii::Tensor;

    /** A detection distance is at least so many times the resolution, so that
     * sides can be told. */
    constexpr double least_resolutions = 16.;



    /** The resolution() of all points of a collision. */
    template <int dim>
    double
    resolution_of(const Collision<dim> &collision,
                  const std::vector<Point<dim>> &positions)
    {
      double result = 0.;
      for (const unsigned int node : collision.nodes)
        result = std::max(result, resolution(positions[node]));
      return result;
    }



    /** The points of two features for the given positions of the nodes. */
    template <int dim>
    std::array<Point<dim>, dim + 1>
    feature_points(const Surface<dim> &surface,
                   const Encounter &encounter,
                   const std::vector<Point<dim>> &nodes)
    {
      const auto vertices = feature_vertices(surface, encounter);
      std::array<Point<dim>, dim + 1> x;
      for (unsigned int i = 0; i < dim + 1; ++i)
        x[i] = vertex_position(surface, nodes, vertices[i]);
      return x;
    }



    /** Whether two features meet on straight paths between two configurations
     * of the nodes. */
    template <int dim>
    bool
    paths_meet(const Surface<dim> &surface,
               const Encounter &encounter,
               const std::vector<Point<dim>> &begin,
               const std::vector<Point<dim>> &end)
    {
      double time        = 0.;
      const auto x_begin = feature_points(surface, encounter, begin);
      const auto x_end   = feature_points(surface, encounter, end);
      return for_kind<dim>(encounter.kind, [&](const auto features) {
        return features.meet(x_begin, x_end, time);
      });
    }



    /**
     * Whether two features touch for the given positions of the nodes, i.e. are
     * no further apart than touching_distance times the local edge length, or
     * than positions of double precision can tell.
     */
    template <int dim>
    bool
    touch(const Surface<dim> &surface,
          const Encounter &encounter,
          const std::vector<Point<dim>> &nodes)
    {
      const auto x = feature_points(surface, encounter, nodes);
      const double distance_square =
        for_kind<dim>(encounter.kind, [&](const auto features) {
          return features.closest(x).distance_square;
        });
      return std::sqrt(distance_square) <=
             std::max(touching_distance * pair_length(surface, encounter),
                      2. * std::max(resolution(x[0]), resolution(x[dim])));
    }
  } // namespace



  template <int dim>
  bool
  is_closer(const double distance,
            const std::vector<Point<dim>> &begin,
            const std::vector<Point<dim>> &current,
            const Tensor<1, dim> &normal,
            Collision<dim> &collision)
  {
    collision.normal       = normal;
    collision.gap          = normal * collision.weighted_sum(current);
    collision.start_gap    = normal * collision.weighted_sum(begin);
    const double round_off = resolution_of(collision, current);
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
  GivenGeometry<dim>::evaluate(const Encounter &encounter,
                               const AtImpact &,
                               const Positions &current,
                               const double relative_eta,
                               Collision<dim> &collision) const
  {
    collision = (*given)[encounter.collision].collision;
    return is_closer(relative_eta * collision.length,
                     begin,
                     current,
                     collision.normal,
                     collision);
  }



  template <int dim>
  bool
  GivenGeometry<dim>::evaluate_at_impact(const Encounter &encounter,
                                         const AtImpact &at_impact,
                                         const Positions &current,
                                         Collision<dim> &collision) const
  {
    if (encounter.crossing)
      evaluate(encounter, at_impact, current, 0., collision);
    return encounter.crossing;
  }



  template <int dim>
  Point<dim>
  FeatureGeometry<dim>::position(const unsigned int vertex,
                                 const double s) const
  {
    const Point<dim> a = vertex_position(surface, begin, vertex);
    const Point<dim> b = vertex_position(surface, end, vertex);
    return a + s * (b - a);
  }



  template <int dim>
  bool
  FeatureGeometry<dim>::evaluate(const Encounter &encounter,
                                 const AtImpact &at_impact,
                                 const Positions &current,
                                 const double relative_eta,
                                 Collision<dim> &collision) const
  {
    // Exactly aligned bodies slide in the planes of each other's sides, and
    // what follows a vertex through a facet crosses as well: there, only a
    // crossing counts that the pairs before have left.
    set_pair(surface, encounter, collision);
    if (!at_impact.is_plausible)
      {
        set_features(surface, encounter, at_impact.weights, collision);
        if (!encounter.crossing ||
            !still_crosses(encounter, at_impact, current, collision))
          return false;
      }
    return evaluate_features(encounter,
                             at_impact,
                             current,
                             relative_eta * collision.length,
                             collision);
  }



  template <int dim>
  bool
  FeatureGeometry<dim>::evaluate_material_points(
    const Encounter &encounter,
    const AtImpact &at_impact,
    const Positions &current,
    const double limit,
    Collision<dim> &collision) const
  {
    set_features(surface, encounter, at_impact.weights, collision);
    return is_closer_at_end(encounter, at_impact, current, limit, collision) ||
           (still_crosses(encounter, at_impact, current, collision) &&
            is_closer(limit, begin, current, at_impact.raw_normal, collision));
  }



  template <int dim>
  bool
  FeatureGeometry<dim>::is_closer_at_end(const Encounter &encounter,
                                         const AtImpact &at_impact,
                                         const Positions &current,
                                         const double limit,
                                         Collision<dim> &collision) const
  {
    return is_closer(limit, begin, current, at_impact.end_normal, collision) &&
           has_side(encounter, at_impact, collision);
  }



  template <int dim>
  bool
  FeatureGeometry<dim>::evaluate_at_impact(const Encounter &encounter,
                                           const AtImpact &at_impact,
                                           const Positions &current,
                                           Collision<dim> &collision) const
  {
    if (!encounter.crossing || !at_impact.has_raw_normal)
      return false;
    set_features(surface, encounter, at_impact.weights, collision);
    is_closer(0.,
              begin,
              current,
              impact_normal(encounter, at_impact, current),
              collision);
    return true;
  }



  template <int dim>
  bool
  FeatureGeometry<dim>::is_blocked(const Encounter &encounter,
                                   const Positions &current) const
  {
    // Those that end in touch would be left out in the next step.
    if (!(encounter.crossing || touch(surface, encounter, current)) ||
        touch(surface, encounter, begin))
      return false;
    const AtImpact impact = this->at_impact(encounter);
    if (!impact.has_raw_normal)
      return false; // parallel: the vertices decide
    Collision<dim> collision;
    set_features(surface, encounter, impact.weights, collision);
    return !grazes(impact, current, collision);
  }



  template <int dim>
  std::vector<unsigned int>
  FeatureGeometry<dim>::nodes(const Encounter &encounter) const
  {
    std::vector<unsigned int> result;
    FeatureGeometry<dim>::add_read_nodes(encounter, result);
    return result;
  }



  template <int dim>
  void
  FeatureGeometry<dim>::add_read_nodes(const Encounter &encounter,
                                       std::vector<unsigned int> &nodes) const
  {
    for (const unsigned int vertex : feature_vertices(surface, encounter))
      add_nodes_of(vertex, nodes);
  }



  template <int dim>
  void
  FeatureGeometry<dim>::add_nodes_of(const unsigned int vertex,
                                     std::vector<unsigned int> &nodes) const
  {
    if (surface.vertices_are_nodes)
      nodes.push_back(vertex);
    else
      nodes.insert(nodes.end(),
                   surface.vertex_nodes.begin() + surface.node_begin[vertex],
                   surface.vertex_nodes.begin() +
                     surface.node_begin[vertex + 1]);
  }



  template <int dim>
  bool
  FeatureGeometry<dim>::still_crosses(const Encounter &encounter,
                                      const AtImpact &at_impact,
                                      const Positions &current,
                                      const Collision<dim> &collision) const
  {
    return !grazes(at_impact, current, collision) &&
           paths_meet(surface, encounter, begin, current);
  }



  template <int dim>
  bool
  FeatureGeometry<dim>::grazes(const AtImpact &at_impact,
                               const Positions &current,
                               const Collision<dim> &collision) const
  {
    if (at_impact.is_on_border && !at_impact.is_plausible)
      return true;
    const double limit         = std::max(touching_distance * collision.length,
                                  2. * resolution_of(collision, current));
    const Tensor<1, dim> start = collision.weighted_sum(begin);
    const Tensor<1, dim> stop  = collision.weighted_sum(current);
    return std::any_of(at_impact.sliding_normals.begin(),
                       at_impact.sliding_normals.end(),
                       [&](const Tensor<1, dim> &n) {
                         return std::abs(n * start) <= limit &&
                                n * stop >= -limit;
                       });
  }



#define RICOCHET_INSTANTIATE(dim)                          \
  template class GivenGeometry<dim>;                       \
  template class FeatureGeometry<dim>;                     \
  template bool is_closer(const double,                    \
                          const std::vector<Point<dim>> &, \
                          const std::vector<Point<dim>> &, \
                          const Tensor<1, dim> &,          \
                          Collision<dim> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
