// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_time_step_start_h
#define ricochet_time_step_start_h

#include <ricochet/body/solids.h>

namespace Ricochet
{
  /** Copy all local values, ghosts included, without communication. */
  void
  copy_with_ghosts(const ForestVectors &from, ForestVectors &to);



  /** Where an integrator started a step, to start there again if the step has
   * to be repeated with a shorter one. */
  struct StepStart
  {
    ForestVectors positions, velocities;
    std::vector<RigidMotion> rigid_motions;

    /** Keep positions and velocities of @p state. */
    void
    keep(const State &state);

    /** The same for an integrator that then sets all owned positions and
     * velocities of @p state, which have undefined values meanwhile: nothing is
     * copied. */
    void
    take(State &state);
  };
} // namespace Ricochet

#endif
