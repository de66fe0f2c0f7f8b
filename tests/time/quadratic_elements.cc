// SPDX-License-Identifier: LGPL-2.1-or-later

// Bodies with elements of degree 2: waves in a bar, and impacts.
//
// The bar is that of longitudinal_waves.cc: u_tt = u_xx, u_x = 0 at both ends,
// unit length. Elements of length h have the stiffness
// 1/(3h) [7 -8 1; -8 16 -8; 1 -8 7] and the lumped mass h/6 [1 4 1]. The values
// a cos(pi x) at the ends of elements and b cos(pi x) in their middle solve the
// discrete equations, with c = cos(pi h) and W = (omega h)^2, if
//   b (16 - 2 W) = 16 a cos(pi h / 2)            (middle)
//   (14 - W + 2 c) a = 16 b cos(pi h / 2)        (ends)
// and 2 cos(pi h / 2)^2 = 1 + c gives W^2 - (22 + 2 c) W + 48 (1 - c) = 0.

#include <deal.II/base/numbers.h>

#include <cmath>
#include <gtest/gtest.h>

#include "run.h"

using namespace Ricochet;
using dealii::numbers::PI;

namespace
{
  double
  frequency(const unsigned int n_cells)
  {
    const double h = 1. / n_cells, c = std::cos(PI * h);
    const double W =
      11. + c - std::sqrt((11. + c) * (11. + c) - 48. * (1. - c));
    return std::sqrt(W) / h;
  }



  template <int dim>
  ExplicitRun<dim>
  bar(const unsigned int n_cells)
  {
    const std::string n = std::to_string(n_cells),
                      h = std::to_string(1. / n_cells);
    return ExplicitRun<dim>({bricks(dim == 2 ? n + ", 1" : n + ", 1, 1",
                                    dim == 2 ? "0, 0" : "0, 0, 0",
                                    dim == 2 ? "1, " + h
                                             : "1, " + h + ", " + h) +
                             material("small-strain linear", 1., 0.)},
                            MassKind::lumped,
                            {},
                            {},
                            false,
                            2);
  }



  /** Central differences of the discrete mode, see longitudinal_waves.cc. */
  template <int dim>
  void
  check_wave(const unsigned int n_cells)
  {
    auto run           = bar<dim>(n_cells);
    const double h     = 1. / n_cells;
    const double omega = frequency(n_cells);
    const double W     = omega * omega * h * h;
    const double b     = 8. * std::cos(PI * h / 2.) / (8. - W);
    const auto mode    = [&](const double x) {
      const bool in_the_middle = std::lround(2. * x / h) % 2 == 1;
      return (in_the_middle ? b : 1.) * std::cos(PI * x);
    };
    run.for_each_node([&](const dealii::Point<dim> &x, const unsigned int i) {
      run.state.velocities[0].local_element(i) = 1e-3 * mode(x[0]);
    });
    const double dt = 0.7 * run.solids.stable_time_step(run.state);
    // The longest wave is much slower than the fastest mode.
    EXPECT_LT(dt, 0.5 * h);
    EXPECT_GT(dt, 0.1 * h);
    run.start(dt);
    const double theta = 2. * std::asin(omega * dt / 2.);
    double largest     = 0.;
    for (unsigned int n = 1; n <= 200; ++n)
      {
        run.step(dt);
        const double u = dt * std::sin(n * theta) / std::sin(theta);
        run.for_each_node([&](const dealii::Point<dim> &x,
                              const unsigned int i) {
          for (unsigned int d = 0; d < dim; ++d)
            largest =
              std::max(largest,
                       std::abs(
                         (run.state.positions[0].local_element(i + d) - x[d]) /
                           1e-3 -
                         (d == 0 ? u * mode(x[0]) : 0.)));
        });
      }
    EXPECT_LT(largest, 1e-10);
  }

  TEST(QuadraticElements, CarryWavesAsTheDiscreteEquationsSay)
  {
    check_wave<2>(4);
    check_wave<2>(8);
    check_wave<3>(4);
  }

