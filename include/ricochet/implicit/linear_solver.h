// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_implicit_linear_solver_h
#define ricochet_implicit_linear_solver_h

#include <deal.II/base/parameter_handler.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace Ricochet
{
  /** A linear system was not solved: by a singular matrix, or too slowly. */
  class LinearSolverFailure : public std::runtime_error
  {
  public:
    /** With the reason. */
    using std::runtime_error::runtime_error;
  };



  /**
   * Solves linear systems by Trilinos: directly by Amesos, or for large ones by
   * conjugate gradients or GMRES with the algebraic multigrid of ML, smoothed
   * aggregation (Vanek et al., 1996).
   */
  class LinearSolver
  {
  public:
    /** A piece on each rank. */
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /** Rows on the ranks that have them in vectors. */
    using MatrixType = dealii::TrilinosWrappers::SparseMatrix;

    /** What is known of a matrix. */
    struct Properties
    {
      unsigned int dim = 3;

      /** Whether it is symmetric and positive definite. */
      bool is_symmetric = false;

      /** Gives modes of almost no energy, one after the other, each with the
       * entries of this rank's rows: rigid motions. Called where a multigrid is
       * made, which most matrices do without; null for none. */
      std::function<std::vector<double>()> near_null_space;
    };

    LinearSolver();
    ~LinearSolver();

    /** Take over matrices, settings and all. */
    LinearSolver(LinearSolver &&);

    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /** Read the section that the caller has entered. */
    void
    parse_parameters(const dealii::ParameterHandler &prm);

    /**
     * Factorize, or set up the preconditioner, unless there is one of the same
     * matrix with other entries that still does well. The entries must stay
     * unchanged until the next call. Collective. Throws a LinearSolverFailure
     * if that is impossible, and a UserError if the matrix is not what the
     * chosen solver is for.
     */
    void
    set_matrix(const std::shared_ptr<const MatrixType> &matrix,
               const Properties &properties);

    /**
     * Solve A x = b. Collective.
     *
     * @param[in] tolerance Of the residual relative to b; direct solvers have
     *   none. Throws a LinearSolverFailure if it is not reached.
     * @return Iterations; 1 for a direct solver.
     */
    unsigned int
    solve(VectorType &x, const VectorType &b, const double tolerance);

    /** Whether the present matrix is symmetric and positive definite. */
    bool
    is_symmetric() const
    {
      return properties.is_symmetric;
    }

    /** The present one. */
    const MatrixType &
    get_matrix() const
    {
      return *matrix;
    }

  private:
    enum class Kind
    {
      automatic,
      direct,
      conjugate_gradients,
      gmres
    };

    void
    set_multigrid();

    /** With the multigrid that there is, and if that fails with a new one. */
    unsigned int
    iterate(VectorType &x, const VectorType &b, const double tolerance);

    template <typename Solver>
    unsigned int
    iterate(VectorType &x, const VectorType &b, const double tolerance);

    Kind choice                 = Kind::automatic;
    unsigned int largest_direct = 0;
    unsigned int largest_n      = 1000;

    Kind used = Kind::direct;

    /** The present one, and that of the multigrid, which needs it to be there
     * to the end. */
    std::shared_ptr<const MatrixType> matrix, multigrid_matrix;
    Properties properties; // of the matrix

    /** Iterations for a digit that the multigrid took first, zero if that is
     * not known yet, and whether it should be made anew. */
    unsigned int first_iterations = 0;
    bool is_outdated              = true;
    class Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace Ricochet

#endif
