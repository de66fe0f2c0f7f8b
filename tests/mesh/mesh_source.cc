// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/mesh/grid_generator.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <cmath>
#include <gtest/gtest.h>

#include "../parse.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;
using dealii::Triangulation;

namespace
{
  template <int dim>
  double
  volume(const Triangulation<dim> &triangulation)
  {
    double sum = 0;
    for (const auto &cell : triangulation.active_cell_iterators())
      sum += cell->measure();
    return sum;
  }



  template <int dim>
  void
  check_all_generators()
  {
    for (const auto &[name, arguments] : grid_generator_examples<dim>())
      for (const auto &[simplices, refinements] :
           {std::pair<std::string, int>{"false", 0},
            {"false", 1},
            {"false", 2},
            {"true", 1}})
        {
          Triangulation<dim> triangulation, reference;
          const auto source = parse_mesh<dim>(
            "set Grid generator = " + name +
            "\nset Grid generator arguments = " + arguments +
            "\nset Refinements = " + std::to_string(refinements) +
            "\nset Simplices = " + simplices);
          ASSERT_NO_THROW(source.create(triangulation))
            << name << " in dimension " << dim << ", refined " << refinements
            << " times";
          dealii::GridGenerator::generate_from_name_and_arguments(reference,
                                                                  name,
                                                                  arguments);
          reference.refine_global(refinements);
          EXPECT_EQ(triangulation.n_levels(), 1);
          EXPECT_EQ(triangulation.n_active_cells(),
                    reference.n_active_cells() *
                      (simplices == "true" ? (dim == 2 ? 8 : 24) : 1))
            << name;
          EXPECT_EQ(triangulation.get_boundary_ids(),
                    reference.get_boundary_ids())
            << name;

          // Cuts that are left to the forest lead to the same cells.
          const auto cut = source.create_for_forest(MPI_COMM_SELF).refined();
          Triangulation<dim> by_forest;
          cut.create_triangulation(by_forest);
          EXPECT_EQ(cut.cells.size(), triangulation.n_active_cells()) << name;
          EXPECT_EQ(by_forest.get_boundary_ids(), reference.get_boundary_ids())
            << name;
          EXPECT_NEAR(volume(by_forest),
                      volume(triangulation),
                      1e-12 * volume(triangulation))
            << name;
        }
  }
} // namespace



TEST(MeshSource, GeneratesAllExamples)
{
  check_all_generators<2>();
  check_all_generators<3>();
}



TEST(MeshSource, PlacesScaledRotatedTranslated)
{
  // A quarter turn about z takes (x, y, z) to (-y, x, z).
  Triangulation<3> box;
  parse_mesh<3>(
    "set Grid generator = hyper_rectangle\n"
    "set Grid generator arguments = 0,0,0 : 2,1,1 : true\n"
    "set Scale = 1, 3, 0.5\n"
    "set Rotation = 0, 0, 1.5707963267948966\n"
    "set Translation = 10, 20, 30")
    .create(box);
  const auto bounds = dealii::GridTools::compute_bounding_box(box);
  const Point<3> lower(7, 20, 30), upper(10, 22, 30.5);
  EXPECT_LT(bounds.get_boundary_points().first.distance(lower), 1e-14);
  EXPECT_LT(bounds.get_boundary_points().second.distance(upper), 1e-14);

  // The face x = 0 of the generator has id 0 and is now at y = 20.
  for (const auto &face : box.active_face_iterators())
    EXPECT_EQ(face->boundary_id() == 0,
              std::abs(face->center()[1] - 20) < 1e-14);

  // Twice the length in 2D, then 90 degrees.
  Triangulation<2> square;
  parse_mesh<2>(
    "set Grid generator = hyper_cube\n"
    "set Grid generator arguments = 1 : 2 : true\n"
    "set Scale = 2\n"
    "set Rotation = 1.5707963267948966")
    .create(square);
  EXPECT_LT(dealii::GridTools::compute_bounding_box(square)
              .get_boundary_points()
              .first.distance(Point<2>(-4, 2)),
            1e-14);
}



TEST(MeshSource, RotationIsExact)
{
  // Rodrigues' matrix against what defines it: the axis stays, lengths stay,
  // and a vector perpendicular to the axis turns by the angle.
  const RotationVector<3> vector({0.5, 0.35, 0.7});
  const auto rotation = rotation_matrix<3>(vector);
  EXPECT_LT((rotation * vector - vector).norm(), 1e-15);
  EXPECT_LT((transpose(rotation) * rotation -
             Tensor<2, 3>(dealii::unit_symmetric_tensor<3>()))
              .norm(),
            1e-15);
  EXPECT_GT(determinant(rotation), 0);
  const Tensor<1, 3> arm({-0.35, 0.5, 0});
  EXPECT_NEAR(arm * (rotation * arm),
              arm.norm_square() * std::cos(vector.norm()),
              1e-15);
  EXPECT_GT(dealii::cross_product_3d(arm, rotation * arm) * vector, 0);

  // Small angles keep all digits: sin(a) and 1 - cos(a) from their series.
  const double small = 1e-5;
  const auto nearly  = rotation_matrix<2>(RotationVector<2>({small}));
  EXPECT_DOUBLE_EQ(nearly[1][0], small - small * small * small / 6);
  EXPECT_DOUBLE_EQ(nearly[0][0], 1 - small * small / 2);
  EXPECT_EQ(rotation_matrix<3>(RotationVector<3>()),
            (Tensor<2, 3>(dealii::unit_symmetric_tensor<3>())));
}



