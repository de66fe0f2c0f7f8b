// SPDX-License-Identifier: LGPL-2.1-or-later

// Edges, local lengths and the checks of the surface's topology.

#include <ricochet/base/error.h>
#include <ricochet/surface/surface.h>

#include <cmath>
#include <gtest/gtest.h>

using namespace Ricochet;
using dealii::Point;

namespace
{
  constexpr unsigned int none = Surface<3>::none;



  template <int dim>
  Surface<dim>
  make_surface(const std::vector<std::array<unsigned int, dim>> &facets,
               const unsigned int n_vertices)
  {
    Surface<dim> surface;
    surface.facets = facets;
    surface.facet_body.assign(facets.size(), 0);
    surface.facet_boundary_id.assign(facets.size(), 0);
    surface.vertex_body.assign(n_vertices, 0);
    surface.n_bodies = 1;
    return surface;
  }



  /** A tetrahedron with legs 3, 4 and 12 along the axes. */
  const std::vector<Point<3>> corner                           = {{0, 0, 0},
                                                                  {3, 0, 0},
                                                                  {0, 4, 0},
                                                                  {0, 0, 12}};
  const std::vector<std::array<unsigned int, 3>> corner_facets = {{{0, 2, 1}},
                                                                  {{0, 1, 3}},
                                                                  {{0, 3, 2}},
                                                                  {{1, 2, 3}}};



  template <int dim>
  std::string
  message(Surface<dim> surface, const std::vector<Point<dim>> &positions)
  {
    try
      {
        surface.build_edges(positions);
      }
    catch (const UserError &error)
      {
        return error.what();
      }
    return "";
  }
} // namespace



TEST(BuildEdges, NumbersEdgesByFirstAppearance)
{
  Surface<3> surface = make_surface<3>(corner_facets, 4);
  surface.build_edges(corner);

  const std::vector<std::array<unsigned int, 2>> edges =
    {{{0, 2}}, {{1, 2}}, {{0, 1}}, {{1, 3}}, {{0, 3}}, {{2, 3}}};
  const std::vector<std::array<unsigned int, 2>> facets =
    {{{0, 2}}, {{0, 3}}, {{0, 1}}, {{1, 3}}, {{1, 2}}, {{2, 3}}};
  EXPECT_EQ(surface.edges, edges);
  EXPECT_EQ(surface.edge_facets, facets);

  // A second call starts anew.
  surface.build_edges(corner);
  EXPECT_EQ(surface.edges, edges);
  EXPECT_EQ(surface.edge_facets, facets);
}



TEST(BuildEdges, LengthsAreThoseOfTheShortestEdge)
{
  Surface<3> surface = make_surface<3>(corner_facets, 4);
  surface.build_edges(corner);

  // Facets: 3-4-5, 3-12-13ish, 4-12-13ish, and the slanted one with 5.
  EXPECT_EQ(surface.facet_length, (std::vector<double>{3., 3., 4., 5.}));
  EXPECT_EQ(surface.vertex_length, (std::vector<double>{3., 3., 3., 3.}));
  // Edges: 0-2 at facets 0 and 2, 1-2 at 0 and 3, 0-1 at 0 and 1, 1-3 at 1 and
  // 3, 0-3 at 1 and 2, 2-3 at 2 and 3.
  EXPECT_EQ(surface.edge_length, (std::vector<double>{3., 3., 3., 3., 3., 4.}));
}



TEST(BuildEdges, VerticesShareTheArea)
{
  Surface<3> surface = make_surface<3>(corner_facets, 4);
  surface.build_edges(corner);

  // Right triangles with the legs 3, 4 and 12, and the slanted one.
  const double slanted = std::sqrt(6. * 6. + 18. * 18. + 24. * 24.);
  const std::vector<double> expected = {(6. + 18. + 24.) / 3.,
                                        (6. + 18. + slanted) / 3.,
                                        (6. + 24. + slanted) / 3.,
                                        (18. + 24. + slanted) / 3.};
  ASSERT_EQ(surface.vertex_area.size(), 4u);
  for (unsigned int v = 0; v < 4; ++v)
    EXPECT_NEAR(surface.vertex_area[v], expected[v], 1e-13);
}



TEST(BuildEdges, OpenSurfacesHaveEdgesWithOneFacet)
{
  Surface<3> surface = make_surface<3>({{{0, 2, 1}}, {{0, 1, 3}}}, 4);
  surface.build_edges(corner);
  ASSERT_EQ(surface.n_edges(), 5u);
  unsigned int n_open = 0;
  for (const auto &facets : surface.edge_facets)
    n_open += facets[1] == none;
  EXPECT_EQ(n_open, 4u);
  EXPECT_EQ(surface.edge_facets[2], (std::array<unsigned int, 2>{{0, 1}}));
}



TEST(BuildEdges, TwoDimensions)
{
  const std::vector<Point<2>> positions = {{0, 0}, {1, 0}, {3, 0}, {3, 4}};
  Surface<2> surface =
    make_surface<2>({{{0, 1}}, {{1, 2}}, {{2, 3}}, {{3, 0}}}, 4);
  surface.build_edges(positions);
  EXPECT_EQ(surface.n_edges(), 0u);
  EXPECT_EQ(surface.facet_length, (std::vector<double>{1., 2., 4., 5.}));
  EXPECT_EQ(surface.vertex_length, (std::vector<double>{1., 1., 2., 4.}));
  EXPECT_EQ(surface.vertex_area, (std::vector<double>{3., 1.5, 3., 4.5}));
}



TEST(BuildEdges, RejectsBranchingSurfaces)
{
  // Three facets at edge 0-1.
  std::vector<Point<3>> positions = corner;
  positions.push_back({0, -4, 0});
  const std::string text =
    message(make_surface<3>({{{0, 2, 1}}, {{0, 1, 3}}, {{0, 1, 4}}}, 5),
            positions);
  EXPECT_NE(text.find("branches"), std::string::npos) << text;

  // Three segments at vertex 0.
  const std::string text_2d =
    message(make_surface<2>({{{0, 1}}, {{2, 0}}, {{0, 3}}}, 4),
            std::vector<Point<2>>{{0, 0}, {1, 0}, {0, 1}, {-1, 0}});
  EXPECT_NE(text_2d.find("branches"), std::string::npos) << text_2d;
}



TEST(BuildEdges, RejectsFacetsThatFaceOppositeSides)
{
  const std::string text =
    message(make_surface<3>({{{0, 2, 1}}, {{0, 3, 1}}}, 4), corner);
  EXPECT_NE(text.find("opposite sides"), std::string::npos) << text;

  const std::string text_2d =
    message(make_surface<2>({{{0, 1}}, {{2, 1}}}, 3),
            std::vector<Point<2>>{{0, 0}, {1, 0}, {0, 1}});
  EXPECT_NE(text_2d.find("opposite sides"), std::string::npos) << text_2d;
}



TEST(BuildEdges, RejectsEdgesWithoutLength)
{
  std::vector<Point<3>> positions = corner;
  positions[1]                    = positions[0];
  std::string text = message(make_surface<3>(corner_facets, 4), positions);
  EXPECT_NE(text.find("without length"), std::string::npos) << text;

  positions[1][0] = std::nan("");
  text            = message(make_surface<3>(corner_facets, 4), positions);
  EXPECT_NE(text.find("without length"), std::string::npos) << text;

  // The same vertex twice in one facet.
  text = message(make_surface<3>({{{0, 1, 1}}}, 2),
                 std::vector<Point<3>>{{0, 0, 0}, {1, 0, 0}});
  EXPECT_NE(text.find("without length"), std::string::npos) << text;
}
