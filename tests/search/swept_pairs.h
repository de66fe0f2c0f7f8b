// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_search_swept_pairs_h
#define ricochet_tests_search_swept_pairs_h

#include <ricochet/search/closest_points.h>
#include <ricochet/search/swept_tests.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <cmath>

namespace Ricochet
{
  // The three kinds of pairs under one name, for tests that do the same with
  // all of them.

  enum class Kind
  {
    vertex_edge,
    vertex_triangle,
    edge_edge
  };

  constexpr int
  dimension(const Kind kind)
  {
    return kind == Kind::vertex_edge ? 2 : 3;
  }

  /** Where the points of the facet, or of the first edge, begin. */
  template <Kind kind>
  constexpr unsigned int base = kind == Kind::edge_edge ? 0 : 1;

  /** The points of a pair: the vertex or the first edge, then the facet or the
   * second edge. */
  template <Kind kind>
  using Points =
    std::array<dealii::Point<dimension(kind)>, dimension(kind) + 1>;



  /** The swept test. */
  template <Kind kind>
  bool
  meet(const Points<kind> &begin, const Points<kind> &end, double &time)
  {
    if constexpr (kind == Kind::vertex_edge)
      return SweptTest::vertex_edge(begin, end, time);
    else if constexpr (kind == Kind::vertex_triangle)
      return SweptTest::vertex_triangle(begin, end, time);
    else
      return SweptTest::edge_edge(begin, end, time);
  }



  template <Kind kind>
  double
  distance(const Points<kind> &x)
  {
    if constexpr (kind == Kind::vertex_edge)
      return std::sqrt(
        closest_point_on_facet(x[0], {{x[1], x[2]}}).distance_square);
    else if constexpr (kind == Kind::vertex_triangle)
      return std::sqrt(
        closest_point_on_facet(x[0], {{x[1], x[2], x[3]}}).distance_square);
    else
      return std::sqrt(
        closest_points_of_segments(x[0], x[1], x[2], x[3]).distance_square);
  }



  /** The pair at time @p t, relative to its first point, so that no digits are
   * lost far from the origin. */
  template <Kind kind>
  Points<kind>
  between(const Points<kind> &begin, const Points<kind> &end, const double t)
  {
    Points<kind> x;
    for (unsigned int i = 0; i < x.size(); ++i)
      x[i] = dealii::Point<dimension(kind)>((1. - t) * (begin[i] - begin[0]) +
                                            t * (end[i] - end[0]));
    return x;
  }
} // namespace Ricochet

#endif
