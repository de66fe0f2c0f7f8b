// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/time/step_size.h>

#include <cmath>
#include <gtest/gtest.h>

#include "run.h"

using namespace Ricochet;

namespace
{
  StepSize<2>
  step_size(const std::vector<std::pair<std::string, std::string>> &entries)
  {
    dealii::ParameterHandler prm;
    StepSize<2>::declare_parameters(prm);
    for (const auto &entry : entries)
      prm.set(entry.first, entry.second);
    StepSize<2> result;
    result.parse_parameters(prm);
    return result;
  }



  /** A square of cells with the side h = 1/4. */
  ExplicitRun<2>
  square(const MassKind mass_kind)
  {
    return ExplicitRun<2>({bricks("4, 4", "0, 0", "1, 1") +
                           material("small-strain linear", 4., 0.)},
                          mass_kind);
  }



  /**
   * The stable step of a square cell of side h, shear modulus G and without
   * Poisson's effect, E = 2 G. Its stiffest modes are the bending ones, e.g.
   * u = (xy, 0) on [-1,1]^2, and the strains, e.g. u = (x, 0), (y, x).
   * Lumped mass rho h^2/4 per node. Energies, with the strains e = 2/h times
   * derivatives in [-1,1]:
   *   stretch (x,0):  e_xx = 2/h:           omega^2 = E e^2 h^2 / (rho h^2)
   *                                                 = 4 E / (rho h^2)
   *   shear (y,x):    gamma = 4/h, G gamma^2 h^2 / (2 rho h^2)
   *                                                 = 8 G / (rho h^2)
   *                                                 = 4 E / (rho h^2)
   *   bending (xy,0): e_xx = 2y/h, gamma = 2x/h, the mean of x^2 being 1/3
   *                                omega^2 = 4 (E + G) / 3 / (rho h^2)
   *                                        = 2 E / (rho h^2)
   * so 2/omega = h sqrt(rho/E). With the consistent mass, rho h^2/3 times the
   * mean square of stretch and shear, rho h^2/9 of bending, i.e. lower by 3
   * and 9:  12 E and 18 E / (rho h^2).
   */
  constexpr double lumped_step = 0.25 / 2.;
} // namespace



TEST(StepSize, IsTheCourantNumberTimesTheStableStep)
{
  auto run          = square(MassKind::lumped);
  auto steps        = step_size({{"Courant number", "0.5"}});
  const double step = steps.next(*run.integrator, run.solids, run.state, 10.);
  EXPECT_EQ(steps.stable_step(), run.solids.stable_time_step(run.state));
  // A whole number of steps leads to the end.
  EXPECT_LE(step, 0.5 * steps.stable_step());
  EXPECT_GE(step, 0.99 * 0.5 * steps.stable_step());
  EXPECT_NEAR(std::round(10. / step) * step, 10., 1e-12);
  EXPECT_LE(steps.stable_step(), lumped_step * (1. + 1e-12));
  EXPECT_GE(steps.stable_step(), 0.98 * lumped_step);
}



TEST(StepSize, IsSafeForAConsistentMass)
{
  auto run           = square(MassKind::consistent);
  const double limit = 2. / std::sqrt(18. * 4. / 0.0625);
  const double step  = run.solids.stable_time_step(run.state);
  EXPECT_LE(step, limit);
  EXPECT_GE(step, 0.6 * limit);
}



TEST(StepSize, EndsAtTheEnd)
{
  auto run         = square(MassKind::lumped);
  auto steps       = step_size({{"Time step", "0.01"}});
  run.state.time   = 0.;
  unsigned int n   = 0;
  const double end = 0.055;
  while (!steps.is_finished(run.state, end))
    {
      run.state.time += steps.next(*run.integrator, run.solids, run.state, end);
      ++run.state.step;
      ++n;
    }
  EXPECT_EQ(n, 6u);
  EXPECT_NEAR(run.state.time, end, 1e-16);

  // 0.1 is not a multiple of 0.01 in binary numbers.
  run.state.time = 0.;
  for (n = 0; !steps.is_finished(run.state, 0.1); ++n)
    run.state.time += steps.next(*run.integrator, run.solids, run.state, 0.1);
  EXPECT_EQ(n, 10u);
}



/** A step that follows each estimate would change the energy that it keeps. */
TEST(StepSize, ChangesSeldom)
{
  ExplicitRun<2> run({bricks("1, 1", "0, 0", "1, 1") +
                      material("neo-Hookean", 4., 0.)},
                     MassKind::lumped);
  auto steps =
    step_size({{"Courant number", "0.5"}, {"Steps between estimates", "1"}});
  const double end   = 1e6;
  const auto next_at = [&](const double height) {
    run.for_each_node([&](const dealii::Point<2> &x, const unsigned int i) {
      run.state.positions[0].local_element(i + 1) = height * x[1];
    });
    run.state.positions[0].update_ghost_values();
    ++run.state.step;
    return steps.next(*run.integrator, run.solids, run.state, end);
  };
  const double first = next_at(1.);
  for (const double height : {0.98, 1.1, 0.99, 1.05, 1.})
    EXPECT_NEAR(next_at(height), first, 1e-6 * first);
  // Shorter at once, longer by and by.
  const double shorter = next_at(0.5);
  EXPECT_NEAR(shorter, 0.5 * steps.stable_step(), 1e-6 * shorter);
  double last = shorter;
  for (unsigned int n = 0; n < 200; ++n)
    {
      const double step = next_at(1.);
      EXPECT_LE(step, 1.011 * last);
      last = step;
    }
  EXPECT_NEAR(last, first, 1e-6 * first);
}



