// SPDX-License-Identifier: LGPL-2.1-or-later

// Rigid bodies from the text of their sections.

#include <ricochet/body/body.h>
#include <ricochet/obstacle/shape_surfaces.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/symmetric_tensor.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "../parse.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  constexpr double pi = dealii::numbers::PI;

  const std::string box_mesh =
    "subsection Mesh\n"
    "  set Grid generator = hyper_rectangle\n"
    "  set Grid generator arguments = 0, 0, 0 : 2, "
    "3, 5 : true\n"
    "  set Refinements = 1\n"
    "  set Translation = 10, 20, 30\n"
    "end\n";

  const std::string heavy =
    "set Rigid = true\n"
    "subsection Material\n"
    "  set Density = 4\n"
    "end\n";



  std::string
  rigid(const std::string &entries)
  {
    return "set Rigid = true\nsubsection Rigid body\n" + entries + "end\n";
  }



  template <int dim>
  std::vector<RigidBody<dim>>
  bodies_of(const std::string &text)
  {
    return parse_body<dim>(text).create_rigid_bodies(MPI_COMM_SELF).bodies;
  }



  template <int dim>
  RigidBody<dim>
  body_of(const std::string &text)
  {
    return bodies_of<dim>(text)[0];
  }



  template <int dim>
  std::string
  message_of(const std::string &text,
             const std::vector<std::string> &motion_names = {})
  {
    return error_of([&]() {
      parse_body<dim>(text, motion_names).create_rigid_bodies(MPI_COMM_SELF);
    });
  }



  void
  expect_diagonal(const RigidMass &mass,
                  const double x,
                  const double y,
                  const double z)
  {
    Tensor<2, 3> expected;
    expected[0][0] = x;
    expected[1][1] = y;
    expected[2][2] = z;
    EXPECT_LE((mass.inertia - expected).norm(), 1e-13 * expected.norm());
  }



  /** The volume of its surface. */
  template <int dim>
  double
  volume_of(const RigidBody<dim> &body)
  {
    return moments_of_surface<dim>(body.surface.vertices, body.surface.facets)
      .volume;
  }
} // namespace



TEST(RigidBody, FromAMesh)
{
  for (const std::string simplices : {"false", "true"})
    {
      const auto parameters = parse_body<3>(
        heavy + box_mesh + "subsection Mesh\n  set Simplices = " + simplices +
        "\nend\n"
        "set Initial velocity = x; 0; 0\n"
        "set Spin = 0, 0, 7\n"
        "set Body force = 0; 0; -9\n");
      EXPECT_TRUE(parameters.is_rigid());
      const auto bodies = parameters.create_rigid_bodies(MPI_COMM_SELF).bodies;
      ASSERT_EQ(bodies.size(), 1u);
      const RigidBody<3> &body = bodies[0];
      EXPECT_EQ(body.name, "cube");
      EXPECT_EQ(body.surface.facets.size(), simplices == "true" ? 96u : 48u);
      EXPECT_NEAR(volume_of(body), 30., 1e-12);
      EXPECT_NEAR(body.mass.mass, 120., 1e-12);
      EXPECT_LE(body.centre.distance(Point<3>(11., 21.5, 32.5)), 1e-13);
      expect_diagonal(body.mass, 340., 290., 130.);
      for (const Point<3> &x : body.surface.vertices)
        EXPECT_LE(std::abs(x[2]), 2.5 + 1e-14);

      const RigidMotion motion = body.initial_motion();
      EXPECT_LE((motion.velocity - Tensor<1, 3>({11., 0., 0.})).norm(), 1e-13);
      EXPECT_LE((motion.angular_velocity() - Tensor<1, 3>({0., 0., 7.})).norm(),
                1e-14);
      EXPECT_LE((body.force(0.) - Tensor<1, 3>({0., 0., -1080.})).norm(),
                1e-12);
    }
}



