// SPDX-License-Identifier: LGPL-2.1-or-later

// Groups with rigid bodies that move as one body for a step.

#include <ricochet/base/embedding.h>
#include <ricochet/impulse/rigid_group.h>
#include <ricochet/impulse/rigid_nodes.h>

#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "../random.h"

namespace Ricochet
{
  namespace
  {
    using dealii::Point;
    using dealii::Tensor;
    using Vector = Tensor<1, 3>;

    /** Two rigid bodies and three mass points; then nodes of an obstacle. */
    template <int dim>
    struct Zone
    {
      Zone(const unsigned int seed, const unsigned int n_obstacle_nodes)
      {
        Random random(seed);
        const unsigned int n = 2 * (dim + 1) + 3;
        state.resize(n + n_obstacle_nodes);
        state.dt = 0.01;
        std::vector<Tensor<1, dim>> lumped(n);
        for (unsigned int i = 2 * (dim + 1); i < n; ++i)
          for (unsigned int d = 0; d < dim; ++d)
            lumped[i][d] = 1. / (1. + i);
        state.inverse_mass.reinit(lumped);
        for (unsigned int k = 0; k < 2; ++k)
          {
            RigidMass mass;
            mass.mass = random.uniform(1., 3.);
            for (unsigned int d = 0; d < 3; ++d)
              mass.inertia[d][d] = random.uniform(1., 1.9);
            RigidMotion motion(mass,
                               Point<3>(in_space(random.vector<dim>(2.))));
            Vector turn, omega;
            for (unsigned int d = dim == 2 ? 2 : 0; d < 3; ++d)
              {
                turn[d]  = random.uniform(-1., 1.);
                omega[d] = random.uniform(-1., 1.);
              }
            motion.turn(turn);
            motion.velocity = in_space(random.vector<dim>(1.));
            motion.set_angular_velocity(omega);
            bodies.push_back(
              std::make_shared<RigidNodes<dim>>(k * (dim + 1), 1.));
            bodies[k]->place(motion);
            bodies[k]->set(motion, state.start_positions);
            bodies[k]->set_velocities(motion, state.velocities);
            motion.drift(state.dt);
            bodies[k]->set(motion, state.end_positions);
            state.inverse_mass.couple(bodies[k]);
          }
        for (unsigned int i = 2 * (dim + 1); i < n + n_obstacle_nodes; ++i)
          {
            state.start_positions[i] = Point<dim>(random.vector<dim>(2.));
            if (i < n)
              state.velocities[i] = random.vector<dim>(1.);
            state.end_positions[i] =
              state.start_positions[i] + state.dt * state.velocities[i];
          }
        for (unsigned int i = 0; i < n + n_obstacle_nodes; ++i)
          nodes.push_back(i);
      }

      double
      kinetic_energy() const
      {
        double sum = 0.;
        for (const auto &body : bodies)
          sum += body->kinetic_energy(state.velocities, Tensor<1, dim>());
        for (unsigned int i = 2 * (dim + 1); i < 2 * (dim + 1) + 3; ++i)
          sum += 0.5 * (1. + i) * state.velocities[i].norm_square();
        return sum;
      }

      ContactState<dim> state;
      std::vector<std::shared_ptr<RigidNodes<dim>>> bodies;
      std::vector<unsigned int> nodes;
    };



    template <int dim>
    void
    check(const unsigned int n_obstacle_nodes)
    {
      for (unsigned int seed = 0; seed < 20; ++seed)
        {
          SCOPED_TRACE(seed);
          Zone<dim> zone(seed, n_obstacle_nodes);
          ContactState<dim> &state = zone.state;
          const double energy      = zone.kinetic_energy();
          ASSERT_TRUE(move_rigidly(zone.nodes, state));

          Vector momentum, angular_momentum;
          for (const unsigned int i : zone.nodes)
            {
              const Vector x =
                             in_space(Tensor<1, dim>(state.start_positions[i])),
                           j = in_space(state.impulses[i]);
              momentum += j;
              angular_momentum += cross_product_3d(x, j);
              // Distances do not change.
              for (const unsigned int k : zone.nodes)
                EXPECT_NEAR((state.start_positions[i] -
                             state.start_positions[k]) *
                              (state.velocities[i] - state.velocities[k]),
                            0.,
                            1e-13);
            }
          EXPECT_LT(momentum.norm(), 1e-13);
          EXPECT_LT(
            (angular_momentum - state.record.angular_momentum_change).norm(),
            1e-12);
          if (n_obstacle_nodes == 0)
            {
              EXPECT_LT(angular_momentum.norm(), 1e-12);
            }
          EXPECT_LT(zone.kinetic_energy(), energy);
          EXPECT_NEAR(state.record.restitution_loss,
                      energy - zone.kinetic_energy(),
                      1e-12 * energy);
          if (n_obstacle_nodes > 0)
            {
              EXPECT_LT(zone.kinetic_energy(), 1e-20);
            }
          for (const auto &body : zone.bodies)
            {
              const auto &corners = body->get_nodes();
              EXPECT_NEAR(state.end_positions[corners[0]].distance(
                            state.end_positions[corners[1]]),
                          state.start_positions[corners[0]].distance(
                            state.start_positions[corners[1]]),
                          1e-13);
            }
        }
    }



    TEST(RigidZone, AFreeGroupKeepsItsMomenta)
    {
      check<2>(0);
      check<3>(0);
    }



    TEST(RigidZone, AGroupOnAnObstacleAtRestStops)
    {
      check<2>(2);
      check<3>(3);
    }
  } // namespace
} // namespace Ricochet