namespace
{
  /** The distances of boundary vertices from @p centre are radii of a shell. */
  template <int dim>
  void
  check_shell(const std::string &shape,
              const std::string &rotation,
              const std::string &translation,
              const Point<dim> &centre,
              const std::vector<double> radii)
  {
    for (const std::string simplices : {"false", "true"})
      {
        Triangulation<dim> triangulation;
        parse_mesh<dim>(shape + "set Rotation = " + rotation +
                        "\nset Translation = " + translation +
                        "\nset Refinements = 2\nset Simplices = " + simplices)
          .create(triangulation);
        EXPECT_EQ(triangulation.all_reference_cells_are_simplex(),
                  simplices == "true");
        unsigned int n = 0;
        for (const auto &face : triangulation.active_face_iterators())
          if (face->at_boundary())
            for (const unsigned int v : face->vertex_indices())
              {
                double error = 1;
                for (const double radius : radii)
                  error = std::min(error,
                                   std::abs(face->vertex(v).distance(centre) -
                                            radius));
                EXPECT_LT(error, 1e-14);
                ++n;
              }
        EXPECT_GT(n, 50u);
      }
  }
} // namespace



TEST(MeshSource, RefinedCurvedBodiesKeepTheirRadius)
{
  check_shell<3>(
    "set Grid generator = hyper_ball\n"
    "set Grid generator arguments = 0,0,0 : 1 : false\n",
    "0.3, 0.2, 0.5",
    "1, 2, 3",
    Point<3>(1, 2, 3),
    {1.});
  check_shell<3>(
    "set Grid generator = hyper_shell\n"
    "set Grid generator arguments = 0,0,0 : 0.5 : 1 : 12 : true\n",
    "0.3, 0.2, 0.5",
    "1, 2, 3",
    Point<3>(1, 2, 3),
    {0.5, 1.});
  check_shell<2>(
    "set Grid generator = hyper_ball_balanced\n"
    "set Grid generator arguments = 0,0 : 1\n",
    "0.3",
    "1, 2",
    Point<2>(1, 2),
    {1.});
}



TEST(MeshSource, LeavesCutsOfStraightCellsToTheForest)
{
  const auto cuts = [](const std::string &name,
                       const std::string &arguments,
                       const std::string &more = "") {
    return parse_mesh<3>("set Grid generator = " + name +
                         "\nset Grid generator arguments = " + arguments +
                         "\n" + more)
      .create_for_forest(MPI_COMM_SELF);
  };
  const std::string two = "set Refinements = 2";
  EXPECT_EQ(cuts("hyper_cube", "0 : 1 : true", two).refinements, 2u);
  EXPECT_EQ(cuts("hyper_cube", "0 : 1 : true", two).cells.size(), 1u);
  EXPECT_EQ(cuts("hyper_ball", "0,0,0 : 1 : false", two).refinements, 0u);
  EXPECT_EQ(cuts("hyper_cube", "0 : 1 : true", two + "\nset Simplices = true")
              .refinements,
            0u);

  const auto box = cuts("subdivided_hyper_rectangle",
                        "20, 12, 4 : 0,0,0 : 5,3,1 : true",
                        "set Refinements = 1");
  EXPECT_EQ(box.cells.size(), 5u * 3 * 1);
  EXPECT_EQ(box.refinements, 3u);
  EXPECT_EQ(box.boundary_ids().size(), 6u);
  EXPECT_EQ(cuts("subdivided_hyper_cube", "12 : 0 : 1 : true").cells.size(),
            27u);

  const auto same = [](const std::string &name, const std::string &arguments) {
    const HalvedBox result = halved_box<3>(name, arguments);
    return result.arguments == arguments && result.n_cuts == 0;
  };
  for (const std::string arguments : {"4, 4, 3 : 0,0,0 : 1,1,1 : true",
                                      "4, 4, 0 : 0,0,0 : 1,1,1 : true",
                                      "4, 4 : 0,0,0 : 1,1,1 : true",
                                      "4, 4, -4 : 0,0,0 : 1,1,1 : true",
                                      "4, 4, 4",
                                      "2, 2; 2, 2; 2, 2 : 0,0,0 : 4,4,4 : true",
                                      "4, 4, 4. : 0,0,0 : 1,1,1 : true",
                                      ""})
    EXPECT_TRUE(same("subdivided_hyper_rectangle", arguments)) << arguments;
  EXPECT_TRUE(same("subdivided_cylinder", "4 : 1 : 2"));
}



