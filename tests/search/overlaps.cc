// SPDX-License-Identifier: LGPL-2.1-or-later

// Overlaps of bodies of which is known whether, where and how deep they
// overlap.

#include <ricochet/overlap/ignored_pairs.h>
#include <ricochet/overlap/overlaps.h>

#include <deal.II/physics/transformations.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <string>

#include "../random.h"
#include "make_bodies.h"

namespace
{
  using namespace Ricochet;
  using dealii::Point;
  using dealii::Tensor;

  constexpr double tolerance = 1e-12;

  /** A cube of size 1 around @p centre, or of another size. */
  void
  add_cube(Bodies<3> &bodies,
           const Point<3> &centre,
           const unsigned int n,
           const double size = 1.)
  {
    add_box(bodies, centre, Tensor<1, 3>({size, size, size}), {{n, n, n}});
  }

  void
  add_cube(Bodies<2> &bodies,
           const Point<2> &centre,
           const unsigned int n,
           const double size = 1.)
  {
    std::vector<Point<2>> points;
    std::vector<std::array<unsigned int, 2>> facets;
    const double x[5] = {-0.5, 0.5, 0.5, -0.5, -0.5};
    const double y[5] = {-0.5, -0.5, 0.5, 0.5, -0.5};
    for (unsigned int side = 0; side < 4; ++side)
      for (unsigned int i = 0; i < n; ++i)
        {
          const double s = double(i) / n;
          points.push_back(
            centre +
            size * Tensor<1, 2>({x[side] + s * (x[side + 1] - x[side]),
                                 y[side] + s * (y[side + 1] - y[side])}));
          const unsigned int v = points.size() - 1;
          facets.push_back({{v, (v + 1) % (4 * n)}});
        }
    bodies.add(points, facets);
  }

  template <int dim>
  Point<dim>
  along(const unsigned int axis, const double distance)
  {
    Point<dim> p;
    p[axis] = distance;
    return p;
  }

  template <int dim>
  std::vector<Overlap<dim>>
  overlaps_of(const Bodies<dim> &bodies, const SearchSettings &settings = {})
  {
    return find_overlaps(bodies.surface, bodies.positions, settings);
  }

  template <int dim>
  double
  depth(const std::vector<Overlap<dim>> &overlaps)
  {
    double result = 0.;
    for (const Overlap<dim> &overlap : overlaps)
      result = std::max(result, overlap.depth);
    return result;
  }

  template <int dim>
  unsigned int
  count(const std::vector<Overlap<dim>> &overlaps, const OverlapKind kind)
  {
    return std::count_if(overlaps.begin(),
                         overlaps.end(),
                         [&](const Overlap<dim> &overlap) {
                           return overlap.kind == kind;
                         });
  }



  // Nothing crosses where the sides are in common planes, yet the cubes share
  // a layer. Its thickness is the depth as long as it is the closest way out
  // of the middles of facets.
  template <int dim>
  void
  shift_aligned_cubes()
  {
    for (unsigned int axis = 0; axis < dim; ++axis)
      for (const double shift : {-0.9, -0.999, 0.99999, 0.95})
        for (const unsigned int n : {1u, 2u, 3u})
          {
            Bodies<dim> bodies;
            add_cube(bodies, Point<dim>(), n);
            add_cube(bodies, along<dim>(axis, shift), n);
            bodies.finish();
            const auto overlaps = overlaps_of(bodies);
            ASSERT_FALSE(overlaps.empty()) << "shift " << shift;
            EXPECT_NEAR(depth(overlaps), 1. - std::abs(shift), tolerance);
            for (const auto &overlap : overlaps)
              {
                const double x = overlap.place[axis] * (shift > 0. ? 1. : -1.);
                EXPECT_GT(x, std::abs(shift) - 0.5 - tolerance);
                EXPECT_LT(x, 0.5 + tolerance);
                EXPECT_EQ(overlap.bodies, (BodyPair{{0, 1}}));
              }
          }
  }

  TEST(Overlaps, aligned_cubes)
  {
    shift_aligned_cubes<2>();
    shift_aligned_cubes<3>();
  }



  template <int dim>
  void
  put_equal_cubes_in_one_place()
  {
    Bodies<dim> bodies;
    add_cube(bodies, Point<dim>(), 2);
    add_cube(bodies, Point<dim>(), 2);
    bodies.finish();
    EXPECT_FALSE(overlaps_of(bodies).empty());
  }

  TEST(Overlaps, equal_cubes_in_one_place)
  {
    put_equal_cubes_in_one_place<2>();
    put_equal_cubes_in_one_place<3>();
  }