TEST(RigidBody, KeepsBoundaryIds)
{
  const auto body =
    body_of<3>(heavy + box_mesh + "set Contact boundary ids = 1, 4\n");
  EXPECT_EQ(body.contact_boundary_ids, (BoundaryIds{1, 4}));
  ASSERT_EQ(body.facet_boundary_ids.size(), body.surface.facets.size());
  unsigned int n_contact = 0;
  for (unsigned int f = 0; f < body.surface.facets.size(); ++f)
    {
      // Face 1 is at x = 2, face 4 at z = 0; the centre is at (1, 1.5, 2.5).
      bool right = true, below = true;
      for (const unsigned int v : body.surface.facets[f])
        {
          right = right && body.surface.vertices[v][0] > 0.999;
          below = below && body.surface.vertices[v][2] < -2.499;
        }
      EXPECT_EQ(body.is_contact_facet(f), right || below);
      n_contact += body.is_contact_facet(f);
    }
  EXPECT_EQ(n_contact, 16u);
  expect_parts(message_of<3>(heavy + box_mesh +
                             "set Contact boundary ids = 7\n"),
               {"Body 'cube'", "Contact boundary ids", "7"});
}



TEST(RigidBody, InThePlane)
{
  const std::string mesh =
    "subsection Mesh\n"
    "  set Grid generator = hyper_rectangle\n"
    "  set Grid generator arguments = 0, 0 : 2, 3 : true\n"
    "end\n";
  const auto body = body_of<2>(heavy + mesh + "set Spin = 2\n");
  EXPECT_NEAR(body.mass.mass, 24., 1e-13);
  EXPECT_NEAR(body.mass.inertia[2][2], 26., 1e-13);
  EXPECT_NEAR(body.initial_motion().spin()[2], 52., 1e-12);

  const auto disk = body_of<2>(heavy + rigid("set Surface = sphere\n"
                                             "subsection sphere\n"
                                             "  set Centre = 1, 2\n"
                                             "  set Radius = 3\n"
                                             "end\n"));
  EXPECT_EQ(disk.surface.facets.size(), 32u);
  EXPECT_EQ(disk.centre, Point<2>(1., 2.));
  EXPECT_NEAR(disk.mass.mass, 36. * pi, 1e-12);
  EXPECT_NEAR(disk.mass.inertia[2][2], 36. * pi * 4.5, 1e-11);
}



TEST(RigidBody, Shapes)
{
  // The mass is given, so there is no need for a density.
  const std::string mass = "set Mass = 10\n";
  const auto sphere      = body_of<3>(rigid(mass + "set Surface = sphere\n"
                                                   "subsection sphere\n"
                                                   "  set Centre = 1, 2, 3\n"
                                                   "  set Radius = 0.5\n"
                                                   "  set Refinements = 1\n"
                                                   "end\n"));
  EXPECT_EQ(sphere.surface.facets.size(), 80u);
  EXPECT_EQ(sphere.mass.mass, 10.);
  EXPECT_EQ(sphere.centre, Point<3>(1., 2., 3.));
  expect_diagonal(sphere.mass, 1., 1., 1.); // 2/5 m R^2

  const auto box = body_of<3>(rigid(mass + "set Surface = box\n"
                                           "subsection box\n"
                                           "  set Lower corner = -1, -1, -1\n"
                                           "  set Upper corner = 1, 2, 4\n"
                                           "end\n"));
  EXPECT_EQ(box.surface.facets.size(), 12u);
  EXPECT_LE(box.centre.distance(Point<3>(0., 0.5, 1.5)), 1e-15);
  expect_diagonal(box.mass, 340. / 12., 290. / 12., 130. / 12.);

  const auto cylinder = body_of<3>(rigid(mass + "set Surface = cylinder\n"
                                                "subsection cylinder\n"
                                                "  set Axis = 2, 0, 0\n"
                                                "  set Radius = 2\n"
                                                "  set Length = 6\n"
                                                "  set Sides = 8\n"
                                                "  set Cuts = 3\n"
                                                "end\n"));
  EXPECT_EQ(cylinder.surface.facets.size(), 64u);
  expect_diagonal(cylinder.mass, 20., 40., 40.);
  double largest = 0.;
  for (const Point<3> &x : cylinder.surface.vertices)
    largest = std::max(largest, std::abs(x[0]));
  EXPECT_NEAR(largest, 3., 1e-14);
}



