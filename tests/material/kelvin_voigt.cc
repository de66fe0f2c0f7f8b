// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>

#include <cmath>
#include <gtest/gtest.h>

#include "make_material.h"
#include "material_point.h"

using namespace Ricochet;
using dealii::Tensor;

namespace
{
  constexpr double damping_time = 0.3;
  constexpr double test_bulk    = test_lambda + 2. / 3. * test_mu;

  template <int dim>
  std::unique_ptr<Material<dim>>
  solid(const std::string &damping_time = "0.3")
  {
    return make_material<dim>("Kelvin-Voigt",
                              {{"Density", "2.5"},
                               {"Lame lambda", "3.25"},
                               {"Lame mu", "1.75"},
                               {"Damping time", damping_time}});
  }

  Tensor<2, 3>
  diagonal(const double a, const double b, const double c)
  {
    Tensor<2, 3> F;
    F[0][0] = a;
    F[1][1] = b;
    F[2][2] = c;
    return F;
  }

  /** Stretch, shear and turn, all at once; F = 1 for t = 0. */
  Tensor<2, 3>
  path(const double t)
  {
    Tensor<2, 3> F = diagonal(1. + 0.3 * std::sin(t), 1., 1. - 0.2 * t);
    F[0][1]        = 0.5 * std::sin(2. * t);
    F[2][0]        = 0.2 * t * t;
    return rotation(1.5 * t) * F;
  }
} // namespace



TEST(KelvinVoigt, SimpleShear)
{
  // At a constant rate r of the shear s: sigma_01 = mu (s + T r) for every
  // shear, sigma_00 = mu s^2, the loss per time is mu T r^2; but half of that
  // in the first step, at whose start there is no viscous stress.
  const auto material = solid<3>();
  for (const double rate : {0.5, 20.})
    for (const bool turned : {false, true})
      {
        MaterialPoint<3> point(*material);
        const unsigned int n_steps = 50;
        const double dt            = 1. / rate / n_steps;
        const Tensor<2, 3> Q = rotation(turned ? dealii::numbers::PI / 6. : 0.);
        // The turn comes first, in a step of its own.
        point.step(Q, 1e-3);
        for (unsigned int n = 1; n <= n_steps; ++n)
          {
            Tensor<2, 3> F = diagonal(1., 1., 1.);
            const double s = rate * n * dt;
            F[0][1]        = s;
            F              = Q * F;
            const auto sigma =
              transpose(Q) * kirchhoff(point.step(F, dt), F) * Q;
            const double shear = test_mu * (s + damping_time * rate);
            EXPECT_NEAR(sigma[0][1], shear, 1e-12 * shear);
            EXPECT_NEAR(sigma[1][0], shear, 1e-12 * shear);
            EXPECT_NEAR(sigma[0][0], test_mu * s * s, 1e-12 * shear);
            EXPECT_NEAR(sigma[1][1], 0., 1e-12 * shear);
            EXPECT_NEAR(sigma[2][2], 0., 1e-12 * shear);
          }
        EXPECT_NEAR(point.stored(0),
                    test_mu * damping_time * rate * (1. - 0.5 / n_steps),
                    1e-12 * rate);
        EXPECT_NEAR(point.energy, 0.5 * test_mu, 1e-12);
      }
}



TEST(KelvinVoigt, TensionAtSmallStrain)
{
  // With free sides, sigma = E (e + T r).
  const double nu     = 0.5 * test_lambda / (test_lambda + test_mu);
  const double young  = 2. * test_mu * (1. + nu);
  const auto material = solid<3>();
  for (const double rate : {0.01, 5.})
    {
      MaterialPoint<3> point(*material);
      const double end           = 1e-6;
      const unsigned int n_steps = 10;
      const double dt            = end / rate / n_steps;
      Tensor<2, 3> sigma;
      for (unsigned int n = 1; n <= n_steps; ++n)
        {
          const double e = end * n / n_steps;
          const auto F   = diagonal(1. + e, 1. - nu * e, 1. - nu * e);
          sigma          = point.step(F, dt);
        }
      const double expected = young * (end + damping_time * rate);
      EXPECT_NEAR(sigma[0][0], expected, 1e-5 * expected);
      EXPECT_NEAR(sigma[1][1], 0., 1e-5 * expected);
      EXPECT_NEAR(point.energy, 0.5 * young * end * end, 1e-5 * end * end);
      const double loss =
        young * damping_time * rate * end * (1. - 0.5 / n_steps);
      EXPECT_NEAR(point.stored(0), loss, 1e-5 * loss);
    }
}



