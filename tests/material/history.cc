// SPDX-License-Identifier: LGPL-2.1-or-later

// What laws say about their histories, and whether they keep to it.

#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <cmath>
#include <gtest/gtest.h>

#include "../random.h"
#include "make_material.h"
#include "material_point.h"

using namespace Ricochet;
using dealii::Tensor;

namespace
{
  /** Names, components and transfers of all variables. */
  using Summary =
    std::vector<std::tuple<std::string, unsigned int, Transfer, bool>>;

  Summary
  summary_of(const MaterialHistory &history)
  {
    Summary result;
    for (const auto &variable : history.variables())
      result.emplace_back(variable.name,
                          variable.initial_values.size(),
                          variable.transfer,
                          variable.is_output);
    return result;
  }



  template <int dim>
  void
  check_descriptions()
  {
    for (const std::string law :
         {"neo-Hookean", "Saint Venant-Kirchhoff", "small-strain linear"})
      {
        const auto material = sample_of<dim>(law);
        EXPECT_TRUE(material->history().empty());
        EXPECT_EQ(material->history().size(), 0U);
        EXPECT_EQ(material->history().dissipation(), Dissipation::none);
      }

    const unsigned int n_symmetric = dim == 2 ? 3 : 6;
    const Summary viscous          = {
               {"dissipated_energy", 1, Transfer::mean, false},
               {"deformation_gradient",
                dim * dim,
                Transfer::deformation_gradient,
                false},
               {"viscous_stress", n_symmetric, Transfer::mean, false}};
    for (const std::string law : {"Kelvin-Voigt", "viscous fluid"})
      {
        const auto material = sample_of<dim>(law);
        EXPECT_EQ(summary_of(material->history()), viscous) << law;
        EXPECT_EQ(material->history().dissipation(), Dissipation::viscous);
        EXPECT_EQ(material->history().size(), 1 + dim * dim + n_symmetric);
      }

    const auto metal = sample_of<dim>("J2 plasticity");
    // In the plane the metric has an entry in the third direction.
    const unsigned int n_metric = dim == 2 ? 4 : 6;
    const Summary plastic       = {
            {"dissipated_energy", 1, Transfer::mean, false},
            {"plastic_strain", 1, Transfer::mean, true},
            {"temperature", 1, Transfer::mean, true},
            {"inverse_plastic_metric", n_metric, Transfer::logarithmic_mean, false}};
    const MaterialHistory &history = metal->history();
    EXPECT_EQ(summary_of(history), plastic);
    EXPECT_EQ(history.dissipation(), Dissipation::plastic);
    EXPECT_EQ(history.output_component("plastic_strain"), 1U);
    EXPECT_EQ(history.output_component("temperature"), 2U);
    EXPECT_EQ(history.output_component("dissipated_energy"), history.size());
    EXPECT_EQ(history.begin_of(3), 3U);
    EXPECT_EQ(history.initial_values()[2], 293.);
  }



  template <int dim>
  void
  check_start(const std::string &law)
  {
    const auto material = sample_of<dim>(law);
    MaterialPoint<dim> point(*material);
    const Tensor<2, dim> one = dealii::unit_symmetric_tensor<dim>();
    for (const double dt : {0., 0.1})
      {
        EXPECT_EQ(point.step(one, dt).norm(), 0.) << law;
        for (unsigned int k = 0; k < material->history().size(); ++k)
          EXPECT_EQ(point.stored(k), material->history().initial_values()[k])
            << law << ", component " << k;
      }
  }



  /** The symmetric tensor that a logarithmic mean expects, in space. */
  Tensor<2, 3>
  tensor_of(const std::vector<double> &values)
  {
    Tensor<2, 3> result;
    const unsigned int n_rows = values.size() == 6 ? 3 : 2;
    for (unsigned int i = 0, k = 0; i < n_rows; ++i)
      for (unsigned int j = i; j < n_rows; ++j, ++k)
        result[i][j] = result[j][i] = values[k];
    if (n_rows == 2)
      result[2][2] = values.size() == 4 ? values[3] : 1.;
    return result;
  }



