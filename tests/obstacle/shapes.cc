// SPDX-License-Identifier: LGPL-2.1-or-later

// What the shapes say about distances, normals and surfaces, against formulas
// and against each other.

#include <ricochet/base/error.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

#include "../random.h"
#include "make_obstacle.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** All shapes with a distance, in a random place, with the distance that
   * they should have. */
  template <int dim>
  struct Case
  {
    std::string type;
    PlacedObstacle<dim> obstacle;
    std::function<double(const Point<dim> &)> distance;
  };



  template <int dim>
  std::vector<Case<dim>>
  cases(const unsigned int seed)
  {
    Random number(seed);
    const Point<dim> c(number.vector<dim>(1.));
    const Tensor<1, dim> a = number.vector<dim>(1.);
    const double R         = number.uniform(0.2, 1.5);
    std::vector<Case<dim>> result;

    result.push_back({"half-space",
                      make_obstacle<dim>("half-space",
                                         {{"Point", text_of<dim>(c)},
                                          {"Normal", text_of<dim>(a)}}),
                      [=](const Point<dim> &x) {
                        return (a * x - a * c) / std::sqrt(a * a);
                      }});
    for (const double sign : {1., -1.})
      {
        const std::string hollow = sign < 0. ? "hollow " : "";
        ObstacleEntries entries  = {{"Centre", text_of<dim>(c)},
                                    {"Radius", text_of(R)}};
        result.push_back(
          {hollow + "sphere",
           make_obstacle<dim>(hollow + "sphere", entries),
           [=](const Point<dim> &x) { return sign * (x.distance(c) - R); }});
        if (dim == 3)
          entries.emplace_back("Axis", text_of<dim>(a));
        result.push_back(
          {hollow + "cylinder",
           make_obstacle<dim>(hollow + "cylinder", entries),
           [=](const Point<dim> &x) {
             const Tensor<1, dim> r = x - c;
             // Pythagoras, not a projection.
             const double along = dim == 2 ? 0. : r * a / std::sqrt(a * a);
             return sign * (std::sqrt(r * r - along * along) - R);
           }});
      }
    // The middle of two spheres, as a user would write it.
    std::string ball = "sqrt((x-0.3)^2+(y+0.1)^2";
    ball += dim == 2 ? ")-0.7" : "+z^2)-0.7";
    result.push_back(
      {"function",
       make_obstacle<dim>("function", {{"Signed distance", ball}}),
       [=](const Point<dim> &x) {
         Point<dim> middle;
         middle[0] = 0.3;
         middle[1] = -0.1;
         return x.distance(middle) - 0.7;
       }});
    return result;
  }



  template <int dim>
  void
  check_distances(const unsigned int seed)
  {
    Random number(seed + 100);
    for (const auto &[type, obstacle, distance] : cases<dim>(seed))
      {
        SCOPED_TRACE(type);
        const Obstacle<dim> &shape = *obstacle.shape;
        for (unsigned int n = 0; n < 100; ++n)
          {
            const Point<dim> x(number.vector<dim>(3.));
            const Point<dim> y(number.vector<dim>(3.));
            const double phi = shape.signed_distance(x);
            EXPECT_NEAR(phi, distance(x), 1e-12);
            EXPECT_LE(std::abs(phi - shape.signed_distance(y)),
                      x.distance(y) * (1. + 1e-12));
            const Tensor<1, dim> normal = shape.normal(x);
            EXPECT_NEAR(normal.norm(), 1., 1e-12);
            for (unsigned int d = 0; d < dim; ++d)
              {
                Point<dim> low = x, high = x;
                low[d] -= 1e-5;
                high[d] += 1e-5;
                EXPECT_NEAR(normal[d],
                            (distance(high) - distance(low)) / 2e-5,
                            1e-7);
              }
            // The closest point of the surface.
            EXPECT_NEAR(distance(Point<dim>(x - phi * normal)), 0., 1e-8);
            if (shape.kind() == Obstacle<dim>::Kind::facets)
              {
                EXPECT_NEAR(shape.from_core(x).norm() - shape.core_radius(),
                            phi,
                            1e-12);
              }
          }
        // In 2D, that of a half-space is a rectangle.
        auto surface = shape.surface(Point<dim>(), 2.);
        if (dim == 2 && type == "half-space")
          {
            surface.vertices.resize(2);
            surface.facets.resize(1);
          }
        for (const Point<dim> &x : surface.vertices)
          EXPECT_NEAR(distance(x), 0., 1e-12);
        // Facets face where bodies are; those at the poles have no area.
        for (const auto &facet : surface.facets)
          {
            Tensor<1, dim> n, middle;
            for (const unsigned int v : facet)
              middle += surface.vertices[v] / double(dim);
            if constexpr (dim == 2)
              {
                const Tensor<1, 2> t =
                  surface.vertices[facet[1]] - surface.vertices[facet[0]];
                n = Tensor<1, 2>({t[1], -t[0]});
              }
            else
              n = cross_product_3d(surface.vertices[facet[1]] -
                                     surface.vertices[facet[0]],
                                   surface.vertices[facet[2]] -
                                     surface.vertices[facet[0]]);
            EXPECT_GE(n * shape.normal(Point<dim>(middle)), -1e-12);
          }
      }
  }



  template <int dim>
  void
  check_box()
  {
    Point<dim> low, high;
    for (unsigned int d = 0; d < dim; ++d)
      {
        low[d]  = -0.3 * (d + 1);
        high[d] = 0.7 + d;
      }
    const auto box     = make_obstacle<dim>("box",
                                        {{"Lower corner", text_of<dim>(low)},
                                             {"Upper corner", text_of<dim>(high)}});
    const auto surface = box.shape->surface(Point<dim>(), 1.);
    EXPECT_EQ(surface.vertices.size(), 1u << dim);
    EXPECT_EQ(surface.facets.size(), dim == 2 ? 4u : 12u);
    // The divergence theorem: closed and outward oriented.
    double volume = 0., wanted = 1.;
    for (unsigned int d = 0; d < dim; ++d)
      wanted *= high[d] - low[d];
    std::map<std::array<unsigned int, 2>, int> sides;
    for (const auto &facet : surface.facets)
      {
        const auto &a = surface.vertices[facet[0]];
        const auto &b = surface.vertices[facet[1]];
        if constexpr (dim == 2)
          volume += (a[0] * b[1] - a[1] * b[0]) / 2.;
        else
          volume += a * cross_product_3d(b, surface.vertices[facet[2]]) / 6.;
        for (unsigned int i = 0; i < dim; ++i)
          ++sides[{{facet[i], facet[(i + 1) % dim]}}];
      }
    EXPECT_NEAR(volume, wanted, 1e-12);
    if (dim == 3)
      for (const auto &[side, n] : sides)
        {
          EXPECT_EQ(n, 1);
          EXPECT_EQ(sides.count({{side[1], side[0]}}), 1u);
        }
  }



  /** The message of the UserError that @p action ends with. */
  template <typename Action>
  std::string
  message_of(const Action &action)
  {
    try
      {
        action();
      }
    catch (const UserError &error)
      {
        return error.what();
      }
    return "";
  }



  template <int dim>
  void
  expect_refused(const std::string &type,
                 const ObstacleEntries &shape,
                 const ObstacleEntries &motion,
                 const std::string &word)
  {
    const std::string message =
      message_of([&]() { make_obstacle<dim>(type, shape, motion); });
    EXPECT_NE(message.find("Obstacle 'obstacle'"), std::string::npos);
    EXPECT_NE(message.find(word), std::string::npos) << message;
  }
} // namespace



