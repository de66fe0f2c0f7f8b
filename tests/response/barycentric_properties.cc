// SPDX-License-Identifier: LGPL-2.1-or-later

// What the response "barycentric" must do whatever the data: random vertices
// behind random facets.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "../random.h"
#include "../sums.h"
#include "make_vertex_and_facet.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** A random facet and a point behind it; it came along the normal. */
  struct RandomPair
  {
    explicit RandomPair(const unsigned int seed)
      : random(seed)
    {
      for (unsigned int i = 0; i < 4; ++i)
        {
          x.push_back(random.vector<3>(1.));
          v.push_back(random.vector<3>(1.));
          w.push_back(std::exp(random.uniform(-2., 2.)));
        }
      const double a = random.uniform(0.1, 0.5), b = random.uniform(0.1, 0.4);
      normal = dealii::cross_product_3d(x[1] - x[0], x[2] - x[0]);
      normal /= normal.norm();
      x[3] = (1. - a - b) * x[0] + a * x[1] + b * x[2] - 1e-3 * normal;
      // Closing.
      if ((v[3] - (1. - a - b) * v[0] - a * v[1] - b * v[2]) * normal > 0.)
        v[3] -= 4. * normal;
      e  = random.uniform(0., 1.);
      mu = random.uniform(0., 1.);
    }

    ContactState<3>
    collide(const std::map<std::string, std::string> &entries,
            const std::string &response = "barycentric") const
    {
      VertexAndFacet<3> pair(x, v, w, Point<3>(x[3] + 2e-3 * normal));
      EXPECT_TRUE(pair.correct(response, entries, e, mu));
      return std::move(pair.state);
    }

    Random random;
    std::vector<Tensor<1, 3>> x, v;
    std::vector<double> w;
    Tensor<1, 3> normal;
    double e, mu;
  };



  /** Those of the pair at the end of the step with the velocities @p v. */
  Sums<3>
  sums_of(const RandomPair &pair,
          const ContactState<3> &state,
          const std::vector<Tensor<1, 3>> &v)
  {
    Sums<3> sums;
    for (unsigned int i = 0; i < 4; ++i)
      sums.add(state.end_positions[i], v[i], {}, v[i] / pair.w[i]);
    return sums;
  }

  const std::map<std::string, std::string> kinds[] = {
    {{"Friction", "barycentric"}, {"Position correction", "mass weighted"}},
    {{"Friction", "mass weighted"}, {"Position correction", "mass weighted"}}};
  constexpr unsigned int n_pairs = 300;
} // namespace



TEST(BarycentricProperties, MomentaAndEnergy)
{
  for (unsigned int seed = 0; seed < n_pairs; ++seed)
    for (unsigned int kind = 0; kind < 2; ++kind)
      {
        const RandomPair pair(seed);
        const auto state     = pair.collide(kinds[kind]);
        const Sums<3> before = sums_of(pair, state, pair.v),
                      after  = sums_of(pair, state, state.velocities);
        EXPECT_LE((after.momentum - before.momentum).norm(),
                  1e-14 * before.momentum_scale);
        const double loss =
          state.record.restitution_loss + state.record.friction_loss;
        EXPECT_NEAR(before.kinetic_energy - after.kinetic_energy,
                    loss,
                    1e-13 * before.kinetic_energy);
        EXPECT_GE(state.record.restitution_loss,
                  -1e-14 * before.kinetic_energy);
        EXPECT_GE(state.record.friction_loss, -1e-14 * before.kinetic_energy);

        // About the projected state.
        const Tensor<1, 3> change =
          after.angular_momentum - before.angular_momentum;
        if (kind == 0)
          {
            EXPECT_LE(change.norm(), 1e-14 * before.momentum_scale);
          }
        // What is known to change it: the projection, and friction that acts
        // on the mass centre of a face.
        Tensor<1, 3> before_projection;
        for (unsigned int i = 0; i < 4; ++i)
          before_projection +=
            dealii::cross_product_3d(pair.x[i], pair.v[i] / pair.w[i]);
        EXPECT_LE((after.angular_momentum - before_projection -
                   state.record.angular_momentum_change)
                    .norm(),
                  1e-14 * before.momentum_scale);

        // Restitution.
        Tensor<1, 3> dv_before, dv_after;
        const auto &collision = state.handled.at(0);
        dv_before             = collision.weighted_sum(pair.v);
        dv_after              = collision.weighted_sum(state.velocities);
        EXPECT_NEAR(collision.normal * dv_after,
                    -pair.e * (collision.normal * dv_before),
                    1e-13);
      }
}