  TEST(QuadraticElements, HaveFrequenciesOfFourthOrder)
  {
    double last = std::abs(frequency(4) / PI - 1.);
    EXPECT_LT(last, 5e-4);
    for (const unsigned int n : {8, 16})
      {
        const double error = std::abs(frequency(n) / PI - 1.);
        EXPECT_NEAR(std::log2(last / error), 4., 0.1);
        last = error;
      }
  }



  template <int dim>
  ExplicitRun<dim>
  two_blocks(const MassKind mass_kind, const std::string &law)
  {
    const auto block = [&](const std::string &more_mesh) {
      return (dim == 2
                ? bricks("2, 1", "0.5, 0.2", "2, 1", more_mesh)
                : bricks("2, 1, 1", "0.5, 0.2, -0.3", "2, 1, 0.7", more_mesh)) +
             material(law, 10., 0.3);
    };
    return ExplicitRun<dim>(
      {block("") + (dim == 2 ? "set Initial velocity = 0.5; 0.1\n"
                               "set Spin = 0.2\n"
                             : "set Initial velocity = 0.5; 0.1; -0.05\n"
                               "set Spin = 0.1, 0.2, 0.1\n"),
       block(dim == 2 ? "set Rotation = 6\nset Translation = 1.9, 0\n"
                      : "set Rotation = 0.05, 0.04, 0.06\n"
                        "set Translation = 1.9, 0, 0.1\n")},
      mass_kind,
      {},
      {{"Restitution", "0.5"}, {"Friction coefficient", "0.3"}},
      false,
      2);
  }



  template <int dim>
  void
  check_impact(const MassKind mass_kind)
  {
    auto run = two_blocks<dim>(mass_kind, "neo-Hookean");
    // Every face has vertices in its middle and on its edges.
    const auto &surface = run.contact.get_surface();
    EXPECT_TRUE(surface.vertices_are_nodes);
    EXPECT_EQ(surface.n_facets(), dim == 2 ? 2u * 6 * 2 : 2u * 10 * 8);
    const double dt = 0.4 * run.solids.stable_time_step(run.state);
    run.start(dt);
    const BodySums before     = run.sums();
    const auto moments_before = run.unexplained_angular_momentum();
    unsigned int n_contacts   = 0;
    for (unsigned int n = 0; n < 250; ++n)
      n_contacts += run.step(dt);
    const BodySums after = run.sums();
    EXPECT_GT(n_contacts, 5u);
    EXPECT_LT((after.momentum - before.momentum).norm(),
              1e-13 * before.momentum_scale);
    EXPECT_LT((run.unexplained_angular_momentum() - moments_before).norm(),
              1e-13 * before.angular_momentum_scale);
    EXPECT_GT(after.internal_energy, 1e-3 * before.kinetic_energy);
  }

  TEST(QuadraticElements, KeepMomentaInAnImpact)
  {
    for (const auto kind : {MassKind::lumped, MassKind::consistent})
      {
        check_impact<2>(kind);
        check_impact<3>(kind);
      }
  }



  template <int dim>
  void
  check_energy(const MassKind mass_kind)
  {
    auto run        = two_blocks<dim>(mass_kind, "small-strain linear");
    const double dt = 0.4 * run.solids.stable_time_step(run.state);
    run.start(dt);
    const double energy     = run.shadow_energy(dt);
    unsigned int n_contacts = 0;
    for (unsigned int n = 0; n < 250; ++n)
      {
        n_contacts += run.step(dt);
        EXPECT_NEAR(run.shadow_energy(dt), energy, 1e-12 * energy);
      }
    EXPECT_GT(n_contacts, 5u);
  }

  TEST(QuadraticElements, KeepTheBalanceOfEnergy)
  {
    for (const auto kind : {MassKind::lumped, MassKind::consistent})
      {
        check_energy<2>(kind);
        check_energy<3>(kind);
      }
  }
} // namespace
