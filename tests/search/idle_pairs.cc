// SPDX-License-Identifier: LGPL-2.1-or-later

// Pairs that are not looked at in each step: the clocks that allow it, and that
// nothing is missed, while bodies fly, slide, turn, deform and come back.

#include <deal.II/physics/transformations.h>

#include <algorithm>
#include <gtest/gtest.h>

#include "../random.h"
#include "brute_force.h"
#include "make_bodies.h"
#include "motion_clocks.h"
#include "pair_times.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  using Positions = std::vector<Point<3>>;



  /** Two blocks that lie on each other, and a ball's worth of tetrahedra. */
  Bodies<3>
  blocks()
  {
    Bodies<3> bodies;
    add_box(bodies,
            Point<3>(0., 0., 0.),
            Tensor<1, 3>({1., 1., 0.3}),
            {{8, 8, 2}});
    add_box(bodies,
            Point<3>(0.03, 0.02, 0.3 + 1e-4),
            Tensor<1, 3>({0.9, 0.9, 0.3}),
            {{7, 7, 2}});
    add_tetrahedron(bodies, Point<3>(0.9, 0.1, 0.3), 0.3);
    bodies.finish();
    return bodies;
  }



  /** A rotation about a point, a translation, and a bulge. */
  struct Motion
  {
    Tensor<1, 3> axis;
    double angle = 0.;
    Tensor<1, 3> way;
    double bulge = 0.;

    Point<3>
    operator()(const Point<3> &x, const Point<3> &centre) const
    {
      const Tensor<2, 3> R =
        dealii::Physics::Transformations::Rotations::rotation_matrix_3d(
          Point<3>(axis / axis.norm()),
          angle);
      const Tensor<1, 3> r = x - centre;
      return centre + way + (1. + bulge * r[0] * r[1]) * (R * r);
    }
  };



  Motion
  random_motion(Random &random, const double size)
  {
    Motion motion;
    motion.axis  = random.vector<3>(1.);
    motion.angle = size * random.uniform(-1., 1.);
    motion.way   = random.vector<3>(size);
    motion.bulge = size * random.uniform(-1., 1.);
    return motion;
  }
} // namespace



TEST(MotionClocks, StandStillWhileBodiesFly)
{
  const auto bodies = blocks();
  MotionClocks<3> clocks;
  clocks.reinit(bodies.surface);
  Positions begin = bodies.positions, end = begin;
  const std::array<Tensor<1, 3>, 3> velocities{
    {Tensor<1, 3>({0.1, 0.2, 0.3}),
     Tensor<1, 3>({0.1, 0.2, 0.3}),
     Tensor<1, 3>({0.1, 0.2, -0.1})}};
  clocks.advance(begin, begin);
  for (unsigned int step = 0; step < 10; ++step)
    {
      for (unsigned int v = 0; v < end.size(); ++v)
        end[v] = begin[v] + velocities[bodies.surface.vertex_body[v]];
      clocks.advance(begin, end);
      begin = end;
    }
  // Bodies together do not come closer; the third one comes by 0.4 a step.
  for (unsigned int b = 0; b < 3; ++b)
    EXPECT_NEAR(clocks.of(b, b).latest, 0., 1e-12);
  EXPECT_NEAR(clocks.of(0, 2).now, 4., 1e-9);
  EXPECT_NEAR(clocks.of(0, 2).latest, 4.4, 1e-9);
  EXPECT_EQ(clocks.of(0, 2).now, clocks.of(2, 0).now);
}



TEST(MotionClocks, BoundHowFarVerticesComeCloser)
{
  const auto bodies = blocks();
  Random random(3);
  MotionClocks<3> clocks;
  clocks.reinit(bodies.surface);
  Positions begin = bodies.positions, end = begin;
  clocks.advance(begin, end);

  struct Known
  {
    unsigned int v, w;
    double distance, now;
  };
  std::vector<Known> known;
  const auto clock_of = [&](const unsigned int v, const unsigned int w) {
    return clocks.of(bodies.surface.vertex_body[v],
                     bodies.surface.vertex_body[w]);
  };
  unsigned int n_closer = 0;
  for (unsigned int step = 0; step < 100; ++step)
    {
      std::array<Motion, 3> motions;
      for (Motion &motion : motions)
        motion = random_motion(random, 0.02);
      for (unsigned int v = 0; v < end.size(); ++v)
        end[v] = motions[bodies.surface.vertex_body[v]](begin[v],
                                                        Point<3>(0.5, 0.5, 0.));
      clocks.advance(begin, end);
      for (const Known &k : known)
        {
          const double allowed = clock_of(k.v, k.w).latest - k.now;
          for (const double s : {0., 0.3, 1.})
            {
              const Tensor<1, 3> between =
                (1. - s) * (begin[k.v] - begin[k.w]) +
                s * (end[k.v] - end[k.w]);
              EXPECT_GE(between.norm(), k.distance - allowed - 1e-12);
              n_closer += between.norm() < k.distance - 0.1 * allowed;
            }
        }
      for (unsigned int n = 0; n < 10; ++n)
        {
          const unsigned int v = random.below(end.size()),
                             w = random.below(end.size());
          known.push_back({v, w, end[v].distance(end[w]), clock_of(v, w).now});
        }
      // Steps may end elsewhere than the next ones begin.
      begin = end;
      if (step % 3 == 0)
        for (auto &x : begin)
          x += random.vector<3>(1e-3);
    }
  EXPECT_GT(n_closer, 100u); // the bounds are no empty ones
}



