// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/pair_response.h>
#include <ricochet/projection/ringing.h>

#include <algorithm>

namespace Ricochet
{
  using dealii::Point;

  template <int dim>
  void
  stop_ringing(const std::vector<GapConstraint<dim>> &pressed,
               ContactState<dim> &state)
  {
    if (pressed.empty())
      return;
    std::vector<Point<dim>> without, with;
    for (const auto &velocity : state.velocities)
      without.emplace_back(velocity);
    auto gaps = pressed;
    for (GapConstraint<dim> &gap : gaps)
      {
        gap.target = 0.;
        state.inverse_mass.apply(gap.collision,
                                 -gap.multiplier * gap.collision.normal,
                                 without);
      }
    const auto result =
      project_onto_gaps(gaps, state.inverse_mass, without, with);
    for (const unsigned int k : result.unsolved)
      gaps[k].multiplier = pressed[k].multiplier;
    for (unsigned int k = 0; k < gaps.size(); ++k)
      push_along(gaps[k].collision,
                 gaps[k].multiplier - pressed[k].multiplier,
                 ImpulseTime::end,
                 state);
  }



  template void
  stop_ringing(const std::vector<GapConstraint<2>> &, ContactState<2> &);
  template void
  stop_ringing(const std::vector<GapConstraint<3>> &, ContactState<3> &);
} // namespace Ricochet
