// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_projection_row_products_h
#define ricochet_source_projection_row_products_h

#include <ricochet/projection/sparse_quadratic_program.h>

#include <vector>

#include "sparse_factor.h"

namespace Ricochet
{
  /** The products of some rows of a sparse matrix with each other. */
  template <int dim>
  class RowProducts
  {
  public:
    /** Set @p S to A A' of those rows, in this order; they have length one. */
    void
    set(const SparseRows<dim> &A,
        const std::vector<unsigned int> &rows,
        SymmetricRows &S);

  private:
    // The rows at each node, so far.
    std::vector<unsigned int> first_at_node, mark;
    std::vector<double> sums;
  };
} // namespace Ricochet

#endif
