// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_cell_forces_h
#define ricochet_source_element_cell_forces_h

#include <ricochet/element/cell_table.h>
#include <ricochet/element/element_formulation.h>
#include <ricochet/material/material.h>

#include <deal.II/base/aligned_vector.h>

#include <atomic>
#include <limits>
#include <string>
#include <vector>

#include "cell_batches.h"
#include "cell_kernel_types.h"
#include "elastic_kernel_types.h"

namespace Ricochet
{
  /** How the forces of a batch are found in one pass, if they are. */
  struct ElasticBatch
  {
    ElasticKernel kernel = nullptr;
    double lambda = 0., mu = 0.;
  };



  /** The arrays of one batch of cells, wherever they are. */
  template <int dim>
  struct BatchView
  {
    const Material<dim> *material;
    ElementFormulation formulation;
    const unsigned int *cells, *nodes;
    const double *reference;

    /** Whether all cells are parallelepipeds, for which there are faster
     * kernels. */
    bool is_affine;

    /** Of the last accepted state, with so many numbers per point; null for
     * laws without a memory. */
    const double *history;
    unsigned int n_history;

    ElasticBatch elastic;
  };



  /** What the loops need for one batch of cells, on the stack of a thread. */
  template <int dim>
  struct Workspace
  {
    static constexpr unsigned int n_points =
                                    max_nodes_per_cell(dim) * batch_size,
                                  n_dofs = dim * n_points;

    alignas(64) double x[n_dofs], F[dim * n_dofs], P[dim * n_dofs],
      adjugates[dim * n_dofs], volumes[n_points], W[n_points],
      dilations[batch_size], not_finite[batch_size];

    /** For mean dilation, and for one point per cell. */
    alignas(64) double scales[n_points], dilation[batch_size],
      mean_F[dim * dim * batch_size], mean_P[dim * dim * batch_size],
      mean_W[batch_size];

    /** Length of the step from BatchView::history, which leads to history
     * here. */
    double dt = 0.;
    std::vector<double> history;
  };



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

    /** Report those cells of a batch whose dilation is not positive, or of
     * which something is not finite. */
    void
    report_bad(const unsigned int *const cells,
               const double *const dilations,
               const double *const not_finite)
    {
      for (unsigned int lane = 0; lane < batch_size; ++lane)
        if (!(dilations[lane] > 0.) || not_finite[lane] != 0.)
          report(cells[lane]);
    }

    unsigned int
    get() const
    {
      return first;
    }

