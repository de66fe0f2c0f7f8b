// SPDX-License-Identifier: LGPL-2.1-or-later

// Whether the checker finds what it is made for.

#include <gtest/gtest.h>
#include <vector>

#include "contact_surface.h"

namespace
{
  using namespace Ricochet::Testing;

  void
  add(ContactSurface &surface,
      const unsigned int body,
      const std::vector<Vector> &vertices,
      const std::vector<std::array<std::size_t, 3>> &facets)
  {
    const std::size_t first = surface.vertices.size();
    surface.vertices.insert(surface.vertices.end(),
                            vertices.begin(),
                            vertices.end());
    for (auto facet : facets)
      {
        for (std::size_t &v : facet)
          v += first;
        surface.facets.push_back(facet);
        surface.facet_body.push_back(body);
      }
  }



  /** A box, or the hole in one. */
  void
  add_box(ContactSurface &surface,
          const unsigned int body,
          const Vector &lower,
          const Vector &upper,
          const bool hole = false)
  {
    std::vector<Vector> vertices;
    for (unsigned int v = 0; v < 8; ++v)
      vertices.push_back({{v & 1 ? upper[0] : lower[0],
                           v & 2 ? upper[1] : lower[1],
                           v & 4 ? upper[2] : lower[2]}});
    std::vector<std::array<std::size_t, 3>> facets;
    for (const auto &quad :
         std::vector<std::array<std::size_t, 4>>{{{0, 2, 3, 1}}, // z = lower
                                                 {{4, 5, 7, 6}},
                                                 {{0, 1, 5, 4}}, // y = lower
                                                 {{2, 6, 7, 3}},
                                                 {{0, 4, 6, 2}}, // x = lower
                                                 {{1, 3, 7, 5}}})
      {
        facets.push_back({{quad[0], quad[1], quad[2]}});
        facets.push_back({{quad[0], quad[2], quad[3]}});
        if (hole)
          for (std::size_t f = facets.size() - 2; f < facets.size(); ++f)
            std::swap(facets[f][1], facets[f][2]);
      }
    add(surface, body, vertices, facets);
  }



  /** A tetrahedron that stands on a vertex, or hangs from one. */
  void
  add_spike(ContactSurface &surface,
            const unsigned int body,
            const Vector &tip,
            const double height)
  {
    const double z = tip[2] + height;
    add(surface,
        body,
        {tip,
         {{tip[0] + 0.1, tip[1], z}},
         {{tip[0], tip[1] + 0.1, z}},
         {{tip[0] - 0.1, tip[1] - 0.1, z}}},
        {{{0, 2, 1}}, {{0, 3, 2}}, {{0, 1, 3}}, {{1, 2, 3}}});
  }



  void
  add_square(ContactSurface &surface,
             const unsigned int body,
             const double lower,
             const double upper)
  {
    surface.dim = 2;
    add(surface,
        body,
        {{{lower, lower, 0.}},
         {{upper, lower, 0.}},
         {{upper, upper, 0.}},
         {{lower, upper, 0.}}},
        {{{0, 1, 0}}, {{1, 2, 0}}, {{2, 3, 0}}, {{3, 0, 0}}});
  }



  ContactSurface
  cube()
  {
    ContactSurface surface;
    add_box(surface, 0, {{0., 0., 0.}}, {{1., 1., 1.}});
    return surface;
  }



  std::size_t
  count_shrunk(ContactSurface surface)
  {
    surface.shrink(1e-9);
    EXPECT_TRUE(surface.degenerate_facets().empty());
    return surface.intersections(false).size();
  }



  TEST(ContactSurface, SeparatedBodiesAreFine)
  {
    auto surface = cube();
    add_box(surface, 1, {{0.2, 0.2, 1.00000001}}, {{0.7, 0.7, 2.}});
    EXPECT_TRUE(surface.intersections(true).empty());
    EXPECT_TRUE(surface.contained().empty());
  }



  TEST(ContactSurface, CoplanarFacesOverlap)
  {
    auto surface = cube();
    add_box(surface, 1, {{0.2, 0.3, 1.}}, {{0.7, 1.7, 2.}});
    EXPECT_GE(surface.intersections(false).size(), 4U);
    EXPECT_EQ(count_shrunk(surface), 0U); // they only touch

    // Flat surfaces without a body.
    for (const double x : {0.25, 2.})
      {
        ContactSurface flat;
        add(flat,
            0,
            {{{0., 0., 0.}}, {{1., 0., 0.}}, {{0., 1., 0.}}},
            {{{0, 1, 2}}});
        add(flat,
            1,
            {{{x, 0.25, 0.}}, {{x + 0.25, 0.25, 0.}}, {{x, 0.5, 0.}}},
            {{{0, 1, 2}}});
        EXPECT_EQ(flat.intersections(false).size(), x < 1. ? 1U : 0U);
      }
  }



