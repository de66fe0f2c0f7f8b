// SPDX-License-Identifier: LGPL-2.1-or-later

// Moments of solids against closed forms, and what no body can have.

#include <ricochet/obstacle/shape_surfaces.h>
#include <ricochet/rigid/mass_properties.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/quadrature_lib.h>

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "../parse.h"
#include "../random.h"

using namespace Ricochet;
using dealii::outer_product;
using dealii::Point;
using dealii::Tensor;

namespace
{
  constexpr double pi       = dealii::numbers::PI;
  constexpr double epsilon  = std::numeric_limits<double>::epsilon();
  constexpr double rounding = 1e3 * epsilon;



  template <int dim>
  VolumeMoments<dim>
  moments_of(const ObstacleSurface<dim> &surface)
  {
    return moments_of_surface<dim>(surface.vertices, surface.facets);
  }



  template <int dim>
  ObstacleSurface<dim>
  box(const Tensor<1, dim> &edges)
  {
    return box_surface<dim>({{Point<dim>(), Point<dim>(edges)}});
  }



  /** Of @p size, with respect to which all differences are small. */
  template <int dim>
  void
  expect_equal(const VolumeMoments<dim> &a,
               const VolumeMoments<dim> &b,
               const double size,
               const double tolerance = rounding)
  {
    EXPECT_NEAR(a.volume, b.volume, tolerance * std::pow(size, dim));
    EXPECT_LE((a.centre - b.centre).norm(), tolerance * size);
    EXPECT_LE((a.second - b.second).norm(),
              tolerance * std::pow(size, dim + 2));
  }



  template <int dim>
  void
  transform(ObstacleSurface<dim> &surface,
            const Tensor<2, dim> &matrix,
            const Tensor<1, dim> &shift)
  {
    for (Point<dim> &x : surface.vertices)
      x = Point<dim>(matrix * x + shift);
  }



  /** The walls of a hole in the first surface. */
  template <int dim>
  void
  add_hole(ObstacleSurface<dim> &surface, const ObstacleSurface<dim> &hole)
  {
    const unsigned int n = surface.vertices.size();
    surface.vertices.insert(surface.vertices.end(),
                            hole.vertices.begin(),
                            hole.vertices.end());
    for (auto facet : hole.facets)
      {
        for (unsigned int &v : facet)
          v += n;
        std::swap(facet[0], facet[1]);
        surface.facets.push_back(facet);
      }
  }



  /** Those of the whole from those of the parts (theorem of Steiner); @p sign
   * is -1 for a hole. */
  template <int dim>
  VolumeMoments<dim>
  together(const VolumeMoments<dim> &a,
           const VolumeMoments<dim> &b,
           const double sign = 1.)
  {
    VolumeMoments<dim> sum;
    sum.volume             = a.volume + sign * b.volume;
    sum.centre             = Point<dim>((a.volume * Tensor<1, dim>(a.centre) +
                             sign * b.volume * Tensor<1, dim>(b.centre)) /
                            sum.volume);
    const Tensor<1, dim> u = a.centre - sum.centre, v = b.centre - sum.centre;
    sum.second = a.second + a.volume * outer_product(u, u) +
                 sign * (b.second + b.volume * outer_product(v, v));
    return sum;
  }
} // namespace



TEST(MassProperties, Box)
{
  const Tensor<1, 3> a({2., 3., 5.});
  const VolumeMoments<3> moments = moments_of(box(a));
  EXPECT_NEAR(moments.volume, 30., 30. * rounding);
  EXPECT_LE(moments.centre.distance(Point<3>(1., 1.5, 2.5)), rounding);
  const Tensor<2, 3> inertia = moments.inertia();
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      EXPECT_NEAR(inertia[i][j],
                  i == j ? 30. * (a.norm_square() - a[i] * a[i]) / 12. : 0.,
                  100. * rounding);

  const VolumeMoments<2> plane = moments_of(box(Tensor<1, 2>({2., 3.})));
  EXPECT_NEAR(plane.volume, 6., 6. * rounding);
  for (unsigned int i = 0; i < 3; ++i)
    EXPECT_NEAR(plane.inertia()[i][i], 6. * 13. / 12., 10. * rounding);
  // About a corner, a third of the squared diagonal.
  EXPECT_NEAR(plane.inertia_about(Point<2>())[2][2],
              6. * 13. / 3.,
              30. * rounding);
}



TEST(MassProperties, Tetrahedron)
{
  // With a corner in the origin and edges a, b, c along the axes: the integral
  // of x^2 is V a^2 / 10, that of x y is V a b / 20.
  const Tensor<1, 3> a({2., 3., 5.});
  ObstacleSurface<3> surface;
  surface.vertices = {Point<3>(),
                      Point<3>(2., 0., 0.),
                      Point<3>(0., 3., 0.),
                      Point<3>(0., 0., 5.)};
  surface.facets   = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
  const VolumeMoments<3> moments = moments_of(surface);
  EXPECT_NEAR(moments.volume, 5., 5. * rounding);
  EXPECT_LE(moments.centre.distance(Point<3>(a / 4.)), rounding);
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      EXPECT_NEAR(moments.second[i][j],
                  5. * a[i] * a[j] * (i == j ? 3. : -1.) / 80.,
                  5. * rounding);
}



