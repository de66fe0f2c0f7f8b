// SPDX-License-Identifier: LGPL-2.1-or-later

// Quadratic programs in the norm of a mass: the conditions of an optimum, which
// are sufficient, and the exact solver of CGAL for the primal problem.

#include <ricochet/projection/quadratic_program.h>

#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "../random.h"

#ifdef RICOCHET_HAS_CGAL
#  include <CGAL/MP_Float.h>
#  include <CGAL/QP_functions.h>
#  include <CGAL/QP_models.h>
#endif

using namespace Ricochet;
using dealii::FullMatrix;
using Status = QuadraticProgramResult::Status;

namespace
{
  /** min 1/2 x . M x with G x >= b and a diagonal mass. */
  struct Problem
  {
    Problem(const unsigned int n_unknowns, const unsigned int seed)
      : random(seed)
    {
      for (unsigned int k = 0; k < n_unknowns; ++k)
        masses.push_back(std::exp(random.uniform(-2., 2.)));
    }

    std::vector<double>
    random_row()
    {
      std::vector<double> row;
      for (unsigned int k = 0; k < masses.size(); ++k)
        row.push_back(random.uniform(0., 1.) < 0.5 ? random.uniform(-1., 1.)
                                                   : 0.);
      row[rows.size() % row.size()] = random.uniform(0.5, 1.);
      return row;
    }

    void
    add(const std::vector<double> &row, const double target)
    {
      rows.push_back(row);
      b.push_back(target);
    }

    /** Add rows that the same point satisfies, most of them not at zero: new
     * ones, multiples of others, and others with changes of size @p change. */
    void
    add_rows(const unsigned int n, const double change)
    {
      std::vector<double> point;
      for (unsigned int k = 0; k < masses.size(); ++k)
        point.push_back(random.uniform(-2., 2.));
      for (unsigned int i = 0; i < n; ++i)
        {
          std::vector<double> row = random_row();
          if (i > 0 && i % 3 == 0)
            {
              const auto &other   = rows[rows.size() - 1 - i % 2];
              const double factor = i % 4 == 0 ? 1. : std::exp(0.2 * i);
              for (unsigned int k = 0; k < row.size(); ++k)
                row[k] = factor * (other[k] + change * row[k]);
            }
          double value = 0.;
          for (unsigned int k = 0; k < row.size(); ++k)
            value += row[k] * point[k];
          add(row, i % 2 == 0 ? value : value - random.uniform(0., 0.5));
        }
    }

    FullMatrix<double>
    schur_complement() const
    {
      FullMatrix<double> S(rows.size(), rows.size());
      for (unsigned int i = 0; i < rows.size(); ++i)
        for (unsigned int j = 0; j < rows.size(); ++j)
          for (unsigned int k = 0; k < masses.size(); ++k)
            S(i, j) += rows[i][k] * rows[j][k] / masses[k];
      return S;
    }

    QuadraticProgramResult
    solve(std::vector<double> &multipliers) const
    {
      return solve_quadratic_program(schur_complement(), b, multipliers);
    }

    /** M^-1 G' lambda. */
    std::vector<double>
    point(const std::vector<double> &multipliers) const
    {
      std::vector<double> x(masses.size(), 0.);
      for (unsigned int i = 0; i < rows.size(); ++i)
        for (unsigned int k = 0; k < x.size(); ++k)
          x[k] += rows[i][k] * multipliers[i] / masses[k];
      return x;
    }

    Random random;
    std::vector<double> masses, b;
    std::vector<std::vector<double>> rows;
  };



  /** How far an optimum's conditions are from being met, for rows of length one
   * and relative to the right hand side and the multipliers. */
  double
  error_of(const Problem &problem, const std::vector<double> &multipliers)
  {
    const FullMatrix<double> S = problem.schur_complement();
    double error = 0., largest = 0., sum = 0.;
    for (unsigned int i = 0; i < multipliers.size(); ++i)
      {
        EXPECT_GE(multipliers[i], 0.);
        const double norm = std::sqrt(S(i, i));
        sum += norm * multipliers[i];
        largest    = std::max(largest, std::abs(problem.b[i] / norm));
        double gap = -problem.b[i];
        for (unsigned int j = 0; j < multipliers.size(); ++j)
          gap += S(i, j) * multipliers[j];
        error =
          std::max(error,
                   multipliers[i] > 0. ? std::abs(gap / norm) : -gap / norm);
      }
    return error / (largest + sum);
  }



