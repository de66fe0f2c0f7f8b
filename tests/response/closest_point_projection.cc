// SPDX-License-Identifier: LGPL-2.1-or-later

// The closest point in the norm of the mass under linear constraints, against
// the enumeration of all active sets.

#include <ricochet/projection/closest_point_projection.h>

#include <deal.II/base/multithread_info.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "../random.h"
#include "couple_nodes.h"

using namespace Ricochet;
using dealii::FullMatrix;
using dealii::Point;
using dealii::Tensor;
using dealii::Vector;

namespace
{
  constexpr unsigned int n_nodes = 7, n_constraints = 5;



  struct Problem
  {
    explicit Problem(const unsigned int seed)
    {
      Random random(seed);
      std::vector<Tensor<1, 3>> lumped;
      for (unsigned int i = 0; i < n_nodes; ++i)
        {
          const double m = std::exp(random.uniform(-1., 1.));
          masses.push_back(m);
          lumped.push_back(Tensor<1, 3>({1. / m, 1. / m, 1. / m}));
          predictor.push_back(Point<3>(random.vector<3>(1.)));
        }
      inverse_mass.reinit(lumped);
      for (unsigned int c = 0; c < n_constraints; ++c)
        {
          GapConstraint<3> constraint;
          auto &collision  = constraint.collision;
          collision.normal = random.vector<3>(1.);
          collision.normal /= collision.normal.norm();
          collision.length = 1.;
          double sum       = 0.;
          for (unsigned int i = 0; i < 4; ++i)
            {
              collision.nodes.push_back((c + i * (1 + c % 2)) % n_nodes);
              collision.weights.push_back(i < 3 ? random.uniform(-1., 1.)
                                                : -sum);
              sum += collision.weights.back();
            }
          constraint.target = random.uniform(-1., 1.);
          constraints.push_back(constraint);
        }
    }

    /** 1/2 |x - x~|^2 in the norm of the mass. */
    double
    distance(const std::vector<Point<3>> &x) const
    {
      double sum = 0.;
      for (unsigned int i = 0; i < n_nodes; ++i)
        sum += 0.5 * masses[i] * (x[i] - predictor[i]).norm_square();
      return sum;
    }

    double
    gap(const unsigned int c, const std::vector<Point<3>> &x) const
    {
      const auto &collision = constraints[c].collision;
      return collision.normal * collision.weighted_sum(x);
    }

    /** The smallest distance of all stationary points with equalities on a
     * subset of the constraints that satisfy all of them. */
    double
    best_distance() const
    {
      double best = std::numeric_limits<double>::infinity();
      for (unsigned int set = 0; set < (1u << n_constraints); ++set)
        {
          std::vector<unsigned int> active;
          for (unsigned int c = 0; c < n_constraints; ++c)
            if ((set >> c) & 1u)
              active.push_back(c);
          std::vector<Point<3>> x = predictor;
          if (!active.empty())
            {
              const unsigned int n = active.size();
              FullMatrix<double> matrix(n, n);
              Vector<double> missing(n), multipliers(n);
              for (unsigned int j = 0; j < n; ++j)
                {
                  std::vector<Point<3>> moved(n_nodes);
                  const auto &collision = constraints[active[j]].collision;
                  inverse_mass.apply(collision, collision.normal, moved);
                  for (unsigned int i = 0; i < n; ++i)
                    matrix(i, j) = gap(active[i], moved);
                  missing[j] =
                    constraints[active[j]].target - gap(active[j], predictor);
                }
              matrix.gauss_jordan();
              matrix.vmult(multipliers, missing);
              for (unsigned int j = 0; j < n; ++j)
                inverse_mass.apply(constraints[active[j]].collision,
                                   multipliers[j] *
                                     constraints[active[j]].collision.normal,
                                   x);
            }
          bool is_admissible = true;
          for (unsigned int c = 0; c < n_constraints; ++c)
            is_admissible =
              is_admissible && gap(c, x) >= constraints[c].target - 1e-9;
          if (is_admissible)
            best = std::min(best, distance(x));
        }
      return best;
    }

