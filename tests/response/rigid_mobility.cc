// SPDX-License-Identifier: LGPL-2.1-or-later

// A mass with full blocks: that of rigid bodies, which no part of the library
// has. Contact must need nothing else of it.

#include <ricochet/impulse/pair_response.h>
#include <ricochet/projection/closest_point_projection.h>

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <vector>

#include "../random.h"

namespace Ricochet
{
  namespace
  {
    using dealii::Point;
    using dealii::Tensor;

    /** The matrix of the cross product, r x. */
    Tensor<2, 3>
    spin_of(const Tensor<1, 3> &r)
    {
      Tensor<2, 3> result;
      result[0][1] = -(result[1][0] = r[2]);
      result[1][2] = -(result[2][1] = r[0]);
      result[2][0] = -(result[0][2] = r[1]);
      return result;
    }



    /** A free rigid body, by its nodes. */
    class FreeRigidNodes : public CoupledNodes<3>
    {
    public:
      FreeRigidNodes(const std::vector<unsigned int> &nodes,
                     const std::vector<Tensor<1, 3>> &arms,
                     const double mass,
                     const Tensor<2, 3> &inertia)
        : CoupledNodes<3>(nodes)
        , arms(arms)
        , mass(mass)
        , inertia(inertia)
      {}

      Tensor<2, 3>
      block(const unsigned int i, const unsigned int j) const override
      {
        Tensor<2, 3> result =
          -1. * spin_of(arms[i]) * invert(inertia) * spin_of(arms[j]);
        for (unsigned int d = 0; d < 3; ++d)
          result[d][d] += 1. / mass;
        return result;
      }

      bool
      has_diagonal_blocks() const override
      {
        return false;
      }

      const std::vector<Tensor<1, 3>> arms; // from the centre of mass
      const double mass;
      const Tensor<2, 3> inertia;
    };



    /** A rigid body of five mass points that hits a facet of three free ones
     * with its first one, all at random. */
    class Impact
    {
    public:
      explicit Impact(const unsigned int seed)
        : random(seed)
      {
        std::vector<double> masses;
        double mass = 0.;
        Tensor<1, 3> centre;
        for (unsigned int i = 0; i < 5; ++i)
          {
            masses.push_back(std::exp(random.uniform(-1., 1.)));
            positions.push_back(Point<3>(random.vector<3>(1.)));
            mass += masses[i];
            centre += masses[i] * Tensor<1, 3>(positions[i]);
          }
        centre /= mass;
        std::vector<Tensor<1, 3>> arms;
        Tensor<2, 3> inertia;
        for (unsigned int i = 0; i < 5; ++i)
          {
            arms.push_back(positions[i] - centre);
            const Tensor<2, 3> spin = spin_of(arms[i]);
            inertia += -masses[i] * spin * spin;
          }
        velocity = random.vector<3>(1.);
        spin     = random.vector<3>(1.);
        for (const auto &arm : arms)
          velocities.push_back(velocity + cross_product_3d(spin, arm));
        std::vector<unsigned int> members(5);
        std::iota(members.begin(), members.end(), 0u);
        body = std::make_shared<FreeRigidNodes>(members, arms, mass, inertia);

        std::vector<Tensor<1, 3>> lumped(8);
        collision.nodes   = {0, 5, 6, 7};
        collision.weights = {1., -0.2, -0.5, -0.3};
        collision.length  = 1.;
        for (unsigned int i = 5; i < 8; ++i)
          {
            const double inverse = std::exp(random.uniform(-1., 1.));
            lumped[i]            = Tensor<1, 3>({inverse, inverse, inverse});
            positions.push_back(Point<3>(random.vector<3>(1.)));
            velocities.push_back(random.vector<3>(1.));
          }
        collision.normal = random.vector<3>(1.);
        collision.normal /= collision.normal.norm();
        if (collision.normal * collision.weighted_sum(velocities) > 0.)
          collision.normal *= -1.;
        inverse_mass.reinit(lumped);
        inverse_mass.couple(body);
        for (unsigned int i = 5; i < 8; ++i)
          facet_masses.push_back(1. / lumped[i][0]);
      }

      /** n . C n from the theory of rigid bodies: 1/m + (r x n) . I^-1 (r x n)
       * and the masses of the facet. */
      double
      flexibility() const
      {
        const Tensor<1, 3> lever =
          cross_product_3d(body->arms[0], collision.normal);
        double result =
          1. / body->mass + lever * (invert(body->inertia) * lever);
        for (unsigned int i = 0; i < 3; ++i)
          result += collision.weights[i + 1] * collision.weights[i + 1] /
                    facet_masses[i];
        return result;
      }

