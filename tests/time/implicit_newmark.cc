// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>

#include <cmath>
#include <gtest/gtest.h>

#include "run.h"

using namespace Ricochet;
using dealii::Point;

namespace
{
  const double length = 4., height = 1.;

  /** A bar of cells that can only stretch; one end is held. */
  std::unique_ptr<ExplicitRun<2>>
  bar(const std::vector<std::pair<std::string, std::string>> &entries)
  {
    auto run = std::make_unique<ExplicitRun<2>>(
      std::vector<std::string>{bricks("8, 1", "0, 0", "4, 1") +
                               "subsection Prescribed motion\n"
                               "  subsection end\n"
                               "    set Boundary ids = 0\n"
                               "  end\n"
                               "  subsection sides\n"
                               "    set Boundary ids = 2, 3\n"
                               "    set Components = y\n"
                               "  end\n"
                               "end\n" +
                               material("small-strain linear", 25., 0.)},
      MassKind::lumped,
      std::vector<std::string>{"end", "sides"},
      ExplicitRun<2>::ContactEntries(),
      false,
      1,
      "implicit Newmark");
    dealii::ParameterHandler prm;
    for (const std::string name : {"alpha", "beta", "gamma"})
      prm.declare_entry(name, name == "alpha" ? "0" : "-1");
    for (const auto &entry : entries)
      prm.set(entry.first, entry.second);
    run->integrator->parse_parameters(prm);
    return run;
  }



  /** Its lowest frequency: that of springs k and masses m of which the last has
   * half, omega = 2 sqrt(k/m) sin(pi / (4 n)). */
  double
  lowest_frequency()
  {
    const double h = length / 8., k = 25. * height / h, m = h * height;
    return 2. * std::sqrt(k / m) * std::sin(M_PI / 32.);
  }



  void
  set_lowest_mode(ExplicitRun<2> &run)
  {
    run.for_each_node([&](const Point<2> &x, const unsigned int i) {
      run.state.velocities[0].local_element(i) =
        0.01 * std::sin(M_PI / 2. * x[0] / length);
    });
  }
} // namespace



// With beta = 1/4 the frequency is that of tan(omega dt/2) = omega_0 dt/2, and
// the energy of linear bodies stays.
TEST(ImplicitNewmark, HasTheFrequencyOfTheTrapezoidalRule)
{
  const auto bar_at_rest = bar({});
  auto &run              = *bar_at_rest;
  const double dt        = 0.1 / lowest_frequency();
  set_lowest_mode(run);
  run.start(dt);
  const double energy        = run.sums().kinetic_energy;
  const double omega         = 2. / dt * std::atan(0.05);
  const unsigned int n_steps = 100;
  for (unsigned int n = 0; n < n_steps; ++n)
    {
      run.step(dt);
      const auto now = run.sums();
      EXPECT_NEAR(now.kinetic_energy,
                  energy * std::pow(std::cos(omega * run.state.time), 2),
                  1e-9 * energy);
      EXPECT_NEAR(now.kinetic_energy + now.internal_energy,
                  energy,
                  1e-10 * energy);
    }
}



// The spectral radius of alpha = -1/3 at long steps is 1/2, and near 1 at short
// ones.
TEST(ImplicitNewmark, AlphaDampsTheShortWavesOnly)
{
  const auto energy_left = [](const double steps_per_radian) {
    const auto bar_at_rest = bar({{"alpha", "-0.3333333"}});
    auto &run              = *bar_at_rest;
    const double dt        = 1. / (steps_per_radian * lowest_frequency());
    set_lowest_mode(run);
    run.start(dt);
    const double before = run.sums().kinetic_energy;
    for (unsigned int n = 0; n < 20; ++n)
      run.step(dt);
    const auto now = run.sums();
    return (now.kinetic_energy + now.internal_energy) / before;
  };
  EXPECT_GT(energy_left(50.), 0.99);
  EXPECT_LT(energy_left(0.01), 1e-3);
}



TEST(ImplicitNewmark, RefusesUnstableNumbers)
{
  for (const auto &entries :
       {std::vector<std::pair<std::string, std::string>>{{"beta", "0"}},
        {{"beta", "0.1"}, {"gamma", "0.5"}},
        {{"gamma", "0.4"}}})
    EXPECT_NE(error_of([&]() { bar(entries); }).find("implicit Newmark"),
              std::string::npos);
}
