// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/time/implicit_integrator.h>

namespace Ricochet
{
  /**
   * The energy-momentum method (Simo and Tarnow, 1992; Gonzalez, 2000): the
   * midpoint rule with the forces of a discrete gradient,
   *
   *   x_1 = x_0 + dt w,   M 2/dt (w - v_0) = f_ext + f_c - f(x_0, x_1),
   *   v_1 = 2 w - v_0,
   *
   * where f . (x_1 - x_0) is the change of the energy that the cells store plus
   * what their laws dissipate (StepForces), and f_ext is the mean of the start
   * and the end of the step. It conserves energy and both momenta exactly for
   * steps of any length, up to what is left of the equations.
   */
  template <int dim>
  class EnergyMomentum : public ImplicitIntegrator<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &)
    {}

    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

  protected:
    bool
    moves_rigid_bodies() const override
    {
      return true;
    }

    StepScheme
    scheme(const State &state,
           const ForestVectors &external_forces,
           const double dt) const override
    {
      StepScheme scheme;
      scheme.discrete_gradient = true;
      scheme.inertia           = 2. / dt;
      copy_with_ghosts(state.velocities, scheme.known_acceleration);
      copy_with_ghosts(state.external_forces, scheme.known_forces);
      for (unsigned int p = 0; p < external_forces.size(); ++p)
        {
          scheme.known_acceleration[p] *= 2. / dt;
          scheme.known_forces[p].sadd(0.5, 0.5, external_forces[p]);
        }
      return scheme;
    }

    void
    finish(const ForestVectors &w, const double dt, State &state) const override
    {
      for (unsigned int p = 0; p < w.size(); ++p)
        for (unsigned int i = 0; i < w[p].locally_owned_size(); ++i)
          {
            double &v          = state.velocities[p].local_element(i);
            const double start = v;
            v                  = 2. * w[p].local_element(i) - start;
            state.accelerations[p].local_element(i) = (v - start) / dt;
          }
    }
  };



  RICOCHET_REGISTER_TIME_INTEGRATOR(
    EnergyMomentum,
    "energy-momentum",
    "Implicit midpoint rule with a discrete gradient: exact energy and momenta "
    "for steps of any length.")
} // namespace Ricochet
