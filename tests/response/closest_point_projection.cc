// SPDX-License-Identifier: LGPL-2.1-or-later

// The closest point in the norm of the mass under linear constraints, against
// the enumeration of all active sets.

#include <ricochet/response/closest_point_projection.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

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
      std::mt19937 generator(seed);
      std::uniform_real_distribution<double> uniform(-1., 1.);
      std::vector<Tensor<1, 3>> lumped;
      const auto vector = [&]() {
        return Tensor<1, 3>(
          {uniform(generator), uniform(generator), uniform(generator)});
      };
      for (unsigned int i = 0; i < n_nodes; ++i)
        {
          const double m = std::exp(uniform(generator));
          masses.push_back(m);
          lumped.push_back(Tensor<1, 3>({1. / m, 1. / m, 1. / m}));
          predictor.push_back(Point<3>(vector()));
        }
      inverse_mass.reinit(lumped);
      for (unsigned int c = 0; c < n_constraints; ++c)
        {
          GapConstraint<3> constraint;
          auto &collision  = constraint.collision;
          collision.normal = vector();
          collision.normal /= collision.normal.norm();
          collision.length = 1.;
          double sum       = 0.;
          for (unsigned int i = 0; i < 4; ++i)
            {
              collision.nodes.push_back((c + i * (1 + c % 2)) % n_nodes);
              collision.weights.push_back(i < 3 ? uniform(generator) : -sum);
              sum += collision.weights.back();
            }
          constraint.target = uniform(generator);
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
                                    x,
                                    1e-12,
                                    100000));
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
  ASSERT_TRUE(project_onto_gaps(once.constraints,
                                once.inverse_mass,
                                once.predictor,
                                x,
                                1e-13,
                                100000));
  ASSERT_TRUE(project_onto_gaps(twice.constraints,
                                twice.inverse_mass,
                                twice.predictor,
                                y,
                                1e-13,
                                100000));
  for (unsigned int i = 0; i < n_nodes; ++i)
    EXPECT_LT(x[i].distance(y[i]), 1e-9);
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
                                 x,
                                 1e-6,
                                 1000));
}
