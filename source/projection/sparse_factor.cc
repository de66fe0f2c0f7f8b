// SPDX-License-Identifier: LGPL-2.1-or-later

#include "sparse_factor.h"

#include <deal.II/base/types.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/minimum_degree_ordering.hpp>

namespace Ricochet
{
  void
  SymmetricRows::clear()
  {
    begin.assign(1, 0);
    columns.clear();
    values.clear();
  }



  void
  SymmetricRows::multiply(const std::vector<double> &x,
                          std::vector<double> &y) const
  {
    y = x;
    for (unsigned int i = 0; i < size(); ++i)
      {
        double sum = 0.;
        for (std::size_t k = begin[i]; k < begin[i + 1]; ++k)
          {
            sum += values[k] * x[columns[k]];
            y[columns[k]] += values[k] * x[i];
          }
        y[i] += sum;
      }
  }



  std::vector<unsigned int>
  SymmetricRows::sparse_order() const
  {
    using Graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
    const unsigned int n = size();
    Graph graph(n);
    for (unsigned int i = 0; i < n; ++i)
      for (std::size_t k = begin[i]; k < begin[i + 1]; ++k)
        {
          boost::add_edge(i, columns[k], graph);
          boost::add_edge(columns[k], i, graph);
        }
    std::vector<int> degree(n, 0), place(n, 0), order(n, 0), size(n, 1);
    const auto numbers = boost::get(boost::vertex_index, graph);
    if (n > 0)
      boost::minimum_degree_ordering(
        graph,
        boost::make_iterator_property_map(degree.begin(), numbers),
        place.data(),
        order.data(),
        boost::make_iterator_property_map(size.begin(), numbers),
        0,
        numbers);
    return std::vector<unsigned int>(order.begin(), order.end());
  }



  void
  SparseFactor::find_pattern(const SymmetricRows &matrix)
  {
    const unsigned int n = matrix.size();
    parent.assign(n, dealii::numbers::invalid_unsigned_int);
    mark.resize(n);
    std::vector<std::size_t> n_below(n, 0);
    for (unsigned int i = 0; i < n; ++i)
      {
        mark[i] = i;
        for (std::size_t k = matrix.begin[i]; k < matrix.begin[i + 1]; ++k)
          for (unsigned int j = matrix.columns[k]; mark[j] != i; j = parent[j])
            {
              if (parent[j] == dealii::numbers::invalid_unsigned_int)
                parent[j] = i;
              ++n_below[j];
              mark[j] = i;
            }
      }
    begin.assign(1, 0);
    for (const std::size_t count : n_below)
      begin.push_back(begin.back() + count);
  }



  bool
  SparseFactor::reinit(const SymmetricRows &matrix,
                       const double shift,
                       const std::size_t max_entries)
  {
    find_pattern(matrix);
    if (begin.back() > max_entries)
      return false;
    const unsigned int n = matrix.size();
    rows.resize(begin[n]);
    values.resize(begin[n]);
    diagonal.resize(n);
    end.assign(begin.begin(), begin.end() - 1);
    row.assign(n, 0.);
    path.resize(n);
    std::fill(mark.begin(), mark.end(), dealii::numbers::invalid_unsigned_int);
    for (unsigned int i = 0; i < n; ++i)
      {
        // What the row of L has entries in, from the leaves of the tree on.
        unsigned int top = n;
        mark[i]          = i;
        for (std::size_t k = matrix.begin[i]; k < matrix.begin[i + 1]; ++k)
          {
            row[matrix.columns[k]] = matrix.values[k];
            unsigned int length    = 0;
            for (unsigned int j = matrix.columns[k]; mark[j] != i;
                 j              = parent[j])
              {
                             path[length++] = j;
                             mark[j]        = i;
              }
            while (length > 0)
              path[--top] = path[--length];
          }
        double pivot = 1. + shift;
        for (; top < n; ++top)
          {
            const unsigned int j = path[top];
            const double value   = row[j];
            row[j]               = 0.;
            for (std::size_t k = begin[j]; k < end[j]; ++k)
              row[rows[k]] -= values[k] * value;
            const double entry = value / diagonal[j];
            pivot -= entry * value;
            rows[end[j]]     = i;
            values[end[j]++] = entry;
          }
        diagonal[i] = std::max(pivot, shift);
      }
    return true;
  }



  void
  SparseFactor::solve(std::vector<double> &x) const
  {
    const unsigned int n = diagonal.size();
    for (unsigned int j = 0; j < n; ++j)
      for (std::size_t k = begin[j]; k < begin[j + 1]; ++k)
        x[rows[k]] -= values[k] * x[j];
    for (unsigned int j = n; j-- > 0;)
      {
        double sum = x[j] / diagonal[j];
        for (std::size_t k = begin[j]; k < begin[j + 1]; ++k)
          sum -= values[k] * x[rows[k]];
        x[j] = sum;
      }
  }
} // namespace Ricochet
