// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>

#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>

#include "../random.h"
#include "make_material.h"

using namespace Ricochet;
using dealii::Tensor;

namespace
{
  const std::vector<std::string> nonlinear_laws = {"neo-Hookean",
                                                   "Saint Venant-Kirchhoff"};
  const std::vector<std::string> laws           = {"neo-Hookean",
                                                   "Saint Venant-Kirchhoff",
                                                   "small-strain linear"};



  template <int dim>
  Tensor<2, dim>
  identity()
  {
    return Tensor<2, dim>(dealii::unit_symmetric_tensor<dim>());
  }



  /** Stress and energy at some points, through one batch. */
  template <int dim>
  std::vector<std::pair<Tensor<2, dim>, double>>
  evaluate(const Material<dim> &material, const std::vector<Tensor<2, dim>> &F)
  {
    const unsigned int n = (F.size() + 7) / 8 * 8;
    std::vector<double> F_values(dim * dim * n), P_values(dim * dim * n), W(n);
    for (unsigned int p = 0; p < n; ++p)
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int j = 0; j < dim; ++j)
          F_values[(i * dim + j) * n + p] =
            F[std::min<std::size_t>(p, F.size() - 1)][i][j];

    material.evaluate(n, F_values.data(), P_values.data(), W.data());

    std::vector<std::pair<Tensor<2, dim>, double>> result(F.size());
    for (unsigned int p = 0; p < F.size(); ++p)
      {
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            result[p].first[i][j] = P_values[(i * dim + j) * n + p];
        result[p].second = W[p];
      }
    return result;
  }



  template <int dim>
  Tensor<2, dim>
  stress(const Material<dim> &material, const Tensor<2, dim> &F)
  {
    return evaluate<dim>(material, {F})[0].first;
  }



  template <int dim>
  double
  energy(const Material<dim> &material, const Tensor<2, dim> &F)
  {
    return evaluate<dim>(material, {F})[0].second;
  }



  template <int dim>
  Tensor<2, dim>
  random_deformation(Random &random)
  {
    while (true)
      {
        const auto F = identity<dim>() + random.matrix<dim>(0.45);
        if (determinant(F) > 0.2)
          return F;
      }
  }



  /** Runs a test in both dimensions for all laws and instruction sets. */
  class Laws : public testing::TestWithParam<InstructionSet>
  {
  protected:
    void
    SetUp() override
    {
      setenv("RICOCHET_SIMD", name_of(GetParam()).c_str(), 1);
    }

    void
    TearDown() override
    {
      unsetenv("RICOCHET_SIMD");
    }
  };



  template <int dim>
  void
  check_derivatives(const std::string &law)
  {
    Random random(7);
    const auto material = make_material<dim>(law);
    const double step   = 1e-5;

    for (unsigned int sample = 0; sample < 20; ++sample)
      {
        const auto F = random_deformation<dim>(random);
        const auto P = stress<dim>(*material, F);
        for (unsigned int k = 0; k < dim; ++k)
          for (unsigned int l = 0; l < dim; ++l)
            {
              auto F_plus = F, F_minus = F;
              F_plus[k][l] += step;
              F_minus[k][l] -= step;
              const auto result = evaluate<dim>(*material, {F_plus, F_minus});
              EXPECT_NEAR((result[0].second - result[1].second) / (2. * step),
                          P[k][l],
                          1e-7 * (1. + P.norm()))
                << law;
            }
      }
  }



  template <int dim>
  void
  check_objectivity_and_isotropy(const std::string &law)
  {
    Random random(11);
    const auto material = make_material<dim>(law);
    for (unsigned int sample = 0; sample < 20; ++sample)
      {
        const auto F      = random_deformation<dim>(random);
        const auto Q      = random.rotation<dim>(3.);
        const auto result = evaluate<dim>(*material, {F, Q * F, F * Q, Q});

        const auto &P      = result[0].first;
        const double bound = 1e-13 * (1. + P.norm());
        EXPECT_LT((result[1].first - Q * P).norm(), bound) << law;
        EXPECT_LT((result[2].first - P * Q).norm(), bound) << law;
        EXPECT_NEAR(result[1].second, result[0].second, bound) << law;
        EXPECT_NEAR(result[2].second, result[0].second, bound) << law;

        // Rigid rotation: nothing.
        EXPECT_LT(result[3].first.norm(), 1e-13) << law;
        EXPECT_NEAR(result[3].second, 0., 1e-14) << law;
      }
  }



  template <int dim>
  void
  check_small_strains(const std::string &law)
  {
    Random random(13);
    const auto material = make_material<dim>(law);

    EXPECT_EQ(stress<dim>(*material, identity<dim>()).norm(), 0.) << law;
    EXPECT_EQ(energy<dim>(*material, identity<dim>()), 0.) << law;

    const double size = 1e-7;
    for (unsigned int sample = 0; sample < 20; ++sample)
      {
        // As F stores it.
        const auto F   = identity<dim>() + random.matrix<dim>(size);
        const auto H   = F - identity<dim>();
        const auto eps = 0.5 * (H + transpose(H));
        const auto sigma =
          test_lambda * trace(eps) * identity<dim>() + 2. * test_mu * eps;
        const double W = 0.5 * scalar_product(sigma, eps);

        // The laws differ in the next order of the strain.
        EXPECT_LT((stress<dim>(*material, F) - sigma).norm(),
                  100. * size * size)
          << law;
        EXPECT_NEAR(energy<dim>(*material, F), W, 100. * size * size * size)
          << law;
      }
  }



  /** Diagonal deformation gradients with the first entry @p stretch. */
  template <int dim>
  Tensor<2, dim>
  uniaxial(const double stretch)
  {
    auto F  = identity<dim>();
    F[0][0] = stretch;
    return F;
  }



  template <int dim>
  Tensor<2, dim>
  simple_shear(const double shear)
  {
    auto F  = identity<dim>();
    F[0][1] = shear;
    return F;
  }



  template <int dim>
  void
  check_closed_forms()
  {
    const double lambda = test_lambda, mu = test_mu;
    const auto neo_hookean = make_material<dim>("neo-Hookean");
    const auto kirchhoff   = make_material<dim>("Saint Venant-Kirchhoff");
    const auto linear      = make_material<dim>("small-strain linear");

    for (const double s : {0.3, 0.8, 1., 1.5, 4.})
      {
        // Uniaxial strain: the lateral stress too.
        const auto P_n = stress<dim>(*neo_hookean, uniaxial<dim>(s));
        EXPECT_NEAR(P_n[0][0],
                    mu * (s - 1. / s) + lambda * std::log(s) / s,
                    1e-14 * 30.);
        EXPECT_NEAR(P_n[1][1], lambda * std::log(s), 1e-14 * 30.);
        EXPECT_NEAR(energy<dim>(*neo_hookean, uniaxial<dim>(s)),
                    0.5 * lambda * std::log(s) * std::log(s) -
                      mu * std::log(s) + 0.5 * mu * (s * s - 1.),
                    1e-14 * 30.);

        const double E = 0.5 * (s * s - 1.);
        const auto P_k = stress<dim>(*kirchhoff, uniaxial<dim>(s));
        EXPECT_NEAR(P_k[0][0], s * (lambda + 2. * mu) * E, 1e-13 * 30.);
        EXPECT_NEAR(P_k[1][1], lambda * E, 1e-13 * 30.);
        EXPECT_NEAR(energy<dim>(*kirchhoff, uniaxial<dim>(s)),
                    0.5 * (lambda + 2. * mu) * E * E,
                    1e-13 * 30.);

        const auto P_l = stress<dim>(*linear, uniaxial<dim>(s));
        EXPECT_NEAR(P_l[0][0], (lambda + 2. * mu) * (s - 1.), 1e-14 * 30.);
        EXPECT_NEAR(P_l[1][1], lambda * (s - 1.), 1e-14 * 30.);
        EXPECT_NEAR(energy<dim>(*linear, uniaxial<dim>(s)),
                    0.5 * (lambda + 2. * mu) * (s - 1.) * (s - 1.),
                    1e-13 * 30.);
      }

    for (const double g : {-0.7, 0.2, 1.3})
      {
        // Simple shear F = 1 + g e_0 e_1: J = 1, F^-T = 1 - g e_1 e_0.
        const auto P_n = stress<dim>(*neo_hookean, simple_shear<dim>(g));
        EXPECT_NEAR(P_n[0][1], mu * g, 1e-14);
        EXPECT_NEAR(P_n[1][0], mu * g, 1e-14);
        EXPECT_NEAR(P_n[0][0], 0., 1e-14);
        EXPECT_NEAR(P_n[1][1], 0., 1e-14);
        EXPECT_NEAR(energy<dim>(*neo_hookean, simple_shear<dim>(g)),
                    0.5 * mu * g * g,
                    1e-14);

        // E_01 = g/2, E_11 = g^2/2.
        const auto P_k    = stress<dim>(*kirchhoff, simple_shear<dim>(g));
        const double S_11 = (0.5 * lambda + mu) * g * g, S_01 = mu * g,
                     S_00 = 0.5 * lambda * g * g;
        EXPECT_NEAR(P_k[0][0], S_00 + g * S_01, 1e-13);
        EXPECT_NEAR(P_k[0][1], S_01 + g * S_11, 1e-13);
        EXPECT_NEAR(P_k[1][0], S_01, 1e-13);
        EXPECT_NEAR(P_k[1][1], S_11, 1e-13);

        const auto P_l = stress<dim>(*linear, simple_shear<dim>(g));
        EXPECT_NEAR(P_l[0][1], mu * g, 1e-14);
        EXPECT_NEAR(P_l[1][0], mu * g, 1e-14);
        EXPECT_NEAR(P_l[0][0], 0., 1e-14);
      }
  }



  /** The bits of the results at one place of a batch. */
  template <int dim>
  std::vector<double>
  results_at(const Material<dim> &material,
             const Tensor<2, dim> &F,
             const unsigned int n_points,
             const unsigned int place,
             const bool with_energy)
  {
    std::vector<double> F_values(dim * dim * n_points), P(dim * dim * n_points),
      W(n_points);
    Random random(place);
    for (unsigned int p = 0; p < n_points; ++p)
      {
        const auto F_p = (p == place ? F : random_deformation<dim>(random));
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            F_values[(i * dim + j) * n_points + p] = F_p[i][j];
      }
    material.evaluate(n_points,
                      F_values.data(),
                      P.data(),
                      with_energy ? W.data() : nullptr);

    std::vector<double> result;
    for (unsigned int i = 0; i < dim * dim; ++i)
      result.push_back(P[i * n_points + place]);
    return result;
  }



  template <int dim>
  void
  check_independence_of_place(const std::string &law)
  {
    Random random(17);
    const auto material = make_material<dim>(law);
    for (unsigned int sample = 0; sample < 50; ++sample)
      {
        const auto F    = random_deformation<dim>(random);
        const auto here = results_at<dim>(*material, F, 8, 0, false);
        for (const unsigned int n : {8, 24, 64})
          for (unsigned int place = 0; place < n; place += 3)
            for (const bool with_energy : {false, true})
              EXPECT_EQ(results_at<dim>(*material, F, n, place, with_energy),
                        here)
                << law;
      }
  }
} // namespace



