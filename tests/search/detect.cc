// SPDX-License-Identifier: LGPL-2.1-or-later

// Search::detect() against the definition applied to all pairs, over steps in
// which the candidate lists are kept, renewed, and outrun.

#include <ricochet/base/error.h>

#include <deal.II/base/multithread_info.h>

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

#include "../random.h"
#include "brute_force.h"
#include "make_bodies.h"
#include "sort_encounters.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  template <int dim>
  using Positions = std::vector<Point<dim>>;



  /** Polygons of different sizes, some with one coarse and one fine side. */
  Bodies<2>
  make_bodies(std::integral_constant<int, 2>)
  {
    Bodies<2> bodies;
    add_polygon(bodies, Point<2>(0., 0.), 1., 1., 24);
    add_polygon(bodies, Point<2>(2.2, 0.3), 1., 0.7, 9);
    add_polygon(bodies, Point<2>(0.8, 1.9), 0.8, 0.8, 60);
    add_polygon(bodies, Point<2>(1., -1.6), 3., 0.4, 4);
    add_polygon(bodies, Point<2>(30., 30.), 1., 1., 5);
    bodies.finish();
    return bodies;
  }



  /** A ball, a plate of a few large facets, a fine cube and tetrahedra. */
  Bodies<3>
  make_bodies(std::integral_constant<int, 3>)
  {
    Bodies<3> bodies;
    const auto cube = [](const double a) { return Tensor<1, 3>({a, a, a}); };
    add_box(bodies, Point<3>(0., 0., 0.), cube(2.), {{4, 4, 4}}, true);
    add_box(bodies,
            Point<3>(0., 0., -1.2),
            Tensor<1, 3>({5., 5., 0.1}),
            {{2, 2, 1}});
    add_box(bodies, Point<3>(0.4, 0.2, 1.3), cube(0.5), {{4, 3, 5}});
    add_tetrahedron(bodies, Point<3>(1., 0.9, 0.2), 0.8);
    add_tetrahedron(bodies, Point<3>(-1.9, -0.3, 0.1), 0.8);
    add_box(bodies, Point<3>(40., 0., 0.), cube(1.), {{1, 1, 1}});
    bodies.finish();
    return bodies;
  }



  /**
   * Let the bodies fly with their own velocities and their vertices jitter, and
   * compare every step.
   */
  template <int dim>
  void
  fly(const Bodies<dim> &bodies,
      const SearchSettings &settings,
      const double speed,
      const double jitter,
      const unsigned int n_steps,
      SearchStatistics &statistics)
  {
    Random random(5);
    // All bodies fly to the origin, more or less.
    std::vector<Tensor<1, dim>> velocities(bodies.surface.n_bodies);
    for (unsigned int v = 0; v < bodies.positions.size(); ++v)
      velocities[bodies.surface.vertex_body[v]] -=
        Tensor<1, dim>(bodies.positions[v]);
    for (auto &v : velocities)
      v = speed * (v / v.norm() + 0.3 * random.vector<dim>(1.));

    Search<dim> search;
    search.reinit(bodies.surface, settings, MPI_COMM_WORLD);
    std::vector<Encounter> encounters;
    Positions<dim> begin = bodies.positions, end = begin;
    for (unsigned int step = 0; step < n_steps; ++step)
      {
        for (unsigned int v = 0; v < end.size(); ++v)
          end[v] = begin[v] + velocities[bodies.surface.vertex_body[v]] +
                   jitter * random.vector<dim>(1.);
        search.detect(begin, end, encounters);
        const BruteForce<dim> all(bodies.surface, settings, begin, end);
        ASSERT_TRUE(are_same(encounters, all.encounters)) << "step " << step;
        begin = end;
      }
    statistics = search.statistics();
    EXPECT_EQ(statistics.n_detections, n_steps);
  }



  template <int dim>
  void
  test_bodies()
  {
    const auto bodies = make_bodies(std::integral_constant<int, dim>());
    SearchSettings settings;
    SearchStatistics statistics;
    for (const bool self_contact : {false, true})
      {
        settings.self_contact = self_contact;

        settings.eta    = 1e-6;
        settings.margin = 0.25;
        fly<dim>(bodies, settings, 0.01, 0.002, 40, statistics);
        EXPECT_LT(statistics.n_rebuilds, 30u);
        EXPECT_GT(statistics.n_rebuilds, 1u);
        EXPECT_GT(statistics.n_encounters, 20u);

        // Some pairs are only close at the end.
        settings.eta = 0.2;
        fly<dim>(bodies, settings, 0.02, 0., dim == 2 ? 40 : 10, statistics);
        EXPECT_GT(statistics.n_encounters, 50u);

        // Through each other in one step.
        settings.eta = 1e-6;
        fly<dim>(bodies, settings, 4., 0.1, 5, statistics);
        EXPECT_GT(statistics.n_encounters, 20u);

        // Neither margin nor detection distance.
        settings.eta = settings.margin = 0.;
        fly<dim>(bodies, settings, 0.1, 0.01, 5, statistics);
        EXPECT_EQ(statistics.n_rebuilds, 5u);
      }
  }
} // namespace



