// SPDX-License-Identifier: LGPL-2.1-or-later

// An implicit step of one rigid body: energy, momenta, derivatives.

#include <ricochet/base/error.h>
#include <ricochet/rigid/rigid_step.h>

#include <cmath>
#include <gtest/gtest.h>

#include "random_motion.h"

using namespace Ricochet;
using dealii::cross_product_3d;
using dealii::Tensor;

namespace
{
  const double steps_of_time[] = {1e-4, 1e-2, 0.1, 0.3};
}



TEST(RigidStep, ImpulsesChangeMomentaAndDoTheirWork)
{
  Random random(1);
  for (unsigned int n = 0; n < 200; ++n)
    {
      const RigidMotion start = random_motion(random);
      const double dt         = steps_of_time[n % 4];
      const auto P = random.vector<3>(1.), T = random.vector<3>(0.2),
                 f = random.vector<3>(1.);
      RigidStep step(start, dt, f);
      step.solve(P, T);
      const RigidMotion &end = step.end();

      EXPECT_LE((end.momentum() - start.momentum() - P - dt * f).norm(), 1e-14);
      EXPECT_LE((end.spin() - start.spin() - T).norm(), 1e-14);
      EXPECT_LE((step.impulse() - P).norm(), 1e-14);
      EXPECT_LE((step.angular_impulse() - T).norm(), 1e-13);
      const double work =
        (P + dt * f) * step.mean_velocity() + T * step.mean_angular_velocity();
      EXPECT_NEAR(end.kinetic_energy() - start.kinetic_energy(),
                  work,
                  1e-13 * (start.kinetic_energy() + end.kinetic_energy()));
      // The angular velocity of equation (6), without its inertia.
      EXPECT_LE((end.angular_velocity() -
                 (2. / dt * step.turn() -
                  end.rotation() *
                    (transpose(start.rotation()) * start.angular_velocity())))
                  .norm(),
                1e-12);
    }
}



TEST(RigidStep, MeansAndImpulsesAreEachOthersInverse)
{
  Random random(2);
  for (unsigned int n = 0; n < 100; ++n)
    {
      const RigidMotion start = random_motion(random);
      const double dt         = steps_of_time[n % 4];
      const auto f            = random.vector<3>(1.);
      RigidStep step(start, dt, f), again(start, dt, f);
      step.solve(random.vector<3>(1.), random.vector<3>(0.2));
      again.set_means(step.mean_velocity(), step.mean_angular_velocity());
      EXPECT_LE((again.impulse() - step.impulse()).norm(), 1e-13);
      EXPECT_LE((again.angular_impulse() - step.angular_impulse()).norm(),
                1e-13);
      EXPECT_LE((again.end().centre - step.end().centre).norm(), 1e-14);
      EXPECT_LE((again.end().rotation() - step.end().rotation()).norm(), 1e-13);
      EXPECT_LE(
        (again.rotational_mobility() - step.rotational_mobility()).norm(),
        1e-7 * step.rotational_mobility().norm());
    }
}



TEST(RigidStep, DerivativesAreThose)
{
  Random random(3);
  for (unsigned int n = 0; n < 100; ++n)
    {
      const RigidMotion start = random_motion(random);
      const double dt         = steps_of_time[n % 4];
      const auto P = random.vector<3>(1.), T = random.vector<3>(0.2);
      const auto change = random.vector<3>(1e-5);
      RigidStep step(start, dt), less(start, dt), more(start, dt);
      step.solve(P, T);
      less.solve(P, T - change);
      more.solve(P, T + change);
      const Tensor<1, 3> difference =
        0.5 * (more.mean_angular_velocity() - less.mean_angular_velocity());
      EXPECT_LE((step.rotational_mobility() * change - difference).norm(),
                1e-7 * difference.norm());
      const auto mean = step.mean_angular_velocity();
      less.set_means(step.mean_velocity(), mean - change);
      more.set_means(step.mean_velocity(), mean + change);
      const Tensor<1, 3> angular =
        0.5 * (more.angular_impulse() - less.angular_impulse());
      EXPECT_LE((step.rotational_resistance() * change - angular).norm(),
                1e-7 * angular.norm());
    }
}



TEST(RigidStep, ModifiedArmsMakeTheRotationOfTheStep)
{
  Random random(4);
  for (unsigned int n = 0; n < 100; ++n)
    {
      const RigidMotion start = random_motion(random);
      const double dt         = steps_of_time[n % 4];
      RigidStep step(start, dt);
      // On both sides of where series replace functions.
      const Tensor<1, 3> turn = random.vector<3>(n % 2 == 0 ? 1. : 0.0075);
      step.set_means(start.velocity, turn / dt);
      const Tensor<1, 3> R_0 = random.vector<3>(1.);
      const Tensor<1, 3> R_1 =
        step.end().rotation() * (transpose(start.rotation()) * R_0);
      const double half           = 0.5 * turn.norm();
      const Tensor<1, 3> expected = 0.5 * std::tan(half) / half * (R_0 + R_1);
      EXPECT_LE((step.modified_arm(R_0) - expected).norm(), 1e-13);
      EXPECT_LE((cross_product_3d(step.turn(), step.modified_arm(R_0)) -
                 (R_1 - R_0))
                  .norm(),
                1e-14);
    }
}



TEST(RigidStep, WhatIsHeldFollows)
{
  Random random(5);
  for (unsigned int n = 0; n < 20; ++n)
    {
      RigidMotion start       = random_motion(random);
      start.holds_velocity[1] = true;
      start.holds_rotation    = true;
      RigidMotion held        = start;
      held.velocity           = random.vector<3>(1.);
      held.set_angular_velocity(random.vector<3>(1.));
      RigidStep step(start, 0.1);
      step.hold(held);
      const auto P = random.vector<3>(1.);
      step.solve(P, random.vector<3>(1.));
      EXPECT_EQ(step.end().velocity[1], held.velocity[1]);
      EXPECT_NEAR(step.end().velocity[0],
                  start.velocity[0] + P[0] / start.mass.mass,
                  1e-14);
      EXPECT_EQ(step.mobility(1), 0.);
      EXPECT_EQ(step.rotational_mobility().norm(), 0.);
      EXPECT_LE((step.turn() - 0.05 * (start.held_angular_velocity +
                                       held.held_angular_velocity))
                  .norm(),
                1e-15);
    }
}



TEST(RigidStep, MoreThanHalfATurnIsRefused)
{
  RigidMotion start{RigidMass(), dealii::Point<3>()};
  start.set_angular_velocity(Tensor<1, 3>({0., 0., 100.}));
  RigidStep step(start, 0.1);
  EXPECT_THROW(step.solve({}, {}), RunError);
}
