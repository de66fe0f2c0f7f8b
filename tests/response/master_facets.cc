// SPDX-License-Identifier: LGPL-2.1-or-later

// Slaves that slide over the facets of a master: each has one facet at all
// times, the closest one from where it came in.

#include "master_facets.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "free_nodes.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** Points that are moved by hand over a body. */
  template <int dim>
  struct Slider
  {
    Slider(const std::vector<std::array<unsigned int, dim>> &facets,
           const std::vector<Tensor<1, dim>> &corners)
      : model(facets,
              with_slave(corners),
              std::vector<Tensor<1, dim>>(corners.size() + 1),
              std::vector<double>(corners.size() + 1, 1.),
              {1.},
              1.)
    {
      master.reinit(
        model.surface,
        [](const unsigned int, const unsigned int) { return true; },
        0.);
      master.accept({});
    }

    static std::vector<Tensor<1, dim>>
    with_slave(std::vector<Tensor<1, dim>> corners)
    {
      corners.emplace_back();
      return corners;
    }

    /** All meetings of a step between two places. */
    std::vector<SlaveMeeting>
    move(const Point<dim> &from, const Point<dim> &to)
    {
      auto start = model.state.start_positions, end = start;
      start.back() = from;
      end.back()   = to;
      master.begin_step();
      const auto meetings = master.find(model.pairs, start, end);
      std::vector<SlaveMeeting> lasting;
      for (const SlaveMeeting &meeting : meetings)
        if (meeting.end_gap >= 0.)
          lasting.push_back(meeting);
      master.accept(lasting);
      return meetings;
    }

    /** The slave goes out, which it still is known of, but not in the next
     * step.
     */
    void
    expect_leaves(const Point<dim> &from, const Point<dim> &to)
    {
      const auto meetings = move(from, to);
      ASSERT_EQ(meetings.size(), 1u);
      EXPECT_TRUE(meetings[0].was_inside);
      EXPECT_LT(meetings[0].end_gap, 0.);
      EXPECT_TRUE(move(to, to).empty());
    }

    FreeNodes<dim> model;
    MasterFacets<dim> master;
  };



  /** A box with the origin as a corner, each side of two triangles. */
  Slider<3>
  make_box(const double height)
  {
    std::vector<Tensor<1, 3>> corners;
    for (unsigned int i = 0; i < 8; ++i)
      corners.push_back(Point<3>(i % 2, (i / 2) % 2, i / 4 == 0 ? 0. : height));
    const std::vector<std::array<unsigned int, 4>> sides = {{{0, 2, 3, 1}},
                                                            {{4, 5, 7, 6}},
                                                            {{0, 1, 5, 4}},
                                                            {{2, 6, 7, 3}},
                                                            {{0, 4, 6, 2}},
                                                            {{1, 3, 7, 5}}};
    std::vector<std::array<unsigned int, 3>> facets;
    for (const auto &s : sides)
      {
        facets.push_back({{s[0], s[1], s[2]}});
        facets.push_back({{s[0], s[2], s[3]}});
      }
    return {facets, corners};
  }
} // namespace



TEST(MasterFacets, PolygonHasOneFacetPerSlaveAllAround)
{
  constexpr unsigned int n = 12;
  std::vector<Tensor<1, 2>> corners;
  std::vector<std::array<unsigned int, 2>> facets;
  for (unsigned int i = 0; i < n; ++i)
    {
      const double angle = 2. * M_PI * i / n;
      corners.push_back(Point<2>(std::cos(angle), std::sin(angle)));
      facets.push_back({{i, (i + 1) % n}});
    }
  const double apothem = std::cos(M_PI / n);
  const auto depth     = [&](const Point<2> &x) {
    double result = 1.;
    for (unsigned int i = 0; i < n; ++i)
      {
        const double angle = 2. * M_PI * (i + 0.5) / n;
        result =
          std::min(result,
                   apothem - x[0] * std::cos(angle) - x[1] * std::sin(angle));
      }
    return result;
  };
  // From places between and at the corners, with steps that go from facet to
  // facet and over some at once, at depths down to a third of the radius.
  for (const double first : {0.1, 0., 2. * M_PI / n})
    for (const double step : {0.02, M_PI / n, 0.9})
      for (const double radius : {0.95, 0.65})
        {
          Slider<2> slider(facets, corners);
          const auto at = [](const double r, const double angle) {
            return Point<2>(r * std::cos(angle), r * std::sin(angle));
          };
          Point<2> x    = at(radius, first);
          auto meetings = slider.move(at(1.1, first), x);
          ASSERT_EQ(meetings.size(), 1u);
          EXPECT_FALSE(meetings[0].was_inside);
          for (double angle = first; angle < first + 7.; angle += step)
            {
              const Point<2> next = at(radius, angle);
              meetings            = slider.move(x, next);
              ASSERT_EQ(meetings.size(), 1u);
              EXPECT_TRUE(meetings[0].was_inside);
              EXPECT_NEAR(meetings[0].start_gap, depth(x), 1e-14);
              EXPECT_NEAR(meetings[0].end_gap, depth(next), 1e-14);
              x = next;
            }
          slider.expect_leaves(x, 1.2 * x / x.norm());
        }
}



