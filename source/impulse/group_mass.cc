// SPDX-License-Identifier: LGPL-2.1-or-later

#include "group_mass.h"

#include <deal.II/lac/vector.h>

#include <algorithm>

namespace Ricochet
{
  using dealii::FullMatrix;
  using dealii::Tensor;
  using dealii::Vector;

  template <int dim>
  GroupMass<dim>::GroupMass(const std::vector<unsigned int> &nodes,
                            const InverseMass<dim> &inverse_mass,
                            const unsigned int n_surface_nodes)
    : is_coupled(
        std::any_of(nodes.begin(), nodes.end(), [&](const unsigned int node) {
          return inverse_mass.set_of(node) != nullptr;
        }))
  {
    for (const unsigned int node : nodes)
      inverse.push_back(inverse_mass.of_node(node));
    if (is_coupled)
      for (unsigned int d = 0; d < dim; ++d)
        factorize(d, nodes, inverse_mass, n_surface_nodes);
  }



  template <int dim>
  void
  GroupMass<dim>::multiply(const unsigned int d,
                           FullMatrix<double> &values) const
  {
    for (unsigned int i = 0; i < values.m(); ++i)
      for (unsigned int k = 0; k < values.n(); ++k)
        values(i, k) *=
          is_held(i, d) ? 0. : (is_coupled ? 1. : 1. / inverse[i][d][d]);
    if (!is_coupled || free[d].empty())
      return;
    Vector<double> column(free[d].size());
    for (unsigned int k = 0; k < values.n(); ++k)
      {
        for (unsigned int r = 0; r < column.size(); ++r)
          column[r] = values(free[d][r], k);
        factors[d].solve(column);
        for (unsigned int r = 0; r < column.size(); ++r)
          values(free[d][r], k) = column[r];
      }
  }



  template <int dim>
  void
  GroupMass<dim>::factorize(const unsigned int d,
                            const std::vector<unsigned int> &nodes,
                            const InverseMass<dim> &inverse_mass,
                            const unsigned int n_surface_nodes)
  {
    for (unsigned int i = 0; i < nodes.size(); ++i)
      if (!is_held(i, d))
        free[d].push_back(i);
    factors[d].reinit(free[d].size());
    Tensor<1, dim> unit;
    unit[d] = 1.;
    for (unsigned int c = 0; c < free[d].size(); ++c)
      {
        std::vector<Tensor<1, dim>> column(n_surface_nodes);
        inverse_mass.apply(single_node<dim>(nodes[free[d][c]]), unit, column);
        for (unsigned int r = 0; r < free[d].size(); ++r)
          factors[d](r, c) = column[nodes[free[d][r]]][d];
      }
    if (!free[d].empty())
      factors[d].compute_lu_factorization();
  }



  template class GroupMass<2>;
  template class GroupMass<3>;
} // namespace Ricochet
