// SPDX-License-Identifier: LGPL-2.1-or-later

// What the energy-momentum method promises: energy and momenta of bodies
// without contact, with steps much longer than the stable one.

#include <ricochet/base/error.h>

#include <deal.II/physics/transformations.h>

#include <cmath>
#include <gtest/gtest.h>

#include "run.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  struct Formulation
  {
    std::string law, element;
    unsigned int degree;
  };



  template <int dim>
  std::string
  body(const Formulation &formulation, const std::string &more = "")
  {
    return bricks(dim == 2 ? "3, 2" : "3, 2, 2",
                  dim == 2 ? "0, 0" : "0, 0, 0",
                  dim == 2 ? "1.5, 1" : "1.5, 1, 0.8") +
           "set Element formulation = " + formulation.element + "\n" + more +
           material(formulation.law, 100., 0.3);
  }



  /** Let a body tumble and vibrate on the spot: a rotation and a stretching
   * velocity. */
  template <int dim>
  void
  set_tumbling(ExplicitRun<dim> &run)
  {
    run.for_each_node([&](const Point<dim> &x, const unsigned int i) {
      auto &v                = run.state.velocities[0];
      v.local_element(i)     = -2. * (x[1] - 0.5) + 0.5 * (x[0] - 0.75);
      v.local_element(i + 1) = 2. * (x[0] - 0.75);
      if (dim == 3)
        {
          v.local_element(i + 1) -= 1.5 * (x[2] - 0.4);
          v.local_element(i + 2) = 1.5 * (x[1] - 0.5);
        }
    });
    for (auto &v : run.state.velocities)
      v.update_ghost_values();
  }



  /** Steps of 20 times the stable one. */
  template <int dim>
  void
  check_conservation(const Formulation &formulation,
                     const MassKind mass_kind,
                     const unsigned int n_steps)
  {
    ExplicitRun<dim> run({body<dim>(formulation)},
                         mass_kind,
                         {},
                         {},
                         false,
                         formulation.degree,
                         "energy-momentum");
    set_tumbling(run);
    const double dt = 20. * run.solids.stable_time_step(run.state);
    run.start(dt);
    const auto before   = run.sums();
    const double energy = before.kinetic_energy + before.internal_energy;
    double last = energy, largest_strain_energy = 0.;
    // About the origin, sum of m |x| |v|.
    const double scale = before.angular_momentum_scale +
                         before.centre().norm() * before.momentum_scale;
    auto momentum = before.momentum, angular_momentum = before.angular_momentum;
    for (unsigned int n = 0; n < n_steps; ++n)
      {
        run.step(dt);
        const auto now     = run.sums();
        const double total = now.kinetic_energy + now.internal_energy;
        EXPECT_NEAR(total, last, 1e-12 * energy)
          << formulation.law << ", " << formulation.element << ", step " << n;
        EXPECT_LE((now.momentum - momentum).norm(),
                  1e-13 * before.momentum_scale);
        EXPECT_LE((now.angular_momentum - angular_momentum).norm(),
                  1e-13 * scale)
          << formulation.law << ", step " << n;
        last             = total;
        momentum         = now.momentum;
        angular_momentum = now.angular_momentum;
        largest_strain_energy =
          std::max(largest_strain_energy, now.internal_energy);
      }
    EXPECT_GT(largest_strain_energy, 1e-3 * energy);
    // Little adds up.
    EXPECT_LE((momentum - before.momentum).norm(),
              1e-12 * before.momentum_scale);
    EXPECT_LE((angular_momentum - before.angular_momentum).norm(),
              1e-11 * scale);
    EXPECT_GT(run.state.time, 0.9 * n_steps * dt);
  }
} // namespace



TEST(EnergyMomentum, ConservesEnergyAndMomentaForAllElasticLaws)
{
  for (const Formulation &formulation :
       {Formulation{"neo-Hookean", "full", 1},
        Formulation{"Saint Venant-Kirchhoff", "full", 1},
        Formulation{"neo-Hookean", "F-bar", 1},
        Formulation{"neo-Hookean", "reduced", 1},
        Formulation{"neo-Hookean", "full", 2}})
    {
      check_conservation<2>(formulation, MassKind::lumped, 40);
      check_conservation<3>(formulation, MassKind::lumped, 10);
    }
  check_conservation<2>({"neo-Hookean", "full", 1}, MassKind::consistent, 20);
}



TEST(EnergyMomentum, ConservesForAThousandSteps)
{
  check_conservation<2>({"neo-Hookean", "full", 1}, MassKind::lumped, 1000);
}



