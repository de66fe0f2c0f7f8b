// SPDX-License-Identifier: LGPL-2.1-or-later

// Meshes that Gmsh's library writes, in every format that both know.

#include <deal.II/base/config.h>

#ifdef DEAL_II_GMSH_WITH_API
#  include <ricochet/mesh/mesh_check.h>
#  include <ricochet/mesh/mesh_file.h>

#  include <deal.II/grid/grid_tools.h>

#  include <filesystem>
#  include <gmsh.h>
#  include <gtest/gtest.h>

#  include "../parse.h"

using namespace Ricochet;

namespace
{
  enum class Cells
  {
    hexahedra,
    tetrahedra
  };

  /** How a file is written. */
  struct Writing
  {
    std::string suffix;
    double version  = 0.;
    bool binary     = false;
    bool parametric = false;
  };



  /** Two boxes on each other, [0,2] x [0,1] x [0,1] and the same above, in one
   * model with a common face; named and numbered groups. */
  class TwoBoxes
  {
  public:
    TwoBoxes(const Cells cells, const unsigned int order, const bool groups)
    {
      gmsh::initialize(0, nullptr, false);
      gmsh::option::setNumber("General.Terminal", 0);
      gmsh::model::add("boxes");
      namespace geo = gmsh::model::occ;
      const int low = geo::addBox(0, 0, 0, 2, 1, 1);
      const int up  = geo::addBox(0, 0, 1, 2, 1, 1);
      gmsh::vectorpair out;
      std::vector<gmsh::vectorpair> map;
      geo::fragment({{3, low}}, {{3, up}}, out, map);
      geo::synchronize();
      if (cells == Cells::hexahedra)
        {
          gmsh::vectorpair entities;
          gmsh::model::getEntities(entities, 1);
          for (const auto &curve : entities)
            gmsh::model::mesh::setTransfiniteCurve(curve.second, 4);
          gmsh::model::getEntities(entities, 2);
          for (const auto &surface : entities)
            {
              gmsh::model::mesh::setTransfiniteSurface(surface.second);
              gmsh::model::mesh::setRecombine(2, surface.second);
            }
          gmsh::model::getEntities(entities, 3);
          for (const auto &body : entities)
            gmsh::model::mesh::setTransfiniteVolume(body.second);
        }
      else
        gmsh::option::setNumber("Mesh.MeshSizeMax", 0.5);
      if (groups)
        {
          add_group(3, "lower", 1, 0.5);
          add_group(3, "upper", 2, 1.5);
          add_group(2, "bottom", 3, 0.);
          add_group(2, "interface", 4, 1.);
          add_group(2, "top", 5, 2.);
        }
      gmsh::model::mesh::generate(3);
      gmsh::model::mesh::setOrder(order);
    }

    ~TwoBoxes()
    {
      gmsh::finalize();
    }

    std::string
    write(const Writing &writing) const
    {
      const std::string name =
        (std::filesystem::temp_directory_path() /
         ("ricochet-gmsh-" + std::to_string(getpid()) + "." + writing.suffix))
          .string();
      if (writing.version > 0.)
        gmsh::option::setNumber("Mesh.MshFileVersion", writing.version);
      gmsh::option::setNumber("Mesh.Binary", writing.binary);
      gmsh::option::setNumber("Mesh.SaveParametric", writing.parametric);
      gmsh::option::setNumber("Mesh.SaveGroupsOfNodes", 1);
      gmsh::write(name);
      return name;
    }

  private:
    /** All entities with their centre at a height. */
    static void
    add_group(const int dim,
              const std::string &name,
              const int number,
              const double z)
    {
      gmsh::vectorpair entities;
      std::vector<int> members;
      gmsh::model::getEntities(entities, dim);
      for (const auto &entity : entities)
        {
          double x0, y0, z0, x1, y1, z1;
          gmsh::model::getBoundingBox(dim,
                                      entity.second,
                                      x0,
                                      y0,
                                      z0,
                                      x1,
                                      y1,
                                      z1);
          if (std::abs((z0 + z1) / 2 - z) < 1e-6 &&
              (dim == 3 || z1 - z0 < 1e-3))
            members.push_back(entity.second);
        }
      gmsh::model::addPhysicalGroup(dim, members, number);
      gmsh::model::setPhysicalName(dim, number, name);
    }
  };



  double
  volume(const CoarseMesh<3> &mesh)
  {
    double sum = 0.;
    for (const auto &cell : mesh.cells)
      sum += dealii::GridTools::cell_measure<3>(mesh.vertices, cell.vertices);
    return sum;
  }



  /** Area of the faces of a name, all of them at a height. */
  double
  area(const CoarseMesh<3> &mesh, const std::string &name, const double z)
  {
    const BoundaryIds ids = mesh.boundary_names.ids_of(name, "test");
    double sum            = 0.;
    for (const auto &face : mesh.subcell_data.boundary_quads)
      if (ids.count(face.boundary_id) == 1)
        {
          const auto x = [&](const unsigned int v) {
            EXPECT_NEAR(mesh.vertices[face.vertices[v]][2], z, 1e-12);
            return mesh.vertices[face.vertices[v]];
          };
          sum += face.vertices.size() == 3
                   ? cross_product_3d(x(1) - x(0), x(2) - x(0)).norm() / 2
                   : cross_product_3d(x(3) - x(0), x(2) - x(1)).norm() / 2;
        }
    return sum;
  }