    std::vector<double> masses;
    std::vector<Point<3>> predictor;
    InverseMass<3> inverse_mass;
    std::vector<GapConstraint<3>> constraints;
  };
} // namespace



TEST(ClosestPointProjection, IsTheBestOfAllActiveSets)
{
  for (unsigned int seed = 0; seed < 100; ++seed)
    {
      Problem problem(seed);
      const double best = problem.best_distance();
      std::vector<Point<3>> x;
      ASSERT_TRUE(project_onto_gaps(problem.constraints,
                                    problem.inverse_mass,
                                    problem.predictor,
                                    x)
                    .is_solved);
      EXPECT_NEAR(problem.distance(x), best, 1e-9 * (1. + best));
      Tensor<1, 3> shift;
      for (unsigned int i = 0; i < n_nodes; ++i)
        shift += problem.masses[i] * (x[i] - problem.predictor[i]);
      EXPECT_LT(shift.norm(), 1e-12 * (1. + std::sqrt(best)));
      for (unsigned int c = 0; c < n_constraints; ++c)
        {
          EXPECT_GE(problem.constraints[c].multiplier, 0.);
          EXPECT_GE(problem.gap(c, x), problem.constraints[c].target - 1e-11);
        }
    }
}



// Two copies of one constraint have no unique multipliers, but one solution.
TEST(ClosestPointProjection, AllowsRedundantConstraints)
{
  Problem once(1), twice(1);
  for (unsigned int c = 0; c < n_constraints; ++c)
    twice.constraints.push_back(twice.constraints[c]);
  std::vector<Point<3>> x, y;
  ASSERT_TRUE(
    project_onto_gaps(once.constraints, once.inverse_mass, once.predictor, x)
      .is_solved);
  ASSERT_TRUE(
    project_onto_gaps(twice.constraints, twice.inverse_mass, twice.predictor, y)
      .is_solved);
  for (unsigned int i = 0; i < n_nodes; ++i)
    EXPECT_LT(x[i].distance(y[i]), 1e-9);
}



// Copies of a problem that share no nodes but those that are held.
class ManyGroups
{
public:
  explicit ManyGroups(const unsigned int n_copies)
  {
    std::vector<Tensor<1, 3>> lumped;
    for (unsigned int copy = 0; copy < n_copies; ++copy)
      {
        const Problem problem(copy);
        problems.push_back(problem);
        predictor.insert(predictor.end(),
                         problem.predictor.begin(),
                         problem.predictor.end());
        for (const double mass : problem.masses)
          lumped.push_back(Tensor<1, 3>({1. / mass, 1. / mass, 1. / mass}));
      }
    const unsigned int held = predictor.size();
    predictor.push_back(Point<3>());
    lumped.push_back(Tensor<1, 3>());
    inverse_mass.reinit(lumped);
    // In turns, so that groups are no ranges.
    for (unsigned int c = 0; c < n_constraints; ++c)
      for (unsigned int copy = 0; copy < n_copies; ++copy)
        {
          constraints.push_back(problems[copy].constraints[c]);
          auto &collision = constraints.back().collision;
          for (auto &node : collision.nodes)
            node += copy * n_nodes;
          collision.nodes.push_back(held);
          collision.weights.push_back(1.);
        }
  }

  std::vector<Problem> problems;
  std::vector<Point<3>> predictor;
  InverseMass<3> inverse_mass;
  std::vector<GapConstraint<3>> constraints;
};



TEST(ClosestPointProjection, SolvesGroupsOneByOne)
{
  ManyGroups all(20);
  std::vector<Point<3>> x, y;
  const auto result =
    project_onto_gaps(all.constraints, all.inverse_mass, all.predictor, x);
  EXPECT_TRUE(result.is_solved);
  EXPECT_EQ(result.n_groups, 20u);
  EXPECT_EQ(result.n_infeasible, 0u);
  EXPECT_EQ(x.back(), all.predictor.back());
  for (unsigned int copy = 0; copy < 20; ++copy)
    {
      Problem &problem = all.problems[copy];
      project_onto_gaps(problem.constraints,
                        problem.inverse_mass,
                        problem.predictor,
                        y);
      for (unsigned int i = 0; i < n_nodes; ++i)
        EXPECT_EQ(x[copy * n_nodes + i], y[i]);
    }

  // From its own multipliers, it is done at once.
  const auto again =
    project_onto_gaps(all.constraints, all.inverse_mass, all.predictor, y);
  EXPECT_EQ(again.n_iterations, 0u);
}