  template <int dim>
  void
  nest_cubes()
  {
    // The middle of the small one is off that of the large one, so that the
    // closest side is 0.15 away from its far side.
    Bodies<dim> bodies;
    add_cube(bodies, Point<dim>(), 2);
    add_cube(bodies, along<dim>(0, 0.2), 2, 0.3);
    bodies.finish();
    const auto overlaps = overlaps_of(bodies);
    EXPECT_EQ(count(overlaps, OverlapKind::second_inside), overlaps.size());
    EXPECT_GE(overlaps.size(), bodies.surface.n_vertices() / 2);
    // Of the points of its far side the deepest are as far from that of the
    // large cube as from its other sides at most.
    EXPECT_GT(depth(overlaps), 0.35);
    EXPECT_LE(depth(overlaps), 0.5);
  }

  TEST(Overlaps, cube_within_a_cube)
  {
    nest_cubes<2>();
    nest_cubes<3>();
  }



  // A cavity is outside.
  TEST(Overlaps, cube_in_a_cavity)
  {
    Bodies<3> bodies;
    add_cube(bodies, Point<3>(), 2);
    Bodies<3> cavity;
    add_cube(cavity, Point<3>(), 2, 0.5);
    const unsigned int offset = bodies.positions.size();
    for (const auto &p : cavity.positions)
      {
        bodies.positions.push_back(p);
        bodies.surface.vertex_body.push_back(0);
      }
    for (const auto &facet : cavity.surface.facets)
      {
        bodies.surface.facets.push_back(
          {{facet[0] + offset, facet[2] + offset, facet[1] + offset}});
        bodies.surface.facet_body.push_back(0);
        bodies.surface.facet_boundary_id.push_back(0);
      }
    const unsigned int n = bodies.positions.size();
    add_cube(bodies, Point<3>(), 2, 0.4);
    bodies.finish();
    EXPECT_TRUE(overlaps_of(bodies).empty());
    for (unsigned int v = n; v < bodies.positions.size(); ++v)
      bodies.positions[v][0] += 0.06;
    EXPECT_NEAR(depth(overlaps_of(bodies)), 0.01, tolerance);
  }



  template <int dim>
  void
  expect_touching(const Point<dim> &centre,
                  const unsigned int n_1,
                  const unsigned int n_2,
                  const double size)
  {
    Bodies<dim> bodies;
    add_cube(bodies, Point<dim>(), n_1);
    add_cube(bodies, centre, n_2, size);
    bodies.finish();
    EXPECT_TRUE(overlaps_of(bodies).empty()) << "centre " << centre;
    for (Point<dim> &p : bodies.positions)
      p += Point<dim>(along<dim>(0, 1e6) + along<dim>(1, -3e6));
    EXPECT_TRUE(overlaps_of(bodies).empty()) << "far, centre " << centre;
  }

  TEST(Overlaps, touching_is_none)
  {
    for (const unsigned int n : {1u, 2u, 3u})
      for (const unsigned int m : {1u, 2u})
        for (const double size : {1., 0.5, 0.25})
          {
            const double d = 0.5 + size / 2.;
            // Flush, shifted in the plane, edge on face, corner on corner.
            for (const double side : {0., 0.25, 0.3, d})
              {
                expect_touching<2>({d, side}, n, m, size);
                expect_touching<2>({-side, d}, n, m, size);
                for (const double other : {0., 0.25, 0.7, d})
                  {
                    expect_touching<3>({d, side, other}, n, m, size);
                    expect_touching<3>({side, other, -d}, n, m, size);
                  }
              }
          }
  }

  // A corner on a face, an edge across an edge, a pile of turned cubes.
  TEST(Overlaps, touching_turned_bodies_is_none)
  {
    Bodies<3> corner;
    add_cube(corner, Point<3>(0., 0., -0.5), 2);
    corner.add({{0.1, 0.2, 0.}, {0.3, 0.2, 1.}, {0.1, 0.5, 1.}, {0., 0., 1.}},
               {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}});
    corner.finish();
    EXPECT_TRUE(overlaps_of(corner).empty());
    for (unsigned int v = corner.positions.size() - 4;
         v < corner.positions.size();
         ++v)
      corner.positions[v][2] -= 0.01;
    EXPECT_NEAR(depth(overlaps_of(corner)), 0.01, tolerance);