  double
  distance(const std::vector<double> &x, const std::vector<double> &y)
  {
    double result = 0.;
    for (unsigned int k = 0; k < x.size(); ++k)
      result = std::max(result, std::abs(x[k] - y[k]));
    return result;
  }
} // namespace



TEST(QuadraticProgram, FindsTheOptimum)
{
  for (const double change :
       {0., 1e-14, 1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-2})
    for (unsigned int seed = 0; seed < 60; ++seed)
      {
        Problem problem(3 + seed % 20, seed);
        problem.add_rows(1 + seed, change);
        std::vector<double> multipliers;
        const auto result = problem.solve(multipliers);
        ASSERT_EQ(result.status, Status::solved)
          << "change " << change << ", seed " << seed;
        ASSERT_EQ(multipliers.size(), problem.b.size());
        EXPECT_LT(error_of(problem, multipliers), 1e-12)
          << "change " << change << ", seed " << seed;
        EXPECT_LE(result.n_active, problem.masses.size());
      }
}



TEST(QuadraticProgram, SolvesLargeGroups)
{
  Problem problem(300, 1);
  problem.add_rows(400, 1e-3);
  std::vector<double> multipliers;
  const auto result = problem.solve(multipliers);
  EXPECT_TRUE(result.is_solved());
  EXPECT_GT(result.n_active, 100u);
  EXPECT_LT(error_of(problem, multipliers), 1e-12);
}



// x >= 1 and -x >= 0, among others.
TEST(QuadraticProgram, TellsThatThereIsNoSolution)
{
  for (unsigned int seed = 0; seed < 100; ++seed)
    {
      Problem problem(2 + seed % 6, seed);
      problem.add_rows(seed % 12, 1e-3);
      const auto row    = problem.random_row();
      const auto second = problem.random_row();
      auto opposite     = row;
      for (unsigned int k = 0; k < row.size(); ++k)
        opposite[k] = -row[k] - (seed % 2 == 0 ? 0. : second[k]);
      problem.add(row, 1.);
      if (seed % 2 != 0)
        problem.add(second, -0.5);
      problem.add(opposite, seed % 2 == 0 ? 0. : -0.4);
      std::vector<double> multipliers;
      EXPECT_EQ(problem.solve(multipliers).status, Status::infeasible)
        << "seed " << seed;
      for (const double multiplier : multipliers)
        EXPECT_GE(multiplier, 0.);

      // With a target that fits it has one.
      problem.b.back() = seed % 2 == 0 ? -1.1 : -0.6;
      multipliers.clear();
      if (seed % 12 == 0)
        {
          EXPECT_EQ(problem.solve(multipliers).status, Status::solved);
          EXPECT_LT(error_of(problem, multipliers), 1e-12);
        }
    }
}



// The same point from anywhere, and in fewer steps from nearby.
TEST(QuadraticProgram, StartsFromMultipliers)
{
  unsigned int n_cold = 0, n_warm = 0;
  for (unsigned int seed = 0; seed < 60; ++seed)
    {
      Problem problem(5 + seed % 10, seed);
      problem.add_rows(5 + seed, 1e-2);
      std::vector<double> start;
      ASSERT_TRUE(problem.solve(start).is_solved());
      for (double &b : problem.b)
        b -= 1e-3 * problem.random.uniform(0., 1.);
      std::vector<double> cold, warm = start, anything(start.size(), 1.);
      const auto cold_result = problem.solve(cold);
      const auto warm_result = problem.solve(warm);
      ASSERT_TRUE(cold_result.is_solved() && warm_result.is_solved());
      ASSERT_TRUE(problem.solve(anything).is_solved());
      n_cold += cold_result.n_iterations;
      n_warm += warm_result.n_iterations;
      EXPECT_LT(error_of(problem, warm), 1e-12);
      EXPECT_LT(error_of(problem, anything), 1e-12);
      const auto x = problem.point(cold);
      EXPECT_LT(distance(problem.point(warm), x), 1e-9) << "seed " << seed;
      EXPECT_LT(distance(problem.point(anything), x), 1e-9) << "seed " << seed;

      // Of the solution itself, nothing is to be done.
      EXPECT_EQ(problem.solve(warm).n_iterations, 0u);
    }
  EXPECT_LT(3 * n_warm, n_cold);
}



