// SPDX-License-Identifier: LGPL-2.1-or-later

// Projections of random overlaps of two bodies.

#include <ricochet/projection/number_table.h>
#include <ricochet/projection/quadratic_program.h>
#include <ricochet/projection/way_combinations.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <utility>

#include "../random.h"
#include "nonsmooth_model.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  double
  cross(const Tensor<1, 2> &a, const Tensor<1, 2> &b)
  {
    return a[0] * b[1] - a[1] * b[0];
  }



  /** A unit square with @p n segments per side. */
  std::vector<Point<2>>
  square(const unsigned int n, const double angle, const Tensor<1, 2> &centre)
  {
    std::vector<Point<2>> result;
    const Point<2> corners[4] = {{-0.5, -0.5},
                                 {0.5, -0.5},
                                 {0.5, 0.5},
                                 {-0.5, 0.5}};
    for (unsigned int side = 0; side < 4; ++side)
      for (unsigned int i = 0; i < n; ++i)
        {
          const Tensor<1, 2> x =
            corners[side] +
            double(i) / n * (corners[(side + 1) % 4] - corners[side]);
          result.emplace_back(std::cos(angle) * x[0] - std::sin(angle) * x[1] +
                                centre[0],
                              std::sin(angle) * x[0] + std::cos(angle) * x[1] +
                                centre[1]);
        }
    return result;
  }



  /** A square, and a turned one with a corner or a side a little way into it.
   */
  NonsmoothModel<2>
  overlap(const unsigned int seed)
  {
    Random random(seed);
    const unsigned int n = 1 + seed % 2;
    const double angle =
      seed % 4 == 0 ? 0. : random.uniform(0., 2. * dealii::numbers::PI);
    auto x = square(n, 0., Tensor<1, 2>());
    // Its lowest point is below the first one's upper side.
    auto y        = square(n, angle, Tensor<1, 2>());
    double lowest = 0.;
    for (const Point<2> &p : y)
      lowest = std::min(lowest, p[1]);
    const Tensor<1, 2> shift(
      {random.uniform(-0.6, 0.6), 0.5 - lowest - random.uniform(0.001, 0.01)});
    for (const Point<2> &p : y)
      x.push_back(p + shift);

    const unsigned int n_vertices = 4 * n;
    std::vector<std::array<unsigned int, 2>> segments;
    std::vector<unsigned int> bodies;
    std::vector<double> masses;
    for (unsigned int b = 0; b < 2; ++b)
      for (unsigned int i = 0; i < n_vertices; ++i)
        {
          segments.push_back(
            {{b * n_vertices + i, b * n_vertices + (i + 1) % n_vertices}});
          bodies.push_back(b);
          masses.push_back(std::exp(random.uniform(-1., 1.)));
        }
    return NonsmoothModel<2>(x, segments, bodies, masses);
  }



  /** The largest difference of positions. */
  double
  distance(const std::vector<Point<2>> &a, const std::vector<Point<2>> &b)
  {
    double result = 0.;
    for (unsigned int k = 0; k < a.size(); ++k)
      result = std::max(result, a[k].distance(b[k]));
    return result;
  }



  /** The closest point under the last linearized gaps, by as many sweeps over
   * them as it takes. */
  std::vector<Point<2>>
  by_relaxation(const NonsmoothModel<2> &model)
  {
    const auto &constraints = model.projection.get_constraints();
    std::vector<Point<2>> x = model.predictor;
    std::vector<double> multipliers(constraints.size(), 0.);
    double change = 1.;
    for (unsigned int sweep = 0; sweep < 200000 && change > 1e-16; ++sweep)
      {
        change = 0.;
        for (unsigned int k = 0; k < constraints.size(); ++k)
          {
            const Collision<2> &c = constraints[k].collision;
            double flexibility    = 0.;
            for (unsigned int i = 0; i < c.nodes.size(); ++i)
              flexibility +=
                c.weights[i] * c.weights[i] / model.masses[c.nodes[i]];
            const double step =
              std::max(-multipliers[k],
                       (constraints[k].target - c.normal * c.weighted_sum(x)) /
                         flexibility);
            multipliers[k] += step;
            change = std::max(change, std::abs(step) * flexibility);
            for (unsigned int i = 0; i < c.nodes.size(); ++i)
              x[c.nodes[i]] +=
                step * c.weights[i] / model.masses[c.nodes[i]] * c.normal;
          }
      }
    return x;
  }



  /** Project with the published products (A.2) of the segments that cross,
   * with the sign that makes them admissible, (x_31 x x_34) (x_12 x x_14) >= 0;
   * false if the iteration does not settle. */
  bool
  project_products(const NonsmoothModel<2> &model,
                   const std::vector<std::array<unsigned int, 4>> &pairs,
                   std::vector<Point<2>> &x)
  {
    x                        = model.predictor;
    const unsigned int n_dof = 2 * x.size();
    for (unsigned int iteration = 0; iteration < 60; ++iteration)
      {
        dealii::FullMatrix<double> G(pairs.size(), n_dof);
        std::vector<double> b, multipliers;
        for (unsigned int k = 0; k < pairs.size(); ++k)
          {
            const auto &v        = pairs[k];
            const Tensor<1, 2> d = x[v[1]] - x[v[0]], e = x[v[3]] - x[v[2]];
            const double a_k = cross(x[v[0]] - x[v[2]], e),
                         b_k = cross(d, x[v[3]] - x[v[0]]);
            // d(ab) = b da + a db
            const auto add = [&](const unsigned int vertex,
                                 const double factor,
                                 const Tensor<1, 2> &t) {
              G(k, 2 * vertex) += factor * t[1];
              G(k, 2 * vertex + 1) -= factor * t[0];
            };
            const Tensor<1, 2> p = x[v[0]] - x[v[2]], q = x[v[3]] - x[v[0]];
            add(v[0], b_k, e);
            add(v[2], -b_k, e);
            add(v[3], -b_k, p);
            add(v[2], b_k, p);
            add(v[1], a_k, q);
            add(v[0], -a_k, q);
            add(v[3], -a_k, d);
            add(v[0], a_k, d);
            double value = a_k * b_k;
            for (unsigned int j = 0; j < n_dof; ++j)
              value -=
                G(k, j) * (x[j / 2][j % 2] - model.predictor[j / 2][j % 2]);
            b.push_back(-value);
          }
        dealii::FullMatrix<double> S(pairs.size(), pairs.size());
        for (unsigned int k = 0; k < pairs.size(); ++k)
          for (unsigned int l = 0; l < pairs.size(); ++l)
            for (unsigned int j = 0; j < n_dof; ++j)
              S(k, l) += G(k, j) * G(l, j) / model.masses[j / 2];
        if (!solve_quadratic_program(S, b, multipliers).is_solved())
          return false;
        auto next = model.predictor;
        for (unsigned int k = 0; k < pairs.size(); ++k)
          for (unsigned int j = 0; j < n_dof; ++j)
            next[j / 2][j % 2] +=
              multipliers[k] * G(k, j) / model.masses[j / 2];
        const double change = distance(next, x);
        x                   = next;
        if (change < 1e-13)
          return true;
      }
    return false;
  }
} // namespace



