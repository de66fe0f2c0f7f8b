// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>

#include <deal.II/base/symmetric_tensor.h>

#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

#include "make_material.h"
#include "material_point.h"

// The law 'J2 plasticity' against closed forms and against ordinary
// differential equations of the same theory, which Boost integrates. Those do
// not know of return mappings: in them, the rate of flow follows from the
// stress.

using namespace Ricochet;
using dealii::Tensor;

namespace
{
  using Entries = std::vector<std::pair<std::string, std::string>>;

  // Copper in MPa, mm, tonnes, ms (with the unit of time 1e-3 s, force N).
  const double mu = 43.e3, lambda = 101.e3, bulk = lambda + 2. / 3. * mu;

  Entries
  with(const Entries &more)
  {
    Entries entries = {{"Density", "8.93e-3"},
                       {"Lame lambda", "101e3"},
                       {"Lame mu", "43e3"}};
    entries.insert(entries.end(), more.begin(), more.end());
    return entries;
  }

  const Entries linear =
                  with({{"Yield stress", "400"}, {"Hardening modulus", "100"}}),
                voce         = with({{"Hardening", "Voce"},
                                     {"Yield stress", "100"},
                                     {"Hardening modulus", "50"},
                                     {"Saturation stress", "300"},
                                     {"Saturation exponent", "12"}}),
                johnson_cook = with({{"Hardening", "Johnson-Cook"},
                                     {"Johnson-Cook A", "90"},
                                     {"Johnson-Cook B", "292"},
                                     {"Johnson-Cook N", "0.31"},
                                     {"Johnson-Cook C", "0.025"},
                                     {"Johnson-Cook M", "1.09"},
                                     {"Reference strain rate", "0.001"},
                                     {"Reference temperature", "300"},
                                     {"Melting temperature", "1356"},
                                     {"Taylor-Quinney coefficient", "0.9"},
                                     {"Heat capacity", "383e3"}});

  constexpr double heating = 0.9 / (8.93e-3 * 383e3);

  std::unique_ptr<Material<3>>
  metal(const Entries &entries)
  {
    return make_material<3>("J2 plasticity", entries);
  }



  double
  static_voce(const double e)
  {
    return 100. + 50. * e + 200. * (1. - std::exp(-12. * e));
  }



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



  /** Paths of deformation that reach s = 1 at their ends. */
  Tensor<2, 3>
  tension(const double s, const double strain)
  {
    Tensor<2, 3> F;
    F[0][0] = std::exp(strain * s);
    F[1][1] = F[2][2] = std::exp(-0.5 * strain * s);
    return F;
  }

  Tensor<2, 3>
  shear(const double s, const double angle)
  {
    Tensor<2, 3> F = dealii::unit_symmetric_tensor<3>();
    F[0][1]        = angle * s;
    return F;
  }

  /** Tension and compression along the diagonals. */
  Tensor<2, 3>
  pure_shear(const double s, const double strain)
  {
    Tensor<2, 3> F;
    F[0][0] = F[1][1] = std::cosh(strain * s);
    F[0][1] = F[1][0] = std::sinh(strain * s);
    F[2][2]           = 1.;
    return F;
  }



  /** The logarithm (or another function) of a symmetric tensor. */
  Tensor<2, 3>
  apply(const Tensor<2, 3> &A, const std::function<double(double)> &function)
  {
    Tensor<2, 3> result;
    for (const auto &[value, vector] :
         dealii::eigenvectors(symmetrize(A),
                              dealii::SymmetricTensorEigenvectorMethod::jacobi))
      result += function(value) * outer_product(vector, vector);
    return result;
  }

  Tensor<2, 3>
  deviator_of(Tensor<2, 3> A)
  {
    const double mean = trace(A) / 3.;
    for (unsigned int i = 0; i < 3; ++i)
      A[i][i] -= mean;
    return A;
  }



  struct Outcome
  {
    Tensor<2, 3> tau;
    double strain, temperature, loss;
  };

