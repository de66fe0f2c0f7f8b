// SPDX-License-Identifier: LGPL-2.1-or-later

// Quadratic programs in the norm of a mass: the conditions of an optimum, which
// are sufficient, and the exact solver of CGAL for the primal problem.

#include <ricochet/projection/quadratic_program.h>
#include <ricochet/projection/sparse_quadratic_program.h>

#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "../../source/projection/dual_sweeps.h"
#include "../random.h"
#include "place_in_layer.h"

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



namespace
{
  using Rows = SparseRows<3>;
  using dealii::Tensor;



  FullMatrix<double>
  schur_complement(const Rows &A)
  {
    FullMatrix<double> S(A.size(), A.size());
    std::map<unsigned int, std::vector<std::pair<unsigned int, std::size_t>>>
      at_node;
    for (unsigned int i = 0; i < A.size(); ++i)
      for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
        at_node[A.nodes[k]].emplace_back(i, k);
    for (const auto &[node, entries] : at_node)
      for (const auto &[i, k] : entries)
        for (const auto &[j, l] : entries)
          S(i, j) += A.entries[k] * A.entries[l];
    return S;
  }



  /** A' lambda. */
  std::vector<Tensor<1, 3>>
  point(const Rows &A, const std::vector<double> &multipliers)
  {
    std::vector<Tensor<1, 3>> u(A.n_nodes);
    for (unsigned int i = 0; i < A.size(); ++i)
      for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
        u[A.nodes[k]] += multipliers[i] * A.entries[k];
    return u;
  }



  /** The largest violation of the conditions of an optimum for rows of length
   * one. */
  double
  error_of(const Rows &A,
           const std::vector<double> &b,
           const std::vector<double> &multipliers)
  {
    const auto u = point(A, multipliers);
    double error = 0.;
    for (unsigned int i = 0; i < A.size(); ++i)
      {
        EXPECT_GE(multipliers[i], 0.);
        double missing = b[i], square = 0.;
        for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
          {
            missing -= A.entries[k] * u[A.nodes[k]];
            square += A.entries[k].norm_square();
          }
        missing /= std::sqrt(square);
        error =
          std::max(error, multipliers[i] > 0. ? std::abs(missing) : missing);
      }
    return error;
  }



  double
  distance(const std::vector<Tensor<1, 3>> &x,
           const std::vector<Tensor<1, 3>> &y)
  {
    double result = 0.;
    for (unsigned int k = 0; k < x.size(); ++k)
      result = std::max(result, (x[k] - y[k]).norm());
    return result;
  }



  /** Two layers of nodes on top of each other, with constraints between places
   * on them: a random group. */
  struct Layers
  {
    Layers(const unsigned int n_constraints, const unsigned int seed)
      : random(seed)
      , width(2 + std::sqrt(0.5 * n_constraints))
    {
      rows.n_nodes = 2 * (width + 1) * (width + 1);
      for (unsigned int node = 0; node < rows.n_nodes; ++node)
        roots.push_back(std::exp(random.uniform(-0.3, 0.3)));
      while (rows.size() < n_constraints)
        {
          const double x = random.uniform(0., width),
                       y = random.uniform(0., width);
          Tensor<1, 3> normal({0., 0., 1.});
          normal += random.vector<3>(0.2);
          add(x, y, 0.7 * x, 0.3 + 0.7 * y, normal / normal.norm());
          b.push_back(std::sin(0.9 * x) * std::cos(0.7 * y) +
                      random.uniform(-0.3, 0.5));
          if (rows.size() % 10 == 9) // the same once more
            {
              const std::size_t first = rows.begin[rows.size() - 1],
                                last  = rows.begin.back();
              for (std::size_t k = first; k < last; ++k)
                {
                  const auto entry = rows.entries[k];
                  rows.add(rows.nodes[k], entry);
                }
              rows.end_row();
              b.push_back(b.back());
            }
        }
    }

    /** A constraint between the place (x, y) of the one layer and (s, t) of the
     * other. */
    void
    add(const double x,
        const double y,
        const double s,
        const double t,
        const Tensor<1, 3> &normal)
    {
      add_side(x, y, 0, normal);
      add_side(s, t, (width + 1) * (width + 1), -normal);
      rows.end_row();
    }

    Random random;
    const unsigned int width;
    std::vector<double> roots, b;
    Rows rows;

  private:
    void
    add_side(const double x,
             const double y,
             const unsigned int first,
             const Tensor<1, 3> &normal)
    {
      for (const auto &[k, weight] : place_in_layer(x, y, width))
        rows.add(first + k, roots[first + k] * weight * normal);
    }
  };



  /** A row of nodes that are pushed together: each constraint reaches to the
   * ends. */
  Rows
  chain(const unsigned int n)
  {
    Rows rows;
    rows.n_nodes = n + 1;
    for (unsigned int i = 0; i < n; ++i)
      {
        rows.add(i + 1, Tensor<1, 3>({0., 0., 1.}));
        rows.add(i, Tensor<1, 3>({0., 0., -1.}));
        rows.end_row();
      }
    return rows;
  }



