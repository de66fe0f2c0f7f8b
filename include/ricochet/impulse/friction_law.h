// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_friction_law_h
#define ricochet_impulse_friction_law_h

#include <ricochet/base/registry.h>

#include <deal.II/base/parameter_handler.h>

#include <string>

namespace Ricochet
{
  /** What a friction law knows of a contact point. */
  struct SlidingPoint
  {
    /** The coefficient of friction of the two bodies, > 0. */
    double coefficient;

    /** Normal impulse of the point in this step, >= 0. */
    double normal_impulse;

    /** How fast the two sides slide on each other before the impulse, >= 0. */
    double speed;

    /** Length of the step; the normal force is normal_impulse / dt. */
    double dt;
  };



  /**
   * How large the tangential impulse of a contact point can be. Its direction
   * is against the sliding, and no law can turn the sliding round: what exceeds
   * the impulse that stops it is not used. So every law takes energy.
   *
   * A law says how the coefficient of friction of a pair of bodies acts; the
   * coefficients themselves are entries of the contact section. Points of pairs
   * with the coefficient zero have no friction, whatever the law.
   *
   * Examples: examples/plugin_friction adds a law from outside.
   */
  class FrictionLaw
  {
  public:
    virtual ~FrictionLaw() = default;

    /** How messages call the family. */
    static std::string
    family_name()
    {
      return "friction law";
    }

    /** Read the entries that the class declared, and check them. */
    virtual void
    parse_parameters(dealii::ParameterHandler &prm) = 0;

    /** The tangential impulse of a point that slides; negative counts as none.
     */
    virtual double
    limit(const SlidingPoint &point) const = 0;

    /** The largest impulse that stops a point, or holds it at rest. */
    virtual double
    holding_limit(const SlidingPoint &point) const
    {
      return limit(point);
    }
  };



  /** Coulomb's law: the limit is the coefficient times the normal impulse. */
  class CoulombFriction : public FrictionLaw
  {
  public:
    /** The law has no entries of its own. */
    static void
    declare_parameters(dealii::ParameterHandler &)
    {}

    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

    double
    limit(const SlidingPoint &point) const override
    {
      return point.coefficient * point.normal_impulse;
    }
  };



  /** The friction of one contact point: a law with its coefficient. */
  class PointFriction
  {
  public:
    /** Coulomb's law. Implicit, since there a number says it all. */
    PointFriction(const double coefficient);

    /** @p law must outlive this object. */
    PointFriction(const FrictionLaw &law,
                  const double coefficient,
                  const double dt)
      : law(&law)
      , coefficient(coefficient)
      , dt(dt)
    {}

    /** Whether there is any friction. */
    bool
    acts() const
    {
      return coefficient > 0.;
    }

    /** See FrictionLaw::limit(), but never negative. */
    double
    limit(const double normal_impulse, const double speed) const;

    /** See FrictionLaw::holding_limit(), but never negative. */
    double
    holding_limit(const double normal_impulse, const double speed) const;

  private:
    const FrictionLaw *law;
    double coefficient;
    double dt = 0.;
  };
} // namespace Ricochet

RICOCHET_DECLARE_REGISTRY(::Ricochet::FrictionLaw)

/** Make a friction law available in parameter files. */
#define RICOCHET_REGISTER_FRICTION_LAW(Class, name, description) \
  RICOCHET_REGISTER_CLASS(::Ricochet::FrictionLaw, Class, name, description)

#endif
