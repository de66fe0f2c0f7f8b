// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_implicit_newton_h
#define ricochet_implicit_newton_h

#include <ricochet/implicit/linear_solver.h>
#include <ricochet/implicit/step_cuts.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /** Equations r(x) = 0 for Newton's method. All members are collective. */
  class NewtonProblem
  {
  public:
    /** Of residuals and directions. */
    using VectorType = LinearSolver::VectorType;

    virtual ~NewtonProblem() = default;

    /**
     * The residual, forces, at the present iterate, zero where nothing is free
     * to move.
     *
     * @return False, on all ranks, if there is none: a cell is inverted.
     */
    virtual bool
    evaluate(VectorType &residual) = 0;

    /** What residuals are to be compared with: the norm of the forces whose sum
     * they are, and of their round-off. */
    struct Scale
    {
      double forces = 0., round_off = 0.;
    };

    /** Of the last evaluate(). */
    virtual Scale
    scale() const = 0;

    /** Hand -dr/dx at the place of the last evaluate() to the solver. */
    virtual void
    linearize(LinearSolver &solver) = 0;

    /** Go on from the iterate @p from_last of whose direction was gone so far
     * to @p fraction of the present one; a new direction begins where the last
     * one ended. */
    virtual void
    move(const VectorType &direction, const double change_of_fraction) = 0;
  };



  /**
   * Newton's method with a line search by halving (Armijo's rule for the norm
   * of the residual) and, for iterative solvers, the forcing terms of Eisenstat
   * and Walker (1996).
   */
  class Newton
  {
  public:
    /** What came of it. */
    struct Result
    {
      bool has_converged = false;

      unsigned int n_iterations = 0, n_linear_iterations = 0;

      /** The norms of all residuals, and what the last was compared with. */
      std::vector<double> residuals;
      NewtonProblem::Scale scale;

      /** Why not: of which kind, and in words. */
      CutReason kind = CutReason::unsettled;
      std::string reason;

      /** Say so. */
      void
      give_up(const CutReason new_kind, const std::string &new_reason)
      {
        kind   = new_kind;
        reason = new_reason;
      }
    };

    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /** Read the section that the caller has entered. */
    void
    parse_parameters(const dealii::ParameterHandler &prm);

    /**
     * Iterate. Collective.
     *
     * @param[in] loosely Whether a residual of a thousandth of the forces is
     *   good enough: for an intermediate problem.
     */
    Result
    solve(NewtonProblem &problem,
          LinearSolver &solver,
          const bool loosely = false) const;

    /** Whether a residual of this @p norm after one of the norm @p last is good
     * enough. */
    bool
    is_solved(const double norm,
              const double last,
              const NewtonProblem::Scale &scale,
              const bool loosely = false) const;

    /** The most iterations. */
    unsigned int
    most_iterations() const
    {
      return most;
    }

    /** How often the steps of a line search are halved at most. */
    static constexpr unsigned int most_halvings = 8;

  private:
    /** One iteration's line search; false if nothing was gained. */
    bool
    search(NewtonProblem &problem,
           const NewtonProblem::VectorType &direction,
           NewtonProblem::VectorType &residual,
           double &norm) const;

    double tolerance  = 1e-13;
    unsigned int most = 25;
  };
} // namespace Ricochet

#endif
