// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/deflection.h>
#include <ricochet/impulse/node_groups.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/rigid_nodes.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** The normal motion of a contact point, see deflect_pair(). */
    struct NormalMotion
    {
      /** n . dv in the middle of the step before, and of this step without the
       * impulse. */
      double before, now;

      /** The velocity to the least gap, and to a gap that leaves room for what
       * other pairs change. */
      double least, safe;

      /** 1/m of the contact point. */
      double inverse_mass;

      /** Energy that its nodes are to give back. */
      double debt;

      /** The energy that the velocity @p after takes. */
      double
      loss(const double after) const
      {
        return -(after - now) * (before + after) / (2. * inverse_mass);
      }

      /** -u_-, or less to give back as much of the debt as can be. */
      double
      elastic() const
      {
        if (!(debt > 0.))
          return -before;
        const double speed = -(before + now);
        const double square =
          std::max(0., speed * speed - 8. * inverse_mass * debt);
        const double given = 0.5 * (speed - std::sqrt(square));
        return std::max(safe, -before - std::max(0., given));
      }

      double
      after(const double restitution) const
      {
        if (!(-before >= least))
          return safe;
        if (restitution == 1.)
          return elastic();
        if (before > 0.)
          return std::max(safe, least - restitution * (before + least));
        return restitution > 0. ? std::max(safe, -restitution * before) : safe;
      }
    };



    /** Pairs at rest up to so many times the slack further away than the least
     * gap stay where they are, though the acceleration has become smaller. */
    constexpr double rest_range = 8.;

    /**
     * What they are lifted by at most, relative to the slack, if they do not
     * bounce. Less would let flat surfaces come so close that their edges meet
     * as well, and more costs energy, which pairs that bounce take back.
     */
    constexpr double lift_without_bounce = 0.2;

    /** By how much a pair closes in this step without the impulse. */
    template <int dim>
    double
    way_held_up(const Collision<dim> &collision)
    {
      return std::max(0., collision.start_gap - collision.gap);
    }



    /**
     * A gap that pairs can be moved to without disturbing each other for ever:
     * further than the least one in proportion to the way that they are held up
     * on. Pairs at rest are lifted by what acceleration would move them at
     * most, those on their way not beyond where they are.
     */
    template <int dim>
    double
    safe_gap(const Collision<dim> &collision,
             const double least_gap,
             const double slack,
             const double lift,
             const double way_of_acceleration)
    {
      const double held_up = way_held_up(collision);
      const double at_rest = std::clamp(way_of_acceleration, 0., held_up);
      const double above   = collision.start_gap - least_gap;
      const double safe =
        std::min(slack * held_up, std::max(above, lift * slack * at_rest));
      return least_gap + (above <= rest_range * slack * at_rest
                            ? std::max(above, safe)
                            : safe);
    }



    /** The velocity along the surface of a point that sticks, see
     * deflect_pair(), with v_t- = @p before and v_t = @p now. */
    template <int dim>
    Tensor<1, dim>
    stick_velocity(const Tensor<1, dim> &before,
                   const Tensor<1, dim> &now,
                   const Tensor<1, dim> &normal)
    {
      const Tensor<1, dim> from = before - (before * normal) * normal;
      const double square       = from.norm_square();
      return square > 0. ? std::clamp(from * now / square, -1., 0.) * from
                         : Tensor<1, dim>();
    }



    /**
     * How much further than on straight paths with their velocities the nodes
     * end along the normal: 0 but for rigid bodies, which turn.
     */
    template <int dim>
    double
    curvature(const Collision<dim> &collision,
              const double way,
              const InverseMass<dim> &inverse_mass)
    {
      return std::any_of(collision.nodes.begin(),
                         collision.nodes.end(),
                         [&](const unsigned int node) {
                           return inverse_mass.rigid_body_of(node) != nullptr;
                         })
               ? collision.gap - collision.start_gap - way
               : 0.;
    }



    /** Write down what energy an impulse took from the nodes of a pair. */
    template <int dim>
    void
    settle_debts(const Collision<dim> &collision,
                 const double debt,
                 const double loss,
                 ContactState<dim> &state)
    {
      if (loss >= 0. && debt == 0.)
        return;
      const double left = std::max(0., debt - loss);
      const auto n_of_bodies =
        std::count_if(collision.nodes.begin(),
                      collision.nodes.end(),
                      [&](const unsigned int node) {
                        return state.inverse_mass.is_of_body(node);
                      });
      for (const unsigned int node : collision.nodes)
        if (state.inverse_mass.is_of_body(node))
          state.debts[node] = left / n_of_bodies;
    }
  } // namespace



  template <int dim>
  PairImpulse<dim>
  deflect_pair(const Collision<dim> &gaps,
               const PassSettings &settings,
               ContactState<dim> &state)
  {
    const Collision<dim> collision =
      with_common_point(gaps, state.start_positions, state.inverse_mass);
    const double dt          = state.dt;
    const Tensor<1, dim> n   = collision.normal;
    const Tensor<1, dim> v   = collision.weighted_sum(state.velocities);
    const Tensor<1, dim> a   = collision.weighted_sum(state.accelerations);
    const Tensor<2, dim> C   = state.inverse_mass.effective(collision);
    const double restitution = settings.restitution.of(collision.bodies);
    const double least_gap =
      std::min(collision.least_gap, collision.start_gap + dt * v.norm());
    const double target = safe_gap(collision,
                                   least_gap,
                                   settings.slack,
                                   restitution < 1. ? lift_without_bounce : 1.,
                                   -dt * dt * (n * a));

    NormalMotion motion;
    motion.now    = n * v;
    motion.before = motion.now - dt * (n * a);
    const double start =
      collision.start_gap +
      curvature(collision, dt * motion.now, state.inverse_mass);
    motion.least        = (least_gap - start) / dt;
    motion.safe         = (target - start) / dt;
    motion.inverse_mass = product(n, C, n);
    motion.debt         = 0.;
    for (const unsigned int node : collision.nodes)
      motion.debt += state.debts[node];

    const double after = motion.after(restitution);
    const Tensor<1, dim> stick =
      stick_velocity(collision.weighted_sum(state.predicted_velocities) -
                       dt * a,
                     v,
                     n);
    const PairImpulse<dim> pair =
      impulse_for(C,
                  n,
                  v,
                  after,
                  settings.friction_of(collision.bodies, dt),
                  v - 0.5 * dt * a,
                  stick);
    if (pair.status != ContactStatus::open)
      settle_debts(collision, motion.debt, motion.loss(after), state);
    apply_impulse(collision, pair, ImpulseTime::start, state);
    if (pair.status != ContactStatus::open && restitution < 1. &&
        after == motion.safe)
      {
        const double impulse = pair.impulse * n;
        state.held_pairs.push_back({collision,
                                    after,
                                    stick,
                                    motion.inverse_mass,
                                    impulse,
                                    pair.impulse - impulse * n,
                                    pair.status});
      }
    return pair;
  }



  namespace
  {
    /** Sweeps over all pairs of a pass at most, and changes of impulses that
     * are not worth another one. */
    constexpr unsigned int max_sweeps = 50;
    constexpr double negligible       = 1e-6;

    /** Of more pairs that share nodes, each knows the others as they are: there
     * are too many for few sweeps to let them agree, and too many nodes for a
     * single superfluous impulse to matter. */
    constexpr unsigned int largest_group = 64;



    /** The pairs in groups that are small enough. */
    template <int dim>
    std::vector<HeldPair<dim> *>
    pairs_in_small_groups(ContactState<dim> &state)
    {
      NodeGroups groups(state.start_positions.size());
      std::vector<unsigned int> members; // a node with a mass of each pair
      for (const HeldPair<dim> &held : state.held_pairs)
        {
          std::vector<unsigned int> nodes;
          for (const unsigned int node : held.collision.nodes)
            if (state.inverse_mass.is_of_body(node))
              nodes.push_back(node);
          groups.join(nodes);
          members.push_back(nodes.front());
        }
      std::map<unsigned int, unsigned int> sizes;
      for (const unsigned int node : members)
        ++sizes[groups.group_of(node)];
      std::vector<HeldPair<dim> *> result;
      for (unsigned int k = 0; k < members.size(); ++k)
        {
          const unsigned int size = sizes[groups.group_of(members[k])];
          if (size > 1 && size <= largest_group)
            result.push_back(&state.held_pairs[k]);
        }
      return result;
    }



    /** The friction of a pair with the normal impulse that it has now. */
    template <int dim>
    Tensor<1, dim>
    friction_of(const PointFriction &friction,
                HeldPair<dim> &held,
                const Tensor<1, dim> &velocity)
    {
      const Tensor<1, dim> &n = held.collision.normal;
      Tensor<1, dim> sliding  = velocity - held.stick_velocity;
      sliding -= (sliding * n) * n;
      const Tensor<1, dim> stopping =
        held.friction - sliding / held.inverse_mass;
      const double size = stopping.norm(), speed = sliding.norm();
      held.status = ContactStatus::stick;
      if (size <= friction.holding_limit(held.impulse, speed))
        return stopping;
      held.status = ContactStatus::slip;
      return std::min(1., friction.limit(held.impulse, speed) / size) *
             stopping;
    }



    /** Whether its impulse had to change. */
    template <int dim>
    bool
    ease(const PassSettings &settings,
         HeldPair<dim> &held,
         ContactState<dim> &state)
    {
      const Collision<dim> &collision = held.collision;
      const Tensor<1, dim> &n         = collision.normal;
      const Tensor<1, dim> v = collision.weighted_sum(state.velocities);
      const double change =
        std::max((held.velocity - n * v) / held.inverse_mass, -held.impulse);
      held.impulse += change;
      Tensor<1, dim> impulse = change * n;

      const PointFriction friction =
        settings.friction_of(collision.bodies, state.dt);
      if (friction.acts())
        {
          const Tensor<1, dim> now = friction_of(friction, held, v);
          impulse += now - held.friction;
          held.friction = now;
        }
      push(collision, impulse, held.status, ImpulseTime::start, state);
      return impulse.norm() > negligible * held.impulse;
    }
  } // namespace



  template <int dim>
  void
  ease_pairs(const PassSettings &settings, ContactState<dim> &state)
  {
    if (state.held_pairs.size() < 2)
      return;
    const auto pairs = pairs_in_small_groups(state);
    bool changed     = true;
    for (unsigned int n = 0; n < max_sweeps && changed; ++n)
      {
        changed = false;
        for (HeldPair<dim> *const held : pairs)
          changed = ease(settings, *held, state) || changed;
      }
  }



  template PairImpulse<2>
  deflect_pair(const Collision<2> &, const PassSettings &, ContactState<2> &);
  template void
  ease_pairs(const PassSettings &, ContactState<2> &);
  template void
  ease_pairs(const PassSettings &, ContactState<3> &);
  template PairImpulse<3>
  deflect_pair(const Collision<3> &, const PassSettings &, ContactState<3> &);
} // namespace Ricochet
