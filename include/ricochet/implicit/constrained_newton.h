// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_implicit_constrained_newton_h
#define ricochet_implicit_constrained_newton_h

#include <ricochet/contact.h>
#include <ricochet/implicit/equation_solver.h>
#include <ricochet/implicit/step_equations.h>

namespace Ricochet
{
  /**
   * The end of an implicit step under the condition that gaps stay open (Kane,
   * Repetto, Ortiz and Marsden, 1999, eqs. (3.23), (3.24)): with the forces
   * r(x) that are left of the equations of the step without contact,
   *
   *   r(x) + sum_c lambda_c w_c n_c = 0,
   *   g_c(x) >= target_c,   lambda_c >= 0,   lambda_c (g_c - target_c) = 0.
   *
   * Sequential quadratic programming: with the matrix H = -dr/dx, factorized
   * once in an iteration, the iterate x_k would move to y = x_k + H^-1 r
   * without contact; the next one is the closest point to y in the norm of H
   * where all gaps are open that are found on the way from the start of the
   * step, Contact::open_gaps(). This asks for the columns of H^-1 at the nodes
   * in contact, and for two solutions more.
   *
   * Where H is not positive definite, in cells that are pressed far, its
   * inertia is multiplied until it is.
   *
   * Along the direction d so found a line search by halving (Armijo's rule)
   * lowers the merit f(x) + rho sum_c max(0, target_c - g_c(x)) (Nocedal and
   * Wright, 2006, chapter 18), rho = 2 max_c lambda_c. Of f, whose gradient is
   * -r, only the change along the direction is needed: -t d . (r(0) + r(t))/2
   * by the trapezoidal rule, which is exact where H is constant, needs no
   * difference of large numbers, and holds for laws without a potential as
   * well.
   *
   * The last iterate is accepted only if nothing meets on the straight paths to
   * it from the start of the step.
   */
  template <int dim>
  class ConstrainedNewton
  {
  public:
    /** All must outlive this object. */
    ConstrainedNewton(StepEquations<dim> &equations,
                      Contact<dim> &contact,
                      EquationSolver &solver)
      : equations(equations)
      , contact(contact)
      , solver(solver)
    {}

    /** Iterate from where the equations are, after Contact::begin_gaps().
     * Collective. */
    Newton::Result
    solve();

    /** The forces of the gaps at their solution. */
    const ForestVectors &
    gap_forces() const
    {
      return forces;
    }

  private:
    using VectorType = NewtonProblem::VectorType;

    /** Solve H x = b. Throws if x . b shows that H is not positive definite. */
    void
    solve_linear(VectorType &x, const VectorType &b, Newton::Result &result);

    /** find_direction(), with as much inertia in H as it takes. */
    void
    find_descent(Newton::Result &result);

    /** The step from the present iterate without line search. */
    void
    find_direction(Newton::Result &result);

    /** Go along it; false if a cell is inverted wherever it ends. */
    bool
    search();

    StepEquations<dim> &equations;
    Contact<dim> &contact;
    EquationSolver &solver;

    /** What is left of the equations without contact, and the forces of the
     * gaps; the latter as vectors of the bodies too. */
    VectorType residual, of_gaps;
    ForestVectors forces;

    VectorType direction;
    double inertia_factor = 1.;
    double largest_force  = 0.; // of a gap
    double missing        = 0.; // of all gaps, at the present iterate
    bool is_open          = true;
  };
} // namespace Ricochet

#endif
