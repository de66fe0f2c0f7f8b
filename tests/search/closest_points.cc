// SPDX-License-Identifier: LGPL-2.1-or-later

// Closest points against the conditions that only the closest points fulfil,
// and against dense sampling for degenerate features.

#include <ricochet/search/closest_points.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "../random.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  template <int dim>
  Point<dim>
  random_point(Random &random)
  {
    return Point<dim>(random.vector<dim>(1.));
  }



  /**
   * The closest point q of a convex set to p is the one with
   * (p - q).(x - q) <= 0 for all corners x.
   */
  template <int dim>
  void
  expect_closest(const Point<dim> &p,
                 const std::array<Point<dim>, dim> &x,
                 const ClosestPointOnFacet<dim> &closest,
                 const double tolerance)
  {
    double sum = 0.;
    Point<dim> q;
    unsigned int n_supports = 0;
    for (unsigned int i = 0; i < dim; ++i)
      {
        EXPECT_GE(closest.weights[i], 0.);
        sum += closest.weights[i];
        q += closest.weights[i] * Tensor<1, dim>(x[i]);
        n_supports += closest.weights[i] > 0.;
      }
    EXPECT_NEAR(sum, 1., 4e-16);
    EXPECT_EQ(closest.n_supports, n_supports);
    EXPECT_EQ(closest.is_inside, n_supports == dim);
    EXPECT_NEAR(closest.distance_square, p.distance_square(q), tolerance);
    for (unsigned int i = 0; i < dim; ++i)
      EXPECT_LE((p - q) * (x[i] - q), tolerance);
  }



  template <int dim>
  void
  test_facets()
  {
    Random random(1);
    std::array<unsigned int, 4> n_of_supports{{0, 0, 0, 0}};
    for (unsigned int n = 0; n < 10000; ++n)
      {
        std::array<Point<dim>, dim> x;
        for (auto &corner : x)
          corner = random_point<dim>(random);
        const auto p       = random_point<dim>(random);
        const auto closest = closest_point_on_facet(p, x);
        expect_closest<dim>(p, x, closest, 1e-12);
        ++n_of_supports[closest.n_supports];
      }
    for (unsigned int i = 1; i <= dim; ++i)
      EXPECT_GT(n_of_supports[i], 300u);
  }



  /** Gradient of half the squared distance along both segments. */
  template <int dim>
  void
  expect_closest(const std::array<Point<dim>, 4> &x,
                 const ClosestPointsOfSegments &closest,
                 const double tolerance)
  {
    const double s = closest.first, t = closest.second;
    EXPECT_GE(s, 0.);
    EXPECT_LE(s, 1.);
    EXPECT_GE(t, 0.);
    EXPECT_LE(t, 1.);
    EXPECT_EQ(closest.is_inside, s > 0. && s < 1. && t > 0. && t < 1.);
    const Tensor<1, dim> e = x[1] - x[0], f = x[3] - x[2],
                         h = x[2] + t * f - (x[0] + s * e);
    EXPECT_NEAR(closest.distance_square, h.norm_square(), tolerance);
    const double by_s = -(h * e), by_t = h * f;
    EXPECT_GE(by_s, s < 1. ? -tolerance : -1e300);
    EXPECT_LE(by_s, s > 0. ? tolerance : 1e300);
    EXPECT_GE(by_t, t < 1. ? -tolerance : -1e300);
    EXPECT_LE(by_t, t > 0. ? tolerance : 1e300);
  }



  template <int dim>
  void
  test_segments()
  {
    Random random(2);
    unsigned int n_inside = 0;
    for (unsigned int n = 0; n < 10000; ++n)
      {
        std::array<Point<dim>, 4> x;
        for (auto &end : x)
          end = random_point<dim>(random);
        const auto closest = closest_points_of_segments(x[0], x[1], x[2], x[3]);
        expect_closest<dim>(x, closest, 1e-12);
        n_inside += closest.is_inside;
      }
    EXPECT_GT(n_inside, 1000u);
  }
} // namespace