TEST(MassProperties, RegularPolygon)
{
  for (unsigned int n_refinements = 0; n_refinements < 5; ++n_refinements)
    {
      const double R     = 1.7;
      const double angle = 2. * pi / (8 << n_refinements);
      const VolumeMoments<2> moments =
        moments_of(sphere_surface<2>(R, n_refinements));
      const double area = pi / angle * R * R * std::sin(angle);
      EXPECT_NEAR(moments.volume, area, area * rounding);
      EXPECT_LE(moments.centre.norm(), rounding);
      EXPECT_NEAR(moments.inertia()[2][2],
                  area * R * R * (2. + std::cos(angle)) / 6.,
                  10. * rounding);
    }
}



TEST(MassProperties, PolyhedraTendToTheBall)
{
  const double R               = 0.6;
  const VolumeMoments<3> exact = moments_of_ball<3>(R);
  EXPECT_NEAR(exact.volume, 4. / 3. * pi * R * R * R, rounding);
  EXPECT_NEAR(exact.inertia()[1][1], 0.4 * exact.volume * R * R, rounding);
  std::vector<double> errors;
  for (unsigned int n_refinements = 1; n_refinements < 6; ++n_refinements)
    {
      const auto surface             = sphere_surface<3>(R, n_refinements);
      const VolumeMoments<3> moments = moments_of(surface);
      for (const Point<3> &x : surface.vertices)
        EXPECT_NEAR(x.norm(), R, 10. * epsilon);
      EXPECT_LE(moments.centre.norm(), rounding);
      // As symmetric as an icosahedron, so the inertia is the same about all
      // axes.
      const Tensor<2, 3> inertia = moments.inertia();
      EXPECT_LE((inertia -
                 trace(inertia) / 3. * dealii::unit_symmetric_tensor<3>())
                  .norm(),
                rounding);
      errors.push_back(exact.inertia()[0][0] - inertia[0][0]);
      // Of second order in the length of the edges.
      if (errors.size() > 1)
        {
          EXPECT_NEAR(errors[errors.size() - 2] / errors.back(), 4., 0.4);
        }
    }
}



TEST(MassProperties, Cylinder)
{
  const double R = 0.5, L = 3.;
  const VolumeMoments<3> exact = moments_of_cylinder(R, L);
  EXPECT_NEAR(exact.volume, pi * R * R * L, rounding);
  EXPECT_NEAR(exact.inertia()[2][2], exact.volume * R * R / 2., rounding);
  EXPECT_NEAR(exact.inertia()[0][0],
              exact.volume * (3. * R * R + L * L) / 12.,
              10. * rounding);
  for (const unsigned int n_along : {1u, 4u})
    {
      // The prism over a regular polygon.
      const unsigned int n = 24;
      const VolumeMoments<3> moments =
        moments_of(cylinder_surface(R, L, n, n_along));
      const double angle = 2. * pi / n;
      const double area  = n / 2. * R * R * std::sin(angle);
      EXPECT_NEAR(moments.volume, area * L, rounding);
      EXPECT_NEAR(moments.inertia()[2][2],
                  area * L * R * R * (2. + std::cos(angle)) / 6.,
                  rounding);
      EXPECT_NEAR(moments.second[2][2], area * L * L * L / 12., 10. * rounding);
    }
}



TEST(MassProperties, Angle)
{
  // An L of two rectangles, 3 x 1 and 1 x 2, the second on the first.
  ObstacleSurface<2> angle;
  angle.vertices = {Point<2>(0., 0.),
                    Point<2>(3., 0.),
                    Point<2>(3., 1.),
                    Point<2>(1., 1.),
                    Point<2>(1., 3.),
                    Point<2>(0., 3.)};
  for (unsigned int i = 0; i < 6; ++i)
    angle.facets.push_back({{i, (i + 1) % 6}});
  const VolumeMoments<2> whole = moments_of(angle);
  EXPECT_NEAR(whole.volume, 5., 5. * rounding);
  EXPECT_LE(whole.centre.distance(Point<2>(1.1, 1.1)), rounding);
  // Of the rectangles: 3 (9 + 1) / 12 and 2 (1 + 4) / 12, at the distances
  // (0.4, -0.6) and (-0.6, 0.9) from the centre.
  EXPECT_NEAR(whole.inertia()[2][2],
              2.5 + 10. / 12. + 3. * 0.52 + 2. * 1.17,
              10. * rounding);
}



TEST(MassProperties, HollowBox)
{
  ObstacleSurface<3> whole = box(Tensor<1, 3>({2., 3., 5.}));
  ObstacleSurface<3> hole  = box(Tensor<1, 3>({1., 1., 2.}));
  transform(hole,
            Tensor<2, 3>(dealii::unit_symmetric_tensor<3>()),
            Tensor<1, 3>({0.5, 1.5, 0.75}));
  const VolumeMoments<3> expected =
    together(moments_of(whole), moments_of(hole), -1.);
  EXPECT_NEAR(expected.volume, 28., 28. * rounding);
  add_hole(whole, hole);
  expect_equal(moments_of(whole), expected, 5.);
  check_closed<3>(whole.vertices, whole.facets, "box");
}



