// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/held_pairs.h>
#include <ricochet/impulse/node_groups.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/rigid_nodes.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace Ricochet
{
  using dealii::Tensor;

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



    /** What pairs know of each other. */
    template <int dim>
    struct PairsToEase
    {
      /** Those in groups that are small enough. */
      std::vector<HeldPair<dim> *> few;

      /** Those in groups with rigid bodies, where each pushes all others of its
       * body, which may be many. */
      std::vector<HeldPair<dim> *> rigid;
    };



    template <int dim>
    PairsToEase<dim>
    find_pairs_to_ease(ContactState<dim> &state)
    {
      const unsigned int n_nodes = state.start_positions.size();
      NodeGroups groups(n_nodes);
      // A node with a mass of each pair, and then the group of that.
      std::vector<unsigned int> members, nodes;
      members.reserve(state.held_pairs.size());
      for (const HeldPair<dim> &held : state.held_pairs)
        {
          nodes.clear();
          for (const unsigned int node : held.collision.nodes)
            if (state.inverse_mass.is_of_body(node))
              nodes.push_back(node);
          groups.join(nodes);
          members.push_back(nodes.front());
        }
      std::vector<unsigned int> sizes(n_nodes, 0); // in pairs, by group
      std::vector<char> has_rigid_bodies(n_nodes, 0);
      for (unsigned int k = 0; k < members.size(); ++k)
        {
          members[k] = groups.group_of(members[k]);
          ++sizes[members[k]];
          for (const unsigned int node : state.held_pairs[k].collision.nodes)
            if (state.inverse_mass.rigid_body_of(node) != nullptr)
              has_rigid_bodies[members[k]] = 1;
        }
      PairsToEase<dim> result;
      for (unsigned int k = 0; k < members.size(); ++k)
        {
          const unsigned int group = members[k];
          if (has_rigid_bodies[group] != 0)
            result.rigid.push_back(&state.held_pairs[k]);
          else if (sizes[group] > 1 && sizes[group] <= largest_group)
            result.few.push_back(&state.held_pairs[k]);
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



    /** All that the pair got. */
    template <int dim>
    Tensor<1, dim>
    impulse_of(const HeldPair<dim> &held)
    {
      return held.impulse * held.collision.normal + held.friction;
    }



    /** Write down what all pairs got besides what they had @p before. */
    template <int dim>
    void
    note_changes(const std::vector<Tensor<1, dim>> &before,
                 ContactState<dim> &state)
    {
      for (unsigned int k = 0; k < before.size(); ++k)
        {
          const HeldPair<dim> &held    = state.held_pairs[k];
          const Tensor<1, dim> impulse = impulse_of(held) - before[k];
          if (impulse == Tensor<1, dim>())
            continue;
          const Collision<dim> collision =
            with_common_point(held.collision,
                              state.start_positions,
                              state.inverse_mass);
          note_impulse(collision,
                       impulse,
                       places_of(collision,
                                 state.start_positions,
                                 state.inverse_mass),
                       0.,
                       held.status,
                       state);
        }
    }



    /** Sweeps over pairs of rigid bodies at most; and where the impulses of the
     * last step need little change, relative to these, since there each sweep
     * leads closer to what lets all bodies rest, which flowing grains have
     * not. */
    constexpr unsigned int max_rigid_sweeps = 100, max_sweeps_at_rest = 500;
    constexpr double change_at_rest = 0.1;

    /** The change of all impulses together, relative to these, that is not
     * worth another sweep. */
    constexpr double negligible_rigid = 1e-9;



    /**
     * The impulses of pairs of groups with rigid bodies, which agree by sweeps
     * of projected Gauss-Seidel that are directions of a nonlinear conjugate
     * gradient method (Silcowitz-Hansen, Niebe and Erleben, 2010): through a
     * stack of bodies, sweeps alone carry a weight by one body each. Works on a
     * copy of the velocities.
     */
    template <int dim>
    class RigidPairs
    {
    public:
      RigidPairs(const PassSettings &settings,
                 const std::vector<HeldPair<dim> *> &held_pairs,
                 const ContactState<dim> &state)
        : inverse_mass(state.inverse_mass)
        , velocities(state.velocities)
      {
        for (HeldPair<dim> *const held : held_pairs)
          {
            Pair pair{held,
                      impulse_of(*held),
                      {},
                      inverse_mass.effective(held->collision),
                      0.,
                      settings.friction_of(held->collision.bodies, state.dt)};
            pair.impulse           = pair.start;
            const Tensor<1, dim> n = held->collision.normal;
            pair.tangential =
              trace(pair.C) - product(n, pair.C, n); // at least its norm
            pairs.push_back(pair);
          }
      }

      /** @param[in] begins Whether impulses are those that the last step ended
       * with. */
      void
      solve(const bool begins)
      {
        std::vector<Tensor<1, dim>> change(pairs.size()),
          direction(pairs.size());
        double last       = 0.;
        unsigned int most = max_rigid_sweeps;
        for (unsigned int n = 0; n < most; ++n)
          {
            double square = 0., size = 0.;
            for (unsigned int k = 0; k < pairs.size(); ++k)
              {
                change[k] = sweep(pairs[k]);
                square += pairs[k].held->inverse_mass * change[k].norm_square();
                size +=
                  pairs[k].held->inverse_mass * pairs[k].impulse.norm_square();
              }
            if (square <= negligible_rigid * negligible_rigid * size)
              return;
            if (n == 0 && begins &&
                square <= change_at_rest * change_at_rest * size)
              most = max_sweeps_at_rest;
            const double beta = n > 0 ? square / last : 2.;
            last              = square;
            // The last sweep is one that keeps all bounds.
            const bool goes_on = beta <= 1. && n + 1 < most;
            for (unsigned int k = 0; k < pairs.size(); ++k)
              {
                const Tensor<1, dim> more =
                  goes_on ? beta * direction[k] : Tensor<1, dim>();
                if (goes_on)
                  push(pairs[k], more);
                direction[k] = more + change[k];
              }
          }
      }

      /** Let the impulses act that are new. */
      void
      apply(ContactState<dim> &state)
      {
        for (Pair &pair : pairs)
          {
            const Tensor<1, dim> n = pair.held->collision.normal;
            pair.held->impulse     = pair.impulse * n;
            pair.held->friction    = pair.impulse - (pair.impulse * n) * n;
            Ricochet::push(pair.held->collision,
                           pair.impulse - pair.start,
                           pair.held->status,
                           ImpulseTime::start,
                           state);
          }
      }

    private:
      struct Pair
      {
        HeldPair<dim> *held;
        Tensor<1, dim> start, impulse;
        Tensor<2, dim> C;
        double tangential; // a bound of C along the surface
        PointFriction friction;
      };

      void
      push(Pair &pair, const Tensor<1, dim> &impulse)
      {
        pair.impulse += impulse;
        inverse_mass.apply(pair.held->collision, impulse, velocities);
      }

      /** What its impulse had to change by. */
      Tensor<1, dim>
      sweep(Pair &pair)
      {
        const HeldPair<dim> &held = *pair.held;
        const Tensor<1, dim> &n   = held.collision.normal;
        Tensor<1, dim> v          = held.collision.weighted_sum(velocities);
        const double j            = pair.impulse * n;
        const double more =
          std::max((held.velocity - n * v) / held.inverse_mass, -j);
        Tensor<1, dim> change = more * n;
        if (pair.friction.acts() && pair.tangential > 0.)
          {
            v += pair.C * change;
            const Tensor<1, dim> before = pair.impulse - j * n;
            Tensor<1, dim> sliding      = v - held.stick_velocity;
            sliding -= (sliding * n) * n;
            const Tensor<1, dim> stopping = before - sliding / pair.tangential;
            const double size = stopping.norm(), speed = sliding.norm();
            const bool sticks =
              size <= pair.friction.holding_limit(j + more, speed);
            pair.held->status =
              sticks ? ContactStatus::stick : ContactStatus::slip;
            change +=
              (sticks
                 ? 1.
                 : std::min(1., pair.friction.limit(j + more, speed) / size)) *
                stopping -
              before;
          }
        push(pair, change);
        return change;
      }

      const InverseMass<dim> &inverse_mass;
      std::vector<Tensor<1, dim>> velocities;
      std::vector<Pair> pairs;
    };
  } // namespace



  template <int dim>
  void
  ease_pairs(const PassSettings &settings, ContactState<dim> &state)
  {
    if (state.held_pairs.empty())
      return;
    const auto pairs = find_pairs_to_ease(state);
    if (pairs.few.empty() && pairs.rigid.empty())
      return;
    std::vector<Tensor<1, dim>> before;
    for (const HeldPair<dim> &held : state.held_pairs)
      before.push_back(impulse_of(held));
    state.notes_points = false;
    bool changed       = true;
    for (unsigned int n = 0; n < max_sweeps && changed; ++n)
      {
        changed = false;
        for (HeldPair<dim> *const held : pairs.few)
          changed = ease(settings, *held, state) || changed;
      }
    if (!pairs.rigid.empty())
      {
        RigidPairs<dim> rigid(settings, pairs.rigid, state);
        rigid.solve(state.record.n_passes == 0);
        rigid.apply(state);
      }
    state.notes_points = true;
    note_changes(before, state);
  }



  template <int dim>
  void
  share_losses(ContactState<dim> &state)
  {
    double friction = 0.;
    for (const HeldPair<dim> &held : state.held_pairs)
      {
        const auto &collision = held.collision;
        friction -=
          held.friction *
          (0.5 * (collision.weighted_sum(state.predicted_velocities) +
                  collision.weighted_sum(state.velocities) -
                  state.dt * collision.weighted_sum(state.accelerations)));
      }
    ContactRecord &record = state.record;
    record.restitution_loss += record.friction_loss - friction;
    record.friction_loss = friction;
  }



  template void
  ease_pairs(const PassSettings &, ContactState<2> &);
  template void
  ease_pairs(const PassSettings &, ContactState<3> &);
  template void
  share_losses(ContactState<2> &);
  template void
  share_losses(ContactState<3> &);
} // namespace Ricochet
