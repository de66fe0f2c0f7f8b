// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_closest_way_h
#define ricochet_projection_closest_way_h

#include <ricochet/geometry/branches.h>
#include <ricochet/impulse/inverse_mass.h>

#include <deal.II/base/point.h>

#include <vector>

namespace Ricochet
{
  /** Kinetic distances that differ by less, relative, are the same. */
  constexpr double same_distance = 1e-9;



  /**
   * Those of several ways to end a crossing that lead back: ways that were
   * closed at the start of the step lead out where the bodies did not come in,
   * and contact would do work; nor do those count whose closest points are not
   * on the features at the end, and edges that did not meet.
   *
   * @param[in] ways See ways_out().
   * @param[in] begin Positions of the nodes at the start of the step.
   * @param[in] end Those in which the facets cross.
   * @param[in] met The edges that met on the way, or null.
   */
  template <int dim>
  std::vector<BranchSet<dim>>
  ways_back(const Surface<dim> &surface,
            const std::vector<BranchSet<dim>> &ways,
            const std::vector<dealii::Point<dim>> &begin,
            const std::vector<dealii::Point<dim>> &end,
            const Branch<dim> *met);

  /**
   * The way with the smallest kinetic distance: the largest of
   * g^2 / (w . M^-1 w) over its branches, the square of the distance, in the
   * norm of the mass, to where the linearized gap is zero. Of equal ones (to
   * 1e-9) it is the one whose features have the smallest numbers, so that no
   * round-off decides.
   *
   * @param[in] ways At least one.
   * @param[in] end Positions of the nodes in which the facets cross.
   */
  template <int dim>
  const BranchSet<dim> &
  closest_way(const Surface<dim> &surface,
              const std::vector<BranchSet<dim>> &ways,
              const InverseMass<dim> &inverse_mass,
              const std::vector<dealii::Point<dim>> &end);
} // namespace Ricochet

#endif
