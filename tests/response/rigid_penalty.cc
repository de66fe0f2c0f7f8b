// SPDX-License-Identifier: LGPL-2.1-or-later

// Springs between rigid bodies in implicit steps: what they keep.

#include <ricochet/base/rotation.h>
#include <ricochet/response/rigid_penalty.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "../rigid/random_motion.h"
#include "rigid_sums.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  using Shape = RigidPenaltyPair::Shape;



  /** Bodies with a pair that overlaps a little. */
  struct Scene
  {
    std::vector<RigidMotion> motions;
    RigidPenaltyPair pair;

    Scene(Random &random, const Shape shape)
      : motions{random_motion(random), random_motion(random)}
    {
      const auto in_body = [&](const unsigned int b, const Tensor<1, 3> &x) {
        return transpose(motions[b].rotation()) *
               (x - Tensor<1, 3>(motions[b].centre));
      };
      pair.slave           = 0;
      pair.master          = 1;
      pair.shape           = shape;
      pair.stiffness       = std::exp(random.uniform(2., 6.));
      const Tensor<1, 3> x = random.vector<3>(1.);
      Tensor<1, 3> away    = random.vector<3>(1.);
      const double overlap = random.uniform(0., 0.05);
      pair.slave_point     = in_body(0, x);
      if (shape == Shape::facet)
        {
          Tensor<1, 3> a = random.vector<3>(1.), b = random.vector<3>(1.);
          Tensor<1, 3> normal = cross_product_3d(a, b);
          normal /= normal.norm();
          pair.distance           = random.uniform(0., 0.1);
          const Tensor<1, 3> foot = x - (pair.distance - overlap) * normal;
          pair.master_points[0]   = in_body(1, foot - 0.3 * a - 0.3 * b);
          pair.master_points[1]   = in_body(1, foot + 0.7 * a - 0.3 * b);
          pair.master_points[2]   = in_body(1, foot - 0.3 * a + 0.7 * b);
        }
      else
        {
          pair.master_points[0] = in_body(1, x - away);
          pair.distance =
            away.norm() + (shape == Shape::sphere ? overlap : -overlap);
        }
      pair.gap = pair.true_gap(motions[0], motions[1]);
      EXPECT_NEAR(pair.gap, -overlap, 1e-14);
    }

    void
    step(const double dt)
    {
      std::vector<RigidStep> steps;
      for (const RigidMotion &motion : motions)
        {
          steps.emplace_back(motion, dt);
          steps.back().solve({}, {});
        }
      std::vector<RigidPenaltyPair> pairs = {pair};
      solve_rigid_penalty(pairs, steps);
      pair    = pairs[0];
      motions = {steps[0].end(), steps[1].end()};
    }
  };



  const Shape shapes[] = {Shape::facet, Shape::sphere, Shape::hollow_sphere};
} // namespace



TEST(RigidPenalty, EnergyAndMomentaStay)
{
  Random random(1);
  for (unsigned int n = 0; n < 150; ++n)
    {
      Scene scene(random, shapes[n % 3]);
      scene.pair.end_gap     = scene.pair.gap;
      const RigidSums before = sums(scene.motions);
      const double energy    = before.energy + scene.pair.stored_energy();
      // Until they have parted, at whichever gap.
      for (unsigned int i = 0; i < 20; ++i)
        {
          scene.step(n % 2 == 0 ? 0.03 : 0.004);
          const RigidSums after = sums(scene.motions);
          EXPECT_NEAR(after.energy + scene.pair.stored_energy(),
                      energy,
                      1e-12 * energy);
          EXPECT_LE((after.momentum - before.momentum).norm(), 1e-12);
          EXPECT_LE((after.angular_momentum - before.angular_momentum).norm(),
                    1e-11);
          EXPECT_GE(scene.pair.force, 0.);
          if (scene.pair.end_gap >= 0.)
            break;
          scene.pair.gap = scene.pair.end_gap;
        }
    }
}



