// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/element/step_forces.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/parallel.h>
#include <deal.II/base/thread_local_storage.h>
#include <deal.II/base/work_stream.h>

#include "internal_forces_implementation.h"
#include "step_cells.h"

namespace Ricochet
{
  namespace
  {
    /** Batches per task: enough to pay for a task, few enough to balance. */
    constexpr unsigned int batch_grain_size = 32, matrix_chunk_size = 4;
  } // namespace



  template <int dim>
  class StepForces<dim>::Implementation
  {
  public:
    explicit Implementation(const InternalForces<dim> &forces)
      : forces(forces)
      , all(*forces.implementation)
      , step_cells(all.cell_forces)
      , workspaces(StepWorkspace<dim>(all.cell_forces.kernels()))
    {}

    /** Batch @p number in the step to @p positions. */
    BatchStep<dim>
    step(const unsigned int number, const double *positions) const
    {
      return {all.cell_forces.batch(number, history->data()),
              kind == Kind::at_end ? nullptr : positions_begin.data(),
              positions,
              dt,
              energies_begin.data() + number * batch_size};
    }

    /** Call @p function(number of a batch, workspace) for all batches. */
    template <typename Function>
    void
    for_each_batch(const Function &function) const
    {
      dealii::parallel::apply_to_subranges(
        0U,
        all.cell_forces.batches().n_batches(),
        [&](const unsigned int begin, const unsigned int end) {
          StepWorkspace<dim> &workspace = workspaces.get();
          for (unsigned int b = begin; b < end; ++b)
            function(b, workspace);
        },
        batch_grain_size);
    }

    /** The algorithmic forces, see StepForces::evaluate(). */
    void
    evaluate(const double *positions,
             std::vector<double> &new_history,
             double *result,
             BodyEnergies *energies) const;

    const InternalForces<dim> &forces;
    const typename InternalForces<dim>::Implementation &all;
    const StepCells<dim> step_cells;
    mutable dealii::Threads::ThreadLocalStorage<StepWorkspace<dim>> workspaces;

    /** The step. */
    Kind kind                          = Kind::at_end;
    double dt                          = 0.;
    const std::vector<double> *history = nullptr;
    std::vector<double> positions_begin, energies_begin;
  };



  template <int dim>
  void
  StepForces<dim>::Implementation::evaluate(const double *positions,
                                            std::vector<double> &new_history,
                                            double *result,
                                            BodyEnergies *energies) const
  {
    new_history.resize(history->size());
    if (energies != nullptr && !history->empty())
      all.loss_buffer.resize_fast(all.energy_buffer.size());
    FirstCell failed;
    const auto evaluate_batch = [&](const unsigned int b,
                                    StepWorkspace<dim> &workspace) {
      alignas(64) double forces_of_cells[Workspace<dim>::n_dofs];
      const BatchStep<dim> of_batch = step(b, positions);
      step_cells.forces(of_batch,
                        workspace,
                        forces_of_cells,
                        energies != nullptr
                          ? all.energy_buffer.data() + b * batch_size
                          : nullptr,
                        failed);
      all.cell_forces.kernels().scatter(forces_of_cells,
                                        all.node_sums.places(b));
      if (of_batch.batch.history == nullptr)
        return;
      std::copy(workspace.history.begin(),
                workspace.history.end(),
                new_history.begin() + all.cell_forces.history_begin(b));
      if (energies != nullptr)
        all.cell_forces.integrate_history(of_batch.batch,
                                          workspace.volumes.data(),
                                          workspace.history.data(),
                                          MaterialHistory::dissipated_energy,
                                          all.loss_buffer.data() +
                                            b * batch_size);
    };
    all.node_sums.sum(
      [&](const unsigned int begin, const unsigned int end) {
        StepWorkspace<dim> &workspace = workspaces.get();
        for (unsigned int b = begin; b < end; ++b)
          evaluate_batch(b, workspace);
      },
      result);
    all.cell_forces.throw_if_any(failed, positions);
    if (energies == nullptr)
      return;
    all.add_energies(energies->strain);
    if (!history->empty())
      all.add_losses(*energies);
  }



  template <int dim>
  StepForces<dim>::StepForces(const InternalForces<dim> &forces)
    : implementation(std::make_unique<Implementation>(forces))
  {}



  template <int dim>
  StepForces<dim>::~StepForces() = default;



  template <int dim>
  void
  StepForces<dim>::begin(const Kind kind,
                         const double *positions,
                         const double dt,
                         const std::vector<double> &history)
  {
    Implementation &data            = *implementation;
    const CellTable<dim> &cells     = data.all.cell_forces.table();
    const CellBatches<dim> &batches = data.all.cell_forces.batches();
    data.kind                       = kind;
    data.dt                         = dt;
    data.history                    = &history;
    data.positions_begin.assign(positions,
                                positions + static_cast<std::size_t>(dim) *
                                              cells.n_nodes);
    data.energies_begin.resize(batches.slot_cell.size());
    if (kind == Kind::discrete_gradient)
      data.for_each_batch(
        [&](const unsigned int b, StepWorkspace<dim> &workspace) {
          data.step_cells.stored_energies(
            data.all.cell_forces.batch(b, history.data()),
            data.positions_begin.data(),
            workspace,
            data.energies_begin.data() + b * batch_size);
        });
  }



  template <int dim>
  void
  StepForces<dim>::evaluate(const double *positions,
                            std::vector<double> &new_history,
                            double *forces,
                            BodyEnergies *energies) const
  {
    const Implementation &data = *implementation;
    AssertThrow(data.history != nullptr,
                dealii::ExcMessage("A step must begin before its forces."));
    if (data.kind == Kind::at_end)
      data.forces.advance(positions,
                          nullptr,
                          data.dt,
                          *data.history,
                          new_history,
                          forces,
                          energies);
    else
      data.evaluate(positions, new_history, forces, energies);
  }



  template <int dim>
  void
  StepForces<dim>::stiffness(
    const double *positions,
    const std::function<void(const CellMatrices<dim> &)> &visit) const
  {
    using Values               = dealii::AlignedVector<double>;
    const Implementation &data = *implementation;
    AssertThrow(data.history != nullptr,
                dealii::ExcMessage("A step must begin before its stiffness."));
    const CellBatches<dim> &batches = data.all.cell_forces.batches();
    const unsigned int n_dofs = dim * data.all.cell_forces.kernels().n_nodes;

    struct Copy
    {
      unsigned int number;
      Values matrices;
    };
    Copy sample;
    sample.matrices.resize(n_dofs * n_dofs * batch_size);
    struct
    {
    } no_scratch;
    using Scratch = decltype(no_scratch);
    dealii::WorkStream::run(
      0U,
      batches.n_batches(),
      [&](const unsigned int number, Scratch &, Copy &copy) {
        copy.number                   = number;
        const BatchStep<dim> step     = data.step(number, positions);
        StepWorkspace<dim> &workspace = data.workspaces.get();
        if (data.kind == Kind::at_end)
          data.step_cells.matrices_at_end(step,
                                          workspace,
                                          copy.matrices.data());
        else
          data.step_cells.matrices(step, workspace, copy.matrices.data());
      },
      [&](const Copy &copy) {
        visit({batches.slot_cell.data() +
                 static_cast<std::size_t>(copy.number) * batch_size,
               batches.n_filled[copy.number],
               copy.matrices.data(),
               n_dofs,
               batch_size});
      },
      no_scratch,
      sample,
      2 * dealii::MultithreadInfo::n_threads(),
      matrix_chunk_size);
  }



  template class StepForces<2>;
  template class StepForces<3>;
} // namespace Ricochet
