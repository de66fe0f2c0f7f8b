// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/swept_tests.h>

#include "moving_polygon.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /**
     * Make the polygon of a vertex and a facet larger by the tolerance of the
     * border. Done with differences, it adds half a rounding error to theirs.
     */
    template <int dim, unsigned int n_vertices>
    void
    enlarge(MovingPolygon<dim, n_vertices> &polygon)
    {
      for (auto *vertices : {&polygon.begin, &polygon.end})
        {
          Tensor<1, dim> centre;
          for (const auto &vertex : *vertices)
            centre += vertex / dim;
          for (auto &vertex : *vertices)
            vertex += SweptTest::border_tolerance * (vertex - centre);
        }
      for (auto *edges : {&polygon.begin_edges, &polygon.end_edges})
        for (auto &edge : *edges)
          edge *= 1. + SweptTest::border_tolerance;
    }
  } // namespace



  MovingPolygon<2, 2>
  polygon_of_vertex_edge(const std::array<Point<2>, 3> &begin,
                         const std::array<Point<2>, 3> &end)
  {
    MovingPolygon<2, 2> polygon;
    for (unsigned int i = 0; i < 2; ++i)
      {
        polygon.begin[i] = begin[i + 1] - begin[0];
        polygon.end[i]   = end[i + 1] - end[0];
      }
    polygon.begin_edges[0] = begin[2] - begin[1];
    polygon.end_edges[0]   = end[2] - end[1];
    enlarge(polygon);
    return polygon;
  }



  MovingPolygon<3, 3>
  polygon_of_vertex_triangle(const std::array<Point<3>, 4> &begin,
                             const std::array<Point<3>, 4> &end)
  {
    MovingPolygon<3, 3> polygon;
    for (unsigned int i = 0; i < 3; ++i)
      {
        polygon.begin[i] = begin[i + 1] - begin[0];
        polygon.end[i]   = end[i + 1] - end[0];
      }
    for (unsigned int k = 0; k < 2; ++k)
      {
        polygon.begin_edges[k] = begin[k + 2] - begin[1];
        polygon.end_edges[k]   = end[k + 2] - end[1];
      }
    enlarge(polygon);
    return polygon;
  }



  MovingPolygon<3, 4>
  polygon_of_edge_edge(const std::array<Point<3>, 4> &begin,
                       const std::array<Point<3>, 4> &end)
  {
    // Differences of the second and the first edge's ends, around the
    // parallelogram.
    constexpr std::array<unsigned int, 4> first{{0, 0, 1, 1}};
    constexpr std::array<unsigned int, 4> second{{2, 3, 3, 2}};

    MovingPolygon<3, 4> polygon;
    for (unsigned int i = 0; i < 4; ++i)
      {
        polygon.begin[i] = begin[second[i]] - begin[first[i]];
        polygon.end[i]   = end[second[i]] - end[first[i]];
      }
    polygon.begin_edges = {{begin[3] - begin[2], begin[0] - begin[1]}};
    polygon.end_edges   = {{end[3] - end[2], end[0] - end[1]}};
    return polygon;
  }



  bool
  SweptTest::vertex_edge(const std::array<Point<2>, 3> &begin,
                         const std::array<Point<2>, 3> &end,
                         double &time)
  {
    return polygon_of_vertex_edge(begin, end).reaches_origin(time);
  }



  bool
  SweptTest::vertex_triangle(const std::array<Point<3>, 4> &begin,
                             const std::array<Point<3>, 4> &end,
                             double &time)
  {
    return polygon_of_vertex_triangle(begin, end).reaches_origin(time);
  }



  bool
  SweptTest::edge_edge(const std::array<Point<3>, 4> &begin,
                       const std::array<Point<3>, 4> &end,
                       double &time)
  {
    return polygon_of_edge_edge(begin, end).reaches_origin(time);
  }
} // namespace Ricochet
