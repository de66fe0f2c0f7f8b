// SPDX-License-Identifier: LGPL-2.1-or-later

// What surfaces of triangles are, and how they are mended.

#include <ricochet/base/error.h>
#include <ricochet/obstacle/surface_check.h>
#include <ricochet/surface/surface.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "../random.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  using Triangle  = std::array<Point<3>, 3>;
  using Triangles = std::vector<Triangle>;



  /** The twelve triangles of a box, outward. */
  Triangles
  box(const Point<3> &low, const Point<3> &high)
  {
    Triangles result;
    const auto corner = [&](const unsigned int v) {
      Point<3> x;
      for (unsigned int d = 0; d < 3; ++d)
        x[d] = ((v >> d) & 1u) != 0 ? high[d] : low[d];
      return x;
    };
    for (unsigned int d = 0; d < 3; ++d)
      for (unsigned int side = 0; side < 2; ++side)
        {
          const unsigned int base = side << d;
          unsigned int s = 1u << (d + 1) % 3, t = 1u << (d + 2) % 3;
          if (side == 0)
            std::swap(s, t);
          result.push_back(
            {{corner(base), corner(base + s), corner(base + s + t)}});
          result.push_back(
            {{corner(base), corner(base + s + t), corner(base + t)}});
        }
    return result;
  }

  Triangles
  cube(const double low, const double high)
  {
    return box(Point<3>(low, low, low), Point<3>(high, high, high));
  }



  Triangles
  operator+(Triangles a, const Triangles &b)
  {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  Triangles
  reversed(Triangles triangles)
  {
    for (auto &triangle : triangles)
      std::swap(triangle[1], triangle[2]);
    return triangles;
  }



  /** The surface is one that contact takes, as well. */
  SurfaceCheck
  check(const Triangles &triangles, ObstacleSurface<3> &surface)
  {
    surface                   = join_vertices(triangles);
    const SurfaceCheck result = mend_surface(surface, "m.stl");
    Surface<3> contact;
    contact.append(surface.vertices.size(), surface.facets, 0);
    contact.build_edges(surface.vertices);
    unsigned int n_open = 0, n_facets = 0;
    for (const auto &facets : contact.edge_facets)
      n_open += facets[1] == Surface<3>::none;
    for (const Shell &shell : result.shells)
      {
        n_open -= shell.n_open_edges;
        n_facets += shell.facets.size();
      }
    EXPECT_EQ(n_open, 0u);
    EXPECT_EQ(n_facets, surface.facets.size());
    return result;
  }

  SurfaceCheck
  check(const Triangles &triangles)
  {
    ObstacleSurface<3> surface;
    return check(triangles, surface);
  }



  std::string
  message(const Triangles &triangles)
  {
    try
      {
        check(triangles);
      }
    catch (const UserError &error)
      {
        return error.what();
      }
    return "";
  }



  /** Turned and shifted, the file's order mixed, each triangle begun anywhere.
   */
  Triangles
  mixed(Triangles triangles, Random &number)
  {
    const double angle = number.uniform(0., 6.);
    const double c = std::cos(angle), s = std::sin(angle);
    const Tensor<1, 3> shift = number.vector<3>(2.);
    for (auto &triangle : triangles)
      {
        for (auto &x : triangle)
          x = Point<3>(c * x[0] - s * x[2], x[1], s * x[0] + c * x[2]) + shift;
        std::rotate(triangle.begin(),
                    triangle.begin() +
                      static_cast<unsigned int>(number.uniform(0., 2.99)),
                    triangle.end());
      }
    for (std::size_t k = triangles.size(); k-- > 1;)
      std::swap(
        triangles[k],
        triangles[static_cast<std::size_t>(number.uniform(0., k + 0.99))]);
    return triangles;
  }
} // namespace



TEST(SurfaceCheck, ClosedShells)
{
  Random number(1);
  for (unsigned int n = 0; n < 20; ++n)
    {
      const auto result = check(mixed(cube(0., 2.), number));
      ASSERT_EQ(result.shells.size(), 1u);
      EXPECT_TRUE(result.shells[0].is_closed());
      EXPECT_TRUE(result.shells[0].has_volume);
      EXPECT_NEAR(result.shells[0].volume, 8., 1e-12);
      EXPECT_EQ(result.shells[0].depth, 0);
      EXPECT_EQ(result.n_turned + result.n_repeated + result.n_without_area,
                0u);
      EXPECT_NEAR(check(reversed(mixed(cube(0., 2.), number))).shells[0].volume,
                  -8.,
                  1e-12);
    }
}



