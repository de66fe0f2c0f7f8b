// SPDX-License-Identifier: LGPL-2.1-or-later

// Tangents against central differences of the stress at the end of a step, from
// random states that different steps have led to.

#include <ricochet/base/instruction_set.h>

#include <deal.II/base/symmetric_tensor.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>

#include "../random.h"
#include "make_material.h"
#include "metals.h"

using namespace Ricochet;
using dealii::Tensor;

namespace
{
  constexpr unsigned int n_points = 24;



  /** A batch of points, each with a deformation and a history of its own. */
  template <int dim>
  class Batch
  {
  public:
    Batch(const Material<dim> &material, const unsigned int seed)
      : random(seed)
      , material(material)
      , F(dim * dim * n_points)
    {
      for (const double value : material.history().initial_values())
        history.insert(history.end(), n_points, value);
      deform();
    }

    /** Take another random F at all points. */
    void
    deform()
    {
      for (unsigned int p = 0; p < n_points; ++p)
        {
          Tensor<2, dim> F_p;
          do
            F_p =
              dealii::unit_symmetric_tensor<dim>() + random.matrix<dim>(0.3);
          while (determinant(F_p) < 0.4);
          for (unsigned int i = 0; i < dim * dim; ++i)
            F[i * n_points + p] = F_p[i / dim][i % dim];
        }
    }

    std::vector<double>
    stress(const double dt)
    {
      std::vector<double> P(F.size()), W(n_points);
      next.resize(history.size());
      material.evaluate_step(n_points,
                             dt,
                             F.data(),
                             history.data(),
                             next.data(),
                             P.data(),
                             W.data());
      return P;
    }

    /** Accept the step to the present F. */
    void
    step(const double dt)
    {
      stress(dt);
      history = next;
    }

    std::vector<double>
    tangent(const double dt) const
    {
      std::vector<double> A(dim * dim * F.size(), 1e300);
      material.tangent_step(n_points, dt, F.data(), history.data(), A.data());
      return A;
    }

    /** The same by differences of the stress. */
    std::vector<double>
    differences(const double dt)
    {
      constexpr double h = 1e-6;
      std::vector<double> A(dim * dim * F.size());
      for (unsigned int kl = 0; kl < dim * dim; ++kl)
        {
          const auto shift = [&](const double size) {
            for (unsigned int p = 0; p < n_points; ++p)
              F[kl * n_points + p] += size;
          };
          const auto original = F;
          shift(h);
          const auto plus = stress(dt);
          F               = original;
          shift(-h);
          const auto minus = stress(dt);
          F                = original;
          for (unsigned int ij = 0; ij < dim * dim; ++ij)
            for (unsigned int p = 0; p < n_points; ++p)
              A[(ij * dim * dim + kl) * n_points + p] =
                (plus[ij * n_points + p] - minus[ij * n_points + p]) / (2. * h);
        }
      return A;
    }

    Random random;

  private:
    const Material<dim> &material;
    std::vector<double> F, history, next;
  };



  /** Of all components at a point. */
  double
  norm_at(const std::vector<double> &A, const unsigned int p)
  {
    double sum = 0.;
    for (unsigned int i = p; i < A.size(); i += n_points)
      sum += A[i] * A[i];
    return std::sqrt(sum);
  }



  template <int dim>
  void
  check(const Material<dim> &material, const std::string &name)
  {
    ASSERT_TRUE(material.has_tangent()) << name;
    for (unsigned int n_steps = 0; n_steps < 3; ++n_steps)
      for (const double dt : {0., 1e-3, 0.7})
        {
          Batch<dim> batch(material, 10 * n_steps + 1);
          for (unsigned int n = 0; n < n_steps; ++n)
            {
              batch.step(0.3);
              batch.deform();
            }
          const auto A = batch.tangent(dt);
          auto error   = batch.differences(dt);
          for (unsigned int i = 0; i < A.size(); ++i)
            error[i] -= A[i];
          for (unsigned int p = 0; p < n_points; ++p)
            EXPECT_LE(norm_at(error, p), 2e-8 * norm_at(A, p))
              << name << " in " << dim << "D after " << n_steps
              << " steps, dt = " << dt;
        }
  }



