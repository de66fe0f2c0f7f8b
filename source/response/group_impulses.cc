// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/group_impulses.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using dealii::Tensor;

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
    if (energy(1.) <= 0.)
      return 1.;
    if (energy(0.) >= 0.)
      return 0.;
    // The energy is convex: one root is between.
    const double half = 0.5 * (velocity + 2. * inverse_mass + acceleration);
    const double root =
      std::sqrt(std::max(0., half * half - inverse_mass * energy(0.)));
    return std::clamp(half > 0. ? -energy(0.) / (half + root) :
                                  (root - half) / inverse_mass,
                      0.,
                      1.);
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
      sum -= group.energy(group.share());
    return sum;
  }



  template class GroupImpulses<2>;
  template class GroupImpulses<3>;
} // namespace Ricochet