TEST(KelvinVoigt, UniaxialStretch)
{
  // J = exp(r t), without motion of the sides. What the steps miss of the rate
  // is (r dt)^2 / 12.
  const auto material = solid<3>();
  for (const double rate : {0.5, -20.})
    {
      MaterialPoint<3> point(*material);
      const unsigned int n_steps = 1000;
      const double dt            = 0.5 / std::abs(rate) / n_steps,
                   J             = std::exp(rate / 2. / std::abs(rate));
      Tensor<2, 3> F, P;
      for (unsigned int n = 1; n <= n_steps; ++n)
        {
          F = diagonal(std::exp(rate * n * dt), 1., 1.);
          P = point.step(F, dt);
        }
      const auto sigma  = kirchhoff(P, F) / J;
      const double side = test_lambda * (std::log(J) / J + damping_time * rate);
      const double axis =
        side + test_mu * (J - 1. / J) + 2. * test_mu * damping_time * rate;
      EXPECT_NEAR(sigma[0][0], axis, 1e-6 * std::abs(axis));
      EXPECT_NEAR(sigma[1][1], side, 1e-6 * std::abs(side));
      EXPECT_NEAR(sigma[2][2], side, 1e-6 * std::abs(side));
    }
}



TEST(KelvinVoigt, BothViscositiesAreModuliTimesTheDampingTime)
{
  // In the first step from rest, mean and deviator of P at F close to one.
  const auto material = solid<3>();
  const double size = 1e-8, dt = 1e-6;
  for (const bool volumetric : {false, true})
    {
      MaterialPoint<3> point(*material);
      const double a = size, b = volumetric ? size : -0.5 * size;
      const auto P         = point.step(diagonal(1. + a, 1. + b, 1. + b), dt);
      const double modulus = volumetric ? 3. * test_bulk : 2. * test_mu;
      EXPECT_NEAR(P[0][0],
                  modulus * size * (1. + damping_time / dt),
                  1e-7 * P[0][0]);
    }
}



TEST(KelvinVoigt, RotationsCostNothing)
{
  const auto material = solid<3>();
  MaterialPoint<3> point(*material);
  for (unsigned int n = 1; n < 20; ++n)
    EXPECT_LT(point.step(rotation(0.3 * n * n), 1e-3).norm(), 1e-10);
  EXPECT_NEAR(point.stored(0), 0., 1e-20);

  // Nor do those of a deformed point.
  const auto elastic = make_material<3>("neo-Hookean");
  const auto F       = path(0.6);
  point.step(F, 1.);
  const double loss = point.stored(0);
  const auto P      = point.trial(F, 0.);
  for (const double angle : {1e-3, 0.5, 1.5, 3., -2.})
    {
      const auto Q = rotation(angle);
      EXPECT_LT((point.trial(Q * F, 1e-3) - Q * P).norm(), 1e-10);
      EXPECT_NEAR(point.loss, loss, 1e-12);
    }
}



TEST(KelvinVoigt, WorkIsStoredOrDissipated)
{
  // The mean of the stresses at the ends of a step does its work.
  const auto material = solid<3>();
  double last_error   = 0.;
  for (const unsigned int n_steps : {400, 800, 1600})
    {
      MaterialPoint<3> point(*material);
      const double dt = 2. / n_steps;
      double work     = 0.;
      Tensor<2, 3> F  = path(0.), P;
      for (unsigned int n = 1; n <= n_steps; ++n)
        {
          const auto F_new = path(n * dt);
          const auto P_new = point.step(F_new, dt);
          work += scalar_product(0.5 * (P + P_new), F_new - F);
          EXPECT_GE(point.loss, 0.);
          F = F_new;
          P = P_new;
        }
      EXPECT_GT(point.stored(0), 0.3 * work);
      EXPECT_GT(point.energy, 0.3 * work);
      const double error =
        std::abs(point.energy + point.stored(0) - work) / work;
      EXPECT_LT(error, 2. / n_steps);
      if (last_error > 0.)
        {
          EXPECT_NEAR(error / last_error, 0.25, 0.01);
        }
      last_error = error;
    }
}



