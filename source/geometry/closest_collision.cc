// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/geometry/closest_collision.h>
#include <ricochet/geometry/feature_normals.h>
#include <ricochet/search/closest_points.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Another facet must be closer by more than round-off. */
    constexpr double closer = 1. - 1e-9;

    /** A point that is deeper, relative to the local length, has a direction
     * to its closest point. */
    constexpr double directed_depth = 1e-8;

    /** The smallest cosine between the normal in a valley and its facets. */
    constexpr double smallest_cosine = 0.05;

    /** A vertex that is closer to a facet than this part of the way from there
     * to the border has no closer facet but in a wedge of less than 3 degrees,
     * and there it stays with the side that it came through. */
    constexpr double far_from_border = 0.02;



    /** From the point of these weights. */
    double
    distance_from_border(const std::array<Point<2>, 2> &x,
                         const std::array<double, 2> &weights)
    {
      return std::min(weights[0], weights[1]) * (x[1] - x[0]).norm();
    }



    double
    distance_from_border(const std::array<Point<3>, 3> &x,
                         const std::array<double, 3> &weights)
    {
      const double twice_area =
        cross_product_3d(x[1] - x[0], x[2] - x[0]).norm();
      double result = std::numeric_limits<double>::infinity();
      for (unsigned int i = 0; i < 3; ++i)
        result = std::min(result,
                          weights[i] * twice_area /
                            x[(i + 1) % 3].distance(x[(i + 2) % 3]));
      return result;
    }
  } // namespace



  template <int dim>
  void
  ClosestCollisions<dim>::reinit(const Surface<dim> &new_surface)
  {
    surface = &new_surface;
  }



  template <int dim>
  typename ClosestCollisions<dim>::Target
  ClosestCollisions<dim>::find(
    const Encounter &encounter,
    const CollisionGeometry<dim> &geometry,
    const Positions &end,
    const std::function<bool(const unsigned int)> &is_master) const
  {
    const Target met{encounter, geometry.at_impact(encounter), false, {}};
    Target best        = met;
    const Point<dim> x = vertex_position(*surface, end, encounter.first);
    const auto corners = [&](const unsigned int facet) {
      return corners_from_nodes(*surface, end, facet);
    };
    const auto distance_square = [&](const unsigned int facet) {
      return closest_point_on_facet(x, corners(facet)).distance_square;
    };

    double shortest = std::numeric_limits<double>::infinity();
    if (met.at_impact.is_plausible)
      {
        const auto closest =
          closest_point_on_facet(x, corners(encounter.second));
        shortest = closest.distance_square;
        if (closest.is_inside &&
            std::sqrt(shortest) <
              far_from_border * distance_from_border(corners(encounter.second),
                                                     closest.weights))
          return met;
      }
    std::vector<unsigned int> visited{encounter.second};
    for (bool is_closer = true; is_closer;)
      {
        is_closer        = false;
        const auto &from = surface->facets[best.encounter.second];
        for (const unsigned int v : from)
          for (const unsigned int f : surface->vertex_facets[v])
            {
              if (std::find(visited.begin(), visited.end(), f) != visited.end())
                continue;
              visited.push_back(f);
              const auto &facet = surface->facets[f];
              if (std::find(facet.begin(), facet.end(), encounter.first) !=
                  facet.end())
                continue; // of the vertex itself
              const double length = distance_square(f);
              if (!(length < closer * shortest) || !is_master(f))
                continue;
              Target next{encounter, {}, false, {}};
              next.encounter.second   = f;
              next.encounter.crossing = false;
              next.at_impact          = geometry.at_impact(next.encounter);
              if (!next.at_impact.is_plausible)
                continue;
              best      = next;
              shortest  = length;
              is_closer = true;
            }
      }

    find_valley(end, best);
    Collision<dim> collision;
    const bool is_below = evaluate(best, geometry, end, 0., collision);
    return (best.in_valley || best.at_impact.is_inside) && is_below ? best
                                                                    : met;
  }



  template <int dim>
  void
  ClosestCollisions<dim>::find_valley(const Positions &end,
                                      Target &target) const
  {
    const auto &facet   = surface->facets[target.encounter.second];
    const auto &weights = target.at_impact.end_weights;
    if (target.at_impact.is_inside)
      return;

    Tensor<1, dim> depth;
    std::vector<unsigned int> supports;
    for (unsigned int i = 0; i < dim; ++i)
      if (weights[i + 1] != 0.)
        {
          supports.push_back(facet[i]);
          depth -= weights[i + 1] *
                   (vertex_position(*surface, end, facet[i]) -
                    vertex_position(*surface, end, target.encounter.first));
        }
    std::vector<Tensor<1, dim>> normals;
    Tensor<1, dim> mean;
    for (const unsigned int f : surface->vertex_facets[supports[0]])
      {
        const auto &other = surface->facets[f];
        if (std::all_of(supports.begin(), supports.end(), [&](unsigned int v) {
              return std::find(other.begin(), other.end(), v) != other.end();
            }))
          {
            normals.push_back(
              facet_normal<dim>(corners_from_nodes(*surface, end, f)));
            mean += normals.back();
          }
      }
    const double length =
      surface->facet_length[target.encounter.second] * directed_depth;
    const Tensor<1, dim> n = depth.norm() > length ? depth : mean;
    if (!(n.norm() > 0.))
      return;
    target.valley_normal = n / n.norm();
    target.in_valley =
      std::all_of(normals.begin(), normals.end(), [&](const auto &normal) {
        return normal * target.valley_normal > smallest_cosine;
      });
  }



  template <int dim>
  bool
  ClosestCollisions<dim>::evaluate(const Target &target,
                                   const CollisionGeometry<dim> &geometry,
                                   const Positions &current,
                                   const double relative_eta,
                                   Collision<dim> &collision) const
  {
    if (target.in_valley)
      return geometry.evaluate_along(target.encounter,
                                     target.at_impact.end_weights,
                                     target.valley_normal,
                                     current,
                                     relative_eta,
                                     collision);
    return geometry.evaluate(target.encounter,
                             target.at_impact,
                             current,
                             relative_eta,
                             collision);
  }



  template class ClosestCollisions<2>;
  template class ClosestCollisions<3>;
} // namespace Ricochet
