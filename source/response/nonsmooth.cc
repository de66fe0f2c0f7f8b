// SPDX-License-Identifier: LGPL-2.1-or-later

#include "nonsmooth.h"

#include <ricochet/base/error.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/rigid_nodes.h>
#include <ricochet/projection/energy_restoration.h>
#include <ricochet/projection/group_impulses.h>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  template <int dim>
  void
  NonsmoothResponse<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    prm.declare_entry(
      "Exact angular momentum",
      "false",
      dealii::Patterns::Bool(),
      "Whether contact forces have the directions of the gaps in the middle of "
      "the step, instead of those at its end: then they keep the angular "
      "momentum to round-off instead of to first order in the step, but the "
      "projection is no longer the closest point. Units: None.");
    prm.declare_entry(
      "Most gaps by columns",
      "1000",
      dealii::Patterns::Integer(0),
      "In steps of an implicit integrator: groups of bodies with more gaps that "
      "may close are solved as saddle point problems, in memory that grows with "
      "the number of gaps. For smaller ones the flexibility of bodies is found "
      "between all nodes in contact, which takes memory that grows with the "
      "square, and mostly less time. Units: None.");
    prm.declare_entry(
      "Stop ringing",
      "false",
      dealii::Patterns::Bool(),
      "Whether features that stay pressed against each other in steps of an "
      "implicit integrator get the velocities of an inelastic contact, instead "
      "of ones that turn round in each step while they stay where they are. "
      "Bodies then come to rest, and the energy of that motion is lost. Only "
      "with a lumped mass. Units: None.");
    prm.declare_entry(
      "Energy restoration",
      "false",
      dealii::Patterns::Bool(),
      "Whether contacts that close push on until they have given back the "
      "energy that their forces took, as in the energy-momentum method of "
      "Love and Laursen (2003), equation (74): impacts are then elastic. Only "
      "with a lumped mass and without obstacles. Units: None.");
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::parse_parameters(dealii::ParameterHandler &prm)
  {
    gaps.set_directions_of_middle(prm.get_bool("Exact angular momentum"));
    gaps.set_most_by_columns(prm.get_integer("Most gaps by columns"));
    energy_restoration       = prm.get_bool("Energy restoration");
    const bool stops_ringing = prm.get_bool("Stop ringing");
    require(!energy_restoration || !stops_ringing,
            "Contact: 'Energy restoration' and 'Stop ringing' of the response "
            "'nonsmooth' are both true, but what rings loses its energy. Set "
            "one of them to false.");
    gaps.set_stops_ringing(stops_ringing);
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::check(const PassSettings &settings) const
  {
    require(settings.friction.largest() == 0.,
            "Contact: the response 'nonsmooth' has no friction, and 'Friction "
            "coefficient' or 'Friction of pairs' is not zero. Set them to 0 or "
            "leave them out, or use 'Response = dcr' or 'barycentric'.");
    require(settings.restitution.smallest() == 1.,
            "Contact: the restitution of the response 'nonsmooth' follows from "
            "its projection. Leave 'Restitution' at 1 and 'Restitution of "
            "pairs' out, or use 'Response = dcr' or 'barycentric'.");
  }



  template <int dim>
  bool
  NonsmoothResponse<dim>::correct(const Surface<dim> &surface,
                                  const std::vector<Encounter> &encounters,
                                  const PassSettings &settings,
                                  ContactState<dim> &state)
  {
    if (!state.has_acted())
      gaps.clear(settings.delta);
    if (!gaps.add(surface, encounters, settings, state))
      return false;

    gaps.project(surface, state.inverse_mass, state);
    take_back(state);
    apply(state);
    return true;
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::take_back(ContactState<dim> &state) const
  {
    const unsigned int n_passes = state.record.n_passes;
    state.clear_response();
    go_to_start_of_rigid_bodies(state);
    state.end_positions   = state.predicted_positions;
    state.velocities      = state.predicted_velocities;
    state.record.n_passes = n_passes;
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::apply(ContactState<dim> &state) const
  {
    const AdmissibleProjection<dim> &projection = gaps.get_projection();
    const auto &constraints                     = projection.get_constraints();
    GroupImpulses<dim> impulses(constraints, state);
    for (unsigned int k = 0; k < constraints.size(); ++k)
      {
        const Collision<dim> &collision = constraints[k].collision;
        const double impulse            = constraints[k].multiplier / state.dt;
        note_handled(projection.kind_of(k), collision, state);
        if (!impulses.gains(collision)) // else left to the guarantee
          push_along(collision, impulse, ImpulseTime::start, state);
      }
    // When all are where they will be.
    straighten_rigid_bodies(state);
    go_to_end_of_rigid_bodies(state);
    impulses.look_at_end(constraints, state);
    for (const GapConstraint<dim> &c : constraints)
      if (!impulses.gains(c.collision))
        push_along(c.collision,
                   impulses.share_at_end(c.collision) * c.multiplier / state.dt,
                   ImpulseTime::end,
                   state);
    state.record.restitution_loss = impulses.loss();
  }



  template <int dim>
  void
  NonsmoothResponse<dim>::update_velocities(const Surface<dim> &surface,
                                            ContactState<dim> &state)
  {
    // The work is that of the impulses on the mean velocity of the step: with
    // it the energy that explicit Newmark keeps, K + U - dt^2/8 a.Ma, changes,
    // where the displacement of the step would miss dt^2/4 F.(a_n+1 - a_n).
    std::vector<double> work;
    for (const GapConstraint<dim> &c : gaps.get_projection().get_constraints())
      {
        const Tensor<1, dim> v_begin =
          c.collision.weighted_sum(state.predicted_velocities) -
          0.5 * state.dt * c.collision.weighted_sum(state.accelerations);
        work.push_back(
          c.multiplier / state.dt *
          (c.collision.normal *
           (v_begin + c.collision.weighted_sum(state.velocities))));
      }
    restore_energy(gaps.get_projection().at(surface, state.end_positions),
                   work,
                   state);
  }



  template <int dim>
  std::vector<std::pair<std::string, double>>
  NonsmoothResponse<dim>::numbers() const
  {
    return gaps.numbers();
  }



  RICOCHET_REGISTER_CONTACT_CORRECTION(
    NonsmoothResponse,
    "nonsmooth",
    "Nonsmooth contact (Kane, Repetto, Ortiz and Marsden, 1999): the "
    "closest-point projection of the predictor onto the configurations without "
    "overlap, by sequential quadratic programming; without friction, explicit.")
} // namespace Ricochet
