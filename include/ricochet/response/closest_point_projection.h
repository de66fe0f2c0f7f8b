// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_closest_point_projection_h
#define ricochet_response_closest_point_projection_h

#include <ricochet/response/inverse_mass.h>
#include <ricochet/search/collision.h>

#include <deal.II/base/point.h>

#include <vector>

namespace Ricochet
{
  /** A gap that must not be smaller than a target: n . h(x) >= target. */
  template <int dim>
  struct GapConstraint
  {
    Collision<dim> collision;
    double target = 0.;

    /** Lagrange multiplier, >= 0, in units of mass times length. */
    double multiplier = 0.;
  };



  /**
   * The closest point to a predictor, in the norm of the mass, that satisfies
   * linear constraints (Kane, Repetto, Ortiz, Marsden, the projection onto the
   * admissible set for one choice of its smooth branches):
   *
   *   min 1/2 (x - x~) . M (x - x~)   with   n_c . h_c(x) >= target_c,
   *   x = x~ + M^-1 sum_c w_c n_c lambda_c,   lambda_c >= 0.
   *
   * Solved for the multipliers by Gauss-Seidel, which needs no independent
   * constraints and no matrix: each step is the exact solution for one
   * constraint. The centre of mass stays, whatever the multipliers.
   *
   * @param[in,out] constraints Their multipliers are the start and the result.
   * @param[in] predictor x~, one point per node.
   * @param[out] positions x.
   * @param[in] tolerance The sweeps end when none of them changes a gap by more
   *   than this, relative to the local edge length of the pair.
   * @param[in] max_sweeps Gives up after so many sweeps over all constraints.
   * @return Whether the sweeps ended; then all targets are reached, give or
   *   take the tolerance.
   */
  template <int dim>
  bool
  project_onto_gaps(std::vector<GapConstraint<dim>> &constraints,
                    const InverseMass<dim> &inverse_mass,
                    const std::vector<dealii::Point<dim>> &predictor,
                    std::vector<dealii::Point<dim>> &positions,
                    const double tolerance,
                    const unsigned int max_sweeps);
} // namespace Ricochet

#endif
