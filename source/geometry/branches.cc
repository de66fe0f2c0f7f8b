// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/geometry/branches.h>
#include <ricochet/geometry/collision_weights.h>
#include <ricochet/geometry/feature_normals.h>
#include <ricochet/geometry/piercing.h>
#include <ricochet/search/feature_kinds.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Crossings that are no deeper than this, relative to the size of the
     * facets, are touching. */
    constexpr double round_off_depth = 1e-12;



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



    double
    cross_2d(const Tensor<1, 2> &a, const Tensor<1, 2> &b)
    {
      return a[0] * b[1] - a[1] * b[0];
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



    /** A vertex and a facet by their numbers. */
    template <int dim>
    Branch<dim>
    vertex_and_facet(const Surface<dim> &surface,
                     const unsigned int vertex,
                     const unsigned int facet)
    {
      Branch<dim> result;
      result.vertices = VertexFacet<dim>::vertices(surface, vertex, facet);
      return result;
    }



    /** Two edges by their vertices, whatever the order. */
    Branch<3>
    two_edges(std::array<unsigned int, 2> a, std::array<unsigned int, 2> b)
    {
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      if (b < a)
        std::swap(a, b);
      Branch<3> result;
      result.kind     = PairKind::edge_edge;
      result.vertices = {{a[0], a[1], b[0], b[1]}};
      return result;
    }



    template <int dim>
    bool
    share_a_vertex(const std::array<unsigned int, dim> &a,
                   const std::array<unsigned int, dim> &b)
    {
      return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) !=
             a.end();
    }



    /** Whether p and q are on different sides by more than round-off. */
    bool
    differ(const double p, const double q, const double round_off)
    {
      return std::min(p, q) < -round_off && std::max(p, q) > round_off;
    }



    std::vector<BranchSet<2>>
    ways_out(const Surface<2> &surface,
             unsigned int f,
             unsigned int g,
             std::array<Point<2>, 2> x,
             std::array<Point<2>, 2> y)
    {
      if (cross_2d(x[1] - x[0], y[1] - y[0]) < 0.)
        {
          std::swap(f, g);
          std::swap(x, y);
        }
      const Tensor<1, 2> s = x[1] - x[0], t = y[1] - y[0];
      const double round_off =
        round_off_depth * std::max(s.norm_square(), t.norm_square());
      if (!differ(cross_2d(s, y[0] - x[0]),
                  cross_2d(s, y[1] - x[0]),
                  round_off) ||
          !differ(cross_2d(t, x[0] - y[0]),
                  cross_2d(t, x[1] - y[0]),
                  round_off))
        return {};
      return {{vertex_and_facet(surface, surface.facets[f][0], g)},
              {vertex_and_facet(surface, surface.facets[g][1], f)}};
    }



    /** One facet in 3D and what of it is on which side of another. */
    class Sides
    {
    public:
      Sides(const std::array<Point<3>, 3> &x,
            const std::array<Point<3>, 3> &other,
            const double round_off)
        : normal(facet_normal<3>(other))
        , round_off(round_off)
      {
        for (unsigned int i = 0; i < 3; ++i)
          height[i] = normal * (x[i] - other[0]);
        for (unsigned int i = 0; i < 3; ++i)
          pierces[i] =
            place_of_piercing(x[i], x[(i + 1) % 3], other, normal, round_off)
              .has_value();
      }

      unsigned int
      n_piercing() const
      {
        return std::count(pierces.begin(), pierces.end(), true);
      }

      /** The edge that pierces, from vertex i to i+1. */
      unsigned int
      piercing_edge() const
      {
        return std::find(pierces.begin(), pierces.end(), true) -
               pierces.begin();
      }

      /** The vertices to lift: the lone one on its side if it is behind the
       * other facet, else the two others. */
      std::vector<unsigned int>
      inside() const
      {
        std::vector<unsigned int> result;
        for (unsigned int i = 0; i < 3; ++i)
          if (height[i] < -round_off)
            result.push_back(i);
        return result;
      }

    private:
      const Tensor<1, 3> normal;
      const double round_off;
      std::array<double, 3> height;
      std::array<bool, 3> pierces;
    };



    std::vector<BranchSet<3>>
    ways_out(const Surface<3> &surface,
             const unsigned int f,
             const unsigned int g,
             const std::array<Point<3>, 3> &x,
             const std::array<Point<3>, 3> &y)
    {
      const double round_off =
        round_off_depth * std::max(x[0].distance(x[1]), y[0].distance(y[1]));
      const Sides first(x, y, round_off), second(y, x, round_off);
      const auto lift = [&surface](const Sides &sides,
                                   const unsigned int from,
                                   const unsigned int facet) {
        BranchSet<3> result;
        for (const unsigned int i : sides.inside())
          result.push_back(
            vertex_and_facet(surface, surface.facets[from][i], facet));
        return result;
      };

      std::vector<BranchSet<3>> result;
      if (first.n_piercing() == 2)
        result = {lift(first, f, g)};
      else if (second.n_piercing() == 2)
        result = {lift(second, g, f)};
      else if (first.n_piercing() == 1 && second.n_piercing() == 1)
        {
          const auto edge = [&surface](const Sides &sides,
                                       const unsigned int facet) {
            const unsigned int i = sides.piercing_edge();
            return std::array<unsigned int, 2>{
              {surface.facets[facet][i], surface.facets[facet][(i + 1) % 3]}};
          };
          result = {{two_edges(edge(first, f), edge(second, g))},
                    lift(first, f, g),
                    lift(second, g, f)};
        }
      return result;
    }



    /** Let edges be on the other side of each other than they are. */
    void
    turn_edges(const Surface<3> &surface,
               const std::vector<Point<3>> &nodes,
               BranchSet<3> &set)
    {
      Collision<3> collision;
      for (Branch<3> &branch : set)
        if (branch.kind == PairKind::edge_edge &&
            evaluate_branch(surface, branch, nodes, collision) &&
            collision.gap > 0.)
          branch.side = -branch.side;
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
  branch_of(const Surface<dim> &surface,
            const Encounter &encounter,
            const std::vector<Point<dim>> &begin)
  {
    Branch<dim> result;
    if (encounter.kind == PairKind::vertex_facet)
      result = vertex_and_facet(surface, encounter.first, encounter.second);
    else if constexpr (dim == 3)
      {
        result = two_edges(surface.edges[encounter.first],
                           surface.edges[encounter.second]);
        Collision<3> collision;
        if (evaluate_branch(surface, result, begin, collision) &&
            collision.gap < 0.)
          result.side = -1.;
      }
    return result;
  }



  template <int dim>
  std::vector<BranchSet<dim>>
  ways_out(const Surface<dim> &surface,
           const std::vector<Point<dim>> &nodes,
           const unsigned int facet_a,
           const unsigned int facet_b)
  {
    if (share_a_vertex<dim>(surface.facets[facet_a], surface.facets[facet_b]))
      return {};
    // The first facet is the one with the smaller number, whoever asks.
    const unsigned int f = std::min(facet_a, facet_b),
                       g = std::max(facet_a, facet_b);
    auto result          = ways_out(surface,
                           f,
                           g,
                           corners_from_nodes(surface, nodes, f),
                           corners_from_nodes(surface, nodes, g));
    if constexpr (dim == 3)
      for (auto &set : result)
        turn_edges(surface, nodes, set);
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



#define RICOCHET_INSTANTIATE(dim)                                  \
  template std::vector<std::array<unsigned int, 2>> facets_at(     \
    const Surface<dim> &,                                          \
    const Encounter &);                                            \
  template Branch<dim> branch_of(const Surface<dim> &,             \
                                 const Encounter &,                \
                                 const std::vector<Point<dim>> &); \
  template bool evaluate_branch(const Surface<dim> &,              \
                                const Branch<dim> &,               \
                                const std::vector<Point<dim>> &,   \
                                Collision<dim> &);                 \
  template bool is_on_features(const Surface<dim> &,               \
                               const Branch<dim> &,                \
                               const std::vector<Point<dim>> &);   \
  template std::vector<BranchSet<dim>> ways_out(                   \
    const Surface<dim> &,                                          \
    const std::vector<Point<dim>> &,                               \
    const unsigned int,                                            \
    const unsigned int);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
