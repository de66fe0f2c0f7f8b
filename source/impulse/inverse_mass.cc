// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/inverse_mass.h>

namespace Ricochet
{
  using dealii::Tensor;

  template <int dim>
  void
  CoupledNodes<dim>::move(const unsigned int j,
                          const double weight,
                          const Tensor<1, dim> &impulse,
                          double *const field) const
  {
    for (unsigned int i = 0; i < nodes.size(); ++i)
      {
        const Tensor<1, dim> change = weight * (block(i, j) * impulse);
        for (unsigned int d = 0; d < dim; ++d)
          field[nodes[i] * dim + d] += change[d];
      }
  }



  template <int dim>
  Tensor<2, dim>
  ConsistentNodes<dim>::block(const unsigned int i, const unsigned int j) const
  {
    const Tensor<1, dim> &entries = column(j)[i];
    Tensor<2, dim> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d][d] = entries[d];
    return result;
  }



  template <int dim>
  void
  ConsistentNodes<dim>::move(const unsigned int j,
                             const double weight,
                             const Tensor<1, dim> &impulse,
                             double *const field) const
  {
    const Column &entries = column(j);
    const auto &nodes     = this->get_nodes();
    for (unsigned int i = 0; i < entries.size(); ++i)
      for (unsigned int d = 0; d < dim; ++d)
        field[nodes[i] * dim + d] += weight * entries[i][d] * impulse[d];
  }



  template <int dim>
  const typename ConsistentNodes<dim>::Column &
  ConsistentNodes<dim>::column(const unsigned int j) const
  {
    const auto known = columns.find(j);
    if (known != columns.end())
      return known->second;
    return columns.emplace(j, make_column(j)).first->second;
  }



  template <int dim>
  void
  InverseMass<dim>::couple(const std::shared_ptr<CoupledNodes<dim>> &set)
  {
    places.resize(diagonal.size());
    const auto &nodes = set->get_nodes();
    for (unsigned int i = 0; i < nodes.size(); ++i)
      {
        AssertThrow(is_of_body(nodes[i]) && places[nodes[i]].set == alone,
                    dealii::ExcMessage(
                      "Node " + std::to_string(nodes[i]) +
                      " has no mass, or it is in another set of coupled nodes "
                      "already. Put each node into one set."));
        places[nodes[i]].set    = sets.size();
        places[nodes[i]].number = i;
      }
    sets.push_back(set);
  }



  template <int dim>
  Tensor<2, dim>
  InverseMass<dim>::of_node(const unsigned int node) const
  {
    if (is_coupled(node))
      return set_of(node)->block(places[node].number, places[node].number);
    Tensor<2, dim> result;
    if (is_of_body(node))
      for (unsigned int d = 0; d < dim; ++d)
        result[d][d] = diagonal[node][d];
    return result;
  }



  template <int dim>
  Tensor<2, dim>
  InverseMass<dim>::between(const Collision<dim> &first,
                            const Collision<dim> &second) const
  {
    Tensor<2, dim> result;
    if (&first == &second && sets.empty())
      {
        // Each node occurs once, and moves itself alone.
        for (unsigned int i = 0; i < first.nodes.size(); ++i)
          if (is_of_body(first.nodes[i]))
            for (unsigned int d = 0; d < dim; ++d)
              result[d][d] += first.weights[i] * first.weights[i] *
                              diagonal[first.nodes[i]][d];
        return result;
      }
    for (unsigned int i = 0; i < first.nodes.size(); ++i)
      {
        const unsigned int node = first.nodes[i];
        if (!is_of_body(node))
          continue;
        const CoupledNodes<dim> *const set = set_of(node);
        for (unsigned int j = 0; j < second.nodes.size(); ++j)
          {
            const unsigned int other = second.nodes[j];
            const double weight      = first.weights[i] * second.weights[j];
            if (set == nullptr)
              {
                if (node == other)
                  for (unsigned int d = 0; d < dim; ++d)
                    result[d][d] += weight * diagonal[node][d];
              }
            else if (set == set_of(other))
              result +=
                weight * set->block(places[node].number, places[other].number);
          }
      }
    return result;
  }



  template class CoupledNodes<2>;
  template class CoupledNodes<3>;
  template class ConsistentNodes<2>;
  template class ConsistentNodes<3>;
  template class InverseMass<2>;
  template class InverseMass<3>;
} // namespace Ricochet
