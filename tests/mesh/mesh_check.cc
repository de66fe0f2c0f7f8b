// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/mesh_check.h>
#include <ricochet/mesh/mesh_summary.h>

#include <deal.II/grid/grid_tools.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "../parse.h"
#include "../random.h"

using namespace Ricochet;

namespace
{
  /** A box of nx x ny x nz unit cubes; points count from 1, elements from 101.
   */
  PlainMesh
  box(const unsigned int nx, const unsigned int ny, const unsigned int nz)
  {
    PlainMesh mesh;
    mesh.first_point_number = 1;
    const auto point = [&](unsigned int i, unsigned int j, unsigned int k) {
      return i + (nx + 1) * (j + (ny + 1) * k);
    };
    for (unsigned int k = 0; k <= nz; ++k)
      for (unsigned int j = 0; j <= ny; ++j)
        for (unsigned int i = 0; i <= nx; ++i)
          mesh.points.push_back({{double(i), double(j), double(k)}});
    for (unsigned int k = 0; k < nz; ++k)
      for (unsigned int j = 0; j < ny; ++j)
        for (unsigned int i = 0; i < nx; ++i)
          mesh.add_element(
            ElementType::hexahedron_8,
            101 + mesh.elements.size(),
            std::vector<std::uint32_t>{point(i, j, k),
                                       point(i + 1, j, k),
                                       point(i + 1, j + 1, k),
                                       point(i, j + 1, k),
                                       point(i, j, k + 1),
                                       point(i + 1, j, k + 1),
                                       point(i + 1, j + 1, k + 1),
                                       point(i, j + 1, k + 1)});
    return mesh;
  }



  PlainMesh::Group
  group(const std::string &name,
        const unsigned int dim,
        const std::vector<std::size_t> &elements)
  {
    PlainMesh::Group result;
    result.name     = name;
    result.dim      = dim;
    result.elements = elements;
    return result;
  }



  template <int dim>
  double
  volume(const CoarseMesh<dim> &mesh)
  {
    double sum = 0.;
    for (const auto &cell : mesh.cells)
      sum += dealii::GridTools::cell_measure<dim>(mesh.vertices, cell.vertices);
    return sum;
  }



  template <int dim>
  std::string
  error_of_mesh(const PlainMesh &mesh, const MeshSelection &selection = {})
  {
    return error_of([&]() { check_mesh<dim>(mesh, selection, "Body 'a'"); });
  }



  /** The centres of the faces with one of the ids. */
  std::vector<dealii::Point<3>>
  centres_of(const CoarseMesh<3> &mesh, const std::string &name)
  {
    const BoundaryIds ids = mesh.boundary_names.ids_of(name, "test");
    std::vector<dealii::Point<3>> centres;
    for (const auto &face : mesh.subcell_data.boundary_quads)
      if (ids.count(face.boundary_id) == 1)
        {
          centres.emplace_back();
          for (const unsigned int v : face.vertices)
            centres.back() += mesh.vertices[v] / 4.;
        }
    return centres;
  }



  bool
  any_note(const std::vector<std::string> &notes, const std::string &part)
  {
    return std::any_of(notes.begin(), notes.end(), [&](const auto &note) {
      return note.find(part) != std::string::npos;
    });
  }
} // namespace



TEST(MeshCheck, TakesAGoodMesh)
{
  const auto mesh = check_mesh<3>(box(3, 2, 2), {}, "Body 'a'");
  EXPECT_EQ(mesh.cells.size(), 12u);
  EXPECT_EQ(mesh.vertices.size(), 36u);
  EXPECT_DOUBLE_EQ(volume(mesh), 12.);
  EXPECT_EQ(mesh.subcell_data.boundary_quads.size(), 32u);
  EXPECT_TRUE(mesh.notes.empty());
  EXPECT_EQ(mesh.boundary_names.all().size(), 1u);
  EXPECT_EQ(centres_of(mesh, "0").size(), 32u);
}