TEST(BarycentricProperties, IsDecompositionContactResponseInsideAFace)
{
  for (unsigned int seed = 0; seed < n_pairs; ++seed)
    {
      const RandomPair pair(seed);
      const auto one = pair.collide({}), other = pair.collide({}, "dcr");
      for (unsigned int i = 0; i < 4; ++i)
        {
          EXPECT_LE((one.velocities[i] - other.velocities[i]).norm(), 2e-15);
          EXPECT_LE((one.end_positions[i] - other.end_positions[i]).norm(),
                    2e-15);
        }
    }
}



TEST(BarycentricProperties, SlaveOnlyMovesTheSlave)
{
  for (unsigned int seed = 0; seed < n_pairs; ++seed)
    {
      RandomPair pair(seed);
      const std::map<std::string, std::string> entries{
        {"Position correction", "slave only"}};
      const auto state = pair.collide(entries);
      for (unsigned int i = 0; i < 3; ++i)
        EXPECT_EQ(state.end_positions[i], Point<3>(pair.x[i]));
      EXPECT_LE((state.end_positions[3] -
                 Point<3>(pair.x[3] + 1e-3 * pair.normal))
                  .norm(),
                1e-14);
      // One that is held cannot: then the face moves.
      pair.w[3]       = 0.;
      const auto held = pair.collide(entries);
      EXPECT_EQ(held.end_positions[3], Point<3>(pair.x[3]));
      EXPECT_NEAR(pair.normal *
                    held.handled.at(0).weighted_sum(held.end_positions),
                  0.,
                  1e-14);
    }
}



TEST(BarycentricProperties, DoNotDependOnFrameOrNumbers)
{
  for (unsigned int seed = 0; seed < n_pairs; ++seed)
    for (const auto &kind : kinds)
      {
        const RandomPair pair(seed);
        const auto expected = pair.collide(kind);

        // Turned about (1, 1, 1), which renames the axes; elsewhere and faster.
        const auto turn = [](const Tensor<1, 3> &t) {
          return Tensor<1, 3>({t[2], t[0], t[1]});
        };
        const Tensor<1, 3> shift({3., -2., 1.}), boost({1., 2., -3.});
        RandomPair moved(seed);
        for (unsigned int i = 0; i < 4; ++i)
          {
            moved.x[i] = turn(pair.x[i]) + shift;
            moved.v[i] = turn(pair.v[i]) + boost;
          }
        moved.normal     = turn(pair.normal);
        const auto state = moved.collide(kind);

        RandomPair renumbered(seed);
        for (unsigned int i = 0; i < 3; ++i)
          {
            renumbered.x[i] = pair.x[(i + 1) % 3];
            renumbered.v[i] = pair.v[(i + 1) % 3];
            renumbered.w[i] = pair.w[(i + 1) % 3];
          }
        const auto other = renumbered.collide(kind);
        for (unsigned int i = 0; i < 4; ++i)
          {
            const unsigned int k = i < 3 ? (i + 1) % 3 : 3;
            EXPECT_LE((turn(expected.velocities[i]) + boost -
                       state.velocities[i])
                        .norm(),
                      1e-11);
            EXPECT_LE((expected.velocities[k] - other.velocities[i]).norm(),
                      1e-11);
          }
      }
}



TEST(BarycentricProperties, VelocitiesAreContinuousFromStickToSlip)
{
  unsigned int n_limits = 0;
  for (unsigned int seed = 0; seed < n_pairs; ++seed)
    {
      RandomPair pair(seed);
      // The coefficient at which the pair begins to slip.
      double low = 0., high = 100.;
      for (unsigned int i = 0; i < 60; ++i)
        {
          pair.mu = 0.5 * (low + high);
          (pair.collide({}).status[3] == ContactStatus::stick ? high : low) =
            pair.mu;
        }
      if (high == 100.)
        continue;
      ++n_limits;
      pair.mu          = high * (1. + 1e-12);
      const auto stick = pair.collide({});
      pair.mu          = high * (1. - 1e-12);
      const auto slip  = pair.collide({});
      EXPECT_EQ(stick.status[3], ContactStatus::stick);
      EXPECT_EQ(slip.status[3], ContactStatus::slip);
      for (unsigned int i = 0; i < 4; ++i)
        EXPECT_LE((stick.velocities[i] - slip.velocities[i]).norm(), 1e-10);
    }
  EXPECT_GT(n_limits, n_pairs / 2);
}
