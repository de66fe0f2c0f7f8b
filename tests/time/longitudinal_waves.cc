// SPDX-License-Identifier: LGPL-2.1-or-later

// Free vibration of a bar along its axis. A bar of unit length, modulus and
// density without Poisson's effect obeys u_tt = u_xx with u_x = 0 at both
// ends; starting from rest position with the velocity V cos(pi x) it moves as
//   u = V sin(pi t) / pi cos(pi x).
//
// On N equal cells of length h cos(pi x) is an eigenvector of the discrete
// equations, too. Stiffness 1/h [-1 2 -1] and mass h [0 1 0] (lumped) or
// h/6 [1 4 1] (consistent) give, with cos(pi (x-h)) + cos(pi (x+h)) =
// 2 cos(pi h) cos(pi x) and s = sin(pi h / 2)^2, the frequencies
//   omega^2 = 4 s / h^2   and   omega^2 = 4 s / (1 - 2/3 s) / h^2.
// Central differences from u_0 = 0, v_0 = V give
//   u_n = V dt sin(n theta) / sin(theta),   v_n = V cos(n theta)
// with sin(theta/2) = omega dt / 2: u_n+1 - 2 u_n + u_n-1 =
// -4 sin(theta/2)^2 u_n, and v_n = (u_n+1 - u_n-1) / (2 dt).

#include <deal.II/base/numbers.h>

#include <cmath>
#include <gtest/gtest.h>

#include "run.h"

using namespace Ricochet;
using dealii::numbers::PI;

namespace
{
  constexpr double speed = 1e-3;

  template <int dim>
  ExplicitRun<dim>
  bar(const unsigned int n_cells,
      const MassKind mass_kind,
      const std::string &law)
  {
    const std::string n = std::to_string(n_cells),
                      h = std::to_string(1. / n_cells);
    return ExplicitRun<dim>(
      {bricks(dim == 2 ? n + ", 1" : n + ", 1, 1",
              dim == 2 ? "0, 0" : "0, 0, 0",
              dim == 2 ? "1, " + h : "1, " + h + ", " + h) +
       material(law, 1., 0.) + "set Initial velocity = 1e-3 * cos(pi*x)" +
       (dim == 2 ? "; 0" : "; 0; 0")},
      mass_kind);
  }



  double
  frequency(const unsigned int n_cells, const MassKind mass_kind)
  {
    const double h = 1. / n_cells;
    const double s = std::pow(std::sin(PI * h / 2.), 2);
    return std::sqrt(4. * s /
                     (mass_kind == MassKind::lumped ? 1. : 1. - 2. / 3. * s)) /
           h;
  }



  /** Largest difference from u(t) cos(pi x), v(t) cos(pi x), relative to V. */
  template <int dim>
  double
  error(const ExplicitRun<dim> &run, const double u, const double v)
  {
    double result = 0.;
    run.for_each_node([&](const dealii::Point<dim> &x, const unsigned int i) {
      for (unsigned int d = 0; d < dim; ++d)
        {
          const double shape = d == 0 ? std::cos(PI * x[0]) : 0.;
          for (const double difference :
               {run.state.positions[0].local_element(i + d) - x[d] - u * shape,
                run.state.velocities[0].local_element(i + d) - v * shape})
            result = std::max(result, std::abs(difference) / speed);
        }
    });
    return dealii::Utilities::MPI::max(result, MPI_COMM_WORLD);
  }



  template <int dim>
  void
  check_discrete_solution(const MassKind mass_kind)
  {
    const unsigned int n_cells = 16;
    auto run        = bar<dim>(n_cells, mass_kind, "small-strain linear");
    const double dt = 0.4 / n_cells;
    const double theta =
      2. * std::asin(frequency(n_cells, mass_kind) * dt / 2.);
    run.start(dt);
    for (unsigned int n = 1; n <= 200; ++n)
      {
        run.step(dt);
        EXPECT_LT(error(run,
                        speed * dt * std::sin(n * theta) / std::sin(theta),
                        speed * std::cos(n * theta)),
                  1e-10);
      }
  }



  /** Error after 1.25 against the bar. */
  double
  error_of_bar(const unsigned int n_cells, const MassKind mass_kind)
  {
    auto run             = bar<2>(n_cells, mass_kind, "small-strain linear");
    const double end     = 1.25;
    const unsigned int n = 4 * n_cells;
    run.start(end / n);
    for (unsigned int i = 0; i < n; ++i)
      run.step(end / n);
    return error(run,
                 speed * std::sin(PI * end) / PI,
                 speed * std::cos(PI * end));
  }



  /** Error after 1.25 against the discrete bar in continuous time. */
  double
  error_of_steps(const unsigned int n_steps, const MassKind mass_kind)
  {
    const unsigned int n_cells = 8;
    auto run           = bar<2>(n_cells, mass_kind, "small-strain linear");
    const double end   = 1.25;
    const double omega = frequency(n_cells, mass_kind);
    run.start(end / n_steps);
    for (unsigned int i = 0; i < n_steps; ++i)
      run.step(end / n_steps);
    return error(run,
                 speed * std::sin(omega * end) / omega,
                 speed * std::cos(omega * end));
  }
} // namespace



TEST(LongitudinalWaves, FollowTheDiscreteSolution)
{
  for (const MassKind mass_kind : {MassKind::lumped, MassKind::consistent})
    {
      check_discrete_solution<2>(mass_kind);
      check_discrete_solution<3>(mass_kind);
    }
}



TEST(LongitudinalWaves, ConvergeWithSecondOrder)
{
  for (const MassKind mass_kind : {MassKind::lumped, MassKind::consistent})
    {
      const double coarse = error_of_bar(16, mass_kind),
                   fine   = error_of_bar(32, mass_kind);
      EXPECT_NEAR(std::log2(coarse / fine), 2., 0.05);
      EXPECT_LT(coarse, 2e-2);
      const double long_steps  = error_of_steps(40, mass_kind),
                   short_steps = error_of_steps(80, mass_kind);
      EXPECT_NEAR(std::log2(long_steps / short_steps), 2., 0.05);
      EXPECT_LT(long_steps, 1e-2);
    }
}