TEST(SurfaceCheck, ShellsInShells)
{
  Random number(2);
  // A hollow cube with a hollow cube in it, and one besides.
  const Triangles all = cube(0., 10.) + reversed(cube(1., 9.)) + cube(2., 8.) +
                        reversed(cube(3., 7.)) + cube(11., 12.);
  for (unsigned int n = 0; n < 5; ++n)
    {
      auto shells = check(mixed(all, number)).shells;
      ASSERT_EQ(shells.size(), 5u);
      std::sort(shells.begin(), shells.end(), [](const auto &a, const auto &b) {
        return std::abs(a.volume) > std::abs(b.volume);
      });
      const std::array<int, 5> depths{{0, 1, 0, 1, 0}};
      for (unsigned int s = 0; s < 5; ++s)
        EXPECT_EQ(shells[s].depth, depths[s]) << s;
    }
  // Walls of a cavity with a block inside.
  auto shells = check(reversed(cube(0., 4.)) + cube(1., 2.)).shells;
  EXPECT_EQ(shells[0].depth, 0);
  EXPECT_EQ(shells[1].depth, -1);
  // One that touches the other from inside.
  shells = check(cube(0., 4.) + cube(0., 2.)).shells;
  ASSERT_EQ(shells.size(), 2u);
  EXPECT_EQ(shells[0].depth, 0);
  EXPECT_EQ(shells[1].depth, 1);
}



TEST(SurfaceCheck, OpenShells)
{
  const Triangles all = cube(0., 1.);
  for (unsigned int f = 0; f < all.size(); ++f)
    {
      Triangles rest = all;
      rest.erase(rest.begin() + f);
      const auto shells = check(rest).shells;
      ASSERT_EQ(shells.size(), 1u);
      EXPECT_EQ(shells[0].n_open_edges, 3u);
      for (const auto &end : shells[0].open_edge)
        EXPECT_EQ(std::count(all[f].begin(), all[f].end(), end), 1);
    }
  ObstacleSurface<3> surface;
  Triangles open = all;
  open.resize(10);
  const auto result = check(open + cube(2., 3.), surface);
  ASSERT_EQ(result.shells.size(), 2u);
  EXPECT_EQ(result.shells[0].n_open_edges, 4u);
  EXPECT_TRUE(result.shells[1].is_closed());
  add_backs(surface, result);
  EXPECT_EQ(surface.facets.size(), 32u);
  EXPECT_EQ(surface.vertices.size(), 24u);
  // Of a sheet and its back, nothing is left in any integral over normals.
  Tensor<1, 3> sum;
  for (const auto &facet : surface.facets)
    sum +=
      cross_product_3d(surface.vertices[facet[1]] - surface.vertices[facet[0]],
                       surface.vertices[facet[2]] - surface.vertices[facet[0]]);
  EXPECT_LE(sum.norm(), 1e-14);
}



TEST(SurfaceCheck, TrianglesThatTellNothing)
{
  const Point<3> a(0, 0, 0), b(1, 0, 0), c(0.5, 0, 0), far(0, 0, 7);
  Random number(3);
  const Triangles lines{{{a, a, a}}, {{a, a, b}}, {{far, b, far}}};
  for (unsigned int n = 0; n < 10; ++n)
    {
      const auto result = check(
        mixed(cube(0., 1.) + lines + cube(0., 1.) + cube(0., 1.), number));
      ASSERT_EQ(result.shells.size(), 1u);
      EXPECT_EQ(result.n_without_area, 3u);
      EXPECT_EQ(result.n_repeated, 24u);
      EXPECT_TRUE(result.shells[0].is_closed());
      EXPECT_NEAR(result.shells[0].volume, 1., 1e-14);
    }
  EXPECT_NE(message(lines).find("no triangle has an area"), std::string::npos);
  EXPECT_NE(message({{{a, c, b}}}).find("no triangle has an area"),
            std::string::npos);
  // On its own, a line is left out, and what is beside it stays.
  EXPECT_EQ(check(cube(2., 3.) + Triangles{{{a, c, b}}}).shells.size(), 1u);
}



/** A cube whose edge has vertices on one side that the other side knows by
 * triangles without area only. */
