// SPDX-License-Identifier: LGPL-2.1-or-later

// Impulses between rigid bodies in implicit steps: what they keep, and what
// they become in short steps.

#include <ricochet/base/error.h>
#include <ricochet/base/rotation.h>
#include <ricochet/response/rigid_impacts.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "../rigid/random_motion.h"
#include "rigid_sums.h"

using namespace Ricochet;
using dealii::cross_product_3d;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** Where two bodies touch at the ends of steps without contact: the points of
   * both, apart along the normal. */
  struct Touch
  {
    Tensor<1, 3> normal;
    Point<3> slave_point, master_point;
  };



  Touch
  random_touch(Random &random)
  {
    Touch touch;
    touch.normal = random.vector<3>(1.);
    touch.normal /= touch.normal.norm();
    touch.master_point = Point<3>(random.vector<3>(1.));
    touch.slave_point =
      touch.master_point - random.uniform(0., 0.02) * touch.normal;
    return touch;
  }



  std::vector<RigidStep>
  free_steps(const std::vector<RigidMotion> &motions, const double dt)
  {
    std::vector<RigidStep> steps;
    for (const RigidMotion &motion : motions)
      {
        steps.emplace_back(motion, dt);
        steps.back().solve({}, {});
      }
    return steps;
  }



  RigidContact
  contact(const std::vector<RigidStep> &steps, const Touch &touch)
  {
    return RigidContact(steps,
                        0,
                        1,
                        touch.normal,
                        touch.slave_point,
                        touch.master_point);
  }



  /** 1/m + (r x n) . I^-1 (r x n). */
  double
  mobility(const RigidMotion &motion,
           const Tensor<1, 3> &arm,
           const Tensor<1, 3> &normal)
  {
    const Tensor<1, 3> lever = cross_product_3d(arm, normal);
    return 1. / motion.mass.mass + lever * (motion.inverse_inertia() * lever);
  }
} // namespace



TEST(RigidImpacts, ShortStepsAreElasticImpacts)
{
  Random random(1);
  unsigned int n_impacts = 0;
  for (unsigned int n = 0; n < 50; ++n)
    {
      const std::vector<RigidMotion> start = {random_motion(random),
                                              random_motion(random)};
      Touch touch                          = random_touch(random);
      touch.slave_point                    = touch.master_point;
      double closing = 0., flexibility = 0.;
      for (const bool is_slave : {true, false})
        {
          const RigidMotion &motion = start[is_slave ? 0 : 1];
          const Tensor<1, 3> arm    = touch.master_point - motion.centre;
          const Tensor<1, 3> v =
            motion.velocity + cross_product_3d(motion.angular_velocity(), arm);
          closing -= (is_slave ? 1. : -1.) * (v * touch.normal);
          flexibility += mobility(motion, arm, touch.normal);
        }
      const double expected = std::max(2. * closing / flexibility, 0.);
      if (std::abs(closing) < 0.5)
        continue; // far from the change between both kinds
      n_impacts += closing > 0.;
      std::vector<double> errors;
      for (const double dt : {1e-4, 1e-5})
        {
          auto steps = free_steps(start, dt);
          const auto impulses =
            solve_rigid_impacts({contact(steps, touch)}, steps);
          errors.push_back(std::abs(impulses[0] - expected));
        }
      // Of first order.
      EXPECT_LE(errors[0], 1e-2 * expected);
      EXPECT_LE(errors[1], 0.11 * errors[0] + 1e-9 * expected);
    }
  EXPECT_GE(n_impacts, 10u);
}



TEST(RigidImpacts, EnergyAndMomentaStay)
{
  Random random(2);
  unsigned int n_pushed = 0;
  for (unsigned int n = 0; n < 400; ++n)
    {
      const std::vector<RigidMotion> start = {random_motion(random),
                                              random_motion(random)};
      auto steps =
        free_steps(start,
                   std::array<double, 4>{{1e-4, 1e-2, 0.05, 0.1}}[n % 4]);
      std::vector<RigidContact> contacts;
      for (unsigned int j = 0; j < 1 + n % 7; ++j)
        contacts.push_back(contact(steps, random_touch(random)));
      // Also more points than there are motions of both.
      for (unsigned int j = 0; j < n % 3; ++j)
        contacts.push_back(contacts[j % contacts.size()]);
      std::vector<double> impulses;
      try
        {
          impulses = solve_rigid_impacts(contacts, steps);
        }
      catch (const RunError &)
        {
          // Random points may leave no room in a step that long.
          EXPECT_GT(steps[0].length(), 1e-3);
          continue;
        }
      const RigidSums before = sums({start[0], start[1]}),
                      after  = sums({steps[0].end(), steps[1].end()});
      EXPECT_NEAR(after.energy, before.energy, 3e-13 * before.energy);
      EXPECT_LE((after.momentum - before.momentum).norm(), 3e-14);
      EXPECT_LE((after.angular_momentum - before.angular_momentum).norm(),
                2e-13);
      for (unsigned int j = 0; j < contacts.size(); ++j)
        {
          EXPECT_GE(impulses[j], 0.);
          EXPECT_GE(contacts[j].opening(steps), -1e-11);
          n_pushed += impulses[j] > 0.;
        }
    }
  EXPECT_GE(n_pushed, 400u);
}



