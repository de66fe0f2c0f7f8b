// SPDX-License-Identifier: LGPL-2.1-or-later

#include <deal.II/grid/grid_tools.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "../parse.h"

using namespace Ricochet;
using dealii::Triangulation;

namespace
{
  template <int dim>
  std::string
  error_of_file(const std::string &file, const std::string &more = "")
  {
    return error_of([&]() {
      Triangulation<dim> triangulation;
      parse_mesh<dim>("set Mesh file = " + file + "\n" + more)
        .create(triangulation);
    });
  }



  /** The box [0,2] x [0,1] [x [0,1]] with ids as make_boxes.py says. */
  template <int dim>
  void
  check_box(const std::string &file, const unsigned int material_id)
  {
    SCOPED_TRACE(file);
    Triangulation<dim> triangulation;
    ASSERT_NO_THROW(
      parse_mesh<dim>("set Mesh file = meshes/" + file).create(triangulation));

    double volume = 0;
    for (const auto &cell : triangulation.active_cell_iterators())
      {
        volume += cell->measure();
        EXPECT_EQ(cell->material_id(), material_id);
      }
    EXPECT_NEAR(volume, 2., 1e-15);

    double area = 0;
    for (const auto &face : triangulation.active_face_iterators())
      if (face->at_boundary())
        {
          area += face->measure();
          const double height = face->center()[dim - 1];
          EXPECT_EQ(face->boundary_id(),
                    height == 0 ? 1u : (height == 1 ? 2u : 0u));
        }
    EXPECT_NEAR(area, dim == 2 ? 6. : 10., 1e-14);
  }



  /** A file in a folder for temporary ones that goes away again. */
  class TemporaryFile
  {
  public:
    TemporaryFile(const std::string &name, const std::string &text)
      : path(std::filesystem::temp_directory_path() /
             ("ricochet-" +
              std::to_string(std::hash<std::string>()(name + text)) + "-" +
              name))
    {
      std::ofstream(path, std::ios::binary) << text;
    }

    ~TemporaryFile()
    {
      std::filesystem::remove(path);
    }

    const std::filesystem::path path;
  };



  std::string
  text_of_file(const std::string &name)
  {
    std::ifstream in(std::string(RICOCHET_TEST_DATA) + "/meshes/" + name);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }



  std::string
  replaced(std::string text, const std::string &old, const std::string &with)
  {
    const std::size_t position = text.find(old);
    EXPECT_NE(position, std::string::npos);
    return text.replace(position, old.size(), with);
  }
} // namespace



TEST(MeshFile, ReadsAllFormats)
{
  for (const std::string cells : {"quads", "triangles"})
    for (const std::string suffix : {"-22.msh", "-41.msh", ".vtk"})
      check_box<2>(cells + suffix, 7);
  for (const std::string cells : {"hexes", "tets"})
    for (const std::string suffix : {"-22.msh", "-41.msh", ".vtk"})
      check_box<3>(cells + suffix, 7);
  for (const std::string cells : {"quads", "triangles"})
    {
      check_box<2>(cells + "-ucd.inp", 7);
      // Those with simplices have no surfaces.
      EXPECT_EQ(error_of_file<2>("meshes/" + cells + "-abaqus.inp"),
                "no error");
    }
  check_box<2>("quads-abaqus.inp", 1);
  check_box<3>("hexes-abaqus.inp", 1);
  for (const std::string cells : {"hexes", "tets"})
    {
      check_box<3>(cells + "-ucd.inp", 7);
      EXPECT_EQ(error_of_file<3>("meshes/" + cells + "-abaqus.inp"),
                "no error");
    }
}



TEST(MeshFile, FormatCanBeNamed)
{
  const TemporaryFile file("mesh.txt", text_of_file("hexes-ucd.inp"));
  expect_parts(error_of_file<3>(file.path),
               {"Body 'cube'", "mesh.txt", "'txt'", "Mesh file format"});
  EXPECT_EQ(error_of_file<3>(file.path, "set Mesh file format = ucd"),
            "no error");
  expect_parts(error_of_file<3>(file.path, "set Mesh file format = abaqus"),
               {"mesh.txt", "line 1", "Is it an input deck of Abaqus?"});
}



TEST(MeshFile, VersionsOfVtk)
{
  const std::string text = text_of_file("hexes.vtk");
  for (const std::string version : {"2.0", "3.0", "4.2"})
    {
      const TemporaryFile file("mesh.vtk",
                               replaced(text,
                                        "Version 3.0",
                                        "Version " + version));
      EXPECT_EQ(error_of_file<3>(file.path), "no error");
    }
  const TemporaryFile file("mesh.vtk",
                           replaced(text, "# vtk DataFile", "vtk data file"));
  expect_parts(error_of_file<3>(file.path),
               {"mesh.vtk", "'# vtk DataFile Version'"});
}



