// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>
#include <ricochet/body/internal_forces.h>

#include <deal.II/base/aligned_vector.h>
#include <deal.II/base/parallel.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <sstream>

#include "cell_batches.h"
#include "cell_kernels.h"

namespace Ricochet
{
  namespace
  {
    /** Batches per task: enough work to pay for a task, few enough to balance.
     */
    constexpr unsigned int batch_grain_size = 32;

    /** Nodes per task of the gather loop. */
    constexpr unsigned int node_grain_size = 1024;

    /**
     * Rows of Lanczos' tridiagonal matrices, and the factor by which their
     * largest eigenvalue is enlarged, so that the step is rather too small by
     * 0.25 %. For flat, long and strongly deformed cells of all shapes six rows
     * leave errors below 1e-4 and five below 0.3 %.
     */
    constexpr unsigned int n_lanczos_steps = 8;
    constexpr double eigenvalue_margin     = 1.005;



    /** What the loops need for one batch of cells, on the stack of a thread. */
    template <int dim>
    struct Workspace
    {
      static constexpr unsigned int n_points = (1 << dim) * batch_size,
                                    n_dofs   = dim * n_points;

      alignas(64) double x[n_dofs], F[dim * n_dofs], P[dim * n_dofs],
        adjugates[dim * n_dofs], volumes[n_points], W[n_points],
        inverted[batch_size], not_finite[batch_size];
    };



    /** A batch of cells from anywhere; the last one fills it up. */
    template <int dim>
    struct CollectedCells
    {
      const Material<dim> *material = nullptr;
      unsigned int n                = 0;
      unsigned int cells[batch_size], nodes[(1 << dim) * batch_size];

      alignas(64) double reference[dim * (1 << dim) * batch_size];
    };



    /**
     * A vector of length one that is not orthogonal to any mode of any cell for
     * a reason of symmetry: the fractional parts of the multiples of the
     * golden ratio. The same for all cells.
     */
    void
    set_start_vector(const unsigned int n_dofs, double *y)
    {
      double square = 0.;
      for (unsigned int i = 0; i < n_dofs; ++i)
        {
          const double value =
            std::fmod((i + 1) * 0.6180339887498949, 1.) - 0.5;
          square += value * value;
          std::fill(y + i * batch_size, y + (i + 1) * batch_size, value);
        }
      for (unsigned int i = 0; i < n_dofs * batch_size; ++i)
        y[i] /= std::sqrt(square);
    }



    /** Whether any of the flags of a batch is set. */
    bool
    any_of(const double (&flags)[batch_size])
    {
      double sum = 0;
      for (const double flag : flags)
        sum += flag;
      return sum != 0.;
    }



    /**
     * The values of the linear or multilinear shape functions at the
     * quadrature points: [point * nodes_per_cell + node].
     */
    template <int dim>
    std::vector<double>
    shape_values(const bool simplex)
    {
      if (simplex)
        return std::vector<double>(dim + 1, 1. / (dim + 1));

      const unsigned int n = 1 << dim;
      std::vector<double> values(n * n, 1.);
      for (unsigned int q = 0; q < n; ++q)
        for (unsigned int a = 0; a < n; ++a)
          for (unsigned int d = 0; d < dim; ++d)
            {
              const bool same_side = (((q ^ a) >> d) & 1) == 0;
              values[q * n + a] *=
                0.5 * (1. + (same_side ? 1. : -1.) / std::sqrt(3.));
            }
      return values;
    }



    /** The smallest number that any thread has seen. */
    class FirstCell
    {
    public:
      static constexpr unsigned int none =
        std::numeric_limits<unsigned int>::max();

      void
      report(const unsigned int cell)
      {
        unsigned int current = first;
        while (cell < current && !first.compare_exchange_weak(current, cell))
          {}
      }

      unsigned int
      get() const
      {
        return first;
      }

    private:
      std::atomic<unsigned int> first{none};
    };
  } // namespace



  template <int dim>
  class InternalForces<dim>::Implementation
  {
  public:
    void reinit(const CellTable<dim> &cells,
                const std::vector<const Material<dim> *> &materials);

    void evaluate(const double *positions,
                  double *forces,
                  std::vector<double> *energy_of_bodies) const;

    double stable_time_step(const double *positions) const;

    void compare(const std::vector<unsigned int> &moved_nodes,
                 const double *positions_a,
                 const double *positions_b,
                 const double *velocities,
                 double &energy_difference,
                 double &power_difference) const;