  /** The law at the end of a path, turned by 30 degrees on the way if
   * @p turned; the stress is turned back. */
  Outcome
  follow(const Material<3> &material,
         const std::function<Tensor<2, 3>(double)> &path,
         const double duration,
         const unsigned int n_steps,
         const bool turned)
  {
    MaterialPoint<3> point(material);
    Tensor<2, 3> P, F, Q = rotation(0.);
    for (unsigned int n = 1; n <= n_steps; ++n)
      {
        const double s = double(n) / n_steps;
        if (turned)
          Q = rotation(s * dealii::numbers::PI / 6.);
        F = Q * path(s);
        P = point.step(F, duration / n_steps);
      }
    return {transpose(Q) * kirchhoff(P, F) * Q,
            point.stored(1),
            point.stored(2),
            point.stored(0)};
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
    State x          = {1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 300., 0.};
    namespace odeint = boost::numeric::odeint;
    odeint::integrate_adaptive(
      odeint::make_controlled<odeint::runge_kutta_dopri5<State>>(1e-8, 1e-8),
      rate_of,
      x,
      0.,
      duration,
      1e-6 * duration);
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



TEST(J2Plasticity, LinearHardeningHasAClosedFormOnStraightPaths)
{
  // 3 mu (E - e) = 400 + 100 e with the equivalent strain E.
  const auto material = metal(linear);
  for (const bool in_shear : {false, true})
    for (const double strain : {1e-3, 0.02, 0.9})
      for (const unsigned int n_steps : {1, 20})
        for (const bool turned : {false, true})
          {
            const double E = in_shear ? 2. / std::sqrt(3.) * strain : strain;
            const double e =
              std::max(0., (3. * mu * E - 400.) / (3. * mu + 100.));
            const auto outcome = follow(
              *material,
              [&](const double s) {
                return in_shear ? pure_shear(s, strain) : tension(s, strain);
              },
              1.,
              n_steps,
              turned);
            const double q = 3. * mu * (E - e);
            EXPECT_NEAR(outcome.strain, e, 1e-12);
            EXPECT_NEAR(outcome.loss, 400. * e + 50. * e * e, 1e-9);
            if (in_shear)
              EXPECT_NEAR(outcome.tau[0][1], q / std::sqrt(3.), 1e-9 * q);
            else
              EXPECT_NEAR(outcome.tau[0][0], 2. / 3. * q, 1e-9 * q);
            EXPECT_NEAR(trace(outcome.tau), 0., 1e-9 * q);
            EXPECT_EQ(outcome.temperature, 293.);
          }
}



TEST(J2Plasticity, VoceHardeningIsOnItsCurve)
{
  const auto material = metal(voce);
  for (const double strain : {0.01, 0.1, 1.})
    {
      const auto outcome = follow(
        *material,
        [&](const double s) { return tension(s, strain); },
        1.,
        3,
        true);
      EXPECT_NEAR(3. * mu * (strain - outcome.strain),
                  static_voce(outcome.strain),
                  1e-8);
      EXPECT_NEAR(equivalent(outcome.tau), static_voce(outcome.strain), 1e-8);
    }
}



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



TEST(J2Plasticity, RotationsChangeNothing)
{
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> random(-0.3, 0.3);
  for (const Entries &entries : {linear, voce, johnson_cook})
    {
      const auto material = metal(entries);
      MaterialPoint<3> one(*material), other(*material);
      Tensor<2, 3> F = dealii::unit_symmetric_tensor<3>();
      for (unsigned int n = 0; n < 20; ++n)
        {
          Tensor<2, 3> increment = dealii::unit_symmetric_tensor<3>();
          for (unsigned int i = 0; i < 9; ++i)
            increment[i / 3][i % 3] += random(generator);
          F                    = increment * F;
          const Tensor<2, 3> Q = rotation(n * dealii::numbers::PI / 6.);
          const auto P = one.step(F, 0.01), P_turned = other.step(Q * F, 0.01);
          EXPECT_LT((P_turned - Q * P).norm(), 1e-10 * P.norm());
          EXPECT_NEAR(one.stored(1), other.stored(1), 1e-12 * one.stored(1));
        }
      EXPECT_GT(one.stored(1), 1.);
    }
}



TEST(J2Plasticity, BelowTheYieldStressItIsElastic)
{
  const auto material = metal(linear);
  Tensor<2, 3> F      = rotation(1.) * tension(1., 1.5e-3);
  F[0][1] += 1e-3;
  F *= 1.2;

  const Tensor<2, 3> b = F * transpose(F);
  const Tensor<2, 3> e =
    apply(b, [](const double value) { return 0.5 * std::log(value); });
  Tensor<2, 3> tau = 2. * mu * e;
  for (unsigned int i = 0; i < 3; ++i)
    tau[i][i] += lambda * trace(e);
  const double W =
    0.5 * lambda * trace(e) * trace(e) + mu * scalar_product(e, e);
  ASSERT_LT(equivalent(tau), 400.);

  MaterialPoint<3> point(*material);
  const auto P = point.step(F, 1e-3);
  EXPECT_LT((kirchhoff(P, F) - tau).norm(), 1e-12 * tau.norm());
  EXPECT_NEAR(point.energy, W, 1e-12 * W);
  EXPECT_EQ(point.loss, 0.);
  // Metric and all else as at the start, to the last bit.
  const auto start = material->initial_history();
  for (unsigned int k = 0; k < start.size(); ++k)
    EXPECT_EQ(point.stored(k), start[k]);
}



TEST(J2Plasticity, StressIsTheDerivativeOfStoredAndDissipatedEnergy)
{
  // The rate-independent step has a potential, which closes the balance of
  // energy.
  const auto material = metal(linear);
  MaterialPoint<3> point(*material);
  Tensor<2, 3> F = shear(1., 0.3);
  point.step(F, 1.);
  F[1][2] += 0.04;
  F[0][0] += 0.03;
  const auto P = point.trial(F, 1.);
  EXPECT_GT(point.loss, 1.01 * point.stored(0));
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      {
        const double h = 1e-5;
        double sides[2];
        for (const int side : {0, 1})
          {
            Tensor<2, 3> G = F;
            G[i][j] += (side == 0 ? -h : h);
            point.trial(G, 1.);
            sides[side] = point.energy + point.loss;
          }
        EXPECT_NEAR(P[i][j], (sides[1] - sides[0]) / (2. * h), 1e-6 * P.norm());
      }
}



TEST(J2Plasticity, AStepOfNoLengthIsElastic)
{
  const auto material = metal(johnson_cook);
  MaterialPoint<3> point(*material);
  point.step(tension(1., 0.1), 1e-3);
  const auto before = point.trial(tension(1., 0.1), 0.);
  const auto after  = point.step(tension(1., 0.2), 0.);
  // Twice the modulus in logarithmic strains, and J = 1.
  EXPECT_NEAR((after[0][0] * std::exp(0.2) - before[0][0] * std::exp(0.1)),
              2. * mu * 0.1,
              1e-8 * mu);
  EXPECT_EQ(point.stored(0), point.loss);
  EXPECT_LT(point.stored(1), 0.1);
}



TEST(J2Plasticity, HugeIncrementsReturnToTheYieldSurface)
{
  std::mt19937 generator(2);
  std::uniform_real_distribution<double> strain(-4., 4.), angle(0., 6.);
  for (const Entries &entries : {linear, voce, johnson_cook})
    {
      const auto material = metal(entries);
      for (const double dt : {1e-9, 1e-3, 1e6})
        {
          MaterialPoint<3> point(*material);
          for (unsigned int n = 0; n < 50; ++n)
            {
              Tensor<2, 3> stretch;
              for (unsigned int i = 0; i < 3; ++i)
                stretch[i][i] = std::exp(strain(generator));
              const Tensor<2, 3> Q = rotation(angle(generator)),
                                 F = rotation(angle(generator)) * Q * stretch *
                                     transpose(Q);
              const double before = point.stored(1), loss = point.stored(0);
              const Tensor<2, 3> tau = kirchhoff(point.step(F, dt), F);
              const double growth    = point.stored(1) - before;
              ASSERT_TRUE(std::isfinite(tau.norm()));
              EXPECT_GE(growth, 0.);
              EXPECT_GE(point.stored(0), loss);
              EXPECT_NEAR(trace(tau) / 3.,
                          bulk * std::log(determinant(F)),
                          1e-7 * bulk);
              // No flow stress is above this one.
              EXPECT_LE(equivalent(tau), 1e5);
              if (&entries == &linear)
                EXPECT_LE(equivalent(tau),
                          (400. + 100. * point.stored(1)) * (1. + 1e-8) + 1e-3);
              // Flow keeps the volume: the metric has determinant one.
              Tensor<2, 3> metric;
              for (unsigned int i = 0, k = 3; i < 3; ++i)
                for (unsigned int j = i; j < 3; ++j, ++k)
                  metric[i][j] = metric[j][i] = point.stored(k);
              EXPECT_NEAR(determinant(metric), 1., 1e-4);
            }
        }
    }
}



TEST(J2Plasticity, MoltenMetalCarriesNoShear)
{
  Entries entries = johnson_cook;
  entries.emplace_back("Initial temperature", "1400");
  const auto material = metal(entries);
  MaterialPoint<3> point(*material);
  const Tensor<2, 3> F = 1.01 * shear(1., 0.5);
  const auto tau       = kirchhoff(point.step(F, 1e-6), F);
  EXPECT_LT(equivalent(tau), 1e-9 * bulk);
  EXPECT_NEAR(trace(tau) / 3., bulk * 3. * std::log(1.01), 1e-9 * bulk);
  EXPECT_EQ(point.stored(0), 0.);
}



TEST(J2Plasticity, PlaneStrainIsTheSameInSpace)
{
  for (const Entries &entries : {linear, johnson_cook})
    {
      const auto plane = make_material<2>("J2 plasticity", entries);
      const auto space = metal(entries);
      MaterialPoint<2> a(*plane);
      MaterialPoint<3> b(*space);
      for (unsigned int n = 1; n < 10; ++n)
        {
          Tensor<2, 2> F({{1. + 0.02 * n, 0.05 * n}, {-0.01 * n, 1.}});
          Tensor<2, 3> G;
          G[2][2] = 1.;
          for (unsigned int i = 0; i < 4; ++i)
            G[i / 2][i % 2] = F[i / 2][i % 2];
          const auto P = a.step(F, 0.1);
          const auto R = b.step(G, 0.1);
          for (unsigned int i = 0; i < 4; ++i)
            EXPECT_NEAR(P[i / 2][i % 2], R[i / 2][i % 2], 1e-10 * R.norm());
          for (unsigned int k = 0; k < 3; ++k)
            EXPECT_NEAR(a.stored(k), b.stored(k), 1e-12 * b.stored(k));
        }
      EXPECT_GT(a.stored(1), 0.2);
    }
}



TEST(J2Plasticity, BadInputIsRefusedByName)
{
  const auto message = [](const Entries &base,
                          const std::string &name,
                          const std::string &value) -> std::string {
    Entries entries = base;
    entries.emplace_back(name, value);
    try
      {
        metal(entries);
      }
    catch (const UserError &error)
      {
        return error.what();
      }
    return "";
  };
  for (const auto &[name, value] : Entries{{"Johnson-Cook A", "-90"},
                                           {"Johnson-Cook B", "-1"},
                                           {"Johnson-Cook N", "0"},
                                           {"Johnson-Cook C", "-0.1"},
                                           {"Johnson-Cook M", "0"},
                                           {"Reference strain rate", "0"},
                                           {"Melting temperature", "300"},
                                           {"Melting temperature", "200"},
                                           {"Heat capacity", "0"}})
    {
      const std::string text = message(johnson_cook, name, value);
      EXPECT_NE(text.find("'" + name + "'"), std::string::npos)
        << name << ": " << text;
    }
  for (const auto &[name, value] : Entries{{"Yield stress", "0"},
                                           {"Yield stress", "-1"},
                                           {"Hardening modulus", "-1"},
                                           {"Saturation stress", "99"},
                                           {"Saturation exponent", "-1"}})
    {
      const std::string text = message(voce, name, value);
      EXPECT_NE(text.find("'" + name + "'"), std::string::npos)
        << name << ": " << text;
    }
}