TEST(MeshCheck, TellsAllFaultsAtOnce)
{
  PlainMesh mesh = box(4, 1, 1);
  // Element 101 turns inside out.
  std::swap(mesh.points[0], mesh.points[2]);
  // Element 103 has a vertex twice.
  mesh.nodes[mesh.elements[2].first_node + 3] =
    mesh.nodes[mesh.elements[2].first_node];
  // Element 104 has a point without a place.
  const std::uint32_t lost = mesh.nodes[mesh.elements[3].first_node + 6];
  mesh.points[lost][1]     = std::numeric_limits<double>::quiet_NaN();
  // A wedge, and a group that no id can stand for.
  mesh.add_element(ElementType::wedge_6,
                   200,
                   std::vector<std::uint32_t>{0, 1, 2, 5, 6, 7});
  mesh.groups.push_back(group("", 2, {}));
  mesh.groups.back().number = std::int64_t(1) << 40;

  const std::string error = error_of_mesh<3>(mesh);
  expect_parts(error,
               {"Body 'a'",
                "5 kinds",
                "inverted or flat cells (2): element 101 at (",
                "vertex twice (1): element 103, point 3",
                "finite coordinates (1): point " + std::to_string(lost + 1) +
                  " of element 104",
                "wedges",
                "element 200",
                "1099511627776"});
}



TEST(MeshCheck, FaceOfThreeCells)
{
  PlainMesh mesh = box(2, 1, 1);
  mesh.points.push_back({{1., -1., 0.}});
  mesh.points.push_back({{1., -1., 1.}});
  mesh.points.push_back({{2., -1., 0.5}});
  mesh.points.push_back({{2., -1., 1.5}});
  // The face between the first two at x = 1 again.
  mesh.add_element(ElementType::hexahedron_8,
                   103,
                   std::vector<std::uint32_t>{1, 12, 14, 4, 7, 13, 15, 10});
  expect_parts(error_of_mesh<3>(mesh),
               {"faces that more than two cells have (1)",
                "101, 102, 103",
                "(1, 0.5, 0.5)"});
}



TEST(MeshCheck, TurnsCellsThatGoAroundTheOtherWay)
{
  // Any of the 48 ways to look at a cube, half of them mirrored.
  Random random(3);
  const PlainMesh good = box(2, 2, 2);
  const auto expected  = check_mesh<3>(good, {}, "Body 'a'");
  for (unsigned int trial = 0; trial < 100; ++trial)
    {
      PlainMesh mesh = good;
      for (const auto &element : mesh.elements)
        {
          std::uint32_t *nodes = mesh.nodes.data() + element.first_node;
          for (unsigned int turn = random.below(4); turn > 0; --turn)
            {
              std::rotate(nodes, nodes + 1, nodes + 4);
              std::rotate(nodes + 4, nodes + 5, nodes + 8);
            }
          if (random.below(2) == 1)
            std::swap_ranges(nodes, nodes + 4, nodes + 4);
        }
      const auto mended = check_mesh<3>(mesh, {}, "Body 'a'");
      EXPECT_DOUBLE_EQ(volume(mended), 8.);
      EXPECT_EQ(mended.subcell_data.boundary_quads.size(),
                expected.subcell_data.boundary_quads.size());
      EXPECT_NO_THROW(mended.check_orientation("test"));
    }
}



TEST(MeshCheck, RepeatedCellsAreTakenOnce)
{
  PlainMesh mesh = box(2, 1, 1);
  const std::vector<std::uint32_t> again(mesh.nodes.begin() + 8,
                                         mesh.nodes.end());
  mesh.groups.push_back(group("a", 3, {0, 1}));
  mesh.groups.push_back(
    group("b", 3, {mesh.add_element(ElementType::hexahedron_8, 300, again)}));
  const auto all = check_mesh<3>(mesh, {}, "Body 'a'");
  EXPECT_DOUBLE_EQ(volume(all), 2.);
  EXPECT_TRUE(any_note(all.notes, "element 300 has the nodes of element 102"));

  MeshSelection selection;
  selection.material_ids = {"b"};
  const auto part        = check_mesh<3>(mesh, selection, "Body 'a'");
  EXPECT_DOUBLE_EQ(volume(part), 1.);
  EXPECT_EQ(part.vertices.size(), 8u);
}



