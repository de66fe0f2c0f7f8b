// SPDX-License-Identifier: LGPL-2.1-or-later

// The response "energy-momentum" for one slave and one facet against values
// from an independent implementation (energy_momentum_cases.json).

#include <ricochet/projection/energy_restoration.h>

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "case_file.h"
#include "free_nodes.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  void
  expect_near(const Tensor<1, 2> &value,
              const Tensor<1, 2> &expected,
              const double tolerance)
  {
    EXPECT_LE((value - expected).norm(), tolerance * expected.norm());
  }



  void
  check_root(const Tree &c)
  {
    const Tree &input = c.get_child("input"), &output = c.get_child("output");
    const double expected = output.get<double>("kappa");
    EXPECT_NEAR(energy_root(input.get<double>("A"),
                            input.get<double>("b"),
                            input.get<double>("c")),
                expected,
                c.get<double>("rtol") * std::abs(expected));
  }



  /** In the order of the cases the slave comes first. */
  std::vector<Tensor<1, 2>>
  slave_last(const Tree &tree)
  {
    const auto x = rows<2>(tree);
    return {x[1], x[2], x[0]};
  }



  /** The response, in a step from the case's start. */
  void
  check_step(const Tree &c)
  {
    const Tree &input = c.get_child("input"), &output = c.get_child("output");
    const double tolerance = c.get<double>("rtol");
    const auto m           = numbers_in(input.get_child("mass"));
    FreeNodes<2> model({{{0, 1}}},
                       slave_last(input.get_child("X_n")),
                       slave_last(input.get_child("v_n")),
                       {m[1], m[2], m[0]},
                       {input.get<double>("w")},
                       input.get<double>("dt"));
    model.create({{"Normal penalty", input.get<std::string>("epsN")},
                  {"Tangential penalty", input.get<std::string>("epsT")}});
    model.settings.friction = input.get<double>("mu");

    const auto norms = model.solve();
    // Quadratic convergence, down to round-off.
    ASSERT_GE(norms.size(), 2u);
    EXPECT_LE(norms.size(), 10u);
    const double t_N       = output.get<double>("tN");
    const double round_off = 1e-12 * t_N;
    const double scale     = norms[0];
    for (unsigned int i = 0; i + 1 < norms.size(); ++i)
      {
        const double share = norms[i] / scale;
        if (share < 1e-3)
          {
            EXPECT_LE(norms[i + 1], 10. * share * share * scale + round_off);
          }
      }

    const auto x = slave_last(output.get_child("X_n1"));
    const auto v = slave_last(output.get_child("v_before_update"));
    for (unsigned int i = 0; i < 3; ++i)
      {
        expect_near(Tensor<1, 2>(model.state.end_positions[i]),
                    x[i],
                    tolerance);
        expect_near(model.state.velocities[i], v[i], tolerance);
      }
    const auto forces = model.forces();

    model.accept();
    const auto v_1 = slave_last(output.get_child("v_n1"));
    const double w = input.get<double>("w"), dt = model.state.dt;
    const auto &t = model.state.record;
    for (unsigned int i = 0; i < 3; ++i)
      expect_near(model.state.velocities[i], v_1[i], tolerance);
    EXPECT_NEAR(model.state.normal_impulses[2],
                w * t_N * (dt + output.get<double>("kappa")),
                tolerance * w * t_N * dt);
    EXPECT_NEAR(t.friction_loss,
                output.get<double>("dissipation_dt_w_D"),
                tolerance * model.kinetic_energy(v_1));
    EXPECT_NEAR(-t.min_gap, output.get<double>("g_n1"), tolerance);
    EXPECT_EQ(model.state.status[2],
              input.get<double>("mu") == 0. || output.get<bool>("slip")
                ? ContactStatus::slip
                : ContactStatus::stick);
    // The traction along the facet, from its covariant component.
    const Tensor<1, 2> along =
      0.5 * (model.state.start_positions[1] + model.state.end_positions[1] -
             (model.state.start_positions[0] + model.state.end_positions[0]));
    EXPECT_NEAR(-(forces[2] * along) / w,
                output.get<double>("tT_cov"),
                tolerance * t_N);
  }
} // namespace



TEST(EnergyMomentumCases, AgreeWithIndependentImplementation)
{
  Tree tree;
  boost::property_tree::read_json(RICOCHET_TEST_DIR
                                  "/energy_momentum_cases.json",
                                  tree);
  unsigned int n_roots = 0, n_steps = 0;
  for (const auto &child : tree.get_child("cases"))
    {
      const Tree &c = child.second;
      SCOPED_TRACE(c.get<std::string>("id"));
      if (c.get<std::string>("kind") == "ll_root")
        {
          check_root(c);
          ++n_roots;
        }
      else
        {
          check_step(c);
          ++n_steps;
        }
    }
  EXPECT_EQ(n_roots, 5u);
  EXPECT_EQ(n_steps, 4u);
}
