// SPDX-License-Identifier: LGPL-2.1-or-later

#include "edge_edge_geometry.h"

#include <ricochet/geometry/collision_weights.h>
#include <ricochet/geometry/feature_normals.h>

#include <cmath>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** The detection distance of pairs of edges relative to that of vertices
     * and facets: where flat surfaces lie on each other, these keep the edges
     * apart, and many crossings of edges in a plane need not be looked at. */
    constexpr double edge_share = 0.1;

    /** The largest cosine of a right angle. */
    constexpr double right_cosine = 1e-6;
  } // namespace



  EdgeEdgeGeometry::AtImpact
  EdgeEdgeGeometry::at_impact(const Encounter &encounter) const
  {
    AtImpact result;
    const auto vertices = feature_vertices(surface, encounter);
    EdgeEdge::Points x;
    for (unsigned int i = 0; i < 4; ++i)
      x[i] = position(vertices[i], encounter.time);
    result.weights = EdgeEdge::weights(EdgeEdge::closest(x));
    orient(encounter, x[1] - x[0], x[3] - x[2], result);
    add_end(encounter, result);
    return result;
  }



  void
  EdgeEdgeGeometry::orient(const Encounter &encounter,
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
    const auto vertices = feature_vertices(surface, encounter);
    for (unsigned int i = 0; i < 4; ++i)
      separation += result.weights[i] *
                    Tensor<1, 3>(vertex_position(surface, begin, vertices[i]));
    const double side = result.raw_normal * separation;
    if (side < 0.)
      result.raw_normal *= -1.;
    const auto round_off = [&](const unsigned int i) {
      return resolution(vertex_position(surface, begin, vertices[i]));
    };
    result.has_raw_normal =
      std::abs(side) >
      std::max(round_off_length * pair_length(surface, encounter),
               2. * std::max(round_off(0), round_off(1)));
  }



  void
  EdgeEdgeGeometry::add_end(const Encounter &encounter, AtImpact &result) const
  {
    const auto vertices = feature_vertices(surface, encounter);
    const auto edge     = [&](const unsigned int i) -> Tensor<1, 3> {
      return vertex_position(surface, end, vertices[i + 1]) -
             vertex_position(surface, end, vertices[i]);
    };
    const Tensor<1, 3> e_1 = edge(0), e_2 = edge(2);
    Tensor<1, 3> n    = cross_product_3d(e_1, e_2);
    const double sine = n.norm();
    if (!(sine > parallel_sine * e_1.norm() * e_2.norm()))
      result.has_raw_normal = false;
    if (!result.has_raw_normal)
      return;
    n *= (n * result.raw_normal < 0. ? -1. : 1.) / sine;
    const EdgeNormals normals_a(surface, end, encounter.first);
    const EdgeNormals normals_b(surface, end, encounter.second);
    result.end_normal      = fitting_normal(normals_a, normals_b, n);
    result.is_plausible    = fits(normals_a, normals_b, result.end_normal);
    result.sliding_normals = {-normals_a.first,
                              -normals_a.second,
                              normals_b.first,
                              normals_b.second};
  }



  bool
  EdgeEdgeGeometry::evaluate_features(const Encounter &encounter,
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
    EdgeEdge::Points x;
    for (unsigned int i = 0; i < 4; ++i)
      x[i] = vertex_position(surface, current, vertices[i]);
    const auto closest = EdgeEdge::closest(x);
    if (closest.is_inside)
      {
        set_weights(surface, vertices, EdgeEdge::weights(closest), collision);
        if (is_closer_at_end(encounter, at_impact, current, limit, collision))
          return true;
      }
    return encounter.crossing && evaluate_material_points(encounter,
                                                          at_impact,
                                                          current,
                                                          limit,
                                                          collision);
  }



  bool
  EdgeEdgeGeometry::has_side(const Encounter &encounter,
                             const AtImpact &at_impact,
                             const Collision<3> &collision) const
  {
    if (collision.start_gap >= 0.)
      return true;
    const auto is_flat = [this](const unsigned int edge) {
      return EdgeNormals(surface, end, edge).is_flat;
    };
    const auto vertices    = feature_vertices(surface, encounter);
    const auto is_right_to = [&](const unsigned int i) {
      const Tensor<1, 3> e = vertex_position(surface, end, vertices[i + 1]) -
                             vertex_position(surface, end, vertices[i]);
      return std::abs(at_impact.end_normal * e) <= right_cosine * e.norm();
    };
    return at_impact.is_plausible &&
           ((is_right_to(0) && is_right_to(2)) || is_flat(encounter.first) ||
            is_flat(encounter.second));
  }



  Tensor<1, 3>
  EdgeEdgeGeometry::impact_normal(const Encounter &encounter,
                                  const AtImpact &at_impact,
                                  const Positions &current) const
  {
    return fitting_normal(EdgeNormals(surface, current, encounter.first),
                          EdgeNormals(surface, current, encounter.second),
                          at_impact.raw_normal);
  }
} // namespace Ricochet
