// SPDX-License-Identifier: LGPL-2.1-or-later

#include "row_products.h"

#include <deal.II/base/types.h>

#include <numeric>

namespace Ricochet
{
  template <int dim>
  void
  RowProducts<dim>::set(const SparseRows<dim> &A,
                        const std::vector<unsigned int> &rows,
                        SymmetricRows &S)
  {
    struct Entry
    {
      unsigned int row;
      std::size_t entry;
    };
    first_at_node.assign(A.n_nodes + 1, 0);
    for (const unsigned int i : rows)
      for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
        ++first_at_node[A.nodes[k] + 1];
    std::partial_sum(first_at_node.begin(),
                     first_at_node.end(),
                     first_at_node.begin());
    std::vector<Entry> at_node(first_at_node.back());
    std::vector<unsigned int> end(first_at_node);
    mark.assign(rows.size(), dealii::numbers::invalid_unsigned_int);
    sums.resize(rows.size());
    std::vector<unsigned int> neighbors;
    S.clear();
    for (unsigned int f = 0; f < rows.size(); ++f)
      {
        neighbors.clear();
        for (std::size_t k = A.begin[rows[f]]; k < A.begin[rows[f] + 1]; ++k)
          {
            const unsigned int node = A.nodes[k];
            for (unsigned int p = first_at_node[node]; p < end[node]; ++p)
              {
                const unsigned int g = at_node[p].row;
                if (mark[g] != f)
                  {
                    mark[g] = f;
                    sums[g] = 0.;
                    neighbors.push_back(g);
                  }
                sums[g] += A.entries[k] * A.entries[at_node[p].entry];
              }
            at_node[end[node]++] = {f, k};
          }
        for (const unsigned int g : neighbors)
          if (g != f) // if a node is there twice
            S.add(g, sums[g]);
        S.end_row();
      }
  }



  template class RowProducts<1>;
  template class RowProducts<2>;
  template class RowProducts<3>;
} // namespace Ricochet