  TEST(ContactSurface, VertexOnFace)
  {
    auto surface = cube();
    add_spike(surface, 1, {{0.3, 0.6, 1.}}, 0.5);
    EXPECT_EQ(surface.intersections(false).size(), 3U); // the tip's facets
    EXPECT_EQ(count_shrunk(surface), 0U);

    // On an edge of the cube, and on a vertex.
    for (const Vector &tip : {Vector{{0.5, 0., 1.}}, Vector{{1., 1., 1.}}})
      {
        auto corner = cube();
        add_spike(corner, 1, tip, 0.5);
        EXPECT_GE(corner.intersections(false).size(), 6U);
        EXPECT_EQ(count_shrunk(corner), 0U);
      }
  }



  TEST(ContactSurface, TinyPiercing)
  {
    for (const double depth : {1e-6, 1e-8, -1e-8})
      {
        auto surface = cube();
        add_spike(surface, 1, {{0.3, 0.6, 1. - depth}}, 0.5);
        EXPECT_EQ(count_shrunk(surface), depth > 0. ? 3U : 0U);
      }
  }



  TEST(ContactSurface, EdgesCrossFarFromVertices)
  {
    // Two long bars, one across the other, 1e-6 into it.
    ContactSurface surface;
    add_box(surface, 0, {{-50., -0.5, -1.}}, {{50., 0.5, 0.}});
    add_box(surface, 1, {{-0.5, -50., -1e-6}}, {{0.5, 50., 1.}});
    EXPECT_GT(count_shrunk(surface), 0U);
  }



  TEST(ContactSurface, BodyInsideAnother)
  {
    auto surface = cube();
    add_box(surface, 1, {{0.2, 0.2, 0.2}}, {{0.4, 0.4, 0.4}});
    EXPECT_TRUE(surface.intersections(false).empty());
    auto contained = surface.contained();
    ASSERT_EQ(contained.size(), 1U);
    EXPECT_EQ(contained[0].inner, 1U);
    EXPECT_EQ(contained[0].outer, 0U);

    // In the hollow of a body there is room.
    add_box(surface, 0, {{0.1, 0.1, 0.1}}, {{0.5, 0.5, 0.5}}, true);
    EXPECT_TRUE(surface.contained().empty());

    // A second part of the body is not in the hollow.
    add_box(surface, 1, {{0.6, 0.6, 0.6}}, {{0.7, 0.7, 0.7}});
    contained = surface.contained();
    ASSERT_EQ(contained.size(), 1U);
    EXPECT_EQ(contained[0].inner, 1U);

    // A cube without a face has no inside.
    auto open = cube();
    open.facets.pop_back();
    open.facet_body.pop_back();
    add_box(open, 1, {{0.2, 0.2, 0.2}}, {{0.4, 0.4, 0.4}});
    EXPECT_TRUE(open.contained().empty());
  }



  TEST(ContactSurface, OneBodyThroughItself)
  {
    // Two boxes of one body that overlap; the facets of one box share vertices
    // or do not meet.
    auto surface = cube();
    EXPECT_TRUE(surface.intersections(true).empty());
    add_box(surface, 0, {{0.2, 0.3, 0.9}}, {{0.7, 0.6, 2.}});
    EXPECT_TRUE(surface.intersections(false).empty());
    EXPECT_GE(surface.intersections(true).size(), 4U);
  }



  TEST(ContactSurface, ShrinkingMovesInward)
  {
    // By a part of the diagonal, sqrt(3), along the normals.
    auto surface = cube();
    surface.shrink(0.1);
    for (unsigned int d = 0; d < 3; ++d)
      {
        EXPECT_GT(surface.vertices[0][d], 0.05);
        EXPECT_LT(surface.vertices[7][d], 0.95);
      }

    ContactSurface square;
    add_square(square, 0, 0., 1.);
    square.shrink(0.1);
    for (unsigned int d = 0; d < 2; ++d)
      {
        EXPECT_NEAR(square.vertices[0][d], 0.1, 1e-15);
        EXPECT_NEAR(square.vertices[2][d], 0.9, 1e-15);
      }
  }



  TEST(ContactSurface, FacetsWithoutArea)
  {
    auto surface = cube();
    EXPECT_TRUE(surface.degenerate_facets().empty());
    surface.vertices[7] = surface.vertices[4];
    EXPECT_FALSE(surface.degenerate_facets().empty());
  }



  TEST(ContactSurface, Plane)
  {
    for (const double lower : {0.5, 1. - 1e-6, 1., 1.5})
      {
        ContactSurface surface;
        add_square(surface, 0, 0., 1.);
        add_square(surface, 1, lower, 2.);
        EXPECT_EQ(surface.intersections(false).empty(), lower > 1.);
        EXPECT_EQ(count_shrunk(surface) > 0, lower < 1.);
      }

    ContactSurface surface;
    add_square(surface, 0, 0., 1.);
    add_square(surface, 1, 0.25, 0.5);
    EXPECT_TRUE(surface.intersections(false).empty());
    ASSERT_EQ(surface.contained().size(), 1U);
    EXPECT_EQ(surface.contained()[0].inner, 1U);
  }
} // namespace