TEST(MassProperties, MoveWithTheBody)
{
  Random number(1);
  for (unsigned int n = 0; n < 50; ++n)
    {
      ObstacleSurface<3> surface = sphere_surface<3>(1., 2);
      for (Point<3> &x : surface.vertices)
        x *= number.uniform(0.3, 1.);
      const VolumeMoments<3> before = moments_of(surface);
      const Tensor<2, 3> R          = number.rotation<3>(pi);
      const Tensor<1, 3> shift      = number.vector<3>(10.);
      auto turned                   = surface;
      transform(turned, R, shift);
      const VolumeMoments<3> after = moments_of(turned);
      expect_equal(after, before.transformed(R, shift), 10., 1e-14);
      EXPECT_LE((after.inertia() - R * before.inertia() * transpose(R)).norm(),
                1e-13);

      // Any linear map.
      Tensor<2, 3> A = number.matrix<3>(1.);
      if (determinant(A) < 0.)
        A[0] *= -1.;
      transform(surface, A, shift);
      expect_equal(moments_of(surface), before.transformed(A, shift), 10.);
    }
}



TEST(MassProperties, AgreeWithQuadrature)
{
  // Over tetrahedra with a vertex elsewhere, by a rule for polynomials of
  // degree 3.
  Random number(2);
  const dealii::QGaussSimplex<3> rule(2);
  for (unsigned int n = 0; n < 20; ++n)
    {
      ObstacleSurface<3> surface = sphere_surface<3>(1., 1);
      for (Point<3> &x : surface.vertices)
        x *= number.uniform(0.2, 2.);
      const Point<3> apex(number.vector<3>(2.));
      double volume = 0.;
      Tensor<1, 3> first;
      Tensor<2, 3> second;
      for (const auto &f : surface.facets)
        {
          Tensor<2, 3> edges; // columns
          for (unsigned int i = 0; i < 3; ++i)
            for (unsigned int d = 0; d < 3; ++d)
              edges[d][i] = surface.vertices[f[i]][d] - apex[d];
          for (unsigned int q = 0; q < rule.size(); ++q)
            {
              const Tensor<1, 3> x = edges * rule.point(q) + apex;
              const double w       = determinant(edges) * rule.weight(q);
              volume += w;
              first += w * x;
              second += w * outer_product(x, x);
            }
        }
      const VolumeMoments<3> moments = moments_of(surface);
      const Tensor<1, 3> c(moments.centre);
      EXPECT_NEAR(moments.volume, volume, 1e-13);
      EXPECT_LE((moments.volume * c - first).norm(), 1e-12);
      EXPECT_LE(
        (moments.second + moments.volume * outer_product(c, c) - second).norm(),
        1e-12);
    }
}



TEST(MassProperties, SurfacesMustBeClosed)
{
  auto surface = box(Tensor<1, 3>({2., 3., 5.}));
  check_closed<3>(surface.vertices, surface.facets, "Body 'b'");
  const auto facets = surface.facets;
  surface.facets.pop_back();
  const std::string hole = error_of(
    [&]() { check_closed<3>(surface.vertices, surface.facets, "Body 'b'"); });
  expect_parts(hole, {"Body 'b'", "not closed", "3 of its edges", "Close"});

  // A facet that is turned has its three edges twice in one direction.
  surface.facets = facets;
  std::swap(surface.facets[3][0], surface.facets[3][1]);
  EXPECT_NE(error_of([&]() {
              check_closed<3>(surface.vertices, surface.facets, "Body 'b'");
            }),
            "no error");

  auto square = box(Tensor<1, 2>({2., 3.}));
  check_closed<2>(square.vertices, square.facets, "Body 'b'");
  square.facets.erase(square.facets.begin());
  expect_parts(error_of([&]() {
                 check_closed<2>(square.vertices, square.facets, "Body 'b'");
               }),
               {"2 of its vertices", "(0 0)"});
}



TEST(MassProperties, InertiaMustBeThatOfABody)
{
  Random number(3);
  const auto message = [&](const double a, const double b, const double c) {
    Tensor<2, 3> diagonal;
    diagonal[0][0]       = a;
    diagonal[1][1]       = b;
    diagonal[2][2]       = c;
    const Tensor<2, 3> R = number.rotation<3>(pi);
    return error_of(
      [&]() { check_inertia(R * diagonal * transpose(R), "Body 'b'"); });
  };
  EXPECT_EQ(message(1., 2., 2.9), "no error");
  EXPECT_EQ(message(1., 1., 1e-6), "no error"); // a needle
  EXPECT_EQ(message(1., 2., 3.), "no error");   // a plate
  expect_parts(message(1., 2., 3.1), {"Body 'b'", "3.1, 2 and 1", "sum"});
  expect_parts(message(1., 2., -0.5), {"Body 'b'", "positive"});
  expect_parts(message(1., 1., 0.), {"positive"});
}
