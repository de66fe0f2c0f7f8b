// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_consistent_mass_h
#define ricochet_body_consistent_mass_h

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <functional>
#include <memory>

namespace Ricochet
{
  /**
   * The consistent mass matrix of one forest, integral of rho N_a N_b, and its
   * inverse on the degrees of freedom whose motion is not prescribed. Hanging
   * nodes move with their masters and have no rows and columns of their own.
   *
   * Solved to round-off by a direct solver of Trilinos, or, if it is large, by
   * conjugate gradients. Unlike lumped masses the result depends on the number
   * of ranks at round-off.
   */
  template <int dim>
  class ConsistentMass
  {
  public:
    /** One entry per degree of freedom. */
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /**
     * Assemble, and factorize if it is small. Collective.
     *
     * @param[in] hanging_nodes The constraints of hanging nodes.
     * @param[in] density Mass per volume of each cell.
     * @param[in] inverse_lumped_mass Zero for hanging nodes and where the
     *   motion is prescribed.
     */
    ConsistentMass(
      const dealii::DoFHandler<dim> &dof_handler,
      const dealii::Mapping<dim> &mapping,
      const dealii::AffineConstraints<double> &hanging_nodes,
      const std::function<
        double(const typename dealii::DoFHandler<dim>::active_cell_iterator &)>
        &density,
      const VectorType &inverse_lumped_mass);

    ~ConsistentMass();

    /** vector := M^-1 vector, zero for hanging nodes and where the motion is
     * prescribed. */
    void
    apply_inverse(VectorType &vector) const;

    /** result := M vector, zero for hanging nodes. */
    void
    multiply(VectorType &result, const VectorType &vector) const;

    /** See Solids::for_each_mass_entry(). */
    void
    for_each_entry(
      const std::function<void(const unsigned int row,
                               const dealii::types::global_dof_index column,
                               const double value)> &visit) const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace Ricochet

#endif