    std::size_t memory_consumption() const;

    const CellTable<dim> *cells = nullptr;
    std::vector<double> lumped_mass;

  private:
    /** The parts of the arrays that belong to one batch. */
    const unsigned int *
    nodes_of(const unsigned int batch) const
    {
      return batches.nodes.data() +
             static_cast<std::size_t>(batch) * kernels.n_nodes * batch_size;
    }

    const unsigned int *
    cells_of(const unsigned int batch) const
    {
      return batches.slot_cell.data() + batch * batch_size;
    }

    std::size_t
    reference_begin(const unsigned int batch) const
    {
      return static_cast<std::size_t>(batch) * kernels.n_reference * batch_size;
    }

    const double *
    reference_of(const unsigned int batch) const
    {
      return reference.data() + reference_begin(batch);
    }

    /** Copy the nodal vectors @p source of the cells of a batch together. */
    void
    gather(const unsigned int *nodes, const double *source, double *x) const;

    /**
     * Forces of one batch, and the integrals of the strain energy when
     * @p energies is not null. Returns whether all went well.
     */
    bool cell_forces(const double *reference,
                     const Material<dim> &material,
                     Workspace<dim> &workspace,
                     double *forces,
                     double *energies) const;

    /** Pass those cells of a batch that cell_forces() flagged to @p failed. */
    void report_failures(const unsigned int *cells_of_batch,
                         const Workspace<dim> &workspace,
                         FirstCell &failed) const;

    /** Body and current centre of a cell, as the beginning of a message. */
    std::string describe_cell(const unsigned int cell,
                              const double *positions) const;

    /** Throw the error of the cell in @p failed, if there is one. */
    void throw_if_any(const FirstCell &failed, const double *positions) const;

    /** Lanczos' iteration: the smallest 2/omega_max of the cells of a batch. */
    double stable_time_step_of_batch(const unsigned int batch,
                                     const double *positions,
                                     FirstCell &failed) const;

    /** The slots of this rank's own cells at any of the @p nodes, sorted. */
    std::vector<unsigned int>
    owned_slots_at(const std::vector<unsigned int> &nodes) const;

    /** Bring the next cells of one material, slots[begin] etc., together. */
    void collect(const std::vector<unsigned int> &slots,
                 const unsigned int begin,
                 CollectedCells<dim> &collected) const;

    /** The masses of the nodes of the cells with the points' @p volumes. */
    void cell_masses(const double density,
                     const double *volumes,
                     double *masses) const;

    void compute_reference_geometry();

    void compute_lumped_mass();

    CellKernels kernels;
    std::vector<double> shapes;
    CellBatches<dim> batches;
    dealii::AlignedVector<double> reference;

    /** Results of the cell loop on their way to the gather loop. */
    mutable dealii::AlignedVector<double> force_buffer, energy_buffer;
  };