TEST(SurfaceCheck, LinesThatCloseSurfaces)
{
  Random number(4);
  for (unsigned int n_inner = 1; n_inner < 5; ++n_inner)
    for (const bool as_fan : {true, false})
      {
        Triangles triangles = cube(0., 1.);
        // The one with a long side as the first one.
        const Triangle old  = triangles.front();
        const Point<3> from = old[0], to = old[1], tip = old[2];
        triangles.erase(triangles.begin());
        std::vector<Point<3>> line{from};
        for (unsigned int k = 1; k <= n_inner; ++k)
          line.push_back(from + (k / (n_inner + 1.)) * (to - from));
        line.push_back(to);
        for (unsigned int k = 0; k <= n_inner; ++k)
          triangles.push_back({{line[k], line[k + 1], tip}});
        // Between the line and the long side.
        for (unsigned int k = 1; k <= n_inner; ++k)
          triangles.push_back(as_fan ? Triangle{{from, line[k + 1], line[k]}}
                                     : Triangle{{line[k], line[k - 1], to}});
        const auto result = check(mixed(triangles, number));
        ASSERT_EQ(result.shells.size(), 1u);
        EXPECT_EQ(result.n_without_area, n_inner);
        EXPECT_TRUE(result.shells[0].is_closed());
        EXPECT_NEAR(result.shells[0].volume, 1., 1e-12);
      }
}



TEST(SurfaceCheck, Orientation)
{
  Random number(5);
  for (unsigned int n = 0; n < 10; ++n)
    {
      Triangles triangles = cube(0., 1.);
      for (unsigned int k = 0; k < n % 6; ++k)
        std::swap(triangles[(5 * k + n) % 12][0],
                  triangles[(5 * k + n) % 12][1]);
      const auto result = check(mixed(triangles, number));
      EXPECT_EQ(result.n_turned, n % 6);
      ASSERT_EQ(result.shells.size(), 1u);
      EXPECT_NEAR(result.shells[0].volume, 1., 1e-12);
    }
  // A Moebius strip of five triangles.
  std::vector<Point<3>> x;
  for (unsigned int k = 0; k < 5; ++k)
    x.emplace_back(std::cos(2. * k), std::sin(2. * k), k == 2 ? 1. : 0.1 * k);
  Triangles strip;
  for (unsigned int k = 0; k < 5; ++k)
    strip.push_back({{x[k], x[(k + 1) % 5], x[(k + 2) % 5]}});
  EXPECT_NE(message(strip).find("only one side"), std::string::npos);
}



/** At an edge, at a vertex, over whole faces, several at one edge. */
TEST(SurfaceCheck, SolidsThatTouch)
{
  const auto at = [](const int i, const int j, const int k) {
    return box(Point<3>(i, j, k), Point<3>(i + 1, j + 1, k + 1));
  };
  Random number(6);
  struct Case
  {
    Triangles triangles;
    unsigned int n_shells;
  };
  const std::vector<Case> cases{
    {at(0, 0, 0) + at(1, 1, 0), 2},
    {at(0, 0, 0) + at(1, 1, 1), 2},
    {at(0, 0, 0) + at(1, 0, 0), 2},
    {at(0, 0, 0) + at(1, 0, 0) + at(0, 1, 0), 3},
    {at(0, 0, 0) + at(1, 0, 0) + at(0, 1, 0) + at(1, 1, 0), 4},
    {at(0, 0, 0) + at(1, 1, 0) + at(1, 0, 1) + at(0, 1, 1), 4}};
  for (const auto &[triangles, n_shells] : cases)
    for (unsigned int n = 0; n < 10; ++n)
      {
        ObstacleSurface<3> surface;
        const auto result =
          check(n == 0 ? triangles : mixed(triangles, number), surface);
        ASSERT_EQ(result.shells.size(), n_shells);
        EXPECT_EQ(surface.vertices.size(), 8 * n_shells);
        for (const Shell &shell : result.shells)
          {
            EXPECT_TRUE(shell.is_closed());
            EXPECT_NEAR(shell.volume, 1., 1e-12);
            EXPECT_EQ(shell.depth, 0);
          }
      }
  // A hole that touches the wall from inside along an edge: one solid.
  const auto hole = check(cube(0., 2.) + reversed(at(0, 0, 0)));
  EXPECT_EQ(hole.shells[0].volume +
              (hole.shells.size() > 1 ? hole.shells[1].volume : 0.),
            7.);
}



TEST(SurfaceCheck, EdgesWithoutASolid)
{
  // A wall in the middle of a solid.
  const Point<3> a(0, 0, 0), b(1, 0, 0), c(1, 1, 1), d(0, 1, 1);
  const Triangles wall{{{a, b, c}}, {{a, c, d}}};
  const std::string text = message(cube(0., 1.) + wall);
  EXPECT_EQ(text.find("m.stl: 3 triangles meet at the edge from"), 0u) << text;
  // A sheet with its back is a sheet.
  const auto sheet = check(wall + reversed(wall));
  ASSERT_EQ(sheet.shells.size(), 1u);
  EXPECT_EQ(sheet.n_backs, 2u);
  EXPECT_EQ(sheet.shells[0].n_open_edges, 4u);
}
