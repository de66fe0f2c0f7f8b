// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_projection_closest_point_projection_h
#define ricochet_projection_closest_point_projection_h

#include <ricochet/geometry/collision.h>
#include <ricochet/impulse/inverse_mass.h>

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



  /** How project_onto_gaps() ended. */
  struct ProjectionResult
  {
    /** Groups of constraints that do not depend on each other. */
    unsigned int n_groups = 0;

    /** Those without a solution or with one that is too far away, and
     * constraints that nothing can move and whose pairs are not apart. */
    unsigned int n_infeasible = 0;

    /** Most iterations in a group. */
    unsigned int n_iterations = 0;

    /** Large groups of bodies with stiffness, and those of them that the saddle
     * point path did not solve, but the dual one. */
    unsigned int n_large = 0, n_by_columns = 0;

    /** Whether some are satisfied but for a small part of what was missing, see
     * QuadraticProgramResult::is_rough. */
    bool is_rough = false;

    /** Whether all constraints are satisfied. */
    bool is_solved = true;

    /** Those of the groups that are not solved. */
    std::vector<unsigned int> unsolved;
  };



  /** What to do with groups that are not solved. */
  enum class UnsolvedGroups
  {
    /** Leave their nodes at the predictor, with all multipliers zero. */
    leave,

    /** Satisfy their constraints as far as limited multipliers can. */
    relax
  };



  /**
   * The closest point to a predictor, in the norm of the mass, that satisfies
   * linear constraints: the projection of Kane, Repetto, Ortiz and Marsden
   * (1999) onto the admissible set, for one choice of its smooth branches,
   *
   *   min 1/2 (x - x~) . M (x - x~)   with   n_c . h_c(x) >= target_c,
   *   x = x~ + M^-1 sum_c w_c n_c lambda_c,   lambda_c >= 0.
   *
   * Constraints that share nodes with a mass (with a consistent mass: a body)
   * are in one group; each group is solved by solve_quadratic_program(), with
   * sparse matrices if it has more than a hundred constraints whose nodes move
   * alone, different ones by different threads; of bodies with stiffness,
   * large ones by SaddlePointProgram::solve(), see
   * SurfaceFlexibility::saddle_point_program(), and where that does not end,
   * like small ones. The result does not depend on the number of threads. The
   * centre of mass stays, whatever the multipliers.
   *
   * Where constraints are against each other, the closest point may be far
   * away, since it is beyond them all. A group in which a node would move by
   * more than ten times what is missing, for each of its constraints, counts as
   * unsolved, like one in which no point satisfies all constraints.
   *
   * Unsolved groups can be relaxed (elastic mode; Gill, Murray and Saunders,
   * 2005): constraints may be missed by
   * s_c at the price of sum_c rho_c s_c, hence lambda_c <= rho_c, where rho_c
   * alone would open its gap by ten times what is missing of the worst one in
   * the group. So that the problem stays strictly convex, there is a small
   * quadratic price as well, by which lambda_c exceeds rho_c where s_c > 0, by
   * no more than what would open the gap by s_c.
   *
   * Constraints that no impulse along their normal can change ask for a gap
   * that is not negative only.
   *
   * @param[in,out] constraints Their multipliers are the start and the result.
   * @param[in] predictor x~, one point per node.
   * @param[out] positions x.
   */
  template <int dim>
  ProjectionResult
  project_onto_gaps(std::vector<GapConstraint<dim>> &constraints,
                    const InverseMass<dim> &inverse_mass,
                    const std::vector<dealii::Point<dim>> &predictor,
                    std::vector<dealii::Point<dim>> &positions,
                    const UnsolvedGroups unsolved = UnsolvedGroups::leave);
} // namespace Ricochet

#endif