TEST(Search, FindsAllEncounters)
{
  test_bodies<2>();
  test_bodies<3>();
}



TEST(Search, FlatSurfacesOnEachOther)
{
  // Plates that nearly touch, slide and press into each other: aligned, with
  // nearly parallel edges, and turned.
  for (const double angle : {0., 1e-9, 1e-5, 0.3})
    for (const double gap : {1e-9, 1e-3, -1e-3})
      {
        Bodies<3> bodies;
        const Tensor<1, 3> size({1., 1., 0.2});
        add_box(bodies, Point<3>(0., 0., 0.), size, {{6, 6, 1}});
        add_box(bodies, Point<3>(0., 0., 0.2 + 1e-6), size, {{7, 6, 1}});
        bodies.finish();
        Positions<3> begin = bodies.positions, end;
        for (unsigned int v = 0; v < begin.size(); ++v)
          if (bodies.surface.vertex_body[v] == 1)
            {
              const double x = begin[v][0], y = begin[v][1];
              begin[v][0] = std::cos(angle) * x - std::sin(angle) * y;
              begin[v][1] = std::sin(angle) * x + std::cos(angle) * y;
            }
        end = begin;
        for (unsigned int v = 0; v < end.size(); ++v)
          if (bodies.surface.vertex_body[v] == 1)
            end[v] += Tensor<1, 3>({0.013, 0.007, gap - 1e-6});
        SearchSettings settings;
        settings.eta = 1e-5;
        Search<3> search;
        search.reinit(bodies.surface, settings, MPI_COMM_WORLD);
        std::vector<Encounter> encounters;
        search.detect(begin, end, encounters);
        const BruteForce<3> all(bodies.surface, settings, begin, end);
        EXPECT_TRUE(are_same(encounters, all.encounters))
          << "angle " << angle << ", gap " << gap;
        EXPECT_EQ(encounters.empty(), gap == 1e-3);
      }
}



TEST(Search, PassesMoveFewVertices)
{
  const auto bodies        = make_bodies(std::integral_constant<int, 3>());
  const Positions<3> begin = bodies.positions;
  Positions<3> end         = begin;
  Random random(8);
  for (unsigned int v = 0; v < end.size(); ++v)
    if (bodies.surface.vertex_body[v] > 0)
      end[v] = 0.75 * begin[v] + 0.02 * random.vector<3>(1.);
  SearchSettings settings;
  settings.eta = 1e-3;
  Search<3> search;
  search.reinit(bodies.surface, settings, MPI_COMM_WORLD);
  std::vector<Encounter> encounters;
  unsigned int n_changes = 0;
  for (unsigned int pass = 0; pass < 20; ++pass)
    {
      const std::vector<Encounter> last = encounters;
      search.detect(begin, end, encounters);
      const BruteForce<3> all(bodies.surface, settings, begin, end);
      ASSERT_TRUE(are_same(encounters, all.encounters)) << "pass " << pass;
      EXPECT_GT(encounters.size(), 10u);
      n_changes += encounters.size() != last.size();
      for (unsigned int k = 0; k < pass % 5; ++k)
        end[random.below(end.size())] += 0.2 * random.vector<3>(1.);
    }
  EXPECT_GT(n_changes, 5u);
}



