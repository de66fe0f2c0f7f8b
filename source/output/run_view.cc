// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/output/run_view.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  RunView<dim>::RunView(const TimeIntegrator<dim> &integrator,
                        const Solids<dim> &solids,
                        const Contact<dim> &contact,
                        const State &state,
                        const Balance &balance,
                        const Settings &settings)
    : integrator(integrator)
    , solids(solids)
    , contact(contact)
    , state(state)
    , balance(balance)
    , settings(settings)
  {}



  template <int dim>
  Totals
  RunView<dim>::compute_totals(const bool with_scales) const
  {
    Totals result;
    result.bodies = sum_bodies(solids, state, with_scales);
    typename Contact<dim>::ConstVectors velocities, accelerations;
    for (unsigned int p = 0; p < solids.n_forests(); ++p)
      {
        velocities.push_back(&state.velocities[p]);
        accelerations.push_back(&state.accelerations[p]);
      }
    const auto unanswered =
      contact.unanswered_energy(velocities, accelerations);
    double unanswered_energy = 0.;
    for (unsigned int b = 0; b < result.bodies.size(); ++b)
      {
        result.bodies[b].kinetic_energy -= unanswered[b];
        unanswered_energy += unanswered[b];
        result.all += result.bodies[b];
      }

    const auto sum = [this](const auto &share) {
      return Utilities::MPI::sum(share, communicator());
    };
    result.external_work    = sum(balance.external_work);
    result.contact_work     = sum(balance.contact_work);
    result.friction_loss    = balance.friction_loss;
    result.restitution_loss = balance.restitution_loss;
    result.unexplained_angular_momentum =
      (result.all.angular_momentum - start_totals.all.angular_momentum -
       (balance.contact_angular_momentum +
        sum(balance.external_angular_momentum)))
        .norm();
    result.shadow_kinetic_and_internal =
      result.all.kinetic_energy + unanswered_energy +
      result.all.internal_energy +
      integrator.shadow_energy(result.all, last_step.dt);
    return result;
  }



  template <int dim>
  const Totals &
  RunView<dim>::totals() const
  {
    if (!present)
      {
        present = compute_totals(complete);
        largest_energy =
          std::max(largest_energy, std::abs(present->external_work));
      }
    return *present;
  }



  template <int dim>
  void
  RunView<dim>::begin()
  {
    timer.restart();
    if (settings.resume)
      return;
    present = compute_totals(true);
    // Nothing has changed yet.
    present->unexplained_angular_momentum = 0.;
    start_totals                          = *present;
    largest_energy =
      start_totals.all.kinetic_energy + start_totals.all.internal_energy;
    // Bodies at rest: the round-off of their stresses is no growth.
    constexpr double strain = 1e-12;
    for (unsigned int b = 0; b < solids.n_deformable_bodies(); ++b)
      largest_energy =
        std::max(largest_energy,
                 present->bodies[b].mass *
                   std::pow(strain * solids.body(b).material->wave_speed(), 2));
    // Rigid ones: what it takes to lift them all by a clearance.
    constexpr double lift = 1e-4;
    double lifted         = 0.;
    for (const RigidBody<dim> &body : solids.rigid_bodies())
      {
        double radius = 0.;
        for (const auto &X : body.surface.vertices)
          radius = std::max(radius, X.norm());
        lifted += lift * radius * body.force(0.).norm();
      }
    largest_energy = std::max(largest_energy, lifted);
  }



  template <int dim>
  void
  RunView<dim>::accept(const StepTaken &step, const bool is_last)
  {
    last_step = step;
    complete  = is_last;
    present.reset();
  }



  template <int dim>
  void
  RunView<dim>::serialize(CheckpointArchive &archive)
  {
    BodySums &sums = start_totals.all;
    archive("kinetic energy", sums.kinetic_energy);
    archive("internal energy", sums.internal_energy);
    archive("momentum", sums.momentum);
    archive("angular momentum", sums.angular_momentum);
    archive("momentum scale", sums.momentum_scale);
    archive("angular momentum scale", sums.angular_momentum_scale);
    archive("largest energy", largest_energy);
  }



  template class RunView<2>;
  template class RunView<3>;
} // namespace Ricochet
