// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/implicit/linear_solver.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>

#include <gtest/gtest.h>

using namespace Ricochet;
using namespace dealii;

namespace
{
  /** A chain of springs, and convection if it is to be unsymmetric. */
  class Chain
  {
  public:
    explicit Chain(const double convection, const double support = 1.)
      : owned(
          Utilities::MPI::create_evenly_distributed_partitioning(MPI_COMM_WORLD,
                                                                 n))
    {
      DynamicSparsityPattern pattern(n, n, owned);
      for (const auto i : owned)
        for (const auto j : {i, i == 0 ? i : i - 1, i + 1 == n ? i : i + 1})
          pattern.add(i, j);
      matrix.reinit(owned, owned, pattern, MPI_COMM_WORLD);
      for (const auto i : owned)
        {
          matrix.set(i, i, (i > 0) + (i + 1 < n) + (i == 0 ? support : 0.));
          if (i > 0)
            matrix.set(i, i - 1, -1. - convection);
          if (i + 1 < n)
            matrix.set(i, i + 1, -1. + convection);
        }
      matrix.compress(VectorOperation::insert);
    }

    static constexpr unsigned int n = 600;
    IndexSet owned;
    LinearSolver::MatrixType matrix;
  };



  LinearSolver
  solver_of(const std::string &kind)
  {
    ParameterHandler prm;
    LinearSolver::declare_parameters(prm);
    prm.set("Linear solver", kind);
    LinearSolver solver;
    solver.parse_parameters(prm);
    return solver;
  }



  double
  error(LinearSolver &solver, const Chain &chain, const bool is_symmetric)
  {
    LinearSolver::VectorType x(chain.owned, MPI_COMM_WORLD), b(x), solution(x);
    for (const auto i : chain.owned)
      x(i) = 1. + 0.01 * (i % 7);
    chain.matrix.vmult(b, x);
    solver.set_matrix(
      std::shared_ptr<const LinearSolver::MatrixType>(std::shared_ptr<void>(),
                                                      &chain.matrix),
      {1, is_symmetric, {}});
    solver.solve(solution, b, 1e-12);
    solution -= x;
    return solution.linfty_norm();
  }
} // namespace



TEST(LinearSolver, AllKindsSolve)
{
  const Chain symmetric(0.), unsymmetric(0.3);
  for (const std::string kind :
       {"direct", "conjugate gradients", "GMRES", "automatic"})
    {
      LinearSolver solver = solver_of(kind);
      EXPECT_LT(error(solver, symmetric, true), 1e-7) << kind;
      if (kind != "conjugate gradients")
        {
          EXPECT_LT(error(solver, unsymmetric, false), 1e-7) << kind;
        }
    }
}



TEST(LinearSolver, ConjugateGradientsAreForSymmetricMatrices)
{
  LinearSolver solver = solver_of("conjugate gradients");
  EXPECT_THROW(error(solver, Chain(0.3), false), UserError);
}



TEST(LinearSolver, SingularMatricesAreToldOf)
{
  LinearSolver solver = solver_of("direct");
  EXPECT_THROW(error(solver, Chain(0., 0.), true), LinearSolverFailure);
}