TEST(NonsmoothProjections, RandomOverlaps)
{
  unsigned int n_iterations = 0, n_projected = 0, n_products = 0;
  for (unsigned int seed = 0; seed < 400; ++seed)
    {
      SCOPED_TRACE(seed);
      NonsmoothModel<2> model = overlap(seed);
      std::vector<std::array<unsigned int, 4>> pairs;
      for (const auto &ways : model.crossings())
        // Start of the first and end of the second segment come first.
        pairs.push_back({{ways[0][0].vertices[0],
                          ways[1][0].vertices[2],
                          ways[0][0].vertices[1],
                          ways[1][0].vertices[0]}});
      if (pairs.empty())
        continue; // aligned, see the swept search
      ++n_projected;
      ASSERT_TRUE(model.project());
      n_iterations += model.result.n_iterations;
      EXPECT_LT(distance(model.positions, by_relaxation(model)), 1e-10);

      // Momenta of the displacement.
      Tensor<1, 2> momentum;
      double moment = 0.;
      for (unsigned int k = 0; k < model.masses.size(); ++k)
        {
          const Tensor<1, 2> p =
            model.masses[k] * (model.positions[k] - model.predictor[k]);
          momentum += p;
          moment += cross(Tensor<1, 2>(model.positions[k]), p);
        }
      EXPECT_LT(momentum.norm(), 1e-13);
      EXPECT_LT(std::abs(moment), 1e-13);

      // The products may end at another factor, which is further away.
      std::vector<Point<2>> x;
      if (!project_products(model, pairs, x) ||
          model.projection.get_constraints().size() > pairs.size())
        continue;
      double distance_square = 0.;
      for (unsigned int k = 0; k < x.size(); ++k)
        distance_square +=
          model.masses[k] * x[k].distance_square(model.predictor[k]);
      if (distance_square > (1. + 1e-6) * model.kinetic_distance_square())
        continue;
      ++n_products;
      EXPECT_LT(distance(model.positions, x), 1e-10);
    }
  EXPECT_GT(n_projected, 300u);
  EXPECT_GT(n_products, 300u);
  EXPECT_LE(double(n_iterations) / n_projected, 6.);
}