TEST_P(Laws, StressIsTheGradientOfTheEnergy)
{
  for (const std::string &law : laws)
    {
      check_derivatives<2>(law);
      check_derivatives<3>(law);
    }
}



TEST_P(Laws, NonlinearLawsAreObjectiveAndIsotropic)
{
  for (const std::string &law : nonlinear_laws)
    {
      check_objectivity_and_isotropy<2>(law);
      check_objectivity_and_isotropy<3>(law);
    }
}



TEST_P(Laws, SmallStrainsFollowHooke)
{
  for (const std::string &law : laws)
    {
      check_small_strains<2>(law);
      check_small_strains<3>(law);
    }
}



TEST_P(Laws, UniaxialStrainAndSimpleShearHaveTheirClosedForms)
{
  check_closed_forms<2>();
  check_closed_forms<3>();
}



TEST_P(Laws, ResultsDoNotDependOnThePlaceInABatchNorOnTheEnergy)
{
  for (const std::string &law : laws)
    {
      check_independence_of_place<2>(law);
      check_independence_of_place<3>(law);
    }
}



// The lateral stress of uniaxial strain is lambda ln(s) alone.
TEST_P(Laws, TheLogarithmIsAccurate)
{
  const auto material = make_material<2>("neo-Hookean",
                                         {{"Density", "1"},
                                          {"Lame lambda", "1"},
                                          {"Lame mu", "1e-300"}});

  std::vector<double> stretches;
  for (int exponent = -300; exponent <= 300; exponent += 3)
    for (const double factor : {1., 1.7, 4.1, 9.99})
      stretches.push_back(factor * std::pow(10., exponent));
  for (double s = 0.5; s < 2.; s += 0.00137)
    stretches.push_back(s);
  for (const double distance : {1e-16, 3e-15, 1e-12, 1e-8, 1e-4, 1e-2})
    {
      stretches.push_back(1. - distance);
      stretches.push_back(1. + distance);
    }
  for (const double s : {std::sqrt(0.5), std::sqrt(2.), 2., 0.5})
    for (const double neighbor : {0., s, 10.})
      stretches.push_back(std::nextafter(s, neighbor));

  const double epsilon = std::numeric_limits<double>::epsilon();
  for (const double s : stretches)
    {
      const double exact = std::log(static_cast<long double>(s));
      // The last product of the law, ln(s)/s * s, rounds twice more.
      EXPECT_NEAR(stress<2>(*material, uniaxial<2>(s))[1][1],
                  exact,
                  2.5 * epsilon * std::abs(exact))
        << "s = " << s;
    }
}



