// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/friction_law.h>

#include <deal.II/base/patterns.h>

#include <cmath>
#include <limits>

namespace Ricochet
{
  /**
   * A coefficient that falls with the sliding speed v,
   *   mu(v) = mu_k + (mu_s - mu_k) exp(-v / v_c),
   * from mu_s at rest, the coefficient of the pair of bodies, to mu_k.
   */
  class VelocityWeakeningFriction : public FrictionLaw
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry("Kinetic over static",
                        "0.8",
                        dealii::Patterns::Double(0., 1.),
                        "Coefficient of friction at high speed relative to "
                        "that at rest, which is the coefficient of the pair of "
                        "bodies. Units: None.");
      prm.declare_entry("Characteristic speed",
                        "1",
                        dealii::Patterns::Double(
                          std::numeric_limits<double>::min()),
                        "The sliding speed at which the difference has fallen "
                        "to 1/e. Units: length/time.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      kinetic_over_static  = prm.get_double("Kinetic over static");
      characteristic_speed = prm.get_double("Characteristic speed");
    }

    double
    limit(const SlidingPoint &point) const override
    {
      const double weakening =
        kinetic_over_static + (1. - kinetic_over_static) *
                                std::exp(-point.speed / characteristic_speed);
      return weakening * point.coefficient * point.normal_impulse;
    }

  private:
    double kinetic_over_static = 1., characteristic_speed = 1.;
  };



  RICOCHET_REGISTER_FRICTION_LAW(
    VelocityWeakeningFriction,
    "velocity weakening",
    "Coulomb's law with a coefficient that falls exponentially with the "
    "sliding speed.")
} // namespace Ricochet
