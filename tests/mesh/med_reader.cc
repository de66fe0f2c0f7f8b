// SPDX-License-Identifier: LGPL-2.1-or-later

#include <cmath>
#include <gtest/gtest.h>

#include "med_files.h"
#include "reader_checks.h"

using namespace Ricochet;
using namespace MedFiles;

namespace
{
  Point
  node(const PlainMesh &mesh, const std::size_t element, const unsigned int k)
  {
    return mesh.points[mesh.nodes[mesh.elements[element].first_node + k]];
  }

  /** Six times the volume of the tetrahedron with some vertices of the first
   * element. */
  double
  six_volumes(const std::array<Point, 4> &x)
  {
    const auto edge = [&](const unsigned int k, const unsigned int d) {
      return x[k][d] - x[0][d];
    };
    double sum = 0;
    for (unsigned int d = 0; d < 3; ++d)
      sum += edge(1, d) * (edge(2, (d + 1) % 3) * edge(3, (d + 2) % 3) -
                           edge(2, (d + 2) % 3) * edge(3, (d + 1) % 3));
    return sum;
  }

  /** Vertices of the edges of a hexahedron, in the order of PlainMesh. */
  const std::vector<std::vector<unsigned int>> cube_edges = {{0, 1},
                                                             {1, 2},
                                                             {2, 3},
                                                             {3, 0},
                                                             {4, 5},
                                                             {5, 6},
                                                             {6, 7},
                                                             {7, 4},
                                                             {0, 4},
                                                             {1, 5},
                                                             {2, 6},
                                                             {3, 7}};
} // namespace



TEST(Med, ReadsTwoCubes)
{
  const PlainMesh mesh = read(write_cubes);
  ASSERT_EQ(mesh.points.size(), 12u);
  for (unsigned int i = 0; i < 12; ++i)
    EXPECT_EQ(mesh.points[i], cube_point(i));
  ASSERT_EQ(mesh.elements.size(), 3u);
  EXPECT_DOUBLE_EQ(volume(mesh), 2.);
  for (unsigned int e = 0; e < 2; ++e)
    for (const auto &edge : cube_edges)
      {
        const Point a = node(mesh, e, edge[0]), b = node(mesh, e, edge[1]);
        EXPECT_EQ(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 1.);
      }
  EXPECT_TRUE(mesh.notes.empty());
  EXPECT_EQ(mesh.number_of_point(0), 1u);
  EXPECT_EQ(mesh.elements[2].number, 3u);
}



TEST(Med, ReadsGroups)
{
  const PlainMesh mesh = read(write_cubes);
  EXPECT_EQ(mesh.groups.size(), 5u);
  EXPECT_EQ(group(mesh, "all", 3).elements.size(), 2u);
  ASSERT_EQ(group(mesh, "lower", 3).elements.size(), 1u);
  ASSERT_EQ(group(mesh, "upper half", 3).elements.size(), 1u);
  ASSERT_EQ(group(mesh, "bottom", 2).elements.size(), 1u);
  EXPECT_EQ(group(mesh, "top", 2).points.size(), 4u);
  for (unsigned int k = 0; k < 8; ++k)
    {
      EXPECT_LE(node(mesh, group(mesh, "lower", 3).elements[0], k)[2], 1.);
      EXPECT_GE(node(mesh, group(mesh, "upper half", 3).elements[0], k)[2], 1.);
    }
  for (unsigned int k = 0; k < 4; ++k)
    EXPECT_EQ(node(mesh, group(mesh, "bottom", 2).elements[0], k)[2], 0.);
  for (const auto point : group(mesh, "top", 2).points)
    EXPECT_EQ(mesh.points[point][2], 2.);
  for (const auto &group : mesh.groups)
    EXPECT_FALSE(group.number.has_value());
}



