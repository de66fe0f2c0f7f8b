// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/friction_law.h>

#include <algorithm>

RICOCHET_DEFINE_REGISTRY(::Ricochet::FrictionLaw)

namespace Ricochet
{
  namespace
  {
    const CoulombFriction coulomb{};
  }



  PointFriction::PointFriction(const double coefficient)
    : law(&coulomb)
    , coefficient(coefficient)
  {}



  double
  PointFriction::limit(const double normal_impulse, const double speed) const
  {
    return std::max(0., law->limit({coefficient, normal_impulse, speed, dt}));
  }



  double
  PointFriction::holding_limit(const double normal_impulse,
                               const double speed) const
  {
    return std::max(0.,
                    law->holding_limit(
                      {coefficient, normal_impulse, speed, dt}));
  }



  RICOCHET_REGISTER_FRICTION_LAW(
    CoulombFriction,
    "Coulomb",
    "At most the coefficient of friction times the normal impulse, whatever "
    "the speed.")
} // namespace Ricochet