  private:
    std::atomic<unsigned int> first{none};
  };



  /**
   * The forces of the cells of a table, batch by batch: the part of
   * InternalForces below the loops over batches and nodes.
   */
  template <int dim>
  class CellForces
  {
  public:
    /**
     * Choose the kernels and describe the reference geometry. Throws a
     * UserError that names a cell whose reference Jacobian is not positive.
     */
    void
    reinit(const CellTable<dim> &cells,
           const std::vector<const Material<dim> *> &materials,
           const std::vector<std::string> &body_names,
           const std::vector<ElementFormulation> &formulations);

    const CellTable<dim> &
    table() const
    {
      return *cells;
    }

    const CellBatches<dim> &
    batches() const
    {
      return cell_batches;
    }

    const CellKernels &
    kernels() const
    {
      return cell_kernels;
    }

    /** What the cells are, for other kernels. */
    CellShape
    shape() const;

    /** Entries of the forces, positions and masses of one batch. */
    unsigned int
    batch_entries() const
    {
      return dim * cell_kernels.n_nodes * batch_size;
    }

    /** Doubles of one batch in the order of CellKernels::scatter(). */
    unsigned int
    batch_places() const
    {
      return place_size(dim) * cell_kernels.n_nodes * batch_size;
    }

    /** A batch; @p history is that of all batches, null if not needed. */
    BatchView<dim>
    batch(const unsigned int number, const double *history = nullptr) const;

    /** Ask for what a batch reads, with the entries of a nodal vector, before
     * it is its turn: the processor does not foresee it between all other
     * accesses. */
    void
    prefetch(const unsigned int number, const double *source) const;

    /** Points of a batch at which its law is evaluated. */
    unsigned int
    n_material_points(const BatchView<dim> &batch) const
    {
      return batch.formulation.kind == ElementFormulation::Kind::reduced
               ? batch_size
               : cell_kernels.n_points * batch_size;
    }

    /** Where the history of a batch begins, and where that of the last ends. */
    std::size_t
    history_begin(const unsigned int number) const
    {
      return history_begins[number];
    }

    std::size_t
    history_size(const unsigned int number) const
    {
      return history_begins[number + 1] - history_begins[number];
    }

    /** The history of all batches at the start. */
    std::vector<double>
    initial_history() const;

    /**
     * Copy the entries of a nodal vector, dim per node, at the nodes of a
     * batch.
     */
    void
    gather(const BatchView<dim> &batch,
           const double *source,
           double *values) const;

    /**
     * Forces of one batch at the positions workspace.x, and the integrals of
     * the strain energy when @p energies is not null. A cell without a
     * meaningful result goes to @p failed. Where an elastic batch is treated in
     * one pass, of the workspace only dilations are set.
     */
    void
    evaluate(const BatchView<dim> &batch,
             Workspace<dim> &workspace,
             double *forces,
             double *energies,
             FirstCell &failed) const;

    /**
     * Whether a cell whose smallest det F was that of @p workspace after
     * evaluate() has collapsed since it was at @p positions_begin: then it goes
     * to @p failed. Changes the workspace, but for volumes and history.
     */
    void
    check_collapse(const BatchView<dim> &batch,
                   const double *positions_begin,
                   Workspace<dim> &workspace,
                   FirstCell &failed) const;

    /**
     * The law of one batch at the positions workspace.x, where it is evaluated:
     * F, P, the new history and if wanted W, or for one point per cell mean_F,
     * mean_P and mean_W.
     */
    void
    respond(const BatchView<dim> &batch,
            Workspace<dim> &workspace,
            const bool with_energies) const;

    /**
     * The integral over each cell of component @p c of the @p history of a
     * batch.
     */
    void
    integrate_history(const BatchView<dim> &batch,
                      const double *volumes,
                      const double *history,
                      const unsigned int c,
                      double *integrals) const;

    /**
     * The lumped mass of each cell of a batch, for all components of the
     * nodes: row sums of the mass matrix, or for degree 2 Simpson's rule at
     * the nodes, whose weights are positive.
     */
    void
    masses(const BatchView<dim> &batch,
           Workspace<dim> &workspace,
           double *result) const;

    /**
     * Throw a RunError with body and centre (at @p positions) of the cell in
     * @p failed, if there is one.
     */
    void
    throw_if_any(const FirstCell &failed, const double *positions) const;

    /** Body and centre of a cell, as the beginning of a message. */
    std::string
    describe_cell(const unsigned int cell, const double *positions) const;

    std::size_t
    memory_consumption() const;

  private:
    /** F and volumes in @p workspace for its positions x. */
    void
    deform(const BatchView<dim> &batch, Workspace<dim> &workspace) const;

    void
    describe_reference_geometry();

    /** Choose those of all batches. */
    void
    choose_elastic_kernels();

    /** The forces of a batch in several passes through the workspace, which is
     * possible for each of them. */
    void
    evaluate_in_passes(const BatchView<dim> &batch,
                       Workspace<dim> &workspace,
                       double *forces,
                       double *energies) const;

    const CellTable<dim> *cells = nullptr;
    std::vector<std::string> body_names; // or empty
    CellKernels cell_kernels;
    std::vector<double> mass_shares;
    std::vector<ElementFormulation> formulations; // of the batches
    std::vector<std::size_t> history_begins;
    CellBatches<dim> cell_batches;
    dealii::AlignedVector<double> reference;

    /** Of each batch, see BatchView. */
    std::vector<unsigned char> affine_batches;
    std::vector<ElasticBatch> elastic_batches;
  };
} // namespace Ricochet

#endif
