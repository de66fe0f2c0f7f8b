// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_element_cell_table_h
#define ricochet_element_cell_table_h

#include <deal.II/base/point.h>

#include <array>
#include <vector>

namespace Ricochet
{
  /**
   * The cells and nodes of one rank in one forest as flat arrays, for loops
   * that deal.II's iterators would slow down.
   *
   * Cells: every cell that touches a locally owned node, i.e. all owned cells
   * and those ghost cells that matter, sorted by a partition-independent key
   * (CellId). Adding the contributions to a node in the order of this list
   * therefore gives the same sum on any number of ranks.
   *
   * Nodes: the locally owned ones first, then ghosts, in the order of the
   * forest's distributed vectors: component c of node n is local entry
   * dim*n + c of such a vector.
   */
  template <int dim>
  struct CellTable
  {
    /** Simplices or hypercubes. */
    bool simplex = false;

    /** Of the polynomials (in each direction, on hypercubes). */
    unsigned int degree = 1;

    /** (degree+1)^dim for hypercubes, in lexicographic order; dim+1 for
     * simplices. */
    unsigned int nodes_per_cell = 0;

    /** Local node numbers, nodes_per_cell for each cell. */
    std::vector<unsigned int> cell_nodes;

    /** The body that each cell belongs to. */
    std::vector<unsigned int> cell_body;

    /** Whether this rank owns the cell, so that sums count it once. */
    std::vector<char> cell_is_owned;

    /** Number of locally owned nodes and of all nodes stored here. */
    unsigned int n_owned_nodes = 0, n_nodes = 0;

    /** Reference position of all nodes. */
    std::vector<dealii::Point<dim>> reference_positions;

    /** Number of cells stored here. */
    unsigned int
    n_cells() const
    {
      return cell_body.size();
    }
  };
} // namespace Ricochet

#endif
