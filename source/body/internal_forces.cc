// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/internal_forces.h>

#include <deal.II/base/memory_consumption.h>
#include <deal.II/base/parallel.h>

#include <algorithm>
#include <limits>

#include "cell_time_step.h"
#include "internal_forces_implementation.h"

namespace Ricochet
{
  namespace
  {
    /** Batches per task: enough to pay for a task, few enough to balance. */
    constexpr unsigned int batch_grain_size = 32;

    /** Nodes per task of the gather loop. */
    constexpr unsigned int node_grain_size = 1024;



    /** A batch of cells from anywhere; the last one fills it up. */
    template <int dim>
    struct CollectedCells
    {
      BatchView<dim> view;
      unsigned int n = 0;
      unsigned int cells[batch_size],
        nodes[max_nodes_per_cell(dim) * batch_size];

      alignas(64) double reference[dim * max_nodes_per_cell(dim) * batch_size];
      std::vector<double> history;
    };



    /** The slots of this rank's own cells at any of the @p nodes, sorted. */
    template <int dim>
    std::vector<unsigned int>
    owned_slots_at(const std::vector<unsigned int> &nodes,
                   const CellForces<dim> &cell_forces)
    {
      const CellBatches<dim> &batches = cell_forces.batches();
      const unsigned int entries      = cell_forces.batch_entries();

      std::vector<unsigned int> slots;
      slots.reserve(nodes.size() * cell_forces.kernels().n_nodes);
      for (const unsigned int node : nodes)
        for (unsigned int k = batches.node_begin[node];
             k < batches.node_begin[node + 1];
             ++k)
          {
            const unsigned int place = batches.node_places[k];
            const unsigned int slot =
              place / entries * batch_size + place % batch_size;
            if (cell_forces.table().cell_is_owned[batches.slot_cell[slot]])
              slots.push_back(slot);
          }
      std::sort(slots.begin(), slots.end());
      slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
      return slots;
    }



    /** Bring the next cells of one material, slots[begin] etc., together. */
    template <int dim>
    void
    collect(const std::vector<unsigned int> &slots,
            const unsigned int begin,
            const CellForces<dim> &cell_forces,
            const double *history,
            CollectedCells<dim> &collected)
    {
      const auto batch_of = [&](const unsigned int i) {
        return cell_forces.batch(slots[i] / batch_size, history);
      };
      const BatchView<dim> first = batch_of(begin);
      const unsigned int n_per_cell =
        first.n_history * cell_forces.n_material_points(first) / batch_size;

      collected.n = 1;
      while (collected.n < batch_size && begin + collected.n < slots.size() &&
             batch_of(begin + collected.n).material == first.material)
        ++collected.n;
      collected.history.resize(n_per_cell * batch_size);

      const auto copy = [](const auto *from,
                           const unsigned int place,
                           const unsigned int n,
                           auto *to,
                           const unsigned int lane) {
        for (unsigned int i = 0; i < n; ++i)
          to[i * batch_size + lane] = from[i * batch_size + place];
      };
      for (unsigned int lane = 0; lane < batch_size; ++lane)
        {
          const unsigned int i       = begin + std::min(lane, collected.n - 1);
          const unsigned int place   = slots[i] % batch_size;
          const BatchView<dim> batch = batch_of(i);
          collected.cells[lane]      = batch.cells[place];
          copy(batch.nodes,
               place,
               cell_forces.kernels().n_nodes,
               collected.nodes,
               lane);
          copy(batch.reference,
               place,
               cell_forces.kernels().n_reference,
               collected.reference,
               lane);
          copy(batch.history,
               place,
               n_per_cell,
               collected.history.data(),
               lane);
        }

      collected.view           = first;
      collected.view.cells     = collected.cells;
      collected.view.nodes     = collected.nodes;
      collected.view.reference = collected.reference;
      if (n_per_cell > 0)
        collected.view.history = collected.history.data();
    }
  } // namespace



