// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/geometry/branches.h>
#include <ricochet/geometry/collision_weights.h>
#include <ricochet/geometry/feature_normals.h>
#include <ricochet/search/feature_kinds.h>

#include <algorithm>
#include <array>

#include "make_branch.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Edges with a smaller sine between them have no normal of their own: of
     * edges that touch along their length, round-off would decide it. */
    constexpr double smallest_sine = 0.05;

    /** How far the closest point may be beyond the border of a facet, relative
     * to its size. Further out, planes are levers. */
    constexpr double largest_excess = 0.1;

    /** How far closest points must be from the ends of edges, relative to their
     * lengths: the direction between vertices is not that of edges. */
    constexpr double smallest_share = 1e-3;



    /** How many vertices the first feature has. */
    template <int dim>
    unsigned int
    first_vertices(const PairKind kind)
    {
      return for_kind<dim>(kind, [](const auto features) {
        return features.n_first;
      });
    }



    template <int dim>
    std::array<Point<dim>, dim + 1>
    positions_of(const Surface<dim> &surface,
                 const Branch<dim> &branch,
                 const std::vector<Point<dim>> &nodes)
    {
      std::array<Point<dim>, dim + 1> x;
      for (unsigned int i = 0; i < dim + 1; ++i)
        x[i] = vertex_position(surface, nodes, branch.vertices[i]);
      return x;
    }



    /** Weights of the point of a line or plane that is closest to the first
     * point, and the outward normal; false if there is none. */
    bool
    find_closest(const VertexFacet<2> &,
                 const std::array<Point<2>, 3> &x,
                 std::array<double, 4> &weights,
                 Tensor<1, 2> &normal)
    {
      const Tensor<1, 2> t = x[2] - x[1];
      normal               = facet_normal<2>({{x[1], x[2]}});
      const double s       = (x[0] - x[1]) * t / t.norm_square();
      weights              = {{1., s - 1., -s, 0.}};
      return normal.norm_square() > 0.;
    }



    bool
    find_closest(const VertexFacet<3> &,
                 const std::array<Point<3>, 4> &x,
                 std::array<double, 4> &weights,
                 Tensor<1, 3> &normal)
    {
      const Tensor<1, 3> a = x[2] - x[1], b = x[3] - x[1], p = x[0] - x[1];
      const Tensor<1, 3> area = cross_product_3d(a, b);
      normal                  = facet_normal<3>({{x[1], x[2], x[3]}});
      const double s = area * cross_product_3d(p, b) / area.norm_square();
      const double t = area * cross_product_3d(a, p) / area.norm_square();
      weights        = {{1., s + t - 1., -s, -t}};
      return normal.norm_square() > 0.;
    }



    /** The same of the lines of two edges; the normal is e_1 x e_2. */
    bool
    find_closest(const EdgeEdge &,
                 const std::array<Point<3>, 4> &x,
                 std::array<double, 4> &weights,
                 Tensor<1, 3> &normal)
    {
      const Tensor<1, 3> a = x[1] - x[0], b = x[3] - x[2], p = x[2] - x[0];
      normal             = cross_product_3d(a, b);
      const double sine  = normal.norm();
      const bool has_one = sine > smallest_sine * a.norm() * b.norm();
      const double s     = normal * cross_product_3d(p, b) / (sine * sine);
      const double t     = normal * cross_product_3d(p, a) / (sine * sine);
      weights            = {{1. - s, s, t - 1., -t}};
      normal /= sine;
      return has_one;
    }



    /** Weights of the vertices and normal; false if there is none. */
    template <int dim>
    bool
    find_closest(const Surface<dim> &surface,
                 const Branch<dim> &branch,
                 const std::vector<Point<dim>> &nodes,
                 std::array<double, 4> &weights,
                 Tensor<1, dim> &normal)
    {
      const auto x = positions_of(surface, branch, nodes);
      const bool has_normal =
        for_kind<dim>(branch.kind, [&](const auto features) {
          return find_closest(features, x, weights, normal);
        });
      normal *= branch.side;
      return has_normal;
    }
  } // namespace



  template <int dim>
  bool
  evaluate_branch(const Surface<dim> &surface,
                  const Branch<dim> &branch,
                  const std::vector<Point<dim>> &nodes,
                  Collision<dim> &collision)
  {
    std::array<double, 4> weights;
    if (!find_closest(surface, branch, nodes, weights, collision.normal))
      return false;
    const unsigned int second = first_vertices<dim>(branch.kind);
    set_weights(surface, branch.vertices, weights, collision);
    collision.bodies = {{surface.vertex_body[branch.vertices[0]],
                         surface.vertex_body[branch.vertices[second]]}};
    collision.length = surface.vertex_length[branch.vertices[0]];
    for (const unsigned int v : branch.vertices)
      collision.length = std::min(collision.length, surface.vertex_length[v]);
    collision.gap = collision.normal * collision.weighted_sum(nodes);
    return true;
  }



  template <int dim>
  bool
  is_on_features(const Surface<dim> &surface,
                 const Branch<dim> &branch,
                 const std::vector<Point<dim>> &nodes)
  {
    std::array<double, 4> weights;
    Tensor<1, dim> normal;
    if (!find_closest(surface, branch, nodes, weights, normal))
      return false;
    const double least =
      branch.kind == PairKind::edge_edge ? smallest_share : -largest_excess;
    for (unsigned int i = 0; i < dim + 1; ++i)
      if ((i < first_vertices<dim>(branch.kind) ? weights[i] : -weights[i]) <
          least)
        return false;
    return true;
  }



  template <int dim>
  Branch<dim>
  features_of(const Surface<dim> &surface, const Encounter &encounter)
  {
    if constexpr (dim == 3)
      if (encounter.kind == PairKind::edge_edge)
        return two_edges(surface.edges[encounter.first],
                         surface.edges[encounter.second]);
    return vertex_and_facet(surface, encounter.first, encounter.second);
  }



  template <int dim>
  Branch<dim>
  branch_of(const Surface<dim> &surface,
            const Encounter &encounter,
            const std::vector<Point<dim>> &begin)
  {
    Branch<dim> result = features_of(surface, encounter);
    Collision<dim> collision;
    if (result.kind == PairKind::edge_edge &&
        evaluate_branch(surface, result, begin, collision) &&
        collision.gap < 0.)
      result.side = -1.;
    return result;
  }



  template <int dim>
  std::vector<std::array<unsigned int, 2>>
  facets_at(const Surface<dim> &surface, const Encounter &encounter)
  {
    return for_kind<dim>(encounter.kind, [&](const auto features) {
      return features.facets_at(surface, encounter.first, encounter.second);
    });
  }



#define RICOCHET_INSTANTIATE(dim)                                            \
  template std::vector<std::array<unsigned int, 2>> facets_at(               \
    const Surface<dim> &,                                                    \
    const Encounter &);                                                      \
  template Branch<dim> features_of(const Surface<dim> &, const Encounter &); \
  template Branch<dim> branch_of(const Surface<dim> &,                       \
                                 const Encounter &,                          \
                                 const std::vector<Point<dim>> &);           \
  template bool evaluate_branch(const Surface<dim> &,                        \
                                const Branch<dim> &,                         \
                                const std::vector<Point<dim>> &,             \
                                Collision<dim> &);                           \
  template bool is_on_features(const Surface<dim> &,                         \
                               const Branch<dim> &,                          \
                               const std::vector<Point<dim>> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
