// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_step_cells_h
#define ricochet_source_element_step_cells_h

#include <deal.II/base/aligned_vector.h>

#include "cell_forces.h"
#include "step_kernel_types.h"

namespace Ricochet
{
  /** The step of one batch of cells. */
  template <int dim>
  struct BatchStep
  {
    /** With the history at the start. */
    BatchView<dim> batch;

    /** Coordinates of all nodes at the start, null where only the end matters,
     * and at the end. */
    const double *positions_begin, *positions_end;

    double dt;

    /** Of the cells at the start, see StepCells::stored_energies(). */
    const double *energies_begin;
  };



  /** What the loops of StepCells need for one batch of cells. */
  template <int dim>
  struct StepWorkspace
  {
    /** For no cells. */
    StepWorkspace() = default;

    explicit StepWorkspace(const CellKernels &kernels);

    using Values = dealii::AlignedVector<double>;

    /** Nodes of the cells. */
    Values x, column, row, slope;

    /** At the quadrature points: gradients, stresses, geometry. */
    Values begin, end, middle, P, W, adjugates, volumes;

    /** The same where the law is evaluated, if that is only one point per
     * cell, and the volume of the cell. */
    Values mean_begin, mean_end, mean_P, mean_W, volume;

    /** What the law is asked for and answers; with mean dilation also the
     * scaled gradients and the stresses there. */
    Values F, law_P, law_W, P_end, A, scales, scaled_F, scaled_P;

    /** Fields, see StepKernels. */
    Values left, right, strains, slopes;

    Values gradients, sum_of_gradients;

    /** One number per cell. */
    alignas(64) double dilations[batch_size], dilation[batch_size],
      work[batch_size], alpha[batch_size], inverse_square[batch_size],
      products[2 * batch_size], not_finite[batch_size];

    /** At the end of the step, and in the middle. */
    std::vector<double> history, middle_history;
  };



  /**
   * Forces and matrices of a step batch by batch: the part of StepForces below
   * the loops.
   */
  template <int dim>
  class StepCells
  {
  public:
    explicit StepCells(const CellForces<dim> &cell_forces);

    /** The energies of the law, those of hourglass modes excluded, that the
     * cells of a batch store at the start of a step. */
    void
    stored_energies(const BatchView<dim> &batch,
                    const double *positions,
                    StepWorkspace<dim> &workspace,
                    double *energies) const;

    /**
     * Algorithmic forces of a step, and if @p energies is not null the strain
     * energies at its end. The new history is workspace.history. A cell without
     * a meaningful result goes to @p failed.
     */
    void
    forces(const BatchStep<dim> &step,
           StepWorkspace<dim> &workspace,
           double *forces,
           double *energies,
           FirstCell &failed) const;

    /** Their derivatives, see CellMatrices for the layout. */
    void
    matrices(const BatchStep<dim> &step,
             StepWorkspace<dim> &workspace,
             double *matrices) const;

    /** Derivatives of the forces at the end. */
    void
    matrices_at_end(const BatchStep<dim> &step,
                    StepWorkspace<dim> &workspace,
                    double *matrices) const;

  private:
    /** Where a law is evaluated. */
    struct Points
    {
      unsigned int n_per_cell, n;
      const double *begin, *end, *volumes;
    };

    /** Geometry and gradients @p F at all quadrature points. */
    void
    deform(const BatchView<dim> &batch,
           const double *positions,
           StepWorkspace<dim> &workspace,
           double *F) const;

    /** Both ends of the step, or only the second one, at the points of the
     * law. */
    Points
    deform_ends(const BatchStep<dim> &step,
                StepWorkspace<dim> &workspace) const;

    /** Stress and if wanted energy of the cells, as functions of the gradients
     * @p F at the points of the law, in law_P and law_W. */
    void
    respond(const BatchView<dim> &batch,
            const Points &points,
            const double dt,
            const double *F,
            StepWorkspace<dim> &workspace,
            const bool with_energies,
            std::vector<double> &history) const;

    /** Tangent of the cells likewise, in A, and if wanted the stress in law_P.
     * @return The number of fields left and right. */
    unsigned int
    respond_with_tangent(const BatchView<dim> &batch,
                         const Points &points,
                         const double dt,
                         const double *F,
                         const bool with_stress,
                         StepWorkspace<dim> &workspace) const;

    /** The stress at the end, and of laws with a memory the derivative of
     * stored and dissipated energy instead, in P_end. */
    void
    differentiate_work(const BatchStep<dim> &step,
                       const Points &points,
                       StepWorkspace<dim> &workspace) const;

    /** The energy that the forces have to work, in work, after respond() to
     * the end. */
    void
    set_work(const BatchStep<dim> &step,
             const Points &points,
             StepWorkspace<dim> &workspace) const;

    /** Where the law is evaluated in the middle of a step, in F. */
    void
    set_middle(const BatchStep<dim> &step,
               const Points &points,
               StepWorkspace<dim> &workspace) const;

    /** The algorithmic @p stress at the points of the law, from law_P in the
     * middle and work. */
    void
    correct(const BatchStep<dim> &step,
            const Points &points,
            StepWorkspace<dim> &workspace,
            double *stress) const;

    /** The matrices of the tangent A. */
    void
    assemble(const BatchView<dim> &batch,
             const Points &points,
             const bool symmetric,
             const double hourglass_factor,
             StepWorkspace<dim> &workspace,
             double *matrices) const;

    /** Nodal values of a field of stresses at the points of the law. */
    void
    integrate(const Points &points,
              const double *field,
              StepWorkspace<dim> &workspace,
              double *nodes) const;

    /** Add the matrices of pair @p k of fields; leaves their nodal values in
     * column and row. */
    void
    add_pair(const Points &points,
             const unsigned int k,
             StepWorkspace<dim> &workspace,
             double *matrices) const;

    const CellForces<dim> &cell_forces;
    const CellKernels &kernels;
    const StepKernels step_kernels;
  };
} // namespace Ricochet

#endif