TEST(Med, JoinsFamiliesAndTypesOfOneGroup)
{
  const PlainMesh mesh = read(write_cubes, [](const Hdf5Writer &out) {
    out.family("/FAS/block/ELEME/F5", -5, {"bottom", "all", "bottom"});
    out.integers(step_path + "/MAI/QU4/FAM", {-5}, 1);
    out.family("/FAS/block/NOEUD/N6", 6, {"bottom"});
    out.integers(step_path + "/NOE/FAM",
                 {6, 6, 6, 6, 0, 0, 0, 0, 77, 77, 77, 77},
                 12);
  });
  EXPECT_EQ(group(mesh, "bottom", 2).elements.size(), 1u);
  EXPECT_EQ(group(mesh, "bottom", 2).points.size(), 4u);
  EXPECT_EQ(group(mesh, "all", 2).elements.size(), 1u);
  EXPECT_EQ(group(mesh, "all", 3).elements.size(), 2u);
}



TEST(Med, ReadsNumbers)
{
  const PlainMesh mesh = read(write_cubes, [](const Hdf5Writer &out) {
    out.integers(step_path + "/NOE/NUM",
                 {12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
                 12);
    out.integers(step_path + "/MAI/HE8/NUM", {70, 80}, 2);
  });
  // Cells have indices of nodes, not their numbers.
  EXPECT_DOUBLE_EQ(volume(mesh), 2.);
  EXPECT_EQ(mesh.number_of_point(0), 12u);
  EXPECT_EQ(mesh.elements[0].number, 70u);
  EXPECT_EQ(mesh.elements[1].number, 80u);
}



TEST(Med, ReadsFilesBeforeVersion3)
{
  const PlainMesh mesh = read([](const Hdf5Writer &out) {
    out.group(mesh_path);
    out.attribute(mesh_path, "DIM", 3);
    write_points(out, mesh_path, cube_points(), 3);
    for (const Cells &cells : cube_cells())
      write_cells(out, mesh_path, cells);
    out.integers(mesh_path + "/NOE/FAM",
                 {0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4},
                 12);
    out.family("/FAS/block/F1", -1, {"lower"});
    out.family("/FAS/block/F3", -3, {"bottom"});
    out.family("/FAS/block/N4", 4, {"top"});
  });
  EXPECT_DOUBLE_EQ(volume(mesh), 2.);
  EXPECT_EQ(mesh.groups.size(), 3u);
  EXPECT_EQ(group(mesh, "lower", 3).elements.size(), 1u);
  EXPECT_EQ(group(mesh, "bottom", 2).elements.size(), 1u);
  EXPECT_EQ(group(mesh, "top", 2).points.size(), 4u);
}



TEST(Med, ReadsCompressedArrays)
{
  const PlainMesh mesh = read([](Hdf5Writer &out) {
    // Many points that no cell has, so that they are made much shorter.
    std::vector<Point> points = cube_points();
    points.resize(10000, {{1, 2, 3}});
    out.compress();
    write_mesh(out, points, cube_cells());
  });
  ASSERT_EQ(mesh.points.size(), 10000u);
  EXPECT_EQ(mesh.points.back(), (Point{{1, 2, 3}}));
  EXPECT_DOUBLE_EQ(volume(mesh), 2.);
}



TEST(Med, PassesOverLinks)
{
  const PlainMesh mesh = read(write_cubes, [](const Hdf5Writer &out) {
    out.soft_link("/ENS_MAA/same", mesh_path);
    out.soft_link(step_path + "/MAI/TE4", "/nowhere");
    out.soft_link(step_path + "/NOE/NUM", "/nowhere");
  });
  EXPECT_EQ(mesh.elements.size(), 3u);
  EXPECT_EQ(mesh.groups.size(), 5u);
}



TEST(Med, ReadsMeshesInThePlane)
{
  const std::vector<Point> points = {{{0, 0, 0}},
                                     {{2, 0, 0}},
                                     {{2, 3, 0}},
                                     {{0, 3, 0}}};
  const PlainMesh mesh            = read([&](const Hdf5Writer &out) {
    write_mesh(out,
               points,
               {{"QU4", {{0, 1, 2, 3}}, {-1}}, {"SE2", {{0, 1}}, {-2}}},
               2);
    out.family("/FAS/block/ELEME/F1", -1, {"plate"});
    out.family("/FAS/block/ELEME/F2", -2, {"edge"});
    out.family("/FAS/block/NOEUD/N1", 1, {"left"});
    out.integers(step_path + "/NOE/FAM", {1, 0, 0, 1}, 4);
  });
  EXPECT_EQ(mesh.points, points);
  // Around with the positive sense.
  for (unsigned int k = 0; k < 4; ++k)
    EXPECT_EQ(node(mesh, group(mesh, "plate", 2).elements.at(0), k), points[k]);
  EXPECT_EQ(group(mesh, "edge", 1).elements.size(), 1u);
  EXPECT_EQ(group(mesh, "left", 1).points.size(), 2u);
}



TEST(Med, ReadsTetrahedraPyramidsAndWedges)
{
  const std::vector<Point> points = {{{0, 0, 0}},
                                     {{1, 0, 0}},
                                     {{0, 1, 0}},
                                     {{0, 0, 1}},
                                     {{1, 1, 0}},
                                     {{1, 0, 1}},
                                     {{0, 1, 1}}};
  // The bottom goes around clockwise when seen from above.
  const PlainMesh mesh = read([&](const Hdf5Writer &out) {
    write_mesh(out,
               points,
               {{"PE6", {{0, 2, 1, 3, 6, 5}}, {}},
                {"PY5", {{0, 2, 4, 1, 3}}, {}},
                {"TE4", {{0, 2, 1, 3}}, {}}});
  });
  ASSERT_EQ(mesh.elements.size(), 3u);
  const std::array<unsigned int, 3> apex = {{3, 4, 3}};
  for (std::size_t e = 0; e < 3; ++e)
    {
      const unsigned int third =
        info(mesh.elements[e].type).n_nodes == 5 ? 3 : 2;
      EXPECT_DOUBLE_EQ(six_volumes({{node(mesh, e, 0),
                                     node(mesh, e, 1),
                                     node(mesh, e, third),
                                     node(mesh, e, apex[e])}}),
                       1.)
        << e;
    }
}



namespace
{
  /** Where nodes of a cell of second order lie in MED, on a reference element:
   * after the vertices the middles of edges, then of faces, then the centre. */
  struct ReferenceCell
  {
    std::string type;
    ElementType expected_type;
    std::vector<Point> vertices;

    /** Vertices in whose middle the other nodes lie, in MED and in
     * PlainMesh. */
    std::vector<std::vector<unsigned int>> med_nodes, nodes;
  };

  const std::vector<std::vector<unsigned int>> triangle_edges = {{0, 1},
                                                                 {1, 2},
                                                                 {2, 0}};
  const std::vector<std::vector<unsigned int>> square_edges   = {{0, 1},
                                                                 {1, 2},
                                                                 {2, 3},
                                                                 {3, 0}};
  const std::vector<std::vector<unsigned int>> tetrahedron_edges =
    {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

  std::vector<std::vector<unsigned int>>
  joined(std::vector<std::vector<unsigned int>> first,
         const std::vector<std::vector<unsigned int>> &second)
  {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }

  std::vector<ReferenceCell>
  reference_cells()
  {
    const std::vector<Point> square = {{{-1, -1, 0}},
                                       {{1, -1, 0}},
                                       {{1, 1, 0}},
                                       {{-1, 1, 0}}};
    const std::vector<Point> cube   = {{{-1, -1, -1}},
                                       {{-1, 1, -1}},
                                       {{1, 1, -1}},
                                       {{1, -1, -1}},
                                       {{-1, -1, 1}},
                                       {{-1, 1, 1}},
                                       {{1, 1, 1}},
                                       {{1, -1, 1}}};
    const auto all                  = [](const unsigned int n) {
      std::vector<unsigned int> result;
      for (unsigned int v = 0; v < n; ++v)
        result.push_back(v);
      return result;
    };
    const auto with_centre = joined(square_edges, {all(4)});
    // MED: the bottom, the sides over 01, 12, 23, 30, and the top.
    const auto med_cube = joined(cube_edges,
                                 {{0, 1, 2, 3},
                                  {0, 1, 5, 4},
                                  {1, 2, 6, 5},
                                  {2, 3, 7, 6},
                                  {3, 0, 4, 7},
                                  {4, 5, 6, 7},
                                  all(8)});
    const auto vtk_cube = joined(cube_edges,
                                 {{0, 3, 7, 4},
                                  {1, 2, 6, 5},
                                  {0, 1, 5, 4},
                                  {3, 2, 6, 7},
                                  {0, 1, 2, 3},
                                  {4, 5, 6, 7},
                                  all(8)});
    return {
      {"SE3",
       ElementType::line_3,
       {{{-1, 0, 0}}, {{1, 0, 0}}},
       {{0, 1}},
       {{0, 1}}},
      {"TR6",
       ElementType::triangle_6,
       {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}},
       triangle_edges,
       triangle_edges},
      {"QU8", ElementType::quadrilateral_8, square, square_edges, square_edges},
      {"QU9", ElementType::quadrilateral_9, square, with_centre, with_centre},
      {"T10",
       ElementType::tetrahedron_10,
       {{{0, 0, 0}}, {{0, 1, 0}}, {{1, 0, 0}}, {{0, 0, 1}}},
       tetrahedron_edges,
       tetrahedron_edges},
      {"H20", ElementType::hexahedron_20, cube, cube_edges, cube_edges},
      {"H27", ElementType::hexahedron_27, cube, med_cube, vtk_cube}};
  }

  Point
  mean(const std::vector<Point> &points, const std::vector<unsigned int> &which)
  {
    Point sum{{}};
    for (const unsigned int i : which)
      for (unsigned int d = 0; d < 3; ++d)
        sum[d] += points[i][d] / which.size();
    return sum;
  }

  /** Bends the reference cell so that no node is in the middle of others. */
  Point
  bent(const Point &x)
  {
    return {{x[0] + .1 * x[1] * x[1] + 2,
             x[1] - .2 * x[2] * x[0],
             x[2] + .15 * x[0] * x[0] + .1 * x[1]}};
  }
} // namespace



TEST(Med, ReadsCurvedCellsOfSecondOrder)
{
  for (const ReferenceCell &cell : reference_cells())
    {
      std::vector<Point> points = cell.vertices;
      for (const auto &which : cell.med_nodes)
        points.push_back(mean(cell.vertices, which));
      Integers nodes;
      for (unsigned int k = 0; k < points.size(); ++k)
        nodes.push_back(k);
      std::vector<Point> bent_points;
      for (const Point &x : points)
        bent_points.push_back(bent(x));
      const PlainMesh mesh = read([&](const Hdf5Writer &out) {
        write_mesh(out, bent_points, {{cell.type, {nodes}, {}}});
      });

      ASSERT_EQ(mesh.elements.size(), 1u) << cell.type;
      ASSERT_EQ(mesh.elements[0].type, cell.expected_type);
      ASSERT_EQ(mesh.nodes.size(), points.size());
      std::vector<Point> vertices;
      for (unsigned int k = 0; k < cell.vertices.size(); ++k)
        vertices.push_back(points[mesh.nodes[k]]);
      for (unsigned int k = 0; k < cell.nodes.size(); ++k)
        {
          const Point expected = bent(mean(vertices, cell.nodes[k]));
          const Point found    = node(mesh, 0, vertices.size() + k);
          for (unsigned int d = 0; d < 3; ++d)
            EXPECT_NEAR(found[d], expected[d], 1e-14)
              << cell.type << ", node " << k;
        }
      if (info(cell.expected_type).dim == 3)
        {
          const bool is_cube = vertices.size() == 8;
          EXPECT_GT(six_volumes({{vertices[0],
                                  vertices[1],
                                  vertices[is_cube ? 3 : 2],
                                  vertices[is_cube ? 4 : 3]}}),
                    0.)
            << cell.type;
        }
    }
}



TEST(Med, ReadsTheStepWithoutTime)
{
  const std::string later =
    mesh_path + "/00000000000000000010000000000000000001";
  const PlainMesh mesh = read(write_cubes, [&](const Hdf5Writer &out) {
    write_points(out, later, cube_points(), 3);
  });
  EXPECT_DOUBLE_EQ(volume(mesh), 2.);
  ASSERT_EQ(mesh.notes.size(), 1u);
  EXPECT_NE(mesh.notes[0].find("2 steps in time"), std::string::npos);
}
