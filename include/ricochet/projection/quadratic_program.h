// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_quadratic_program_h
#define ricochet_projection_quadratic_program_h

#include <deal.II/lac/full_matrix.h>

#include <vector>

namespace Ricochet
{
  /** How solve_quadratic_program() ended. */
  struct QuadraticProgramResult
  {
    /** Why it ended. */
    enum class Status
    {
      solved,

      /** No point satisfies all constraints. */
      infeasible,

      /** Given up, on account of round-off. */
      iteration_limit
    };

    Status status = Status::solved;

    /** Constraints added and dropped, after the warm start. */
    unsigned int n_iterations = 0;

    /** Constraints that hold with equality at the end and may have positive
     * multipliers. */
    unsigned int n_active = 0;

    /** Whether this is the solution but for a small part of what was missing,
     * see the method for sparse matrices. */
    bool is_rough = false;

    /** Whether the multipliers are the solution. */
    bool
    is_solved() const
    {
      return status == Status::solved;
    }
  };



  /** What solutions of quadratic programs may miss, for all methods. */
  namespace QuadraticProgramTolerance
  {
    /** Of violations, for rows of unit length, relative to the largest target
     * and the multipliers; the dense method takes it for pivots as well. Of two
     * dependent rows each can be violated where the other one is satisfied by
     * no more than the pivot times a multiplier, so that one number does for
     * both. */
    constexpr double round_off = 1e-12;

    /** Of the largest target, whatever the multipliers. */
    constexpr double largest_missing = 1e-6;
  } // namespace QuadraticProgramTolerance



  /**
   * The closest point to x~ in the norm of the mass under linear constraints,
   *
   *   min 1/2 (x - x~) . M (x - x~)   with   G x >= t,
   *
   * solved for its multipliers alone: with x = x~ + M^-1 G' lambda,
   * S = G M^-1 G' and b = t - G x~ they satisfy
   *
   *   lambda >= 0,   S lambda - b >= 0,   lambda . (S lambda - b) = 0.
   *
   * By the dual active set method (Goldfarb and Idnani, 1983); S is the
   * Delassus operator of the constraints. It starts at x~, and each of its
   * points is optimal for the constraints taken up so far; the next one is the
   * most violated one in the norm of M^-1, i.e. that of the largest
   * (b - S lambda)_i / sqrt(S_ii), of equal ones (to 1e-9) the first. A
   * constraint depends on the active ones if what is left of its S_ii after
   * their elimination is below 1e-12 of it; then others are dropped for it, and
   * if there are none to drop, there is no solution. Hence constraints may be
   * redundant and repeated. One factor of the active block of S is kept up to
   * date, so that an iteration takes as many operations as there are
   * constraints times active ones.
   *
   * With the rows scaled such that S_ii = 1, the conditions hold to 1e-12 of
   * max |b_i| + sum lambda_i.
   *
   * @param[in] S Symmetric, positive semidefinite. Rows that are zero on the
   *   diagonal belong to constraints that nothing can change.
   * @param[in] b What is missing at x~, in the units of the constraints.
   * @param[in,out] multipliers One per constraint. At the start, positive ones
   *   tell the constraints to try as the first active ones (empty: none). At
   * the end the solution; if there is none, that for some of the constraints.
   * @param[in] tolerance What may be missing of constraints that nothing can
   *   change, in the units of b.
   */
  QuadraticProgramResult
  solve_quadratic_program(const dealii::FullMatrix<double> &S,
                          const std::vector<double> &b,
                          std::vector<double> &multipliers,
                          const double tolerance = 0.);
} // namespace Ricochet

#endif
