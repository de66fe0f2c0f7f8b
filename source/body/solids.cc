// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/collective.h>
#include <ricochet/base/error.h>
#include <ricochet/base/in_threads.h>
#include <ricochet/body/body_forces.h>
#include <ricochet/body/consistent_mass.h>
#include <ricochet/body/solids.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  Solids<dim>::Solids(const MPI_Comm communicator,
                      const MassKind mass_kind,
                      const unsigned int degree)
    : communicator(communicator)
    , mass_kind(mass_kind)
    , degree(degree)
  {}



  template <int dim>
  Solids<dim>::~Solids() = default;



  template <int dim>
  std::vector<std::string>
  Solids<dim>::body_names() const
  {
    std::vector<std::string> names;
    for (const auto &body : bodies)
      names.push_back(body.name);
    for (const auto &body : rigid)
      names.push_back(body.name);
    return names;
  }



  template <int dim>
  State
  Solids<dim>::empty_state() const
  {
    State state;
    for (auto *vectors : {&state.positions,
                          &state.velocities,
                          &state.accelerations,
                          &state.internal_forces,
                          &state.external_forces})
      for (const Part &part : parts)
        {
          vectors->emplace_back();
          vectors->back().reinit(part.forest->get_partitioner());
        }
    for (const Part &part : parts)
      state.histories.push_back(part.forces->initial_history());
    state.energies.reset(n_bodies());
    return state;
  }



  template <int dim>
  void
  Solids<dim>::distribute_to_hanging_nodes(ForestVectors &vectors) const
  {
    for (unsigned int p = 0; p < parts.size(); ++p)
      parts[p].forest->get_hanging_nodes().distribute(vectors[p]);
  }



  template <int dim>
  void
  Solids<dim>::momenta(const ForestVectors &velocities,
                       ForestVectors &result) const
  {
    result.resize(parts.size());
    for (unsigned int p = 0; p < parts.size(); ++p)
      {
        result[p].reinit(parts[p].forest->get_partitioner());
        if (has_consistent_mass())
          parts[p].consistent_mass->multiply(result[p], velocities[p]);
        else
          for (unsigned int i = 0; i < result[p].locally_owned_size(); ++i)
            result[p].local_element(i) =
              parts[p].mass.local_element(i) * velocities[p].local_element(i);
      }
  }



  template <int dim>
  void
  Solids<dim>::for_each_mass_entry(
    const unsigned int p,
    const std::function<void(const unsigned int,
                             const types::global_dof_index,
                             const double)> &visit) const
  {
    if (has_consistent_mass())
      {
        parts[p].consistent_mass->for_each_entry(visit);
        return;
      }
    const auto &layout = *parts[p].forest->get_partitioner();
    for (unsigned int i = 0; i < layout.locally_owned_size(); ++i)
      if (parts[p].mass.local_element(i) > 0.)
        visit(i, layout.local_to_global(i), parts[p].mass.local_element(i));
  }



  template <int dim>
  void
  Solids<dim>::apply_inverse_consistent_mass(const unsigned int p,
                                             VectorType &vector) const
  {
    parts[p].consistent_mass->apply_inverse(vector);
  }



  template <int dim>
  void
  Solids<dim>::evaluate_forces(State &state,
                               const bool with_energies,
                               const double dt,
                               const ForestVectors *positions_begin) const
  {
    if (with_energies)
      state.energies.reset(n_bodies());
    new_histories.resize(parts.size());
    on_all_ranks(communicator, [&]() {
      for (unsigned int p = 0; p < parts.size(); ++p)
        parts[p].forces->advance(state.positions[p].begin(),
                                 positions_begin != nullptr
                                   ? (*positions_begin)[p].begin()
                                   : nullptr,
                                 dt,
                                 state.histories[p],
                                 new_histories[p],
                                 state.internal_forces[p].begin(),
                                 with_energies ? &state.energies : nullptr);
    });
    // At the start of a step they are there.
    if (dt == 0. || !have_constant_body_forces(*this))
      evaluate_external_forces(state.time, state.external_forces);
    // Only now, when no rank has failed.
    std::swap(state.histories, new_histories);
    for (unsigned int p = 0; p < parts.size(); ++p)
      parts[p].forest->get_hanging_nodes().condense(state.internal_forces[p]);
    sum_forces_on_regions(state);
  }



  template <int dim>
  void
  Solids<dim>::evaluate_external_forces(const double time,
                                        ForestVectors &forces) const
  {
    if (!any_body_force)
      return;
    // Accelerations first, and then the mass that moves the bodies.
    on_all_ranks(communicator, [&]() {
      for (unsigned int p = 0; p < parts.size(); ++p)
        set_body_forces(p, time, forces[p]);
    });
    if (!has_consistent_mass())
      return;
    for (auto &accelerations : forces)
      accelerations.update_ghost_values();
    distribute_to_hanging_nodes(forces);
    ForestVectors result;
    momenta(forces, result);
    for (unsigned int p = 0; p < parts.size(); ++p)
      {
        forces[p].zero_out_ghost_values();
        forces[p].copy_locally_owned_data_from(result[p]);
      }
  }



  template <int dim>
  void
  Solids<dim>::set_body_forces(const unsigned int p,
                               const double time,
                               VectorType &forces) const
  {
    const CellTable<dim> &cells = parts[p].forest->get_cells();
    for (unsigned int n = 0; n < cells.n_owned_nodes; ++n)
      {
        const VectorFunction<dim> &force =
          bodies[parts[p].forest->get_node_bodies()[n]].body_force;
        if (force.is_zero())
          continue;
        const Tensor<1, dim> value =
          force.is_constant() ? force.constant_value()
                              : force.value(cells.reference_positions[n], time);
        for (unsigned int d = 0; d < dim; ++d)
          forces.local_element(dim * n + d) =
            has_consistent_mass()
              ? value[d]
              : parts[p].mass.local_element(dim * n + d) * value[d];
      }
  }



  template <int dim>
  void
  Solids<dim>::compute_accelerations(State &state, const double dt) const
  {
    for (unsigned int p = 0; p < parts.size(); ++p)
      {
        const double *internal = state.internal_forces[p].begin();
        const double *external = state.external_forces[p].begin();
        const double *inverse  = parts[p].inverse_mass.begin();
        double *a              = state.accelerations[p].begin();
        const bool is_lumped   = !has_consistent_mass();
        for_each_range(state.accelerations[p].locally_owned_size(),
                       [=](const unsigned int begin, const unsigned int end) {
                         for (unsigned int i = begin; i < end; ++i)
                           a[i] = (external[i] - internal[i]) *
                                  (is_lumped ? inverse[i] : 1.);
                       });
      }
    if (has_consistent_mass())
      {
        if (any_supports)
          subtract_inertia_of_supports(state.time, dt, state.accelerations);
        for (unsigned int p = 0; p < parts.size(); ++p)
          parts[p].consistent_mass->apply_inverse(state.accelerations[p]);
      }
    distribute_to_hanging_nodes(state.accelerations);
  }



  template <int dim>
  double
  Solids<dim>::stable_time_step(const State &state) const
  {
    double smallest = std::numeric_limits<double>::max();
    on_all_ranks(communicator, [&]() {
      for (unsigned int p = 0; p < parts.size(); ++p)
        smallest = std::min(smallest, stable_time_step_of_part(state, p));
    });
    return Utilities::MPI::min(smallest, communicator);
  }



  template <int dim>
  double
  Solids<dim>::stable_time_step(const State &state,
                                const StepRange &range) const
  {
    if (!(range.least <= range.most))
      return stable_time_step(state);
    double smallest = std::numeric_limits<double>::max();
    on_all_ranks(communicator, [&]() {
      for (unsigned int p = 0; p < parts.size(); ++p)
        {
          const double factor = mass_factor_of_steps(p);
          smallest            = std::min(smallest,
                              factor * parts[p].forces->bound_stable_time_step(
                                         state.positions[p].begin(),
                                         state.histories[p],
                                         range.least / factor));
        }
    });
    smallest = Utilities::MPI::min(smallest, communicator);
    return smallest <= range.most ? smallest : stable_time_step(state);
  }



  template <int dim>
  double
  Solids<dim>::stable_time_step_of_part(const State &state,
                                        const unsigned int p) const
  {
    return mass_factor_of_steps(p) *
           parts[p].forces->stable_time_step(state.positions[p].begin(),
                                             state.histories[p]);
  }



  template <int dim>
  double
  Solids<dim>::mass_factor_of_steps(const unsigned int p) const
  {
    if (!has_consistent_mass())
      return 1.;
    // An element's lumped mass is at most this many times its consistent one
    // (the smallest eigenvalues of the reference elements).
    return 1. / std::sqrt(parts[p].forest->is_simplex()
                            ? dim + 2.
                            : std::pow(degree == 1 ? 3. : 2.5, dim));
  }



  template <int dim>
  void
  Solids<dim>::throw_at_stiffest_cell(const State &state,
                                      const std::string &message) const
  {
    const double smallest = stable_time_step(state);
    on_all_ranks(communicator, [&]() {
      for (unsigned int p = 0; p < parts.size(); ++p)
        if (stable_time_step_of_part(state, p) == smallest)
          throw RunError(
            parts[p].forces->describe_stiffest(state.positions[p].begin(),
                                               state.histories[p]) +
            message);
    });
    AssertThrow(false, ExcInternalError());
  }



  template <int dim>
  RigidForce
  Solids<dim>::rigid_force(const unsigned int k, const State &state) const
  {
    RigidForce result = state.forces_on_regions.empty()
                          ? RigidForce()
                          : state.forces_on_regions[k];
    result.force += rigid[k].force(state.time);
    return result;
  }



  template <int dim>
  std::vector<RigidAcceleration>
  Solids<dim>::rigid_accelerations(const State &state) const
  {
    std::vector<RigidAcceleration> result(rigid.size());
    for (unsigned int k = 0; k < rigid.size(); ++k)
      {
        const RigidForce force = rigid_force(k, state);
        result[k].of_centre    = force.force / rigid[k].mass.mass;
        if (rigid[k].is_region())
          result[k].angular =
            state.rigid_motions[k].inverse_inertia() * force.moment;
      }
    return result;
  }



  template <int dim>
  void
  Solids<dim>::push_rigid_bodies(const double dt, State &state) const
  {
    for (unsigned int k = 0; k < rigid.size(); ++k)
      if (rigid[k].has_force() || rigid[k].is_region())
        {
          const RigidForce force = rigid_force(k, state);
          state.rigid_motions[k].push(dt * force.force, dt * force.moment);
        }
  }



  template <int dim>
  void
  Solids<dim>::prescribe_rigid_bodies(const double time,
                                      std::vector<RigidMotion> &motions) const
  {
    for (unsigned int k = 0; k < rigid.size(); ++k)
      rigid[k].prescribe(time, motions[k]);
  }



  template <int dim>
  std::vector<RigidStep>
  Solids<dim>::rigid_steps(const State &state, const double dt) const
  {
    std::vector<RigidStep> steps;
    for (unsigned int k = 0; k < rigid.size(); ++k)
      {
        const RigidBody<dim> &body = rigid[k];
        RigidMotion held           = state.rigid_motions[k];
        body.prescribe(state.time + dt, held);
        steps.emplace_back(state.rigid_motions[k],
                           dt,
                           0.5 * (body.force(state.time) +
                                  body.force(state.time + dt)));
        steps.back().hold(held);
        steps.back().solve({}, {});
      }
    return steps;
  }



  template <int dim>
  std::vector<std::string>
  Solids<dim>::output_variables() const
  {
    std::vector<std::string> names;
    for (const auto &body : bodies)
      for (const auto &variable : body.material->history().variables())
        if (variable.is_output &&
            std::find(names.begin(), names.end(), variable.name) == names.end())
          names.push_back(variable.name);
    return names;
  }



  template <int dim>
  double
  Solids<dim>::largest(const State &state, const std::string &name) const
  {
    double result = std::numeric_limits<double>::lowest();
    for (unsigned int p = 0; p < parts.size(); ++p)
      result =
        std::max(result, parts[p].forces->largest(state.histories[p], name));
    result = Utilities::MPI::max(result, communicator);
    return result > std::numeric_limits<double>::lowest()
             ? result
             : std::numeric_limits<double>::quiet_NaN();
  }



  template <int dim>
  typename Solids<dim>::Sizes
  Solids<dim>::sizes() const
  {
    Sizes sizes;
    for (const Part &part : parts)
      {
        sizes.cells += part.forest->n_global_cells();
        sizes.nodes += part.forest->n_global_nodes();
        sizes.bytes_per_cell =
          std::max(sizes.bytes_per_cell, part.forces->bytes_per_cell());
      }
    return sizes;
  }



  template class Solids<2>;
  template class Solids<3>;
} // namespace Ricochet
