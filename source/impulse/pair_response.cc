// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/moment.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/rigid_nodes.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /**
     * The change of angular momentum when the nodes move by M^-1 w @p shift;
     * those with prescribed motion stay. A rigid body keeps its momentum and
     * that about its centre.
     */
    template <int dim>
    Tensor<1, 3>
    moment_of_shift(const Collision<dim> &collision,
                    const Tensor<1, dim> &shift,
                    const ContactState<dim> &state)
    {
      Tensor<1, 3> sum;
      for (unsigned int i = 0; i < collision.nodes.size(); ++i)
        {
          const unsigned int node           = collision.nodes[i];
          const Tensor<2, dim> inverse_mass = state.inverse_mass.of_node(node);
          Tensor<1, dim> share;
          if (const auto *const body = state.inverse_mass.rigid_body_of(node))
            {
              for (unsigned int d = 0; d < dim; ++d)
                if (!body->motion().holds_velocity[d])
                  share[d] = collision.weights[i] * shift[d];
              sum += moment(share, body->velocity_of_centre(state.velocities));
              continue;
            }
          for (unsigned int d = 0; d < dim; ++d)
            if (inverse_mass[d][d] > 0.)
              share[d] = collision.weights[i] * shift[d];
          sum += moment(share, state.velocities[node]);
        }
      return sum;
    }



    /**
     * What positions of points at rest are moved apart by at least when they
     * are too close, relative to the detection distance: more than 1, or they
     * would be found again; and by how much more from pass to pass.
     */
    constexpr double least_clearance = 1.01, least_clearance_growth = 10.;
  } // namespace



  template <int dim>
  void
  shift_pair(const Collision<dim> &collision,
             const Tensor<1, dim> &shift,
             ContactState<dim> &state)
  {
    state.record.angular_momentum_change +=
      moment_of_shift(collision, shift, state);
    state.inverse_mass.apply(collision, shift, state.end_positions);
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      state.position_impulses[collision.nodes[i]] +=
        collision.weights[i] * shift;
  }



  template <int dim>
  Collision<dim>
  side_of(const Collision<dim> &collision, const unsigned int side)
  {
    Collision<dim> result = collision;
    result.nodes.clear();
    result.weights.clear();
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      if ((collision.weights[i] > 0.) == (side == 0))
        {
          result.nodes.push_back(collision.nodes[i]);
          result.weights.push_back(collision.weights[i]);
        }
    return result;
  }



  template <int dim>
  Tensor<1, dim>
  separate_pair(const Collision<dim> &collision,
                const PassSettings &settings,
                const MovingSide moving,
                ContactState<dim> &state)
  {
    const Tensor<1, dim> n = collision.normal;
    const double target    = std::clamp(collision.start_gap,
                                     std::min(least_clearance * settings.eta *
                                                std::pow(least_clearance_growth,
                                                         state.record.n_passes),
                                              settings.delta) *
                                       collision.length,
                                     settings.delta * collision.length);
    const double distance =
      target - n * collision.weighted_sum(state.end_positions);
    if (!(distance > 0.))
      return {};

    const auto move = [&](const Collision<dim> &moved) {
      const Tensor<2, dim> C = state.inverse_mass.effective(moved);
      const double C_nn      = product(n, C, n);
      if (!(C_nn > 0.))
        return Tensor<1, dim>();
      const Tensor<1, dim> shift = distance / C_nn * n;
      shift_pair(moved, shift, state);
      return shift;
    };
    if (moving == MovingSide::first)
      {
        const Tensor<1, dim> shift = move(side_of(collision, 0));
        if (shift.norm_square() > 0.)
          return shift;
      }
    return move(collision);
  }



  template <int dim>
  std::array<Point<dim>, 2>
  places_of(const Collision<dim> &collision,
            const std::vector<Point<dim>> &positions,
            const InverseMass<dim> &inverse_mass)
  {
    const auto &nodes   = collision.nodes;
    const auto &weights = collision.weights;
    // The nodes of a rigid body are all on one side, whatever their weights.
    const auto side = [&](const unsigned int i) {
      double weight          = weights[i];
      const auto *const body = inverse_mass.rigid_body_of(nodes[i]);
      for (unsigned int j = 0; body != nullptr && j < nodes.size(); ++j)
        if (j != i && inverse_mass.rigid_body_of(nodes[j]) == body)
          weight += weights[j];
      return weight > 0. ? 0 : 1;
    };
    std::array<Tensor<1, dim>, 2> sums;
    std::array<double, 2> shares{{0., 0.}};
    for (unsigned int i = 0; i < nodes.size(); ++i)
      {
        const unsigned int s = side(i);
        sums[s] += weights[i] * Tensor<1, dim>(positions[nodes[i]]);
        shares[s] += weights[i];
      }
    std::array<Point<dim>, 2> places{
      {Point<dim>(sums[0] / shares[0]), Point<dim>(sums[1] / shares[1])}};
    if (const auto obstacle = side_of_obstacle(collision, inverse_mass))
      places[*obstacle] = places[1 - *obstacle];
    return places;
  }



  template <int dim>
  void
  note_impulse(const Collision<dim> &collision,
               const Tensor<1, dim> &impulse,
               const std::array<Point<dim>, 2> &places,
               const double time,
               const ContactStatus status,
               ContactLog<dim> &log)
  {
    log.point_impulses.push_back({collision.bodies,
                                  collision.vertices,
                                  collision.vertex_weights,
                                  impulse,
                                  places,
                                  impulse * collision.normal,
                                  time,
                                  status});
  }



  template <int dim>
  void
  apply_impulse(const Collision<dim> &collision,
                const PairImpulse<dim> &pair,
                const ImpulseTime time,
                ContactState<dim> &state)
  {
    if (pair.status == ContactStatus::open)
      return;
    const bool at_start = time == ImpulseTime::start;
    const auto &positions =
      at_start ? state.start_positions : state.end_positions;
    if (state.notes_points)
      note_impulse(collision,
                   pair.impulse,
                   places_of(collision, positions, state.inverse_mass),
                   at_start ? 0. : 1.,
                   pair.status,
                   state);
    const Tensor<1, 3> change =
      moment(collision.weighted_sum(positions), pair.impulse);
    if (const auto obstacle = side_of_obstacle(collision, state.inverse_mass))
      state.couples[collision.bodies[*obstacle]] -= change;
    else
      state.record.angular_momentum_change += change;
    if (at_start)
      {
        const Tensor<1, dim> shift = state.dt * pair.impulse;
        state.inverse_mass.apply(collision, shift, state.end_positions);
        for (unsigned int i = 0; i < collision.nodes.size(); ++i)
          state.position_impulses[collision.nodes[i]] +=
            collision.weights[i] * shift;
      }
    state.record.restitution_loss += pair.restitution_loss;
    state.record.friction_loss += pair.friction_loss;
    state.inverse_mass.apply(collision, pair.impulse, state.velocities);
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      {
        const unsigned int node = collision.nodes[i];
        state.impulses[node] += collision.weights[i] * pair.impulse;
        state.normal_impulses[node] +=
          std::abs(collision.weights[i]) * (pair.impulse * collision.normal);
        state.status[node] = pair.status;
      }
  }



  template <int dim>
  void
  push(const Collision<dim> &gaps,
       const Tensor<1, dim> &impulse,
       const ContactStatus status,
       const ImpulseTime time,
       ContactState<dim> &state)
  {
    const Collision<dim> collision =
      with_common_point(gaps,
                        time == ImpulseTime::start ? state.start_positions
                                                   : state.end_positions,
                        state.inverse_mass);
    Tensor<1, dim> v = collision.weighted_sum(state.velocities);
    if (time == ImpulseTime::start)
      v -= 0.5 * state.dt * collision.weighted_sum(state.accelerations);
    const Tensor<2, dim> C = state.inverse_mass.effective(collision);
    const auto loss        = [&](const Tensor<1, dim> &j) {
      return -(j * v + 0.5 * product(j, C, j));
    };
    PairImpulse<dim> pair;
    pair.status  = status;
    pair.impulse = impulse;
    pair.restitution_loss =
      loss((impulse * collision.normal) * collision.normal);
    pair.friction_loss = loss(impulse) - pair.restitution_loss;
    apply_impulse(collision, pair, time, state);
  }



  template <int dim>
  void
  push_node(const unsigned int node,
            const Tensor<1, dim> &impulse,
            ContactState<dim> &state)
  {
    const Tensor<2, dim> inverse_mass = state.inverse_mass.of_node(node);
    Tensor<1, dim> &velocity          = state.velocities[node];
    for (unsigned int d = 0; d < dim; ++d)
      {
        const double change = inverse_mass[d][d] * impulse[d];
        state.record.friction_loss -= impulse[d] * (velocity[d] + 0.5 * change);
        velocity[d] += change;
      }
    state.impulses[node] += impulse;
    state.record.angular_momentum_change +=
      moment(Tensor<1, dim>(state.end_positions[node]), impulse);
  }



  template <int dim>
  PairImpulse<dim>
  push_pair(const Collision<dim> &gaps,
            const PassSettings &settings,
            ContactState<dim> &state)
  {
    const Collision<dim> collision =
      with_common_point(gaps, state.end_positions, state.inverse_mass);
    const PairImpulse<dim> pair =
      pair_impulse(state.inverse_mass.effective(collision),
                   collision.normal,
                   collision.weighted_sum(state.velocities),
                   settings.restitution.of(collision.bodies),
                   settings.friction_of(collision.bodies, state.dt));
    apply_impulse(collision, pair, ImpulseTime::end, state);
    return pair;
  }



  template <int dim>
  void
  note_handled(const PairKind kind,
               const Collision<dim> &collision,
               ContactState<dim> &state)
  {
    (kind == PairKind::edge_edge ? state.record.n_edge_edge
                                 : state.record.n_node_face) += 1;
    state.touched_nodes.insert(state.touched_nodes.end(),
                               collision.nodes.begin(),
                               collision.nodes.end());
    state.handled.push_back(collision);
  }