  /** A law that says no more of itself than it must. */
  class PressureOnly : public Material<3>
  {
  public:
    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

    void
    evaluate(const unsigned int n,
             const double *,
             double *P,
             double *W) const override
    {
      std::fill_n(P, 9 * n, 1.);
      if (W != nullptr)
        std::fill_n(W, n, 0.);
    }

    double
    density() const override
    {
      return 1.;
    }

    double
    wave_speed() const override
    {
      return 1.;
    }
  };



  template <int dim>
  std::set<std::string>
  laws_with_tangent()
  {
    std::set<std::string> names;
    for (const auto &law : Registry<Material<dim>>::entries())
      if (sample_of<dim>(law.first)->has_tangent())
        names.insert(law.first);
    return names;
  }
} // namespace



TEST(Tangents, AreDerivativesOfTheStressAtTheEndOfAStep)
{
  for (const InstructionSet set : available_instruction_sets())
    {
      setenv("RICOCHET_SIMD", name_of(set).c_str(), 1);
      for (const std::string &name : laws_with_tangent<3>())
        {
          check(*sample_of<2>(name), name);
          check(*sample_of<3>(name), name);
        }
    }
  unsetenv("RICOCHET_SIMD");
  check(*make_material<3>("viscous fluid",
                          {{"Density", "1"},
                           {"Bulk modulus", "5"},
                           {"Viscosity", "0.3"},
                           {"Cavitation", "true"}}),
        "cavitating fluid");
  for (const auto &entries : {Metals::voce, Metals::johnson_cook})
    {
      check(*make_material<2>("J2 plasticity", entries), "metal");
      check(*make_material<3>("J2 plasticity", entries), "metal");
    }
  // Without damping there is no history.
  check(*make_material<3>("Kelvin-Voigt"), "undamped solid");
}



TEST(Tangents, AreThereForTheseLawsAndRefusedByOthers)
{
  const std::set<std::string> expected = {"J2 plasticity",
                                          "Kelvin-Voigt",
                                          "Saint Venant-Kirchhoff",
                                          "neo-Hookean",
                                          "small-strain linear",
                                          "viscous fluid"};
  EXPECT_EQ(laws_with_tangent<2>(), expected);
  EXPECT_EQ(laws_with_tangent<3>(), expected);

  const PressureOnly law;
  EXPECT_FALSE(law.has_tangent());
  EXPECT_THROW(Batch<3>(law, 1).tangent(0.1), dealii::ExceptionBase);
}



// The viscous part must not be forgotten: it is most of the stiffness in short
// steps.
TEST(Tangents, OfKelvinAndVoigtIsNotTheElasticOne)
{
  const auto damped  = sample_of<3>("Kelvin-Voigt"),
             elastic = make_material<3>("neo-Hookean");
  const auto A       = Batch<3>(*damped, 1).tangent(1e-3),
             B       = Batch<3>(*elastic, 1).tangent(1e-3);
  for (unsigned int p = 0; p < n_points; ++p)
    EXPECT_GT(norm_at(A, p), 100. * norm_at(B, p));
}



TEST(Tangents, OfInvertedPointsHaveNoMeaning)
{
  for (const std::string name :
       {"neo-Hookean", "Kelvin-Voigt", "viscous fluid", "J2 plasticity"})
    for (const double dt : {0., 0.1})
      for (const double J : {0., -0.5, -1e10})
        {
          const auto material = sample_of<3>(name);
          std::vector<double> F(9 * 8, 0.), A(81 * 8), history;
          for (const double value : material->history().initial_values())
            history.insert(history.end(), 8, value);
          for (const unsigned int diagonal : {0, 4, 8})
            std::fill_n(F.begin() + 8 * diagonal, 8, diagonal == 0 ? J : 1.);
          material->tangent_step(8, dt, F.data(), history.data(), A.data());
          EXPECT_TRUE(std::isnan(A[0])) << name << ", det F = " << J;
        }
}
