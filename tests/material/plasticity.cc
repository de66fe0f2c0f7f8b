// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "../random.h"
#include "metals.h"

// The law 'J2 plasticity' against closed forms.

using namespace Metals;
using Ricochet::UserError;

namespace
{
  double
  static_voce(const double e)
  {
    return 100. + 50. * e + 200. * (1. - std::exp(-12. * e));
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
            const double component =
              in_shear ? outcome.tau[0][1] : outcome.tau[0][0];
            EXPECT_NEAR(component,
                        in_shear ? q / std::sqrt(3.) : 2. / 3. * q,
                        1e-9 * q);
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



TEST(J2Plasticity, RotationsChangeNothing)
{
  Random random(1);
  for (const Entries &entries : {linear, voce, johnson_cook})
    {
      const auto material = metal(entries);
      MaterialPoint<3> one(*material), other(*material);
      Tensor<2, 3> F = dealii::unit_symmetric_tensor<3>();
      for (unsigned int n = 0; n < 20; ++n)
        {
          F += random.matrix<3>(0.3) * F;
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
  const auto &start = material->history().initial_values();
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
  Random random(2);
  for (const Entries *const entries : {&linear, &voce, &johnson_cook})
    {
      const auto material = metal(*entries);
      for (const double dt : {1e-9, 1e-3, 1e6})
        {
          MaterialPoint<3> point(*material);
          for (unsigned int n = 0; n < 50; ++n)
            {
              Tensor<2, 3> stretch;
              for (unsigned int i = 0; i < 3; ++i)
                stretch[i][i] = std::exp(random.uniform(-4., 4.));
              const Tensor<2, 3> Q = rotation(random.uniform(0., 6.)),
                                 F = rotation(random.uniform(0., 6.)) * Q *
                                     stretch * transpose(Q);
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
              if (entries == &linear)
                {
                  EXPECT_LE(equivalent(tau),
                            (400. + 100. * point.stored(1)) * (1. + 1e-8) +
                              1e-3);
                }
              // Flow keeps the volume: the metric has determinant one, as far
              // as round-off in its entries lets one see.
              Tensor<2, 3> metric;
              for (unsigned int i = 0, k = 3; i < 3; ++i)
                for (unsigned int j = i; j < 3; ++j, ++k)
                  metric[i][j] = metric[j][i] = point.stored(k);
              EXPECT_NEAR(determinant(metric),
                          1.,
                          1e-15 * std::pow(std::max(10., metric.norm()), 3));
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
