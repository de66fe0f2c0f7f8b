// SPDX-License-Identifier: LGPL-2.1-or-later

// Rigid regions of bodies from the text of their sections.

#include <ricochet/body/body.h>
#include <ricochet/body/solids.h>

#include <gtest/gtest.h>

#include "../parse.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** A square of size 1 in a frame of half its size, with the material id 0 for
   * the square and others around it. */
  std::string
  framed(const std::string &rigid)
  {
    return "subsection Mesh\n"
           "  set Grid generator = enclosed_hyper_cube\n"
           "  set Grid generator arguments = 0 : 1 : 0.5 : true\n"
           "  set Refinements = 2\n"
           "  set Translation = 3, 5\n"
           "  set Rigid material ids = " +
           rigid + "\nend\nset Body force = 0; -9\n";
  }
} // namespace



TEST(RigidRegions, FromAGenerator)
{
  const auto bodies = parse_body<2>(framed("0") +
                                    "set Density of rigid cells = 4\n"
                                    "set Repeat = 2, 1\n"
                                    "set Repeat spacing = 10, 0\n")
                        .create_bodies(MPI_COMM_SELF);
  ASSERT_EQ(bodies.size(), 2u);
  for (unsigned int b = 0; b < 2; ++b)
    {
      ASSERT_EQ(bodies[b].rigid_regions.size(), 1u);
      const RigidBody<2> &region = bodies[b].rigid_regions[0];
      EXPECT_EQ(region.name, "cube[" + std::to_string(b) + ",0].rigid");
      EXPECT_NEAR(region.mass.mass, 4., 1e-13);
      EXPECT_NEAR(region.mass.inertia[2][2], 4. / 6., 1e-13);
      EXPECT_LE(region.centre.distance(Point<2>(3.5 + 10 * b, 5.5)), 1e-13);
      EXPECT_EQ(region.force(0.)[1], -36.);
      unsigned int n_rigid = 0;
      for (const auto &cell : bodies[b].mesh.cells)
        n_rigid += cell.material_id == region.material;
      EXPECT_EQ(n_rigid, 16u);
      EXPECT_EQ(bodies[b].mesh.cells.size(), 9u * 16);
    }
  expect_parts(error_of([&]() {
                 parse_body<2>(framed("99")).create_bodies(MPI_COMM_SELF);
               }),
               {"Body 'cube'", "enclosed_hyper_cube", "99", "Its numbers: 0"});
}



/** Both together have the mass, centre and inertia of all cells, which the
 * masses at their nodes have as well: those of the rigid square exactly, those
 * of the others by the rule of trapezoids. */
TEST(RigidRegions, HaveTheMassesOfTheirNodes)
{
  Solids<2> solids(MPI_COMM_WORLD, MassKind::lumped);
  solids.reinit(parse_body<2>(framed("0") + "set Spin = 2\n")
                  .create_bodies(MPI_COMM_WORLD));
  ASSERT_EQ(solids.rigid_bodies().size(), 1u);
  EXPECT_EQ(solids.body_names(),
            (std::vector<std::string>{"cube", "cube.rigid"}));
  // Cells of the frame are half as thick as those of the square: at a side two
  // of h x h/2 meet, at a corner also one of h/2 x h/2.
  const double h = 0.25, at_side = h * h / 4., at_corner = 5. / 16. * h * h;
  const RigidBody<2> &body = solids.rigid_bodies()[0];
  EXPECT_NEAR(body.mass.mass, 1. + 12. * at_side + 4. * at_corner, 1e-13);
  EXPECT_LE(body.centre.distance(Point<2>(3.5, 5.5)), 1e-13);
  double inertia = 1. / 6.;
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j)
      {
        const unsigned int n_sides = (std::abs(i) == 2) + (std::abs(j) == 2);
        inertia += (n_sides == 2   ? at_corner
                    : n_sides == 1 ? at_side
                                   : 0.) *
                   (i * i + j * j) * h * h;
      }
  EXPECT_NEAR(body.mass.inertia[2][2], inertia, 1e-13);

  const State state         = solids.initial_state();
  const RigidMotion &motion = state.rigid_motions[0];
  EXPECT_LE(motion.velocity.norm(), 1e-13);
  EXPECT_NEAR(motion.angular_velocity()[2], 2., 1e-13);
  unsigned int n_tied = 0;
  for (const auto &tied : solids.tied_nodes(0))
    if (tied.node < solids.forest(0).get_cells().n_owned_nodes)
      {
        ++n_tied;
        const auto entry = [&](const auto &vector, const unsigned int d) {
          return vector[0].local_element(2 * tied.node + d);
        };
        EXPECT_NEAR(entry(state.positions, 0), 3.5 + tied.X[0], 1e-14);
        EXPECT_NEAR(entry(state.positions, 1), 5.5 + tied.X[1], 1e-14);
        EXPECT_NEAR(entry(state.velocities, 0), -2. * tied.X[1], 1e-13);
        EXPECT_NEAR(entry(state.velocities, 1), 2. * tied.X[0], 1e-13);
        EXPECT_EQ(solids.mass(0).local_element(2 * tied.node), 0.);
        EXPECT_EQ(solids.inverse_mass(0).local_element(2 * tied.node), 0.);
      }
  EXPECT_EQ(dealii::Utilities::MPI::sum(n_tied, MPI_COMM_WORLD), 25u);
}
