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
  constexpr double bulk = 5., viscosity = 0.1;

  std::unique_ptr<Material<3>>
  fluid(const std::string &cavitation = "false")
  {
    return make_material<3>("viscous fluid",
                            {{"Density", "3"},
                             {"Bulk modulus", "5"},
                             {"Viscosity", "0.1"},
                             {"Cavitation", cavitation}});
  }

  Tensor<2, 3>
  shear(const double angle)
  {
    Tensor<2, 3> F = rotation(0.);
    F[0][1]        = angle;
    return F;
  }
} // namespace



TEST(ViscousFluid, ShearFlowHasTheViscousStressAndLoss)
{
  // Simple shear at a constant rate r: sigma_01 = eta r, power eta r^2; but
  // half of that in the first step, at whose start there is no viscous stress.
  const auto material = fluid();
  for (const double rate : {0.5, 20.})
    for (const bool turned : {false, true})
      {
        MaterialPoint<3> point(*material);
        const unsigned int n_steps = 100;
        const double dt            = 2. / rate / n_steps;
        Tensor<2, 3> tau;
        const Tensor<2, 3> Q = rotation(turned ? dealii::numbers::PI / 6. : 0.);
        // The turn comes first, in a step of its own.
        point.step(Q, 1e9);
        for (unsigned int n = 1; n <= n_steps; ++n)
          {
            const Tensor<2, 3> F = Q * shear(rate * n * dt);
            tau = transpose(Q) * kirchhoff(point.step(F, dt), F) * Q;
          }
        EXPECT_NEAR(tau[0][1], viscosity * rate, 1e-12 * rate);
        EXPECT_NEAR(tau[1][0], viscosity * rate, 1e-12 * rate);
        EXPECT_NEAR(tau[0][0], 0., 1e-12);
        EXPECT_NEAR(point.stored(0),
                    viscosity * rate * 2. * (1. - 0.5 / n_steps),
                    1e-10 * rate);
        EXPECT_NEAR(point.energy, 0., 1e-12);
      }
}



TEST(ViscousFluid, ElongationHasThreeTimesTheViscosity)
{
  // Trouton: sigma_00 - sigma_11 = 3 eta r for an isochoric elongation.
  const auto material = fluid();
  MaterialPoint<3> point(*material);
  const double rate = 2., dt = 1e-3;
  Tensor<2, 3> tau;
  for (unsigned int n = 1; n <= 100; ++n)
    {
      Tensor<2, 3> F;
      F[0][0] = std::exp(rate * n * dt);
      F[1][1] = F[2][2] = std::exp(-0.5 * rate * n * dt);
      tau               = kirchhoff(point.step(F, dt), F);
    }
  EXPECT_NEAR(tau[0][0] - tau[1][1], 3. * viscosity * rate, 1e-6);
  EXPECT_NEAR(point.stored(0),
              3. * viscosity * rate * rate * (0.1 - 0.5 * dt),
              1e-6);
}



TEST(ViscousFluid, PressureIsLinearInTheDensity)
{
  for (const bool cavitation : {false, true})
    {
      const auto material = fluid(cavitation ? "true" : "false");
      MaterialPoint<3> point(*material);
      for (const double ratio : {0.5, 0.9, 1., 1.1, 2.})
        {
          const Tensor<2, 3> F = std::cbrt(1. / ratio) * rotation(1.);
          const auto sigma     = kirchhoff(point.trial(F, 0.), F) * ratio;
          const double p = cavitation && ratio < 1. ? 0. : bulk * (ratio - 1.);
          EXPECT_NEAR(trace(sigma) / 3., -p, 1e-12);
          EXPECT_LT((sigma + p * rotation(0.)).norm(), 1e-12);
        }
      // W' = -p
      const double J = 0.8, h = 1e-5;
      double sides[2];
      for (const int side : {0, 1})
        {
          point.trial(std::cbrt(J + (side == 0 ? -h : h)) * rotation(0.), 0.);
          sides[side] = point.energy;
        }
      EXPECT_NEAR((sides[1] - sides[0]) / (2. * h),
                  -bulk * (1. / J - 1.),
                  1e-8);
    }
}



TEST(ViscousFluid, RotationsCostNothing)
{
  const auto material = fluid();
  MaterialPoint<3> point(*material);
  for (unsigned int n = 1; n < 20; ++n)
    EXPECT_LT(point.step(rotation(0.3 * n), 1e-3).norm(), 1e-11);
  EXPECT_NEAR(point.stored(0), 0., 1e-20);
}



TEST(ViscousFluid, BadInputIsRefusedByName)
{
  for (const std::string name : {"Density", "Bulk modulus"})
    try
      {
        make_material<3>("viscous fluid",
                         {{"Density", "3"},
                          {"Bulk modulus", "5"},
                          {name, "0"}});
        ADD_FAILURE() << name;
      }
    catch (const UserError &error)
      {
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
      }
}