    Bodies<3> edges;
    edges.add({{-1., 0., 0.}, {1., 0., 0.}, {0., 1., -1.}, {0., -1., -1.}},
              {{{0, 1, 2}}, {{0, 3, 1}}, {{0, 2, 3}}, {{1, 3, 2}}});
    edges.add({{0., -1., 0.}, {0., 1., 0.}, {1., 0., 1.}, {-1., 0., 1.}},
              {{{0, 1, 2}}, {{0, 3, 1}}, {{0, 2, 3}}, {{1, 3, 2}}});
    edges.finish();
    EXPECT_TRUE(overlaps_of(edges).empty());
    for (unsigned int v = 4; v < 8; ++v)
      edges.positions[v][2] -= 0.02;
    const auto overlaps = overlaps_of(edges);
    EXPECT_NEAR(depth(overlaps), 0.02, tolerance);
    EXPECT_GT(count(overlaps, OverlapKind::crossing), 0u);
  }



  // Two spheres with vertices on the line between their centres: these are
  // inside the other one by the overlap, give or take the polyhedron's sagitta.
  TEST(Overlaps, spheres)
  {
    const unsigned int n = 8;
    for (const double overlap : {0.1, 0.03})
      {
        Bodies<3> bodies;
        for (const double x : {0., 1. - overlap})
          add_box(bodies,
                  Point<3>(x, 0., 0.),
                  Tensor<1, 3>({1., 1., 1.}),
                  {{n, n, n}},
                  true);
        bodies.finish();
        const auto overlaps = overlaps_of(bodies);
        ASSERT_FALSE(overlaps.empty());
        double deepest = 0.;
        for (const auto &o : overlaps)
          if (o.kind != OverlapKind::crossing)
            deepest = std::max(deepest, o.depth);
        EXPECT_LE(deepest, overlap + tolerance);
        EXPECT_GE(deepest, 0.95 * overlap);
        EXPECT_GT(count(overlaps, OverlapKind::first_inside), 0u);
        EXPECT_GT(count(overlaps, OverlapKind::second_inside), 0u);
      }
  }



  /** Two ellipsoids and a cube that overlap. */
  Bodies<3>
  heap()
  {
    Bodies<3> bodies;
    add_box(bodies, {}, Tensor<1, 3>({1., 0.7, 0.5}), {{3, 4, 5}}, true);
    add_box(bodies,
            {0.7, 0.11, 0.13},
            Tensor<1, 3>({0.6, 0.8, 0.7}),
            {{4, 3, 3}},
            true);
    add_cube(bodies, {0.4, 0.3, -0.5}, 3, 0.8);
    bodies.finish();
    return bodies;
  }

  void
  expect_same(const std::vector<Overlap<3>> &one,
              const std::vector<Overlap<3>> &other,
              const double round_off,
              const double scale = 1.)
  {
    ASSERT_EQ(one.size(), other.size());
    for (unsigned int k = 0; k < one.size(); ++k)
      {
        EXPECT_EQ(one[k].bodies, other[k].bodies);
        EXPECT_EQ(one[k].facets, other[k].facets);
        EXPECT_EQ(one[k].kind, other[k].kind);
        EXPECT_NEAR(one[k].depth, other[k].depth / scale, round_off);
      }
  }

  TEST(Overlaps, move_with_the_bodies)
  {
    const Bodies<3> start = heap();
    const auto overlaps   = overlaps_of(start);
    ASSERT_EQ(overlapping_bodies(overlaps),
              (std::vector<BodyPair>{{{0, 1}}, {{0, 2}}, {{1, 2}}}));

    Bodies<3> turned = start;
    const auto rotation =
      dealii::Physics::Transformations::Rotations::rotation_matrix_3d(
        Tensor<1, 3>({0.6, 0., 0.8}),
        0.7);
    for (Point<3> &p : turned.positions)
      p = Point<3>(rotation * p);
    const auto of_turned = overlaps_of(turned);
    expect_same(overlaps, of_turned, 1e-11);
    for (unsigned int k = 0; k < overlaps.size(); ++k)
      EXPECT_LT(
        (Point<3>(rotation * overlaps[k].place) - of_turned[k].place).norm(),
        1e-11);

    // The rounding of positions is 1e-10 there.
    Bodies<3> far = start;
    for (Point<3> &p : far.positions)
      p += Tensor<1, 3>({1e6, -2e5, 3e5});
    expect_same(overlaps, overlaps_of(far), 1e-8);

    for (const double scale : {1e-9, 1e9})
      {
        Bodies<3> scaled = start;
        for (Point<3> &p : scaled.positions)
          p *= scale;
        scaled.finish();
        expect_same(overlaps, overlaps_of(scaled), 1e-11, scale);
      }
  }

  TEST(Overlaps, do_not_depend_on_numbers)
  {
    const Bodies<3> start = heap();
    Bodies<3> renumbered;
    renumbered.positions.resize(start.positions.size());
    renumbered.surface.vertex_body.resize(start.positions.size());
    renumbered.surface.n_bodies = 3;
    std::vector<unsigned int> number(start.positions.size());
    std::iota(number.begin(), number.end(), 0u);
    Random(7).shuffle(number);
    for (unsigned int v = 0; v < number.size(); ++v)
      {
        renumbered.positions[number[v]] = start.positions[v];
        renumbered.surface.vertex_body[number[v]] =
          2 - start.surface.vertex_body[v];
      }
    for (unsigned int f = start.surface.n_facets(); f-- > 0;)
      {
        const auto &facet = start.surface.facets[f];
        renumbered.surface.facets.push_back(
          {{number[facet[1]], number[facet[2]], number[facet[0]]}});
        renumbered.surface.facet_body.push_back(2 -
                                                start.surface.facet_body[f]);
        renumbered.surface.facet_boundary_id.push_back(0);
      }
    renumbered.finish();

    const auto depths = [](const std::vector<Overlap<3>> &overlaps) {
      std::vector<double> result;
      for (const auto &overlap : overlaps)
        result.push_back(overlap.depth);
      std::sort(result.begin(), result.end());
      return result;
    };
    const auto one = depths(overlaps_of(start));
    const auto two = depths(overlaps_of(renumbered));
    ASSERT_EQ(one.size(), two.size());
    for (unsigned int k = 0; k < one.size(); ++k)
      EXPECT_NEAR(one[k], two[k], tolerance);
  }



  TEST(Overlaps, of_pairs_that_may_not_touch_are_none)
  {
    const Bodies<3> bodies = heap();
    SearchSettings settings;
    settings.body_pairs = {0, 0, 1, 0, 0, 0, 1, 0, 0};
    EXPECT_EQ(overlapping_bodies(overlaps_of(bodies, settings)),
              (std::vector<BodyPair>{{{0, 2}}}));
  }

  TEST(Overlaps, of_a_body_with_itself)
  {
    // A zigzag whose last leg crosses the first.
    Bodies<2> bodies;
    bodies.add({{0., 0.}, {4., 0.}, {4., 1.}, {1., 1.}, {1., -1.}, {0., -1.}},
               {{{0, 1}}, {{1, 2}}, {{2, 3}}, {{3, 4}}, {{4, 5}}, {{5, 0}}});
    bodies.finish();
    EXPECT_TRUE(overlaps_of(bodies).empty());
    SearchSettings settings;
    settings.self_contact = true;
    const auto overlaps   = overlaps_of(bodies, settings);
    ASSERT_EQ(overlaps.size(), 1u);
    EXPECT_EQ(overlaps[0].bodies, (BodyPair{{0, 0}}));
    EXPECT_LT(overlaps[0].place.distance(Point<2>(1., 0.)), tolerance);
    EXPECT_NEAR(overlaps[0].depth, 1., tolerance);
  }



  TEST(IgnoredPairs, are_let_go_when_apart)
  {
    Bodies<3> bodies;
    add_cube(bodies, Point<3>(), 2);
    add_cube(bodies, Point<3>(0.9, 0., 0.), 2); // aligned, nothing crosses
    add_cube(bodies, Point<3>(-0.9, 0.1, 0.2), 2);
    bodies.finish();
    IgnoredPairs<3> ignored;
    ignored.reinit(bodies.surface, {}, {{{0, 1}}, {{0, 2}}});
    EXPECT_FALSE(ignored.update(bodies.positions));
    EXPECT_EQ(ignored.remaining_search().body_pairs,
              (std::vector<char>{1, 0, 0, 0, 1, 1, 0, 1, 1}));

    const unsigned int n = bodies.positions.size() / 3;
    const auto move      = [&](const unsigned int body, const double distance) {
      for (unsigned int v = body * n; v < (body + 1) * n; ++v)
        bodies.positions[v][0] += distance;
    };
    move(2, -0.05);
    EXPECT_FALSE(ignored.update(bodies.positions));
    move(1, 0.05);
    EXPECT_FALSE(ignored.update(bodies.positions));
    move(1, 0.06);
    EXPECT_TRUE(ignored.update(bodies.positions));
    EXPECT_EQ(ignored.get(), (std::vector<BodyPair>{{{0, 2}}}));
    move(1, -0.06); // not once more
    EXPECT_FALSE(ignored.update(bodies.positions));
    EXPECT_EQ(ignored.get(), (std::vector<BodyPair>{{{0, 2}}}));
    move(2, -0.06);
    EXPECT_TRUE(ignored.update(bodies.positions));
    EXPECT_TRUE(ignored.empty());
    EXPECT_TRUE(ignored.remaining_search().body_pairs.empty());
  }
} // namespace