TEST(MeshCheck, GroupsOfCellsMakeBodies)
{
  PlainMesh mesh = box(3, 1, 1);
  mesh.groups.push_back(group("liner", 3, {1}));
  mesh.groups.push_back(group("", 3, {0, 1}));
  mesh.groups.back().number = 7;
  mesh.groups.push_back(group("wall", 2, {}));
  mesh.groups.back().sides.push_back({1, {{1, 2, 6, 5}}});

  MeshSelection selection;
  selection.material_ids = {"liner"};
  const auto liner       = check_mesh<3>(mesh, selection, "Body 'a'");
  EXPECT_DOUBLE_EQ(volume(liner), 1.);
  // What is inside of the whole mesh is the boundary of the part.
  ASSERT_EQ(centres_of(liner, "wall").size(), 1u);
  EXPECT_DOUBLE_EQ(centres_of(liner, "wall")[0][0], 2.);

  selection.material_ids = {"7"};
  EXPECT_DOUBLE_EQ(volume(check_mesh<3>(mesh, selection, "Body 'a'")), 2.);
  EXPECT_EQ(check_mesh<3>(mesh, selection, "Body 'a'").cells[0].material_id,
            7u);
  const auto all = check_mesh<3>(mesh, {}, "Body 'a'");
  EXPECT_EQ(all.boundary_names.all().count("wall"), 0u);
  EXPECT_TRUE(any_note(all.notes, "'wall' has 1 faces inside"));
  EXPECT_EQ(all.cell_groups,
            (std::map<std::string, std::size_t>{{"7", 2}, {"liner", 1}}));

  selection.material_ids = {"line"};
  expect_parts(error_of_mesh<3>(mesh, selection),
               {"'Material ids' names line", "7, liner"});
}



TEST(MeshCheck, GroupsOfFacesMayOverlap)
{
  PlainMesh mesh  = box(2, 1, 1);
  const auto face = [&](const std::uint32_t a,
                        const std::uint32_t b,
                        const std::uint32_t c,
                        const std::uint32_t d) {
    return mesh.add_element(ElementType::quadrilateral_4,
                            mesh.elements.size(),
                            std::vector<std::uint32_t>{a, b, c, d});
  };
  const std::size_t left   = face(0, 3, 9, 6);
  const std::size_t right  = face(2, 5, 11, 8);
  const std::size_t inside = face(1, 4, 10, 7);
  mesh.groups.push_back(group("ends", 2, {left, right}));
  mesh.groups.push_back(group("", 2, {right}));
  mesh.groups.back().number = -5;
  mesh.groups.push_back(group("middle", 2, {inside}));
  // Faces by their points, of a whole side.
  mesh.groups.push_back(group("bottom", 2, {}));
  mesh.groups.back().points = {0, 1, 2, 3, 4, 5};
  // All that is free of the first cell.
  mesh.groups.push_back(group("skin", 2, {}));
  mesh.groups.back().free_faces_of = {0};

  const auto result = check_mesh<3>(mesh, {}, "Body 'a'");
  EXPECT_EQ(centres_of(result, "ends").size(), 2u);
  EXPECT_EQ(centres_of(result, "5").size(), 1u);
  EXPECT_DOUBLE_EQ(centres_of(result, "5")[0][0], 2.);
  EXPECT_EQ(centres_of(result, "bottom").size(), 2u);
  EXPECT_EQ(centres_of(result, "skin").size(), 5u);
  EXPECT_EQ(result.boundary_names.all().count("middle"), 0u);
  EXPECT_TRUE(any_note(result.notes, "'middle' has 1 faces inside"));
  // Of the second cell: top, front and back are in no group.
  EXPECT_EQ(centres_of(result, "0").size(), 3u);
  expect_parts(error_of([&]() {
                 result.boundary_names.ids_of_list("ends, top", "here");
               }),
               {"here", "top", "bottom, ends, skin"});
  EXPECT_EQ(result.boundary_names.ids_of_list("", "here").size(), 0u);
}



