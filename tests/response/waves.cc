// SPDX-License-Identifier: LGPL-2.1-or-later

// Contact points are handled in an order and in threads such that each node
// sees what it would see in one loop.

#include <ricochet/impulse/deflection.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/waves.h>

#include <deal.II/base/multithread_info.h>

#include <gtest/gtest.h>
#include <vector>

#include "../random.h"

namespace Ricochet
{
  namespace
  {
    using dealii::Point;
    using dealii::Tensor;

    /** Pairs of random nodes; nodes near each other in number share pairs, so
     * that there are islands of many sizes. */
    class Pairs
    {
    public:
      Pairs(const unsigned int n_nodes, const unsigned int n_pairs)
      {
        Random random(n_pairs);
        state.dt = 0.1;
        state.resize(n_nodes);
        std::vector<Tensor<1, 3>> masses;
        for (unsigned int node = 0; node < n_nodes; ++node)
          {
            const double w = random.uniform(0.5, 2.);
            masses.push_back(Tensor<1, 3>({w, w, w}));
            state.start_positions[node] = Point<3>(random.vector<3>(1.));
            state.velocities[node]      = random.vector<3>(1.);
            state.accelerations[node]   = random.vector<3>(1.);
            state.end_positions[node] =
              state.start_positions[node] + state.dt * state.velocities[node];
          }
        state.inverse_mass.reinit(masses);
        state.predicted_velocities = state.velocities;
        for (unsigned int k = 0; k < n_pairs; ++k)
          {
            // Within blocks of 10 nodes, now and then to the next one.
            const unsigned int first = random.below(n_nodes - 11);
            const unsigned int block = first - first % 10;
            const unsigned int second =
              block + (first + 1 + k % (k % 37 == 0 ? 11 : 9)) % 10 +
              (k % 37 == 0 ? 1 : 0);
            if (second == first)
              continue;
            Collision<3> collision;
            collision.nodes   = {first, second};
            collision.weights = {1., -1.};
            collision.normal  = random.vector<3>(1.);
            collision.normal /= collision.normal.norm();
            collision.length = 1.;
            collision.start_gap =
              collision.normal * collision.weighted_sum(state.start_positions);
            collision.gap =
              collision.normal * collision.weighted_sum(state.end_positions);
            collision.least_gap = std::max(0., collision.start_gap);
            collisions.push_back(collision);
          }
        settings.restitution = 0.3;
        settings.friction    = 0.2;
      }

      bool
      handle(const unsigned int k, ContactState<3> &part) const
      {
        if (deflect_pair(collisions[k], settings, part).status ==
            ContactStatus::open)
          return false;
        note_handled(PairKind::vertex_facet, collisions[k], part);
        return true;
      }

      bool
      handle_in_waves()
      {
        return Ricochet::handle_in_waves<3>(
          collisions.size(),
          [&](const unsigned int k, std::vector<unsigned int> &nodes) {
            nodes.insert(nodes.end(),
                         collisions[k].nodes.begin(),
                         collisions[k].nodes.end());
          },
          [&](const unsigned int k, ContactState<3> &part) {
            return handle(k, part);
          },
          state);
      }

      ContactState<3> state;
      std::vector<Collision<3>> collisions;
      PassSettings settings;
    };



    void
    expect_same_motion(const ContactState<3> &a, const ContactState<3> &b)
    {
      EXPECT_EQ(a.end_positions, b.end_positions);
      EXPECT_EQ(a.velocities, b.velocities);
      EXPECT_EQ(a.impulses, b.impulses);
      EXPECT_EQ(a.position_impulses, b.position_impulses);
      EXPECT_EQ(a.normal_impulses, b.normal_impulses);
      EXPECT_EQ(a.status, b.status);
      EXPECT_EQ(a.debts, b.debts);
    }
  } // namespace



  TEST(Waves, HaveTheMotionOfOneLoop)
  {
    for (const unsigned int n_pairs : {10u, 70u, 500u, 3000u})
      {
        Pairs loop(3000, n_pairs);
        bool changed = false;
        for (unsigned int k = 0; k < loop.collisions.size(); ++k)
          changed = loop.handle(k, loop.state) || changed;
        EXPECT_TRUE(changed);

        Pairs waves(3000, n_pairs);
        EXPECT_TRUE(waves.handle_in_waves());
        expect_same_motion(loop.state, waves.state);
        EXPECT_EQ(waves.state.handled.size(), loop.state.handled.size());
        EXPECT_EQ(waves.state.held_pairs.size(), loop.state.held_pairs.size());
        EXPECT_EQ(waves.state.record.n_node_face,
                  loop.state.record.n_node_face);
        EXPECT_NEAR(waves.state.record.friction_loss,
                    loop.state.record.friction_loss,
                    1e-12 * loop.state.record.friction_loss);
      }
  }



  TEST(Waves, ThreadsDoNotMatter)
  {
    Pairs one(3000, 2000), two(3000, 2000);
    dealii::MultithreadInfo::set_thread_limit(1);
    one.handle_in_waves();
    dealii::MultithreadInfo::set_thread_limit(2);
    two.handle_in_waves();
    expect_same_motion(one.state, two.state);
    EXPECT_EQ(one.state.touched_nodes, two.state.touched_nodes);
    EXPECT_EQ(one.state.record.friction_loss, two.state.record.friction_loss);
    EXPECT_EQ(one.state.record.restitution_loss,
              two.state.record.restitution_loss);
    EXPECT_EQ(one.state.record.angular_momentum_change,
              two.state.record.angular_momentum_change);
  }



  TEST(Waves, NothingChangesWhereAllIsOpen)
  {
    Pairs pairs(3000, 500);
    for (auto &velocity : pairs.state.velocities)
      velocity = 0.;
    for (auto &acceleration : pairs.state.accelerations)
      acceleration = 0.;
    for (auto &collision : pairs.collisions)
      collision.least_gap = collision.start_gap - 1.;
    EXPECT_FALSE(pairs.handle_in_waves());
    EXPECT_FALSE(pairs.state.has_acted());
  }
} // namespace Ricochet
