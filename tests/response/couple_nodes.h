// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_response_couple_nodes_h
#define ricochet_tests_response_couple_nodes_h

#include <ricochet/impulse/inverse_mass.h>

#include <deal.II/lac/full_matrix.h>

#include <memory>
#include <vector>

namespace Ricochet
{
  /** Couple @p nodes by their rows and columns of @p inverse, the inverse of a
   * consistent mass, which is the same in all components. */
  template <int dim>
  void
  couple_nodes(InverseMass<dim> &inverse_mass,
               const std::vector<unsigned int> &nodes,
               const dealii::FullMatrix<double> &inverse)
  {
    inverse_mass.couple(std::make_shared<ConsistentNodes<dim>>(
      nodes,
      [nodes, inverse](const unsigned int j) {
        typename ConsistentNodes<dim>::Column column(nodes.size());
        for (unsigned int i = 0; i < nodes.size(); ++i)
          for (unsigned int d = 0; d < dim; ++d)
            column[i][d] = inverse(nodes[i], nodes[j]);
        return column;
      }));
  }
} // namespace Ricochet

#endif
