// SPDX-License-Identifier: LGPL-2.1-or-later

// Whether the swept detection finds what densely sampled paths show, for the
// vertices and facets of a random surface and obstacles that move.

#include <ricochet/overlap/ignored_pairs.h>
#include <ricochet/overlap/obstacle_search.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "../random.h"
#include "make_bodies.h"
#include "make_obstacle.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  constexpr unsigned int n_times = 200, n_points = 20;

  /** Depths below which samples of a path or a facet tell nothing. */
  constexpr double blur = 0.02;



  /** Single triangles or segments, each a body: of about unit size and
   * anywhere, or smaller and @p n_together after each other in one place. */
  template <int dim>
  Bodies<dim>
  random_facets(Random &number,
                const unsigned int n,
                const unsigned int n_together)
  {
    const double size = n_together == 1 ? 0.6 : 0.2;
    Bodies<dim> bodies;
    Tensor<1, dim> place;
    for (unsigned int f = 0; f < n; ++f)
      {
        std::vector<Point<dim>> x;
        std::array<unsigned int, dim> facet;
        if (f % n_together == 0)
          place = number.vector<dim>(2.);
        const Point<dim> middle(place);
        for (unsigned int i = 0; i < dim; ++i)
          {
            x.push_back(middle + number.vector<dim>(size));
            facet[i] = i;
          }
        bodies.add(x, {facet});
      }
    bodies.finish();
    return bodies;
  }



  /** The smallest distance of any sampled point of a facet from the obstacle
   * in one configuration. */
  template <int dim>
  double
  sampled_distance(const Obstacle<dim> &shape,
                   const Placement<dim> &placement,
                   const std::vector<Point<dim>> &x)
  {
    double smallest = std::numeric_limits<double>::infinity();
    const auto look = [&](const Point<dim> &point) {
      smallest =
        std::min(smallest, shape.signed_distance(placement.to_frame(point)));
    };
    if (x.size() == 1)
      look(x[0]);
    else
      for (unsigned int i = 0; i <= n_points; ++i)
        {
          const double a = double(i) / n_points;
          if (dim == 2)
            look(x[0] + a * (x[1] - x[0]));
          else
            for (unsigned int j = 0; i + j <= n_points; ++j)
              look(x[0] + a * (x[1] - x[0]) +
                   double(j) / n_points * (x[dim - 1] - x[0]));
        }
    return smallest;
  }



  template <int dim>
  void
  check(const PlacedObstacle<dim> &obstacle,
        const unsigned int seed,
        const unsigned int n_together)
  {
    Random number(seed);
    Bodies<dim> bodies          = random_facets<dim>(number, 200, n_together);
    Surface<dim> &surface       = bodies.surface;
    const unsigned int n        = surface.n_bodies++; // and the obstacle
    const auto &begin           = bodies.positions;
    std::vector<Point<dim>> end = begin;
    for (auto &x : end)
      x += number.vector<dim>(1.);

    SearchSettings settings;
    settings.eta = 0.;
    ObstacleSearch<dim> search;
    search.reinit(surface, {obstacle}, n, settings);
    search.place(0.3, 0.2);
    std::vector<ObstacleContact<dim>> contacts;
    std::vector<Encounter> encounters;
    search.detect(begin, end, 1000, contacts, encounters);
    std::map<unsigned int, Encounter> found;
    for (const Encounter &encounter : encounters)
      {
        EXPECT_EQ(encounter.kind, PairKind::given);
        EXPECT_TRUE(found.emplace(encounter.first, encounter).second);
      }
    EXPECT_TRUE(std::is_sorted(encounters.begin(), encounters.end()));

    const Obstacle<dim> &shape = *obstacle.shape;
    const bool by_vertex       = shape.kind() == Obstacle<dim>::Kind::vertices;
    const unsigned int n_features =
      by_vertex ? surface.n_vertices() : surface.n_facets();
    unsigned int n_crossing = 0, n_clear = 0;
    for (unsigned int f = 0; f < n_features; ++f)
      {
        double smallest = std::numeric_limits<double>::infinity(), time = 2.;
        for (unsigned int k = 0; k <= n_times; ++k)
          {
            const double s = double(k) / n_times;
            std::vector<Point<dim>> x;
            for (unsigned int i = 0; i < (by_vertex ? 1 : dim); ++i)
              {
                const unsigned int v = by_vertex ? f : surface.facets[f][i];
                x.push_back(begin[v] + s * (end[v] - begin[v]));
              }
            // A translation is the same at any time between.
            const double d =
              sampled_distance(shape,
                               obstacle.motion.placement(0.3 + 0.2 * s),
                               x);
            if (k == 0 && d < blur)
              {
                smallest = 0.; // overlaps already
                break;
              }
            if (d < 0. && time > 1.)
              time = s;
            smallest = std::min(smallest, d);
          }
        if (smallest < -blur)
          {
            ++n_crossing;
            const bool is_found = found.count(f) == 1;
            EXPECT_TRUE(is_found) << f << " " << smallest;
            if (!is_found)
              continue;
            EXPECT_TRUE(found.at(f).crossing);
            EXPECT_NEAR(found.at(f).time, time, 0.1);
            EXPECT_LE(found.at(f).time, time + 1e-9);
          }
        else if (smallest > blur)
          {
            ++n_clear;
            EXPECT_EQ(found.count(f), 0u) << f << " " << smallest;
          }
      }
    EXPECT_GT(n_crossing, 0u);
    EXPECT_GT(n_clear, 10u);

    // What a contact says: a point on the obstacle, which it carries along.
    for (const ObstacleContact<dim> &contact : contacts)
      {
        const Collision<dim> &collision = contact.collision;
        EXPECT_NEAR(collision.normal.norm(), 1., 1e-12);
        const unsigned int n_nodes = collision.nodes.size();
        EXPECT_EQ(n_nodes, by_vertex ? 2u : dim + 1);
        EXPECT_GE(collision.nodes.back(), 1000u);
        EXPECT_EQ(collision.weights.back(), -1.);
        double sum = 0.;
        for (unsigned int i = 0; i + 1 < n_nodes; ++i)
          {
            EXPECT_LT(collision.nodes[i], 1000u);
            EXPECT_GE(collision.weights[i], -1e-12);
            sum += collision.weights[i];
          }
        EXPECT_NEAR(sum, 1., 1e-12);
        const Placement<dim> from = obstacle.motion.placement(0.3),
                             to   = obstacle.motion.placement(0.5);
        EXPECT_LE(
          from.to_frame(contact.begin).distance(to.to_frame(contact.end)),
          1e-12);
        EXPECT_NEAR(shape.signed_distance(to.to_frame(contact.end)), 0., 1e-8);
      }
  }



  template <int dim>
  void
  check_all(const unsigned int seed, const unsigned int n_together)
  {
    Random number(1000 + seed);
    const ObstacleEntries motion = {
      {"Translation", text_of<dim>(number.vector<dim>(3.), "*t; ") + "*t"}};
    for (const std::string type :
         {"sphere", "cylinder", "hollow sphere", "hollow cylinder"})
      {
        SCOPED_TRACE(type);
        const std::string radius = type[0] == 'h' ? "1.8" : "0.4";
        check<dim>(make_obstacle<dim>(type, {{"Radius", radius}}, motion),
                   seed,
                   n_together);
      }
    check<dim>(make_obstacle<dim>("half-space",
                                  {{"Normal",
                                    text_of<dim>(number.vector<dim>(1.))}},
                                  motion),
               seed,
               n_together);
    check<dim>(make_obstacle<dim>("function",
                                  {{"Signed distance",
                                    dim == 2 ? "sqrt(x^2+y^2)-0.6"
                                             : "sqrt(x^2+y^2+z^2)-0.6"}},
                                  motion),
               seed,
               n_together);
  }
} // namespace