namespace
{
  /** Explicit Newmark, whose estimates are all exact. */
  template <int dim>
  class Exact : public TimeIntegrator<dim>
  {
  public:
    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

    void
    initialize(const Solids<dim> &, State &, const double) override
    {}

    StepTaken
    step(const Solids<dim> &,
         Contact<dim> &,
         State &,
         const double,
         const bool,
         Balance &) override
    {
      return {};
    }

    bool
    takes_contact_forces() const override
    {
      return false;
    }

    double
    stable_step(const Solids<dim> &solids, const State &state) const override
    {
      return solids.stable_time_step(state);
    }
  };
} // namespace



/** What is not looked at closely must not matter, not even to the last bit. */
TEST(StepSize, IsTheSameWithAndWithoutExactEstimates)
{
  for (const std::string fixed : {"0", "0.02"})
    {
      ExplicitRun<2> run({bricks("8, 8", "0, 0", "1, 1") +
                          material("neo-Hookean", 4., 0.3)},
                         MassKind::lumped),
        other({bricks("8, 8", "0, 0", "1, 1") +
               material("neo-Hookean", 4., 0.3)},
              MassKind::lumped);
      const std::vector<std::pair<std::string, std::string>> entries = {
        {"Courant number", "0.5"},
        {"Steps between estimates", "3"},
        {"Time step", fixed}};
      auto steps = step_size(entries), exact = step_size(entries);
      const Exact<2> exact_integrator;
      unsigned int n_lengths = 0, n_not_exact = 0;
      double last = 0.;
      for (unsigned int n = 0; n < 600; ++n)
        {
          // Waves that grow and fade away.
          const double size = 0.15 * std::pow(std::sin(0.01 * n), 2);
          for (auto *const r : {&run, &other})
            {
              r->for_each_node(
                [&](const dealii::Point<2> &x, const unsigned int i) {
                  r->state.positions[0].local_element(i) =
                    x[0] + size * std::sin(3. * x[1] + 0.1 * n) * x[0];
                  r->state.positions[0].local_element(i + 1) =
                    x[1] + size * std::sin(4. * x[0] - 0.07 * n) * x[1];
                });
              r->state.positions[0].update_ghost_values();
              r->state.step = n;
            }
          const double end = 1e6;
          const double length =
            steps.next(*run.integrator, run.solids, run.state, end);
          EXPECT_EQ(
            length,
            exact.next(exact_integrator, other.solids, other.state, end))
            << n;
          EXPECT_EQ(steps.stable_step(), exact.stable_step());
          n_lengths += length != last ? 1 : 0;
          last = length;
          n_not_exact +=
            steps.stable_step() != other.solids.stable_time_step(other.state)
              ? 1
              : 0;
        }
      EXPECT_GT(n_not_exact, 100u);
      EXPECT_GT(n_lengths, fixed == "0" ? 10u : 0u);
    }
}



TEST(StepSize, RefusesWhatIsUnstable)
{
  auto run   = square(MassKind::lumped);
  auto steps = step_size({{"Time step", "0.2"}});
  try
    {
      steps.next(*run.integrator, run.solids, run.state, 10.);
      ADD_FAILURE() << "no error";
    }
  catch (const RunError &error)
    {
      expect_parts(error.what(),
                   {"Time stepping", "'Time step' is 0.2", "0.12", "unstable"});
    }
  for (const std::string number : {"0", "1.5"})
    expect_parts(error_of([&]() {
                   step_size({{"Courant number", number}});
                 }),
                 {"Time stepping", "'Courant number' is " + number});
  EXPECT_EQ(step_size({{"Time step", "0.1"}, {"Courant number", "0"}})
              .next(*run.integrator, run.solids, run.state, 10.),
            0.1);
}



TEST(StepSize, IsEstimatedAgainWhileTheBodyDeforms)
{
  // Half as high: the cells of a law for large deformations become stiffer.
  ExplicitRun<2> run({bricks("1, 1", "0, 0", "1, 1") +
                      material("neo-Hookean", 4., 0.)},
                     MassKind::lumped);
  auto steps =
    step_size({{"Courant number", "1"}, {"Steps between estimates", "5"}});
  const double end    = 1e3;
  const double before = steps.next(*run.integrator, run.solids, run.state, end);
  run.for_each_node([&](const dealii::Point<2> &x, const unsigned int i) {
    run.state.positions[0].local_element(i + 1) = 0.5 * x[1];
  });
  run.state.positions[0].update_ghost_values();
  for (run.state.step = 1; run.state.step < 5; ++run.state.step)
    EXPECT_EQ(steps.next(*run.integrator, run.solids, run.state, end), before);
  EXPECT_LT(steps.next(*run.integrator, run.solids, run.state, end),
            0.8 * before);
}
