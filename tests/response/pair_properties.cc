// SPDX-License-Identifier: LGPL-2.1-or-later

// What every impulse must do whatever the data: random pairs, supported nodes,
// energy to return.

#include <ricochet/impulse/impulse.h>
#include <ricochet/impulse/inverse_mass.h>

#include <deal.II/base/point.h>

#include <gtest/gtest.h>

#include "../random.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  class RandomPair
  {
  public:
    explicit RandomPair(const unsigned int seed)
      : random(seed)
    {
      // A vertex on a triangle, weights 1 and -N.
      const double a = random.uniform(0., 1.), b = random.uniform(0., 1. - a);
      collision.nodes   = {0, 1, 2, 3};
      collision.weights = {1., -(1. - a - b), -a, -b};
      for (unsigned int i = 0; i < 4; ++i)
        {
          positions.push_back(Point<3>(random.vector<3>(1.)));
          velocities.push_back(random.vector<3>(1.));
          const double w = std::exp(random.uniform(-2., 2.));
          lumped.push_back(Tensor<1, 3>({w, w, w}));
        }
      // Close the gap: put the vertex on the triangle.
      positions[0] = Point<3>();
      for (unsigned int i = 1; i < 4; ++i)
        positions[0] -= collision.weights[i] * Tensor<1, 3>(positions[i]);
      normal = random.vector<3>(1.);
      normal /= normal.norm();
    }

    /** Apply an impulse; masses are the inverses of the inverse masses. */
    PairImpulse<3>
    collide(const double e, const double mu)
    {
      InverseMass<3> inverse_mass;
      inverse_mass.reinit(lumped);
      const auto result = pair_impulse(inverse_mass.effective(collision),
                                       normal,
                                       collision.weighted_sum(velocities),
                                       e,
                                       mu);
      inverse_mass.apply(collision, result.impulse, velocities);
      return result;
    }

    Tensor<1, 3>
    linear_momentum() const
    {
      Tensor<1, 3> sum;
      for (unsigned int i = 0; i < 4; ++i)
        for (unsigned int d = 0; d < 3; ++d)
          sum[d] += velocities[i][d] / lumped[i][d];
      return sum;
    }

    Tensor<1, 3>
    angular_momentum() const
    {
      Tensor<1, 3> sum;
      for (unsigned int i = 0; i < 4; ++i)
        sum += cross_product_3d(Tensor<1, 3>(positions[i]), velocities[i]) /
               lumped[i][0];
      return sum;
    }

    double
    kinetic_energy() const
    {
      double sum = 0.;
      for (unsigned int i = 0; i < 4; ++i)
        for (unsigned int d = 0; d < 3; ++d)
          if (lumped[i][d] > 0.)
            sum += 0.5 * velocities[i][d] * velocities[i][d] / lumped[i][d];
      return sum;
    }

    double
    closing_speed() const
    {
      return -(normal * collision.weighted_sum(velocities));
    }

    Random random;
    std::vector<Point<3>> positions;
    std::vector<Tensor<1, 3>> velocities, lumped;
    Tensor<1, 3> normal;
    Collision<3> collision;
  };
} // namespace



TEST(PairImpulse, ConservesMomentaAndAccountsForEnergy)
{
  unsigned int n_closing = 0;
  for (unsigned int seed = 0; seed < 500; ++seed)
    {
      RandomPair pair(seed);
      const double e    = seed % 3 == 0 ? 1. : pair.random.uniform(0., 1.);
      const double mu   = seed % 2 == 0 ? 0. : pair.random.uniform(0., 2.);
      const double u    = pair.closing_speed();
      const auto p      = pair.linear_momentum();
      const auto l      = pair.angular_momentum();
      const double k    = pair.kinetic_energy();
      const auto result = pair.collide(e, mu);

      EXPECT_LE((pair.linear_momentum() - p).norm(), 1e-13 * p.norm() + 1e-13);
      EXPECT_LE((pair.angular_momentum() - l).norm(), 1e-13 * l.norm() + 1e-13);
      EXPECT_NEAR(k - pair.kinetic_energy(),
                  result.restitution_loss + result.friction_loss,
                  1e-13 * k);
      EXPECT_GE(result.restitution_loss, -1e-14 * k);
      EXPECT_GE(result.friction_loss, -1e-14 * k);
      if (u > 0.)
        {
          ++n_closing;
          EXPECT_NEAR(pair.closing_speed(), -e * u, 1e-13);
        }
      else
        EXPECT_EQ(result.impulse.norm(), 0.);
    }
  EXPECT_GT(n_closing, 100u);
}



TEST(PairImpulse, KeepsCoulombsConeWithPartlySupportedNodes)
{
  for (unsigned int seed = 0; seed < 500; ++seed)
    {
      RandomPair pair(seed);
      // A roller: one node cannot move in x, another not at all.
      pair.lumped[1][0]     = 0.;
      pair.lumped[2]        = Tensor<1, 3>();
      pair.velocities[1][0] = 0.;
      pair.velocities[2]    = Tensor<1, 3>();
      const double mu       = pair.random.uniform(0., 0.4);
      const double e        = pair.random.uniform(0., 1.);
      const double u        = pair.closing_speed();
      const double k        = pair.kinetic_energy();
      const auto result     = pair.collide(e, mu);
      if (u <= 0.)
        continue;
      EXPECT_EQ(pair.velocities[2].norm(), 0.);
      EXPECT_EQ(pair.velocities[1][0], 0.);
      EXPECT_NEAR(pair.closing_speed(), -e * u, 1e-12);
      const double normal_part = result.impulse * pair.normal;
      const Tensor<1, 3> tangential =
        result.impulse - normal_part * pair.normal;
      EXPECT_LE(tangential.norm(), mu * normal_part * (1. + 1e-12));
      EXPECT_NEAR(k - pair.kinetic_energy(),
                  result.restitution_loss + result.friction_loss,
                  1e-13 * k);
    }
}
