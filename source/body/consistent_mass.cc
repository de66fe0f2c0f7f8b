// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/matrix_row.h>
#include <ricochet/body/consistent_mass.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparsity_tools.h>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_solver.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <algorithm>
#include <optional>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** With more degrees of freedom, solutions take conjugate gradients no
     * longer than a factorization, which takes long itself. */
    template <int dim>
    constexpr types::global_dof_index largest_direct =
      dim == 2 ? 100000 : 12000;

    /** Of conjugate gradients: residuals relative to the right-hand side, and
     * iterations. Scaled by its diagonal, the mass of linear elements that are
     * boxes has a condition of 3^dim, however many there are. */
    constexpr double round_off            = 1e-15;
    constexpr unsigned int max_iterations = 1000;
  } // namespace



  template <int dim>
  class ConsistentMass<dim>::Implementation
  {
  public:
    /** The whole matrix, and the one with prescribed rows and columns removed.
     */
    TrilinosWrappers::SparseMatrix full, free;
    std::vector<types::global_dof_index> not_free, hanging; // owned
    mutable TrilinosWrappers::MPI::Vector right_hand_side, solution;

    /** Make ready for solve(). */
    void
    prepare_to_solve();

    /** The solution of the last right-hand side. */
    void
    solve() const;

    /** Give the matrices and vectors their sizes. */
    void
    reinit(const DoFHandler<dim> &dof_handler,
           const AffineConstraints<double> &hanging_nodes);

    /** Fill the matrices. */
    void
    assemble(
      const DoFHandler<dim> &dof_handler,
      const Mapping<dim> &mapping,
      const AffineConstraints<double> &hanging_nodes,
      const AffineConstraints<double> &supports,
      const std::function<double(
        const typename DoFHandler<dim>::active_cell_iterator &)> &density);

    void
    to_trilinos(const VectorType &from, TrilinosWrappers::MPI::Vector &to) const
    {
      for (const auto i : from.locally_owned_elements())
        to(i) = from(i);
      to.compress(VectorOperation::insert);
    }

    void
    from_trilinos(const TrilinosWrappers::MPI::Vector &from,
                  VectorType &to) const
    {
      for (const auto i : to.locally_owned_elements())
        to(i) = from(i);
    }

  private:
    /** Without one, conjugate gradients. */
    mutable std::optional<TrilinosWrappers::SolverDirect> direct;
    SolverControl control{1, 0.};
    TrilinosWrappers::PreconditionJacobi diagonal;
  };



  template <int dim>
  void
  ConsistentMass<dim>::Implementation::prepare_to_solve()
  {
    if (free.m() <= largest_direct<dim>)
      direct.emplace(control).initialize(free);
    else
      diagonal.initialize(free);
  }



  template <int dim>
  void
  ConsistentMass<dim>::Implementation::solve() const
  {
    if (direct)
      {
        direct->solve(solution, right_hand_side);
        return;
      }
    ReductionControl iterations(max_iterations, 0., round_off, false, false);
    SolverCG<TrilinosWrappers::MPI::Vector> conjugate_gradients(iterations);
    solution = 0.;
    try
      {
        conjugate_gradients.solve(free, solution, right_hand_side, diagonal);
      }
    catch (const SolverControl::NoConvergence &)
      {
        throw RunError(
          "No accelerations by the consistent mass were found: "
          "forces are not finite, or cells have no volume.");
      }
  }



  template <int dim>
  void
  ConsistentMass<dim>::Implementation::reinit(
    const DoFHandler<dim> &dof_handler,
    const AffineConstraints<double> &hanging_nodes)
  {
    const MPI_Comm communicator = dof_handler.get_communicator();
    const IndexSet relevant =
      DoFTools::extract_locally_relevant_dofs(dof_handler);
    DynamicSparsityPattern pattern(relevant);
    Table<2, DoFTools::Coupling> each_alone(dim, dim);
    for (unsigned int d = 0; d < dim; ++d)
      for (unsigned int e = 0; e < dim; ++e)
        each_alone(d, e) = d == e ? DoFTools::always : DoFTools::none;
    DoFTools::make_sparsity_pattern(dof_handler,
                                    each_alone,
                                    pattern,
                                    hanging_nodes);
    SparsityTools::distribute_sparsity_pattern(pattern,
                                               dof_handler.locally_owned_dofs(),
                                               communicator,
                                               relevant);
    const IndexSet &owned = dof_handler.locally_owned_dofs();
    full.reinit(owned, owned, pattern, communicator);
    free.reinit(owned, owned, pattern, communicator);
    right_hand_side.reinit(owned, communicator);
    solution.reinit(owned, communicator);
  }



  template <int dim>
  void
  ConsistentMass<dim>::Implementation::assemble(
    const DoFHandler<dim> &dof_handler,
    const Mapping<dim> &mapping,
    const AffineConstraints<double> &hanging_nodes,
    const AffineConstraints<double> &supports,
    const std::function<
      double(const typename DoFHandler<dim>::active_cell_iterator &)> &density)
  {
    const FiniteElement<dim> &fe = dof_handler.get_fe();
    const Quadrature<dim> quadrature =
      fe.reference_cell().template get_gauss_type_quadrature<dim>(fe.degree +
                                                                  1);
    FEValues<dim> values(mapping,
                         fe,
                         quadrature,
                         update_values | update_JxW_values);
    FullMatrix<double> cell_matrix(fe.n_dofs_per_cell(), fe.n_dofs_per_cell());
    std::vector<types::global_dof_index> dofs(fe.n_dofs_per_cell());
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          values.reinit(cell);
          cell_matrix      = 0.;
          const double rho = density(cell);
          for (unsigned int q = 0; q < quadrature.size(); ++q)
            for (const unsigned int i : values.dof_indices())
              for (const unsigned int j : values.dof_indices())
                if (fe.system_to_component_index(i).first ==
                    fe.system_to_component_index(j).first)
                  cell_matrix(i, j) += rho * values.shape_value(i, q) *
                                       values.shape_value(j, q) * values.JxW(q);
          cell->get_dof_indices(dofs);
          hanging_nodes.distribute_local_to_global(cell_matrix, dofs, full);
          supports.distribute_local_to_global(cell_matrix, dofs, free);
        }
    full.compress(VectorOperation::add);
    free.compress(VectorOperation::add);
  }



  namespace
  {
    /** What is prescribed, also on ghost nodes, whose rows this rank adds to,
     * and hanging nodes. */
    template <int dim>
    AffineConstraints<double>
    supports_of(
      const DoFHandler<dim> &dof_handler,
      const AffineConstraints<double> &hanging_nodes,
      const typename ConsistentMass<dim>::VectorType &inverse_lumped_mass)
    {
      const IndexSet relevant =
        DoFTools::extract_locally_relevant_dofs(dof_handler);
      AffineConstraints<double> supports(relevant);
      for (const auto i : relevant)
        if (inverse_lumped_mass(i) == 0. && !hanging_nodes.is_constrained(i))
          supports.add_line(i);
      supports.merge(hanging_nodes);
      supports.close();
      return supports;
    }
  } // namespace



  template <int dim>
  ConsistentMass<dim>::ConsistentMass(
    const DoFHandler<dim> &dof_handler,
    const Mapping<dim> &mapping,
    const AffineConstraints<double> &hanging_nodes,
    const std::function<
      double(const typename DoFHandler<dim>::active_cell_iterator &)> &density,
    const VectorType &inverse_lumped_mass)
    : implementation(std::make_unique<Implementation>())
  {
    VectorType inverse(inverse_lumped_mass);
    inverse.update_ghost_values();
    for (const auto i : dof_handler.locally_owned_dofs())
      {
        if (inverse(i) == 0.)
          implementation->not_free.push_back(i);
        if (hanging_nodes.is_constrained(i))
          implementation->hanging.push_back(i);
      }
    implementation->reinit(dof_handler, hanging_nodes);
    implementation->assemble(dof_handler,
                             mapping,
                             hanging_nodes,
                             supports_of(dof_handler, hanging_nodes, inverse),
                             density);
    implementation->prepare_to_solve();
  }



  template <int dim>
  ConsistentMass<dim>::~ConsistentMass() = default;



  template <int dim>
  void
  ConsistentMass<dim>::apply_inverse(VectorType &vector) const
  {
    for (const auto i : implementation->not_free)
      vector(i) = 0.;
    implementation->to_trilinos(vector, implementation->right_hand_side);
    implementation->solve();
    implementation->from_trilinos(implementation->solution, vector);
    for (const auto i : implementation->not_free)
      vector(i) = 0.;
  }



  template <int dim>
  void
  ConsistentMass<dim>::multiply(VectorType &result,
                                const VectorType &vector) const
  {
    implementation->to_trilinos(vector, implementation->right_hand_side);
    implementation->full.vmult(implementation->solution,
                               implementation->right_hand_side);
    implementation->from_trilinos(implementation->solution, result);
    for (const auto i : implementation->hanging)
      result(i) = 0.;
  }



  template <int dim>
  void
  ConsistentMass<dim>::for_each_entry(
    const std::function<void(const unsigned int,
                             const types::global_dof_index,
                             const double)> &visit) const
  {
    const Epetra_CrsMatrix &matrix = implementation->full.trilinos_matrix();
    const IndexSet owned = implementation->full.locally_owned_range_indices();
    const auto &hanging  = implementation->hanging;
    for (unsigned int row = 0; row < owned.n_elements(); ++row)
      {
        if (std::binary_search(hanging.begin(),
                               hanging.end(),
                               owned.nth_index_in_set(row)))
          continue;
        const MatrixRow entries = row_of(matrix, row);
        for (int k = 0; k < entries.n_entries; ++k)
          if (entries.values[k] != 0.)
            visit(row,
                  TrilinosWrappers::global_column_index(matrix,
                                                        entries.columns[k]),
                  entries.values[k]);
      }
  }



  template class ConsistentMass<2>;
  template class ConsistentMass<3>;
} // namespace Ricochet
