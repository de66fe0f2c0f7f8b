// SPDX-License-Identifier: LGPL-2.1-or-later

// What contact does in implicit steps that keep gaps open.

#include <ricochet/base/stopwatch.h>
#include <ricochet/contact.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/projection/energy_restoration.h>
#include <ricochet/projection/ringing.h>
#include <ricochet/projection/step_gaps.h>
#include <ricochet/projection/surface_flexibility.h>

#include <algorithm>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** Ways are halved so often at most. */
    constexpr unsigned int max_halvings = 6;
  } // namespace



  template <int dim>
  void
  Contact<dim>::begin_gaps(const ContactStep &step,
                           const Motion &start,
                           const bool by_iterates)
  {
    AssertThrow(gives_gaps(),
                ExcMessage("Contact::begin_gaps() is for a response that gives "
                           "gaps."));
    begin_step(step);
    start_of_step    = step.start;
    goes_by_iterates = by_iterates && obstacles.get().empty();
    gather_start(start);
    update_ignored();
    correction->step_gaps()->clear(settings.pass.delta, false);
    correction->step_gaps()->linearize_from(state.start_positions);
  }



  template <int dim>
  bool
  Contact<dim>::is_reachable()
  {
    is_reached_by_parts = settling.any_blocked(pairs, state);
    return !is_reached_by_parts || is_reachable(state.start_positions,
                                                state.end_positions,
                                                0.,
                                                1.,
                                                max_halvings);
  }



  template <int dim>
  bool
  Contact<dim>::is_reachable(const std::vector<Point<dim>> &from,
                             const std::vector<Point<dim>> &to,
                             const double begin,
                             const double end,
                             const unsigned int n_halvings)
  {
    if (begin > 0. || end < 1.)
      {
        ContactState<dim> part;
        part.start_positions = from;
        part.end_positions   = to;
        part.resize(from.size());
        part.dt = (end - begin) * state.dt;
        obstacles.begin_part(start_of_step + begin * state.dt, part);
        std::vector<Encounter> on_part;
        settling.detect(part, on_part);
        const bool is_free = !settling.any_blocked(on_part, part);
        obstacles.end_part(start_of_step, state);
        if (is_free)
          return true;
      }
    if (n_halvings == 0)
      return false;
    std::vector<Point<dim>> straight(to), middle;
    for (unsigned int node = 0; node < to.size(); ++node)
      straight[node] = from[node] + 0.5 * (to[node] - from[node]);
    auto projection = correction->step_gaps()->get_projection();
    projection.project(surface, state.inverse_mass, straight, nullptr, middle);
    const double half = 0.5 * (begin + end);
    return is_reachable(from, middle, begin, half, n_halvings - 1) &&
           is_reachable(middle, to, half, end, n_halvings - 1);
  }



  template <int dim>
  bool
  Contact<dim>::open_gaps(const ConstVectors &predictor, StepMatrix &matrix)
  {
    exchange.gather({{predictor, state.predicted_positions}});
    state.end_positions = state.predicted_positions;
    StepGaps<dim> &gaps = *correction->step_gaps();
    gaps.forget_idle(surface);
    SurfaceFlexibility<dim> surface_flexibility(nodes,
                                                body_of_node,
                                                exchange,
                                                communicator,
                                                matrix,
                                                gaps.get_most_by_columns());
    const auto &constraints  = gaps.get_projection().get_constraints();
    const auto move_to_place = [&]() {
      Stopwatch watch(settling.response_time);
      const bool is_open =
        gaps.project(surface, surface_flexibility.get(), state);
      state.end_positions = state.predicted_positions;
      surface_flexibility.move(constraints, state.end_positions);
      return is_open;
    };
    bool is_open      = constraints.empty() || move_to_place();
    PassSettings pass = settings.pass;
    for (unsigned int n = 0; n < settings.max_passes; ++n)
      {
        settling.detect(state, pairs);
        using Known = typename StepGaps<dim>::Known;
        if (!gaps.add(surface, pairs, pass, state, Known::leave))
          {
            if (is_open && is_reachable())
              {
                if (goes_by_iterates)
                  state.start_positions = state.end_positions;
                return true;
              }
            if (!gaps.add(surface, pairs, pass, state, Known::widen) &&
                !gaps.keep_apart(surface, pairs, pass, state))
              return false;
          }
        ++state.record.n_passes;
        is_open = move_to_place();
        pass.widen(settings.pass);
      }
    return false;
  }



  template <int dim>
  double
  Contact<dim>::add_gap_forces(const Vectors &sum) const
  {
    double largest = 0.;
    std::vector<Tensor<1, dim>> forces(state.end_positions.size());
    for (const GapConstraint<dim> &gap :
         correction->step_gaps()->get_projection().get_constraints())
      {
        largest = std::max(largest, gap.multiplier);
        for (unsigned int i = 0; i < gap.collision.nodes.size(); ++i)
          forces[gap.collision.nodes[i]] +=
            gap.multiplier * gap.collision.weights[i] * gap.collision.normal;
      }
    exchange.add(forces, sum);
    return largest;
  }



  template <int dim>
  double
  Contact<dim>::missing_gaps(const ConstVectors &positions) const
  {
    const auto &projection = correction->step_gaps()->get_projection();
    if (projection.get_constraints().empty())
      return 0.;
    auto there = state.end_positions; // those of obstacles stay
    exchange.gather({{positions, there}});
    return projection.shortfall(surface, there);
  }



  template <int dim>
  bool
  Contact<dim>::may_end_at(const ConstVectors &positions)
  {
    exchange.gather({{positions, state.end_positions}});
    if (!settings.guarantee)
      return true;
    settling.detect(state, pairs);
    return is_reachable();
  }



  template <int dim>
  const ContactRecord &
  Contact<dim>::accept_gaps(const double share, const Vectors &velocities)
  {
    Stopwatch watch(settling.response_time);
    n_steps_by_parts += is_reached_by_parts ? 1 : 0;
    n_steps_by_iterates += goes_by_iterates ? 1 : 0;
    share_of_gaps = share;
    if (goes_by_iterates)
      state.start_positions = correction->step_gaps()->start_of_step();
    correction->step_gaps()->find_pressed(surface, state);
    exchange.gather({{velocities, state.velocities}});
    const auto &projection = correction->step_gaps()->get_projection();
    const auto &gaps       = projection.get_constraints();
    double work            = 0.;
    for (unsigned int k = 0; k < gaps.size(); ++k)
      {
        const Collision<dim> &collision = gaps[k].collision;
        const double force              = share * gaps[k].multiplier;
        if (!(force > 0.))
          continue;
        note_handled(projection.kind_of(k), collision, state);
        push_along(collision, force * state.dt, ImpulseTime::end, state);
        work += force * (collision.normal *
                         (collision.weighted_sum(state.end_positions) -
                          collision.weighted_sum(state.start_positions)));
      }
    // That is what forces change in the energy of the step, not what their
    // impulses, at the end alone, would.
    state.record.restitution_loss = std::max(0., -work);
    if (apply_inverse_mass)
      add_response(state.impulses, velocities);
    else
      exchange.scatter(state.velocities, velocities);
    finish_step();
    return state.record;
  }



  template <int dim>
  void
  Contact<dim>::restore_energy_of_gaps()
  {
    // A consistent mass moves more than the surface.
    if (apply_inverse_mass)
      return;
    const StepGaps<dim> &step_gaps = *correction->step_gaps();
    const auto all =
      step_gaps.get_projection().at(surface, state.end_positions);
    std::vector<GapConstraint<dim>> gaps, pressed;
    std::vector<double> works;
    double work = 0.;
    for (unsigned int k = 0; k < all.size(); ++k)
      {
        GapConstraint<dim> gap = all[k];
        gap.multiplier *= share_of_gaps * state.dt; // the impulse
        const double of_gap =
          gap.multiplier / state.dt *
          (gap.collision.normal *
           (gap.collision.weighted_sum(state.end_positions) -
            gap.collision.weighted_sum(state.start_positions)));
        work += of_gap;
        if (step_gaps.is_pressed(k))
          pressed.push_back(gap);
        else
          {
            gaps.push_back(gap);
            works.push_back(of_gap);
          }
      }
    state.record.restitution_loss = 0.;
    if (restores_energy())
      restore_energy(gaps, works, state);
    else
      take_back_gains(gaps, works, state);
    stop_ringing(pressed, state);
    work -= state.record.restitution_loss;
    state.record.restitution_loss = std::max(0., -work);
    finish_step();
  }



#define RICOCHET_INSTANTIATE(dim)                                            \
  template void Contact<dim>::begin_gaps(const ContactStep &,                \
                                         const Motion &,                     \
                                         const bool);                        \
  template bool Contact<dim>::open_gaps(const ConstVectors &, StepMatrix &); \
  template double Contact<dim>::add_gap_forces(const Vectors &) const;       \
  template double Contact<dim>::missing_gaps(const ConstVectors &) const;    \
  template bool Contact<dim>::may_end_at(const ConstVectors &);              \
  template void Contact<dim>::restore_energy_of_gaps();                      \
  template const ContactRecord &Contact<dim>::accept_gaps(const double,      \
                                                          const Vectors &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