  template <int dim>
  void
  InternalForces<dim>::Implementation::reinit(
    const CellTable<dim> &new_cells,
    const std::vector<const Material<dim> *> &materials)
  {
    cells   = &new_cells;
    kernels = RICOCHET_CALL_KERNEL(preferred_instruction_set(),
                                   cell_kernels<dim>(cells->simplex));
    shapes  = shape_values<dim>(cells->simplex);

    AssertDimension(cells->nodes_per_cell, kernels.n_nodes);
    AssertDimension(cells->cell_nodes.size(),
                    cells->n_cells() * cells->nodes_per_cell);
    AssertDimension(cells->reference_positions.size(), cells->n_nodes);
    for (const unsigned int body : cells->cell_body)
      {
        (void)body;
        AssertIndexRange(body, materials.size());
        Assert(materials[body] != nullptr,
               dealii::ExcMessage("A body with cells needs a material."));
      }

    batches.reinit(*cells, materials);

    const std::size_t n_slots = batches.slot_cell.size();
    reference.resize_fast(n_slots * kernels.n_reference);
    force_buffer.resize_fast(n_slots * kernels.n_nodes * dim);
    energy_buffer.resize_fast(n_slots);

    compute_reference_geometry();
    compute_lumped_mass();
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::compute_reference_geometry()
  {
    std::vector<double> positions(dim * cells->n_nodes);
    for (unsigned int node = 0; node < cells->n_nodes; ++node)
      for (unsigned int c = 0; c < dim; ++c)
        positions[dim * node + c] = cells->reference_positions[node][c];

    Workspace<dim> workspace;
    for (unsigned int batch = 0; batch < batches.n_batches(); ++batch)
      {
        double *const description = reference.data() + reference_begin(batch);
        gather(nodes_of(batch), positions.data(), workspace.x);
        kernels.describe(workspace.x, description);
        kernels.deform(description,
                       workspace.x,
                       workspace.F,
                       workspace.adjugates,
                       workspace.volumes,
                       workspace.inverted);
        for (unsigned int lane = 0; lane < batch_size; ++lane)
          for (unsigned int q = 0; q < kernels.n_points; ++q)
            if (!(workspace.volumes[q * batch_size + lane] > 0.))
              throw UserError(
                describe_cell(batches.slot_cell[batch * batch_size + lane],
                              positions.data()) +
                " is inverted or has no volume in the undeformed mesh: its "
                "Jacobian determinant is not positive at a quadrature point. "
                "Check the order of its vertices, or improve the mesh there.");
      }
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::compute_lumped_mass()
  {
    const unsigned int n_dofs = dim * kernels.n_nodes;

    Workspace<dim> workspace;
    for (unsigned int batch = 0; batch < batches.n_batches(); ++batch)
      {
        // Any positions will do for the volumes of the reference cell.
        std::fill(std::begin(workspace.x), std::end(workspace.x), 0.);
        kernels.deform(reference_of(batch),
                       workspace.x,
                       workspace.F,
                       workspace.adjugates,
                       workspace.volumes,
                       workspace.inverted);
        cell_masses(batches.batch_material[batch]->density(),
                    workspace.volumes,
                    force_buffer.data() + batch * n_dofs * batch_size);
      }

    lumped_mass.assign(cells->n_owned_nodes, 0.);
    for (unsigned int node = 0; node < cells->n_owned_nodes; ++node)
      for (unsigned int k = batches.node_begin[node];
           k < batches.node_begin[node + 1];
           ++k)
        lumped_mass[node] += force_buffer[batches.node_places[k]];
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::cell_masses(const double density,
                                                   const double *volumes,
                                                   double *masses) const
  {
    for (unsigned int a = 0; a < kernels.n_nodes; ++a)
      for (unsigned int lane = 0; lane < batch_size; ++lane)
        {
          double mass = 0.;
          for (unsigned int q = 0; q < kernels.n_points; ++q)
            mass +=
              volumes[q * batch_size + lane] * shapes[q * kernels.n_nodes + a];
          for (unsigned int c = 0; c < dim; ++c)
            masses[(a * dim + c) * batch_size + lane] = density * mass;
        }
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::gather(const unsigned int *nodes,
                                              const double *source,
                                              double *x) const
  {
    for (unsigned int a = 0; a < kernels.n_nodes; ++a)
      for (unsigned int lane = 0; lane < batch_size; ++lane)
        {
          const double *const values = source + static_cast<std::size_t>(dim) *
                                                  nodes[a * batch_size + lane];
          for (unsigned int c = 0; c < dim; ++c)
            x[(a * dim + c) * batch_size + lane] = values[c];
        }
  }



  template <int dim>
  bool
  InternalForces<dim>::Implementation::cell_forces(
    const double *description,
    const Material<dim> &material,
    Workspace<dim> &workspace,
    double *forces,
    double *energies) const
  {
    kernels.deform(description,
                   workspace.x,
                   workspace.F,
                   workspace.adjugates,
                   workspace.volumes,
                   workspace.inverted);
    material.evaluate(kernels.n_points * batch_size,
                      workspace.F,
                      workspace.P,
                      energies != nullptr ? workspace.W : nullptr);
    kernels.integrate(workspace.P,
                      workspace.adjugates,
                      forces,
                      workspace.not_finite);
    if (energies != nullptr)
      kernels.sum(workspace.W, workspace.volumes, energies);

    return !any_of(workspace.inverted) && !any_of(workspace.not_finite);
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::report_failures(
    const unsigned int *cells_of_batch,
    const Workspace<dim> &workspace,
    FirstCell &failed) const
  {
    for (unsigned int lane = 0; lane < batch_size; ++lane)
      if (workspace.inverted[lane] != 0. || workspace.not_finite[lane] != 0.)
        failed.report(cells_of_batch[lane]);
  }



  template <int dim>
  std::string
  InternalForces<dim>::Implementation::describe_cell(
    const unsigned int cell,
    const double *positions) const
  {
    std::ostringstream text;
    text.precision(6);
    text << "A cell of body " << cells->cell_body[cell] << " centred at (";
    for (unsigned int c = 0; c < dim; ++c)
      {
        double sum = 0.;
        for (unsigned int a = 0; a < kernels.n_nodes; ++a)
          sum +=
            positions[dim * static_cast<std::size_t>(
                              cells->cell_nodes[cell * kernels.n_nodes + a]) +
                      c];
        text << (c > 0 ? ", " : "") << sum / kernels.n_nodes;
      }
    text << ")";
    return text.str();
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::throw_if_any(
    const FirstCell &failed,
    const double *positions) const
  {
    if (failed.get() != FirstCell::none)
      throw RunError(
        describe_cell(failed.get(), positions) +
        " is inverted (det F is not positive at a quadrature point), or its "
        "forces are not finite. Use a smaller time step or finer cells there, "
        "and check velocities, loads and units of the material.");
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::evaluate(
    const double *positions,
    double *forces,
    std::vector<double> *energy_of_bodies) const
  {
    const unsigned int cell_size = dim * kernels.n_nodes * batch_size;

    FirstCell failed;
    dealii::parallel::apply_to_subranges(
      0U,
      batches.n_batches(),
      [&](const unsigned int begin, const unsigned int end) {
        Workspace<dim> workspace;
        for (unsigned int batch = begin; batch < end; ++batch)
          {
            gather(nodes_of(batch), positions, workspace.x);
            if (!cell_forces(reference_of(batch),
                             *batches.batch_material[batch],
                             workspace,
                             force_buffer.data() +
                               static_cast<std::size_t>(batch) * cell_size,
                             energy_of_bodies != nullptr
                               ? energy_buffer.data() + batch * batch_size
                               : nullptr))
              report_failures(cells_of(batch), workspace, failed);
          }
      },
      batch_grain_size);
    throw_if_any(failed, positions);

    dealii::parallel::apply_to_subranges(
      0U,
      cells->n_owned_nodes,
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

    if (energy_of_bodies != nullptr)
      for (unsigned int slot = 0; slot < batches.slot_cell.size(); ++slot)
        {
          const unsigned int cell = batches.slot_cell[slot];
          if (batches.is_filled(slot) && cells->cell_is_owned[cell])
            (*energy_of_bodies)[cells->cell_body[cell]] += energy_buffer[slot];
        }
  }



  template <int dim>
  double
  InternalForces<dim>::Implementation::stable_time_step(
    const double *positions) const
  {
    FirstCell failed;
    std::vector<double> smallest(batches.n_batches());
    dealii::parallel::apply_to_subranges(
      0U,
      batches.n_batches(),
      [&](const unsigned int begin, const unsigned int end) {
        for (unsigned int batch = begin; batch < end; ++batch)
          smallest[batch] = stable_time_step_of_batch(batch, positions, failed);
      },
      batch_grain_size);
    throw_if_any(failed, positions);

    double result = std::numeric_limits<double>::infinity();
    for (const double value : smallest)
      result = std::min(result, value);
    return result;
  }



  template <int dim>
  double
  InternalForces<dim>::Implementation::stable_time_step_of_batch(
    const unsigned int batch,
    const double *positions,
    FirstCell &failed) const
  {
    constexpr unsigned int size   = Workspace<dim>::n_dofs;
    const unsigned int n_dofs     = dim * kernels.n_nodes;
    const Material<dim> &material = *batches.batch_material[batch];

    Workspace<dim> workspace;
    alignas(64) double x[size], scaling[size], forces[size],
      displaced_forces[size], basis[(n_lanczos_steps + 1) * size],
      step[batch_size], diagonal[n_lanczos_steps * batch_size],
      off_diagonal[n_lanczos_steps * batch_size], eigenvalue[batch_size];

    gather(nodes_of(batch), positions, x);
    std::copy(x, x + n_dofs * batch_size, workspace.x);
    if (!cell_forces(reference_of(batch), material, workspace, forces, nullptr))
      {
        report_failures(cells_of(batch), workspace, failed);
        return 0.;
      }

    cell_masses(material.density(), workspace.volumes, scaling);
    for (unsigned int i = 0; i < n_dofs * batch_size; ++i)
      scaling[i] = 1. / std::sqrt(scaling[i]);

    set_start_vector(n_dofs, basis);
    for (unsigned int k = 0; k < n_lanczos_steps; ++k)
      {
        kernels.displace(x,
                         scaling,
                         basis + k * n_dofs * batch_size,
                         workspace.x,
                         step);
        cell_forces(reference_of(batch),
                    material,
                    workspace,
                    displaced_forces,
                    nullptr);
        kernels.extend(k,
                       displaced_forces,
                       forces,
                       scaling,
                       step,
                       basis,
                       diagonal,
                       off_diagonal);
      }
    kernels.largest_eigenvalue(n_lanczos_steps,
                               diagonal,
                               off_diagonal,
                               eigenvalue);

    const double largest =
      *std::max_element(std::begin(eigenvalue), std::end(eigenvalue));
    return 2. / std::sqrt(eigenvalue_margin * largest);
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::compare(
    const std::vector<unsigned int> &moved_nodes,
    const double *positions_a,
    const double *positions_b,
    const double *velocities,
    double &energy_difference,
    double &power_difference) const
  {
    const std::vector<unsigned int> slots = owned_slots_at(moved_nodes);

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
        collect(slots, begin, collected);

        gather(collected.nodes, velocities, v);
        gather(collected.nodes, positions_a, workspace.x);
        if (!cell_forces(collected.reference,
                         *collected.material,
                         workspace,
                         forces_a,
                         energies_a))
          report_failures(collected.cells, workspace, failed_a);
        gather(collected.nodes, positions_b, workspace.x);
        if (!cell_forces(collected.reference,
                         *collected.material,
                         workspace,
                         forces_b,
                         energies_b))
          report_failures(collected.cells, workspace, failed_b);

        for (unsigned int lane = 0; lane < collected.n; ++lane)
          {
            energy_difference += energies_b[lane] - energies_a[lane];
            for (unsigned int i = lane; i < dim * kernels.n_nodes * batch_size;
                 i += batch_size)
              power_difference += v[i] * (forces_b[i] - forces_a[i]);
          }
      }
    throw_if_any(failed_a, positions_a);
    throw_if_any(failed_b, positions_b);
  }



  template <int dim>
  std::vector<unsigned int>
  InternalForces<dim>::Implementation::owned_slots_at(
    const std::vector<unsigned int> &nodes) const
  {
    const unsigned int cell_size = dim * kernels.n_nodes * batch_size;

    std::vector<unsigned int> slots;
    slots.reserve(nodes.size() * kernels.n_nodes);
    for (const unsigned int node : nodes)
      for (unsigned int k = batches.node_begin[node];
           k < batches.node_begin[node + 1];
           ++k)
        {
          const unsigned int place = batches.node_places[k];
          const unsigned int slot =
            place / cell_size * batch_size + place % batch_size;
          if (cells->cell_is_owned[batches.slot_cell[slot]])
            slots.push_back(slot);
        }
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    return slots;
  }



  template <int dim>
  void
  InternalForces<dim>::Implementation::collect(
    const std::vector<unsigned int> &slots,
    const unsigned int begin,
    CollectedCells<dim> &collected) const
  {
    const auto material_of = [&](const unsigned int i) {
      return batches.batch_material[slots[i] / batch_size];
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
        const unsigned int batch = slot / batch_size, place = slot % batch_size;

        collected.cells[lane] = batches.slot_cell[slot];
        for (unsigned int a = 0; a < kernels.n_nodes; ++a)
          collected.nodes[a * batch_size + lane] =
            nodes_of(batch)[a * batch_size + place];
        for (unsigned int i = 0; i < kernels.n_reference; ++i)
          collected.reference[i * batch_size + lane] =
            reference_of(batch)[i * batch_size + place];
      }
  }



  template <int dim>
  std::size_t
  InternalForces<dim>::Implementation::memory_consumption() const
  {
    return batches.memory_consumption() + reference.memory_consumption() +
           force_buffer.memory_consumption() +
           energy_buffer.memory_consumption() +
           lumped_mass.capacity() * sizeof(double);
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
    const std::vector<const Material<dim> *> &materials)
  {
    implementation->reinit(cells, materials);
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
    implementation->evaluate(positions, forces, energy_of_bodies);
  }



  template <int dim>
  double
  InternalForces<dim>::stable_time_step(const double *positions) const
  {
    return implementation->stable_time_step(positions);
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
    implementation->compare(moved_nodes,
                            positions_a,
                            positions_b,
                            velocities,
                            energy_difference,
                            power_difference);
  }



  template <int dim>
  double
  InternalForces<dim>::bytes_per_cell() const
  {
    return static_cast<double>(implementation->memory_consumption()) /
           std::max(1U, implementation->cells->n_cells());
  }



  template class InternalForces<2>;
  template class InternalForces<3>;
} // namespace Ricochet
