// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>

#include <gtest/gtest.h>

#include "reader_checks.h"
#include "sample_meshes.h"

using namespace Ricochet;

namespace
{
  PlainMesh
  read(const MeshReader reader, const std::string &text)
  {
    const MeshFile file(text);
    return reader(file.name, "File");
  }

  void
  expect_error(const MeshReader reader,
               const std::string &text,
               const std::string &part)
  {
    expect_user_error([&] { read(reader, text); }, part);
  }

  /** The two cubes with a quadrilateral below them, and perhaps its number. */
  void
  expect_cubes(const PlainMesh &mesh, const bool has_numbers)
  {
    ASSERT_EQ(mesh.elements.size(), 3u);
    ASSERT_EQ(mesh.points.size(), 12u);
    EXPECT_DOUBLE_EQ(volume(mesh), 2.);
    unsigned int n_quads = 0;
    for (const auto &element : mesh.elements)
      if (element.type == ElementType::quadrilateral_4)
        {
          ++n_quads;
          for (unsigned int k = 0; k < 4; ++k)
            EXPECT_EQ(mesh.points[mesh.nodes[element.first_node + k]][2], 0.);
        }
    EXPECT_EQ(n_quads, 1u);
    if (has_numbers)
      {
        EXPECT_EQ(group(mesh, 7, 2).elements.size(), 1u);
        EXPECT_EQ(group(mesh, 1, 3).elements.size(), 2u);
      }
  }
} // namespace



TEST(Unv, ReadsTwoCubes)
{
  const PlainMesh mesh = read(read_unv_mesh, unv_cubes());
  expect_cubes(mesh, false);
  EXPECT_TRUE(mesh.groups.empty());
  const PlainMesh fortran =
    read(read_unv_mesh, replaced(unv_cubes(), "1.000000", "10D-01"));
  expect_cubes(fortran, false);
  EXPECT_EQ(fortran.points[2][1], 1.);
}

TEST(Unv, ReadsGroups)
{
  const PlainMesh mesh = read(read_unv_mesh, unv_groups() + unv_cubes());
  EXPECT_EQ(group(mesh, "BOTTOM", 2).elements, std::vector<std::size_t>{2});
  EXPECT_EQ(*group(mesh, "BOTTOM", 2).number, 1);
  // Nodes are not taken for elements with the same numbers.
  EXPECT_TRUE(group(mesh, 7, 2).elements.empty());
  EXPECT_EQ(group(mesh, 7, 2).points, (std::vector<std::size_t>{0, 1, 2}));

  const std::string old =
    "    -1\n  2430\n 1 0 0 0 0 0 0 2\nBOTH CUBES\n 8 1 8 2\n    -1\n";
  EXPECT_EQ(group(read(read_unv_mesh, unv_cubes() + old), "BOTH CUBES", 3)
              .elements.size(),
            2u);
  expect_error(read_unv_mesh,
               unv_cubes() + replaced(old, " 8 2", " 8 9"),
               "group 'BOTH CUBES' has the element 9");
  expect_error(read_unv_mesh,
               unv_cubes() + replaced(old, " 0 2\n", " 0 3\n"),
               "ends in the midst");
  expect_error(read_unv_mesh,
               unv_cubes() + replaced(old, " 0 2\n", " 0 99999999999\n"),
               "more than the file can have");
}

TEST(Unv, TakesPropertiesForGroupsIfThereAreNone)
{
  const PlainMesh mesh = read(read_unv_mesh,
                              replaced(unv_cubes(),
                                       "44         1         1",
                                       "44         1         5"));
  EXPECT_EQ(group(mesh, 5, 2).elements.size(), 1u);
  EXPECT_EQ(group(mesh, 1, 3).elements.size(), 2u);
}

TEST(Unv, FindsErrors)
{
  expect_error(read_unv_mesh,
               replaced(unv_cubes(), "11        12", "11        99"),
               "element 2 has the node 99, which the file does not have");
  expect_error(read_unv_mesh,
               replaced(unv_cubes(),
                        "         8\n         1         2",
                        "         9\n         1         2"),
               "more nodes than");
  expect_error(read_unv_mesh,
               replaced(unv_cubes(), "       115 ", "       117 "),
               "type 117 with 8 nodes are not known");
  expect_error(read_unv_mesh,
               replaced(unv_cubes(), "12 1 1 11", "11 1 1 11"),
               "line 25: node 11 is defined a second time; the first is in "
               "line 23");
  expect_error(read_unv_mesh, "nothing\n", "line 1: a dataset begins");
  const std::string text = unv_cubes();
  for (std::size_t n = 0; n + 3 < text.size(); n += 7)
    EXPECT_THROW(read(read_unv_mesh, text.substr(0, n)), UserError) << n;
}