TEST(KelvinVoigt, TwoDimensionsArePlaneStrain)
{
  const auto plane = solid<2>();
  const auto space = solid<3>();
  MaterialPoint<2> point_2(*plane);
  MaterialPoint<3> point_3(*space);
  for (unsigned int n = 1; n <= 5; ++n)
    {
      Tensor<2, 2> F_2;
      F_2[0][0] = 1. + 0.1 * n;
      F_2[0][1] = 0.05 * n * n;
      F_2[1][0] = -0.02 * n;
      F_2[1][1] = 1. - 0.03 * n;
      auto F_3  = diagonal(1., 1., 1.);
      for (unsigned int i = 0; i < 2; ++i)
        for (unsigned int j = 0; j < 2; ++j)
          F_3[i][j] = F_2[i][j];
      const auto P_2 = point_2.step(F_2, 0.1);
      const auto P_3 = point_3.step(F_3, 0.1);
      for (unsigned int i = 0; i < 2; ++i)
        for (unsigned int j = 0; j < 2; ++j)
          EXPECT_NEAR(P_2[i][j], P_3[i][j], 1e-13);
      EXPECT_NEAR(point_2.energy, point_3.energy, 1e-13);
      EXPECT_NEAR(point_2.loss, point_3.loss, 1e-13);
    }
}



TEST(KelvinVoigt, WithoutDampingOrTimeItIsNeoHookean)
{
  const auto elastic  = make_material<3>("neo-Hookean"),
             undamped = solid<3>("0"), damped = solid<3>();
  EXPECT_TRUE(undamped->history().empty());
  EXPECT_EQ(undamped->history().dissipation(), Dissipation::none);
  EXPECT_EQ(undamped->viscous_time(), 0.);
  EXPECT_EQ(damped->history().dissipation(), Dissipation::viscous);
  EXPECT_EQ(damped->density(), elastic->density());
  EXPECT_EQ(damped->wave_speed(), elastic->wave_speed());
  EXPECT_EQ(damped->shear_modulus(), elastic->shear_modulus());

  constexpr unsigned int n = 8;
  MaterialPoint<3> point(*damped);
  double F[9 * n], P[2][9 * n], W[2][n];
  for (const double t : {0.2, 0.9})
    {
      const auto F_p = path(t);
      for (unsigned int i = 0; i < 9 * n; ++i)
        F[i] = F_p[i / n / 3][i / n % 3];
      elastic->evaluate(n, F, P[0], W[0]);
      for (const bool in_step : {false, true})
        {
          if (in_step)
            undamped->evaluate_step(n, 0.1, F, nullptr, nullptr, P[1], W[1]);
          else
            undamped->evaluate(n, F, P[1], W[1]);
          for (unsigned int i = 0; i < 9 * n; ++i)
            EXPECT_EQ(P[0][i], P[1][i]);
          EXPECT_EQ(W[0][0], W[1][0]);
        }

      const auto P_p = point.step(F_p, 0.);
      for (unsigned int i = 0; i < 9; ++i)
        EXPECT_EQ(P_p[i / 3][i % 3], P[0][i * n]);
      EXPECT_EQ(point.energy, W[0][0]);
      EXPECT_EQ(point.loss, 0.);
    }
}



TEST(KelvinVoigt, InvertedPointsHaveNoMeaning)
{
  const auto material = solid<3>();
  MaterialPoint<3> point(*material);
  for (const double J : {0., -0.5})
    {
      const auto P = point.trial(diagonal(J, 1., 1.), 0.1);
      EXPECT_TRUE(std::isnan(P[0][0]));
    }
}



TEST(KelvinVoigt, BadInputIsRefusedByName)
{
  for (const std::string name : {"Density", "Young's modulus"})
    try
      {
        make_material<3>("Kelvin-Voigt",
                         {{"Density", "3"},
                          {"Young's modulus", "5"},
                          {"Poisson's ratio", "0.3"},
                          {"Damping time", "1"},
                          {name, "0"}});
        ADD_FAILURE() << name;
      }
    catch (const UserError &error)
      {
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
      }
  for (const std::string value : {"-0.1", "nan", "inf", "long"})
    EXPECT_THROW(solid<3>(value), dealii::ExceptionBase) << value;
}