      Random random;
      std::vector<Point<3>> positions;
      std::vector<Tensor<1, 3>> velocities;
      Tensor<1, 3> velocity, spin; // of the body, before
      std::shared_ptr<FreeRigidNodes> body;
      std::vector<double> facet_masses;
      Collision<3> collision;
      InverseMass<3> inverse_mass;
    };
  } // namespace



  TEST(RigidMobility, AnImpactAtAnOffsetIsThatOfTheory)
  {
    for (unsigned int seed = 0; seed < 200; ++seed)
      {
        Impact impact(seed);
        const Collision<3> &collision = impact.collision;
        const Tensor<1, 3> n          = collision.normal;
        const double e = 0.5 * (1. + impact.random.uniform(-1., 1.));
        const double u = n * collision.weighted_sum(impact.velocities);
        const double j = -(1. + e) * u / impact.flexibility();

        const auto before = impact.velocities;
        const auto result =
          pair_impulse(impact.inverse_mass.effective(collision),
                       n,
                       collision.weighted_sum(before),
                       e,
                       0.);
        impact.inverse_mass.apply(collision, result.impulse, impact.velocities);
        EXPECT_NEAR(n * result.impulse, j, 1e-12 * j);
        EXPECT_NEAR(n * collision.weighted_sum(impact.velocities),
                    -e * u,
                    1e-12 * (1. + std::abs(u)));

        // The body moves as one with the impulse and its moment.
        const Tensor<1, 3> velocity =
          impact.velocity + j / impact.body->mass * n;
        const Tensor<1, 3> spin =
          impact.spin +
          invert(impact.body->inertia) *
            cross_product_3d(impact.body->arms[0], Tensor<1, 3>(j * n));
        for (unsigned int i = 0; i < 5; ++i)
          {
            const Tensor<1, 3> expected =
              velocity + cross_product_3d(spin, impact.body->arms[i]);
            EXPECT_LE((impact.velocities[i] - expected).norm(),
                      1e-12 * (1. + expected.norm()));
          }

        const auto energy = [&](const Tensor<1, 3> &v,
                                const Tensor<1, 3> &w,
                                const std::vector<Tensor<1, 3>> &nodes) {
          double sum = 0.5 * impact.body->mass * v.norm_square() +
                       0.5 * (w * (impact.body->inertia * w));
          for (unsigned int i = 0; i < 3; ++i)
            sum += 0.5 * impact.facet_masses[i] * nodes[5 + i].norm_square();
          return sum;
        };
        const double energy_before =
          energy(impact.velocity, impact.spin, before);
        EXPECT_NEAR(energy_before - energy(velocity, spin, impact.velocities),
                    result.restitution_loss,
                    1e-12 * energy_before);
      }
  }



  // One node of the body moves another one that has a contact of its own.
  TEST(RigidMobility, ProjectionsKnowThatNodesMoveTogether)
  {
    for (unsigned int seed = 0; seed < 100; ++seed)
      {
        Impact impact(seed);
        std::vector<GapConstraint<3>> constraints(2);
        constraints[0].collision       = impact.collision;
        constraints[1].collision       = impact.collision;
        constraints[1].collision.nodes = {1, 5, 6, 7};
        for (auto &constraint : constraints)
          constraint.target =
            constraint.collision.normal *
              constraint.collision.weighted_sum(impact.positions) +
            0.01 * (2. + impact.random.uniform(-1., 1.));
        std::vector<Point<3>> x;
        const auto result = project_onto_gaps(constraints,
                                              impact.inverse_mass,
                                              impact.positions,
                                              x);
        EXPECT_TRUE(result.is_solved);
        EXPECT_EQ(result.n_groups, 1u);
        Tensor<1, 3> shift;
        for (unsigned int i = 0; i < 3; ++i)
          shift +=
            impact.facet_masses[i] * (x[5 + i] - impact.positions[5 + i]);
        Tensor<1, 3> force, moment;
        for (const auto &constraint : constraints)
          {
            EXPECT_GE(constraint.collision.normal *
                        constraint.collision.weighted_sum(x),
                      constraint.target - 1e-12);
            const Tensor<1, 3> push =
              constraint.multiplier * constraint.collision.normal;
            force += push;
            moment +=
              cross_product_3d(impact.body->arms[constraint.collision.nodes[0]],
                               push);
          }
        // Whatever the body gets the facet loses, and it stays rigid.
        EXPECT_LE((shift + force).norm(), 1e-12);
        const Tensor<1, 3> turn = invert(impact.body->inertia) * moment;
        for (unsigned int i = 0; i < 5; ++i)
          EXPECT_LE((x[i] - impact.positions[i] - force / impact.body->mass -
                     cross_product_3d(turn, impact.body->arms[i]))
                      .norm(),
                    1e-12);
      }
  }
} // namespace Ricochet
