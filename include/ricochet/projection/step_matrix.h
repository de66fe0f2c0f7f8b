// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_step_matrix_h
#define ricochet_projection_step_matrix_h

#include <deal.II/lac/la_parallel_vector.h>

#include <vector>

namespace Ricochet
{
  /**
   * The matrix of an implicit step: positive definite, over the degrees of
   * freedom of all sources of a contact surface, of which it couples those of a
   * body with each other only. All vectors have one part per source. Entries
   * with prescribed motion are zero in all that it is applied to, and in all
   * that it gives. All members are collective.
   */
  class StepMatrix
  {
  public:
    /** One entry per degree of freedom of a source. */
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /** One vector per source, to be changed. */
    using Vectors = std::vector<VectorType *>;

    virtual ~StepMatrix() = default;

    /** Whether it is symmetric; materials with viscosity make it less so. */
    virtual bool
    is_symmetric() const = 0;

    /** Multiply displacements in place: the forces that belong to them. */
    virtual void
    multiply(const Vectors &displacements) = 0;

    /** Multiply forces in place by the inverse. */
    virtual void
    solve(const Vectors &forces) = 0;

    /** Set to the inverse of the diagonal, or zero where motion is prescribed.
     */
    virtual void
    set_to_inverse_diagonal(const Vectors &result) = 0;
  };
} // namespace Ricochet

#endif
