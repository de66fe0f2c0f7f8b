// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_projection_saddle_point_h
#define ricochet_source_projection_saddle_point_h

#include <ricochet/projection/sparse_quadratic_program.h>
#include <ricochet/projection/step_matrix.h>
#include <ricochet/surface/surface_exchange.h>

#include <deal.II/lac/la_parallel_block_vector.h>

#include <vector>

#include "row_products.h"

namespace Ricochet
{
  /** The equations of an active set. Blocks are the sources, and one for its
   * multipliers, which the first rank has. */
  template <int dim>
  class SaddlePoint
  {
  public:
    using BlockVector = dealii::LinearAlgebra::distributed::BlockVector<double>;

    SaddlePoint(StepMatrix &matrix,
                const SurfaceExchange<dim> &exchange,
                const std::vector<StepMatrix::VectorType> &inverse_diagonal,
                const std::vector<dealii::Tensor<1, dim>> &diagonal,
                const SparseRows<dim> &rows);

    /** The rows, of length one in the norm of diag(H)^-1. */
    SparseRows<dim> A;

    /** By which they were multiplied, or zero. */
    std::vector<double> scale;

    /** e. */
    double softness = 0.;

    /** Displacements, and A times them. */
    std::vector<StepMatrix::VectorType> displacements;
    std::vector<double> opened;

    /**
     * Solve H d = A' mu with b - A d = e (mu - lambda) for some rows.
     *
     * @param[in,out] mu Of all rows; begins near the solution.
     * @return Whether that is done, to @p tolerance of b.
     */
    bool
    solve(const std::vector<unsigned int> &active,
          const std::vector<double> &b,
          const std::vector<double> &lambda,
          const double tolerance,
          const bool loosely,
          std::vector<double> &mu);

    /** H times the displacements. */
    std::vector<StepMatrix::VectorType>
    forces() const
    {
      auto result = displacements;
      StepMatrix::Vectors parts;
      for (auto &vector : result)
        parts.push_back(&vector);
      matrix.multiply(parts);
      return result;
    }

    /** Displacements at the nodes. */
    std::vector<dealii::Tensor<1, dim>>
    at_nodes() const
    {
      return values_of(displacements);
    }

    /** The product with the matrix of the equations. */
    void
    vmult(BlockVector &y, const BlockVector &x) const;

  private:
    template <typename Blocks>
    std::vector<dealii::Tensor<1, dim>>
    values_of(const Blocks &blocks) const;

    /** Let these rows be the active ones, in an order for the factor. */
    void
    set_face(const std::vector<unsigned int> &active);

    /** Set what is left of the equations; returns the largest of rows. */
    double
    set_residual(const std::vector<double> &b,
                 const std::vector<double> &lambda,
                 const std::vector<double> &on_face,
                 BlockVector &residual) const;

    /** Add A' mu of the active rows. */
    void
    add_forces(const std::vector<double> &mu,
               const StepMatrix::Vectors &forces) const;

    std::vector<double>
    multipliers_of(const BlockVector &x) const;

    BlockVector
    block_vector() const;

    StepMatrix &matrix;
    const SurfaceExchange<dim> &exchange;
    const std::vector<StepMatrix::VectorType> &inverse_diagonal;
    const MPI_Comm communicator;
    const bool has_multipliers;
    const unsigned int n_nodes; // of the surface

    SparseRows<dim> by_length; // A diag(H)^-1/2
    std::vector<unsigned int> face;
    RowProducts<dim> products;
    SymmetricRows S;
    SparseFactor factor;
    bool has_factor           = false;
    double softness_of_factor = 0.;

    /** The inverse of the blocks on the diagonal, nearly. */
    struct Preconditioner
    {
      const SaddlePoint &of;

      void
      vmult(BlockVector &y, const BlockVector &x) const;
    };
  };
} // namespace Ricochet

#endif