  template <int dim>
  void
  InternalForces<dim>::Implementation::compute_lumped_mass()
  {
    Workspace<dim> workspace;
    for (unsigned int b = 0; b < cell_forces.batches().n_batches(); ++b)
      cell_forces.masses(cell_forces.batch(b),
                         workspace,
                         force_buffer.data() +
                           b * static_cast<std::size_t>(
                                 cell_forces.batch_entries()));

    const unsigned int n_nodes = cell_forces.table().n_owned_nodes;
    std::vector<double> mass(dim * n_nodes);
    gather_at_nodes(mass.data());

    // The same for all components.
    lumped_mass.resize(n_nodes);
    for (unsigned int node = 0; node < n_nodes; ++node)
      lumped_mass[node] = mass[dim * node];
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::gather_at_nodes(double *forces) const
  {
    const CellBatches<dim> &batches = cell_forces.batches();
    dealii::parallel::apply_to_subranges(
      0U,
      cell_forces.table().n_owned_nodes,
      [&](const unsigned int begin, const unsigned int end) {
        for (unsigned int node = begin; node < end; ++node)
          {
            double sum[dim] = {};
            for (unsigned int k = batches.node_begin[node];
                 k < batches.node_begin[node + 1];
                 ++k)
              {
                const double *const part =
                  force_buffer.data() + batches.node_places[k];
                for (unsigned int c = 0; c < dim; ++c)
                  sum[c] += part[c * batch_size];
              }
            for (unsigned int c = 0; c < dim; ++c)
              forces[static_cast<std::size_t>(dim) * node + c] = sum[c];
          }
      },
      node_grain_size);
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
          (batches.batch_material[number]->dissipation() == Dissipation::viscous
             ? energies.viscous
             : energies.plastic)[cells.cell_body[cell]] += loss_buffer[slot];
      }
  }



