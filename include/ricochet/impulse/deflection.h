// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_deflection_h
#define ricochet_impulse_deflection_h

#include <ricochet/geometry/collision.h>
#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/pass_settings.h>

namespace Ricochet
{
  /**
   * Let a pair that would come too close meet at the start of the step.
   *
   * The pair collides where it is, at x_n, and the step goes on from there with
   * its new velocities: x_n+1 = x_n + dt v. No position is corrected, so that
   * nothing is done against the forces in the bodies, momenta are exact, and
   * points that stick stay.
   *
   * With u = n . dv of the middle of the step, the acceleration a of n . h by
   * all other forces, and u_- = u - dt a, which is u of the step before, the
   * normal velocity becomes
   *
   *   u_+ = -e u_-             of a pair that was closing,
   *   u_+ = c - e (u_- + c)    of a pair that was opening,
   *   u_+ = c                  at least, and if e = 0,
   *
   * where c dt is the way to the least gap, c = (g_min - g_n) / dt. Like the
   * time stepping of Moreau (1988), this is an impact law for the velocities of
   * steps; but a pair may still close up to its least gap, and impulses act at
   * x_n alone.
   *
   * Since the mean of n . dv_n before and after the impulse j is
   * (u_- + u_+) / 2, the energy changes by exactly j (u_- + u_+) / 2, whatever
   * the law of the material, the step, and the order of pairs that share nodes:
   *
   * - not at all with e = 1, where the gap is followed back, g_n+1 = g_n-1,
   * - downwards with e < 1, since g_n - dt u_- is the gap before, and that was
   *   admissible, so that u_- <= -c.
   *
   * Between them the impulses act on nothing but the bodies as the integrator
   * moves them, so the stable step is that without contact.
   *
   * Two rigid bodies, or one and an obstacle, obey the law where the gap closes
   * instead of where they are at the start of the step. With the velocity u_0
   * there, which is u_- + dt a / 2, and b = -2 a g_n,
   *
   *   u_+ = sqrt(e^2 (u_0^2 + b) - b) + dt a / 2,
   *
   * or u_+ = c if they do not come up so high: a ball that falls from h comes
   * up to e^2 h, whatever the step. Those that collide without a rebound stop
   * where they are, as those with a small one do. With friction u_+ is smaller
   * where it would give energy, as Newton's restitution does to bodies that
   * pushes along the surface turn against each other. With e < 1 they come to
   * rest at last: they do not rebound where they close no faster than by
   * speed_at_rest().
   *
   * The last argument does not hold exactly where points slide on over edges
   * of facets, so that g_n-1 was that of other features: u_+ = c may need
   * energy. It is written down as a debt of the nodes, ContactState::debts,
   * and taken back at their next impacts.
   *
   * Friction acts on the velocity along the surface, v_t. A point that sticks
   * ends with v_t = 0, so that it stays where it is; or if it has slid with
   * v_t- in the step before and was turned round by other forces meanwhile,
   * with v_t = -v_t- at most, back to where it came from: more would add
   * energy.
   *
   * The least gap is never further from that at the start than the way of the
   * relative motion in this step: a vertex that is far behind the plane of a
   * facet, beside it, would be thrown otherwise.
   *
   * @return The impulse, with status ContactStatus::open if there was none.
   */
  template <int dim>
  PairImpulse<dim>
  deflect_pair(const Collision<dim> &collision,
               const PassSettings &settings,
               ContactState<dim> &state);

  /**
   * The speed up to which rigid bodies count as at rest on each other: what the
   * accelerations of both sides change velocities by in four steps. Under
   * gravity a rebound with it comes up to 8 g dt^2 at most. Impulses of a step
   * that run through a heap at rest give no more to its bodies, and would go on
   * for ever if each was answered by a rebound.
   */
  template <int dim>
  double
  speed_at_rest(const Collision<dim> &collision,
                const ContactState<dim> &state);
} // namespace Ricochet

#endif
