// SPDX-License-Identifier: LGPL-2.1-or-later

// A bar that is pulled at one end with a constant acceleration g. In the
// frame that moves with it, u_xx = g with u = 0 at x = 0 and u_x = 0 at
// x = 1 (unit modulus, density, length and section): u = g (x^2/2 - x). Linear
// elements and central differences have this solution at the nodes exactly,
// for both mass matrices. The support does the work of a rigid mass and, as
// the bar stands still in its frame, nothing is stored.

#include <gtest/gtest.h>

#include "run.h"

using namespace Ricochet;

namespace
{
  constexpr double g = 1e-2;

  void
  check_pulled_bar(const MassKind mass_kind,
                   const std::string &quantity,
                   const std::string &function)
  {
    SCOPED_TRACE(quantity);
    ExplicitRun<2> run({bricks("8, 2", "0, 0", "1, 1") +
                        material("small-strain linear", 1., 0.) +
                        "subsection Prescribed motion\n"
                        "  subsection pull\n"
                        "    set Boundary ids = 0\n"
                        "    set Components = x\n"
                        "    set Quantity = " +
                        quantity +
                        "\n"
                        "    set Function = " +
                        function +
                        "; 0\n"
                        "  end\n"
                        "end\n"},
                       mass_kind,
                       {"pull"});
    run.for_each_node([&](const dealii::Point<2> &x, const unsigned int i) {
      run.state.positions[0].local_element(i) += g * (0.5 * x[0] * x[0] - x[0]);
    });
    const double dt = 0.5 * run.solids.stable_time_step(run.state);
    run.start(dt);
    const BodySums before     = run.sums();
    const auto moments_before = run.unexplained_angular_momentum();
    double largest_error      = 0.;
    for (unsigned int n = 1; n <= 100; ++n)
      {
        run.step(dt);
        const double t = n * dt;
        run.for_each_node([&](const dealii::Point<2> &x, const unsigned int i) {
          const double u = g * (0.5 * x[0] * x[0] - x[0] + 0.5 * t * t);
          for (const double error :
               {run.state.positions[0].local_element(i) - x[0] - u,
                run.state.positions[0].local_element(i + 1) - x[1],
                run.state.velocities[0].local_element(i) - g * t})
            largest_error = std::max(largest_error, std::abs(error));
        });
      }
    EXPECT_LT(largest_error, 1e-12);

    const BodySums after = run.sums();
    const double v       = g * 100. * dt;
    EXPECT_NEAR(after.kinetic_energy, 0.5 * v * v, 1e-12);
    EXPECT_NEAR(after.internal_energy, before.internal_energy, 1e-12);
    EXPECT_NEAR(dealii::Utilities::MPI::sum(run.balance.external_work,
                                            MPI_COMM_WORLD),
                0.5 * v * v,
                1e-12);
    EXPECT_LT((run.unexplained_angular_momentum() - moments_before).norm(),
              1e-12);
  }



  /**
   * A block whose lower side moves with a constant velocity, also along
   * itself, and carries the contact; another block is in its way. The supports
   * give and take energy and momentum, all of which is accounted for.
   */
  ExplicitRun<2>
  driven_block(const MassKind mass_kind, const std::string &name_of_law)
  {
    const std::string law = material(name_of_law, 10., 0.3);
    return ExplicitRun<2>(
      {bricks("3, 2", "0, 0", "1.5, 1") + law +
         "set Initial velocity = 0.2; -0.5\n"
         "subsection Prescribed motion\n"
         "  subsection drive\n"
         "    set Boundary ids = 2\n"
         "    set Components = x, y\n"
         "    set Quantity = velocity\n"
         "    set Function = 0.2; -0.5\n"
         "  end\n"
         "end\n",
       bricks("3, 2",
              "0, 0",
              "1.5, 1",
              "set Rotation = 6\nset Translation = 0.2, -1.21\n") +
         law},
      mass_kind,
      {"drive"},
      {{"Restitution", "0.5"}, {"Friction coefficient", "0.3"}});
  }



  // Exact for linear bodies.
  void
  check_energy_of_moving_supports(const MassKind mass_kind)
  {
    auto run        = driven_block(mass_kind, "small-strain linear");
    const double dt = 0.5 * run.solids.stable_time_step(run.state);
    run.start(dt);
    const double energy = run.shadow_energy(dt);
    unsigned int n      = 0;
    double largest      = 0.;
    for (unsigned int i = 0; i < 200; ++i)
      {
        run.step(dt);
        n += run.contact.get_state().record.n_node_face;
        largest = std::max(largest, std::abs(run.shadow_energy(dt) - energy));
      }
    EXPECT_GT(n, 5u);
    EXPECT_LT(largest, 1e-12 * energy);
  }



  // For a law that does not see rotations. With a consistent mass, what moves
  // beside a support also has momentum from it, which is not accounted for.
  void
  check_momentum_of_moving_supports()
  {
    auto run        = driven_block(MassKind::lumped, "neo-Hookean");
    const double dt = 0.25 * run.solids.stable_time_step(run.state);
    run.start(dt);
    const auto moment = run.unexplained_angular_momentum();
    unsigned int n    = 0;
    for (unsigned int i = 0; i < 200; ++i)
      {
        run.step(dt);
        n += run.contact.get_state().record.n_node_face;
      }
    EXPECT_GT(n, 5u);
    EXPECT_LT((run.unexplained_angular_momentum() - moment).norm(), 1e-12);
  }
} // namespace



TEST(Supports, PullABar)
{
  for (const MassKind mass_kind : {MassKind::lumped, MassKind::consistent})
    {
      check_pulled_bar(mass_kind, "displacement", "0.5*0.01*t^2");
      check_pulled_bar(mass_kind, "velocity", "0.01*t");
    }
}



TEST(Supports, MayTouch)
{
  for (const MassKind mass_kind : {MassKind::lumped, MassKind::consistent})
    check_energy_of_moving_supports(mass_kind);
  check_momentum_of_moving_supports();
}
