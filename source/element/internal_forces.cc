// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/element/internal_forces.h>

#include <deal.II/base/memory_consumption.h>
#include <deal.II/base/multithread_info.h>
#include <deal.II/base/parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "cell_time_step.h"
#include "internal_forces_implementation.h"

namespace Ricochet
{
  namespace
  {
    /** Batches per task: enough to pay for a task, few enough to balance. */
    constexpr unsigned int batch_grain_size = 32;

    /** Part of the batches that may be looked at for their stable steps before
     * a look at all, from which the strains count anew, is worth its time. */
    constexpr double largest_share_of_looks = 0.25;
  } // namespace



  template <int dim>
  void
  InternalForces<dim>::Implementation::compute_lumped_mass()
  {
    const unsigned int n_nodes = cell_forces.table().n_owned_nodes;
    std::vector<double> mass(dim * n_nodes);
    node_sums.sum(
      [&](const unsigned int begin, const unsigned int end) {
        Workspace<dim> workspace;
        double masses[Workspace<dim>::n_dofs];
        for (unsigned int b = begin; b < end; ++b)
          {
            cell_forces.masses(cell_forces.batch(b), workspace, masses);
            cell_forces.kernels().scatter(masses, node_sums.places(b));
          }
      },
      mass.data());

    // The same for all components.
    lumped_mass.resize(n_nodes);
    for (unsigned int node = 0; node < n_nodes; ++node)
      lumped_mass[node] = mass[dim * node];
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::add_energies(
    std::vector<double> &energy_of_bodies) const
  {
    const CellTable<dim> &cells     = cell_forces.table();
    const CellBatches<dim> &batches = cell_forces.batches();
    for (unsigned int slot = 0; slot < batches.slot_cell.size(); ++slot)
      {
        const unsigned int cell = batches.slot_cell[slot];
        if (batches.is_filled(slot) && cells.cell_is_owned[cell])
          energy_of_bodies[cells.cell_body[cell]] += energy_buffer[slot];
      }
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::add_losses(BodyEnergies &energies) const
  {
    const CellTable<dim> &cells     = cell_forces.table();
    const CellBatches<dim> &batches = cell_forces.batches();
    for (unsigned int slot = 0; slot < batches.slot_cell.size(); ++slot)
      {
        const unsigned int number = slot / batch_size,
                           cell   = batches.slot_cell[slot];
        if (cell_forces.history_size(number) > 0 && batches.is_filled(slot) &&
            cells.cell_is_owned[cell])
          (batches.batch_material[number]->history().dissipation() ==
               Dissipation::viscous
             ? energies.viscous
             : energies.plastic)[cells.cell_body[cell]] += loss_buffer[slot];
      }
  }



  template <int dim>
  template <typename Function>
  void
  InternalForces<dim>::Implementation::evaluate_cells(
    const double *positions,
    const double *positions_begin,
    const double dt,
    const double *history,
    const bool with_energies,
    double *forces,
    const Function &keep) const
  {
    FirstCell failed;
    const auto evaluate = [&](const unsigned int begin,
                              const unsigned int end) {
      Workspace<dim> workspace;
      alignas(64) double forces_of_cells[Workspace<dim>::n_dofs];
      workspace.dt = dt;
      for (unsigned int b = begin; b < end; ++b)
        {
          const BatchView<dim> batch = cell_forces.batch(b, history);
          cell_forces.prefetch(b + 1, positions);
          cell_forces.gather(batch, positions, workspace.x);
          cell_forces.evaluate(batch,
                               workspace,
                               forces_of_cells,
                               with_energies
                                 ? energy_buffer.data() + b * batch_size
                                 : nullptr,
                               failed);
          cell_forces.kernels().scatter(forces_of_cells, node_sums.places(b));
          if (positions_begin != nullptr)
            cell_forces.check_collapse(batch,
                                       positions_begin,
                                       workspace,
                                       failed);
          keep(b, batch, workspace);
        }
    };
    node_sums.sum(evaluate, forces);
    cell_forces.throw_if_any(failed, positions);
  }



  template <int dim>
  InternalForces<dim>::InternalForces()
    : implementation(std::make_unique<Implementation>())
  {}



  template <int dim>
  InternalForces<dim>::~InternalForces() = default;



  template <int dim>
  void
  InternalForces<dim>::reinit(
    const CellTable<dim> &cells,
    const std::vector<const Material<dim> *> &materials,
    const std::vector<std::string> &body_names,
    const std::vector<ElementFormulation> &formulations)
  {
    CellForces<dim> &cell_forces = implementation->cell_forces;
    cell_forces.reinit(cells, materials, body_names, formulations);

    const std::size_t n_slots = cell_forces.batches().slot_cell.size();
    implementation->energy_buffer.resize_fast(n_slots);
    implementation->node_sums.reinit(cell_forces);
    implementation->compute_lumped_mass();
  }



  template <int dim>
  const std::vector<double> &
  InternalForces<dim>::lumped_mass() const
  {
    return implementation->lumped_mass;
  }



  template <int dim>
  void
  InternalForces<dim>::evaluate(const double *positions,
                                double *forces,
                                std::vector<double> *energy_of_bodies) const
  {
    const std::vector<double> history = initial_history();
    implementation->evaluate_cells(positions,
                                   nullptr,
                                   0.,
                                   history.data(),
                                   energy_of_bodies != nullptr,
                                   forces,
                                   [](const auto &...) {});
    if (energy_of_bodies != nullptr)
      implementation->add_energies(*energy_of_bodies);
  }



  template <int dim>
  std::vector<double>
  InternalForces<dim>::initial_history() const
  {
    return implementation->cell_forces.initial_history();
  }



  template <int dim>
  void
  InternalForces<dim>::advance(const double *positions,
                               const double *positions_begin,
                               const double dt,
                               const std::vector<double> &history,
                               std::vector<double> &new_history,
                               double *forces,
                               BodyEnergies *energies) const
  {
    const CellForces<dim> &cell_forces = implementation->cell_forces;
    new_history.resize(history.size());
    if (energies != nullptr && !history.empty())
      implementation->loss_buffer.resize_fast(
        implementation->energy_buffer.size());
    implementation->evaluate_cells(
      positions,
      positions_begin,
      dt,
      history.data(),
      energies != nullptr,
      forces,
      [&](const unsigned int b,
          const BatchView<dim> &batch,
          const Workspace<dim> &workspace) {
        if (batch.history == nullptr)
          return;
        std::copy(workspace.history.begin(),
                  workspace.history.end(),
                  new_history.begin() + cell_forces.history_begin(b));
        if (energies != nullptr)
          cell_forces.integrate_history(batch,
                                        workspace.volumes,
                                        workspace.history.data(),
                                        MaterialHistory::dissipated_energy,
                                        implementation->loss_buffer.data() +
                                          b * batch_size);
      });
    if (energies == nullptr)
      return;
    implementation->add_energies(energies->strain);
    if (!history.empty())
      implementation->add_losses(*energies);
  }



  template <int dim>
  const std::vector<double> &
  InternalForces<dim>::Implementation::stable_time_steps(
    const double *positions,
    const double *history) const
  {
    FirstCell failed;
    std::vector<double> smallest(cell_forces.batches().n_batches());
    dealii::parallel::apply_to_subranges(
      0U,
      cell_forces.batches().n_batches(),
      [&](const unsigned int begin, const unsigned int end) {
        for (unsigned int b = begin; b < end; ++b)
          smallest[b] =
            Ricochet::stable_time_step(cell_forces,
                                       cell_forces.batch(b, history),
                                       positions,
                                       failed);
      },
      batch_grain_size);
    cell_forces.throw_if_any(failed, positions);
    last_look.steps = std::move(smallest);
    last_look.positions.assign(positions,
                               positions + static_cast<std::size_t>(dim) *
                                             cell_forces.table().n_nodes);
    return last_look.steps;
  }



  template <int dim>
  double
  InternalForces<dim>::Implementation::bound_of_batch(
    const unsigned int b,
    const BatchView<dim> &batch,
    const double *positions) const
  {
    // Where the estimate of the constant holds, and how far two looks at the
    // same cell can differ.
    constexpr double largest_strain = 0.05, round_off = 1e-5;

    alignas(64) double before[Workspace<dim>::n_dofs],
      after[Workspace<dim>::n_dofs], strains[batch_size];
    cell_forces.gather(batch, last_look.positions.data(), before);
    cell_forces.gather(batch, positions, after);
    cell_forces.kernels().strain_between(before, after, strains);

    double largest = 0.;
    for (const double strain : strains)
      if (!(strain <= largest))
        largest = strain;
    // The mean dilation makes a law that is linear anything but that.
    const bool is_known =
      std::isfinite(batch.material->stiffening()) &&
      (batch.material->is_frame_indifferent() ||
       batch.formulation.kind != ElementFormulation::Kind::f_bar);
    if (!is_known || !(largest <= largest_strain))
      return 0.;
    // The step goes with the root of the stiffness, but with viscosity itself.
    const double factor =
      1. + round_off + batch.material->stiffening() * largest;
    return last_look.steps[b] /
           (batch.material->viscous_time() > 0. ? factor : std::sqrt(factor));
  }



  template <int dim>
  double
  InternalForces<dim>::stable_time_step(
    const double *positions,
    const std::vector<double> &history) const
  {
    const std::vector<double> initial =
      history.empty() ? initial_history() : std::vector<double>();
    double result = std::numeric_limits<double>::infinity();
    for (const double value : implementation->stable_time_steps(
           positions,
           (history.empty() ? initial : history).data()))
      result = std::min(result, value);
    return result;
  }



  template <int dim>
  double
  InternalForces<dim>::bound_stable_time_step(
    const double *positions,
    const std::vector<double> &history,
    const double least) const
  {
    const std::vector<double> &steps   = implementation->last_look.steps;
    const CellForces<dim> &cell_forces = implementation->cell_forces;
    const unsigned int n_batches       = cell_forces.batches().n_batches();
    const auto look_at_all             = [&]() {
      return stable_time_step(positions, history);
    };
    if (n_batches == 0 || steps.size() != n_batches)
      return look_at_all();

    const unsigned int stiffest =
      std::min_element(steps.begin(), steps.end()) - steps.begin();
    std::vector<char> look(n_batches);
    dealii::parallel::apply_to_subranges(
      0U,
      n_batches,
      [&](const unsigned int begin, const unsigned int end) {
        for (unsigned int b = begin; b < end; ++b)
          look[b] = b == stiffest ||
                    !(implementation->bound_of_batch(b,
                                                     cell_forces.batch(b),
                                                     positions) >= least);
      },
      batch_grain_size);
    const unsigned int n_looks = std::count(look.begin(), look.end(), 1);
    if (n_looks > largest_share_of_looks * n_batches + 1)
      return look_at_all();

    FirstCell failed;
    double smallest = std::numeric_limits<double>::infinity();
    for (unsigned int b = 0; b < n_batches; ++b)
      if (look[b])
        smallest =
          std::min(smallest,
                   Ricochet::stable_time_step(cell_forces,
                                              cell_forces.batch(b,
                                                                history.data()),
                                              positions,
                                              failed));
    cell_forces.throw_if_any(failed, positions);
    return smallest;
  }



  template <int dim>
  std::string
  InternalForces<dim>::describe_stiffest(
    const double *positions,
    const std::vector<double> &history) const
  {
    const auto &steps =
      implementation->stable_time_steps(positions, history.data());
    const unsigned int b =
      std::min_element(steps.begin(), steps.end()) - steps.begin();
    const CellForces<dim> &cell_forces = implementation->cell_forces;
    return cell_forces.describe_cell(cell_forces.batch(b).cells[0], positions);
  }



  template <int dim>
  double
  InternalForces<dim>::bytes_per_cell() const
  {
    const std::size_t bytes =
      implementation->cell_forces.memory_consumption() +
      implementation->node_sums.memory_consumption() +
      implementation->energy_buffer.memory_consumption() +
      dealii::MemoryConsumption::memory_consumption(
        implementation->lumped_mass);
    return static_cast<double>(bytes) /
           std::max(1U, implementation->cell_forces.table().n_cells());
  }



  template class InternalForces<2>;
  template class InternalForces<3>;
} // namespace Ricochet
