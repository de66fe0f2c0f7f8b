// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_sparse_quadratic_program_h
#define ricochet_projection_sparse_quadratic_program_h

#include <ricochet/projection/quadratic_program.h>

#include <deal.II/base/tensor.h>

#include <cstddef>
#include <vector>

namespace Ricochet
{
  /** The rows of A = G M^-1/2 for a mass that is diagonal: of each constraint
   * the gradients by the few nodes that it depends on, divided by the roots of
   * their masses. */
  template <int dim>
  struct SparseRows
  {
    unsigned int n_nodes = 0;

    /** Where the entries of each row begin, and where the last ones end. */
    std::vector<std::size_t> begin{0};

    std::vector<unsigned int> nodes;
    std::vector<dealii::Tensor<1, dim>> entries;

    /** The number of rows. */
    unsigned int
    size() const
    {
      return begin.size() - 1;
    }

    /** Add an entry of the row at the end; its nodes must differ. */
    void
    add(const unsigned int node, const dealii::Tensor<1, dim> &entry)
    {
      nodes.push_back(node);
      entries.push_back(entry);
    }

    /** End the row. */
    void
    end_row()
    {
      begin.push_back(nodes.size());
    }
  };



  /**
   * The same as with a full matrix S = A A' for many constraints, in memory
   * that grows with their number, and in a time that does where each one
   * depends on few others, as on surfaces.
   *
   * The dual problem, min 1/2 lambda . S lambda - b . lambda with lambda >= 0,
   * is solved face by face (More and Toraldo, 1991): sweeps over the
   * constraints, one after the other (Hildreth, 1957), find which multipliers
   * are positive; these alone are then made optimal by a sparse factor of their
   * part of S, with a diagonal that is larger by 1e-10, as preconditioner of
   * conjugate gradients. Multipliers that became negative are set to zero along
   * the path there as far as that is an improvement, and the others solved for
   * again. Each part only improves the dual objective, and it ends where the
   * dense method ends: points agree to round-off, multipliers need not where
   * constraints depend on each other.
   *
   * Where nearly all constraints of a surface hold at once, as when flat meshes
   * that do not match meet flush, there are several times more of them than
   * nodes can obey, the faces are degenerate, and so are all exact methods.
   * Then the sweeps go on alone, with momentum (Nesterov, 1983) and over the
   * worst rows where these are few, until at most 1e-3 of what was missing is
   * still missing, or too much; where that takes long, more, up to 1e-2
   * (QuadraticProgramResult::is_rough). The multipliers are not negative even
   * so, and both momenta are kept.
   *
   * The order of all operations is fixed, and so are the results.
   *
   * @param[in] A The constraints; rows that are zero belong to constraints that
   *   nothing can change, which are left alone.
   * @param[in] b What is missing.
   * @param[in,out] multipliers As with a full matrix; the start has its
   *   positive ones as values, too.
   */
  template <int dim>
  QuadraticProgramResult
  solve_quadratic_program(SparseRows<dim> A,
                          const std::vector<double> &b,
                          std::vector<double> &multipliers);
} // namespace Ricochet

#endif
