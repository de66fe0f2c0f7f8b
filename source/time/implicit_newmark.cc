// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/time/implicit_integrator.h>

#include <deal.II/base/patterns.h>

namespace Ricochet
{
  /**
   * Newmark's method (Newmark, 1959) with the numerical damping of Hilber,
   * Hughes and Taylor (1977):
   *
   *   x_1 = x_0 + dt v_0 + dt^2 ((1/2 - beta) a_0 + beta a_1),
   *   v_1 = v_0 + dt ((1 - gamma) a_0 + gamma a_1),
   *   M a_1 = (1 + alpha) (f_ext - f)(x_1) - alpha (f_ext - f)(x_0) + f_c
   *
   * with the forces f_c that the response gives for the step. With the mean
   * velocity w = (x_1 - x_0)/dt, a_1 is (w - v_0)/(beta dt) - (1/(2 beta) - 1)
   * a_0. It conserves the energy of linear bodies with beta = 1/4, gamma = 1/2,
   * alpha = 0, and that of others not.
   *
   * With gaps to keep open it is the implicit/implicit member of Kane, Repetto,
   * Ortiz and Marsden (1999), eqs. (3.16) to (3.24): contact acts at the end of
   * the step, whatever beta is, by accelerations a_c that are not those of the
   * next step's start,
   *
   *   x_1 = x_0 + dt v_0 + dt^2 ((1/2 - beta) a_0 + beta a_1) + dt^2/2 a_c,
   *   v_1 = v_0 + dt ((1 - gamma) a_0 + gamma a_1) + dt a_c,
   *
   * so that with the forces f_c for which the equation above holds, M a_c =
   * 2 beta f_c. The energy changes by M a_c . (x_1 - x_0) where the method
   * conserves it else, which is what closing gaps cost.
   */
  template <int dim>
  class ImplicitNewmark : public ImplicitIntegrator<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      using namespace dealii;
      prm.declare_entry(
        "alpha",
        "0",
        Patterns::Double(-1. / 3., 0.),
        "Of Hilber, Hughes and Taylor, who damp vibrations with "
        "periods of few steps by values below 0, with gamma = "
        "1/2 - alpha and beta = (1 - alpha)^2/4. Units: None.");
      prm.declare_entry("beta",
                        "-1",
                        Patterns::Double(),
                        "Above 0, or negative for (1 - alpha)^2/4. Units: "
                        "None.");
      prm.declare_entry("gamma",
                        "-1",
                        Patterns::Double(),
                        "At least 1/2, or negative for 1/2 - alpha. Units: "
                        "None.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      alpha = prm.get_double("alpha");
      beta  = prm.get_double("beta");
      gamma = prm.get_double("gamma");
      if (beta < 0.)
        beta = 0.25 * (1. - alpha) * (1. - alpha);
      if (gamma < 0.)
        gamma = 0.5 - alpha;
      require(beta > 0.,
              "implicit Newmark: 'beta' is 0, which makes the method explicit. "
              "Set it above 0, or choose the integrator 'explicit Newmark'.");
      require(gamma >= 0.5 && 2. * beta >= gamma,
              "implicit Newmark: unstable for long steps, since 2 beta >= "
              "gamma >= 1/2 does not hold. Choose beta = 1/4 and gamma = 1/2, "
              "or leave both out.");
    }

    bool
    keeps_gaps_open() const override
    {
      require(alpha == 0.,
              "implicit Newmark: 'alpha' is not 0, which does not go with the "
              "response 'nonsmooth'. For damping, set 'gamma' above 1/2 and "
              "'beta' to at least gamma/2.");
      return true;
    }

  protected:
    StepScheme
    scheme(const State &state,
           const ForestVectors &external_forces,
           const double dt) const override
    {
      StepScheme scheme;
      scheme.force_factor = 1. + alpha;
      scheme.inertia      = 1. / (beta * dt);
      copy_with_ghosts(state.velocities, scheme.known_acceleration);
      copy_with_ghosts(external_forces, scheme.known_forces);
      for (unsigned int p = 0; p < external_forces.size(); ++p)
        {
          scheme.known_acceleration[p].sadd(1. / (beta * dt),
                                            0.5 / beta - 1.,
                                            state.accelerations[p]);
          auto &forces = scheme.known_forces[p];
          forces *= 1. + alpha;
          forces.add(-alpha, state.external_forces[p]);
          forces.add(alpha, state.internal_forces[p]);
        }
      return scheme;
    }

    void
    finish(const ForestVectors &w, const double dt, State &state) const override
    {
      for (unsigned int p = 0; p < w.size(); ++p)
        for (unsigned int i = 0; i < w[p].locally_owned_size(); ++i)
          {
            double &v = state.velocities[p].local_element(i);
            double &a = state.accelerations[p].local_element(i);
            const double a_1 =
              (w[p].local_element(i) - v) / (beta * dt) - (0.5 / beta - 1.) * a;
            v += dt * ((1. - gamma) * a + gamma * a_1);
            a = a_1;
          }
    }

    double
    finish_without_gaps(const Solids<dim> &solids,
                        const double dt,
                        State &state) const override
    {
      for (unsigned int p = 0; p < state.velocities.size(); ++p)
        state.velocities[p].add(dt * (1. - gamma), state.accelerations[p]);
      solids.compute_accelerations(state, dt);
      for (unsigned int p = 0; p < state.velocities.size(); ++p)
        state.velocities[p].add(dt * gamma, state.accelerations[p]);
      return 2. * beta;
    }

  private:
    double alpha = 0., beta = 0.25, gamma = 0.5;
  };



  RICOCHET_REGISTER_TIME_INTEGRATOR(
    ImplicitNewmark,
    "implicit Newmark",
    "Newmark's method with beta and gamma and the damping alpha of Hilber, "
    "Hughes and Taylor; stable for steps of any length in linear bodies.")
} // namespace Ricochet