TEST(MeshCheck, NothingIsZeroWhereGroupsHaveNamesOnly)
{
  PlainMesh mesh = box(1, 1, 1);
  mesh.groups.push_back(group("bottom", 2, {}));
  mesh.groups.back().points = {0, 1, 2, 3};
  const auto names = check_mesh<3>(mesh, {}, "Body 'a'").boundary_names;
  expect_parts(error_of([&]() { names.ids_of("0", "here"); }), {"bottom"});
}



TEST(MeshCheck, PiecesAreToldAndWelded)
{
  PlainMesh mesh         = box(1, 1, 1);
  const PlainMesh second = mesh;
  for (auto x : second.points)
    {
      x[2] += 1. + 1e-9;
      mesh.points.push_back(x);
    }
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t node : second.nodes)
    nodes.push_back(node + 8);
  mesh.add_element(ElementType::hexahedron_8, 102, nodes);

  const auto apart = check_mesh<3>(mesh, {}, "Body 'a'");
  EXPECT_EQ(apart.vertices.size(), 16u);
  EXPECT_TRUE(any_note(apart.notes, "2 separate pieces"));
  EXPECT_TRUE(any_note(apart.notes, "4 pairs of vertices"));

  MeshSelection selection;
  selection.weld_tolerance = 1e-6;
  const auto welded        = check_mesh<3>(mesh, selection, "Body 'a'");
  EXPECT_EQ(welded.vertices.size(), 12u);
  EXPECT_EQ(welded.subcell_data.boundary_quads.size(), 10u);
  EXPECT_FALSE(any_note(welded.notes, "pieces"));
  EXPECT_NEAR(volume(welded), 2., 1e-8);
  expect_parts(summary_of_mesh(welded)[0],
               {"2 hexahedra in 1 piece", "12 vertices"});

  // Pieces that only touch with an edge or nothing are pieces, too.
  selection.weld_tolerance = 2.;
  expect_parts(error_of_mesh<3>(mesh, selection), {"vertex twice"});
}



TEST(MeshCheck, RandomPointsAreWeldedAsByComparingAll)
{
  Random random(5);
  for (unsigned int trial = 0; trial < 20; ++trial)
    {
      PlainMesh mesh = box(5, 5, 5);
      for (auto &x : mesh.points)
        for (double &coordinate : x)
          coordinate += random.uniform(-0.01, 0.01);
      // Pull the cubes apart into pieces that almost touch.
      PlainMesh loose;
      loose.first_point_number = 1;
      for (const auto &element : mesh.elements)
        {
          std::vector<std::uint32_t> nodes;
          for (unsigned int n = 0; n < 8; ++n)
            {
              auto x = mesh.points[mesh.nodes[element.first_node + n]];
              for (double &coordinate : x)
                coordinate += random.uniform(-1e-5, 1e-5);
              nodes.push_back(loose.points.size());
              loose.points.push_back(x);
            }
          loose.add_element(element.type, element.number, nodes);
        }
      MeshSelection selection;
      selection.weld_tolerance = 1e-4;
      const auto welded        = check_mesh<3>(loose, selection, "Body 'a'");
      EXPECT_EQ(welded.vertices.size(), 216u);
      EXPECT_EQ(welded.subcell_data.boundary_quads.size(), 150u);
    }
}



