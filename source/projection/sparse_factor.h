// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_projection_sparse_factor_h
#define ricochet_source_projection_sparse_factor_h

#include <cstddef>
#include <vector>

namespace Ricochet
{
  /** A symmetric matrix with a unit diagonal, of which the entries left of it
   * are stored, row by row. */
  class SymmetricRows
  {
  public:
    /** Make it empty. */
    void
    clear();

    /** Add an entry of the row at the end. */
    void
    add(const unsigned int column, const double value)
    {
      columns.push_back(column);
      values.push_back(value);
    }

    /** End the row. */
    void
    end_row()
    {
      begin.push_back(columns.size());
    }

    unsigned int
    size() const
    {
      return begin.size() - 1;
    }

    /** Set y to the product with x. */
    void
    multiply(const std::vector<double> &x, std::vector<double> &y) const;

    /** An order of the rows that keeps factors sparse: that of minimum degrees
     * (Liu, 1985). */
    std::vector<unsigned int>
    sparse_order() const;

  private:
    friend class SparseFactor;

    std::vector<std::size_t> begin{0};
    std::vector<unsigned int> columns;
    std::vector<double> values;
  };



  /** L D L' of such a matrix, whose diagonal is made larger by @p shift so that
   * rows may depend on each other. Row by row, each from what is above it
   * (Davis, 2006, chapter 4). */
  class SparseFactor
  {
  public:
    /** Factorize, unless that takes more than so many entries; whether it did
     * not. */
    bool
    reinit(const SymmetricRows &matrix,
           const double shift,
           const std::size_t max_entries);

    /** Solve in place. */
    void
    solve(std::vector<double> &x) const;

  private:
    /** The tree of the rows that the elimination of each one reaches first, and
     * how many entries there are below each diagonal one. */
    void
    find_pattern(const SymmetricRows &matrix);

    std::vector<unsigned int> parent;
    std::vector<std::size_t> begin; // of columns of L
    std::vector<unsigned int> rows;
    std::vector<double> values, diagonal;

    // To work with.
    std::vector<unsigned int> mark, path;
    std::vector<std::size_t> end;
    std::vector<double> row;
  };
} // namespace Ricochet

#endif
