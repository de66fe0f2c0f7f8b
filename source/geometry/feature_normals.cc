// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/geometry/feature_normals.h>

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** The facets of an edge that is flat meet at less than this angle. */
    const double flat_cosine = std::cos(10. * dealii::numbers::PI / 180.);



    /** The direction of @p t, or zero when it has none. */
    template <int dim>
    Tensor<1, dim>
    direction(const Tensor<1, dim> &t)
    {
      const double norm = t.norm();
      return norm > 0. ? t / norm : Tensor<1, dim>();
    }



    /** Between two directions. */
    template <int dim>
    double
    angle(const Tensor<1, dim> &a, const Tensor<1, dim> &b)
    {
      return std::acos(std::max(-1., std::min(1., a * b)));
    }
  } // namespace



  template <int dim>
  Point<dim>
  mean_of_nodes(const Surface<dim> &surface,
                const std::vector<Point<dim>> &nodes,
                const unsigned int vertex)
  {
    Point<dim> position;
    for (unsigned int k = surface.node_begin[vertex];
         k < surface.node_begin[vertex + 1];
         ++k)
      position += surface.node_weights[k] *
                  Tensor<1, dim>(nodes[surface.vertex_nodes[k]]);
    return position;
  }



  template <>
  Tensor<1, 2>
  facet_normal<2>(const std::array<Point<2>, 2> &x)
  {
    const Tensor<1, 2> t = x[1] - x[0];
    return direction(Tensor<1, 2>({t[1], -t[0]}));
  }



  template <>
  Tensor<1, 3>
  facet_normal<3>(const std::array<Point<3>, 3> &x)
  {
    return direction(dealii::cross_product_3d(x[1] - x[0], x[2] - x[0]));
  }



  template <int dim>
  Tensor<1, dim>
  mean_normal(const Surface<dim> &surface,
              const std::vector<Point<dim>> &nodes,
              const std::vector<unsigned int> &vertices)
  {
    Tensor<1, dim> sum;
    for (const unsigned int f : surface.vertex_facets[vertices[0]])
      {
        const auto &facet = surface.facets[f];
        if (!std::all_of(vertices.begin(), vertices.end(), [&](unsigned int v) {
              return std::find(facet.begin(), facet.end(), v) != facet.end();
            }))
          continue;
        const auto x  = corners_from_nodes(surface, nodes, f);
        double weight = 1.;
        if (dim == 3 && vertices.size() == 1)
          {
            const unsigned int i =
              std::find(facet.begin(), facet.end(), vertices[0]) -
              facet.begin();
            weight = angle(direction(x[(i + 1) % dim] - x[i]),
                           direction(x[(i + dim - 1) % dim] - x[i]));
          }
        sum += weight * facet_normal<dim>(x);
      }
    return direction(sum);
  }



  namespace
  {
    Tensor<1, 3>
    facet_normal_of(const Surface<3> &surface,
                    const std::vector<Point<3>> &nodes,
                    const unsigned int facet)
    {
      return facet_normal<3>(corners_from_nodes(surface, nodes, facet));
    }
  } // namespace



  EdgeNormals::EdgeNormals(const Surface<3> &surface,
                           const std::vector<Point<3>> &nodes,
                           const unsigned int edge)
    : first(facet_normal_of(surface, nodes, surface.edge_facets[edge][0]))
    , second(surface.edge_facets[edge][1] == Surface<3>::none
               ? first
               : facet_normal_of(surface, nodes, surface.edge_facets[edge][1]))
    , mean(direction(first + second))
    , is_flat(are_flat(first, second))
  {}



  bool
  EdgeNormals::are_flat(const Tensor<1, 3> &first, const Tensor<1, 3> &second)
  {
    return first * second > flat_cosine;
  }



  bool
  EdgeNormals::contains(const Tensor<1, 3> &n) const
  {
    // The angles of n with both are together not larger than that between them
    // and twice the tolerance; in cosines and sines.
    static const double cosine = std::cos(2. * cone_tolerance),
                        sine   = std::sin(2. * cone_tolerance);
    const auto sine_of         = [](const double c) {
      return std::sqrt(std::max(0., 1. - c * c));
    };
    const double a = n * first, b = n * second, between = first * second;
    const double sum     = a * b - sine_of(a) * sine_of(b);
    const double largest = between * cosine - sine_of(between) * sine;
    // Beyond the straight angle, cosines grow.
    const bool is_acute = a + b >= 0.;
    return between > -cosine ? is_acute && sum >= largest
                             : is_acute || sum <= largest;
  }



  bool
  fits(const EdgeNormals &a, const EdgeNormals &b, const Tensor<1, 3> &n)
  {
    return b.contains(n) && a.contains(-n);
  }



  Tensor<1, 3>
  fitting_normal(const EdgeNormals &a,
                 const EdgeNormals &b,
                 const Tensor<1, 3> &n)
  {
    // In a flat part of the surface, edges tell nothing: nearly parallel ones
    // have a normal in any direction, and it is no matter how it is cut.
    if (!a.is_flat && !b.is_flat && fits(a, b, n))
      return n;
    Tensor<1, 3> sum;
    if (a.is_flat || !b.is_flat)
      sum -= a.mean;
    if (b.is_flat || !a.is_flat)
      sum += b.mean;
    const double norm = sum.norm();
    return norm > parallel_sine ? sum / norm : n;
  }



  template Tensor<1, 2>
  mean_normal(const Surface<2> &,
              const std::vector<Point<2>> &,
              const std::vector<unsigned int> &);
  template Tensor<1, 3>
  mean_normal(const Surface<3> &,
              const std::vector<Point<3>> &,
              const std::vector<unsigned int> &);
  template Point<2>
  mean_of_nodes(const Surface<2> &,
                const std::vector<Point<2>> &,
                const unsigned int);
  template Point<3>
  mean_of_nodes(const Surface<3> &,
                const std::vector<Point<3>> &,
                const unsigned int);
} // namespace Ricochet