TEST(PairTimes, FollowTheirPairs)
{
  // Pairs (first, second) of the bodies first / 100 and second / 100.
  using Pair           = PairTimes::Pair;
  const auto bodies_of = [](const Pair &pair) -> Pair {
    return {{pair[0] / 100, pair[1] / 100}};
  };
  Random random(4);
  PairTimes times;
  std::vector<Pair> list;
  for (unsigned int round = 0; round < 30; ++round)
    {
      const unsigned int n_runs = 1 + random.below(6);
      for (unsigned int run = 0; run < n_runs; ++run)
        {
          const unsigned int a = random.below(5), b = random.below(5);
          for (unsigned int n = random.below(300); n > 0; --n)
            list.push_back({{100 * a + n % 100, 100 * b + n % 100}});
        }
      times.extend(list, bodies_of);
      ASSERT_EQ(times.idle_until.size(), list.size());
      for (std::size_t k = 0; k < list.size(); ++k)
        if (times.idle_until[k] == 0.)
          times.idle_until[k] = list[k][0] + 1e-3 * list[k][1] + 1.;
      std::vector<char> removed(5, 0);
      removed[random.below(5)] = round % 2;
      const std::size_t n_kept =
        std::count_if(list.begin(), list.end(), [&](const Pair &pair) {
          return !removed[pair[0] / 100] && !removed[pair[1] / 100];
        });
      times.remove(removed, list);
      EXPECT_EQ(list.size(), n_kept);
      ASSERT_EQ(times.idle_until.size(), list.size());
      std::size_t end = 0;
      for (PairTimes::Block &block : times.blocks)
        {
          EXPECT_EQ(block.begin, end);
          EXPECT_LE(block.end - block.begin, PairTimes::block_size);
          end = block.end;
          times.update(block);
          double least = 1e9;
          for (std::size_t k = block.begin; k < block.end; ++k)
            {
              const Pair bodies = bodies_of(list[k]);
              EXPECT_EQ(std::min(bodies[0], bodies[1]), block.bodies[0]);
              EXPECT_EQ(std::max(bodies[0], bodies[1]), block.bodies[1]);
              EXPECT_EQ(times.idle_until[k],
                        list[k][0] + 1e-3 * list[k][1] + 1.);
              least = std::min(least, times.idle_until[k]);
            }
          EXPECT_EQ(block.idle_until, least);
        }
      EXPECT_EQ(end, list.size());
    }
}



TEST(Search, IdlePairsAreNotMissed)
{
  const auto bodies = blocks();
  SearchSettings settings;
  settings.margin = 0.5;
  for (const bool self_contact : {false, true})
    for (const double size : {1e-3, 1e-2})
      {
        settings.self_contact = self_contact;
        settings.eta          = self_contact ? 1e-6 : 1e-2;
        Random random(6);
        Search<3> search;
        search.reinit(bodies.surface, settings, MPI_COMM_WORLD);
        Positions begin = bodies.positions, end = begin;
        std::vector<Encounter> encounters;
        std::array<Motion, 3> motions;
        std::size_t n_candidates = 0;
        for (unsigned int step = 0; step < 30; ++step)
          {
            // Like this for some time, and then back.
            if (step % 10 == 0)
              for (Motion &motion : motions)
                motion = random_motion(random, size);
            else if (step % 5 == 0)
              for (Motion &motion : motions)
                {
                  motion.angle *= -1.;
                  motion.way *= -1.;
                  motion.bulge *= -1.;
                }
            for (unsigned int v = 0; v < end.size(); ++v)
              end[v] =
                motions[bodies.surface.vertex_body[v]](begin[v],
                                                       Point<3>(0.5, 0.5, 0.3));
            // Passes, which move few vertices, and the step once more.
            for (unsigned int pass = 0; pass < 2; ++pass)
              {
                search.detect(begin, end, encounters);
                n_candidates += search.statistics().n_candidate_pairs;
                const BruteForce<3> all(bodies.surface, settings, begin, end);
                ASSERT_TRUE(are_same(encounters, all.encounters))
                  << "step " << step << ", pass " << pass;
                for (unsigned int n = 0; n < pass; ++n)
                  end[random.below(end.size())] += random.vector<3>(size);
              }
            begin = end;
          }
        EXPECT_LT(search.statistics().n_tested_pairs, n_candidates / 3);
      }
}
