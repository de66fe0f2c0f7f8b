// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_saddle_point_program_h
#define ricochet_projection_saddle_point_program_h

#include <ricochet/projection/sparse_quadratic_program.h>
#include <ricochet/projection/step_matrix.h>
#include <ricochet/surface/surface_exchange.h>

#include <deal.II/base/tensor.h>

#include <vector>

namespace Ricochet
{
  /**
   * The quadratic program of many constraints on bodies with stiffness,
   *
   *   min 1/2 d . H d   with   G d >= b,
   *
   * where H is the matrix of an implicit step and G depends on nodes of the
   * surface. Memory grows with the number of unknowns, constraints and entries:
   * neither columns of H^-1 nor G H^-1 G' are formed.
   *
   * Multipliers mu are sought near others, lambda, by the method of multipliers
   * (Hestenes, 1969; Rockafellar, 1976), with a diagonal e that is small
   * against that of G H^-1 G':
   *
   *   H d = G' mu,   mu = max(0, lambda + (b - G d) / e),
   *
   * until b - G d = e (mu - lambda) is round-off, after a few replacements of
   * lambda by mu. With it, rows may be repeated or depend on each other, as
   * they do wherever meshes meet flush. The equations are solved by a
   * primal-dual active set (Hintermueller, Ito and Kunisch, 2002): the rows
   * whose mu is positive are equations, the others have none; and what is
   * positive then, are the next ones. They are the steps of Newton's method for
   * the minimum of
   *
   *   1/2 d . H d + 1/2 sum_i e_i max(0, lambda_i + (b - G d)_i / e_i)^2.
   *
   * A step that does not make that less is shortened to the best part of it,
   * and so the iteration ends: there are finitely many active sets, and none
   * comes twice.
   *
   * The saddle point problem of an active set A,
   *
   *   | H    -G_A' | | d    |   | 0                    |
   *   | -G_A -e_A  | | mu_A | = | -(b + e lambda)_A    |,
   *
   * is solved by minimal residuals with the diagonal of H, and for the rows a
   * sparse factor of G_A diag(H)^-1 G_A' + e_A, as preconditioners. The inertia
   * in H keeps the number of their steps to the root of how many times the
   * stable one the step of time is, or so; and unlike multigrid or the factor
   * of H the diagonal takes next to nothing in each.
   */
  template <int dim>
  class SaddlePointProgram
  {
  public:
    /** One entry per degree of freedom of a source. */
    using VectorType = StepMatrix::VectorType;

    /** Both must outlive this object. Collective. */
    SaddlePointProgram(StepMatrix &matrix,
                       const SurfaceExchange<dim> &exchange,
                       const unsigned int n_nodes);

    /** The inverse of the diagonal of H, at the nodes of the surface; zero
     * where motion is prescribed. */
    const std::vector<dealii::Tensor<1, dim>> &
    inverse_diagonal() const
    {
      return diagonal;
    }

    /**
     * Solve the program. Collective: all ranks have the same constraints.
     *
     * @param[in] G By nodes of the surface.
     * @param[in] b What is missing at d = 0, in the units of the constraints.
     * @param[in,out] multipliers The positive ones at the start tell the first
     *   active set (empty: none).
     * @param[out] displacements d at the nodes.
     */
    QuadraticProgramResult
    solve(const SparseRows<dim> &G,
          const std::vector<double> &b,
          std::vector<double> &multipliers,
          std::vector<dealii::Tensor<1, dim>> &displacements);

  private:
    StepMatrix &matrix;
    const SurfaceExchange<dim> &exchange;
    std::vector<dealii::Tensor<1, dim>> diagonal;

    /** The same of all degrees of freedom. */
    std::vector<VectorType> whole_diagonal;

    /** Of the last solution, where the next one begins. */
    std::vector<VectorType> last;
  };
} // namespace Ricochet

#endif