TEST(RigidPenalty, TheDynamicGapIsTheTrueOneToSecondOrder)
{
  Random random(2);
  for (unsigned int n = 0; n < 60; ++n)
    {
      const Scene scene(random, shapes[n % 3]);
      std::vector<double> errors;
      for (const double dt : {4e-4, 2e-4})
        {
          Scene in_step = scene;
          in_step.step(dt);
          errors.push_back(std::abs(
            in_step.pair.end_gap -
            in_step.pair.true_gap(in_step.motions[0], in_step.motions[1])));
        }
      // In one step of third order.
      EXPECT_LE(errors[1], errors[0] / 7. + 1e-14);
      EXPECT_LE(errors[0], 1e-8);
    }
}



TEST(RigidPenalty, RolesOfSpheresAndAxesDoNotMatter)
{
  Random random(3);
  for (unsigned int n = 0; n < 60; ++n)
    {
      const Scene scene(random, shapes[n % 3]);
      Scene plain = scene;
      plain.step(0.02);
      if (scene.pair.shape != Shape::facet)
        {
          Scene exchanged = scene;
          std::swap(exchanged.pair.slave_point,
                    exchanged.pair.master_points[0]);
          std::swap(exchanged.pair.slave, exchanged.pair.master);
          exchanged.step(0.02);
          EXPECT_NEAR(exchanged.pair.force,
                      plain.pair.force,
                      1e-10 * plain.pair.force);
        }
      Scene turned            = scene;
      const Tensor<1, 3> turn = random.vector<3>(2.);
      const Tensor<2, 3> R    = rotation_matrix<3>(turn);
      for (RigidMotion &motion : turned.motions)
        {
          const Tensor<1, 3> omega = motion.angular_velocity();
          motion.turn(turn);
          motion.centre   = Point<3>(Tensor<1, 3>(R * motion.centre));
          motion.velocity = R * motion.velocity;
          motion.set_angular_velocity(R * omega);
        }
      turned.step(0.02);
      EXPECT_NEAR(turned.pair.force,
                  plain.pair.force,
                  1e-10 * (1. + plain.pair.force));
      EXPECT_LE((turned.pair.normal - R * plain.pair.normal).norm(), 1e-12);
    }
}



TEST(RigidPenalty, WhatIsApartIsFree)
{
  Random random(4);
  for (unsigned int n = 0; n < 30; ++n)
    {
      Scene scene(random, shapes[n % 3]);
      scene.pair.gap                       = 1.;
      const std::vector<RigidMotion> start = scene.motions;
      scene.step(0.01);
      EXPECT_EQ(scene.pair.force, 0.);
      for (unsigned int b = 0; b < 2; ++b)
        {
          EXPECT_LE((scene.motions[b].velocity - start[b].velocity).norm(),
                    1e-15);
          EXPECT_EQ(scene.motions[b].angular_momentum,
                    start[b].angular_momentum);
        }
    }
}



TEST(RigidPenalty, ABallOnAFloorComesBackAsFast)
{
  RigidMotion floor(RigidMass(), {});
  floor.holds_velocity = {{true, true, true}};
  floor.holds_rotation = true;
  RigidMotion ball(RigidMass(), Point<3>(0.2, 0.2, 0.1));
  ball.velocity = Tensor<1, 3>({0.3, 0., -2.});
  RigidPenaltyPair pair;
  pair.slave         = 0;
  pair.master        = 1;
  pair.distance      = 0.1;
  pair.stiffness     = 1e4;
  pair.master_points = {{Tensor<1, 3>({0., 0., 0.}),
                         Tensor<1, 3>({1., 0., 0.}),
                         Tensor<1, 3>({0., 1., 0.})}};
  double lowest = 0., time = 0.;
  const double dt = 1e-4;
  do
    {
      std::vector<RigidStep> steps = {RigidStep(ball, dt),
                                      RigidStep(floor, dt)};
      steps[1].solve({}, {});
      std::vector<RigidPenaltyPair> pairs = {pair};
      solve_rigid_penalty(pairs, steps);
      pair     = pairs[0];
      pair.gap = pair.end_gap;
      ball     = steps[0].end();
      lowest   = std::min(lowest, pair.gap);
      time += dt;
  } while (pair.gap < 0.);
  EXPECT_LE((ball.velocity - Tensor<1, 3>({0.3, 0., 2.})).norm(), 1e-12);
  // A linear oscillator, half a period.
  EXPECT_NEAR(lowest, -2. / 100., 1e-5);
  EXPECT_NEAR(time, M_PI / 100., 2. * dt);
}