TEST(RigidBody, ScaleRotationAndTranslationPlaceShapes)
{
  const auto ellipsoid = body_of<3>(heavy + rigid("set Surface = sphere\n") +
                                    "subsection Mesh\n"
                                    "  set Scale = 1, 2, 3\n"
                                    "  set Rotation = 0, 0, " +
                                    std::to_string(pi / 2.) +
                                    "\n"
                                    "  set Translation = 5, 6, 7\n"
                                    "end\n");
  const double m       = 4. * 4. / 3. * pi * 6.;
  EXPECT_NEAR(ellipsoid.mass.mass, m, 1e-12);
  EXPECT_EQ(ellipsoid.centre, Point<3>(5., 6., 7.));
  // The half axes are 2, 1, 3 after a quarter turn about z, which the text has
  // to six digits.
  EXPECT_NEAR(ellipsoid.mass.inertia[0][0], m * (1. + 9.) / 5., 1e-3);
  EXPECT_NEAR(ellipsoid.mass.inertia[1][1], m * (4. + 9.) / 5., 1e-3);
  EXPECT_NEAR(ellipsoid.mass.inertia[2][2], m * (1. + 4.) / 5., 1e-3);

  expect_parts(message_of<3>(heavy + rigid("set Surface = box\n") + box_mesh),
               {"Body 'cube'", "two surfaces", "hyper_rectangle", "box"});
}



TEST(RigidBody, RepeatsAlongALattice)
{
  const std::string text = heavy + box_mesh +
                           "set Repeat = 2, 2, 1\n"
                           "set Repeat spacing = 10, 20, 0\n";
  const auto regular = bodies_of<3>(text);
  const auto random  = bodies_of<3>(text + "set Random rotation = 180\n");
  ASSERT_EQ(regular.size(), 4u);
  EXPECT_EQ(regular[3].name, "cube[1,1,0]");
  EXPECT_LE(regular[3].centre.distance(Point<3>(21., 41.5, 32.5)), 1e-13);

  // Surface and inertia turn together, about the origin of the mesh.
  for (unsigned int c = 0; c < 4; ++c)
    {
      const auto moments = moments_of_surface<3>(random[c].surface.vertices,
                                                 random[c].surface.facets);
      EXPECT_LE(moments.centre.norm(), 1e-13);
      EXPECT_LE((4. * moments.inertia() - random[c].mass.inertia).norm(),
                1e-11);
      EXPECT_GT((regular[c].mass.inertia - random[c].mass.inertia).norm(), 1.);
      const Point<3> origin =
        Point<3>(10. + 10. * (c % 2), 20. + 20. * (c / 2), 30.);
      EXPECT_NEAR(random[c].centre.distance(origin),
                  std::sqrt(1. + 1.5 * 1.5 + 2.5 * 2.5),
                  1e-13);
    }
}



TEST(RigidBody, GivenMassCentreAndInertia)
{
  const std::string turned =
    "subsection Mesh\n"
    "  set Scale = 2\n"
    "  set Rotation = 0, 0, 1\n"
    "end\n";
  const auto body = body_of<3>(rigid("set Surface = box\n"
                                     "set Mass = 3\n"
                                     "set Inertia = 1, 2, 2.5, 0.1, 0.2, 0.3\n"
                                     "set Centre of mass = 1, 0, 0\n") +
                               turned);
  EXPECT_EQ(body.mass.mass, 3.);
  EXPECT_LE(body.centre.distance(
              Point<3>(2. * std::cos(1.), 2. * std::sin(1.), 0.)),
            1e-15);
  const Tensor<2, 3> R        = rotation_matrix<3>(Tensor<1, 3>({0., 0., 1.}));
  const Tensor<2, 3> J        = transpose(R) * body.mass.inertia * R;
  const double expected[3][3] = {{1., 0.1, 0.2},
                                 {0.1, 2., 0.3},
                                 {0.2, 0.3, 2.5}};
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      EXPECT_NEAR(J[i][j], expected[i][j], 1e-14);
  // The surface is about the given centre.
  const auto moments =
    moments_of_surface<3>(body.surface.vertices, body.surface.facets);
  EXPECT_LE((moments.centre + body.centre)
              .distance(Point<3>(R * Tensor<1, 3>({1., 1., 1.}))),
            1e-14);

  // Held, a body turns about any point.
  const auto door =
    body_of<3>(rigid("set Surface = box\n"
                     "set Mass = 12\n"
                     "set Held = x, y, z\n"
                     "set Centre of mass = 0, 0.5, 0.5\n"));
  EXPECT_NEAR(door.mass.inertia[2][2], 5., 1e-13);
}