TEST(Search, MarginDoesNotChangeTheResult)
{
  const auto bodies  = make_bodies(std::integral_constant<int, 3>());
  Positions<3> begin = bodies.positions, end = begin;
  Random random(6);
  std::vector<std::vector<Encounter>> encounters(3);
  std::array<Search<3>, 3> searches;
  for (unsigned int i = 0; i < 3; ++i)
    {
      SearchSettings settings;
      settings.margin = i == 0 ? 0. : i == 1 ? 0.1 : 2.;
      searches[i].reinit(bodies.surface, settings, MPI_COMM_SELF);
    }
  for (unsigned int step = 0; step < 20; ++step)
    {
      for (unsigned int v = 0; v < end.size(); ++v)
        {
          end[v] += 0.02 * random.vector<3>(1.);
          if (bodies.surface.vertex_body[v] == 0)
            end[v][2] -= 0.03;
        }
      for (unsigned int i = 0; i < 3; ++i)
        searches[i].detect(begin, end, encounters[i]);
      EXPECT_EQ(encounters[0], encounters[1]);
      EXPECT_EQ(encounters[0], encounters[2]);
      begin = end;
    }
  EXPECT_GT(searches[0].statistics().n_encounters, 10u);
  EXPECT_EQ(searches[0].statistics().n_rebuilds, 20u);
  EXPECT_LE(searches[2].statistics().n_rebuilds, 2u);
}



TEST(Search, NothingAtRestNeedsNewLists)
{
  Bodies<3> bodies;
  const Tensor<1, 3> size({1., 1., 1.});
  for (unsigned int i = 0; i < 4; ++i)
    add_box(bodies, Point<3>(1.01 * i, 0., 0.), size, {{3, 3, 3}});
  bodies.finish();
  Search<3> search;
  search.reinit(bodies.surface, SearchSettings(), MPI_COMM_WORLD);
  std::vector<Encounter> encounters;
  for (unsigned int step = 0; step < 10; ++step)
    {
      search.detect(bodies.positions, bodies.positions, encounters);
      EXPECT_TRUE(encounters.empty());
    }
  EXPECT_EQ(search.statistics().n_rebuilds, 1u);
  EXPECT_GT(search.statistics().n_candidate_pairs, 0u);
}



TEST(Search, OnlyTheWantedPairsOfBodies)
{
  const auto bodies    = make_bodies(std::integral_constant<int, 3>());
  const unsigned int n = bodies.surface.n_bodies;
  Positions<3> end     = bodies.positions;
  for (unsigned int v = 0; v < end.size(); ++v)
    end[v] *= 0.5;

  SearchSettings settings;
  settings.self_contact = true;
  settings.body_pairs.assign(n * n, 0);
  const auto allow = [&](const unsigned int a, const unsigned int b) {
    settings.body_pairs[a * n + b] = settings.body_pairs[b * n + a] = 1;
  };
  const auto n_encounters = [&]() {
    Search<3> search;
    search.reinit(bodies.surface, settings, MPI_COMM_WORLD);
    std::vector<Encounter> encounters;
    search.detect(bodies.positions, end, encounters);
    EXPECT_TRUE(
      are_same(encounters,
               BruteForce<3>(bodies.surface, settings, bodies.positions, end)
                 .encounters));
    return encounters.size();
  };
  EXPECT_EQ(n_encounters(), 0u);
  // Scaling moves nothing through itself, but towards the origin: bodies 0 and
  // 2 keep their distance, so let one stand still.
  for (unsigned int v = 0; v < end.size(); ++v)
    if (bodies.surface.vertex_body[v] == 0)
      end[v] = bodies.positions[v];
  EXPECT_EQ(n_encounters(), 0u);
  allow(0, 2);
  const auto with_2 = n_encounters();
  EXPECT_GT(with_2, 0u);
  allow(0, 3);
  EXPECT_GT(n_encounters(), with_2);
}



