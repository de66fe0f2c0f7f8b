// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_geometry_branches_h
#define ricochet_geometry_branches_h

#include <ricochet/geometry/collision.h>
#include <ricochet/search/encounter.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <array>
#include <boost/container_hash/hash.hpp>
#include <cstddef>
#include <tuple>
#include <vector>

namespace Ricochet
{
  /**
   * A smooth piece of the boundary of the set of admissible configurations
   * (Kane, Repetto, Ortiz and Marsden, 1999): a vertex that stays outside a
   * facet, or two edges that do not pass each other. The gap of the two lines,
   * or of the vertex and the plane of the facet, is its function g(x) >= 0.
   *
   * The published functions are products of such (their equations (A.2) and
   * (A.5)), which are positive on the wrong side as well and have no gradient
   * where two bodies touch at their corners; a union of branches has neither
   * defect. With the gap instead of a determinant for g, all branches are
   * lengths and the gradient is w_i n, that of a contact point:
   * sum_i w_i = 0 and sum_i x_i x (w_i n) = h x n = 0, so that forces along it
   * keep both momenta.
   *
   * @note Contact responses from outside may include this header.
   */
  template <int dim>
  struct Branch
  {
    /** Of two features: the vertex or the first edge, then the facet or the
     * second edge. */
    PairKind kind = PairKind::vertex_facet;
    std::array<unsigned int, dim + 1> vertices;

    /** Of edges: the normal is side (e_1 x e_2) / |e_1 x e_2|. */
    double side = 1.;

    /** By kind and vertices, for sorted lists. */
    friend bool
    operator<(const Branch &a, const Branch &b)
    {
      return std::tie(a.kind, a.vertices) < std::tie(b.kind, b.vertices);
    }

    /** The same, whatever the side. */
    friend bool
    operator==(const Branch &a, const Branch &b)
    {
      return a.kind == b.kind && a.vertices == b.vertices;
    }

    /** For hash tables, see boost::hash. */
    friend std::size_t
    hash_value(const Branch &branch)
    {
      std::size_t seed = static_cast<std::size_t>(branch.kind);
      for (const unsigned int v : branch.vertices)
        boost::hash_combine(seed, v);
      return seed;
    }
  };



  /** The branch of two features, whatever the side of edges. */
  template <int dim>
  Branch<dim>
  features_of(const Surface<dim> &surface, const Encounter &encounter);



  /** The branch of an encounter of features. Edges get the side on which they
   * are in the configuration @p begin. */
  template <int dim>
  Branch<dim>
  branch_of(const Surface<dim> &surface,
            const Encounter &encounter,
            const std::vector<dealii::Point<dim>> &begin);

  /**
   * Gap and gradient of a branch: the collision with the weights of the closest
   * points of the planes or lines, which may lie beyond the features.
   *
   * @param[in] nodes One point per node.
   * @return False if there is no normal: the edges are parallel, by less than
   *   three degrees, or the facet has no extent.
   */
  template <int dim>
  bool
  evaluate_branch(const Surface<dim> &surface,
                  const Branch<dim> &branch,
                  const std::vector<dealii::Point<dim>> &nodes,
                  Collision<dim> &collision);

  /** Whether there is a normal, and the closest points are on the features
   * themselves: within the facet or no more than a tenth of it outside, between
   * the ends of both edges. */
  template <int dim>
  bool
  is_on_features(const Surface<dim> &surface,
                 const Branch<dim> &branch,
                 const std::vector<dealii::Point<dim>> &nodes);

  /** The pairs of facets, one at each of two features that meet, that may
   * cross: those at the vertex with the facet, or those at the edges. */
  template <int dim>
  std::vector<std::array<unsigned int, 2>>
  facets_at(const Surface<dim> &surface, const Encounter &encounter);

  /** Branches that together end a crossing. */
  template <int dim>
  using BranchSet = std::vector<Branch<dim>>;

  /**
   * The ways to end the crossing of two facets.
   *
   * 2D: of two segments, labelled so that x_12 x x_34 > 0, the start of the
   * first and the end of the second are inside; either may leave.
   *
   * 3D: if two edges of one facet pierce the other one, the vertex that they
   * share leaves if it is behind that, and else the two others. If one edge of
   * each pierces the other facet, this is offered for both, and that these two
   * edges pass back.
   *
   * @param[in] nodes One point per node.
   * @return Nothing if the facets share a vertex or do not cross, where crosses
   *   means by more than round-off.
   */
  template <int dim>
  std::vector<BranchSet<dim>>
  ways_out(const Surface<dim> &surface,
           const std::vector<dealii::Point<dim>> &nodes,
           const unsigned int facet_a,
           const unsigned int facet_b);
} // namespace Ricochet

#endif
