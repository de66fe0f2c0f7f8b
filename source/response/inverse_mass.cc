// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/response/inverse_mass.h>

namespace Ricochet
{
  template <int dim>
  dealii::Tensor<1, dim>
  InverseMass<dim>::effective(const Collision<dim> &collision) const
  {
    dealii::Tensor<1, dim> result;
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      {
        const unsigned int node = collision.nodes[i];
        const double weight     = collision.weights[i];
        if (!is_of_body(node))
          continue;
        if (!is_consistent())
          result += weight * weight * diagonal[node];
        else
          {
            const Column &entries = column(node);
            for (unsigned int j = 0; j < collision.nodes.size(); ++j)
              if (is_of_body(collision.nodes[j]))
                result +=
                  weight * collision.weights[j] * entries[collision.nodes[j]];
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