// Gradients by differences, at random places.
template <int dim>
void
check_gradients()
{
  for (unsigned int seed = 0; seed < 200; ++seed)
    {
      Random random(seed);
      std::vector<Point<dim>> x;
      for (unsigned int k = 0; k < 2 * dim; ++k)
        x.emplace_back(random.vector<dim>(1.));
      std::vector<std::array<unsigned int, dim>> facets(2);
      for (unsigned int k = 0; k < 2 * dim; ++k)
        facets[k / dim][k % dim] = k;
      std::vector<unsigned int> bodies(dim, 0);
      bodies.resize(2 * dim, 1);
      NonsmoothModel<dim> model(x,
                                facets,
                                bodies,
                                std::vector<double>(2 * dim, 1.));

      std::vector<Branch<dim>> branches(1);
      branches[0].vertices[0] = dim;
      for (unsigned int i = 0; i < dim; ++i)
        branches[0].vertices[i + 1] = i;
      if constexpr (dim == 3)
        {
          branches.emplace_back();
          branches[1].kind     = PairKind::edge_edge;
          branches[1].vertices = {{0, 1, 3, 4}};
          branches[1].side     = -1.;
        }
      for (const Branch<dim> &branch : branches)
        {
          Collision<dim> collision, other;
          ASSERT_TRUE(evaluate_branch(model.surface, branch, x, collision));
          double largest = 1.;
          for (const double w : collision.weights)
            largest = std::max(largest, std::abs(w));
          const double step = 1e-6 / largest;
          for (unsigned int i = 0; i < collision.nodes.size(); ++i)
            for (unsigned int d = 0; d < dim; ++d)
              {
                double difference = 0.;
                for (const double sign : {1., -1.})
                  {
                    auto moved = x;
                    moved[collision.nodes[i]][d] += sign * step;
                    ASSERT_TRUE(
                      evaluate_branch(model.surface, branch, moved, other));
                    difference += sign * other.gap / (2. * step);
                  }
                EXPECT_NEAR(collision.weights[i] * collision.normal[d],
                            difference,
                            1e-7 * largest * largest * largest)
                  << "seed " << seed;
              }
        }
    }
}

TEST(NonsmoothProjections, GradientsInThePlane)
{
  check_gradients<2>();
}

TEST(NonsmoothProjections, GradientsInSpace)
{
  check_gradients<3>();
}



namespace
{
  /**
   * A square with a corner in a corner of a held one, a little deeper from the
   * side than from below, and the line of a held bar that keeps the corner from
   * going down: vertices 0 to 3, 4 to 7, 8 and 9.
   */
  NonsmoothModel<2>
  blocked_corner()
  {
    const double held = std::numeric_limits<double>::infinity();
    return NonsmoothModel<2>(
      {{-1., -1.},
       {0., -1.},
       {0., 0.},
       {-1., 0.},
       {-0.2, -0.1},
       {1., -0.1},
       {1., 1.},
       {-0.2, 1.},
       {3., -0.05},
       {2., -0.05}},
      {{{0, 1}},
       {{1, 2}},
       {{2, 3}},
       {{3, 0}},
       {{4, 5}},
       {{5, 6}},
       {{6, 7}},
       {{7, 4}},
       {{8, 9}}},
      {0, 0, 0, 0, 1, 1, 1, 1, 2, 2},
      {1., 1., 1., 1., held, held, held, held, held, held});
  }



  /** 1/2 (x - x~) . M (x - x~) of the square. */
  double
  distance_of_square(const NonsmoothModel<2> &model,
                     const std::vector<Point<2>> &x)
  {
    double sum = 0.;
    for (unsigned int k = 0; k < 4; ++k)
      sum += 0.5 * x[k].distance_square(model.predictor[k]);
    return sum;
  }
} // namespace



