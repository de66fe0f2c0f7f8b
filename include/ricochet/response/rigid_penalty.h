// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_rigid_penalty_h
#define ricochet_response_rigid_penalty_h

#include <ricochet/rigid/rigid_step.h>

#include <deal.II/base/tensor.h>

#include <array>
#include <vector>

namespace Ricochet
{
  /** A point of a rigid body, the slave, that a facet or a sphere of another
   * one, the master, keeps out by a spring, without friction. */
  struct RigidPenaltyPair
  {
    /** What the master's part is. */
    enum class Shape
    {
      facet,

      /** That the slave's point is outside of. */
      sphere,

      /** That it is in. */
      hollow_sphere
    };

    /** Bodies. */
    unsigned int slave = 0, master = 0;

    Shape shape = Shape::facet;

    /** From the centre of mass, in the axes of the body: the slave's point, or
     * the centre of a sphere that it stands for. */
    dealii::Tensor<1, 3> slave_point;

    /** The same of the master: the vertices of the facet, counterclockwise if
     * seen from outside, or the centre of its sphere, first. */
    std::array<dealii::Tensor<1, 3>, 3> master_points;

    /** Of the points above from the facet's plane or from each other where the
     * bodies touch: the radius of the slave's sphere plus that of the master's,
     * or that of the hollow one minus that of the slave. */
    double distance = 0.;

    /** k, force per gap. */
    double stiffness = 0.;

    /** The dynamic gap at the start of the step, negative for an overlap, and
     * what solve_rigid_penalty() makes of it at the end. */
    double gap = 0., end_gap = 0.;

    /** Of a step that is solved: force, its direction on the slave, and where
     * the slave's point is in the configuration of the force. */
    double force = 0.;
    dealii::Tensor<1, 3> normal, place;

    /** k g^2 / 2 where g < 0, at the end. */
    double
    stored_energy() const
    {
      return end_gap < 0. ? 0.5 * stiffness * end_gap * end_gap : 0.;
    }

    /** The true gap: at the start of a pair it is the dynamic one. */
    double
    true_gap(const RigidMotion &slave_motion,
             const RigidMotion &master_motion) const;
  };



  /**
   * Solve the steps of rigid bodies with springs between them (Puso and Zywicz,
   * 1998, equations (8)-(11)). With the normal nu and the shares N of the
   * master's points in a configuration between start and end that is not rigid,
   *
   *   x = (c_0 + c_1)/2 + tan(a/2) / a (R_0 + R_1),   a = |theta|,
   *
   * and U(g) = k g^2 / 2 for g < 0, else 0,
   *
   *   g_1 = g_0 + nu . (dx_s - sum N dx_m),
   *   p   = -(U(g_1) - U(g_0)) / (g_1 - g_0),
   *
   * where the sign and the factor of the published p are those of twice the
   * energy. The forces p nu and -N p nu with arms of that configuration keep
   * kinetic plus stored energy and both momenta exactly.
   *
   * The dynamic gap g is the true one to second order in the step; it goes on
   * from step to step while it is negative.
   *
   * Bodies that touch, directly or by others, are solved together by Newton's
   * method with a dense matrix: for groups of up to some hundred bodies.
   *
   * Throws a RunError if the equations are not solved.
   *
   * @param[in,out] steps Of all bodies, solved without contact; on return those
   *   with forces are solved with them.
   */
  void
  solve_rigid_penalty(std::vector<RigidPenaltyPair> &pairs,
                      std::vector<RigidStep> &steps);
} // namespace Ricochet

#endif
