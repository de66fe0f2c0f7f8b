// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_group_impulses_h
#define ricochet_projection_group_impulses_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/node_groups.h>
#include <ricochet/projection/closest_point_projection.h>

#include <vector>

namespace Ricochet
{
  /**
   * The energy of the impulses of a closest-point projection (Kane, Repetto,
   * Ortiz and Marsden, 1999), which act twice: J = sum_c w_c n_c lambda_c / dt
   * at the start of the step, so that it moves the points to their projection,
   * and J again at its end. With v_n before them, and the accelerations a by
   * other forces for those at the end, which are not known yet, the energy of a
   * group of constraints that share nodes changes by
   *
   *   E(s) = J.(v_n + M^-1 J / 2) + s J.(v_n + M^-1 J + dt a + s M^-1 J / 2)
   *
   * if the part s in [0,1] acts at the end. E(1) = 2/dt J.(x_n+1 - x_n) is what
   * closing gaps cost, -2/dt^2 lambda_c (g_c,n - g_c,n+1), and never positive
   * while no gap has to open. Where one has to, since the projection chose
   * another side, or edges that are nearly parallel give it a lever, the
   * impulse at the end is the largest one that adds no energy, or the one that
   * adds least.
   */
  template <int dim>
  class GroupImpulses
  {
  public:
    /** For @p state before the impulses; @p constraints with their multipliers.
     */
    GroupImpulses(const std::vector<GapConstraint<dim>> &constraints,
                  const ContactState<dim> &state);

    /** Take over @p state after the impulses at the start, for groups with
     * rigid bodies: these have turned meanwhile, so that v_n + M^-1 J + dt a is
     * only nearly what they have at the end. */
    void
    look_at_end(const std::vector<GapConstraint<dim>> &constraints,
                const ContactState<dim> &state);

    /** s of the group of a constraint. */
    double
    share_at_end(const Collision<dim> &collision);

    /** Whether the group of a constraint gains more than a small part of its
     * kinetic energy even so: then edges are along each other, or constraints
     * against each other, and the projection is not to be trusted. In 3D only.
     */
    bool
    gains(const Collision<dim> &collision);

    /** The same if there is no impulse at the end of the step. */
    bool
    gains_at_start(const Collision<dim> &collision);

    /** What all groups together lose that do not gain(). */
    double
    loss() const;

  private:
    struct Group
    {
      /** J.v_n, J.M^-1 J / 2 and dt J.a. */
      double velocity = 0., inverse_mass = 0., acceleration = 0.;

      /** J.v and J.M^-1 J / 2 at the end of the step, with the impulse at its
       * start only. */
      double end_velocity = 0., end_inverse_mass = 0.;

      /** The nodes of its constraints, each of them once, in order. */
      std::vector<unsigned int> members;
      double kinetic_energy = 0.;
      bool has_rigid_bodies = false;

      double
      energy(const double share) const;

      double
      share() const;

      bool
      gains(const double share) const;
    };

    /** Give the sets of joined nodes that have constraints their groups, in the
     * order of their numbers. */
    void
    number_groups(const std::vector<GapConstraint<dim>> &constraints);

    /** That of a constraint. */
    Group &
    group_of(const Collision<dim> &collision)
    {
      return groups[number_of[nodes.group_of(collision.nodes.front())]];
    }

    NodeGroups nodes;
    std::vector<unsigned int> number_of; // the group of each set of nodes
    std::vector<Group> groups;
  };
} // namespace Ricochet

#endif
