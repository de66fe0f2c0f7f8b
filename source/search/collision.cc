// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/closest_points.h>
#include <ricochet/search/collision.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  namespace
  {
    using dealii::Point;
    using dealii::Tensor;

    /** The direction of @p t, or zero when it has none. */
    template <int dim>
    Tensor<1, dim>
    direction(const Tensor<1, dim> &t)
    {
      const double norm = t.norm();
      return norm > 0. ? t / norm : Tensor<1, dim>();
    }



    /** Position of a vertex of the surface from the positions of the nodes. */
    template <int dim>
    Point<dim>
    vertex_position(const Surface<dim>            &surface,
                    const std::vector<Point<dim>> &nodes,
                    const unsigned int             vertex)
    {
      if (surface.vertices_are_nodes)
        return nodes[vertex];
      Point<dim> position;
      for (unsigned int k = surface.node_begin[vertex];
           k < surface.node_begin[vertex + 1];
           ++k)
        position += surface.node_weights[k] *
                    Tensor<1, dim>(nodes[surface.vertex_nodes[k]]);
      return position;
    }



    /** The same between two configurations, at the fraction @p s of the way. */
    template <int dim>
    Point<dim>
    vertex_position(const Surface<dim>            &surface,
                    const std::vector<Point<dim>> &begin,
                    const std::vector<Point<dim>> &end,
                    const double                   s,
                    const unsigned int             vertex)
    {
      const Point<dim> a = vertex_position(surface, begin, vertex);
      const Point<dim> b = vertex_position(surface, end, vertex);
      return a + s * (b - a);
    }



    /** Outward unit normal of a facet from the positions of its vertices. */
    Tensor<1, 2>
    facet_normal(const std::array<Point<2>, 2> &x)
    {
      const Tensor<1, 2> t = x[1] - x[0];
      return direction(Tensor<1, 2>({t[1], -t[0]}));
    }

    Tensor<1, 3>
    facet_normal(const std::array<Point<3>, 3> &x)
    {
      return direction(dealii::cross_product_3d(x[1] - x[0], x[2] - x[0]));
    }



    template <int dim>
    Tensor<1, dim>
    facet_normal(const Surface<dim>            &surface,
                 const std::vector<Point<dim>> &nodes,
                 const unsigned int             facet)
    {
      std::array<Point<dim>, dim> x;
      for (unsigned int i = 0; i < dim; ++i)
        x[i] = vertex_position(surface, nodes, surface.facets[facet][i]);
      return facet_normal(x);
    }



    /** Closest point of a facet, so that both dimensions read alike. */
    FacetProjection<2>
    closest_point_on_facet(const Point<2>                &p,
                           const std::array<Point<2>, 2> &x)
    {
      return closest_point_on_segment(p, x[0], x[1]);
    }

    FacetProjection<3>
    closest_point_on_facet(const Point<3>                &p,
                           const std::array<Point<3>, 3> &x)
    {
      return closest_point_on_triangle(p, x[0], x[1], x[2]);
    }
  } // namespace
} // namespace Ricochet