TEST(MeshSource, RefinesMeshFiles)
{
  Triangulation<3> tets;
  parse_mesh<3>("set Mesh file = meshes/tets-22.msh\nset Refinements = 2")
    .create(tets);
  EXPECT_EQ(tets.n_active_cells(), 12u * 64);
  // Each of several hundred additions rounds by up to 2e-16.
  EXPECT_NEAR(volume(tets), 2, 1e-13);
  EXPECT_EQ(tets.get_boundary_ids(),
            (std::vector<dealii::types::boundary_id>{0, 1, 2}));

  Triangulation<3> from_hexes;
  parse_mesh<3>(
    "set Mesh file = meshes/hexes-22.msh\nset Refinements = 1\n"
    "set Simplices = true")
    .create(from_hexes);
  EXPECT_EQ(from_hexes.n_active_cells(), 2u * 8 * 24);
  EXPECT_NEAR(volume(from_hexes), 2, 1e-13);
  for (const auto &cell : from_hexes.active_cell_iterators())
    EXPECT_EQ(cell->material_id(), 7u);
}



TEST(MeshSource, ExplainsWrongGenerators)
{
  const auto error = [](const std::string &name, const std::string &arguments) {
    return error_of([&]() {
      Triangulation<3> triangulation;
      parse_mesh<3>("set Grid generator = " + name +
                    "\nset Grid generator arguments = " + arguments)
        .create(triangulation);
    });
  };
  expect_parts(
    error("hyper_cubes", "0 : 1 : true"),
    {"Body 'cube'", "'hyper_cubes'", "Grid generator", "hyper_cube"});
  expect_parts(error("hyper_cube", "0 : 1"),
               {"Body 'cube'", "'hyper_cube'", "= 0 : 1.", "\"0 : 1 : true\""});
  expect_parts(error("hyper_ball", "0, 0 : 1 : true"),
               {"'hyper_ball'", "= 0, 0 : 1 : true.", "0, 0, 0 : 1 : false"});
  expect_parts(error("subdivided_hyper_rectangle",
                     "4, 2 : 0,0,0 : 2,1,1 : true"),
               {"must have 3 elements", "4, 2, 2 : 0, 0, 0"});
  expect_parts(error("subdivided_hyper_cube", "0 : 0 : 1 : true"),
               {"'subdivided_hyper_cube'", "= 0 : 0 : 1 : true."});
  expect_parts(error("hyper_shell", "0,0,0 : 0.5 : 1 : 7 : true"),
               {"'hyper_shell'", "0, 0, 0 : 0.5 : 1 : 12 : true"});
  expect_parts(error_of([]() {
                 Triangulation<2> triangulation;
                 parse_mesh<2>(
                   "set Grid generator = torus\n"
                   "set Grid generator arguments = 1:0.3:6:6.28")
                   .create(triangulation);
               }),
               {"'torus'", "only for Dimension = 3"});
}



TEST(MeshSource, RefusesContradictions)
{
  expect_parts(error_of([]() { parse_mesh<2>(""); }),
               {"Body 'cube'", "no mesh", "Grid generator", "Mesh file"});
  expect_parts(error_of([]() {
                 parse_mesh<2>(
                   "set Grid generator = hyper_cube\n"
                   "set Mesh file = a.msh");
               }),
               {"Body 'cube'", "two meshes", "hyper_cube", "a.msh"});
  expect_parts(error_of([]() {
                 parse_mesh<2>("set Mesh file = a.msh\nset Scale = 1, 0");
               }),
               {"Body 'cube'", "'Scale' = 1, 0"});
  expect_parts(error_of([]() {
                 Triangulation<2> triangulation;
                 parse_mesh<2>(
                   "set Mesh file = meshes/triangles.vtk\n"
                   "set Simplices = true")
                   .create(triangulation);
               }),
               {"Body 'cube'", "triangles.vtk", "Simplices"});
}



TEST(MeshSource, RefusesInvertedCells)
{
  // A cell whose vertices are in the order of the circumference, and one whose
  // re-entrant corner goes beyond the diagonal.
  for (const std::string vertices :
       {"0,0 ; 1,0 ; 1,1 ; 0,1", "0,0 ; 1,0 ; 0,1 ; 0.3,0.3"})
    expect_parts(error_of([&]() {
                   Triangulation<2> triangulation;
                   parse_mesh<2>(
                     "set Grid generator = general_cell\n"
                     "set Grid generator arguments = " +
                     vertices + " : true")
                     .create(triangulation);
                 }),
                 {"Body 'cube'", "general_cell"});
  expect_parts(error_of([]() {
                 Triangulation<2> triangulation;
                 parse_mesh<2>(
                   "set Grid generator = general_cell\n"
                   "set Grid generator arguments = "
                   "0,0 ; 1,0 ; 0,1 ; 0.3,0.3 : true")
                   .create(triangulation);
               }),
               {"inverted", "centre at (0.325 0.325)", "vertex (0.3 0.3)"});
}
