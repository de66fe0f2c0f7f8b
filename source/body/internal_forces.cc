// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/internal_forces.h>

#include <deal.II/base/aligned_vector.h>
#include <deal.II/base/memory_consumption.h>
#include <deal.II/base/parallel.h>

#include <algorithm>
#include <limits>

#include "cell_forces.h"
#include "cell_time_step.h"

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
      const Material<dim> *material = nullptr;
      unsigned int n                = 0;
      unsigned int cells[batch_size],
        nodes[max_nodes_per_cell(dim) * batch_size];

      alignas(64) double reference[dim * max_nodes_per_cell(dim) * batch_size];

      BatchView<dim>
      view() const
      {
        return {material, cells, nodes, reference};
      }
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
            CollectedCells<dim> &collected)
    {
      const auto material_of = [&](const unsigned int i) {
        return cell_forces.batches().batch_material[slots[i] / batch_size];
      };

      collected.material = material_of(begin);
      collected.n        = 1;
      while (collected.n < batch_size && begin + collected.n < slots.size() &&
             material_of(begin + collected.n) == collected.material)
        ++collected.n;

      for (unsigned int lane = 0; lane < batch_size; ++lane)
        {
          const unsigned int slot =
            slots[begin + std::min(lane, collected.n - 1)];
          const unsigned int place   = slot % batch_size;
          const BatchView<dim> batch = cell_forces.batch(slot / batch_size);

          collected.cells[lane] = batch.cells[place];
          for (unsigned int a = 0; a < cell_forces.kernels().n_nodes; ++a)
            collected.nodes[a * batch_size + lane] =
              batch.nodes[a * batch_size + place];
          for (unsigned int i = 0; i < cell_forces.kernels().n_reference; ++i)
            collected.reference[i * batch_size + lane] =
              batch.reference[i * batch_size + place];
        }
    }
  } // namespace



  template <int dim>
  class InternalForces<dim>::Implementation
  {
  public:
    /** Put the masses of the cells through the same sums as the forces. */
    void
    compute_lumped_mass();

    /** Sum what the cells of each owned node left in the force buffer. */
    void
    gather_at_nodes(double *forces) const;

    /** Add the energies of this rank's own cells. */
    void
    add_energies(std::vector<double> &energy_of_bodies) const;

    CellForces<dim> cell_forces;
    std::vector<double> lumped_mass;

    /** Results of the cell loop on their way to the gather loop. */
    mutable dealii::AlignedVector<double> force_buffer, energy_buffer;
  };



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
    const std::vector<std::string> &body_names)
  {
    CellForces<dim> &cell_forces = implementation->cell_forces;
    cell_forces.reinit(cells, materials, body_names);

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
    const CellForces<dim> &cell_forces = implementation->cell_forces;

    FirstCell failed;
    dealii::parallel::apply_to_subranges(
      0U,
      cell_forces.batches().n_batches(),
      [&](const unsigned int begin, const unsigned int end) {
        Workspace<dim> workspace;
        for (unsigned int b = begin; b < end; ++b)
          {
            const BatchView<dim> batch = cell_forces.batch(b);
            cell_forces.gather(batch, positions, workspace.x);
            cell_forces.evaluate(
              batch,
              workspace,
              implementation->force_buffer.data() +
                b * static_cast<std::size_t>(cell_forces.batch_entries()),
              energy_of_bodies != nullptr
                ? implementation->energy_buffer.data() + b * batch_size
                : nullptr,
              failed);
          }
      },
      batch_grain_size);
    cell_forces.throw_if_any(failed, positions);

    implementation->gather_at_nodes(forces);
    if (energy_of_bodies != nullptr)
      implementation->add_energies(*energy_of_bodies);
  }



  template <int dim>
  double
  InternalForces<dim>::stable_time_step(const double *positions) const
  {
    const CellForces<dim> &cell_forces = implementation->cell_forces;

    FirstCell failed;
    std::vector<double> smallest(cell_forces.batches().n_batches());
    dealii::parallel::apply_to_subranges(
      0U,
      cell_forces.batches().n_batches(),
      [&](const unsigned int begin, const unsigned int end) {
        for (unsigned int b = begin; b < end; ++b)
          smallest[b] = Ricochet::stable_time_step(cell_forces,
                                                   cell_forces.batch(b),
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
                               double &power_difference) const
  {
    const CellForces<dim> &cell_forces = implementation->cell_forces;
    const std::vector<unsigned int> slots =
      owned_slots_at(moved_nodes, cell_forces);

    energy_difference = 0.;
    power_difference  = 0.;

    FirstCell failed_a, failed_b;
    Workspace<dim> workspace;
    CollectedCells<dim> collected;
    alignas(64) double forces_a[Workspace<dim>::n_dofs],
      forces_b[Workspace<dim>::n_dofs], v[Workspace<dim>::n_dofs],
      energies_a[batch_size], energies_b[batch_size];

    for (unsigned int begin = 0; begin < slots.size(); begin += collected.n)
      {
        collect(slots, begin, cell_forces, collected);
        const BatchView<dim> batch = collected.view();

        cell_forces.gather(batch, velocities, v);
        cell_forces.gather(batch, positions_a, workspace.x);
        cell_forces.evaluate(batch, workspace, forces_a, energies_a, failed_a);
        cell_forces.gather(batch, positions_b, workspace.x);
        cell_forces.evaluate(batch, workspace, forces_b, energies_b, failed_b);

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