// A law with a memory keeps what it stores plus what it dissipated, and gravity
// and a moving support do the work that is told.
TEST(EnergyMomentum, BalancesDissipationLoadsAndSupports)
{
  const std::string plastic =
    "subsection Material\n"
    "  set Law = J2 plasticity\n"
    "  set Density = 1\n"
    "  set Young's modulus = 100\n"
    "  set Poisson's ratio = 0.3\n"
    "  set Yield stress = 2\n"
    "end\n";
  ExplicitRun<2> run({bricks("3, 2", "0, 0", "1.5, 1") +
                      "set Body force = 0.5; -3*t\n"
                      "subsection Prescribed motion\n"
                      "  subsection left\n"
                      "    set Boundary ids = 0\n"
                      "    set Quantity = displacement\n"
                      "    set Function = 0.05*sin(2*t); 0.1*t\n"
                      "  end\n"
                      "end\n" +
                      plastic},
                     MassKind::lumped,
                     {"left"},
                     {},
                     false,
                     1,
                     "energy-momentum");
  set_tumbling(run);
  const double dt = 5. * run.solids.stable_time_step(run.state);
  run.start(dt);
  const auto total = [&]() {
    const auto now = run.sums();
    return now.kinetic_energy + now.internal_energy + now.plastic_loss -
           dealii::Utilities::MPI::sum(run.balance.external_work,
                                       MPI_COMM_WORLD);
  };
  const double before    = total();
  double largest         = before;
  const auto spin_before = run.unexplained_angular_momentum();
  for (unsigned int n = 0; n < 60; ++n)
    {
      run.step(dt);
      const auto now = run.sums();
      largest =
        std::max(largest,
                 now.kinetic_energy + now.internal_energy + now.plastic_loss);
      EXPECT_NEAR(total(), before, 1e-11 * largest) << n;
      EXPECT_LE((run.unexplained_angular_momentum() - spin_before).norm(),
                1e-11 * run.sums().angular_momentum_scale);
    }
  EXPECT_GT(run.sums().plastic_loss, 0.05 * before);
}



TEST(EnergyMomentum, IsOfSecondOrder)
{
  const auto end_of_motion = [](const unsigned int n_steps) {
    ExplicitRun<2> run({body<2>({"neo-Hookean", "full", 1})},
                       MassKind::lumped,
                       {},
                       {},
                       false,
                       1,
                       "energy-momentum");
    set_tumbling(run);
    const double dt = 0.5 / n_steps;
    run.start(dt);
    for (unsigned int n = 0; n < n_steps; ++n)
      run.step(dt);
    return run.state.positions[0];
  };
  const auto exact = end_of_motion(1280);
  const auto error = [&](const unsigned int n_steps) {
    auto difference = end_of_motion(n_steps);
    difference -= exact;
    return difference.l2_norm();
  };
  EXPECT_NEAR(std::log2(error(80) / error(160)), 2., 0.1);
}



TEST(EnergyMomentum, ShortensAStepThatIsTooLong)
{
  ExplicitRun<2> run({body<2>({"neo-Hookean", "full", 1})},
                     MassKind::lumped,
                     {},
                     {},
                     false,
                     1,
                     "energy-momentum");
  auto solver = std::make_shared<EquationSolver>();
  dealii::ParameterHandler prm;
  EquationSolver::declare_parameters(prm);
  prm.set("Most Newton iterations", "5");
  solver->parse_parameters(prm);
  run.integrator->set_equation_solver(solver);
  set_tumbling(run);
  run.start(1.);
  const auto before = run.sums();
  run.step(1.);
  const auto after = run.sums();
  EXPECT_LT(run.state.time, 1.);
  EXPECT_GT(run.state.time, 0.01);
  EXPECT_NEAR(after.kinetic_energy + after.internal_energy,
              before.kinetic_energy,
              1e-11 * before.kinetic_energy);
}



TEST(EnergyMomentum, TellsBodyAndPlaceWhenNoStepIsShortEnough)
{
  ExplicitRun<2> run({body<2>({"neo-Hookean", "full", 1},
                              "set Body force = 1e30*x; 0\n")},
                     MassKind::lumped,
                     {},
                     {},
                     false,
                     1,
                     "energy-momentum");
  run.start(1.);
  const std::string text = error_of([&]() { run.step(1.); });
  for (const std::string part : {"time 0", "cube", "residual", "at ("})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}
