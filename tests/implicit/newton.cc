// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/implicit/newton.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>

#include <cmath>
#include <gtest/gtest.h>

using namespace Ricochet;
using namespace dealii;

namespace
{
  /** One unknown per rank: atan(x) = c, for which Newton's method without a
   * line search diverges from afar; or a function that has no root. */
  class Arctangent : public NewtonProblem
  {
  public:
    Arctangent(const double start, const double offset, const double wall)
      : x(start)
      , offset(offset)
      , wall(wall)
      , owned(Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD))
    {
      const unsigned int rank =
        Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
      owned.add_index(rank);
      DynamicSparsityPattern pattern(owned.size(), owned.size(), owned);
      pattern.add(rank, rank);
      matrix.reinit(owned, owned, pattern, MPI_COMM_WORLD);
    }

    bool
    evaluate(VectorType &residual) override
    {
      residual.reinit(owned, MPI_COMM_WORLD);
      residual.local_element(0) = offset - std::atan(x);
      return !(x > wall);
    }

    Scale
    scale() const override
    {
      return {1., 0.};
    }

    void
    linearize(LinearSolver &solver) override
    {
      const auto row = owned.nth_index_in_set(0);
      matrix.set(row, row, 1. / (1. + x * x));
      matrix.compress(VectorOperation::insert);
      solver.set_matrix(
        std::shared_ptr<const LinearSolver::MatrixType>(std::shared_ptr<void>(),
                                                        &matrix),
        {2, true, {}});
    }

    void
    move(const VectorType &direction, const double change) override
    {
      x += change * direction.local_element(0);
    }

    double x;

  private:
    double offset, wall;
    IndexSet owned;
    LinearSolver::MatrixType matrix;
  };
} // namespace



TEST(Newton, LineSearchFindsTheRootFromAfar)
{
  Arctangent problem(20., 0.5, 1e300);
  LinearSolver solver;
  const auto result = Newton().solve(problem, solver);
  EXPECT_TRUE(result.has_converged);
  EXPECT_NEAR(problem.x, std::tan(0.5), 1e-11);
}



TEST(Newton, StepsBackFromWhereThereIsNoResidual)
{
  // The first direction leads beyond the wall.
  Arctangent problem(-3., 0.5, 2.);
  LinearSolver solver;
  const auto result = Newton().solve(problem, solver);
  EXPECT_TRUE(result.has_converged);
  EXPECT_NEAR(problem.x, std::tan(0.5), 1e-11);
}



TEST(Newton, TellsWhyItFails)
{
  LinearSolver solver;
  Arctangent without_root(0., 2., 1e300);
  ParameterHandler prm;
  Newton::declare_parameters(prm);
  prm.set("Most Newton iterations", "3");
  Newton newton;
  newton.parse_parameters(prm);
  auto result = newton.solve(without_root, solver);
  EXPECT_FALSE(result.has_converged);
  EXPECT_NE(result.reason.find("residual"), std::string::npos);
  Arctangent behind_wall(3., 0.5, 2.);
  result = Newton().solve(behind_wall, solver);
  EXPECT_FALSE(result.has_converged);
  EXPECT_NE(result.reason.find("inverted"), std::string::npos);
}
