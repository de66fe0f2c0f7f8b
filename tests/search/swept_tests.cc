// SPDX-License-Identifier: LGPL-2.1-or-later

// Swept tests of random pairs against sampling in time, and of pairs made to
// touch or to miss by construction.

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "../random.h"
#include "exact_oracle.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  template <Kind kind>
  void
  random_pair(Random &random,
              const double motion,
              Points<kind> &begin,
              Points<kind> &end)
  {
    for (unsigned int i = 0; i < begin.size(); ++i)
      for (int d = 0; d < dimension(kind); ++d)
        {
          begin[i][d] = random.uniform(-1., 1.);
          end[i][d]   = begin[i][d] + motion * random.uniform(-1., 1.);
        }
  }



  /**
   * Up to the time of impact the features are apart, then they touch; without
   * impact they are apart at all times.
   */
  template <Kind kind>
  void
  test_sampling()
  {
    Random random(2);
    unsigned int n_hits = 0;
    for (unsigned int n = 0; n < 3000; ++n)
      {
        Points<kind> begin, end;
        random_pair<kind>(random, 1.5, begin, end);
        double time    = 1.;
        const bool hit = meet<kind>(begin, end, time);
        n_hits += hit;
        if (hit)
          {
            EXPECT_LT(distance<kind>(between<kind>(begin, end, time)), 1e-12);
          }
        for (unsigned int k = 0; k < 200; ++k)
          if (k / 200. < time - 1e-12)
            {
              EXPECT_GT(distance<kind>(between<kind>(begin, end, k / 200.)),
                        0.);
            }
      }
    EXPECT_GT(n_hits, 100u);
  }



  /** Numbers with few digits, so that all the arithmetic below is exact. */
  double
  short_number(Random &random)
  {
    return (int(random.below(33)) - 16) / 16.;
  }



  /**
   * Pairs that touch exactly at one time, often degenerate: on a vertex or an
   * edge, parallel, in one plane, collapsed, at rest, at the start or the end.
   * The oracle must see that as well.
   */
  template <Kind kind>
  void
  test_touching()
  {
    constexpr int dim = dimension(kind);
    Random random(3);
    for (unsigned int n = 0; n < 30000; ++n)
      {
        Points<kind> x;
        std::array<Tensor<1, dim>, dimension(kind) + 1> v;
        const bool in_plane = random.below(3) == 0;
        for (unsigned int i = 0; i < dim + 1; ++i)
          for (unsigned int d = 0; d < dim; ++d)
            if (!(in_plane && d == dim - 1))
              {
                x[i][d] = short_number(random);
                v[i][d] = random.below(4) == 0 ? 0. : short_number(random);
              }
        if (random.below(5) == 0) // parallel or collapsed
          x[kind == Kind::edge_edge ? 2 : dim] =
            x[kind == Kind::edge_edge ? 3 : dim - 1];
        if (random.below(5) == 0) // a common motion, exact with short numbers
          v[base<kind> + 1] = v[base<kind>];

        // Move the vertex (the second edge) so that the features touch.
        const double s = random.below(5) / 4.;
        const double u = random.below(5) / 4.;
        const auto p = x[base<kind>] + s * (x[base<kind> + 1] - x[base<kind>]);
        if (kind == Kind::vertex_edge)
          x[0] = p;
        else if (kind == Kind::vertex_triangle)
          x[0] = p + u * (x[3] - p);
        else
          {
            const Tensor<1, dim> shift = p - (x[2] + u * (x[3] - x[2]));
            x[2] += shift;
            x[3] += shift;
          }

        const double t = (random.below(9)) / 8.;
        Points<kind> begin, end;
        for (unsigned int i = 0; i < dim + 1; ++i)
          {
            begin[i] = x[i] - t * v[i];
            end[i]   = x[i] + (1. - t) * v[i];
          }
        double time = -1.;
        ASSERT_TRUE(meet<kind>(begin, end, time)) << n;
        EXPECT_GE(time, 0.);
        EXPECT_LE(time, t);
        if (n % 10 == 0)
          {
            const auto exact = Exact::first_touch<kind>(begin, end);
            ASSERT_TRUE(exact) << n;
            EXPECT_LE(exact->compare(t), 0) << n;
          }
        // Where the features touch tangentially, the square root of round-off
        // decides; in a plane the answer may come even earlier.
        EXPECT_LT(distance<kind>(between<kind>(begin, end, time)),
                  in_plane ? 1e-3 : 1e-7)
          << n;
      }
  }



  Tensor<2, 2>
  rotation(const double angle, const Point<2> &)
  {
    const double c = std::cos(angle), s = std::sin(angle);
    return Tensor<2, 2>({{c, -s}, {s, c}});
  }

  /** Rotation by @p angle about @p axis (Rodrigues). */
  Tensor<2, 3>
  rotation(const double angle, const Point<3> &axis)
  {
    const Tensor<1, 3> k = axis / axis.norm();
    const double c = std::cos(angle), s = std::sin(angle);
    return Tensor<2, 3>({{c + k[0] * k[0] * (1 - c),
                          k[0] * k[1] * (1 - c) - k[2] * s,
                          k[0] * k[2] * (1 - c) + k[1] * s},
                         {k[1] * k[0] * (1 - c) + k[2] * s,
                          c + k[1] * k[1] * (1 - c),
                          k[1] * k[2] * (1 - c) - k[0] * s},
                         {k[2] * k[0] * (1 - c) - k[1] * s,
                          k[2] * k[1] * (1 - c) + k[0] * s,
                          c + k[2] * k[2] * (1 - c)}});
  }



  /**
   * Features that rest on each other at a small gap and turn together: straight
   * paths are an affine map of the pair at all times, so it stays apart.
   */
  template <Kind kind>
  void
  expect_apart_when_turned(const Points<kind> &x)
  {
    constexpr int dim = dimension(kind);
    Random random(4);
    for (const double angle : {0., 1e-4, 1e-2, 0.3, 1.})
      for (unsigned int n = 0; n < 50; ++n)
        {
          Point<dim> axis, shift;
          for (unsigned int d = 0; d < dim; ++d)
            {
              axis[d]  = random.uniform(-1., 1.);
              shift[d] = 2. * random.uniform(-1., 1.);
            }
          const auto start = rotation(3. * random.uniform(-1., 1.), axis);
          const auto turn  = rotation(angle, shift);
          Points<kind> begin, end;
          for (unsigned int i = 0; i < dim + 1; ++i)
            {
              begin[i] = Point<dim>(start * Tensor<1, dim>(x[i]));
              end[i]   = Point<dim>(turn * Tensor<1, dim>(begin[i])) + shift;
            }
          double time;
          EXPECT_FALSE(meet<kind>(begin, end, time))
            << "angle " << angle << " gap " << distance<kind>(x) << ", point "
            << x[kind == Kind::edge_edge ? 3 : 0];
        }
  }
} // namespace



