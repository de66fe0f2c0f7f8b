// SPDX-License-Identifier: LGPL-2.1-or-later

// The matrix of an implicit step against differences of its residual: with all
// that is condensed out of it, on any number of ranks.

#include <ricochet/implicit/equation_solver.h>
#include <ricochet/implicit/step_equations.h>

#include <gtest/gtest.h>

#include "../random.h"
#include "../time/run.h"

using namespace Ricochet;

namespace
{
  const std::string law = material("neo-Hookean", 100., 0.3);

  /** Bodies with all that an equation can have: hanging nodes, supports, both
   * kinds of cells. */
  template <int dim>
  std::vector<std::string>
  bodies(const bool with_simplices)
  {
    const std::string three = dim == 3 ? ", 0" : "";
    const std::string one   = dim == 3 ? ", 1" : "";
    std::vector<std::string> result{
      "subsection Mesh\n"
      "  set Grid generator = subdivided_hyper_rectangle\n"
      "  set Grid generator arguments = 2, 2" +
      std::string(dim == 3 ? ", 2" : "") + " : 0, 0" + three + " : 1, 1" + one +
      " : true\n"
      "  set Local refinement = if(x > 0.6 && y > 0.6, 1, 0)\n"
      "end\n"
      "subsection Prescribed motion\n"
      "  subsection left\n"
      "    set Boundary ids = 0\n"
      "    set Quantity = velocity\n"
      "    set Function = 0.1; 0.2" +
      std::string(dim == 3 ? "; 0" : "") +
      "\n"
      "  end\n"
      "end\n" +
      law};
    if (with_simplices)
      result.push_back(
        "subsection Mesh\n"
        "  set Grid generator = subdivided_hyper_cube\n"
        "  set Grid generator arguments = 2 : 2 : 3 : false\n"
        "  set Simplices = true\n"
        "end\n" +
        law);
    return result;
  }



  /** Along the direction d = (-dr/dx)^-1 r, r changes by -r. */
  template <int dim>
  void
  check_matrix(const bool discrete_gradient,
               const MassKind mass_kind,
               const bool with_simplices)
  {
    ExplicitRun<dim> run(bodies<dim>(with_simplices), mass_kind, {"left"});
    Random random(17);
    const double dt = 0.05;
    run.solids.distribute_to_hanging_nodes(run.state.positions);

    // The same velocities on any number of ranks.
    ForestVectors guess = run.state.velocities;
    StepScheme scheme;
    scheme.discrete_gradient  = discrete_gradient;
    scheme.inertia            = 2. / dt;
    scheme.force_factor       = 0.9;
    scheme.known_forces       = run.state.velocities;
    scheme.known_acceleration = run.state.velocities;
    const double a = random.uniform(0.2, 0.4), b = random.uniform(0.2, 0.4);
    for (unsigned int p = 0; p < guess.size(); ++p)
      {
        const auto &cells = run.solids.forest(p).get_cells();
        for (unsigned int n = 0; n < cells.n_owned_nodes; ++n)
          for (unsigned int d = 0; d < dim; ++d)
            {
              const auto &x = cells.reference_positions[n];
              guess[p].local_element(dim * n + d) =
                std::sin(3. * x[0] + d) * a + std::cos(2. * x[1] - d) * b;
              scheme.known_forces[p].local_element(dim * n + d) =
                0.01 * std::sin(x[1] + d);
            }
      }
    ForestVectors ends = run.state.positions;
    run.solids.prescribe_positions(0., dt, run.state.positions, ends, guess);

    StepEquations<dim> equations;
    equations.reinit(run.solids, run.contact);
    equations.begin(run.state, dt, scheme, guess);
    NewtonProblem::VectorType residual, forward, backward, direction;
    ASSERT_TRUE(equations.evaluate(residual));
    const double norm = residual.l2_norm();
    EXPECT_GT(norm, 1e-3 * equations.scale().forces);
    LinearSolver solver;
    equations.linearize(solver);
    direction.reinit(residual);
    solver.solve(direction, residual, 1e-12);

    const double step = 1e-4;
    equations.move(direction, step);
    ASSERT_TRUE(equations.evaluate(forward));
    equations.move(direction, -2. * step);
    ASSERT_TRUE(equations.evaluate(backward));
    forward -= backward;
    forward *= 0.5 / step;
    forward += residual;
    EXPECT_LT(forward.l2_norm(), 2e-7 * norm)
      << "dim " << dim << (discrete_gradient ? ", gradient" : ", end");
  }
} // namespace



TEST(StepEquations, MatrixIsTheDerivativeOfTheResidual)
{
  for (const bool discrete_gradient : {false, true})
    {
      check_matrix<2>(discrete_gradient, MassKind::consistent, false);
      check_matrix<2>(discrete_gradient, MassKind::lumped, true);
      check_matrix<3>(discrete_gradient, MassKind::lumped, true);
    }
}



// With quadratic convergence, the digits double.
TEST(StepEquations, NewtonConvergesQuadratically)
{
  for (const bool discrete_gradient : {false, true})
    {
      ExplicitRun<2> run(bodies<2>(true), MassKind::lumped, {"left"});
      const double dt     = 0.5;
      ForestVectors guess = run.state.velocities;
      StepScheme scheme;
      scheme.discrete_gradient  = discrete_gradient;
      scheme.inertia            = 2. / dt;
      scheme.known_forces       = run.state.velocities;
      scheme.known_acceleration = run.state.velocities;
      ForestVectors ends        = run.state.positions;
      run.solids.prescribe_positions(0., dt, run.state.positions, ends, guess);
      StepEquations<2> equations;
      equations.reinit(run.solids, run.contact);
      equations.begin(run.state, dt, scheme, guess);
      EquationSolver solver;
      const Newton::Result result = solver.solve(equations);
      EXPECT_TRUE(result.has_converged) << result.reason;
      const auto &r      = result.residuals;
      const double scale = result.scale.forces;
      unsigned int n     = 0;
      for (unsigned int k = 1; k < r.size(); ++k)
        if (r[k - 1] < 1e-2 * scale && r[k] > 1e-13 * scale)
          {
            EXPECT_LT(r[k] / scale, 30. * std::pow(r[k - 1] / scale, 1.9));
            ++n;
          }
      EXPECT_GE(n, 1u);
      EXPECT_LT(r.back(), 1e-11 * scale);
      RecordProperty("residuals", static_cast<int>(r.size()));
    }
}