TEST(Unv, PassesOverOtherDatasets)
{
  const std::string units =
    "    -1\n   164\n         5mm (milli-newton)\n"
    "  1.0D+03  1.0D+00  1.0D+00\n  2.7D+02\n    -1\n";
  const PlainMesh mesh =
    read(read_unv_mesh,
         units + "    -1\n  2420\n 1\nPart\n 0.0 1.0\n    -1\n" + unv_cubes());
  expect_cubes(mesh, false);
  EXPECT_EQ(mesh.notes.size(), 1u);
}

TEST(Unv, BringsSecondOrderIntoOrder)
{
  const auto text = [](const std::vector<std::vector<int>> &points,
                       const std::string &type) {
    std::string nodes, numbers;
    for (std::size_t i = 0; i < points.size(); ++i)
      {
        nodes += std::to_string(i + 1) + " 1 1 11\n";
        for (const int x : points[i])
          nodes += " " + std::to_string(x);
        nodes += "\n";
        numbers += " " + std::to_string(i + 1) + (i % 8 == 7 ? "\n" : "");
      }
    return " -1\n 2411\n" + nodes + " -1\n -1\n 2412\n1 " + type + " 1 1 7 " +
           std::to_string(points.size()) + "\n" +
           (type == "24" ? "0 0 0\n" : "") + numbers + "\n -1\n";
  };
  // Around corners and midpoints of edges as they come.
  expect_midpoints(
    read(read_unv_mesh, text({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, "24")));
  expect_midpoints(read(
    read_unv_mesh,
    text({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {0, 2, 0}, {0, 1, 0}},
         "92")));
  const std::vector<std::vector<int>> square = {{0, 0, 0},
                                                {1, 0, 0},
                                                {2, 0, 0},
                                                {2, 1, 0},
                                                {2, 2, 0},
                                                {1, 2, 0},
                                                {0, 2, 0},
                                                {0, 1, 0}};
  expect_midpoints(read(read_unv_mesh, text(square, "45")));
  auto cube = square;
  for (const unsigned int corner : {0, 2, 4, 6})
    cube.push_back({square[corner][0], square[corner][1], 1});
  for (const auto &x : square)
    cube.push_back({x[0], x[1], 2});
  expect_midpoints(read(read_unv_mesh, text(cube, "116")));
  expect_midpoints(read(read_unv_mesh,
                        text({{0, 0, 0},
                              {1, 0, 0},
                              {2, 0, 0},
                              {1, 1, 0},
                              {0, 2, 0},
                              {0, 1, 0},
                              {0, 0, 1},
                              {1, 0, 1},
                              {0, 1, 1},
                              {0, 0, 2}},
                             "118")));
}



TEST(Ucd, ReadsTwoCubes)
{
  expect_cubes(read(read_ucd_mesh, ucd_cubes()), true);
  expect_cubes(read(read_ucd_mesh, "# by hand\n\n" + ucd_cubes()), true);
  expect_cubes(read(read_ucd_mesh,
                    replaced(ucd_cubes(), "12 3 0 0 0", "12 3 1 0 0") +
                      "1 1\ntemperature, K\n1 5.0\n"),
               true);
}

TEST(Ucd, FindsErrors)
{
  expect_error(read_ucd_mesh,
               replaced(ucd_cubes(), "quad 1 2 3 4", "quad 1 2 3 99"),
               "line 16: cell 3 has the node 99");
  expect_error(read_ucd_mesh,
               replaced(ucd_cubes(), "12 3 0", "13 3 0"),
               "line 14: a node wants");
  expect_error(read_ucd_mesh,
               replaced(ucd_cubes(), "12 3 0", "12 2 0"),
               "more lines than");
  expect_error(read_ucd_mesh,
               replaced(ucd_cubes(), "12 3 0", "12 4 0"),
               "ends before its cells");
  expect_error(read_ucd_mesh,
               replaced(ucd_cubes(), "12 3 0", "4000000000 3 0"),
               "more than the file can have");
  expect_error(read_ucd_mesh, replaced(ucd_cubes(), "hex", "hexa"), "'hexa'");
  expect_error(read_ucd_mesh,
               replaced(ucd_cubes(), "\n12 ", "\n11 "),
               "line 13: the node has a number");
  expect_error(read_ucd_mesh, "", "empty");
}



TEST(Vtk, ReadsTwoCubes)
{
  expect_cubes(read(read_vtk_mesh, vtk_cubes()), true);
  expect_cubes(read(read_vtk_mesh, binary_vtk_cubes()), true);
  expect_cubes(read(read_vtk_mesh, vtk5_cubes()), true);
  // Words may stand in lines as they like.
  expect_cubes(read(read_vtk_mesh,
                    replaced(vtk_cubes(), "4 0 1 2 3\n8 0", "4 0\n1 2 3 8 0")),
               true);
}

TEST(Vtk, ReadsOtherCells)
{
  // A voxel counts along x, then y, then z.
  const PlainMesh voxel =
    read(read_vtk_mesh,
         "# vtk DataFile Version 2.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\n"
         "POINTS 8 float\n0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1\n"
         "CELLS 2 14\n8 0 1 2 3 4 5 6 7 4 0 1 2 3\nCELL_TYPES 2\n11 8\n");
  EXPECT_DOUBLE_EQ(volume(voxel), 1.);
  EXPECT_EQ(std::vector<std::uint32_t>(voxel.nodes.begin() + 8,
                                       voxel.nodes.end()),
            (std::vector<std::uint32_t>{0, 1, 3, 2}));
  for (const std::string type : {"7", "42", "2", "4", "6", "72", "-1", "26"})
    expect_error(read_vtk_mesh,
                 replaced(vtk_cubes(), "9\n12\n12", "9\n12\n" + type),
                 "of VTK's type " + type);
}

TEST(Vtk, ChoosesDataThatMakeGroups)
{
  const std::string text =
    replaced(vtk_cubes(), "MaterialID int", "CellEntityIds int");
  expect_cubes(read(read_vtk_mesh, text), true);
  expect_cubes(read(read_vtk_mesh,
                    text + "SCALARS MaterialID double\nLOOKUP_TABLE default\n"
                           "7 1 1\n"),
               true);
  const PlainMesh mesh =
    read(read_vtk_mesh, replaced(vtk_cubes(), "7 1 1", "-1 2 2.5"));
  EXPECT_TRUE(mesh.groups.empty());
  EXPECT_EQ(mesh.notes.size(), 1u);
  EXPECT_EQ(
    read(read_vtk_mesh, replaced(vtk_cubes(), "7 1 1", "-1 2 2")).groups.size(),
    1u);
}

TEST(Vtk, FindsErrors)
{
  expect_error(read_vtk_mesh,
               replaced(vtk_cubes(), "POINTS 12", "POINTS 4000000000"),
               "line 5: 4000000000 points are announced");
  expect_error(read_vtk_mesh,
               replaced(vtk_cubes(), "8 4 5 6 7", "8 4 5 6 12"),
               "cell 2 (from 0) has the node 12");
  expect_error(read_vtk_mesh,
               replaced(vtk_cubes(), "8 4 5 6 7", "8 4 5 6 -7"),
               "has the node -7");
  expect_error(read_vtk_mesh,
               replaced(vtk_cubes(), "9\n12\n12", "9\n12\n10"),
               "cell 2 (from 0) has not the 4 nodes");
  expect_error(read_vtk_mesh,
               replaced(vtk_cubes(), "UNSTRUCTURED_GRID", "POLYDATA"),
               "only data sets of the kind");
  expect_error(read_vtk_mesh,
               replaced(vtk_cubes(), "POINTS 12", "POINTS 11"),
               "is not known here");
  expect_error(read_vtk_mesh,
               replaced(vtk_cubes(), "POINTS 12", "POINTS 13"),
               "'CELLS' is not a number");
  expect_error(read_vtk_mesh, "", "does not begin with");
  const std::string text = binary_vtk_cubes();
  for (std::size_t n = 0; n < text.find("CELL_DATA") - 2; n += 5)
    EXPECT_THROW(read(read_vtk_mesh, text.substr(0, n)), UserError) << n;
}



TEST(Vtu, ReadsTwoCubes)
{
  for (const VtuForm form :
       {VtuForm::ascii, VtuForm::binary, VtuForm::compressed, VtuForm::raw})
    expect_cubes(read(read_vtu_mesh, VtuText(form).cubes()), true);
  const std::string wrapped = VtuText(VtuForm::compressed).cubes();
  expect_cubes(read(read_vtu_mesh,
                    replaced(wrapped, "</DataArray>", "\n\t</DataArray>")),
               true);
}

TEST(Vtu, JoinsPieces)
{
  const std::string text  = VtuText(VtuForm::ascii).cubes();
  const auto begin        = text.find("<Piece");
  const auto end          = text.find("</UnstructuredGrid>");
  const std::string piece = text.substr(begin, end - begin);
  const PlainMesh mesh =
    read(read_vtu_mesh,
         text.substr(0, begin) + piece + piece + text.substr(end));
  EXPECT_DOUBLE_EQ(volume(mesh), 4.);
  EXPECT_EQ(mesh.points.size(), 24u);
  EXPECT_EQ(group(mesh, 7, 2).elements.size(), 2u);
  EXPECT_EQ(mesh.groups.size(), 2u);
}

TEST(Vtu, DoesNotReadOneArrayManyTimes)
{
  const std::string text  = VtuText(VtuForm::raw).cubes();
  const auto begin        = text.find("<Piece");
  const auto end          = text.find("</UnstructuredGrid>");
  const std::string piece = text.substr(begin, end - begin);
  EXPECT_DOUBLE_EQ(volume(read(read_vtu_mesh,
                               text.substr(0, begin) + piece + piece +
                                 text.substr(end))),
                   4.);
  // Points that are all the same bytes, which compress well.
  const std::string zeros(3000000, '\0');
  const std::string packed = compressed(zeros);
  const std::string array =
    base64(
      native_bytes(std::vector<std::uint64_t>{1, 3000000, 0, packed.size()})) +
    base64(packed);
  expect_error(
    read_vtu_mesh,
    "<VTKFile type=\"UnstructuredGrid\" header_type=\"UInt64\" "
    "compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid><Piece "
    "NumberOfPoints=\"125000\" NumberOfCells=\"1\"><Points><DataArray "
    "type=\"Float64\" NumberOfComponents=\"3\" format=\"binary\">" +
      array + "</DataArray></Points></Piece></UnstructuredGrid></VTKFile>",
    "times as long as the file");
}

TEST(Vtu, FindsErrors)
{
  const std::string text = VtuText(VtuForm::ascii).cubes();
  expect_error(read_vtu_mesh,
               replaced(text, "NumberOfPoints=\"12\"", "NumberOfPoints=\"13\""),
               "has 36 numbers instead of 39");
  expect_error(read_vtu_mesh,
               replaced(text, "Points=\"12\"", "Points=\"400000000000\""),
               "more than the file can have");
  expect_error(read_vtu_mesh,
               replaced(text, "UnstructuredGrid", "PolyData"),
               "not one of an UnstructuredGrid");
  expect_error(read_vtu_mesh,
               replaced(text, "\"offsets\"", "\"offset\""),
               "no array 'offsets'");
  expect_error(read_vtu_mesh,
               replaced(text, "</Cells>", ""),
               "not well-formed");
  expect_error(read_vtu_mesh,
               replaced(text, " 8 9 10 11", " 8 9 10 12"),
               "has the node 12");
  expect_error(read_vtu_mesh, replaced(text, "ascii", "bin"), "'bin'");
  std::string deep;
  for (unsigned int i = 0; i < 200000; ++i)
    deep += "<a>";
  expect_error(read_vtu_mesh, deep, "nested too deeply");

  for (const VtuForm form :
       {VtuForm::binary, VtuForm::compressed, VtuForm::raw})
    {
      const std::string good = VtuText(form).cubes();
      expect_error(read_vtu_mesh,
                   replaced(good, "Points=\"12\"", "Points=\"13\""),
                   "cannot be decoded");
      for (std::size_t n = 0; n + 200 < good.size(); n += 37)
        EXPECT_THROW(read(read_vtu_mesh, good.substr(0, n)), UserError) << n;
    }
  expect_error(read_vtu_mesh,
               replaced(VtuText(VtuForm::compressed).cubes(),
                        "vtkZLibDataCompressor",
                        "vtkLZ4DataCompressor"),
               "'vtkLZ4DataCompressor'");
}



TEST(Numbers, AreFoundWhereTheyAreDenseOrFarApart)
{
  for (const std::string far : {"13", "4000000000000"})
    {
      const PlainMesh mesh =
        read(read_ucd_mesh,
             replaced(replaced(ucd_cubes(), "\n12 ", "\n" + far + " "),
                      "10 11 12",
                      "10 11 " + far));
      EXPECT_DOUBLE_EQ(volume(mesh), 2.);
      EXPECT_EQ(mesh.number_of_point(11), std::stoull(far));
    }
  expect_error(read_ucd_mesh,
               replaced(replaced(ucd_cubes(), "\n12 ", "\n4000000000000 "),
                        "\n11 ",
                        "\n4000000000000 "),
               "line 13: the node has a number that another has in line 12");
}