// The closest ways lead down, where there is no room; of the others the closest
// admissible point is taken.
TEST(NonsmoothProjections, CombinationsFindTheWayOut)
{
  NonsmoothModel<2> model = blocked_corner();
  Branch<2> bar;
  bar.vertices = {{2, 8, 9}};

  std::vector<Crossing<2>> crossings;
  for (const auto &[a, b] :
       std::vector<std::pair<unsigned int, unsigned int>>{{2, 7}, {1, 4}})
    {
      const auto ways = ways_out(model.surface, model.positions, a, b);
      ASSERT_EQ(ways.size(), 2u);
      crossings.push_back({a,
                           b,
                           ways,
                           closest_way(model.surface,
                                       ways,
                                       model.inverse_mass,
                                       model.positions)});
    }
  AdmissibleProjection<2> closest;
  closest.add(bar, 0.);
  for (const auto &crossing : crossings)
    closest.add(crossing.taken.front(), 0.);
  const auto first_try = closest.project(model.surface,
                                         model.inverse_mass,
                                         model.predictor,
                                         nullptr,
                                         model.positions);
  EXPECT_FALSE(first_try.is_solved);
  for (const auto &crossing : crossings)
    EXPECT_EQ(first_try.unsettled.count(crossing.taken.front()), 1u);

  Crossings<2> record;
  record.demand(bar);
  for (const auto &crossing : crossings)
    record.add(crossing);
  const auto take_other_ways = [&](const std::set<Branch<2>> &unsettled) {
    return record.take_other_ways(
      model.surface,
      model.inverse_mass,
      model.predictor,
      nullptr,
      [](const Branch<2> &) { return 0.; },
      unsettled,
      closest);
  };
  EXPECT_FALSE(take_other_ways({bar}));
  ASSERT_TRUE(take_other_ways(first_try.unsettled));
  EXPECT_TRUE(closest.has(bar));
  const auto result = closest.project(model.surface,
                                      model.inverse_mass,
                                      model.predictor,
                                      nullptr,
                                      model.positions);
  EXPECT_TRUE(result.is_solved);
  EXPECT_NEAR(result.distance,
              distance_of_square(model, model.positions),
              1e-12);
  EXPECT_TRUE(model.crossings().empty());
  EXPECT_GE(model.positions[2][1], -0.05 - 1e-12);

  // Whatever else nearby is admissible is further away.
  const auto solution = model.positions;
  Random random(1);
  unsigned int n_admissible = 0;
  for (unsigned int n = 0; n < 20000; ++n)
    {
      model.positions = solution;
      for (unsigned int k = 0; k < 4; ++k)
        for (unsigned int d = 0; d < 2; ++d)
          model.positions[k][d] += random.uniform(-0.02, 0.02);
      if (!model.crossings().empty() || model.positions[2][1] < -0.05)
        continue;
      ++n_admissible;
      EXPECT_GT(distance_of_square(model, model.positions), result.distance);
    }
  EXPECT_GT(n_admissible, 100u);
}



TEST(NonsmoothProjections, TooManyCombinationsAreNotTried)
{
  NonsmoothModel<2> model = blocked_corner();
  const auto ways         = ways_out(model.surface, model.positions, 2, 7);
  std::vector<Crossing<2>> crossings(7, {2, 7, ways, ways.front()});
  AdmissibleProjection<2> projection;
  EXPECT_FALSE(take_closest_combination<2>(
    model.surface,
    model.inverse_mass,
    model.predictor,
    nullptr,
    [](const Branch<2> &) { return 0.; },
    crossings,
    projection));
}



// Numbers are found by what they stand for, also where all hashes are the same
// or lead to the last place, and after all were forgotten once.
TEST(NumberTable, FindsWhatWasInserted)
{
  NumberTable table;
  for (const std::size_t spread :
       {std::size_t(0), std::size_t(1), ~std::size_t(0)})
    {
      const auto hash = [&](const unsigned int n) { return n * spread; };
      const auto find = [&](const unsigned int n) {
        return table.find(hash(n),
                          [&](const unsigned int k) { return k == n; });
      };
      EXPECT_EQ(find(0), NumberTable::none);
      for (unsigned int n = 0; n < 300; ++n)
        {
          EXPECT_EQ(find(n), NumberTable::none);
          table.insert(hash(n), n);
          for (unsigned int k = 0; k <= n; k += 7)
            EXPECT_EQ(find(k), k);
        }
      EXPECT_EQ(find(300), NumberTable::none);
      table.clear();
      EXPECT_EQ(find(3), NumberTable::none);
    }
}
