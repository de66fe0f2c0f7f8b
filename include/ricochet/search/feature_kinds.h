// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_feature_kinds_h
#define ricochet_search_feature_kinds_h

#include <ricochet/search/closest_points.h>
#include <ricochet/search/encounter.h>
#include <ricochet/search/swept_tests.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <algorithm>
#include <array>
#include <vector>

namespace Ricochet
{
  // What vertices with facets and edges with edges do in different ways, under
  // the same names. for_kind() is the one place that tells them apart.

  /** A vertex and a facet, by their numbers and by the points of both: first
   * the vertex, then those of the facet. */
  template <int dim_>
  struct VertexFacet
  {
    static constexpr int dim              = dim_;
    static constexpr PairKind kind        = PairKind::vertex_facet;
    static constexpr unsigned int n_first = 1; // points of the first feature

    /** The points of the pair, the vertex first. */
    using Points = std::array<dealii::Point<dim>, dim + 1>;

    /** The vertex, then those of the facet. */
    static std::array<unsigned int, dim + 1>
    vertices(const Surface<dim> &surface,
             const unsigned int vertex,
             const unsigned int facet)
    {
      std::array<unsigned int, dim + 1> result;
      result[0] = vertex;
      std::copy(surface.facets[facet].begin(),
                surface.facets[facet].end(),
                result.begin() + 1);
      return result;
    }

    /** The local edge length: the smaller one of the features. */
    static double
    length(const Surface<dim> &surface,
           const unsigned int vertex,
           const unsigned int facet)
    {
      return std::min(surface.vertex_length[vertex],
                      surface.facet_length[facet]);
    }

    /** The bodies of both. */
    static std::array<unsigned int, 2>
    bodies(const Surface<dim> &surface,
           const unsigned int vertex,
           const unsigned int facet)
    {
      return {{surface.vertex_body[vertex], surface.facet_body[facet]}};
    }

    /** The pairs of a facet at the vertex and the facet. */
    static std::vector<std::array<unsigned int, 2>>
    facets_at(const Surface<dim> &surface,
              const unsigned int vertex,
              const unsigned int facet)
    {
      std::vector<std::array<unsigned int, 2>> result;
      for (const unsigned int f : surface.vertex_facets[vertex])
        result.push_back({{f, facet}});
      return result;
    }

    /** The point of the facet that is closest to the vertex. */
    static ClosestPointOnFacet<dim>
    closest(const Points &x)
    {
      std::array<dealii::Point<dim>, dim> corners;
      std::copy(x.begin() + 1, x.end(), corners.begin());
      return closest_point_on_facet(x[0], corners);
    }

    /** The weights of the vertices in the separation vector from there. */
    static std::array<double, 4>
    weights(const ClosestPointOnFacet<dim> &closest)
    {
      std::array<double, 4> result{{1., 0., 0., 0.}};
      for (unsigned int i = 0; i < dim; ++i)
        result[i + 1] = -closest.weights[i];
      return result;
    }

    /** The swept test. */
    static bool
    meet(const Points &begin, const Points &end, double &time)
    {
      if constexpr (dim == 2)
        return SweptTest::vertex_edge(begin, end, time);
      else
        return SweptTest::vertex_triangle(begin, end, time);
    }
  };



  /** Two edges, in the same way. */
  struct EdgeEdge
  {
    static constexpr int dim              = 3;
    static constexpr PairKind kind        = PairKind::edge_edge;
    static constexpr unsigned int n_first = 2;

    /** The points of the pair, the first edge's first. */
    using Points = std::array<dealii::Point<3>, 4>;

    /** Those of the first edge, then those of the second. */
    static std::array<unsigned int, 4>
    vertices(const Surface<3> &surface,
             const unsigned int first,
             const unsigned int second)
    {
      const auto &a = surface.edges[first];
      const auto &b = surface.edges[second];
      return {{a[0], a[1], b[0], b[1]}};
    }

    /** The local edge length: the smaller one of the edges. */
    static double
    length(const Surface<3> &surface,
           const unsigned int first,
           const unsigned int second)
    {
      return std::min(surface.edge_length[first], surface.edge_length[second]);
    }

    /** The bodies of both. */
    static std::array<unsigned int, 2>
    bodies(const Surface<3> &surface,
           const unsigned int first,
           const unsigned int second)
    {
      return {{surface.edge_body(first), surface.edge_body(second)}};
    }

    /** The pairs of a facet at one edge and one at the other. */
    static std::vector<std::array<unsigned int, 2>>
    facets_at(const Surface<3> &surface,
              const unsigned int first,
              const unsigned int second)
    {
      std::vector<std::array<unsigned int, 2>> result;
      for (const unsigned int f : surface.edge_facets[first])
        for (const unsigned int g : surface.edge_facets[second])
          if (f != Surface<3>::none && g != Surface<3>::none)
            result.push_back({{f, g}});
      return result;
    }

    /** The closest points of both. */
    static ClosestPointsOfSegments
    closest(const Points &x)
    {
      return closest_points_of_segments(x[0], x[1], x[2], x[3]);
    }

    /** The weights of the vertices in the separation vector between them. */
    static std::array<double, 4>
    weights(const ClosestPointsOfSegments &closest)
    {
      return {{1. - closest.first,
               closest.first,
               closest.second - 1.,
               -closest.second}};
    }

    /** The swept test. */
    static bool
    meet(const Points &begin, const Points &end, double &time)
    {
      return SweptTest::edge_edge(begin, end, time);
    }
  };



  /** Call a function with the type of features that a kind stands for. */
  template <int dim, typename Function>
  auto
  for_kind(const PairKind kind, const Function &function)
  {
    if constexpr (dim == 3)
      if (kind == PairKind::edge_edge)
        return function(EdgeEdge());
    return function(VertexFacet<dim>());
  }



  /** The vertices of an encounter of features: the vertex or the first edge,
   * then the facet or the second edge. */
  template <int dim>
  std::array<unsigned int, dim + 1>
  feature_vertices(const Surface<dim> &surface, const Encounter &encounter)
  {
    return for_kind<dim>(encounter.kind, [&](const auto features) {
      return features.vertices(surface, encounter.first, encounter.second);
    });
  }



  /** The local edge length of a pair: the smaller one of its features. */
  template <int dim>
  double
  pair_length(const Surface<dim> &surface, const Encounter &encounter)
  {
    return for_kind<dim>(encounter.kind, [&](const auto features) {
      return features.length(surface, encounter.first, encounter.second);
    });
  }
} // namespace Ricochet

#endif
