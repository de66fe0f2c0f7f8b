// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_implicit_equation_solver_h
#define ricochet_implicit_equation_solver_h

#include <ricochet/implicit/linear_solver.h>
#include <ricochet/implicit/newton.h>

#include <deal.II/base/parameter_handler.h>

namespace Ricochet
{
  /** What solves the equations of implicit steps and of the equilibrium at the
   * start: Newton's method and its linear solver, with the user's choices. */
  struct EquationSolver
  {
    Newton newton;
    LinearSolver linear_solver;

    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      Newton::declare_parameters(prm);
      LinearSolver::declare_parameters(prm);
    }

    /** Read the section that the caller has entered. */
    void
    parse_parameters(const dealii::ParameterHandler &prm)
    {
      newton.parse_parameters(prm);
      linear_solver.parse_parameters(prm);
    }

    /** See Newton::solve(). */
    Newton::Result
    solve(NewtonProblem &problem, const bool loosely = false)
    {
      return newton.solve(problem, linear_solver, loosely);
    }
  };
} // namespace Ricochet

#endif