// The energy of a small strain is accurate relative to itself, not to the
// stiffness.
TEST_P(Laws, TheEnergyOfSmallStrainsIsAccurate)
{
  const auto material = make_material<3>("neo-Hookean");
  for (const double size : {1e-12, 1e-9, 1e-6, 1e-3})
    {
      Random random(19);
      for (unsigned int sample = 0; sample < 20; ++sample)
        {
          const auto F = identity<3>() + random.matrix<3>(size);
          const auto H = F - identity<3>();

          // The series of W in H up to the third order, as functions of the
          // exact first, second and third order parts of J - 1.
          long double trace_H = 0, square = 0, second = 0;
          for (unsigned int i = 0; i < 3; ++i)
            for (unsigned int j = 0; j < 3; ++j)
              {
                if (i == j)
                  trace_H += H[i][i];
                square += static_cast<long double>(H[i][j]) * H[i][j];
                second += 0.5L * (static_cast<long double>(H[i][i]) * H[j][j] -
                                  static_cast<long double>(H[i][j]) * H[j][i]);
              }
          const long double third = determinant(H);
          const long double j     = trace_H + second + third;
          const long double log_j = std::log1p(j);
          // j - log(1+j) by its series where the difference would cancel
          long double remainder = 0;
          for (int k = 30; k >= 2; --k)
            remainder += (k % 2 == 0 ? 1.L : -1.L) * std::pow(j, k) / k;
          const long double W =
            0.5L * test_lambda * log_j * log_j +
            test_mu * (0.5L * square - second - third + remainder);
          EXPECT_NEAR(energy<3>(*material, F), W, 2e-15 * W)
            << "strain " << size;
        }
    }
}



