// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/implicit/newton.h>

#include <deal.II/base/patterns.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** A residual that does not fall any more, relative to the forces, is one
     * of round-off below this. */
    constexpr double largest_round_off = 1e-8;

    /** Of intermediate problems. */
    constexpr double loose_tolerance = 1e-3;

    /** How much of the decrease that the linear model promises is asked for. */
    constexpr double armijo = 1e-4;



    /** Choice 2 of Eisenstat and Walker (1996), which keeps the order two, with
     * their safeguard. */
    double
    forcing_term(const std::vector<double> &residuals, const double last)
    {
      constexpr double first = 0.01, largest = 0.1, smallest = 1e-10,
                       gamma = 0.9, noticed = 0.1;
      const unsigned int n = residuals.size();
      if (n < 2)
        return first;
      const double ratio = residuals[n - 1] / residuals[n - 2];
      double term        = gamma * ratio * ratio;
      if (gamma * last * last > noticed)
        term = std::max(term, gamma * last * last);
      return std::clamp(term, smallest, largest);
    }
  } // namespace



  void
  Newton::declare_parameters(ParameterHandler &prm)
  {
    prm.declare_entry("Newton tolerance",
                      "1e-13",
                      Patterns::Double(0., 1.),
                      "The norm of what is left of the equations of motion, "
                      "relative to that of the forces in them, at which the "
                      "iteration ends; it ends at round-off in any case. What "
                      "is left is missing in the balances of the step. Units: "
                      "None.");
    prm.declare_entry("Most Newton iterations",
                      "25",
                      Patterns::Integer(1),
                      "A step that has not converged by then is tried again "
                      "with half its length. Units: None.");
  }



  void
  Newton::parse_parameters(const ParameterHandler &prm)
  {
    tolerance = prm.get_double("Newton tolerance");
    most      = prm.get_integer("Most Newton iterations");
  }



  bool
  Newton::search(NewtonProblem &problem,
                 const NewtonProblem::VectorType &direction,
                 NewtonProblem::VectorType &residual,
                 double &norm) const
  {
    const double start = norm;
    double fraction    = 1.;
    problem.move(direction, 1.);
    for (unsigned int k = 0;; ++k)
      {
        const bool is_valid = problem.evaluate(residual);
        norm                = is_valid ? residual.l2_norm() : 0.;
        if (is_valid && norm <= (1. - armijo * fraction) * start)
          return true;
        if (k == most_halvings)
          return is_valid;
        problem.move(direction, -0.5 * fraction);
        fraction *= 0.5;
      }
  }



  bool
  Newton::is_solved(const double norm,
                    const double last,
                    const NewtonProblem::Scale &scale,
                    const bool loosely) const
  {
    return norm <=
             std::max((loosely ? loose_tolerance : tolerance) * scale.forces,
                      scale.round_off) ||
           (norm <= largest_round_off * scale.forces && norm > 0.5 * last);
  }



  Newton::Result
  Newton::solve(NewtonProblem &problem,
                LinearSolver &solver,
                const bool loosely) const
  {
    Result result;
    NewtonProblem::VectorType residual, direction;
    if (!problem.evaluate(residual))
      {
        result.give_up(CutReason::inverted_cell,
                       "a cell is inverted in the first iterate");
        return result;
      }
    direction.reinit(residual);
    double norm = residual.l2_norm(), term = 0.;
    for (;; ++result.n_iterations)
      {
        result.scale      = problem.scale();
        const double last = result.residuals.empty()
                              ? std::numeric_limits<double>::max()
                              : result.residuals.back();
        result.residuals.push_back(norm);
        result.has_converged = is_solved(norm, last, result.scale, loosely);
        if (result.has_converged)
          return result;
        if (result.n_iterations == most)
          {
            std::ostringstream text;
            text << "Newton's method left a residual of " << norm << " in "
                 << most << " iterations, with forces of "
                 << result.scale.forces;
            result.give_up(CutReason::unsettled, text.str());
            return result;
          }
        try
          {
            problem.linearize(solver);
            term = forcing_term(result.residuals, term);
            result.n_linear_iterations +=
              solver.solve(direction, residual, term);
          }
        catch (const LinearSolverFailure &failure)
          {
            result.give_up(CutReason::linear_system, failure.what());
            return result;
          }
        if (!search(problem, direction, residual, norm))
          {
            result.give_up(CutReason::inverted_cell,
                           "a cell is inverted in each direction of search");
            return result;
          }
      }
  }
} // namespace Ricochet
