// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_mass_shares_h
#define ricochet_source_element_mass_shares_h

#include <vector>

namespace Ricochet
{
  /**
   * What the volume at each quadrature point of a cell contributes to the
   * lumped mass at each of its nodes: [point * nodes_per_cell + node]. Row sums
   * of the mass matrix, or for degree 2 Simpson's rule at the nodes.
   */
  template <int dim>
  std::vector<double>
  mass_shares_of(const bool simplex, const unsigned int degree);
} // namespace Ricochet

#endif