// Of equal rows, the first one.
TEST(QuadraticProgram, ResolvesTies)
{
  Problem problem(4, 7);
  const auto row = problem.random_row();
  for (unsigned int i = 0; i < 5; ++i)
    problem.add(row, 1. + (i == 3 ? 1e-11 : 0.));
  std::vector<double> multipliers;
  EXPECT_TRUE(problem.solve(multipliers).is_solved());
  EXPECT_EQ(std::count(multipliers.begin(), multipliers.end(), 0.), 4);

  problem.b[3] = 1.;
  multipliers.clear();
  EXPECT_EQ(problem.solve(multipliers).n_iterations, 1u);
  EXPECT_GT(multipliers[0], 0.);
}



TEST(QuadraticProgram, HasNothingToDoForHeldRows)
{
  Problem problem(2, 3);
  problem.add({1., 0.}, 2.);
  problem.add({0., 0.}, 0.1);
  const auto S = problem.schur_complement();
  std::vector<double> multipliers(2, 1.);
  EXPECT_EQ(solve_quadratic_program(S, problem.b, multipliers).status,
            Status::infeasible);
  EXPECT_TRUE(
    solve_quadratic_program(S, problem.b, multipliers, 0.2).is_solved());
  EXPECT_NEAR(multipliers[0], 2. * problem.masses[0], 1e-14);
  EXPECT_EQ(multipliers[1], 0.);
}



TEST(QuadraticProgram, HasNothingToDoWithoutConstraints)
{
  std::vector<double> multipliers;
  EXPECT_TRUE(
    solve_quadratic_program(FullMatrix<double>(), {}, multipliers).is_solved());
}



#ifdef RICOCHET_HAS_CGAL
// Here the point is compared; rows that are nearly the same, but not quite,
// let it depend on round-off.
TEST(QuadraticProgram, AgreesWithAnExactSolver)
{
  using Program             = CGAL::Quadratic_program<double>;
  unsigned int n_infeasible = 0;
  for (unsigned int seed = 0; seed < 100; ++seed)
    {
      Problem problem(2 + seed % 7, seed);
      problem.add_rows(1 + seed % 15, seed % 2 == 0 ? 1e-2 : 1e-14);
      for (unsigned int i = 0; i < seed % 3; ++i)
        problem.add(problem.random_row(), problem.random.uniform(-0.5, 1.));

      Program program(CGAL::LARGER, false, 0., false, 0.);
      for (unsigned int k = 0; k < problem.masses.size(); ++k)
        program.set_d(k, k, problem.masses[k]);
      for (unsigned int i = 0; i < problem.rows.size(); ++i)
        {
          for (unsigned int k = 0; k < problem.masses.size(); ++k)
            program.set_a(k, i, problem.rows[i][k]);
          program.set_b(i, problem.b[i]);
        }
      const auto exact =
        CGAL::solve_quadratic_program(program, CGAL::MP_Float());

      std::vector<double> multipliers;
      const auto result = problem.solve(multipliers);
      EXPECT_EQ(result.is_solved(), exact.is_optimal()) << "seed " << seed;
      if (!exact.is_optimal())
        {
          ++n_infeasible;
          continue;
        }
      std::vector<double> x;
      for (auto value = exact.variable_values_begin();
           value != exact.variable_values_end();
           ++value)
        x.push_back(CGAL::to_double(*value));
      EXPECT_LT(distance(problem.point(multipliers), x), 1e-10)
        << "seed " << seed;
    }
  EXPECT_GE(n_infeasible, 5u);
  EXPECT_LE(n_infeasible, 50u);
}
#endif