TEST(Obstacle, DistancesNormalsAndSurfaces)
{
  for (unsigned int seed = 0; seed < 10; ++seed)
    {
      check_distances<2>(seed);
      check_distances<3>(seed);
    }
}



TEST(Obstacle, BoxIsClosed)
{
  check_box<2>();
  check_box<3>();
}



/** A tetrahedron, as text and binary. */
TEST(Obstacle, StlFiles)
{
  const std::vector<std::array<float, 3>> x{{{0, 0, 0}},
                                            {{1, 0, 0}},
                                            {{0, 2, 0}},
                                            {{0, 0, 3}}};
  const std::vector<std::array<unsigned int, 3>> facets{{{0, 2, 1}},
                                                        {{0, 1, 3}},
                                                        {{0, 3, 2}},
                                                        {{1, 2, 3}}};
  const std::string name =
    testing::TempDir() + "ricochet-" + std::to_string(getpid()) + ".stl";
  for (const bool is_text : {true, false})
    {
      {
        std::ofstream file(name, std::ios::binary);
        const auto write = [&file](const auto &value) {
          file.write(reinterpret_cast<const char *>(&value), sizeof(value));
        };
        if (is_text)
          file << "solid a\n";
        else
          {
            file << std::string(80, ' ');
            write(std::uint32_t(4));
          }
        for (const auto &facet : facets)
          {
            if (is_text)
              file << "facet normal 0 0 0\nouter loop\n";
            else
              write(std::array<float, 3>{});
            for (const unsigned int v : facet)
              if (is_text)
                file << "vertex " << x[v][0] << ' ' << x[v][1] << ' ' << x[v][2]
                     << "\n";
              else
                write(x[v]);
            if (is_text)
              file << "endloop\nendfacet\n";
            else
              write(std::uint16_t(0));
          }
        if (is_text)
          file << "endsolid a\n";
      }
      const auto obstacle =
        make_obstacle<3>("stl", {{"Mesh file", name}, {"Scale", "0.5"}});
      const auto surface = obstacle.shape->surface(Point<3>(), 1.);
      EXPECT_EQ(surface.vertices.size(), 4u);
      EXPECT_EQ(surface.facets.size(), 4u);
      double volume = 0.;
      for (const auto &facet : surface.facets)
        volume += surface.vertices[facet[0]] *
                  cross_product_3d(surface.vertices[facet[1]],
                                   surface.vertices[facet[2]]) /
                  6.;
      EXPECT_NEAR(volume, 1. / 8., 1e-7);
    }
  {
    std::ofstream file(name);
    file << "solid a\nvertex 0 0 0\nvertex 1 0 0\n";
  }
  expect_refused<3>("stl", {{"Mesh file", name}}, {}, "line 2");
  std::remove(name.c_str());
  expect_refused<3>("stl", {{"Mesh file", name}}, {}, "cannot be opened");
  expect_refused<2>("stl", {{"Mesh file", name}}, {}, "Dimension");
}



