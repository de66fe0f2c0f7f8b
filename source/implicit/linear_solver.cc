// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/implicit/linear_solver.h>

#include <deal.II/base/patterns.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_gmres.h>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_solver.h>

#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <cmath>
#include <ml_MultiLevelPreconditioner.h>
#include <optional>

namespace Ricochet
{
  using namespace dealii;

  /** What needs Trilinos' headers. */
  class LinearSolver::Implementation
  {
  public:
    SolverControl control{1, 0.};
    std::optional<TrilinosWrappers::SolverDirect> direct;
    TrilinosWrappers::PreconditionAMG multigrid;
    std::vector<double> near_null_space;
  };



  LinearSolver::LinearSolver()
    : implementation(std::make_unique<Implementation>())
  {}



  LinearSolver::~LinearSolver() = default;



  LinearSolver::LinearSolver(LinearSolver &&) = default;



  void
  LinearSolver::declare_parameters(ParameterHandler &prm)
  {
    prm.declare_entry(
      "Linear solver",
      "automatic",
      Patterns::Selection("automatic|direct|conjugate gradients|GMRES"),
      "For the equations of an iteration: a direct solver; conjugate gradients, "
      "which need a symmetric matrix, so neither friction nor a step of the "
      "integrator energy-momentum; or GMRES. The last two with algebraic "
      "multigrid. 'automatic' is the direct one up to 'Largest direct system', "
      "then conjugate gradients where the matrix is symmetric, else GMRES. "
      "Units: None.");
    prm.declare_entry("Largest direct system",
                      "0",
                      Patterns::Integer(0),
                      "Degrees of freedom up to which 'automatic' solves "
                      "directly; 0 for 100000 in two dimensions and 12000 in "
                      "three. Units: None.");
    prm.declare_entry(
      "Most linear iterations",
      "1000",
      Patterns::Integer(1),
      "After so many iterations of conjugate gradients or GMRES "
      "a step is given up and tried with half its length. "
      "Units: None.");
  }



  void
  LinearSolver::parse_parameters(const ParameterHandler &prm)
  {
    const std::string name = prm.get("Linear solver");
    choice                 = name == "direct"      ? Kind::direct
                             : name == "GMRES"     ? Kind::gmres
                             : name == "automatic" ? Kind::automatic
                                                   : Kind::conjugate_gradients;
    largest_direct         = prm.get_integer("Largest direct system");
    largest_n              = prm.get_integer("Most linear iterations");
  }



  void
  LinearSolver::set_matrix(const std::shared_ptr<const MatrixType> &new_matrix,
                           const Properties &new_properties)
  {
    matrix     = new_matrix;
    properties = new_properties;
    used       = choice;
    if (used == Kind::automatic)
      used = matrix->m() <= (largest_direct > 0    ? largest_direct
                             : properties.dim == 2 ? 100000U
                                                   : 12000U)
               ? Kind::direct
             : properties.is_symmetric ? Kind::conjugate_gradients
                                       : Kind::gmres;
    require(used != Kind::conjugate_gradients || properties.is_symmetric,
            "'Linear solver = conjugate gradients' is for symmetric matrices, "
            "but that of this step is not: the integrator energy-momentum, "
            "friction and the normals of contact make it unsymmetric. Choose "
            "'GMRES' or 'automatic'.");
    if (used != Kind::direct)
      {
        if (is_outdated || multigrid_matrix != matrix)
          set_multigrid();
        return;
      }
    try
      {
        implementation->direct.emplace(implementation->control);
        implementation->direct->initialize(*matrix);
      }
    catch (const ExceptionBase &)
      {
        throw LinearSolverFailure("the matrix is singular");
      }
  }



  void
  LinearSolver::set_multigrid()
  {
    Teuchos::ParameterList parameters;
    ML_Epetra::SetDefaults("SA", parameters);
    parameters.set("ML output", 0);
    parameters.set("PDE equations", static_cast<int>(properties.dim));
    parameters.set("smoother: type", "symmetric Gauss-Seidel");
    parameters.set("smoother: sweeps", 1);
    parameters.set("aggregation: threshold", 0.01);
    parameters.set("coarse: max size", 1000);
    if (!properties.is_symmetric)
      parameters.set("eigen-analysis: type", "power-method");
    const unsigned int n_rows =
      matrix->locally_owned_range_indices().n_elements();
    if (properties.near_null_space && n_rows > 0)
      {
        implementation->near_null_space = properties.near_null_space();
        parameters.set("null space: type", "pre-computed");
        parameters.set("null space: dimension",
                       static_cast<int>(implementation->near_null_space.size() /
                                        n_rows));
        parameters.set("null space: vectors",
                       implementation->near_null_space.data());
      }
    implementation->multigrid.initialize(*matrix, parameters);
    multigrid_matrix = matrix;
    first_iterations = 0;
    is_outdated      = false;
  }



  template <typename Solver>
  unsigned int
  LinearSolver::iterate(VectorType &x,
                        const VectorType &b,
                        const double tolerance)
  {
    ReductionControl control(largest_n, 0., tolerance, false, false);
    Solver solver(control);
    solver.solve(*matrix, x, b, implementation->multigrid);
    return control.last_step();
  }



  unsigned int
  LinearSolver::iterate(VectorType &x,
                        const VectorType &b,
                        const double tolerance)
  {
    const bool is_new = first_iterations == 0;
    try
      {
        const unsigned int n =
          used == Kind::gmres
            ? iterate<SolverGMRES<VectorType>>(x, b, tolerance)
            : iterate<SolverCG<VectorType>>(x, b, tolerance);
        // Per digit, since what is asked for differs.
        const double digits = std::max(1., -std::log10(tolerance));
        if (is_new)
          first_iterations = std::max(1., std::ceil(n / digits));
        is_outdated = n > (2. * first_iterations + 2.) * digits;
        return n;
      }
    catch (const SolverControl::NoConvergence &failure)
      {
        if (is_new)
          throw LinearSolverFailure("the linear equations were not solved in " +
                                    std::to_string(failure.last_step) +
                                    " iterations");
        set_multigrid();
        x = 0.;
        return failure.last_step + iterate(x, b, tolerance);
      }
  }



  unsigned int
  LinearSolver::solve(VectorType &x,
                      const VectorType &b,
                      const double tolerance)
  {
    x = 0.;
    if (b.l2_norm() == 0.)
      return 0;
    if (used != Kind::direct)
      return iterate(x, b, tolerance);
    implementation->direct->solve(x, b);
    if (!std::isfinite(x.l2_norm()))
      throw LinearSolverFailure("the matrix is singular");
    return 1;
  }
} // namespace Ricochet