TEST(RigidBody, HeldComponents)
{
  const auto body =
    body_of<3>(rigid("set Surface = box\n"
                     "set Mass = 3\n"
                     "set Held = z, rotation\n"
                     "set Held velocity = 0; 0; 2*t\n"
                     "set Held angular velocity = 0; 0; 1+t\n") +
               "set Initial velocity = 1; 1; 1\n"
               "set Body force = 1; 1; 1\n");
  EXPECT_EQ(body.holds_velocity, (std::array<bool, 3>{{false, false, true}}));
  EXPECT_TRUE(body.holds_rotation);
  RigidMotion motion = body.initial_motion();
  EXPECT_EQ(motion.velocity, (Tensor<1, 3>({1., 1., 0.})));
  EXPECT_EQ(motion.angular_velocity(), (Tensor<1, 3>({0., 0., 1.})));
  body.prescribe(3., motion);
  EXPECT_EQ(motion.velocity, (Tensor<1, 3>({1., 1., 6.})));
  EXPECT_EQ(motion.angular_velocity(), (Tensor<1, 3>({0., 0., 4.})));
  EXPECT_EQ(body.force(0.), (Tensor<1, 3>({3., 3., 0.})));
}



TEST(RigidBody, StlSurface)
{
  const std::string name = "rigid-" + std::to_string(getpid()) + ".stl";
  const auto write       = [&](const unsigned int n_facets) {
    const auto box =
      box_surface<3>({{Point<3>(0., 0., 0.), Point<3>(200., 300., 500.)}});
    std::ofstream out(name);
    out << "solid box\n";
    for (unsigned int f = 0; f < n_facets; ++f)
      {
        out << "facet normal 0 0 0\nouter loop\n";
        for (const unsigned int v : box.facets[f])
          out << "vertex " << box.vertices[v] << '\n';
        out << "endloop\nendfacet\n";
      }
    out << "endsolid\n";
  };
  const std::string path =
    std::filesystem::current_path().string() + "/" + name;
  const auto text = [&](const std::string &more) {
    return heavy + rigid(
                     "set Surface = surface mesh\n"
                     "subsection surface mesh\n"
                     "  set Mesh file = " +
                     path +
                     "\n"
                     "  set Scale = 0.01\n" +
                     more + "end\n");
  };
  write(12);
  const auto body = body_of<3>(text(""));
  EXPECT_EQ(body.surface.facets.size(), 12u);
  EXPECT_EQ(body.surface.vertices.size(), 8u);
  EXPECT_NEAR(body.mass.mass, 120., 1e-12);
  expect_diagonal(body.mass, 340., 290., 130.);
  expect_parts(
    message_of<3>(text("set Reverse = true\n")),
    {"Body 'cube', section 'Rigid body'", path, "inward", "Reverse"});
  write(11);
  expect_parts(message_of<3>(text("")),
               {"Body 'cube', section 'Rigid body'",
                path,
                "not closed",
                "3 edges",
                "such as that from"});
  std::remove(name.c_str());
  expect_parts(message_of<3>(text("")), {path, "cannot be opened"});
}