TEST(ClosestPointProjection, ThreadsDoNotMatter)
{
  std::array<std::vector<Point<3>>, 2> x;
  std::array<std::vector<double>, 2> multipliers;
  for (const unsigned int n_threads : {1, 2})
    {
      dealii::MultithreadInfo::set_thread_limit(n_threads);
      ManyGroups all(200);
      project_onto_gaps(all.constraints,
                        all.inverse_mass,
                        all.predictor,
                        x[n_threads - 1]);
      for (const auto &constraint : all.constraints)
        multipliers[n_threads - 1].push_back(constraint.multiplier);
    }
  dealii::MultithreadInfo::set_thread_limit(2);
  EXPECT_EQ(x[0], x[1]);
  EXPECT_EQ(multipliers[0], multipliers[1]);
}



// Rows of nodes that are pushed apart: more constraints than a full matrix is
// for. All are active, so that the distances are the targets, and the centres
// of mass stay; with any number of threads.
TEST(ClosestPointProjection, SolvesLargeGroups)
{
  constexpr unsigned int n_rows = 4, length = 200;
  Random random(5);
  std::vector<Tensor<1, 3>> lumped;
  std::vector<Point<3>> predictor;
  std::vector<GapConstraint<3>> constraints;
  for (unsigned int node = 0; node < n_rows * length; ++node)
    {
      const double inverse = std::exp(random.uniform(-1., 1.));
      lumped.push_back(Tensor<1, 3>({inverse, inverse, inverse}));
      predictor.push_back(Point<3>(random.vector<3>(0.1)));
    }
  // In turns, so that groups are no ranges.
  for (unsigned int k = 0; k + 1 < length; ++k)
    for (unsigned int row = 0; row < n_rows; ++row)
      {
        GapConstraint<3> constraint;
        const unsigned int node = row * length + k;
        constraint.collision.nodes.assign({node + 1, node});
        constraint.collision.weights.assign({1., -1.});
        constraint.collision.normal[2] = 1.;
        constraint.collision.length    = 1.;
        constraint.target              = random.uniform(0.5, 1.);
        constraints.push_back(constraint);
      }
  InverseMass<3> inverse_mass;
  inverse_mass.reinit(lumped);

  std::array<std::vector<Point<3>>, 2> x;
  for (const unsigned int n_threads : {1, 2})
    {
      dealii::MultithreadInfo::set_thread_limit(n_threads);
      auto solved = constraints;
      const auto result =
        project_onto_gaps(solved, inverse_mass, predictor, x[n_threads - 1]);
      EXPECT_TRUE(result.is_solved);
      EXPECT_FALSE(result.is_rough);
      EXPECT_EQ(result.n_groups, n_rows);
    }
  dealii::MultithreadInfo::set_thread_limit(2);
  EXPECT_EQ(x[0], x[1]);
  for (const auto &constraint : constraints)
    EXPECT_NEAR(constraint.collision.weighted_sum(x[0])[2],
                constraint.target,
                1e-11);
  for (unsigned int row = 0; row < n_rows; ++row)
    {
      double moment = 0., mass = 0.;
      for (unsigned int k = row * length; k < (row + 1) * length; ++k)
        {
          mass += 1. / lumped[k][0];
          moment += (x[0][k][2] - predictor[k][2]) / lumped[k][0];
          EXPECT_EQ(x[0][k][0], predictor[k][0]);
        }
      EXPECT_NEAR(moment / mass, 0., 1e-12);
    }
}



