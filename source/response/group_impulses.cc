// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/group_impulses.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** Of energy, relative to that of the impulse alone: what points that slide
     * over edges may need. */
    constexpr double largest_gain = 0.02;
  } // namespace



  template <int dim>
  GroupImpulses<dim>::GroupImpulses(
    const std::vector<GapConstraint<dim>> &constraints,
    const ContactState<dim> &state)
    : nodes(state.end.size())
  {
    std::vector<Tensor<1, dim>> changes(state.end.size()); // M^-1 J
    for (const GapConstraint<dim> &c : constraints)
      {
        nodes.join(c.collision.nodes);
        state.inverse_mass.apply(c.collision,
                                 c.multiplier / state.dt * c.collision.normal,
                                 changes);
      }
    for (const GapConstraint<dim> &c : constraints)
      {
        const Collision<dim> &collision = c.collision;
        const Tensor<1, dim> J = c.multiplier / state.dt * collision.normal;
        const double a = state.dt * (J * collision.weighted_sum(
                                           state.accelerations));
        Group &group   = groups[nodes.group_of(collision.nodes.front())];
        group.velocity +=
          J * collision.weighted_sum(state.velocities) - 0.5 * a;
        group.inverse_mass += 0.5 * (J * collision.weighted_sum(changes));
        group.acceleration += a;
      }
  }



  template <int dim>
  double
  GroupImpulses<dim>::Group::energy(const double share) const
  {
    return velocity + inverse_mass +
           share * (velocity + 2. * inverse_mass + acceleration +
                    share * inverse_mass);
  }



  template <int dim>
  double
  GroupImpulses<dim>::Group::share() const
  {
    // While contact persists it is zero but for round-off.
    const double round_off =
      1e-9 * (std::abs(velocity) + inverse_mass + std::abs(acceleration));
    if (energy(1.) <= round_off)
      return 1.;
    // A parabola: the root beyond its lowest point, or that if there is none.
    const double half = 0.5 * (velocity + 2. * inverse_mass + acceleration);
    const double square = half * half - inverse_mass * energy(0.);
    return std::clamp((std::sqrt(std::max(0., square)) - half) / inverse_mass,
                      0.,
                      1.);
  }



  template <int dim>
  bool
  GroupImpulses<dim>::Group::gains() const
  {
    return energy(share()) > largest_gain * inverse_mass;
  }



  template <int dim>
  bool
  GroupImpulses<dim>::gains(const Collision<dim> &collision)
  {
    return groups[nodes.group_of(collision.nodes.front())].gains();
  }



  template <int dim>
  double
  GroupImpulses<dim>::share_at_end(const Collision<dim> &collision)
  {
    return groups[nodes.group_of(collision.nodes.front())].share();
  }



  template <int dim>
  double
  GroupImpulses<dim>::loss() const
  {
    double sum = 0.;
    for (const auto &[number, group] : groups)
      if (!group.gains())
        sum -= group.energy(group.share());
    return sum;
  }



  template class GroupImpulses<2>;
  template class GroupImpulses<3>;
} // namespace Ricochet
