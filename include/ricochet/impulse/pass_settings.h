// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_pass_settings_h
#define ricochet_impulse_pass_settings_h

#include <ricochet/impulse/friction_law.h>
#include <ricochet/impulse/pair_values.h>

#include <algorithm>
#include <array>
#include <memory>

namespace Ricochet
{
  /** What the contact section of the parameter file says to every response. */
  struct PassSettings
  {
    /** Coefficient of restitution of the contact points, in [0,1]. */
    PairValues restitution = 1.;

    /** Coefficient of friction, >= 0. */
    PairValues friction = 0.;

    /** How it acts. */
    std::shared_ptr<const FrictionLaw> friction_law =
      std::make_shared<CoulombFriction>();

    /** The friction of two bodies in a step of length @p dt. */
    PointFriction
    friction_of(const std::array<unsigned int, 2> &bodies,
                const double dt) const
    {
      return {*friction_law, friction.of(bodies), dt};
    }

    /** Pairs closer than eta (relative to the local edge length) at the end of
     * a step are in contact. */
    double eta = 1e-11;

    /** The gap that position corrections move pairs to, where a response makes
     * some (relative to the local edge length). */
    double delta = 1e-4;

    /** How much of the way that a pair is held up on in a step it may be kept
     * away beyond its least gap, see deflect_pair(). */
    double slack = 0.02;

    /** Let the clearance double from pass to pass, up to ten times that of the
     * @p first. */
    void
    widen(const PassSettings &first)
    {
      delta = std::min(2. * delta, 10. * first.delta);
    }
  };
} // namespace Ricochet

#endif
