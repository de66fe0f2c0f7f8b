// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_held_pairs_h
#define ricochet_impulse_held_pairs_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/pass_settings.h>

namespace Ricochet
{
  /**
   * Let the pairs that deflect_pair() has held up without a rebound in this
   * step agree on their impulses. Handled one after the other, the first ones
   * got theirs without knowing what the later ones would do, and open when
   * these push the same nodes. Of the impulses j_k >= 0 that are left,
   *
   *   u_k >= u_k+,   j_k >= 0,   j_k (u_k - u_k+) = 0,
   *
   * by projected Gauss-Seidel sweeps (Jourdan, Alart and Jean, 1998; Jean,
   * 1999), so that sum_k j_k (u_k- + u_k) / 2 is what it would be if all had
   * acted at once, and points at rest get no energy from each other. Friction
   * follows the normal impulses. With e = 1 every pair keeps the energy for
   * itself, whatever the others do, and nothing is left to agree on. Large
   * groups of pairs that share nodes are left as they are, but not those with
   * rigid bodies: there each pair pushes all others of its body, and the sweeps
   * are directions of a nonlinear conjugate gradient method (Silcowitz-Hansen,
   * Niebe and Erleben, 2010).
   */
  template <int dim>
  void
  ease_pairs(const PassSettings &settings, ContactState<dim> &state);

  /**
   * Of the energy that held pairs have taken, when no others have acted yet in
   * this step, let friction have
   *
   *   - sum_k j_t,k . (v_t,k- + v_t,k+) / 2
   *
   * and restitution the rest: what each had as they acted one after the other
   * is more or less than it, since the first ones saw nothing of the others.
   */
  template <int dim>
  void
  share_losses(ContactState<dim> &state);
} // namespace Ricochet

#endif
