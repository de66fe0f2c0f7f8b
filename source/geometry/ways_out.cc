// SPDX-License-Identifier: LGPL-2.1-or-later

// How two facets that cross can be taken apart.

#include <ricochet/geometry/branches.h>
#include <ricochet/geometry/feature_normals.h>
#include <ricochet/geometry/piercing.h>

#include <algorithm>
#include <array>

#include "make_branch.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Crossings that are no deeper than this, relative to the size of the
     * facets, are touching. */
    constexpr double round_off_depth = 1e-12;



    double
    cross_2d(const Tensor<1, 2> &a, const Tensor<1, 2> &b)
    {
      return a[0] * b[1] - a[1] * b[0];
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



    /** Whether there is a plane across an axis between two facets. */
    template <int dim>
    bool
    are_apart(const std::array<Point<dim>, dim> &x,
              const std::array<Point<dim>, dim> &y)
    {
      for (unsigned int d = 0; d < dim; ++d)
        {
          double x_min = x[0][d], x_max = x[0][d], y_min = y[0][d],
                 y_max = y[0][d];
          for (unsigned int i = 1; i < dim; ++i)
            {
              x_min = std::min(x_min, x[i][d]);
              x_max = std::max(x_max, x[i][d]);
              y_min = std::min(y_min, y[i][d]);
              y_max = std::max(y_max, y[i][d]);
            }
          if (x_max < y_min || y_max < x_min)
            return true;
        }
      return false;
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
    const auto x         = corners_from_nodes(surface, nodes, f);
    const auto y         = corners_from_nodes(surface, nodes, g);
    // Most pairs need no more than this.
    if (are_apart<dim>(x, y))
      return {};
    auto result = ways_out(surface, f, g, x, y);
    if constexpr (dim == 3)
      for (auto &set : result)
        turn_edges(surface, nodes, set);
    return result;
  }



  template std::vector<BranchSet<2>>
  ways_out(const Surface<2> &,
           const std::vector<Point<2>> &,
           const unsigned int,
           const unsigned int);
  template std::vector<BranchSet<3>>
  ways_out(const Surface<3> &,
           const std::vector<Point<3>> &,
           const unsigned int,
           const unsigned int);
} // namespace Ricochet