// In a valley the closest point is the corner, and straight above it there is
// neither of the facets.
TEST(MasterFacets, ValleyLosesNobody)
{
  const std::vector<Tensor<1, 2>> corners = {Point<2>(0, 0),
                                             Point<2>(-1, 1),
                                             Point<2>(-1, -1),
                                             Point<2>(1, -1),
                                             Point<2>(1, 1)};
  Slider<2> slider({{{0, 1}}, {{1, 2}}, {{2, 3}}, {{3, 4}}, {{4, 0}}}, corners);
  Point<2> x(-0.3, 0.2);
  ASSERT_EQ(slider.move(Point<2>(-0.2, 0.5), x).size(), 1u);
  for (unsigned int i = 1; i <= 60; ++i)
    {
      const Point<2> next(-0.3 + 0.01 * i,
                          0.2 - 0.01 * (30 - std::abs(30. - i)));
      const auto meetings = slider.move(x, next);
      ASSERT_EQ(meetings.size(), 1u);
      EXPECT_NEAR(meetings[0].end_gap,
                  (std::abs(next[0]) - next[1]) / std::sqrt(2.),
                  1e-14);
      x = next;
    }
}



TEST(MasterFacets, BoxHasOneFacetPerSlaveOnDiagonalsAndEdges)
{
  auto slider = make_box(1.);
  Point<3> x(0.2, 0.2, 0.9);
  ASSERT_EQ(slider.move(Point<3>(0.2, 0.2, 1.1), x).size(), 1u);
  // Along the diagonal, then down along an edge of the box, and at a corner.
  for (const Point<3> target : {Point<3>(0.7, 0.7, 0.9),
                                Point<3>(0.95, 0.95, 0.3),
                                Point<3>(0.96, 0.97, 0.04)})
    {
      const Point<3> from = x;
      for (unsigned int i = 1; i <= 10; ++i)
        {
          const Point<3> next = from + 0.1 * i * (target - from);
          const auto meetings = slider.move(x, next);
          ASSERT_EQ(meetings.size(), 1u);
          double depth = 1.;
          for (unsigned int d = 0; d < 3; ++d)
            depth = std::min({depth, next[d], 1. - next[d]});
          EXPECT_NEAR(meetings[0].end_gap, depth, 1e-14);
          x = next;
        }
    }
  slider.expect_leaves(x, Point<3>(1.1, 1.1, 0.));
}



TEST(MasterFacets, ThinPlateIsNotLeftThroughItsBack)
{
  constexpr double height = 0.1;
  for (const bool in_one_step : {true, false})
    {
      auto slider = make_box(height);
      Point<3> x(0.4, 0.5, 0.15);
      if (!in_one_step)
        {
          ASSERT_EQ(slider.move(x, Point<3>(0.4, 0.5, 0.09)).size(), 1u);
          x[2] = 0.09;
        }
      const auto meetings = slider.move(x, Point<3>(0.42, 0.5, 0.02));
      ASSERT_EQ(meetings.size(), 1u);
      EXPECT_NEAR(meetings[0].end_gap, 0.08, 1e-14);
    }
  // From below, it is the other side.
  auto slider = make_box(height);
  const auto meetings =
    slider.move(Point<3>(0.4, 0.5, -0.1), Point<3>(0.4, 0.5, 0.07));
  ASSERT_EQ(meetings.size(), 1u);
  EXPECT_NEAR(meetings[0].end_gap, 0.07, 1e-14);
}



TEST(MasterFacets, ThereIsNothingBesideAnOpenSurface)
{
  Slider<2> slider({{{0, 1}}, {{1, 2}}},
                   {Point<2>(1, 0), Point<2>(0, 0), Point<2>(-1, 0)});
  EXPECT_TRUE(slider.move(Point<2>(1.1, 0.1), Point<2>(1.1, -0.1)).empty());
  ASSERT_EQ(slider.move(Point<2>(0.9, 0.1), Point<2>(0.9, -0.1)).size(), 1u);
  EXPECT_TRUE(slider.move(Point<2>(0.9, -0.1), Point<2>(1.1, -0.1)).empty());
}



// What goes on from a checkpoint knows who is inside, and by which facet.
TEST(MasterFacets, MemoryIsAllThatIsRemembered)
{
  auto slider = make_box(0.1);
  const Point<3> x(0.4, 0.5, 0.02), next(0.4, 0.52, 0.03);
  slider.move(Point<3>(0.4, 0.5, 0.2), x);
  const auto memory = slider.master.memory();
  auto other        = make_box(0.1);
  other.master.set_memory(memory);
  const auto expected = slider.move(x, next), meetings = other.move(x, next);
  ASSERT_EQ(meetings.size(), 1u);
  EXPECT_EQ(meetings[0].end_facet, expected[0].end_facet);
  EXPECT_EQ(meetings[0].middle_facet, expected[0].middle_facet);
  EXPECT_EQ(meetings[0].end_gap, expected[0].end_gap);
  EXPECT_TRUE(meetings[0].was_inside);

  // Nobody inside is something else than nothing known.
  auto empty = make_box(0.1);
  empty.move(Point<3>(0.4, 0.5, 0.3), Point<3>(0.4, 0.5, 0.2));
  EXPECT_FALSE(empty.master.memory().empty());
}
