// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>

#include <algorithm>
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <sstream>

#include "make_material.h"

using namespace Ricochet;

namespace
{
  using Entries = std::vector<std::pair<std::string, std::string>>;

  const std::vector<std::string> laws = {"neo-Hookean",
                                         "Saint Venant-Kirchhoff",
                                         "small-strain linear"};



  /** The message of the UserError that parsing @p entries throws, or "". */
  std::string
  message_for(const Entries &entries)
  {
    try
      {
        make_material<3>("neo-Hookean", entries);
      }
    catch (const UserError &error)
      {
        return error.what();
      }
    return "";
  }



  void
  expect_message(const Entries &entries, const std::vector<std::string> &parts)
  {
    const std::string message = message_for(entries);
    for (const std::string &part : parts)
      EXPECT_NE(message.find(part), std::string::npos)
        << "'" << part << "' is not in '" << message << "'";
  }
} // namespace



TEST(MaterialParameters, TheLawsAreRegistered)
{
  for (const std::string &law : laws)
    {
      EXPECT_EQ(Registry<Material<2>>::entries().count(law), 1U) << law;
      EXPECT_EQ(Registry<Material<3>>::entries().count(law), 1U) << law;
    }
  EXPECT_THROW(Registry<Material<3>>::create("Hookean"), UserError);
}



TEST(MaterialParameters, EveryDescriptionStatesTheUnits)
{
  for (const auto &law : Registry<Material<3>>::entries())
    {
      dealii::ParameterHandler prm;
      law.second.declare_parameters(prm);
      std::ostringstream text;
      prm.print_parameters(text, dealii::ParameterHandler::JSON);

      std::istringstream input(text.str());
      boost::property_tree::ptree tree;
      boost::property_tree::read_json(input, tree);
      EXPECT_GE(tree.size(), 3U);
      for (const auto &entry : tree)
        EXPECT_NE(entry.second.get<std::string>("documentation").find("Units:"),
                  std::string::npos)
          << law.first << ": " << entry.first;
    }
}



// E = 210 and nu = 0.3 have lambda = 121.1538..., mu = 80.7692...; the wave
// speed tells lambda + 2 mu, a simple shear tells mu.
TEST(MaterialParameters, BothPairsOfConstantsMeanTheSame)
{
  for (const std::string &law : laws)
    {
      const auto engineering = make_material<3>(law,
                                                {{"Density", "0.5"},
                                                 {"Young's modulus", "210"},
                                                 {"Poisson's ratio", "0.3"}});
      const auto lame        = make_material<3>(law,
                                         {{"Density", "0.5"},
                                                 {"Lame lambda", "121.15384615384616"},
                                                 {"Lame mu", "80.769230769230766"}});
      EXPECT_EQ(engineering->density(), 0.5);
      const double speed =
        std::sqrt(210. * (1. - 0.3) / ((1. + 0.3) * (1. - 2. * 0.3)) / 0.5);
      EXPECT_NEAR(engineering->wave_speed(), speed, 1e-14 * speed);
      EXPECT_NEAR(lame->wave_speed(), speed, 1e-14 * speed);

      for (const auto *material : {engineering.get(), lame.get()})
        {
          double F[9 * 8] = {}, A[81 * 8];
          for (const unsigned int diagonal : {0, 4, 8})
            std::fill_n(F + 8 * diagonal, 8, 1.);
          material->tangent_step(8, 0., F, nullptr, A);
          // dP_01/dF_01 and dP_00/dF_11
          EXPECT_NEAR(A[(1 * 9 + 1) * 8], 210. / 2.6, 1e-12);
          EXPECT_NEAR(A[(0 * 9 + 4) * 8], 210. * 0.3 / (1.3 * 0.4), 1e-12);
        }
    }
}



TEST(MaterialParameters, AuxeticAndZeroPoissonRatiosAreAccepted)
{
  for (const std::string nu : {"-0.9", "0", "0.499"})
    EXPECT_NO_THROW(make_material<2>(
      "neo-Hookean",
      {{"Density", "1"}, {"Young's modulus", "1"}, {"Poisson's ratio", nu}}));
  EXPECT_NO_THROW(make_material<2>(
    "neo-Hookean",
    {{"Density", "1"}, {"Lame lambda", "0"}, {"Lame mu", "1"}}));
}



TEST(MaterialParameters, ImpossibleValuesAreRefusedWithARemedy)
{
  for (const std::string nu : {"0.5", "0.7"})
    expect_message({{"Density", "1"},
                    {"Young's modulus", "1"},
                    {"Poisson's ratio", nu}},
                   {"Poisson's ratio", nu, "0.49"});
  for (const std::string nu : {"-1", "-2"})
    expect_message({{"Density", "1"},
                    {"Young's modulus", "1"},
                    {"Poisson's ratio", nu}},
                   {"Poisson's ratio", nu, "(-1, 0.5)"});
  for (const std::string E : {"0", "-3"})
    expect_message({{"Density", "1"},
                    {"Young's modulus", E},
                    {"Poisson's ratio", "0.3"}},
                   {"Young's modulus", E, "larger than 0"});
  for (const std::string density : {"0", "-7.5"})
    expect_message({{"Density", density},
                    {"Young's modulus", "1"},
                    {"Poisson's ratio", "0.3"}},
                   {"Density", density, "larger than 0"});
  expect_message({{"Density", "1"}, {"Lame lambda", "1"}, {"Lame mu", "0"}},
                 {"Lame mu", "larger than 0"});
  expect_message({{"Density", "1"}, {"Lame lambda", "-1"}, {"Lame mu", "1.5"}},
                 {"Lame lambda", "-1", "-2/3"});
}



TEST(MaterialParameters, IncompleteOrDoubleSetsAreRefused)
{
  expect_message({{"Young's modulus", "1"}, {"Poisson's ratio", "0.3"}},
                 {"Density", "missing"});
  expect_message({{"Density", "1"}},
                 {"Young's modulus", "Poisson's ratio", "Lame mu"});
  expect_message({{"Density", "1"}, {"Young's modulus", "4"}},
                 {"'Young's modulus' = 4", "'Poisson's ratio'"});
  expect_message({{"Density", "1"}, {"Lame mu", "4"}},
                 {"'Lame mu' = 4", "'Lame lambda'"});
  expect_message({{"Density", "1"},
                  {"Young's modulus", "4"},
                  {"Poisson's ratio", "0.25"},
                  {"Lame mu", "4"}},
                 {"two ways", "'Young's modulus' = 4", "'Lame mu' = 4"});
}
