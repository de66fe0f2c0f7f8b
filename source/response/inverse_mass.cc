// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/inverse_mass.h>

namespace Ricochet
{
  template <int dim>
  dealii::Tensor<1, dim>
  InverseMass<dim>::between(const Collision<dim> &first,
                            const Collision<dim> &second) const
  {
    dealii::Tensor<1, dim> result;
    for (unsigned int i = 0; i < first.nodes.size(); ++i)
      {
        const unsigned int node = first.nodes[i];
        if (!is_of_body(node))
          continue;
        const Column *entries = is_consistent() ? &column(node) : nullptr;
        for (unsigned int j = 0; j < second.nodes.size(); ++j)
          {
            const unsigned int other = second.nodes[j];
            const double weight      = first.weights[i] * second.weights[j];
            if (entries != nullptr && is_of_body(other))
              result += weight * (*entries)[other];
            else if (node == other)
              result += weight * diagonal[node];
          }
      }
    return result;
  }



  template <int dim>
  const typename InverseMass<dim>::Column &
  InverseMass<dim>::column(const unsigned int node) const
  {
    const auto known = columns.find(node);
    if (known != columns.end())
      return known->second;
    return columns.emplace(node, make_column(node)).first->second;
  }



  template class InverseMass<2>;
  template class InverseMass<3>;
} // namespace Ricochet
