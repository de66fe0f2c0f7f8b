// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/projection/group_impulses.h>

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** Two free points on a line, and the constraint that keeps them in order. */
  struct TwoPoints
  {
    TwoPoints(const double gap, const double closing_speed, const double dt)
    {
      state.dt = dt;
      state.resize(2);
      state.inverse_mass.reinit(
        std::vector<Tensor<1, 2>>{Tensor<1, 2>({0.5, 0.5}),
                                  Tensor<1, 2>({2., 2.})});
      state.start_positions[0][0] = gap;
      state.velocities[0][0]      = -closing_speed;
      state.end_positions         = state.start_positions;
      state.end_positions[0][0] -= dt * closing_speed;
      constraint.collision.nodes   = {0, 1};
      constraint.collision.weights = {1., -1.};
      constraint.collision.normal  = Tensor<1, 2>({1., 0.});
      constraint.multiplier = std::max(0., dt * closing_speed - gap) / 2.5;
    }

    ContactState<2> state;
    GapConstraint<2> constraint;
  };
} // namespace



/** Points that meet at the part theta of the step separate with the restitution
 * |1 - 2 theta|: what is lost of the relative energy m w^2 / 2, m = 1 / 2.5. */
TEST(GroupImpulses, LoseWhatClosingGapsCost)
{
  const double dt = 0.1, w = 3., energy = 0.5 / 2.5 * w * w;
  for (const double theta : {0., 0.1, 0.3, 0.5, 0.8, 1.})
    {
      TwoPoints points(theta * w * dt, w, dt);
      GroupImpulses<2> impulses({points.constraint}, points.state);
      const double e = 1. - 2. * theta;
      EXPECT_EQ(impulses.share_at_end(points.constraint.collision), 1.);
      EXPECT_NEAR(impulses.loss(), energy * (1. - e * e), 1e-13);
      EXPECT_FALSE(impulses.gains(points.constraint.collision));
    }
}



/** Points that start behind each other can only be moved apart by work: the
 * impulse at the end is the one that adds none, or none at all. */
TEST(GroupImpulses, AddNoEnergy)
{
  const double dt = 0.1, w = 3.;
  for (const double depth : {0.01, 0.05, 0.1, 0.2})
    {
      TwoPoints points(-depth * w * dt, w, dt);
      GroupImpulses<2> impulses({points.constraint}, points.state);
      const double s = impulses.share_at_end(points.constraint.collision);
      EXPECT_LT(s, 1.);
      // J = m (w + depth w), v = -w: J v + J^2/2m + s J (v + J/m + s J/2m) = 0.
      const double J = (1. + depth) * w;
      EXPECT_NEAR(-J * w + 0.5 * J * J + s * J * (J - w + 0.5 * s * J),
                  0.,
                  1e-12);
      EXPECT_NEAR(impulses.loss(), 0., 1e-12);
      EXPECT_FALSE(impulses.gains(points.constraint.collision));
    }
  // So deep that the motion is turned around by the projection alone.
  TwoPoints points(-3. * w * dt, w, dt);
  GroupImpulses<2> impulses({points.constraint}, points.state);
  EXPECT_EQ(impulses.share_at_end(points.constraint.collision), 0.);
  EXPECT_LT(impulses.loss(), 0.);
  // Only edges in space can be against each other.
  EXPECT_FALSE(impulses.gains(points.constraint.collision));
}
