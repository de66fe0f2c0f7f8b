// SPDX-License-Identifier: LGPL-2.1-or-later

#include <algorithm>
#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

#include "metals.h"

// Johnson and Cook's hardening against the ordinary differential equations of
// the theory, which Boost integrates. Those do not know of return mappings: in
// them, the rate of flow follows from the stress.

using namespace Metals;

namespace
{
  constexpr double heating = 0.9 / (8.93e-3 * 383.);



  double
  static_johnson_cook(const double e, const double T)
  {
    const double relative = (T - 300.) / 1056.;
    return (90. + 292. * std::pow(std::max(e, 0.), 0.31)) *
           (1. - (relative > 0. ? std::pow(relative, 1.09) : 0.));
  }



  /** The rate of flow under the equivalent stress q, per unit of time. */
  double
  johnson_cook_rate(const double q, const double e, const double T)
  {
    const double s = static_johnson_cook(e, T);
    return q <= s ? 0. : 0.001 * std::exp((q / s - 1.) / 0.025);
  }



  Tensor<2, 3>
  deviator_of(Tensor<2, 3> A)
  {
    const double mean = trace(A) / 3.;
    for (unsigned int i = 0; i < 3; ++i)
      A[i][i] -= mean;
    return A;
  }



  /** The same by integrating db/dt = l b + b l^T - 2 rate N b. */
  Outcome
  integrate(const std::function<Tensor<2, 3>(double)> &path,
            const double duration)
  {
    using State      = std::array<double, 12>; // b, strain, temperature, loss
    const auto split = [](const State &x, Tensor<2, 3> &b) {
      for (unsigned int i = 0; i < 9; ++i)
        b[i / 3][i % 3] = x[i];
      const Tensor<2, 3> e =
        apply(b, [](const double value) { return 0.5 * std::log(value); });
      Tensor<2, 3> tau = 2. * mu * e;
      for (unsigned int i = 0; i < 3; ++i)
        tau[i][i] += lambda * trace(e);
      return tau;
    };
    const auto rate_of = [&](const State &x, State &dx, const double t) {
      Tensor<2, 3> b;
      const Tensor<2, 3> tau = split(x, b);
      const double q         = equivalent(tau);
      const double rate      = johnson_cook_rate(q, x[9], x[10]);
      // Velocity gradient from a difference that is exact to 1e-10.
      const double s = t / duration, h = 1e-5;
      const Tensor<2, 3> l =
        (path(s + h) - path(s - h)) * invert(path(s)) / (2. * h * duration);
      Tensor<2, 3> db = l * b + b * transpose(l);
      if (q > 0.)
        db -= 2. * rate * 1.5 / q * deviator_of(tau) * b;
      for (unsigned int i = 0; i < 9; ++i)
        dx[i] = db[i / 3][i % 3];
      dx[9]  = rate;
      dx[11] = q * rate;
      dx[10] = heating * dx[11];
    };
    State x          = {{1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 300., 0.}};
    namespace odeint = boost::numeric::odeint;
    // The rate answers to changes of strain within C s / (3 mu) = 2e-5.
    constexpr unsigned int n_steps = 40000;
    const double step              = duration / n_steps;
    odeint::runge_kutta4<State> stepper;
    for (unsigned int n = 0; n < n_steps; ++n)
      stepper.do_step(rate_of, x, n * step, step);
    Tensor<2, 3> b;
    return {split(x, b), x[9], x[10], x[11]};
  }



  void
  expect_near(const Outcome &a, const Outcome &b, const double tolerance)
  {
    EXPECT_LT((a.tau - b.tau).norm(), tolerance * b.tau.norm());
    EXPECT_NEAR(a.strain, b.strain, tolerance * b.strain);
    EXPECT_NEAR(a.temperature - 300.,
                b.temperature - 300.,
                tolerance * (b.temperature - 300.));
    EXPECT_NEAR(a.loss, b.loss, tolerance * b.loss);
  }
} // namespace



TEST(J2Plasticity, JohnsonCookFollowsTheDifferentialEquation)
{
  // Durations give rates of strain of about 1e-2 and 1e4 per unit of time.
  const auto material = metal(johnson_cook);
  for (const double duration : {20., 2e-5})
    for (const bool in_shear : {false, true})
      {
        const auto path = [in_shear](const double s) {
          return in_shear ? shear(s, 0.4) : tension(s, 0.2);
        };
        const Outcome exact = integrate(path, duration);
        EXPECT_GT(exact.strain, 0.19);
        EXPECT_GT(exact.temperature, 305.);
        for (const bool turned : {false, true})
          {
            const auto coarse = follow(*material, path, duration, 200, turned);
            expect_near(coarse, exact, 5e-3);
            expect_near(follow(*material, path, duration, 4000, turned),
                        exact,
                        3e-4);
          }
      }
}



TEST(J2Plasticity, RatesHarden)
{
  const auto material = metal(johnson_cook);
  const auto path     = [](const double s) { return tension(s, 0.1); };
  const auto slow     = follow(*material, path, 0.1 / 1e-3, 100, false),
             fast     = follow(*material, path, 0.1 / 1e3, 100, false);
  EXPECT_GT(equivalent(fast.tau), 1.2 * equivalent(slow.tau));
}