TEST_P(Laws, InversionGivesNaNWhereTheLawHasNoMeaning)
{
  const auto material = make_material<3>("neo-Hookean");
  for (const double s : {0., -1e-3, -1., -1e10})
    {
      const auto result = evaluate<3>(*material, {uniaxial<3>(s)})[0];
      EXPECT_TRUE(std::isnan(result.first[0][0])) << s;
      EXPECT_TRUE(std::isnan(result.second)) << s;
    }
  // The others go on, for the caller to decide.
  for (const std::string law :
       {"Saint Venant-Kirchhoff", "small-strain linear"})
    EXPECT_TRUE(std::isfinite(
      stress<3>(*make_material<3>(law), uniaxial<3>(-1.)).norm()));

  // Bad input stays visible.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::string &law : laws)
    EXPECT_TRUE(
      std::isnan(stress<3>(*make_material<3>(law), uniaxial<3>(nan))[0][0]));
}



INSTANTIATE_TEST_SUITE_P(InstructionSets,
                         Laws,
                         testing::ValuesIn(available_instruction_sets()),
                         [](const auto &info) { return name_of(info.param); });



TEST(InstructionSets, AgreeToRoundOff)
{
  Random random(23);
  for (const std::string &law : laws)
    for (unsigned int sample = 0; sample < 20; ++sample)
      {
        const auto F = random_deformation<3>(random);
        std::vector<std::pair<Tensor<2, 3>, double>> results;
        for (const InstructionSet set : available_instruction_sets())
          {
            setenv("RICOCHET_SIMD", name_of(set).c_str(), 1);
            results.push_back(evaluate<3>(*make_material<3>(law), {F})[0]);
          }
        for (const auto &result : results)
          {
            EXPECT_LT((result.first - results[0].first).norm(), 1e-13) << law;
            EXPECT_NEAR(result.second, results[0].second, 1e-13) << law;
          }
      }
  unsetenv("RICOCHET_SIMD");
}



TEST(InstructionSets, AnUnknownNameIsRefused)
{
  setenv("RICOCHET_SIMD", "mmx", 1);
  EXPECT_THROW(make_material<3>("neo-Hookean"), UserError);
  unsetenv("RICOCHET_SIMD");
}