TEST(ObstacleSearch, FindsWhatSamplesShow)
{
  for (unsigned int seed = 0; seed < 3; ++seed)
    {
      check_all<2>(seed, 1);
      check_all<3>(seed, 1);
    }
}



TEST(ObstacleSearch, FindsItAmongWhatIsFar)
{
  for (unsigned int seed = 0; seed < 3; ++seed)
    {
      check_all<2>(seed, 8);
      check_all<3>(seed, 8);
    }
}



/** A ball that a facet passes in one step, with none of its vertices near. */
TEST(ObstacleSearch, FacetsDoNotPassThroughBalls)
{
  Bodies<3> bodies;
  bodies.add({Point<3>(-5, -5, 1), Point<3>(5, -5, 1), Point<3>(0, 5, 1)},
             {{{0, 1, 2}}});
  bodies.finish();
  auto end = bodies.positions;
  for (auto &x : end)
    x[2] = -1.;
  ++bodies.surface.n_bodies;
  ObstacleSearch<3> search;
  search.reinit(bodies.surface,
                {make_obstacle<3>("sphere", {{"Radius", "0.05"}})},
                1,
                SearchSettings());
  std::vector<ObstacleContact<3>> contacts;
  std::vector<Encounter> encounters;
  search.detect(bodies.positions, end, 3, contacts, encounters);
  ASSERT_EQ(encounters.size(), 1u);
  EXPECT_TRUE(encounters[0].crossing);
  EXPECT_NEAR(encounters[0].time, 0.475, 1e-9);
  EXPECT_EQ(encounters[0].collision, 0u);
  // It is kept on the side where it came from.
  EXPECT_NEAR(contacts[0].collision.normal[2], 1., 1e-9);
  EXPECT_NEAR(contacts[0].end[2], 0.05, 1e-9);
}



/** Vertices below a floor at the start are overlaps, those on it are not. */
TEST(ObstacleSearch, Overlaps)
{
  Bodies<3> bodies;
  bodies.add({Point<3>(0, 0, 0), Point<3>(1, 0, -0.25), Point<3>(0, 1, 0.5)},
             {{{0, 1, 2}}});
  bodies.finish();
  ++bodies.surface.n_bodies;
  ObstacleSearch<3> search;
  search.reinit(bodies.surface,
                {make_obstacle<3>("half-space", {})},
                1,
                SearchSettings());
  SearchSettings all;
  const auto overlaps = search.find_overlaps(bodies.positions, all, 1);
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_EQ(overlaps[0].bodies, (BodyPair{{0, 1}}));
  EXPECT_EQ(overlaps[0].depth, 0.25);
  EXPECT_EQ(overlaps[0].place, bodies.positions[1]);
  EXPECT_FALSE(search.has(0));
  EXPECT_TRUE(search.has(1));

  // Ignored until it is out.
  IgnoredPairs<3> ignored;
  ignored.reinit(bodies.surface, all, {{{0, 1}}}, &search);
  EXPECT_TRUE(
    search.find_overlaps(bodies.positions, ignored.remaining_search(), 1)
      .empty());
  EXPECT_FALSE(ignored.update(bodies.positions));
  EXPECT_FALSE(ignored.empty());
  auto lifted = bodies.positions;
  for (auto &x : lifted)
    x[2] += 1.;
  EXPECT_TRUE(ignored.update(lifted));
  EXPECT_TRUE(ignored.empty());
  EXPECT_EQ(search
              .find_overlaps(bodies.positions, ignored.remaining_search(), 1)
              .size(),
            1u);
}
