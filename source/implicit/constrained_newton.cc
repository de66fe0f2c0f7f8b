// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/vector_pointers.h>
#include <ricochet/implicit/constrained_newton.h>
#include <ricochet/projection/step_matrix.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <sstream>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** Of linear systems, where the solver is an iterative one. */
    constexpr double linear_tolerance = 1e-11;

    /** How much of the decrease that the linear model promises is asked for. */
    constexpr double armijo = 1e-4;

    /** The inertia in the matrix grows by this factor, not beyond the largest,
     * and becomes less by its square from iteration to iteration. */
    constexpr double growth = 4., largest_factor = 1e7;

    /** Thrown to say so. */
    struct NotPositiveDefinite
    {};

    /** After so many iterations with the equations solved, what meets will go
     * on to. */
    constexpr unsigned int most_closed = 3;

    /** Residuals that become so much smaller at once need no other merit. */
    constexpr double large_decrease = 0.5;



    /** The matrix of an iteration, as contact sees it. */
    template <int dim>
    class IterationMatrix : public StepMatrix
    {
    public:
      using SystemVector = NewtonProblem::VectorType;

      /** Solves H x = b. */
      using Solve = std::function<void(SystemVector &x, const SystemVector &b)>;

      IterationMatrix(const StepEquations<dim> &equations,
                      LinearSolver &linear_solver,
                      const Solve &solve_linear,
                      unsigned int &n_linear_iterations)
        : matrix(equations.get_matrix())
        , linear_solver(linear_solver)
        , solve_linear(solve_linear)
        , n_linear_iterations(n_linear_iterations)
        , x(equations.get_numbering().zero_vector())
        , y(x)
      {}

      bool
      is_symmetric() const override
      {
        return linear_solver.is_symmetric();
      }

      void
      multiply(const Vectors &displacements) override
      {
        ++n_linear_iterations;
        apply(displacements,
              [this]() { linear_solver.get_matrix().vmult(y, x); });
      }

      void
      solve(const Vectors &forces) override
      {
        apply(forces, [this]() { solve_linear(y, x); });
      }

      void
      set_to_inverse_diagonal(const Vectors &result) override
      {
        for (unsigned int i = 0; i < y.locally_owned_size(); ++i)
          y.local_element(i) =
            matrix.is_constrained_row(i) ? 0. : 1. / matrix.diagonal(i);
        write(result);
      }

    private:
      /** Do something that sets y from x. */
      void
      apply(const Vectors &vectors, const std::function<void()> &set_y)
      {
        const auto &numbering = matrix.get_numbering();
        for (unsigned int p = 0; p < vectors.size(); ++p)
          std::copy_n(vectors[p]->begin(),
                      vectors[p]->locally_owned_size(),
                      x.begin() + numbering.begin(p));
        matrix.set_constrained_to_zero(x);
        set_y();
        matrix.set_constrained_to_zero(y);
        write(vectors);
      }

      void
      write(const Vectors &vectors) const
      {
        const auto &numbering = matrix.get_numbering();
        for (unsigned int p = 0; p < vectors.size(); ++p)
          std::copy_n(y.begin() + numbering.begin(p),
                      vectors[p]->locally_owned_size(),
                      vectors[p]->begin());
      }

      const SystemMatrix<dim> &matrix;
      LinearSolver &linear_solver;
      const Solve solve_linear;
      unsigned int &n_linear_iterations;
      SystemVector x, y;
    };
  } // namespace



  template <int dim>
  void
  ConstrainedNewton<dim>::solve_linear(VectorType &x,
                                       const VectorType &b,
                                       Newton::Result &result)
  {
    x.reinit(b);
    result.n_linear_iterations +=
      solver.linear_solver.solve(x, b, linear_tolerance);
    if (x * b < 0.)
      throw NotPositiveDefinite();
  }



  template <int dim>
  void
  ConstrainedNewton<dim>::find_descent(Newton::Result &result)
  {
    inertia_factor = std::max(1., inertia_factor / (growth * growth));
    while (true)
      {
        equations.set_inertia_factor(inertia_factor);
        try
          {
            find_direction(result);
            return;
          }
        catch (const NotPositiveDefinite &)
          {
            if (inertia_factor > largest_factor)
              throw LinearSolverFailure("the matrix is not positive definite");
            inertia_factor *= growth;
          }
      }
  }



  template <int dim>
  void
  ConstrainedNewton<dim>::find_direction(Newton::Result &result)
  {
    using ConstVectors = typename Contact<dim>::ConstVectors;
    using Vectors      = typename Contact<dim>::Vectors;

    equations.linearize(solver.linear_solver);
    solve_linear(direction, residual, result);
    const ForestVectors predictor = equations.positions_after(direction);
    IterationMatrix<dim> matrix(
      equations,
      solver.linear_solver,
      [&](VectorType &x, const VectorType &b) { solve_linear(x, b, result); },
      result.n_linear_iterations);
    is_open = contact.open_gaps(pointers<ConstVectors>(predictor), matrix);

    forces = equations.positions();
    for (auto &vector : forces)
      vector = 0.;
    largest_force = contact.add_gap_forces(pointers<Vectors>(forces));
    of_gaps       = equations.to_system(forces);
    if (largest_force > 0.)
      {
        VectorType displacement;
        solve_linear(displacement, of_gaps, result);
        direction += displacement;
      }
    missing =
      contact.missing_gaps(pointers<ConstVectors>(equations.positions()));
  }



  template <int dim>
  bool
  ConstrainedNewton<dim>::search()
  {
    using ConstVectors      = typename Contact<dim>::ConstVectors;
    const double penalty    = 2. * largest_force;
    const VectorType before = residual;
    const double slope      = -(before * direction) - penalty * missing;
    VectorType left         = before;
    left += of_gaps;
    const double norm = left.l2_norm();
    double fraction   = 1.;
    equations.move(direction, 1.);
    for (unsigned int k = 0;; ++k)
      {
        if (equations.evaluate(residual))
          {
            const double still_missing = contact.missing_gaps(
              pointers<ConstVectors>(equations.positions()));
            left = residual;
            left += of_gaps;
            VectorType sum = before;
            sum += residual;
            const double change = -0.5 * fraction * (sum * direction) +
                                  penalty * (still_missing - missing);
            if (change <= armijo * fraction * slope ||
                (fraction == 1. && left.l2_norm() <= large_decrease * norm) ||
                k == Newton::most_halvings)
              return true;
          }
        else if (k == Newton::most_halvings)
          return false;
        equations.move(direction, -0.5 * fraction);
        fraction *= 0.5;
      }
  }



  template <int dim>
  Newton::Result
  ConstrainedNewton<dim>::solve()
  {
    using ConstVectors = typename Contact<dim>::ConstVectors;
    Newton::Result result;
    if (!equations.evaluate(residual))
      {
        result.give_up(CutReason::inverted_cell,
                       "a cell is inverted in the first iterate");
        return result;
      }
    of_gaps               = equations.get_numbering().zero_vector();
    forces                = equations.contact_forces();
    unsigned int n_closed = 0;
    for (;; ++result.n_iterations)
      {
        VectorType left = residual;
        left += of_gaps;
        const double norm = left.l2_norm();
        const double last = result.residuals.empty()
                              ? std::numeric_limits<double>::max()
                              : result.residuals.back();
        result.residuals.push_back(norm);
        result.scale = equations.scale();
        result.scale.forces += of_gaps.l2_norm();
        result.has_converged =
          solver.newton.is_solved(norm, last, result.scale) && is_open &&
          contact.may_end_at(pointers<ConstVectors>(equations.positions()));
        if (result.has_converged)
          return result;
        n_closed = result.n_iterations > 0 && !is_open &&
                       solver.newton.is_solved(norm, last, result.scale)
                     ? n_closed + 1
                     : 0;
        if (result.n_iterations == solver.newton.most_iterations() ||
            n_closed == most_closed)
          {
            std::ostringstream text;
            text << "sequential quadratic programming left a residual of "
                 << norm << " in " << result.n_iterations
                 << " iterations, with forces of " << result.scale.forces;
            if (!is_open)
              text << ", and gaps that do not open";
            result.give_up(is_open ? CutReason::unsettled
                                   : CutReason::closed_gaps,
                           text.str());
            return result;
          }
        try
          {
            find_descent(result);
          }
        catch (const LinearSolverFailure &failure)
          {
            result.give_up(CutReason::linear_system, failure.what());
            return result;
          }
        if (!search())
          {
            result.give_up(CutReason::inverted_cell,
                           "a cell is inverted in each direction of search");
            return result;
          }
      }
  }



  template class ConstrainedNewton<2>;
  template class ConstrainedNewton<3>;
} // namespace Ricochet