// The mass of two bodies with two nodes each, and a constraint in each of them:
// the nodes that are not in the constraint follow.
TEST(ClosestPointProjection, FollowsAConsistentMass)
{
  FullMatrix<double> mass(4, 4), inverse(4, 4);
  for (unsigned int i = 0; i < 4; ++i)
    {
      mass(i, i)     = 2. + i;
      mass(i, i ^ 1) = 1.;
    }
  inverse.copy_from(mass);
  inverse.gauss_jordan();
  InverseMass<3> inverse_mass;
  inverse_mass.reinit(std::vector<Tensor<1, 3>>(4));
  couple_nodes(inverse_mass, {0, 1}, inverse);
  couple_nodes(inverse_mass, {2, 3}, inverse);

  std::vector<GapConstraint<3>> constraints(3);
  for (unsigned int c = 0; c < 3; ++c)
    {
      auto &collision = constraints[c].collision;
      // The last one is between the bodies.
      collision.nodes.assign({c == 2 ? 0u : 2 * c, c == 2 ? 2u : 2 * c + 1});
      collision.weights.assign({1., -1.});
      collision.bodies      = {{c % 2, c == 2 ? 1 : c}};
      collision.normal[0]   = 1.;
      collision.length      = 1.;
      constraints[c].target = 0.5 + c;
    }
  const auto last = constraints.back();
  constraints.pop_back();
  const std::vector<Point<3>> predictor(4);
  std::vector<Point<3>> x;
  EXPECT_EQ(project_onto_gaps(constraints, inverse_mass, predictor, x).n_groups,
            2u);
  for (unsigned int i = 0; i < 4; i += 2)
    {
      EXPECT_NEAR(x[i][0] - x[i + 1][0], constraints[i / 2].target, 1e-14);
      // No impulse from outside.
      double momentum = 0.;
      for (unsigned int j = 0; j < 4; ++j)
        momentum += (mass(i, j) + mass(i + 1, j)) * x[j][0];
      EXPECT_NEAR(momentum, 0., 1e-14);
    }

  constraints.push_back(last);
  const auto result =
    project_onto_gaps(constraints, inverse_mass, predictor, x);
  EXPECT_EQ(result.n_groups, 1u);
  EXPECT_TRUE(result.is_solved);
  EXPECT_NEAR(x[0][0] - x[2][0], 2.5, 1e-14);
}



// A pair of nodes that are held may be too close, but not behind each other.
TEST(ClosestPointProjection, LeavesHeldPairsAlone)
{
  InverseMass<3> inverse_mass;
  inverse_mass.reinit(std::vector<Tensor<1, 3>>(2));
  std::vector<GapConstraint<3>> constraints(1);
  auto &collision = constraints[0].collision;
  collision.nodes.assign({0, 1});
  collision.weights.assign({1., -1.});
  collision.normal[2]   = 1.;
  collision.length      = 1.;
  constraints[0].target = 0.1;
  std::vector<Point<3>> predictor(2), x;
  for (const double height : {-0.05, 0., 0.05})
    {
      predictor[0][2] = height;
      const auto result =
        project_onto_gaps(constraints, inverse_mass, predictor, x);
      EXPECT_EQ(result.is_solved, height >= 0.);
      EXPECT_EQ(result.n_infeasible, height >= 0. ? 0u : 1u);
      EXPECT_EQ(x, predictor);
    }
}



TEST(ClosestPointProjection, TellsThatThereIsNoSolution)
{
  Problem problem(2);
  problem.constraints.resize(2);
  problem.constraints[1] = problem.constraints[0];
  problem.constraints[1].collision.normal *= -1.;
  problem.constraints[0].target = problem.constraints[1].target = 0.5;
  std::vector<Point<3>> x;
  EXPECT_FALSE(project_onto_gaps(problem.constraints,
                                 problem.inverse_mass,
                                 problem.predictor,
                                 x)
                 .is_solved);
}



namespace
{
  /** What relaxed constraints minimize: the distance, and of each constraint
   * that misses its target by s, rho s + s^2 / (2 S). */
  double
  price(const Problem &problem,
        const std::vector<double> &flexibilities,
        const double rho_times_flexibility,
        const std::vector<Point<3>> &x)
  {
    double sum = problem.distance(x);
    for (unsigned int c = 0; c < problem.constraints.size(); ++c)
      {
        const double s =
          std::max(0., problem.constraints[c].target - problem.gap(c, x));
        sum += s * (rho_times_flexibility + 0.5 * s) / flexibilities[c];
      }
    return sum;
  }
} // namespace



