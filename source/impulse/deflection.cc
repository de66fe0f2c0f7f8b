// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/deflection.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/rigid_nodes.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** See speed_at_rest(). */
    constexpr double steps_at_rest = 4.;



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

      /** Length of the step. */
      double dt;

      /** Energy that its nodes are to give back. */
      double debt;

      /** dt n . a, and the gap from which the pair closes on; both 0 if it is
       * taken to collide where it is. */
      double change = 0., height = 0.;

      /** Whether a pair without a rebound stops where it is, as the limit of
       * small ones, and not at the least gap. */
      bool stops = false;

      /** Slower than this there is no rebound with e < 1. */
      double at_rest = 0.;

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
        if (at_rest > 0. && std::abs(before) <= at_rest)
          return safe;
        if (before > 0.)
          return std::max(safe, least - restitution * (before + least));
        return restitution > 0. || stops ? std::max(safe, rebound(restitution))
                                         : safe;
      }

      /** With the law of restitution at the gap 0 instead of where the pair is:
       * the velocity to be where the rebound would pass. */
      double
      rebound(const double restitution) const
      {
        if (!(height > 0.))
          return -restitution * before;
        const double begin  = 0.5 * (before + now);
        const double gained = -2. * change / dt * height;
        const double square =
          restitution * restitution * (begin * begin + gained) - gained;
        return square >= 0. ? std::sqrt(square) + 0.5 * change : safe;
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



    /** Whether the pair meets, faster than at rest, without what contact does
     * in this step. */
    template <int dim>
    bool
    collides(const Collision<dim> &collision,
             const double least_gap,
             const double at_rest,
             const ContactState<dim> &state)
    {
      const double speed = -(
        collision.normal * collision.weighted_sum(state.predicted_velocities));
      return speed > at_rest &&
             state.dt * speed > collision.start_gap - least_gap;
    }



    /**
     * The impulse of a pair of rigid bodies after which it has the normal
     * velocity @p after, or as much of it as does not give energy: where an
     * impulse along the surface turns bodies against each other, Newton's
     * restitution with friction may do so.
     */
    template <int dim, typename ImpulseFor, typename WithoutFriction>
    PairImpulse<dim>
    without_gain(const ImpulseFor &impulse_for,
                 const WithoutFriction &without_friction,
                 const double least_after,
                 double &after)
    {
      const PairImpulse<dim> pair = impulse_for(after);
      const double allowed        = std::min(0., pair.restitution_loss);
      const auto gains            = [&](const PairImpulse<dim> &p) {
        return p.restitution_loss + p.friction_loss <
               allowed - 1e-14 * std::abs(p.friction_loss);
      };
      if (!gains(pair))
        return pair;
      if (gains(impulse_for(least_after)))
        return without_friction(after);
      double most = after;
      after       = least_after;
      for (unsigned int n = 0; n < 50; ++n)
        {
          const double middle                         = 0.5 * (after + most);
          (gains(impulse_for(middle)) ? most : after) = middle;
        }
      return impulse_for(after);
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



    /** deflect_pair() of a pair with one contact point for both sides. */
    template <int dim>
    PairImpulse<dim>
    deflect(const Collision<dim> &collision,
            const PassSettings &settings,
            ContactState<dim> &state)
    {
      const double dt          = state.dt;
      const Tensor<1, dim> n   = collision.normal;
      const Tensor<1, dim> v   = collision.weighted_sum(state.velocities);
      const Tensor<1, dim> a   = collision.weighted_sum(state.accelerations);
      const Tensor<2, dim> C   = state.inverse_mass.effective(collision);
      const double restitution = settings.restitution.of(collision.bodies);
      const double least_gap =
        std::min(collision.least_gap, collision.start_gap + dt * v.norm());
      const double target =
        safe_gap(collision,
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
      motion.dt           = dt;
      motion.debt         = 0.;
      const bool rigid    = cannot_deform(collision, state.inverse_mass);
      if (rigid)
        {
          motion.change  = dt * (n * a);
          motion.height  = collision.start_gap;
          motion.at_rest = speed_at_rest(collision, state);
          motion.stops = collides(collision, least_gap, motion.at_rest, state);
        }
      for (const unsigned int node : collision.nodes)
        motion.debt += state.debts[node];

      double after = motion.after(restitution);
      const Tensor<1, dim> stick =
        stick_velocity(collision.weighted_sum(state.predicted_velocities) -
                         dt * a,
                       v,
                       n);
      const auto impulse_by = [&](const PointFriction &friction) {
        return [&, friction](const double velocity) {
          return impulse_for(C,
                             n,
                             v,
                             velocity,
                             friction,
                             v - 0.5 * dt * a,
                             stick);
        };
      };
      const auto friction = settings.friction_of(collision.bodies, dt);
      const double rest   = std::max(motion.safe, 0.);
      const PairImpulse<dim> pair =
        rigid && friction.acts() && after > rest
          ? without_gain<dim>(impulse_by(friction), impulse_by(0.), rest, after)
          : impulse_by(friction)(after);
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
  } // namespace



  template <int dim>
  PairImpulse<dim>
  deflect_pair(const Collision<dim> &gaps,
               const PassSettings &settings,
               ContactState<dim> &state)
  {
    return state.inverse_mass.coupled_sets().empty()
             ? deflect(gaps, settings, state)
             : deflect(with_common_point(gaps,
                                         state.start_positions,
                                         state.inverse_mass),
                       settings,
                       state);
  }



  template <int dim>
  double
  speed_at_rest(const Collision<dim> &collision, const ContactState<dim> &state)
  {
    std::array<Tensor<1, dim>, 2> a;
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      a[collision.weights[i] > 0. ? 0 : 1] +=
        collision.weights[i] * state.accelerations[collision.nodes[i]];
    return steps_at_rest * state.dt * (a[0].norm() + a[1].norm());
  }



  template double
  speed_at_rest(const Collision<2> &, const ContactState<2> &);
  template double
  speed_at_rest(const Collision<3> &, const ContactState<3> &);
  template PairImpulse<2>
  deflect_pair(const Collision<2> &, const PassSettings &, ContactState<2> &);
  template PairImpulse<3>
  deflect_pair(const Collision<3> &, const PassSettings &, ContactState<3> &);
} // namespace Ricochet
