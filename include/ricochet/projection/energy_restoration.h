// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_energy_restoration_h
#define ricochet_projection_energy_restoration_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/projection/closest_point_projection.h>

#include <vector>

namespace Ricochet
{
  /**
   * How much of a force pushes the nodes apart so that they get back the
   * kinetic energy -c (Love and Laursen, 2003, eq. (74) for one contact):
   * the root
   *
   *   A kappa^2 + b kappa + c = 0,   kappa >= 0,
   *
   * with A = 1/2 F . M^-1 F >= 0 and b = F . v. With c <= 0 there is exactly
   * one. With c > 0, energy to be taken away, it is the root nearest to zero;
   * if there is none, as much is taken as kappa >= 0 can. Without a force
   * (A = 0) it is zero.
   */
  double
  energy_root(const double A, const double b, const double c);

  /**
   * Give each group of contacts back the energy that its forces have taken, by
   * pushing it apart along them: the velocities at the end of the step change
   * by kappa M^-1 F such that the kinetic energy changes by minus the work of F
   * in the step. The forces F = lambda w n keep both momenta.
   *
   * @param[in] contacts With multipliers and with gradients at the end of the
   *   step.
   * @param[in] work What the forces of each contact have done in the step, an
   *   energy.
   */
  template <int dim>
  void
  restore_energy(const std::vector<GapConstraint<dim>> &contacts,
                 const std::vector<double> &work,
                 ContactState<dim> &state);
} // namespace Ricochet

#endif