#define RICOCHET_INSTANTIATE(dim)                                              \
  template void shift_pair(const Collision<dim> &,                             \
                           const Tensor<1, dim> &,                             \
                           ContactState<dim> &);                               \
  template Collision<dim> side_of(const Collision<dim> &, const unsigned int); \
  template Tensor<1, dim> separate_pair(const Collision<dim> &,                \
                                        const PassSettings &,                  \
                                        const MovingSide,                      \
                                        ContactState<dim> &);                  \
  template std::array<Point<dim>, 2> places_of(                                \
    const Collision<dim> &,                                                    \
    const std::vector<Point<dim>> &,                                           \
    const InverseMass<dim> &);                                                 \
  template void note_impulse(const Collision<dim> &,                           \
                             const Tensor<1, dim> &,                           \
                             const std::array<Point<dim>, 2> &,                \
                             const double,                                     \
                             const ContactStatus,                              \
                             ContactLog<dim> &);                               \
  template void apply_impulse(const Collision<dim> &,                          \
                              const PairImpulse<dim> &,                        \
                              const ImpulseTime,                               \
                              ContactState<dim> &);                            \
  template void push(const Collision<dim> &,                                   \
                     const Tensor<1, dim> &,                                   \
                     const ContactStatus,                                      \
                     const ImpulseTime,                                        \
                     ContactState<dim> &);                                     \
  template void push_node(const unsigned int,                                  \
                          const Tensor<1, dim> &,                              \
                          ContactState<dim> &);                                \
  template PairImpulse<dim> push_pair(const Collision<dim> &,                  \
                                      const PassSettings &,                    \
                                      ContactState<dim> &);                    \
  template void note_handled(const PairKind,                                   \
                             const Collision<dim> &,                           \
                             ContactState<dim> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
