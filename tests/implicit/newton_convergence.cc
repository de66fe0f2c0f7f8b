// SPDX-License-Identifier: LGPL-2.1-or-later

// Newton's method on a step of every law, cell and formulation with both kinds
// of forces. The residuals are printed, relative to the forces.

#include <ricochet/implicit/equation_solver.h>
#include <ricochet/implicit/step_equations.h>

#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>

#include "../random.h"
#include "../time/run.h"

using namespace Ricochet;

namespace
{
  /** Of the bodies of a test. */
  struct Element
  {
    std::string name, cells, formulation;
    unsigned int degree;
  };

  const Element elements[] = {{"simplices", "2", "full", 1},
                              {"degree 1", "2", "full", 1},
                              {"F-bar", "2", "F-bar", 1},
                              {"reduced", "2", "reduced", 1},
                              {"degree 2", "1", "full", 2}};



  template <int dim>
  std::string
  text_of(const Element &element, const std::string &law)
  {
    std::string text = "set Element formulation = " + element.formulation +
                       "\n"
                       "subsection Mesh\n"
                       "  set Grid generator = subdivided_hyper_cube\n"
                       "  set Grid generator arguments = " +
                       element.cells +
                       " : 0 : 1 : true\n"
                       "  set Simplices = " +
                       (element.name == "simplices" ? "true" : "false") +
                       "\n"
                       "end\n"
                       "subsection Prescribed motion\n"
                       "  subsection left\n"
                       "    set Boundary ids = 0\n"
                       "    set Quantity = velocity\n"
                       "    set Function = 0.1; 0.2" +
                       (dim == 3 ? "; 0" : "") +
                       "\n"
                       "  end\n"
                       "end\n"
                       "subsection Material\n"
                       "  set Law = " +
                       law + "\n  set Density = 1\n";
    if (law == "viscous fluid")
      text +=
        "  set Young's modulus =\n"
        "  set Poisson's ratio =\n"
        "  set Bulk modulus = 20\n"
        "  set Viscosity = 1\n";
    else
      text +=
        "  set Young's modulus = 20\n"
        "  set Poisson's ratio = 0.3\n";
    if (law == "Kelvin-Voigt")
      text += "  set Damping time = 0.1\n";
    if (law == "J2 plasticity")
      text +=
        "  set Yield stress = 1\n"
        "  set Hardening modulus = 2\n";
    return text + "end\n";
  }



  /** Waves with random directions, the same on any number of ranks. */
  template <int dim>
  class Waves
  {
  public:
    explicit Waves(Random &random)
    {
      for (auto &wave : waves)
        wave = {random.vector<dim>(5.), random.vector<dim>(1.)};
    }

    dealii::Tensor<1, dim>
    operator()(const dealii::Point<dim> &X) const
    {
      dealii::Tensor<1, dim> sum;
      for (const auto &wave : waves)
        sum += std::sin(1. + wave.first * X) * wave.second;
      return sum;
    }

  private:
    std::pair<dealii::Tensor<1, dim>, dealii::Tensor<1, dim>> waves[3];
  };



  /** A step of a clamped block under random loads from random velocities. */
  template <int dim>
  Newton::Result
  solve_step(const Element &element,
             const std::string &law,
             const bool discrete_gradient)
  {
    ExplicitRun<dim> run({text_of<dim>(element, law)},
                         MassKind::lumped,
                         {"left"},
                         {},
                         false,
                         element.degree);
    const double dt = 0.3, speed = 0.15;
    StepScheme scheme;
    scheme.discrete_gradient  = discrete_gradient;
    scheme.inertia            = 2. / dt;
    scheme.known_forces       = run.state.velocities;
    scheme.known_acceleration = run.state.velocities;
    Random random(5);
    const Waves<dim> velocities(random), forces(random);
    run.for_each_node(
      [&](const dealii::Point<dim> &X, const unsigned int first) {
        const auto v = velocities(X), f = forces(X);
        for (unsigned int d = 0; d < dim; ++d)
          {
            run.state.velocities[0].local_element(first + d) = speed * v[d];
            scheme.known_acceleration[0].local_element(first + d) =
              scheme.inertia * speed * v[d];
            scheme.known_forces[0].local_element(first + d) = 0.1 * f[d];
          }
      });
    ForestVectors guess = run.state.velocities, ends = run.state.positions;
    run.solids.prescribe_positions(0., dt, run.state.positions, ends, guess);

    StepEquations<dim> equations;
    equations.reinit(run.solids, run.contact);
    equations.begin(run.state, dt, scheme, guess);
    // Directions without an error of their own.
    dealii::ParameterHandler prm;
    EquationSolver::declare_parameters(prm);
    prm.set("Linear solver", "direct");
    EquationSolver solver;
    solver.parse_parameters(prm);
    const Newton::Result result = solver.solve(equations);
    if (law == "J2 plasticity")
      {
        EXPECT_GT(dealii::Utilities::MPI::sum(equations.energies.plastic[0],
                                              MPI_COMM_WORLD),
                  1e-3);
      }
    return result;
  }



  void
  print(const std::string &title, const std::vector<double> &residuals)
  {
    if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) > 0)
      return;
    std::printf("%-50s", title.c_str());
    for (const double residual : residuals)
      std::printf(" %.0e", residual);
    std::printf("\n");
  }



  template <int dim>
  void
  check(const std::string &law, const bool discrete_gradient)
  {
    // A tangent with the relative error e would leave e times the last
    // residual: too much where that is below e over the constant.
    constexpr double constant = 50., round_off = 1e-13, near = 1e-2;
    for (const Element &element : elements)
      {
        const std::string title = std::to_string(dim) + "D " + law + ", " +
                                  element.name +
                                  (discrete_gradient ? ", gradient" : ", end");
        const Newton::Result result =
          solve_step<dim>(element, law, discrete_gradient);
        std::vector<double> r = result.residuals;
        for (double &residual : r)
          residual /= result.scale.forces;
        print(title, r);
        EXPECT_TRUE(result.has_converged) << title << ": " << result.reason;
        unsigned int n = 0;
        for (unsigned int k = 1; k < r.size(); ++k)
          if (r[k - 1] < near)
            {
              EXPECT_LT(r[k],
                        std::max(constant * r[k - 1] * r[k - 1], round_off))
                << title;
              ++n;
            }
        if (law == "small-strain linear" && element.formulation != "F-bar")
          EXPECT_LT(r[1], round_off) << title;
        else
          EXPECT_GE(n, 2u) << title;
      }
  }
} // namespace



/** Of laws by their names. */
class NewtonConvergence : public testing::TestWithParam<std::string>
{};

TEST_P(NewtonConvergence, IsQuadratic)
{
  for (const bool discrete_gradient : {false, true})
    {
      check<2>(GetParam(), discrete_gradient);
      check<3>(GetParam(), discrete_gradient);
    }
}



namespace
{
  std::vector<std::string>
  all_laws()
  {
    std::vector<std::string> names;
    for (const auto &law : Registry<Material<3>>::entries())
      names.push_back(law.first);
    return names;
  }
} // namespace

INSTANTIATE_TEST_SUITE_P(Laws,
                         NewtonConvergence,
                         testing::ValuesIn(all_laws()),
                         [](const auto &info) {
                           std::string name = info.param;
                           for (char &c : name)
                             if (std::isalnum(c) == 0)
                               c = '_';
                           return name;
                         });