TEST(MeshCheck, PlaneMeshes)
{
  PlainMesh mesh;
  mesh.first_point_number = 1;
  mesh.points = {{{0, 0, 3}}, {{1, 0, 3}}, {{1, 1, 3}}, {{0, 1, 3}}};
  mesh.add_element(ElementType::quadrilateral_4,
                   1,
                   std::vector<std::uint32_t>{0, 3, 2, 1});
  const auto square = check_mesh<2>(mesh, {}, "Body 'a'");
  EXPECT_DOUBLE_EQ(volume(square), 1.);
  EXPECT_NO_THROW(square.check_orientation("test"));
  expect_parts(error_of_mesh<3>(mesh), {"dimension 2", "Dimension = 3"});
  expect_parts(error_of_mesh<2>(box(1, 1, 1)),
               {"dimension 3", "Dimension = 2"});
  mesh.points[2][2] = 3.1;
  expect_parts(error_of_mesh<2>(mesh), {"plane of constant z", "point 3"});
}



TEST(MeshCheck, QuadraticCellsKeepTheirNodes)
{
  // A quarter of a ring between the radii 1 and 2: all nodes on circles.
  PlainMesh mesh;
  mesh.first_point_number = 1;
  const auto point        = [](const double r, const double angle) {
    return std::array<double, 3>{
      {r * std::cos(angle), r * std::sin(angle), 0.}};
  };
  const double right = std::acos(0.);
  mesh.points        = {point(1, 0.),
                        point(2, 0.),
                        point(2, right),
                        point(1, right),
                        point(1.5, 0.),
                        point(2, right / 2),
                        point(1.5, right),
                        point(1, right / 2)};
  mesh.add_element(ElementType::quadrilateral_8,
                   1,
                   std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
  const auto curved = check_mesh<2>(mesh, {}, "Body 'a'");
  ASSERT_FALSE(curved.curved_nodes.empty());
  unsigned int n_found = 0;
  for (unsigned int a = 0; a < 4; ++a)
    for (unsigned int b = a + 1; b < 4; ++b)
      if (const auto *node = curved.curved_nodes.find({a, b}))
        {
          const double radii =
            curved.vertices[a].norm() + curved.vertices[b].norm();
          EXPECT_NEAR(node->norm(), radii / 2., 1e-14);
          ++n_found;
        }
  EXPECT_EQ(n_found, 4u);
  // Serendipity functions at the centre: half of the sum over the edges less a
  // quarter of that over the vertices.
  const auto *centre = curved.curved_nodes.find({0, 1, 2, 3});
  ASSERT_NE(centre, nullptr);
  const double s        = std::sqrt(0.5);
  const double expected = 0.5 * (3 * s + 1.5) - 0.25 * 3.;
  EXPECT_NEAR((*centre)[0], expected, 1e-14);
  EXPECT_NEAR((*centre)[1], expected, 1e-14);

  MeshSelection selection;
  selection.linear  = true;
  const auto linear = check_mesh<2>(mesh, selection, "Body 'a'");
  EXPECT_TRUE(linear.curved_nodes.empty());
  EXPECT_EQ(linear.vertices.size(), 4u);
  EXPECT_NEAR(volume(linear), 1.5, 1e-14);
}



TEST(MeshCheck, QuadraticTetrahedraNeedTheirVerticesOnly)
{
  PlainMesh mesh;
  mesh.first_point_number = 1;
  mesh.points.resize(10);
  mesh.points[1][0] = mesh.points[2][1] = mesh.points[3][2] = 1.;
  mesh.add_element(ElementType::tetrahedron_10,
                   1,
                   std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect_parts(error_of_mesh<3>(mesh), {"'Order of mesh file' = linear"});
  MeshSelection selection;
  selection.linear = true;
  EXPECT_NEAR(volume(check_mesh<3>(mesh, selection, "a")), 1. / 6, 1e-15);
}