  template <int dim>
  void
  check_variables(const std::string &law)
  {
    Random random(3);
    const auto material            = sample_of<dim>(law);
    const MaterialHistory &history = material->history();
    MaterialPoint<dim> point(*material);
    double loss = 0.;
    for (unsigned int n = 0; n < 20; ++n)
      {
        Tensor<2, dim> F = dealii::unit_symmetric_tensor<dim>();
        F += random.matrix<dim>(0.4);
        if (determinant(F) < 0.3)
          continue;
        point.step(F, 0.1);
        // Viscous stresses at the two ends of a step may have different signs.
        if (history.dissipation() == Dissipation::plastic)
          {
            EXPECT_GE(point.stored(MaterialHistory::dissipated_energy), loss);
            loss = point.stored(MaterialHistory::dissipated_energy);
          }
        for (unsigned int v = 0; v < history.variables().size(); ++v)
          {
            const HistoryVariable &variable = history.variables()[v];
            std::vector<double> values;
            for (unsigned int c = 0; c < variable.initial_values.size(); ++c)
              values.push_back(point.stored(history.begin_of(v) + c));
            if (variable.transfer == Transfer::deformation_gradient)
              {
                for (unsigned int i = 0; i < dim * dim; ++i)
                  EXPECT_EQ(values[i], F[i / dim][i % dim]) << law;
              }
            if (variable.transfer == Transfer::logarithmic_mean)
              {
                const Tensor<2, 3> C = tensor_of(values);
                EXPECT_GT(C[0][0], 0.);
                EXPECT_GT(C[0][0] * C[1][1] - C[0][1] * C[0][1], 0.);
                EXPECT_NEAR(determinant(C), 1., 1e-10);
              }
          }
      }
    if (history.dissipation() == Dissipation::plastic)
      {
        EXPECT_GT(loss, 1.);
      }
  }
} // namespace



TEST(History, IsDescribedByTheLaws)
{
  check_descriptions<2>();
  check_descriptions<3>();
}



TEST(History, AtRestStaysAsDescribed)
{
  for (const auto &law : Registry<Material<3>>::entries())
    {
      check_start<2>(law.first);
      check_start<3>(law.first);
    }
}



TEST(History, VariablesAreWhatTheirTransferSays)
{
  for (const auto &law : Registry<Material<3>>::entries())
    {
      check_variables<2>(law.first);
      check_variables<3>(law.first);
    }
}



TEST(History, DescriptionsThatDoNotFitAreRefused)
{
  using Variables    = std::vector<HistoryVariable>;
  const auto refused = [](const Variables &variables) {
    EXPECT_THROW(MaterialHistory(Dissipation::plastic, variables),
                 dealii::ExceptionBase);
  };
  refused({{"a", {}, Transfer::mean}});
  refused({{"a", {0., 0.}, Transfer::mean, true}});
  refused({{"a", {1., 0.}, Transfer::logarithmic_mean}});
  refused({{"a", {1., 0., 0., 1., 0., 1.}, Transfer::deformation_gradient}});
  refused({{"a", {0.}, Transfer::mean}, {"a", {0.}, Transfer::nearest}});
  refused({{"dissipated_energy", {0.}, Transfer::mean}});
  EXPECT_THROW(MaterialHistory(Dissipation::none, {}), dealii::ExceptionBase);

  const MaterialHistory history(Dissipation::viscous,
                                {{"a", {1., 2.}, Transfer::nearest},
                                 {"b", {3.}, Transfer::mean, true}});
  EXPECT_EQ(history.initial_values(), std::vector<double>({0., 1., 2., 3.}));
  EXPECT_EQ(history.output_component("b"), 3U);
  EXPECT_EQ(history.output_component("a"), 4U);
}