TEST(SweptTests, AgreeWithSampling)
{
  test_sampling<Kind::vertex_edge>();
  test_sampling<Kind::vertex_triangle>();
  test_sampling<Kind::edge_edge>();
}



TEST(SweptTests, FindAllThatTouch)
{
  test_touching<Kind::vertex_edge>();
  test_touching<Kind::vertex_triangle>();
  test_touching<Kind::edge_edge>();
}



TEST(SweptTests, StayApartWhenTurningTogether)
{
  for (const double gap : {1e-2, 1e-4, 1e-8})
    {
      // Above the middle, beside an edge, before a corner.
      for (const Point<2> &p :
           {Point<2>(0.3, gap), Point<2>(-gap, 0.), Point<2>(-gap, gap)})
        expect_apart_when_turned<Kind::vertex_edge>(
          {{p, Point<2>(0., 0.), Point<2>(1., 0.)}});
      for (const Point<3> &p : {Point<3>(0.3, 0.3, gap),
                                Point<3>(0.3, -gap, 0.),
                                Point<3>(0.3, -gap, gap),
                                Point<3>(-gap, -gap, 0.)})
        expect_apart_when_turned<Kind::vertex_triangle>(
          {{p,
            Point<3>(0., 0., 0.),
            Point<3>(1., 0., 0.),
            Point<3>(0.2, 1., 0.)}});
      // Crossed, nearly and exactly parallel, in one line, in one plane.
      const auto edges = [](const Point<3> &a, const Point<3> &b) {
        expect_apart_when_turned<Kind::edge_edge>(
          {{Point<3>(0., 0., 0.), Point<3>(1., 0., 0.), a, b}});
      };
      edges(Point<3>(0.3, -1., gap), Point<3>(0.4, 1., gap));
      edges(Point<3>(0.3, -1e-6, gap), Point<3>(1.4, 1e-6, gap));
      edges(Point<3>(0.3, 0., gap), Point<3>(1.3, 0., gap));
      edges(Point<3>(1. + gap, 0., 0.), Point<3>(2., 0., 0.));
      edges(Point<3>(0.3, gap, 0.), Point<3>(0.4, 1., 0.));
    }
}



TEST(SweptTests, NumbersThatAreNoneCountAsMet)
{
  std::array<Point<3>, 4> x{
    {{0.2, 0.2, std::nan("")}, {0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}}};
  double time = -1.;
  EXPECT_TRUE(SweptTest::vertex_triangle(x, x, time));
  EXPECT_EQ(time, 0.);
}