TEST(RigidBody, SurfaceMeshOfQuadrilaterals)
{
  // A box of six quadrilaterals in Gmsh's format, one of them turned inward,
  // and a file with a hexahedron besides.
  const std::string name = "rigid-" + std::to_string(getpid()) + ".msh";
  const std::string text =
    heavy + rigid(
              "set Surface = surface mesh\n"
              "subsection surface mesh\n"
              "  set Mesh file = " +
              (std::filesystem::current_path() / name).string() + "\nend\n");
  const auto write = [&](const std::string &elements) {
    std::ofstream(name) << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
                           "$Nodes\n8\n"
                           "1 0 0 0\n2 2 0 0\n3 2 3 0\n4 0 3 0\n"
                           "5 0 0 5\n6 2 0 5\n7 2 3 5\n8 0 3 5\n"
                           "$EndNodes\n$Elements\n"
                        << elements << "$EndElements\n";
  };
  const std::string faces =
    "1 3 2 0 0 1 4 3 2\n"
    "2 3 2 0 0 5 6 7 8\n"
    "3 3 2 0 0 1 2 6 5\n"
    "4 3 2 0 0 2 3 7 6\n"
    "5 3 2 0 0 3 4 8 7\n";
  write("6\n" + faces + "6 3 2 0 0 4 8 5 1\n");
  const auto parameters    = parse_body<3>(text);
  const auto result        = parameters.create_rigid_bodies(MPI_COMM_SELF);
  const RigidBody<3> &body = result.bodies[0];
  EXPECT_EQ(body.surface.facets.size(), 12u);
  EXPECT_NEAR(volume_of(body), 30., 1e-12);
  expect_diagonal(body.mass, 340., 290., 130.);
  EXPECT_LE(body.centre.distance(Point<3>(1., 1.5, 2.5)), 1e-14);
  ASSERT_EQ(result.notes.size(), 1u);
  expect_parts(result.notes[0], {name, "turned 2 triangles"});

  write("5\n" + faces);
  expect_parts(message_of<3>(text), {"Body 'cube'", name, "not closed"});
  write("1\n1 5 2 0 0 1 2 3 4 5 6 7 8\n");
  expect_parts(message_of<3>(text),
               {"Body 'cube'", name, "more than a surface", "mesh"});
  std::remove(name.c_str());
}



TEST(RigidBody, BadInput)
{
  const std::string box   = "set Surface = box\n";
  const std::string where = "Body 'cube', section 'Rigid body'";
  for (const std::string mass : {"0", "-1"})
    expect_parts(message_of<3>(rigid(box + "set Mass = " + mass + "\n")),
                 {where, "'Mass' = " + mass, "not larger than 0", "Density"});
  expect_parts(
    message_of<3>(rigid(box) + "subsection Material\n"
                               "  set Density =\n"
                               "end\n"),
    {"Body 'cube', section 'Material'", "Density", "missing", "Mass"});
  expect_parts(message_of<3>(rigid(box + "set Mass = 1\n"
                                         "set Inertia = 1, 2, 3.5\n")),
               {where, "'Inertia' = 1, 2, 3.5", "3.5, 2 and 1", "sum"});
  expect_parts(message_of<3>(rigid(box + "set Mass = 1\n"
                                         "set Inertia = 1, 1, 1, 2, 0, 0\n")),
               {where, "Inertia", "positive"});
  expect_parts(message_of<3>(rigid(box + "set Inertia = 1, 2\n")),
               {where, "Inertia", "3 numbers", "6"});
  expect_parts(message_of<2>(rigid(box + "set Inertia = -1\n")),
               {where, "Inertia", "positive"});
  expect_parts(message_of<3>(rigid(box + "set Held = x, w\n")),
               {where, "'Held' = x, w", "'w'", "x, y, z and rotation"});
  expect_parts(message_of<2>(rigid(box + "set Held = z\n")),
               {where, "'z'", "x, y and rotation"});
  expect_parts(message_of<3>(rigid(box + "set Held velocity = 1; 0; 0\n")),
               {where, "Held velocity", "Initial velocity"});
  expect_parts(message_of<3>(
                 rigid(box + "set Held angular velocity = 1; 0; 0\n")),
               {where, "Held angular velocity", "Spin"});
  expect_parts(message_of<3>(rigid(box + "set Centre of mass = 0, 0, 0\n")),
               {where, "Centre of mass", "Inertia"});
  expect_parts(message_of<3>(rigid(box + "set Mass = 1\n"
                                         "set Held = x, y, z\n"
                                         "set Centre of mass = 0, 0, 0\n") +
                             "set Body force = 0; 0; -1\n"),
               {where, "Body force", "torque"});
  expect_parts(message_of<3>(rigid("set Surface = surface mesh\n")),
               {where, "surface mesh/Mesh file"});
  expect_parts(message_of<3>(rigid("set Surface = cylinder\n"
                                   "subsection cylinder\n"
                                   "  set Length = 0\n"
                                   "end\n")),
               {where, "cylinder/Length", "positive"});
  expect_parts(
    message_of<3>(rigid(box), {"fixed"}),
    {"Body 'cube' is rigid", "Prescribed motion", "'fixed'", "Held velocity"});
  expect_parts(message_of<3>(heavy), {"Body 'cube'", "no mesh"});
}
