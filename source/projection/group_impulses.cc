// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/rigid_nodes.h>
#include <ricochet/projection/group_impulses.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** Of energy, relative to the kinetic energy of a group in the frame of its
     * held nodes or of its mean: what points that slide over edges may need. */
    constexpr double largest_gain = 0.02;

    /** Of energy, relative to that of the impulse alone: what is left alone. */
    constexpr double small_gain = 1e-3;



    /** The kinetic energy of nodes in that frame. */
    template <int dim>
    double
    kinetic_energy(const std::vector<unsigned int> &members,
                   const ContactState<dim> &state)
    {
      double mass = 0.;
      Tensor<1, dim> momentum, held;
      bool any_held = false;
      std::vector<const RigidNodes<dim> *> rigid_bodies;
      for (const unsigned int node : members)
        {
          if (const auto *const body = state.inverse_mass.rigid_body_of(node))
            {
              if (std::find(rigid_bodies.begin(), rigid_bodies.end(), body) !=
                  rigid_bodies.end())
                continue;
              rigid_bodies.push_back(body);
              const Tensor<1, dim> v =
                body->velocity_of_centre(state.velocities);
              if (body->motion().holds_velocity[0])
                {
                  held     = v;
                  any_held = true;
                }
              mass += body->motion().mass.mass;
              momentum += body->motion().mass.mass * v;
              continue;
            }
          const double inverse = state.inverse_mass.of_node(node).norm();
          if (inverse > 0.)
            {
              mass += 1. / inverse;
              momentum += state.velocities[node] / inverse;
            }
          else if (!any_held)
            {
              held     = state.velocities[node];
              any_held = true;
            }
        }
      const Tensor<1, dim> frame = any_held    ? held
                                   : mass > 0. ? momentum / mass
                                               : Tensor<1, dim>();
      double energy              = 0.;
      for (const auto *const body : rigid_bodies)
        energy += body->kinetic_energy(state.velocities, frame);
      for (const unsigned int node : members)
        {
          const double inverse = state.inverse_mass.of_node(node).norm();
          if (inverse > 0. && state.inverse_mass.rigid_body_of(node) == nullptr)
            energy +=
              0.5 * (state.velocities[node] - frame).norm_square() / inverse;
        }
      return energy;
    }



    /** The contact point of a constraint for impulses at some positions; only
     * with rigid bodies is it another one, which is put into @p buffer. */
    template <int dim>
    const Collision<dim> &
    at(const GapConstraint<dim> &constraint,
       const std::vector<dealii::Point<dim>> &positions,
       const ContactState<dim> &state,
       Collision<dim> &buffer)
    {
      if (state.inverse_mass.coupled_sets().empty())
        return constraint.collision;
      buffer =
        with_common_point(constraint.collision, positions, state.inverse_mass);
      return buffer;
    }
  } // namespace



  template <int dim>
  void
  GroupImpulses<dim>::number_groups(
    const std::vector<GapConstraint<dim>> &constraints)
  {
    std::vector<char> has_constraint(number_of.size(), 0),
      is_member(number_of.size(), 0);
    for (const GapConstraint<dim> &c : constraints)
      {
        has_constraint[nodes.group_of(c.collision.nodes.front())] = 1;
        for (const unsigned int node : c.collision.nodes)
          is_member[node] = 1;
      }
    for (unsigned int set = 0; set < number_of.size(); ++set)
      if (has_constraint[set] != 0)
        {
          number_of[set] = groups.size();
          groups.emplace_back();
        }
    for (unsigned int node = 0; node < is_member.size(); ++node)
      if (is_member[node] != 0)
        groups[number_of[nodes.group_of(node)]].members.push_back(node);
  }



  template <int dim>
  GroupImpulses<dim>::GroupImpulses(
    const std::vector<GapConstraint<dim>> &constraints,
    const ContactState<dim> &state)
    : nodes(state.end_positions.size())
    , number_of(state.end_positions.size())
  {
    Collision<dim> buffer;
    std::vector<Tensor<1, dim>> changes(state.end_positions.size()); // M^-1 J
    for (const GapConstraint<dim> &c : constraints)
      {
        nodes.join(c.collision.nodes);
        state.inverse_mass.apply(at(c, state.start_positions, state, buffer),
                                 c.multiplier / state.dt * c.collision.normal,
                                 changes);
      }
    number_groups(constraints);
    for (const GapConstraint<dim> &c : constraints)
      {
        const Collision<dim> &collision =
          at(c, state.start_positions, state, buffer);
        const Tensor<1, dim> J = c.multiplier / state.dt * collision.normal;
        const double a =
          state.dt * (J * collision.weighted_sum(state.accelerations));
        Group &group = group_of(collision);
        group.velocity +=
          J * collision.weighted_sum(state.velocities) - 0.5 * a;
        group.inverse_mass += 0.5 * (J * collision.weighted_sum(changes));
        group.acceleration += a;
      }
    for (Group &group : groups)
      {
        group.end_velocity =
          group.velocity + 2. * group.inverse_mass + group.acceleration;
        group.end_inverse_mass = group.inverse_mass;
        group.has_rigid_bodies =
          std::any_of(group.members.begin(),
                      group.members.end(),
                      [&](const unsigned int node) {
                        return state.inverse_mass.rigid_body_of(node) !=
                               nullptr;
                      });
        group.kinetic_energy = kinetic_energy(group.members, state);
      }
  }



  template <int dim>
  void
  GroupImpulses<dim>::look_at_end(
    const std::vector<GapConstraint<dim>> &constraints,
    const ContactState<dim> &state)
  {
    Collision<dim> buffer;
    std::vector<Tensor<1, dim>> changes(state.end_positions.size()); // M^-1 J
    for (const GapConstraint<dim> &c : constraints)
      if (group_of(c.collision).has_rigid_bodies)
        {
          state.inverse_mass.apply(at(c, state.end_positions, state, buffer),
                                   c.multiplier / state.dt * c.collision.normal,
                                   changes);
          group_of(c.collision).end_velocity =
            group_of(c.collision).end_inverse_mass = 0.;
        }
    for (const GapConstraint<dim> &c : constraints)
      if (group_of(c.collision).has_rigid_bodies)
        {
          const Collision<dim> &collision =
            at(c, state.end_positions, state, buffer);
          const Tensor<1, dim> J = c.multiplier / state.dt * collision.normal;
          group_of(c.collision).end_velocity +=
            J * (collision.weighted_sum(state.velocities) +
                 0.5 * state.dt * collision.weighted_sum(state.accelerations));
          group_of(c.collision).end_inverse_mass +=
            0.5 * (J * collision.weighted_sum(changes));
        }
  }



  template <int dim>
  double
  GroupImpulses<dim>::Group::energy(const double share) const
  {
    return velocity + inverse_mass +
           share * (end_velocity + share * end_inverse_mass);
  }



  template <int dim>
  double
  GroupImpulses<dim>::Group::share() const
  {
    // While contact persists it is zero but for curved paths.
    if (energy(1.) <= small_gain * inverse_mass)
      return 1.;
    // A parabola: the root beyond its lowest point, or that if there is none.
    const double half   = 0.5 * end_velocity;
    const double square = half * half - end_inverse_mass * energy(0.);
    return std::clamp((std::sqrt(std::max(0., square)) - half) /
                        end_inverse_mass,
                      0.,
                      1.);
  }



  template <int dim>
  bool
  GroupImpulses<dim>::Group::gains(const double share) const
  {
    // In the plane there are no edges along each other.
    return dim == 3 && energy(share) > largest_gain * kinetic_energy;
  }



  template <int dim>
  bool
  GroupImpulses<dim>::gains(const Collision<dim> &collision)
  {
    const Group &group = group_of(collision);
    return group.gains(group.share());
  }



  template <int dim>
  bool
  GroupImpulses<dim>::gains_at_start(const Collision<dim> &collision)
  {
    return group_of(collision).gains(0.);
  }



  template <int dim>
  double
  GroupImpulses<dim>::share_at_end(const Collision<dim> &collision)
  {
    return group_of(collision).share();
  }



  template <int dim>
  double
  GroupImpulses<dim>::loss() const
  {
    double sum = 0.;
    for (const Group &group : groups)
      if (!group.gains(group.share()))
        sum -= group.energy(group.share());
    return sum;
  }



  template class GroupImpulses<2>;
  template class GroupImpulses<3>;
} // namespace Ricochet