  void
  compare(const Rows &A, const std::vector<double> &b)
  {
    std::vector<double> dense, sparse;
    ASSERT_TRUE(
      solve_quadratic_program(schur_complement(A), b, dense).is_solved());
    const auto result = solve_quadratic_program(A, b, sparse);
    ASSERT_TRUE(result.is_solved());
    EXPECT_FALSE(result.is_rough);
    EXPECT_LT(distance(point(A, sparse), point(A, dense)), 1e-10) << A.size();
    EXPECT_LT(error_of(A, b, sparse), 1e-11) << A.size();

    // From the solution nothing is to be done.
    EXPECT_LE(solve_quadratic_program(A, b, sparse).n_iterations, 1u);
  }
} // namespace



TEST(SparseQuadraticProgram, AgreesWithTheDenseOne)
{
  for (const unsigned int n : {10, 20, 50, 100, 200, 500})
    for (unsigned int seed = 0; seed < 5; ++seed)
      {
        const Layers layers(n, seed);
        compare(layers.rows, layers.b);
      }
  const Layers layers(2000, 1);
  compare(layers.rows, layers.b);
}



TEST(SparseQuadraticProgram, SolvesChains)
{
  Random random(3);
  for (const unsigned int n : {10, 300})
    {
      std::vector<double> b;
      for (unsigned int i = 0; i < n; ++i)
        b.push_back(random.uniform(0.5, 1.));
      compare(chain(n), b);
    }
}



// Flat layers that do not match and meet flush: many times more constraints
// than nodes, all of them missing by the same.
TEST(SparseQuadraticProgram, SolvesFlushLayersRoughly)
{
  Layers layers(2000, 2);
  layers.rows         = Rows();
  layers.rows.n_nodes = layers.roots.size();
  for (unsigned int k = 0; k < 6000; ++k)
    {
      const double x = layers.random.uniform(0., layers.width),
                   y = layers.random.uniform(0., layers.width);
      layers.add(x, y, 0.97 * x, 0.97 * y, Tensor<1, 3>({0., 0., 1.}));
    }
  const std::vector<double> b(layers.rows.size(), 1.);
  double largest = 0.; // for rows of length one
  for (unsigned int i = 0; i < layers.rows.size(); ++i)
    {
      double square = 0.;
      for (std::size_t k = layers.rows.begin[i]; k < layers.rows.begin[i + 1];
           ++k)
        square += layers.rows.entries[k].norm_square();
      largest = std::max(largest, 1. / std::sqrt(square));
    }
  std::vector<double> multipliers;
  const auto result = solve_quadratic_program(layers.rows, b, multipliers);
  EXPECT_TRUE(result.is_solved());
  EXPECT_TRUE(result.is_rough);
  EXPECT_LT(error_of(layers.rows, b, multipliers), 1e-2 * largest);

  // No sum of forces.
  Tensor<1, 3> sum;
  const auto u = point(layers.rows, multipliers);
  for (unsigned int node = 0; node < u.size(); ++node)
    sum += u[node] / layers.roots[node];
  EXPECT_LT(sum.norm(),
            1e-13 *
              std::accumulate(multipliers.begin(), multipliers.end(), 0.));
}



namespace
{
  /** Sweep until no row misses more than @p enough; the number of rounds. */
  unsigned int
  sweep(const Rows &A,
        const std::vector<double> &b,
        const double enough,
        const bool with_momentum,
        std::vector<double> &multipliers)
  {
    DualSweeps<3> sweeps(A, b, {});
    sweeps.sweep();
    double error       = sweeps.find_error();
    unsigned int round = 0;
    for (; round < 20000 && error > enough; ++round)
      if (with_momentum)
        error = sweeps.approach(std::max(enough, 0.5 * error));
      else
        {
          sweeps.sweep();
          error = sweeps.find_error();
        }
    multipliers = sweeps.multipliers();
    EXPECT_LE(error_of(A, b, multipliers), 1.01 * enough);
    return round;
  }
} // namespace



// Sweeps that go on alone, some of them over the worst rows only, lead to the
// same point as the exact method, and along chains much sooner than without
// momentum.
TEST(DualSweeps, ApproachTheOptimum)
{
  constexpr double enough = 1e-10;
  std::vector<double> exact, with_momentum, without;
  const Layers layers(1000, 4);
  ASSERT_TRUE(
    solve_quadratic_program(schur_complement(layers.rows), layers.b, exact)
      .is_solved());
  const auto x = point(layers.rows, exact);
  sweep(layers.rows, layers.b, enough, true, with_momentum);
  EXPECT_LT(distance(point(layers.rows, with_momentum), x), 1e-8);
  sweep(layers.rows, layers.b, enough, false, without);
  EXPECT_LT(distance(point(layers.rows, without), x), 1e-8);

  const Rows rows = chain(40);
  const std::vector<double> b(rows.size(), 1.);
  EXPECT_LT(3 * sweep(rows, b, enough, true, with_momentum),
            sweep(rows, b, enough, false, without));
}



