// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/geometry/feature_normals.h>
#include <ricochet/overlap/sides.h>
#include <ricochet/search/closest_points.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Squares of distances that differ by less are equal. */
    constexpr double same_distance = 1e-9;



    /** The facets of one rigid surface. */
    template <int dim>
    class RigidSurface
    {
    public:
      using Positions = std::vector<Point<dim>>;

      RigidSurface(const Surface<dim> &surface,
                   const Positions &positions,
                   const unsigned int body)
        : surface(surface)
        , positions(positions)
      {
        for (unsigned int f = 0; f < surface.n_facets(); ++f)
          if (surface.facet_body[f] == body)
            {
              facets.push_back(f);
              for (unsigned int i = 0; i < dim; ++i)
                ++n_facets_at[side(f, i)];
            }
      }

      /** Whether a point is at the back of the surface. */
      bool
      is_behind(const Point<dim> &x) const
      {
        double smallest = std::numeric_limits<double>::infinity();
        for (const unsigned int f : facets)
          smallest =
            std::min(smallest,
                     closest_point_on_facet(x, corners(f)).distance_square);
        double furthest = 0.;
        for (const unsigned int f : facets)
          {
            const auto closest = closest_point_on_facet(x, corners(f));
            if (closest.distance_square > (1. + same_distance) * smallest)
              continue;
            if (is_on_border(f, closest.weights))
              return false;
            const double height =
              facet_normal<dim>(corners(f)) * (x - corners(f)[0]);
            // Of a facet and its back in the same place, the front counts.
            if (std::abs(height) >
                (1. + (height > 0. ? -1. : 1.) * same_distance) *
                  std::abs(furthest))
              furthest = height;
          }
        return furthest < 0.;
      }

    private:
      /** The side of a facet opposite to its vertex @p i: an edge, in 2D a
       * vertex. */
      std::array<unsigned int, dim - 1>
      side(const unsigned int f, const unsigned int i) const
      {
        std::array<unsigned int, dim - 1> result;
        for (unsigned int k = 0; k < dim - 1; ++k)
          result[k] = surface.facets[f][(i + 1 + k) % dim];
        std::sort(result.begin(), result.end());
        return result;
      }

      std::array<Point<dim>, dim>
      corners(const unsigned int f) const
      {
        std::array<Point<dim>, dim> x;
        for (unsigned int i = 0; i < dim; ++i)
          x[i] = positions[surface.facets[f][i]];
        return x;
      }

      /** Whether a point of a facet is on a side without a neighbor. */
      bool
      is_on_border(const unsigned int f,
                   const std::array<double, dim> &weights) const
      {
        for (unsigned int i = 0; i < dim; ++i)
          if (weights[i] == 0. && n_facets_at.at(side(f, i)) == 1)
            return true;
        return false;
      }

      const Surface<dim> &surface;
      const Positions &positions;
      std::vector<unsigned int> facets;
      std::map<std::array<unsigned int, dim - 1>, unsigned int> n_facets_at;
    };
  } // namespace



  template <int dim>
  std::vector<BodyPair>
  bodies_behind(const Surface<dim> &surface,
                const std::vector<Point<dim>> &positions,
                const unsigned int first_rigid,
                const SearchSettings &search)
  {
    std::vector<unsigned int> first_vertex(first_rigid, Surface<dim>::none);
    for (unsigned int v = surface.n_vertices(); v-- > 0;)
      if (surface.vertex_body[v] < first_rigid)
        first_vertex[surface.vertex_body[v]] = v;

    std::vector<BodyPair> result;
    for (unsigned int k = first_rigid; k < surface.n_bodies; ++k)
      {
        const RigidSurface<dim> rigid(surface, positions, k);
        for (unsigned int body = 0; body < first_rigid; ++body)
          if (first_vertex[body] != Surface<dim>::none &&
              search.may_touch(body, k, surface.n_bodies) &&
              rigid.is_behind(positions[first_vertex[body]]))
            result.push_back({{body, k}});
      }
    return result;
  }



  template std::vector<BodyPair>
  bodies_behind(const Surface<2> &,
                const std::vector<Point<2>> &,
                const unsigned int,
                const SearchSettings &);
  template std::vector<BodyPair>
  bodies_behind(const Surface<3> &,
                const std::vector<Point<3>> &,
                const unsigned int,
                const SearchSettings &);
} // namespace Ricochet
