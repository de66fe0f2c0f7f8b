// SPDX-License-Identifier: LGPL-2.1-or-later

// What the discrete gradient conserves in steps of any length, for every law,
// cell and formulation.

#include "step_model.h"

using namespace StepTests;

namespace
{
  template <int dim>
  using Kind = typename StepForces<dim>::Kind;



  /** A large step with a rotation, from a state that a step led to. */
  template <int dim>
  struct Step
  {
    Step(const Cells cells,
         const Formulation formulation,
         const Material<dim> &material,
         const double size        = 0.04,
         const double dt_to_begin = 0.2)
      : model(cells, material, formulation)
      , x0(model.deformed(0.15, 0.02, 0.4))
    {
      model.accept(x0, dt_to_begin);
      x1 = model.turned(x0, 1.);
      for (double &value : x1)
        value += model.random.uniform(-size, size);
      begin(x0);
    }

    void
    begin(const Values &x)
    {
      model.step_forces->begin(Kind<dim>::discrete_gradient,
                               x.data(),
                               dt,
                               model.history);
    }

    static constexpr double dt = 0.3;
    Model<dim> model;
    Values x0, x1;
  };



  template <int dim>
  void
  check_energy()
  {
    for_each_element_and_law<dim>([](const Cells cells,
                                     const Formulation formulation,
                                     const Material<dim> &material,
                                     const std::string &name) {
      for (const double size : {0.04, 1e-4})
        {
          const Step<dim> step(cells, formulation, material, size);
          const auto begin = step.model.rest(step.x0),
                     end   = step.model.evaluate(step.x1);
          double work      = 0.;
          for (unsigned int i = 0; i < step.x0.size(); ++i)
            work += end.forces[i] * (step.x1[i] - step.x0[i]);
          EXPECT_NEAR(work,
                      end.stored + end.dissipated - begin.stored -
                        begin.dissipated,
                      1e-12 * (end.stored + end.dissipated))
            << name;

          // The law's own energy, dissipation and history at the end.
          Values f(step.x1.size()), history;
          BodyEnergies energies;
          energies.reset(1);
          step.model.forces.advance(step.x1.data(),
                                    nullptr,
                                    step.dt,
                                    step.model.history,
                                    history,
                                    f.data(),
                                    &energies);
          EXPECT_NEAR(end.stored, energies.strain[0], 1e-13 * end.stored);
          EXPECT_NEAR(end.dissipated,
                      energies.plastic[0] + energies.viscous[0],
                      1e-13 * end.dissipated);
          EXPECT_LE(largest_difference(history, end.history),
                    1e-14 * largest(history))
            << name;
        }
    });
  }



  template <int dim>
  void
  check_momenta()
  {
    for_each_element_and_law<dim>([](const Cells cells,
                                     const Formulation formulation,
                                     const Material<dim> &material,
                                     const std::string &name) {
      const Step<dim> step(cells, formulation, material);
      const Values f     = step.model.evaluate(step.x1).forces;
      const double bound = 1e-12 * largest(f);
      for (unsigned int i = 0; i < dim; ++i)
        {
          double sum = 0.;
          for (unsigned int n = 0; n < f.size(); n += dim)
            sum += f[n + i];
          EXPECT_NEAR(sum, 0., bound) << name;

          const unsigned int j = (i + 1) % dim;
          double moment        = 0.;
          for (unsigned int n = 0; n < f.size(); n += dim)
            moment += 0.5 * ((step.x0[n + i] + step.x1[n + i]) * f[n + j] -
                             (step.x0[n + j] + step.x1[n + j]) * f[n + i]);
          if (material.is_frame_indifferent())
            EXPECT_NEAR(moment, 0., bound) << name;
          else
            EXPECT_GT(std::abs(moment), 1e3 * bound) << name;
        }
    });
  }



  template <int dim>
  void
  check_rotations()
  {
    for_each_element_and_law<dim>([](const Cells cells,
                                     const Formulation formulation,
                                     const Material<dim> &material,
                                     const std::string &name) {
      if (!material.is_frame_indifferent())
        return;
      // What laws remember turns too; that is simple if it is elastic.
      Step<dim> step(cells, formulation, material, 0.04, 0.);
      const Values f =
        step.model.turned(step.model.evaluate(step.x1).forces, 2.);
      step.x0            = step.model.turned(step.x0, 2.);
      step.model.history = step.model.forces.initial_history();
      step.model.accept(step.x0, 0.);
      step.begin(step.x0);
      const Values turned =
        step.model.evaluate(step.model.turned(step.x1, 2.)).forces;
      EXPECT_LT(largest_difference(f, turned), 1e-12 * largest(f)) << name;
    });
  }



  template <int dim>
  void
  check_no_step()
  {
    for_each_element_and_law<dim>([](const Cells cells,
                                     const Formulation formulation,
                                     const Material<dim> &material,
                                     const std::string &name) {
      const Step<dim> step(cells, formulation, material);
      const Values expected = step.model.rest(step.x0).forces;
      EXPECT_LT(largest_difference(step.model.evaluate(step.x0).forces,
                                   expected),
                1e-12 * largest(expected))
        << name;
    });
  }



  template <int dim>
  void
  check_rigid_motion()
  {
    for_each_element_and_law<dim>([](const Cells cells,
                                     const Formulation formulation,
                                     const Material<dim> &material,
                                     const std::string &name) {
      if (!material.is_frame_indifferent())
        return;
      Model<dim> model(cells, material, formulation);
      const Values x = positions_of(model.table);
      for (const double angle : {1., 3.})
        {
          model.step_forces->begin(Kind<dim>::discrete_gradient,
                                   x.data(),
                                   0.3,
                                   model.history);
          EXPECT_LT(largest(model.evaluate(model.turned(x, angle)).forces),
                    1e-13)
            << name << " turned by " << angle;
        }
    });
  }
} // namespace



class StepConservation : public StepTest
{};

TEST_P(StepConservation, ForcesWorkWhatIsStoredAndDissipated)
{
  check_energy<2>();
  check_energy<3>();
}



TEST_P(StepConservation, MomentaAreKept)
{
  check_momenta<2>();
  check_momenta<3>();
}



TEST_P(StepConservation, ForcesTurnWithTheStep)
{
  check_rotations<2>();
  check_rotations<3>();
}



TEST_P(StepConservation, AStepToWhereItBeganHasTheForcesThere)
{
  check_no_step<2>();
  check_no_step<3>();
}



TEST_P(StepConservation, RigidMotionsCauseNoForces)
{
  check_rigid_motion<2>();
  check_rigid_motion<3>();
}



RICOCHET_STEP_TESTS(StepConservation)
