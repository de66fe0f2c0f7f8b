// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_implicit_system_matrix_h
#define ricochet_implicit_system_matrix_h

#include <ricochet/element/step_forces.h>
#include <ricochet/implicit/system_numbering.h>
#include <ricochet/response/contact_forces.h>
#include <ricochet/surface/extraction.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>

#include <array>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** A small matrix for some unknowns, in the numbers of the system. */
  struct SystemElement
  {
    /** For @p n unknowns, of zeros. */
    explicit SystemElement(const unsigned int n)
      : dofs(n)
      , matrix(n, n)
    {}

    std::vector<dealii::types::global_dof_index> dofs;
    dealii::FullMatrix<double> matrix;
  };



  /**
   * The matrix of an implicit step, over all forests: a sum of masses,
   * stiffnesses of cells and those of contact, of which hanging nodes and
   * prescribed degrees of freedom are condensed out. Their rows and columns
   * have an entry on the diagonal only.
   *
   * To fill it: cover() what contact couples, clear(), the members that add, in
   * any order, and finish(). All are collective.
   *
   * A rank adds the rows of the nodes that it owns, from all cells that touch
   * them, straight to where Trilinos keeps them, without communication. Only
   * cells with hanging nodes go by
   * AffineConstraints::distribute_local_to_global and between ranks.
   */
  template <int dim>
  class SystemMatrix
  {
  public:
    /** What Trilinos' solvers take. */
    using MatrixType = dealii::TrilinosWrappers::SparseMatrix;

    /** Build the sparsity of cells alone; @p solids must outlive this object.
     */
    void
    reinit(const Solids<dim> &solids);

    /** Have entries for all pairs of nodes of these contacts and of unknowns of
     * these elements, both the same on all ranks: those of before stay. */
    void
    cover(const std::vector<ContactElement<dim>> &contacts,
          const SurfaceNodes<dim> &nodes,
          const std::vector<SystemElement> &elements);

    /** Set all entries to zero. */
    void
    clear();

    /** Add @p factor times the mass matrix of the bodies. */
    void
    add_mass(const double factor);

    /** Add @p factor times the stiffness of cells of a forest; for
     * StepForces::stiffness(). */
    void
    add_cells(const unsigned int forest,
              const CellMatrices<dim> &cells,
              const double factor);

    /** Add @p factor times the stiffness of contact. */
    void
    add_contacts(const std::vector<ContactElement<dim>> &contacts,
                 const SurfaceNodes<dim> &nodes,
                 const double factor);

    /** Add elements, the same on all ranks. */
    void
    add_elements(const std::vector<SystemElement> &elements);

    /** Condense, after all was added. */
    void
    finish();

    /** The matrix; another one when the sparsity changes. */
    std::shared_ptr<const MatrixType>
    get() const
    {
      return matrix;
    }

    /** The numbers of its rows and columns. */
    const SystemNumbering<dim> &
    get_numbering() const
    {
      return numbering;
    }

    /** Set entries of degrees of freedom that do not move freely, hanging nodes
     * too, to zero. */
    void
    set_constrained_to_zero(
      typename SystemNumbering<dim>::VectorType &vector) const;

    /** Whether an owned row is that of a hanging node or of a prescribed degree
     * of freedom. */
    bool
    is_constrained_row(const unsigned int row) const
    {
      return is_constrained[row] != 0;
    }

    /** The entry on the diagonal of an owned row. */
    double
    diagonal(const unsigned int row) const;

    /** Number of rows on all ranks. */
    dealii::types::global_dof_index
    size() const
    {
      return numbering.owned().size();
    }

  private:
    /** The first components of two nodes, in the numbers of the system. */
    using NodePair = std::array<dealii::types::global_dof_index, 2>;

    void
    find_constraints();

    void
    build();

    void
    add_cells_to_pattern(dealii::DynamicSparsityPattern &pattern) const;

    /** Find where cells without hanging nodes add their entries. */
    void
    find_places();

    /** And the rows that finish() has to change. */
    void
    mark_fixed_columns();

    /** A cell with hanging nodes. */
    void
    add_hanging_cell(const unsigned int forest,
                     const CellMatrices<dim> &cells,
                     const unsigned int l,
                     const double factor);

    /** Call @p visit(first local row, number of node i in the element, number
     * of node j, first column) for the pairs of nodes of contacts of which this
     * rank owns the first. */
    template <typename Function>
    void
    for_each_pair(const ContactElement<dim> &contact,
                  const SurfaceNodes<dim> &nodes,
                  const Function &visit) const;

    const Solids<dim> *solids = nullptr;
    SystemNumbering<dim> numbering;
    dealii::AffineConstraints<double> hanging;

    /** Of the owned rows: prescribed; not free, that is prescribed or hanging.
     */
    std::vector<char> is_fixed, is_constrained;

    std::shared_ptr<MatrixType> matrix;
    std::set<NodePair> contact_pairs;

    /** Rows and columns of elements. */
    std::set<NodePair> element_entries;

    /** Per forest: which cells have hanging nodes; and per cell, node and
     * degree of freedom where the column of the latter is in the rows of the
     * former. Trilinos gives ghosts numbers of its own, in any order. */
    std::vector<std::vector<char>> has_hanging_nodes;
    std::vector<std::vector<unsigned int>> places;
    std::vector<double *> rows;
    std::vector<char> column_is_fixed; // in Trilinos' local numbers

    /** Those of the owned rows that finish() has to change. */
    std::vector<unsigned int> rows_to_finish;
  };
} // namespace Ricochet

#endif
