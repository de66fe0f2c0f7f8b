// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_matrix_row_h
#define ricochet_base_matrix_row_h

#include <deal.II/lac/exceptions.h>

#include <Epetra_CrsMatrix.h>

namespace Ricochet
{
  /** A row of a matrix as Trilinos keeps it. deal.II's iterators over rows copy
   * each into vectors as long as a whole row. */
  struct MatrixRow
  {
    /** How many entries it has. */
    int n_entries;

    /** Their values, and their columns as numbers of the column map. */
    double *values;
    int *columns;
  };



  /** The row with this number on this rank of a matrix whose pattern is
   * final. */
  inline MatrixRow
  row_of(const Epetra_CrsMatrix &matrix, const unsigned int row)
  {
    MatrixRow view;
    const int error =
      matrix.ExtractMyRowView(row, view.n_entries, view.values, view.columns);
    AssertThrow(error == 0, dealii::ExcTrilinosError(error));
    return view;
  }
} // namespace Ricochet

#endif