TEST(Search, SelfContactOfAFold)
{
  // A strip of two layers whose upper layer falls onto the lower one.
  Bodies<3> bodies;
  add_box(bodies, Point<3>(), Tensor<1, 3>({4., 1., 0.4}), {{8, 2, 1}});
  bodies.finish();
  Positions<3> end = bodies.positions;
  for (auto &x : end)
    if (x[2] > 0.)
      x[2] = -0.3 + 0.05 * x[0] * x[0];

  SearchSettings settings;
  std::vector<Encounter> encounters;
  Search<3> search;
  search.reinit(bodies.surface, settings, MPI_COMM_WORLD);
  search.detect(bodies.positions, end, encounters);
  EXPECT_TRUE(encounters.empty());

  settings.self_contact = true;
  search.reinit(bodies.surface, settings, MPI_COMM_WORLD);
  search.detect(bodies.positions, end, encounters);
  EXPECT_GT(encounters.size(), 0u);
  EXPECT_TRUE(are_same(
    encounters,
    BruteForce<3>(bodies.surface, settings, bodies.positions, end).encounters));
}



TEST(Search, EncountersAreInTheirOrder)
{
  // Few different times and features, so that many differ in their last entry
  // only, and some times of less than a tick.
  Random random(3);
  const auto number = [&](const double n) {
    return static_cast<unsigned int>(random.uniform(0., n));
  };
  for (const double n_features : {3., 1000., 4e9})
    for (const unsigned int n : {0u, 1u, 2u, 100u, 20000u})
      {
        std::vector<Encounter> encounters;
        for (unsigned int i = 0; i < n; ++i)
          encounters.push_back(
            {number(4.) / 3. * (1. - number(2.) * 1e-12),
             number(2.) == 0 ? PairKind::vertex_facet : PairKind::edge_edge,
             number(n_features),
             number(n_features),
             number(2.) == 0});
        std::vector<Encounter> expected = encounters;
        std::stable_sort(expected.begin(), expected.end());
        sort_encounters(encounters);
        ASSERT_EQ(encounters.size(), expected.size());
        for (unsigned int i = 0; i < n; ++i)
          {
            // Equal ones may have changed their places.
            EXPECT_FALSE(encounters[i] < expected[i]);
            EXPECT_FALSE(expected[i] < encounters[i]);
          }
      }
}



TEST(Search, PositionsMustBeNumbers)
{
  const auto bodies = make_bodies(std::integral_constant<int, 3>());
  Search<3> search;
  search.reinit(bodies.surface, SearchSettings(), MPI_COMM_WORLD);
  std::vector<Encounter> encounters;
  search.detect(bodies.positions, bodies.positions, encounters);
  // Also in the body that is far away from all others.
  for (const unsigned int v : {0u, (unsigned int)(bodies.positions.size() - 1)})
    for (const double value : {std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity()})
      {
        Positions<3> broken = bodies.positions;
        broken[v][1]        = value;
        EXPECT_THROW(search.detect(bodies.positions, broken, encounters),
                     RunError);
        EXPECT_THROW(search.detect(broken, bodies.positions, encounters),
                     RunError);
      }
  // And it goes on after that.
  search.detect(bodies.positions, bodies.positions, encounters);
}



TEST(Search, ThreadsAndRanksDoNotChangeTheResult)
{
  // Enough pairs for several tasks.
  Bodies<3> bodies;
  for (unsigned int i = 0; i < 3; ++i)
    add_box(bodies,
            Point<3>(1.02 * i, 0.1 * i, 0.),
            Tensor<1, 3>({1., 1., 1.}),
            {{12, 12, 12}});
  bodies.finish();
  Random random(7);
  Positions<3> end = bodies.positions;
  for (auto &x : end)
    x += 0.03 * random.vector<3>(1.);

  const auto detect = [&](const unsigned int n_threads,
                          const MPI_Comm communicator) {
    dealii::MultithreadInfo::set_thread_limit(n_threads);
    SearchSettings settings;
    settings.self_contact = true;
    Search<3> search;
    search.reinit(bodies.surface, settings, communicator);
    std::vector<Encounter> encounters;
    search.detect(bodies.positions, end, encounters);
    EXPECT_GT(search.statistics().n_candidate_pairs, 20000u);
    return encounters;
  };
  const auto one = detect(1, MPI_COMM_SELF);
  EXPECT_GT(one.size(), 100u);
  EXPECT_EQ(one, detect(2, MPI_COMM_SELF));
  EXPECT_EQ(one, detect(1, MPI_COMM_WORLD));
  EXPECT_EQ(one, detect(2, MPI_COMM_WORLD));
}
