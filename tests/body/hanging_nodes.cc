// SPDX-License-Identifier: LGPL-2.1-or-later

// Bodies with hanging nodes: masses, forces and their sums, the stable step,
// and independence of the number of ranks.

#include <ricochet/body/diagnostics.h>
#include <ricochet/body/solids.h>

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>

#include "../parse.h"
#include "refined_bodies.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** One block, refined irregularly unless @p refinement says otherwise. */
  template <int dim>
  std::unique_ptr<Solids<dim>>
  make_block(const std::string &law,
             const std::string &refinement = irregular_refinement<dim>(),
             const MPI_Comm communicator   = MPI_COMM_WORLD,
             const MassKind mass_kind      = MassKind::lumped)
  {
    auto solids = std::make_unique<Solids<dim>>(communicator, mass_kind);
    solids->reinit(
      parse_body<dim>("subsection Mesh\n"
                      "  set Grid generator = subdivided_hyper_rectangle\n"
                      "  set Grid generator arguments = " +
                      std::string(dim == 2 ? "3, 2 : 0, 0 : 1.5, 1 : false"
                                           : "2, 2, 1 : 0, 0, 0 : 1.5, 1, 0.6: "
                                             "false") +
                      "\n" + refinement +
                      "end\n"
                      "subsection Material\n"
                      "  set Law = " +
                      law +
                      "\n"
                      "  set Density = 2.5\n"
                      "  set Young's modulus = 3\n"
                      "  set Poisson's ratio = 0.3\n"
                      "end\n"
                      "set Spin = " +
                      std::string(dim == 2 ? "0.3\n" : "0.3, 0.2, 0.1\n"))
        .create_bodies(MPI_COMM_SELF));
    return solids;
  }

  template <int dim>
  constexpr double volume = dim == 2 ? 1.5 : 0.9;



  /** Call @p action(node, reference position) for the nodes of this rank. */
  template <int dim>
  void
  for_each_node(
    const Solids<dim> &solids,
    const std::function<void(const unsigned int, const Point<dim> &)> &action)
  {
    const auto &cells = solids.forest(0).get_cells();
    for (unsigned int n = 0; n < cells.n_owned_nodes; ++n)
      action(n, cells.reference_positions[n]);
  }



  /** Move all nodes by a function of their reference position, hanging ones
   * with their masters, and compute forces. */
  template <int dim>
  State
  deformed(const Solids<dim> &solids,
           const std::function<Point<dim>(const Point<dim> &)> &motion)
  {
    State state = solids.initial_state();
    for_each_node<dim>(solids, [&](const unsigned int n, const Point<dim> &X) {
      const Point<dim> x = motion(X);
      for (unsigned int d = 0; d < dim; ++d)
        state.positions[0].local_element(dim * n + d) = x[d];
    });
    state.positions[0].update_ghost_values();
    solids.distribute_to_hanging_nodes(state.positions);
    solids.evaluate_forces(state, true);
    return state;
  }

  template <int dim>
  Point<dim>
  linear_motion(const Point<dim> &X)
  {
    Point<dim> x;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = 0.3 * d + (1.1 - 0.1 * d) * X[d] + 0.2 * X[(d + 1) % dim];
    return x;
  }

  template <int dim>
  Point<dim>
  wavy_motion(const Point<dim> &X)
  {
    Point<dim> x = X;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] += 0.08 * std::sin(5. * X[(d + 1) % dim] + 2. * X[d] + d);
    return x;
  }



  template <int dim>
  bool
  hangs(const Solids<dim> &solids, const unsigned int node)
  {
    return solids.mass(0).local_element(dim * node) == 0.;
  }



  template <int dim>
  void
  check_masses(const MassKind mass_kind)
  {
    const auto solids = make_block<dim>("neo-Hookean",
                                        irregular_refinement<dim>(),
                                        MPI_COMM_WORLD,
                                        mass_kind);
    const auto &constraints =
      solids->forest(0).get_hanging_nodes().get_constraints();
    unsigned int n_hanging = 0;
    for_each_node<dim>(*solids, [&](const unsigned int n, const Point<dim> &) {
      EXPECT_EQ(hangs(*solids, n),
                constraints.is_constrained(dim *
                                           solids->forest(0).global_node(n)));
      n_hanging += hangs(*solids, n);
      EXPECT_GE(solids->mass(0).local_element(dim * n), 0.);
    });
    EXPECT_GT(dealii::Utilities::MPI::sum(n_hanging, MPI_COMM_WORLD), 5u);

    // A motion with v = x has the first moments of the mass as momentum, and
    // the exact kinetic energy with the consistent mass.
    State state      = solids->initial_state();
    state.velocities = state.positions;
    solids->evaluate_forces(state, false);
    const BodySums sums = sum_bodies(*solids, state)[0];
    const double mass   = 2.5 * volume<dim>;
    EXPECT_NEAR(sums.mass, mass, 1e-14 * mass);
    const Tensor<1, 3> centre({0.75, 0.5, dim == 2 ? 0. : 0.3});
    EXPECT_LT((sums.centre() - centre).norm(), 1e-14);
    EXPECT_LT((sums.momentum - mass * centre).norm(), 1e-13);
    if (mass_kind == MassKind::consistent)
      {
        double square = 1.5 * 1.5 / 3. + 1. / 3.;
        if (dim == 3)
          square += 0.6 * 0.6 / 3.;
        EXPECT_NEAR(sums.kinetic_energy, 0.5 * mass * square, 1e-13);
      }
  }

  TEST(HangingNodes, HaveNoMassButTheirMasters)
  {
    for (const auto kind : {MassKind::lumped, MassKind::consistent})
      {
        check_masses<2>(kind);
        check_masses<3>(kind);
      }
  }



  /** A linear motion: constant stress, no force inside. */
  template <int dim>
  void
  check_patch(const std::string &law)
  {
    SCOPED_TRACE(law);
    const auto solids = make_block<dim>(law);
    const State state = deformed<dim>(*solids, linear_motion<dim>);
    const auto &f     = state.internal_forces[0];
    double largest = 0., largest_inside = 0.;
    for_each_node<dim>(*solids, [&](const unsigned int n, const Point<dim> &X) {
      double inside = 1.;
      for (unsigned int d = 0; d < dim; ++d)
        {
          const double end = d == 0 ? 1.5 : d == 1 ? 1. : 0.6;
          inside *= X[d] * (end - X[d]);
          EXPECT_NEAR(state.positions[0].local_element(dim * n + d),
                      linear_motion(X)[d],
                      1e-15);
        }
      for (unsigned int d = 0; d < dim; ++d)
        {
          const double value = std::abs(f.local_element(dim * n + d));
          largest            = std::max(largest, value);
          if (inside > 1e-10)
            largest_inside = std::max(largest_inside, value);
          if (hangs(*solids, n))
            {
              EXPECT_EQ(value, 0.);
            }
        }
    });
    largest = dealii::Utilities::MPI::max(largest, MPI_COMM_WORLD);
    EXPECT_GT(largest, 1e-3);
    EXPECT_LT(largest_inside, 1e-14 * std::max(1., largest));

    // The energy is that of the same block without refinement.
    const auto coarse   = make_block<dim>(law, "");
    const State uniform = deformed<dim>(*coarse, linear_motion<dim>);
    EXPECT_NEAR(sum_bodies(*solids, state)[0].internal_energy,
                sum_bodies(*coarse, uniform)[0].internal_energy,
                1e-13);
  }

  TEST(HangingNodes, PassThePatchTest)
  {
    for (const char *const law :
         {"neo-Hookean", "Saint Venant-Kirchhoff", "small-strain linear"})
      {
        check_patch<2>(law);
        check_patch<3>(law);
      }
  }



  /** At rest there is no force at all, not even one of round-off. */
  TEST(HangingNodes, AreAtRest)
  {
    const auto solids = make_block<3>("neo-Hookean");
    State state       = solids->initial_state();
    solids->distribute_to_hanging_nodes(state.positions);
    solids->evaluate_forces(state, true);
    EXPECT_EQ(state.internal_forces[0].linfty_norm(), 0.);
  }



  template <int dim>
  void
  check_forces()
  {
    const auto solids = make_block<dim>("neo-Hookean");
    const State state = deformed<dim>(*solids, wavy_motion<dim>);
    const auto &f     = state.internal_forces[0];

    // No total force, no total moment.
    std::vector<double> sums(6, 0.);
    for_each_node<dim>(*solids, [&](const unsigned int n, const Point<dim> &) {
      Tensor<1, 3> x, force;
      for (unsigned int d = 0; d < dim; ++d)
        {
          x[d]     = state.positions[0].local_element(dim * n + d);
          force[d] = f.local_element(dim * n + d);
        }
      const auto moment = cross_product_3d(x, force);
      for (unsigned int d = 0; d < 3; ++d)
        {
          sums[d] += force[d];
          sums[3 + d] += moment[d];
        }
    });
    dealii::Utilities::MPI::sum(sums, MPI_COMM_WORLD, sums);
    for (const double sum : sums)
      EXPECT_LT(std::abs(sum), 1e-13);
    EXPECT_GT(f.linfty_norm(), 1e-2);

    // The power of a motion is the change of energy.
    const auto velocity = [](const Point<dim> &X) {
      Tensor<1, dim> v;
      for (unsigned int d = 0; d < dim; ++d)
        v[d] = std::cos(3. * X[d] - X[(d + 1) % dim]) - 0.3 * d;
      return v;
    };
    const auto energy = [&](const double time) {
      const State there = deformed<dim>(*solids, [&](const Point<dim> &X) {
        return Point<dim>(wavy_motion(X) + time * velocity(X));
      });
      return sum_bodies(*solids, there)[0].internal_energy;
    };
    double power = 0.;
    for_each_node<dim>(*solids, [&](const unsigned int n, const Point<dim> &X) {
      for (unsigned int d = 0; d < dim; ++d)
        power += f.local_element(dim * n + d) * velocity(X)[d];
    });
    power            = dealii::Utilities::MPI::sum(power, MPI_COMM_WORLD);
    const double dt  = 1e-4;
    const auto slope = [&](const double step) {
      return (energy(step) - energy(-step)) / (2. * step);
    };
    EXPECT_NEAR((4. * slope(dt) - slope(2. * dt)) / 3.,
                power,
                1e-9 * std::abs(power));
  }

  TEST(HangingNodes, HaveForcesThatAreTheGradientOfTheEnergy)
  {
    check_forces<2>();
    check_forces<3>();
  }



  /** The highest frequency of the masters, by power iteration on the
   * accelerations of small displacements. */
  template <int dim>
  double
  highest_frequency(const Solids<dim> &solids)
  {
    State state  = solids.initial_state();
    const auto X = state.positions[0];
    ForestVectors v(1, state.positions[0]);
    for_each_node<dim>(solids, [&](const unsigned int n, const Point<dim> &x) {
      for (unsigned int d = 0; d < dim; ++d)
        v[0].local_element(dim * n + d) =
          std::sin(191. * x[d] + 57. * x[(d + 1) % dim] + d);
    });
    double square = 0.;
    for (unsigned int i = 0; i < 400; ++i)
      {
        solids.distribute_to_hanging_nodes(v);
        v[0] /= v[0].linfty_norm();
        const double size  = 1e-6;
        state.positions[0] = X;
        state.positions[0].add(size, v[0]);
        state.positions[0].update_ghost_values();
        solids.evaluate_forces(state, false);
        solids.compute_accelerations(state, 1.);
        v[0] = state.accelerations[0];
        v[0] /= -size;
        square = v[0].linfty_norm();
      }
    return std::sqrt(square);
  }

  template <int dim>
  void
  check_stable_step(const MassKind mass_kind)
  {
    for (const auto &refinement :
         {irregular_refinement<dim>(),
          std::string("set Local refinement = 2*(x<0.2)*(y<0.2)\n")})
      {
        const auto solids = make_block<dim>("small-strain linear",
                                            refinement,
                                            MPI_COMM_WORLD,
                                            mass_kind);
        State state       = solids->initial_state();
        solids->evaluate_forces(state, false);
        const double bound = solids->stable_time_step(state);
        const double limit = 2. / highest_frequency(*solids);
        EXPECT_LT(bound, limit);
        EXPECT_GT(bound, (mass_kind == MassKind::lumped ? 0.6 : 0.25) * limit);
      }
  }

  TEST(HangingNodes, LeaveTheStableStepABound)
  {
    for (const auto kind : {MassKind::lumped, MassKind::consistent})
      {
        check_stable_step<2>(kind);
        check_stable_step<3>(kind);
      }
  }



  template <int dim>
  void
  check_ranks()
  {
    const auto all = make_block<dim>("neo-Hookean");
    const auto one = make_block<dim>("neo-Hookean",
                                     irregular_refinement<dim>(),
                                     MPI_COMM_SELF);
    ASSERT_EQ(all->forest(0).n_global_nodes(), one->forest(0).n_global_nodes());
    EXPECT_EQ(all->forest(0).n_global_cells(), one->forest(0).n_global_cells());
    // All to the last bit.
    const State a = deformed<dim>(*all, wavy_motion<dim>);
    const State b = deformed<dim>(*one, wavy_motion<dim>);
    for (const auto i : a.positions[0].locally_owned_elements())
      {
        EXPECT_EQ(a.positions[0](i), b.positions[0](i));
        EXPECT_EQ(
          all->forest(0).get_hanging_nodes().get_constraints().is_constrained(
            i),
          one->forest(0).get_hanging_nodes().get_constraints().is_constrained(
            i));
        EXPECT_EQ(a.internal_forces[0](i), b.internal_forces[0](i));
        EXPECT_EQ(a.velocities[0](i), b.velocities[0](i));
        EXPECT_EQ(all->mass(0)(i), one->mass(0)(i));
      }
    EXPECT_EQ(all->stable_time_step(a), one->stable_time_step(b));
  }

  TEST(HangingNodes, AreTheSameOnAnyNumberOfRanks)
  {
    check_ranks<2>();
    check_ranks<3>();
  }



  TEST(HangingNodes, AreRefusedForSimplicesAndTooManyCuts)
  {
    const auto error = [](const std::string &entries) {
      return error_of(
        [&]() { const auto solids = make_block<2>("neo-Hookean", entries); });
    };
    expect_parts(error("set Simplices = true\nset Local refinement = x\n"),
                 {"Body 'cube'", "simplices", "Local refinement"});
    expect_parts(error("set Local refinement = 20*x\n"),
                 {"Body 'cube'", "Local refinement", "12"});
    expect_parts(error("set Local refinement = x; y\n"),
                 {"Body 'cube'", "Local refinement", "1 expression"});
  }
} // namespace