// Of constraints that contradict each other, relaxed ones pay the least price:
// nothing else nearby costs less.
TEST(ClosestPointProjection, RelaxesWhatContradictsItself)
{
  for (unsigned int seed = 0; seed < 30; ++seed)
    {
      Problem problem(seed);
      auto &constraints = problem.constraints;
      constraints.push_back(constraints.front());
      constraints.back().collision.normal *= -1.;
      constraints.front().target = constraints.back().target = 0.5;

      double worst = 0.;
      std::vector<double> flexibilities;
      for (unsigned int c = 0; c < constraints.size(); ++c)
        {
          worst =
            std::max(worst,
                     constraints[c].target - problem.gap(c, problem.predictor));
          flexibilities.push_back(
            problem.inverse_mass.effective(constraints[c].collision)[0][0]);
        }

      std::vector<Point<3>> x;
      const auto result = project_onto_gaps(constraints,
                                            problem.inverse_mass,
                                            problem.predictor,
                                            x,
                                            UnsolvedGroups::relax);
      EXPECT_FALSE(result.is_solved);
      EXPECT_EQ(result.unsolved.size(), constraints.size());
      const double least = price(problem, flexibilities, 10. * worst, x);
      Random random(seed);
      for (const double size : {1e-1, 1e-3, 1e-5})
        for (unsigned int n = 0; n < 100; ++n)
          {
            auto y = x;
            for (Point<3> &point : y)
              for (unsigned int d = 0; d < 3; ++d)
                point[d] += size * random.normal();
            EXPECT_GT(price(problem, flexibilities, 10. * worst, y), least)
              << seed << ' ' << size;
          }
      for (unsigned int c = 0; c < constraints.size(); ++c)
        {
          const double missing =
            std::max(0., constraints[c].target - problem.gap(c, x));
          EXPECT_LE(constraints[c].multiplier * flexibilities[c],
                    10. * worst + missing + 1e-12 * worst);
        }
    }
}



// Two constraints that nearly oppose each other: the closest point that
// satisfies both is far to the side, and no contact leads there.
TEST(ClosestPointProjection, DoesNotFollowWedgesFarAway)
{
  InverseMass<2> inverse_mass;
  inverse_mass.reinit(
    {Tensor<1, 2>({1., 1.}), Tensor<1, 2>()}); // the second one is held
  const std::vector<Point<2>> predictor(2);
  for (const double slope : {0.15, 0.01})
    for (const auto unsolved : {UnsolvedGroups::leave, UnsolvedGroups::relax})
      {
        std::vector<GapConstraint<2>> constraints(2);
        for (unsigned int c = 0; c < 2; ++c)
          {
            auto &collision = constraints[c].collision;
            collision.nodes.assign({0, 1});
            collision.weights.assign({1., -1.});
            collision.length = 1.;
            collision.normal =
              Tensor<1, 2>({c == 0 ? 1. : -1., slope}) / std::hypot(1., slope);
            constraints[c].target = 1.;
          }
        std::vector<Point<2>> x;
        const auto result =
          project_onto_gaps(constraints, inverse_mass, predictor, x, unsolved);
        EXPECT_NEAR(x[0][0], 0., 1e-12);
        EXPECT_EQ(result.is_solved, slope > 0.1);
        if (slope > 0.1)
          EXPECT_NEAR(x[0][1], std::hypot(1., slope) / slope, 1e-12);
        else if (unsolved == UnsolvedGroups::leave)
          EXPECT_EQ(x, predictor);
        else
          {
            // Each multiplier is the linear price and a part of the miss: both
            // ends of 2 n_y^2 (10 + s) = 1 - s, where s is what is missing.
            const double n_y = slope / std::hypot(1., slope);
            const double s   = (1. - 20. * n_y * n_y) / (1. + 2. * n_y * n_y);
            EXPECT_NEAR(x[0][1], (1. - s) / n_y, 1e-12 / n_y);
          }
      }
}