TEST(RigidImpacts, RolesAndAxesDoNotMatter)
{
  Random random(3);
  for (unsigned int n = 0; n < 50; ++n)
    {
      const std::vector<RigidMotion> start = {random_motion(random),
                                              random_motion(random)};
      const double dt                      = 0.02;
      const Touch touch                    = random_touch(random);
      auto steps                           = free_steps(start, dt);
      const double impulse =
        solve_rigid_impacts({contact(steps, touch)}, steps)[0];

      auto exchanged = free_steps({start[1], start[0]}, dt);
      EXPECT_NEAR(solve_rigid_impacts({contact(exchanged,
                                               {-touch.normal,
                                                touch.master_point,
                                                touch.slave_point})},
                                      exchanged)[0],
                  impulse,
                  1e-13 * (1. + impulse));

      // All turned about the origin.
      const Tensor<1, 3> turn = random.vector<3>(2.);
      const Tensor<2, 3> R    = rotation_matrix<3>(turn);
      const auto turned       = [&](const Tensor<1, 3> &x) {
        return Point<3>(Tensor<1, 3>(R * x));
      };
      std::vector<RigidMotion> motions = start;
      for (RigidMotion &motion : motions)
        {
          const Tensor<1, 3> omega = motion.angular_velocity();
          motion.turn(turn);
          motion.centre   = turned(motion.centre);
          motion.velocity = R * motion.velocity;
          motion.set_angular_velocity(R * omega);
        }
      auto turned_steps = free_steps(motions, dt);
      EXPECT_NEAR(solve_rigid_impacts({contact(turned_steps,
                                               {R * touch.normal,
                                                turned(touch.slave_point),
                                                turned(touch.master_point)})},
                                      turned_steps)[0],
                  impulse,
                  1e-12 * (1. + impulse));
      EXPECT_LE(
        (turned_steps[0].end().spin() - R * steps[0].end().spin()).norm(),
        1e-12 * (1. + impulse));
    }
}



TEST(RigidImpacts, APlateWithManyPointsReboundsStraight)
{
  RigidMass mass;
  mass.mass             = 2.;
  RigidMotion wall      = RigidMotion(mass, {});
  wall.holds_velocity   = {{true, true, true}};
  wall.holds_rotation   = true;
  wall.velocity[2]      = 0.5;
  RigidMotion plate     = RigidMotion(mass, Point<3>(0., 0., 0.1));
  plate.velocity        = Tensor<1, 3>({1., 0., -3.});
  auto steps            = free_steps({plate, wall}, 0.01);
  const Tensor<1, 3> up = Tensor<1, 3>({0., 0., 1.});
  std::vector<RigidContact> contacts;
  for (unsigned int i = 0; i < 6; ++i)
    for (unsigned int j = 0; j < 6; ++j)
      {
        const Point<3> point(0.2 * i - 0.5, 0.2 * j - 0.5, 0.);
        contacts.push_back(contact(steps, {up, point, point}));
      }
  const auto impulses = solve_rigid_impacts(contacts, steps);
  double sum          = 0.;
  for (const double impulse : impulses)
    sum += impulse;
  EXPECT_NEAR(sum, 2. * 2. * 3.5, 1e-12);
  EXPECT_LE((steps[0].end().velocity - Tensor<1, 3>({1., 0., 4.})).norm(),
            1e-13);
  EXPECT_LE(steps[0].end().angular_velocity().norm(), 1e-12);
}



TEST(RigidImpacts, WhatIsSqueezedIsTold)
{
  RigidMotion wall(RigidMass(), {});
  wall.holds_velocity = {{true, true, true}};
  wall.holds_rotation = true;
  wall.velocity[0]    = 1.;
  RigidMotion other   = wall;
  other.velocity[0]   = -1.;
  auto steps = free_steps({RigidMotion(RigidMass(), {}), wall, other}, 0.1);
  const Tensor<1, 3> x = Tensor<1, 3>({1., 0., 0.});
  const Point<3> left(-1., 0., 0.), right(1., 0., 0.);
  EXPECT_THROW(
    solve_rigid_impacts({RigidContact(steps, 0, 1, x, left, left),
                         RigidContact(steps, 0, 2, -x, right, right)},
                        steps),
    RunError);
}



TEST(RigidImpacts, SomeBodiesAwayChangeNothing)
{
  // Three in a row and two others: islands.
  Random random(4);
  std::vector<RigidMotion> start;
  for (unsigned int i = 0; i < 5; ++i)
    start.push_back(random_motion(random));
  auto all             = free_steps(start, 0.01);
  auto three           = free_steps({start[0], start[1], start[2]}, 0.01);
  const Tensor<1, 3> x = Tensor<1, 3>({1., 0., 0.});
  std::vector<RigidContact> contacts;
  const auto meet = [&](const std::vector<RigidStep> &steps,
                        const unsigned int slave,
                        const unsigned int master) {
    const Point<3> point = steps[slave].end().centre;
    const double closing =
      x * (steps[slave].mean_velocity_at({}) -
           steps[master].mean_velocity_at(point - steps[master].end().centre));
    contacts
      .emplace_back(steps, slave, master, closing < 0. ? x : -x, point, point);
  };
  meet(three, 0, 1);
  meet(three, 1, 2);
  const auto alone = solve_rigid_impacts(contacts, three);
  EXPECT_GT(alone[0] + alone[1], 0.);
  contacts.clear();
  meet(all, 0, 1);
  meet(all, 3, 4);
  meet(all, 1, 2);
  const auto impulses = solve_rigid_impacts(contacts, all);
  EXPECT_EQ(impulses[0], alone[0]);
  EXPECT_EQ(impulses[2], alone[1]);
  EXPECT_GT(impulses[1], 0.);
  const RigidSums before = sums(start);
  const RigidSums after  = sums(
    {all[0].end(), all[1].end(), all[2].end(), all[3].end(), all[4].end()});
  EXPECT_NEAR(after.energy, before.energy, 1e-13 * before.energy);
}
