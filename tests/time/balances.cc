// SPDX-License-Identifier: LGPL-2.1-or-later

// What explicit Newmark conserves: momenta exactly, and for quadratic
// potentials an energy that differs from that of the bodies by dt^2.

#include <cmath>
#include <gtest/gtest.h>

#include "run.h"

using namespace Ricochet;

namespace
{
  const std::vector<MassKind> mass_kinds = {MassKind::lumped,
                                            MassKind::consistent};

  template <int dim>
  std::string
  block(const std::string &more_mesh = "")
  {
    return dim == 2
             ? bricks("3, 2", "0.5, 0.2", "2, 1", more_mesh)
             : bricks("3, 2, 2", "0.5, 0.2, -0.3", "2, 1, 0.7", more_mesh);
  }

  template <int dim>
  std::string
  deforming()
  {
    return dim == 2 ? "set Initial velocity = 0.2*sin(2*x+3*y); 0.1*cos(x*y)\n"
                      "set Spin = 0.3\n"
                    : "set Initial velocity = 0.2*sin(2*x+3*y); "
                      "0.1*cos(x*y-z); 0.1*x*z\n"
                      "set Spin = 0.3, -0.2, 0.1\n";
  }



  template <int dim>
  void
  check_momenta(const MassKind mass_kind, const std::string &cells)
  {
    ExplicitRun<dim> run({block<dim>(cells) +
                          material("neo-Hookean", 10., 0.3) + deforming<dim>()},
                         mass_kind);
    const double dt = 0.25 * run.solids.stable_time_step(run.state);
    run.start(dt);
    const BodySums before = run.sums();
    for (unsigned int n = 0; n < 200; ++n)
      run.step(dt);
    const BodySums after = run.sums();
    EXPECT_LT((after.momentum - before.momentum).norm(),
              1e-13 * before.momentum_scale);
    EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(),
              1e-13 * before.angular_momentum_scale);
    // The block has deformed meanwhile.
    EXPECT_GT(after.internal_energy, 1e-2 * before.kinetic_energy);
  }



  template <int dim>
  void
  check_shadow_energy(const MassKind mass_kind,
                      const std::string &cells,
                      const double courant_number)
  {
    ExplicitRun<dim> run({block<dim>(cells) +
                          material("small-strain linear", 10., 0.3) +
                          deforming<dim>()},
                         mass_kind);
    const double dt = courant_number * run.solids.stable_time_step(run.state);
    run.start(dt);
    const double before = run.shadow_energy(dt);
    double largest = 0., largest_of_bodies = 0.;
    for (unsigned int n = 0; n < 200; ++n)
      {
        run.step(dt);
        const BodySums sums = run.sums();
        largest = std::max(largest, std::abs(run.shadow_energy(dt) - before));
        largest_of_bodies = std::max(largest_of_bodies,
                                     std::abs(sums.kinetic_energy +
                                              sums.internal_energy - before));
      }
    EXPECT_LT(largest, 1e-12 * before);
    EXPECT_GT(largest_of_bodies, 1e-6 * before);
    EXPECT_LT(largest_of_bodies, before);
  }



  /** Two blocks that meet with a corner first, then with more. */
  template <int dim>
  ExplicitRun<dim>
  two_blocks(const MassKind mass_kind,
             const std::string &name_of_law,
             const std::string &force,
             const bool lumped_contact = false)
  {
    const std::string law = material(name_of_law, 10., 0.3);
    return ExplicitRun<dim>(
      {block<dim>() + law +
         (dim == 2 ? "set Initial velocity = 0.5; 0.1\n"
                   : "set Initial velocity = 0.5; 0.1; -0.05\n") +
         force,
       block<dim>(dim == 2 ? "set Rotation = 0.06\nset Translation = 1.9, 0\n"
                           : "set Rotation = 0.05, 0.04, 0.06\n"
                             "set Translation = 1.9, 0, 0.1\n") +
         law},
      mass_kind,
      {},
      {{"Restitution", "0.5"}, {"Friction coefficient", "0.3"}},
      lumped_contact);
  }



  /** Only the linear law has a quadratic potential. */
  template <int dim>
  void
  check_energy_of_contact(const MassKind mass_kind,
                          const std::string &force,
                          const bool lumped_contact = false)
  {
    auto run =
      two_blocks<dim>(mass_kind, "small-strain linear", force, lumped_contact);
    const double dt = 0.5 * run.solids.stable_time_step(run.state);
    run.start(dt);
    const double energy     = run.shadow_energy(dt);
    unsigned int n_contacts = 0;
    double largest          = 0.;
    for (unsigned int n = 0; n < 300; ++n)
      {
        n_contacts += run.step(dt);
        largest = std::max(largest, std::abs(run.shadow_energy(dt) - energy));
      }
    EXPECT_GT(n_contacts, 5u);
    EXPECT_GT(run.balance.restitution_loss, 1e-5 * energy);
    EXPECT_LT(largest, 1e-12 * energy);
  }



  /** Only laws that do not see rotations keep the angular momentum. */
  template <int dim>
  void
  check_momenta_of_contact(const MassKind mass_kind, const std::string &force)
  {
    auto run        = two_blocks<dim>(mass_kind, "neo-Hookean", force);
    const double dt = 0.25 * run.solids.stable_time_step(run.state);
    run.start(dt);
    const BodySums before    = run.sums();
    const auto moment_before = run.unexplained_angular_momentum();
    unsigned int n_contacts  = 0;
    for (unsigned int n = 0; n < 300; ++n)
      n_contacts += run.step(dt);
    EXPECT_GT(n_contacts, 5u);
    EXPECT_LT((run.unexplained_angular_momentum() - moment_before).norm(),
              1e-12 * before.angular_momentum_scale);
    if (force.empty())
      {
        EXPECT_LT((run.sums().momentum - before.momentum).norm(),
                  1e-12 * before.momentum_scale);
      }
  }
} // namespace



