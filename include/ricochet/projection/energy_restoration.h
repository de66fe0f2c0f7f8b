// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_energy_restoration_h
#define ricochet_projection_energy_restoration_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/projection/closest_point_projection.h>

#include <deal.II/lac/full_matrix.h>

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
   * The same for contacts that move each other's nodes (Love and Laursen, 2003,
   * eq. (75)): the roots of
   *
   *   kappa_l sum_k A_lk kappa_k + b_l kappa_l + c_l = 0   for each l,
   *
   * by the rule above for one row after the other, again and again, and then
   * Newton's method for those rows that have a root. The rule says which root
   * of a row is meant; that all have one is certain for c <= 0 only, and only
   * for given roots of the others.
   *
   * @param[in] A Symmetric, A_lk = 1/2 F_l . M^-1 F_k.
   */
  std::vector<double>
  energy_roots(const dealii::FullMatrix<double> &A,
               const std::vector<double> &b,
               const std::vector<double> &c);

  /** What is left of row @p l with given roots: the energy that contact @p l
   * gains beyond what is meant. */
  double
  energy_defect(const dealii::FullMatrix<double> &A,
                const std::vector<double> &b,
                const std::vector<double> &c,
                const std::vector<double> &roots,
                const unsigned int l);

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

  /**
   * The opposite where contact gave energy to a group, since a gap had to open
   * on another side or edges had a lever: the part sigma of the impulses is
   * taken back with which none is left, or least; no more than the half that
   * acts at the end of the step, see GroupImpulses.
   *
   * @param[in] contacts The same, with their impulses as multipliers.
   */
  template <int dim>
  void
  take_back_gains(const std::vector<GapConstraint<dim>> &contacts,
                  const std::vector<double> &work,
                  ContactState<dim> &state);
} // namespace Ricochet

#endif