  const std::vector<Writing> &
  own_formats()
  {
    static const std::vector<Writing> list = {{"msh", 1., false, false},
                                              {"msh", 2.2, false, false},
                                              {"msh", 2.2, true, false},
                                              {"msh", 4., false, false},
                                              {"msh", 4.1, false, false},
                                              {"msh", 4.1, true, false},
                                              {"msh", 4.1, false, true},
                                              {"msh", 4.1, true, true}};
    return list;
  }



  void
  check(const Writing &writing, const CoarseMesh<3> &mesh, const bool names)
  {
    SCOPED_TRACE(writing.suffix + " " + std::to_string(writing.version) +
                 (writing.binary ? " binary" : " text"));
    EXPECT_NEAR(volume(mesh), 4., 1e-12);
    EXPECT_NEAR(area(mesh, names ? "bottom" : "3", 0.), 2., 1e-12);
    EXPECT_NEAR(area(mesh, names ? "top" : "5", 2.), 2., 1e-12);
    EXPECT_EQ(mesh.boundary_names.all().count("interface"), 0u);
  }
} // namespace



TEST(GmshFormats, OwnOnesWithGroups)
{
  for (const Cells cells : {Cells::hexahedra, Cells::tetrahedra})
    for (const unsigned int order : {1, 2})
      {
        const TwoBoxes boxes(cells, order, true);
        for (const Writing &writing : own_formats())
          {
            const std::string name = boxes.write(writing);
            MeshSelection selection;
            selection.linear = cells == Cells::tetrahedra;
            const auto plain = read_mesh_file<3>(name, "auto", "Body 'a'");
            // Version 1 has no names.
            const bool names = writing.version > 1.;
            check(writing, check_mesh<3>(plain, selection, "Body 'a'"), names);
            selection.material_ids = {names ? "upper" : "2"};
            EXPECT_NEAR(volume(check_mesh<3>(plain, selection, "Body 'a'")),
                        2.,
                        1e-12);
            std::filesystem::remove(name);
          }
      }
}



TEST(GmshFormats, OwnOnesWithoutGroups)
{
  for (const Cells cells : {Cells::hexahedra, Cells::tetrahedra})
    {
      const TwoBoxes boxes(cells, 1, false);
      for (const Writing &writing : own_formats())
        {
          const std::string name = boxes.write(writing);
          const auto mesh =
            check_mesh<3>(read_mesh_file<3>(name, "auto", "Body 'a'"),
                          {},
                          "Body 'a'");
          EXPECT_NEAR(volume(mesh), 4., 1e-12);
          EXPECT_EQ(mesh.boundary_names.all().size(), 1u);
          std::filesystem::remove(name);
        }
    }
}



TEST(GmshFormats, ThoseOfOthers)
{
  const std::vector<Writing> writings = {{"unv", 0., false, false},
                                         {"vtk", 0., false, false},
                                         {"vtk", 0., true, false},
                                         {"bdf", 0., false, false},
                                         {"inp", 0., false, false}};
  for (const Cells cells : {Cells::hexahedra, Cells::tetrahedra})
    for (const unsigned int order : {1, 2})
      {
        const TwoBoxes boxes(cells, order, true);
        for (const Writing &writing : writings)
          {
            SCOPED_TRACE(writing.suffix + " order " + std::to_string(order) +
                         (writing.binary ? " binary" : " text") +
                         (cells == Cells::hexahedra ? " hexahedra" : " tets"));
            // Gmsh writes cards of Nastran for linear elements only.
            if (writing.suffix == "bdf" && order == 2)
              continue;
            const std::string name = boxes.write(writing);
            MeshSelection selection;
            selection.linear = cells == Cells::tetrahedra;
            CoarseMesh<3> mesh;
            ASSERT_EQ(error_of([&]() {
                        mesh = check_mesh<3>(read_mesh_file<3>(name,
                                                               "auto",
                                                               "Body 'a'"),
                                             selection,
                                             "Body 'a'");
                      }),
                      "no error");
            EXPECT_NEAR(volume(mesh), 4., 1e-12);
            if (writing.suffix == "bdf")
              {
                // Numbers of properties: two bodies, top, bottom, and the
                // rest, which has none.
                EXPECT_EQ(mesh.cell_groups.size(), 2u);
                EXPECT_EQ(mesh.boundary_names.all().size(), 3u);
              }
            // What Gmsh writes of groups.
            if (writing.suffix == "unv" || writing.suffix == "inp")
              {
                EXPECT_NEAR(area(mesh, "bottom", 0.), 2., 1e-12);
                EXPECT_NEAR(area(mesh, "top", 2.), 2., 1e-12);
              }
            std::filesystem::remove(name);
          }
      }
}
#endif