TEST(SparseQuadraticProgram, TellsThatThereIsNoSolution)
{
  for (unsigned int seed = 0; seed < 3; ++seed)
    {
      Layers layers(300, seed);
      layers.b[100] = 1.;
      for (std::size_t k = layers.rows.begin[100]; k < layers.rows.begin[101];
           ++k)
        {
          const auto entry = layers.rows.entries[k];
          layers.rows.add(layers.rows.nodes[k], -entry);
        }
      layers.rows.end_row();
      layers.b.push_back(1.);
      std::vector<double> multipliers;
      EXPECT_FALSE(
        solve_quadratic_program(layers.rows, layers.b, multipliers).is_solved())
        << seed;
    }
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



// Overlaps of vertices and edges in an implicit step: the norm is that of the
// mass and of springs between all nodes of a body, from soft to a thousand
// times the mass, as beta dt^2 K is in long steps.
TEST(QuadraticProgram, AgreesWithAnExactSolverForOverlapsWithStiffness)
{
  using Program                = CGAL::Quadratic_program<double>;
  constexpr unsigned int nodes = 3, n_unknowns = 2 * 2 * nodes; // two bodies
  unsigned int n_active = 0;
  for (unsigned int seed = 0; seed < 400; ++seed)
    {
      SCOPED_TRACE(seed);
      Random random(seed);
      FullMatrix<double> hessian(n_unknowns, n_unknowns);
      const double stiffness = std::pow(10., random.uniform(-2., 3.));
      for (unsigned int a = 0; a < 2 * nodes; ++a)
        {
          const double mass = random.uniform(0.5, 2.);
          for (unsigned int d = 0; d < 2; ++d)
            hessian(2 * a + d, 2 * a + d) += mass;
          for (unsigned int b = a - a % nodes; b < a; ++b)
            {
              // n n' of a spring, doubled to one for each end.
              const auto n   = random.vector<2>(1.);
              const double k = stiffness * random.uniform(0.1, 1.);
              for (unsigned int d = 0; d < 2; ++d)
                for (unsigned int e = 0; e < 2; ++e)
                  {
                    hessian(2 * a + d, 2 * a + e) += k * n[d] * n[e];
                    hessian(2 * b + d, 2 * b + e) += k * n[d] * n[e];
                    hessian(2 * a + d, 2 * b + e) -= k * n[d] * n[e];
                    hessian(2 * b + d, 2 * a + e) -= k * n[d] * n[e];
                  }
            }
        }

      // A vertex of one body and an edge of the other, each way in turn.
      const unsigned int n_rows = 1 + seed % 6;
      FullMatrix<double> G(n_rows, n_unknowns);
      std::vector<double> b(n_rows);
      for (unsigned int i = 0; i < n_rows; ++i)
        {
          const unsigned int own = i % 2 * nodes, other = nodes - own;
          const unsigned int vertex = own + random.below(nodes);
          const unsigned int first  = random.below(nodes);
          const double w            = random.uniform(0., 1.);
          const double angle        = random.uniform(-0.5, 0.5);
          const double side         = i % 2 == 0 ? 1. : -1.;
          for (unsigned int d = 0; d < 2; ++d)
            {
              const double n =
                side * (d == 0 ? std::cos(angle) : std::sin(angle));
              G(i, 2 * vertex + d) += n;
              G(i, 2 * (other + first) + d) -= (1. - w) * n;
              G(i, 2 * (other + (first + 1) % nodes) + d) -= w * n;
            }
          b[i] = random.uniform(-0.1, 0.3);
        }

      Program program(CGAL::LARGER, false, 0., false, 0.);
      for (unsigned int k = 0; k < n_unknowns; ++k)
        for (unsigned int l = 0; l <= k; ++l)
          program.set_d(k, l, hessian(k, l));
      for (unsigned int i = 0; i < n_rows; ++i)
        {
          for (unsigned int k = 0; k < n_unknowns; ++k)
            program.set_a(k, i, G(i, k));
          program.set_b(i, b[i]);
        }
      const auto exact =
        CGAL::solve_quadratic_program(program, CGAL::MP_Float());
      ASSERT_TRUE(exact.is_optimal());

      FullMatrix<double> inverse(hessian), W(n_unknowns, n_rows),
        S(n_rows, n_rows);
      inverse.gauss_jordan();
      inverse.mTmult(W, G);
      G.mmult(S, W);
      std::vector<double> multipliers;
      const auto result = solve_quadratic_program(S, b, multipliers);
      ASSERT_TRUE(result.is_solved());
      n_active += result.n_active;
      unsigned int k = 0;
      for (auto value = exact.variable_values_begin();
           value != exact.variable_values_end();
           ++value, ++k)
        {
          double x = 0.;
          for (unsigned int i = 0; i < n_rows; ++i)
            x += W(k, i) * multipliers[i];
          EXPECT_NEAR(x, CGAL::to_double(*value), 1e-10);
        }
    }
  EXPECT_GT(n_active, 400u);
}
#endif
