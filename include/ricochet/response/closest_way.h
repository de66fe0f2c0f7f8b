// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_closest_way_h
#define ricochet_response_closest_way_h

#include <ricochet/response/inverse_mass.h>
#include <ricochet/search/branches.h>

#include <deal.II/base/point.h>

#include <vector>

namespace Ricochet
{
  /**
   * Of several ways to end a crossing the one with the smallest kinetic
   * distance: the largest of g^2 / (w . M^-1 w) over its branches, the square
   * of the distance, in the norm of the mass, to where the linearized gap is
   * zero. Of equal ones (to 1e-9) it is the one whose features have the
   * smallest numbers, so that no round-off decides.
   *
   * With the start of the step known, ways that were closed then do not count:
   * they lead out where the bodies did not come in, and contact would do work;
   * neither do those whose closest points are not on the features at the end,
   * and edges that did not meet on the way.
   *
   * @param[in] ways See ways_out().
   * @param[in] end Positions of the nodes in which the facets cross.
   * @param[in] begin Those at the start of the step, or null.
   * @param[in] met With @p begin: the features that met, if these are edges.
   * @return Null if there is none.
   */
  template <int dim>
  const BranchSet<dim> *
  closest_way(const Surface<dim> &surface,
              const std::vector<BranchSet<dim>> &ways,
              const InverseMass<dim> &inverse_mass,
              const std::vector<dealii::Point<dim>> &end,
              const std::vector<dealii::Point<dim>> *begin = nullptr,
              const Branch<dim> *met                       = nullptr);
} // namespace Ricochet

#endif
