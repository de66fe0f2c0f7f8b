// SPDX-License-Identifier: LGPL-2.1-or-later

// A law of friction that Ricochet does not have. Everything that makes it known
// to the registry, and so to parameter files, is in this file.

#include <ricochet/impulse/friction_law.h>

#include <deal.II/base/patterns.h>

#include <algorithm>

namespace RicochetExamples
{
  /**
   * Coulomb's law with a largest friction force per contact point, as where the
   * weaker of two materials is sheared off before the surfaces slide.
   */
  class BoundedFriction : public Ricochet::FrictionLaw
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry("Largest force",
                        "1",
                        dealii::Patterns::Double(0.),
                        "The friction of a contact point is never larger. "
                        "Units: force.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      largest_force = prm.get_double("Largest force");
    }

    double
    limit(const Ricochet::SlidingPoint &point) const override
    {
      return std::min(point.coefficient * point.normal_impulse,
                      largest_force * point.dt);
    }

  private:
    double largest_force = 0.;
  };



  RICOCHET_REGISTER_FRICTION_LAW(
    BoundedFriction,
    "bounded",
    "Coulomb's law up to a largest force of each contact point.")
} // namespace RicochetExamples