  template <int dim>
  template <typename Function>
  void
  InternalForces<dim>::Implementation::evaluate_cells(
    const double *positions,
    const double dt,
    const double *history,
    const bool with_energies,
    const Function &keep) const
  {
    FirstCell failed;
    dealii::parallel::apply_to_subranges(
      0U,
      cell_forces.batches().n_batches(),
      [&](const unsigned int begin, const unsigned int end) {
        Workspace<dim> workspace;
        workspace.dt = dt;
        for (unsigned int b = begin; b < end; ++b)
          {
            const BatchView<dim> batch = cell_forces.batch(b, history);
            cell_forces.gather(batch, positions, workspace.x);
            cell_forces.evaluate(
              batch,
              workspace,
              force_buffer.data() +
                b * static_cast<std::size_t>(cell_forces.batch_entries()),
              with_energies ? energy_buffer.data() + b * batch_size : nullptr,
              failed);
            keep(b, batch, workspace);
          }
      },
      batch_grain_size);
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
    implementation->force_buffer.resize_fast(n_slots * dim *
                                             cell_forces.kernels().n_nodes);
    implementation->energy_buffer.resize_fast(n_slots);
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
                                   0.,
                                   history.data(),
                                   energy_of_bodies != nullptr,
                                   [](const auto &...) {});
    implementation->gather_at_nodes(forces);
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
                               const double dt,
                               std::vector<double> &history,
                               double *forces,
                               BodyEnergies *energies) const
  {
    const CellForces<dim> &cell_forces = implementation->cell_forces;
    if (energies != nullptr && !history.empty())
      implementation->loss_buffer.resize_fast(
        implementation->energy_buffer.size());
    implementation->evaluate_cells(
      positions,
      dt,
      history.data(),
      energies != nullptr,
      [&](const unsigned int b,
          const BatchView<dim> &batch,
          const Workspace<dim> &workspace) {
        if (batch.history == nullptr)
          return;
        // No other batch reads it.
        std::copy(workspace.history.begin(),
                  workspace.history.end(),
                  history.begin() + cell_forces.history_begin(b));
        if (energies != nullptr)
          cell_forces.integrate_history(batch,
                                        workspace,
                                        0,
                                        implementation->loss_buffer.data() +
                                          b * batch_size);
      });
    implementation->gather_at_nodes(forces);
    if (energies == nullptr)
      return;
    implementation->add_energies(energies->strain);
    if (!history.empty())
      implementation->add_losses(*energies);
  }



  template <int dim>
  double
  InternalForces<dim>::stable_time_step(
    const double *positions,
    const std::vector<double> &history) const
  {
    const CellForces<dim> &cell_forces = implementation->cell_forces;

    const std::vector<double> initial =
      history.empty() ? initial_history() : std::vector<double>();
    const double *const data = (history.empty() ? initial : history).data();

    FirstCell failed;
    std::vector<double> smallest(cell_forces.batches().n_batches());
    dealii::parallel::apply_to_subranges(
      0U,
      cell_forces.batches().n_batches(),
      [&](const unsigned int begin, const unsigned int end) {
        for (unsigned int b = begin; b < end; ++b)
          smallest[b] = Ricochet::stable_time_step(cell_forces,
                                                   cell_forces.batch(b, data),
                                                   positions,
                                                   failed);
      },
      batch_grain_size);
    cell_forces.throw_if_any(failed, positions);

    double result = std::numeric_limits<double>::infinity();
    for (const double value : smallest)
      result = std::min(result, value);
    return result;
  }



  template <int dim>
  void
  InternalForces<dim>::compare(const std::vector<unsigned int> &moved_nodes,
                               const double *positions_a,
                               const double *positions_b,
                               const double *velocities,
                               double &energy_difference,
                               double &power_difference,
                               const double dt,
                               const std::vector<double> &history) const
  {
    const CellForces<dim> &cell_forces = implementation->cell_forces;
    const std::vector<unsigned int> slots =
      owned_slots_at(moved_nodes, cell_forces);

    energy_difference = 0.;
    power_difference  = 0.;

    FirstCell failed_a, failed_b;
    Workspace<dim> workspace;
    workspace.dt = dt;
    CollectedCells<dim> collected;
    alignas(64) double forces_a[Workspace<dim>::n_dofs],
      forces_b[Workspace<dim>::n_dofs], v[Workspace<dim>::n_dofs],
      energies_a[batch_size], energies_b[batch_size], losses[batch_size];

    const auto evaluate = [&](const double *positions,
                              double *forces,
                              double *energies,
                              FirstCell &failed) {
      const BatchView<dim> &batch = collected.view;
      cell_forces.gather(batch, positions, workspace.x);
      cell_forces.evaluate(batch, workspace, forces, energies, failed);
      if (batch.history == nullptr)
        return;
      cell_forces.integrate_history(batch, workspace, 0, losses);
      for (unsigned int lane = 0; lane < batch_size; ++lane)
        energies[lane] += losses[lane];
    };

    for (unsigned int begin = 0; begin < slots.size(); begin += collected.n)
      {
        collect(slots, begin, cell_forces, history.data(), collected);
        cell_forces.gather(collected.view, velocities, v);
        evaluate(positions_a, forces_a, energies_a, failed_a);
        evaluate(positions_b, forces_b, energies_b, failed_b);

        for (unsigned int lane = 0; lane < collected.n; ++lane)
          {
            energy_difference += energies_b[lane] - energies_a[lane];
            for (unsigned int i = lane; i < cell_forces.batch_entries();
                 i += batch_size)
              power_difference += v[i] * (forces_b[i] - forces_a[i]);
          }
      }
    cell_forces.throw_if_any(failed_a, positions_a);
    cell_forces.throw_if_any(failed_b, positions_b);
  }



  template <int dim>
  double
  InternalForces<dim>::bytes_per_cell() const
  {
    const std::size_t bytes =
      implementation->cell_forces.memory_consumption() +
      implementation->force_buffer.memory_consumption() +
      implementation->energy_buffer.memory_consumption() +
      dealii::MemoryConsumption::memory_consumption(
        implementation->lumped_mass);
    return static_cast<double>(bytes) /
           std::max(1U, implementation->cell_forces.table().n_cells());
  }



  template class InternalForces<2>;
  template class InternalForces<3>;
} // namespace Ricochet
