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
    Run<2> run({bricks("8, 2", "0, 0", "1, 1") +
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
} // namespace



TEST(Supports, PullABar)
{
  for (const MassKind mass_kind : {MassKind::lumped, MassKind::consistent})
    {
      check_pulled_bar(mass_kind, "displacement", "0.5*0.01*t^2");
      check_pulled_bar(mass_kind, "velocity", "0.01*t");
    }
}