TEST(Balances, MomentaAreConserved)
{
  for (const MassKind mass_kind : mass_kinds)
    for (const std::string cells : {"", "set Simplices = true\n"})
      {
        check_momenta<2>(mass_kind, cells);
        check_momenta<3>(mass_kind, cells);
      }
}



TEST(Balances, ShadowEnergyOfLinearBodiesIsConstant)
{
  for (const MassKind mass_kind : mass_kinds)
    for (const std::string cells : {"", "set Simplices = true\n"})
      for (const double courant_number : {0.3, 1.})
        {
          check_shadow_energy<2>(mass_kind, cells, courant_number);
          check_shadow_energy<3>(mass_kind, cells, courant_number);
        }
}



TEST(Balances, ContactWorkClosesTheShadowEnergyOfLinearBodies)
{
  for (const MassKind mass_kind : mass_kinds)
    {
      check_energy_of_contact<2>(mass_kind, "");
      check_energy_of_contact<3>(mass_kind, "");
      check_energy_of_contact<2>(mass_kind, "set Body force = 0.02; -0.01\n");
      check_energy_of_contact<3>(mass_kind,
                                 "set Body force = 0.02; -0.01; 0\n");
    }
  check_energy_of_contact<2>(MassKind::consistent, "", true);
  check_energy_of_contact<3>(MassKind::consistent, "", true);
}



TEST(Balances, MomentaAreConservedInContact)
{
  for (const MassKind mass_kind : mass_kinds)
    {
      check_momenta_of_contact<2>(mass_kind, "");
      check_momenta_of_contact<3>(mass_kind, "");
      check_momenta_of_contact<2>(mass_kind, "set Body force = 0.02; -0.01\n");
      check_momenta_of_contact<3>(mass_kind,
                                  "set Body force = 0.02; -0.01; 0\n");
    }
}



// A free fall: the work of the constant force per mass g on the mass m is
// m g.(x_n - x_0), and x_n = x_0 + t v_0 + t^2/2 g exactly.
TEST(Balances, ConstantBodyForceDoesItsWork)
{
  for (const MassKind mass_kind : mass_kinds)
    {
      ExplicitRun<2> run({block<2>() + material("neo-Hookean", 10., 0.3) +
                          "set Initial velocity = 0.3; 0.1\n"
                          "set Body force = 0.5; -2\n"},
                         mass_kind);
      const double dt = 0.5 * run.solids.stable_time_step(run.state);
      run.start(dt);
      const BodySums before = run.sums();
      for (unsigned int n = 0; n < 100; ++n)
        run.step(dt);
      const BodySums after = run.sums();
      const double t       = 100. * dt;
      const double mass    = 1.5 * 0.8;
      EXPECT_NEAR(before.mass, mass, 1e-14);
      EXPECT_NEAR(run.state.time, t, 1e-13 * t);
      const double work =
        mass * (0.5 * (0.3 * t + 0.25 * t * t) - 2. * (0.1 * t - t * t));
      EXPECT_NEAR(dealii::Utilities::MPI::sum(run.balance.external_work,
                                              MPI_COMM_WORLD),
                  work,
                  1e-12 * work);
      EXPECT_NEAR(after.kinetic_energy - before.kinetic_energy,
                  work,
                  1e-12 * work);
      EXPECT_LT(after.internal_energy, 1e-12 * work);
      EXPECT_NEAR(after.momentum[0], mass * (0.3 + 0.5 * t), 1e-12);
      EXPECT_NEAR(after.momentum[1], mass * (0.1 - 2. * t), 1e-12);
      EXPECT_LT(
        (run.unexplained_angular_momentum() - before.angular_momentum).norm(),
        1e-12 * after.angular_momentum_scale);
    }
}



// A force that changes in time: as for any force f(t) the trapezoidal work of
// each step differs from the change of kinetic energy by dt^2/8 times that of
// f.f/m.
TEST(Balances, ChangingBodyForceDoesItsWork)
{
  for (const MassKind mass_kind : mass_kinds)
    {
      ExplicitRun<2> run({block<2>() +
                          material("small-strain linear", 10., 0.3) +
                          "set Body force = sin(3*t); cos(2*t)\n"},
                         mass_kind);
      const double dt = 0.5 * run.solids.stable_time_step(run.state);
      run.start(dt);
      const double before = run.shadow_energy(dt);
      for (unsigned int n = 0; n < 100; ++n)
        {
          run.step(dt);
          EXPECT_NEAR(run.shadow_energy(dt), before, 1e-12);
        }
      EXPECT_GT(run.sums().kinetic_energy, 0.01);
    }
}
