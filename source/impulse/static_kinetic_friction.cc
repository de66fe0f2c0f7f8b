// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/friction_law.h>

#include <deal.II/base/patterns.h>

namespace Ricochet
{
  /**
   * A pair of coefficients: what holds is the static one, what slides feels the
   * kinetic one. A point that slides is caught when the static limit suffices
   * to stop it in one step, so the impulse jumps at the limit of stick.
   */
  class StaticKineticFriction : public FrictionLaw
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry("Static over kinetic",
                        "1.25",
                        dealii::Patterns::Double(1.),
                        "Coefficient of static friction relative to that of "
                        "kinetic friction, which is the coefficient of the "
                        "pair of bodies. Units: None.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      static_over_kinetic = prm.get_double("Static over kinetic");
    }

    double
    limit(const SlidingPoint &point) const override
    {
      return point.coefficient * point.normal_impulse;
    }

    double
    holding_limit(const SlidingPoint &point) const override
    {
      return static_over_kinetic * limit(point);
    }

  private:
    double static_over_kinetic = 1.;
  };



  RICOCHET_REGISTER_FRICTION_LAW(
    StaticKineticFriction,
    "static-kinetic",
    "Coulomb's law with a larger coefficient for points that are held than for "
    "points that slide.")
} // namespace Ricochet
