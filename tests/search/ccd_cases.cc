// SPDX-License-Identifier: LGPL-2.1-or-later

// Swept tests, and the oracle of the other tests, against exact rational
// arithmetic (ccd_cases.json), in several units and places.

#include <ricochet/search/swept_tests.h>

#include <algorithm>
#include <boost/property_tree/json_parser.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "exact_oracle.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;
using Tree = boost::property_tree::ptree;

namespace
{
  struct Case
  {
    std::string name;
    bool is_edge_edge, is_hit, is_robust;
    double time, tolerance, perturbation;
    std::array<Point<3>, 4> begin, end;

    bool
    run(const double scale, const Tensor<1, 3> &shift, double &t) const
    {
      std::array<Point<3>, 4> x, y;
      for (unsigned int i = 0; i < 4; ++i)
        {
          x[i] = begin[i] * scale + shift;
          y[i] = end[i] * scale + shift;
        }
      return is_edge_edge ? SweptTest::edge_edge(x, y, t)
                          : SweptTest::vertex_triangle(x, y, t);
    }
  };



  std::array<Point<3>, 4>
  points(const Tree &tree)
  {
    std::array<Point<3>, 4> result;
    unsigned int i = 0;
    for (const auto &row : tree)
      {
        unsigned int d = 0;
        for (const auto &x : row.second)
          result[i][d++] = x.second.get_value<double>();
        ++i;
      }
    return result;
  }



  std::vector<Case>
  cases()
  {
    Tree tree;
    boost::property_tree::read_json(RICOCHET_TEST_DIR "/ccd_cases.json", tree);
    std::vector<Case> result;
    for (const auto &child : tree.get_child("cases"))
      {
        const Tree &c = child.second;
        // Misses have the word null for their times.
        const auto number = [&](const char *name) {
          const std::string text = c.get<std::string>(name);
          return text == "null" ? 0. : std::stod(text);
        };
        const bool is_edge_edge = c.get<std::string>("kind") == "edge_edge";
        result.push_back(
          {c.get<std::string>("id") + ", " + c.get<std::string>("category") +
             ", " + c.get<std::string>("note"),
           is_edge_edge,
           c.get<bool>("hit"),
           c.get<bool>("robust"),
           number("time"),
           std::max(1e-9, 10. * number("time_change_under_perturbation")),
           number("perturbation"),
           points(c.get_child("x0")),
           points(c.get_child("x1"))});
      }
    return result;
  }



  void
  check(const Case &c, const double scale, const Tensor<1, 3> &shift)
  {
    double time    = -7.;
    const bool hit = c.run(scale, shift, time);
    if (c.is_robust)
      {
        EXPECT_EQ(hit, c.is_hit) << c.name;
        if (hit && c.is_hit)
          {
            EXPECT_NEAR(time, c.time, c.tolerance) << c.name;
          }
      }
    else if (c.is_hit)
      {
        EXPECT_TRUE(hit) << c.name;
      }
    if (hit)
      {
        EXPECT_GE(time, 0.) << c.name;
        EXPECT_LE(time, 1.) << c.name;
      }
    else
      EXPECT_EQ(time, -7.) << c.name;
  }
} // namespace



TEST(SweptTestCases, AreRight)
{
  const auto all = cases();
  ASSERT_EQ(all.size(), 205u);
  for (const Case &c : all)
    check(c, 1., Tensor<1, 3>());
}



TEST(SweptTestCases, AreThoseOfTheOracle)
{
  for (const Case &c : cases())
    {
      const auto time =
        c.is_edge_edge
          ? Exact::first_touch<Kind::edge_edge>(c.begin, c.end)
          : Exact::first_touch<Kind::vertex_triangle>(c.begin, c.end);
      EXPECT_EQ(bool(time), c.is_hit) << c.name;
      if (time)
        {
          EXPECT_NEAR(time->approximate(), c.time, 1e-15) << c.name;
        }
    }
}



TEST(SweptTestCases, DoNotDependOnUnits)
{
  // Powers of two keep the numbers exact, so all cases count, down to the
  // smallest tolerances.
  for (const int exponent : {-30, -10, 10, 30})
    for (const Case &c : cases())
      check(c, std::ldexp(1., exponent), Tensor<1, 3>());
}



TEST(SweptTestCases, DoNotDependOnThePlace)
{
  // Positions are rounded there, so this is a perturbation of its own: only
  // the cases that survive one count.
  const Tensor<1, 3> shift({1000., -700., 300.});
  for (const Case &c : cases())
    if (c.is_robust && c.perturbation > 1e-12)
      check(c, 1., shift);
}
