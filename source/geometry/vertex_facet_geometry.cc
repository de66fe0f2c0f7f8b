// SPDX-License-Identifier: LGPL-2.1-or-later

#include "vertex_facet_geometry.h"

#include <ricochet/geometry/collision_weights.h>
#include <ricochet/geometry/feature_normals.h>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Whether a point of a facet with these weights counts as on its border.
     */
    template <int dim>
    bool
    is_on_border(const std::array<double, dim> &weights)
    {
      return *std::min_element(weights.begin(), weights.end()) < border_weight;
    }
  } // namespace



  template <int dim>
  typename VertexFacetGeometry<dim>::AtImpact
  VertexFacetGeometry<dim>::at_impact(const Encounter &encounter) const
  {
    AtImpact result;
    if (encounter.crossing)
      {
        std::array<Point<dim>, dim> x;
        for (unsigned int i = 0; i < dim; ++i)
          x[i] =
            this->position(surface.facets[encounter.second][i], encounter.time);
        const auto closest =
          closest_point_on_facet(this->position(encounter.first,
                                                encounter.time),
                                 x);
        result.weights      = VertexFacet<dim>::weights(closest);
        result.is_on_border = is_on_border<dim>(closest.weights);
        result.raw_normal   = facet_normal<dim>(x);
      }
    add_end(encounter, result);
    return result;
  }



  template <int dim>
  void
  VertexFacetGeometry<dim>::add_end(const Encounter &encounter,
                                    AtImpact &result) const
  {
    const auto x = corners_from_nodes(surface, end, encounter.second);
    const auto closest =
      closest_point_on_facet(vertex_position(surface, end, encounter.first), x);
    result.end_weights = VertexFacet<dim>::weights(closest);
    result.is_inside   = closest.is_inside;
    result.end_normal  = facet_normal<dim>(x);
    if (!encounter.crossing)
      {
        // Such pairs are closest at the end.
        result.weights      = result.end_weights;
        result.is_on_border = is_on_border<dim>(closest.weights);
        result.raw_normal   = result.end_normal;
      }
    else if (result.is_on_border)
      agree_on_normal(encounter, result);
    result.is_plausible = can_touch(encounter.first, result.end_normal);
    result.sliding_normals.push_back(result.end_normal);
  }



  template <int dim>
  void
  VertexFacetGeometry<dim>::agree_on_normal(const Encounter &encounter,
                                            AtImpact &result) const
  {
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
  VertexFacetGeometry<dim>::add_read_nodes(
    const Encounter &encounter,
    std::vector<unsigned int> &nodes) const
  {
    FeatureGeometry<dim>::add_read_nodes(encounter, nodes);
    if (encounter.crossing)
      return;
    for (const unsigned int vertex : feature_vertices(surface, encounter))
      for (unsigned int k = surface.neighbor_begin[vertex];
           k < surface.neighbor_begin[vertex + 1];
           ++k)
        this->add_nodes_of(surface.neighbors[k], nodes);
  }



  template <int dim>
  bool
  VertexFacetGeometry<dim>::evaluate_features(const Encounter &encounter,
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
        is_closer(limit, begin, current, at_impact.end_normal, collision))
      return true;
    if (encounter.crossing)
      return this->evaluate_material_points(encounter,
                                            at_impact,
                                            current,
                                            limit,
                                            collision);

    // Next to the border of a facet that it has not crossed, a vertex has only
    // the way straight away from it.
    const Tensor<1, dim> h      = collision.weighted_sum(current);
    const double distance       = h.norm();
    const Tensor<1, dim> normal = distance > round_off_length * collision.length
                                    ? h / distance
                                    : at_impact.end_normal;
    return !at_impact.is_inside && distance < eta &&
           is_between_facets(vertices, at_impact.end_weights, normal) &&
           is_closer(eta, begin, current, normal, collision);
  }



  template <int dim>
  bool
  VertexFacetGeometry<dim>::is_between_facets(
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
  VertexFacetGeometry<dim>::can_touch(const unsigned int vertex,
                                      const Tensor<1, dim> &normal) const
  {
    const Point<dim> x = vertex_position(surface, end, vertex);
    for (unsigned int k = surface.neighbor_begin[vertex];
         k < surface.neighbor_begin[vertex + 1];
         ++k)
      {
        const Tensor<1, dim> edge =
          vertex_position(surface, end, surface.neighbors[k]) - x;
        const double height = normal * edge;
        if (height < 0. &&
            height * height > cone_tolerance * cone_tolerance * (edge * edge))
          return false;
      }
    return true;
  }



  template class VertexFacetGeometry<2>;
  template class VertexFacetGeometry<3>;
} // namespace Ricochet