TEST(ClosestPoints, OnFacets)
{
  test_facets<2>();
  test_facets<3>();
}



TEST(ClosestPoints, OnFacetsThatAreDegenerate)
{
  Random random(3);
  for (unsigned int n = 0; n < 3000; ++n)
    {
      const auto a = random_point<3>(random), b = random_point<3>(random);
      const auto p = random_point<3>(random);
      // Three points of a line, of almost a line, twice the same, one point.
      const double s = random.uniform(-1., 2.);
      std::array<Point<3>, 3> x{{a, b, a + s * (b - a)}};
      if (n % 4 == 1)
        x[2] += 1e-9 * Tensor<1, 3>(random_point<3>(random));
      else if (n % 4 == 2)
        x[2] = b;
      else if (n % 4 == 3)
        x[1] = x[2] = a;
      const auto closest = closest_point_on_facet(p, x);
      expect_closest<3>(p, x, closest, 1e-8);
      double smallest = 1e300;
      for (unsigned int i = 0; i < 3; ++i)
        for (unsigned int k = 0; k <= 100; ++k)
          smallest =
            std::min(smallest,
                     p.distance(x[i] + k / 100. * (x[(i + 1) % 3] - x[i])));
      EXPECT_LE(std::sqrt(closest.distance_square), smallest + 1e-12);
    }
}



TEST(ClosestPoints, OnOneSegment)
{
  const Point<2> a(1., 1.), b(3., 1.);
  EXPECT_EQ(closest_point_on_segment(Point<2>(1.5, 4.), a, b), 0.25);
  EXPECT_EQ(closest_point_on_segment(Point<2>(-1.5, 4.), a, b), 0.);
  EXPECT_EQ(closest_point_on_segment(Point<2>(9., -4.), a, b), 1.);
  EXPECT_EQ(closest_point_on_segment(Point<2>(9., -4.), a, a), 0.);
  EXPECT_EQ(closest_point_on_segment(Point<3>(2., 5., 5.),
                                     Point<3>(1., 1., 1.),
                                     Point<3>(3., 1., 1.)),
            0.5);
}



TEST(ClosestPoints, OfSegments)
{
  test_segments<2>();
  test_segments<3>();
}



TEST(ClosestPoints, OfSegmentsThatAreParallelOrDegenerate)
{
  Random random(4);
  for (unsigned int n = 0; n < 3000; ++n)
    {
      std::array<Point<3>, 4> x;
      for (auto &end : x)
        end = random_point<3>(random);
      const Tensor<1, 3> e = x[1] - x[0];
      if (n % 4 < 3)
        x[3] = x[2] + random.uniform(-2., 2.) * e;
      if (n % 4 == 1)
        x[3] += 1e-9 * Tensor<1, 3>(random_point<3>(random));
      else if (n % 4 == 2)
        x[1] = x[0];
      else if (n % 4 == 3)
        x[3] = x[2];
      const auto closest = closest_points_of_segments(x[0], x[1], x[2], x[3]);
      // The minimum is flat: points may differ, distances must not.
      expect_closest<3>(x, closest, 1e-8);
      double smallest = 1e300;
      for (unsigned int j = 0; j <= 50; ++j)
        for (unsigned int k = 0; k <= 50; ++k)
          smallest = std::min(smallest,
                              (x[0] + j / 50. * (x[1] - x[0]))
                                .distance(x[2] + k / 50. * (x[3] - x[2])));
      EXPECT_LE(std::sqrt(closest.distance_square), smallest + 1e-12);
    }
}



TEST(ClosestPoints, NearlyParallelSegmentsCrossWhereTheyCross)
{
  for (const double angle : {1e-3, 1e-6, 1e-9, 1e-12})
    {
      const auto closest = closest_points_of_segments(Point<3>(0., 0., 0.),
                                                      Point<3>(1., 0., 0.),
                                                      Point<3>(0.1, -angle, 0.),
                                                      Point<3>(0.9, angle, 0.));
      EXPECT_NEAR(std::sqrt(closest.distance_square), 0., 1e-16);
    }
}
