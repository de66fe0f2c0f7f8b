// SPDX-License-Identifier: LGPL-2.1-or-later

// Free flight and impact of bodies with hanging nodes: momenta exact, energies
// balanced, hanging nodes where their masters say.

#include <cmath>
#include <gtest/gtest.h>

#include "../body/refined_bodies.h"
#include "run.h"

using namespace Ricochet;

namespace
{
  template <int dim>
  std::string
  block(const std::string &more_mesh)
  {
    return dim == 2
             ? bricks("3, 2", "0.5, 0.2", "2, 1", more_mesh)
             : bricks("2, 1, 1", "0.5, 0.2, -0.3", "2, 1, 0.7", more_mesh);
  }



  /** Two blocks that meet obliquely with refined faces. */
  template <int dim>
  ExplicitRun<dim>
  two_blocks(const MassKind mass_kind,
             const std::string &law,
             const std::string &more                 = "",
             const std::vector<std::string> &motions = {})
  {
    const std::string refinement = irregular_refinement<dim>();
    const std::string body       = material(law, 10., 0.3);
    return ExplicitRun<dim>(
      {block<dim>(refinement) + body +
         (dim == 2 ? "set Initial velocity = 0.5; 0.1+0.1*x*x\n"
                     "set Spin = 0.2\n"
                   : "set Initial velocity = 0.5; 0.1+0.1*x*x; -0.05\n"
                     "set Spin = 0.1, 0.2, 0.1\n"),
       block<dim>(refinement +
                  (dim == 2 ? "set Rotation = 6\nset Translation = 1.9, 0\n"
                            : "set Rotation = 5, 4, 6\n"
                              "set Translation = 1.9, 0, 0.1\n")) +
         body + more},
      mass_kind,
      motions,
      {{"Restitution", "0.5"}, {"Friction coefficient", "0.3"}});
  }



  /** The largest distance of a hanging node from where it belongs. */
  template <int dim>
  double
  largest_deviation(const Solids<dim> &solids, const ForestVectors &vectors)
  {
    ForestVectors exact = vectors;
    for (auto &vector : exact)
      vector.update_ghost_values();
    solids.distribute_to_hanging_nodes(exact);
    exact[0].add(-1., vectors[0]);
    return exact[0].linfty_norm();
  }



  template <int dim>
  void
  check_impact(const MassKind mass_kind)
  {
    auto run = two_blocks<dim>(mass_kind, "neo-Hookean");
    ASSERT_FALSE(run.solids.forest(0).get_hanging_nodes().empty());
    const double dt = 0.4 * run.solids.stable_time_step(run.state);
    run.start(dt);
    const BodySums before     = run.sums();
    const auto moments_before = run.unexplained_angular_momentum();
    unsigned int n_contacts = 0, n_weighted = 0;
    for (unsigned int n = 0; n < 2000 && n_contacts < 50; ++n)
      {
        n_contacts += run.step(dt);
        for (const auto &collision : run.contact.get_state().handled)
          n_weighted += collision.nodes.size() > dim + 1;
        EXPECT_EQ(largest_deviation(run.solids, run.state.positions), 0.);
        EXPECT_EQ(largest_deviation(run.solids, run.state.velocities), 0.);
        EXPECT_EQ(largest_deviation(run.solids, run.state.accelerations), 0.);
      }
    const BodySums after = run.sums();
    EXPECT_GT(n_contacts, 5u);
    if (dim == 3)
      {
        EXPECT_GT(n_weighted, 0u);
      }
    EXPECT_LT((after.momentum - before.momentum).norm(),
              1e-13 * before.momentum_scale);
    EXPECT_LT((run.unexplained_angular_momentum() - moments_before).norm(),
              1e-13 * before.angular_momentum_scale);
    EXPECT_GT(after.internal_energy, 1e-3 * before.kinetic_energy);
  }

  TEST(HangingNodes, KeepMomentaInAnImpact)
  {
    for (const auto kind : {MassKind::lumped, MassKind::consistent})
      {
        check_impact<2>(kind);
        check_impact<3>(kind);
      }
  }



  /** With a quadratic potential the balance of energy is exact, body forces
   * and supports included (with a steady velocity: otherwise, with the
   * consistent mass, the inertia of supports would enter the shadow energy). */
  template <int dim>
  void
  check_energy(const MassKind mass_kind,
               const std::string &more,
               const std::vector<std::string> &motions = {})
  {
    auto run = two_blocks<dim>(mass_kind, "small-strain linear", more, motions);
    const double dt = 0.4 * run.solids.stable_time_step(run.state);
    run.start(dt);
    const double energy     = run.shadow_energy(dt);
    unsigned int n_contacts = 0;
    for (unsigned int n = 0; n < 2000 && n_contacts < 50; ++n)
      {
        n_contacts += run.step(dt);
        EXPECT_NEAR(run.shadow_energy(dt), energy, 1e-12 * energy);
      }
    EXPECT_GT(n_contacts, 5u);
  }

  TEST(HangingNodes, KeepTheBalanceOfEnergy)
  {
    for (const auto kind : {MassKind::lumped, MassKind::consistent})
      {
        check_energy<2>(kind, "");
        check_energy<3>(kind, "");
        check_energy<2>(kind, "set Body force = 0.02; -0.01\n");
      }
  }

  TEST(HangingNodes, KeepTheBalanceWithSupports)
  {
    const std::string support =
      "subsection Prescribed motion\n"
      "  subsection push\n"
      "    set Boundary ids = 1\n"
      "    set Quantity = velocity\n"
      "    set Function = -0.05; 0.02\n"
      "  end\n"
      "end\n";
    for (const auto kind : {MassKind::lumped, MassKind::consistent})
      check_energy<2>(kind, support, {"push"});
  }
} // namespace