TEST(MeshFile, TellsTheOtherDimension)
{
  for (const std::string suffix :
       {"-22.msh", "-41.msh", ".vtk", "-ucd.inp", "-abaqus.inp"})
    {
      expect_parts(
        error_of_file<3>("meshes/quads" + suffix),
        {"Body 'cube'", "quads" + suffix, "dimension 2", "Dimension = 3"});
      expect_parts(error_of_file<2>("meshes/hexes" + suffix),
                   {"hexes" + suffix, "dimension 3", "Dimension = 2"});
    }
  for (const std::string suffix : {"-22.msh", "-41.msh", ".vtk"})
    {
      expect_parts(error_of_file<3>("meshes/triangles" + suffix),
                   {"dimension 2", "Dimension = 3"});
      expect_parts(error_of_file<2>("meshes/tets" + suffix),
                   {"dimension 3", "Dimension = 2"});
    }
}



TEST(MeshFile, MissingAndUnreadable)
{
  expect_parts(error_of_file<3>("meshes/nothing.msh"),
               {"Body 'cube'",
                "'Mesh file' = meshes/nothing.msh",
                "cannot be opened"});
  expect_parts(error_of_file<3>("meshes"), {"Body 'cube'", "meshes"});

  for (const std::string name : {"hexes-22.msh",
                                 "hexes-41.msh",
                                 "hexes.vtk",
                                 "hexes-ucd.inp",
                                 "hexes-abaqus.inp"})
    {
      SCOPED_TRACE(name);
      const std::string text = text_of_file(name);
      const TemporaryFile half(name, text.substr(0, text.size() * 6 / 10));
      expect_parts(error_of_file<3>(half.path), {"Body 'cube'", name});
      const TemporaryFile empty(name, "");
      expect_parts(error_of_file<3>(empty.path), {name, "empty"});
      const TemporaryFile noise(name, "\x01\x02\xff noise\n\x03 7 7 7\n");
      expect_parts(error_of_file<3>(noise.path), {"Body 'cube'", name});
    }
}



TEST(MeshFile, RefusesWhatWouldCrashTheReader)
{
  const TemporaryFile vtk("mesh.vtk",
                          replaced(text_of_file("hexes.vtk"),
                                   "8 0 1",
                                   "8 0 99999"));
  expect_parts(error_of_file<3>(vtk.path),
               {"mesh.vtk", "99999", "there are 12"});

  const TemporaryFile binary("mesh.msh",
                             replaced(text_of_file("hexes-22.msh"),
                                      "2.2 0 8",
                                      "2.2 1 8"));
  // Some versions of Gmsh's library refuse it, others read nothing.
  const std::string error = error_of_file<3>(binary.path);
  expect_parts(error, {"mesh.msh", "Mesh file"});
  EXPECT_TRUE(error.find("Gmsh's library") != std::string::npos ||
              error.find("no points") != std::string::npos)
    << error;
}



TEST(MeshFile, RefusesMixedCells)
{
  const TemporaryFile file("mixed.vtk",
                           "# vtk DataFile Version 3.0\nmixed\nASCII\n"
                           "DATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n"
                           "0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 0 0\n"
                           "CELLS 2 9\n4 0 1 2 3\n3 1 4 2\n"
                           "CELL_TYPES 2\n9 5\n");
  expect_parts(error_of_file<2>(file.path),
               {"Body 'cube'", "mixed.vtk", "another type", "triangles"});
  expect_parts(error_of_file<2>(file.path, "set Refinements = 1"),
               {"another type"});
}



TEST(MeshFile, TurnsSimplicesTheRightWay)
{
  const auto mirrored = [](const std::string &points, const std::string &cell) {
    return "# vtk DataFile Version 3.0\nmirrored\nASCII\n"
           "DATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n" +
           points + cell;
  };
  const TemporaryFile triangle("triangle.vtk",
                               mirrored("0 0 0\n1 0 0\n0 1 0\n5 5 5\n",
                                        "CELLS 1 4\n3 0 2 1\n"
                                        "CELL_TYPES 1\n5\n"));
  const TemporaryFile tet("tet.vtk",
                          mirrored("0 0 0\n1 0 0\n0 1 0\n0 0 1\n",
                                   "CELLS 1 5\n4 0 2 1 3\n"
                                   "CELL_TYPES 1\n10\n"));

  const auto mesh_2 = parse_mesh<2>("set Mesh file = " + triangle.path.string())
                        .create_untranslated();
  ASSERT_EQ(mesh_2.cells.size(), 1u);
  EXPECT_EQ(mesh_2.vertices.size(), 3u);
  const auto edge_2 = [&](const unsigned int v) {
    return mesh_2.vertices[mesh_2.cells[0].vertices[v]] -
           mesh_2.vertices[mesh_2.cells[0].vertices[0]];
  };
  EXPECT_DOUBLE_EQ(dealii::cross_product_2d(edge_2(1)) * edge_2(2), -1.);

  const auto mesh_3 =
    parse_mesh<3>("set Mesh file = " + tet.path.string()).create_untranslated();
  ASSERT_EQ(mesh_3.cells.size(), 1u);
  const auto edge_3 = [&](const unsigned int v) {
    return mesh_3.vertices[mesh_3.cells[0].vertices[v]] -
           mesh_3.vertices[mesh_3.cells[0].vertices[0]];
  };
  EXPECT_DOUBLE_EQ(dealii::cross_product_3d(edge_3(1), edge_3(2)) * edge_3(3),
                   1.);
}