TEST(Obstacle, WhatCannotBeIsRefused)
{
  for (const std::string type :
       {"sphere", "hollow sphere", "cylinder", "hollow cylinder"})
    for (const std::string radius : {"0", "-1"})
      expect_refused<3>(type, {{"Radius", radius}}, {}, "Radius");
  expect_refused<3>("cylinder", {{"Axis", "0, 0, 0"}}, {}, "Axis");
  expect_refused<2>("half-space", {{"Normal", "0, 0"}}, {}, "Normal");
  expect_refused<3>("box", {{"Upper corner", "1, 0, 1"}}, {}, "Upper corner");
  expect_refused<3>("function", {{"Signed distance", "z+"}}, {}, "distance");
  expect_refused<3>("sphere",
                    {},
                    {{"Translation", "0; 0; sqrt(t-1)"}},
                    "Motion/Translation");
  expect_refused<3>("sphere", {}, {{"Rotation", "0; 1"}}, "Motion/Rotation");
}



TEST(Obstacle, GradientThatIsTooLongIsNoDistance)
{
  const auto obstacle =
    make_obstacle<3>("function", {{"Signed distance", "x^2+y^2+z^2-1"}});
  EXPECT_NE(message_of([&]() {
              obstacle.shape->normal(Point<3>(0., 0., 1.));
            }).find("gradient"),
            std::string::npos);
}



/** A rotation about a point and a translation, against the plane's rotation
 * written out. */
TEST(Obstacle, Motion)
{
  const auto obstacle = make_obstacle<3>("sphere",
                                         {},
                                         {{"Translation", "t; 2*t; -t^2"},
                                          {"Rotation", "0; 0; 3*t"},
                                          {"Centre", "1, 2, 3"}});
  for (const double t : {0., 0.1, 0.7})
    {
      const auto placement = obstacle.motion.placement(t);
      const Point<3> X(1.5, 1.7, -0.4);
      const double c = std::cos(3 * t), s = std::sin(3 * t);
      const Point<3> x(1. + c * 0.5 + s * 0.3 + t,
                       2. + s * 0.5 - c * 0.3 + 2 * t,
                       -0.4 - t * t);
      EXPECT_LE(placement.to_space(X).distance(x), 1e-14);
      EXPECT_LE(placement.to_frame(x).distance(X), 1e-14);
    }
  EXPECT_TRUE(make_obstacle<3>("sphere", {}).motion.is_at_rest());
  EXPECT_FALSE(obstacle.motion.is_at_rest());
}
