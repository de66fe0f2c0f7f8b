// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_rigid_impacts_h
#define ricochet_response_rigid_impacts_h

#include <ricochet/rigid/rigid_step.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <vector>

namespace Ricochet
{
  /**
   * A point at which two rigid bodies touch in a step, without friction: the
   * slave's point feels an impulse along the normal, the master the opposite.
   */
  struct RigidContact
  {
    /**
     * By the ends of the steps without contact (Puso and Zywicz, 1998, equation
     * (13)): the arms lead from the centres in the middle of these steps to one
     * common point, which the published signs and centres do not do,
     *
     *   (c_0 + c_1)/2 + arm = the same for both bodies,
     *
     * halfway between the points. As long as these are apart along the normal,
     * the impulses have no moment, whatever they are.
     *
     * @param[in] steps Of all bodies, solved without contact.
     * @param[in] slave_point, master_point At the ends of these steps.
     */
    RigidContact(const std::vector<RigidStep> &steps,
                 const unsigned int slave,
                 const unsigned int master,
                 const dealii::Tensor<1, 3> &normal,
                 const dealii::Point<3> &slave_point,
                 const dealii::Point<3> &master_point);

    /** Bodies. */
    unsigned int slave, master;

    /** Of unit length, from the master to the slave. */
    dealii::Tensor<1, 3> normal;

    dealii::Tensor<1, 3> slave_arm, master_arm;

    /** The common point. */
    dealii::Tensor<1, 3> place;

    /** How fast the bodies part, by their mean velocities. */
    double
    opening(const std::vector<RigidStep> &steps) const;
  };



  /**
   * Solve the steps of rigid bodies with impulses P between them, elastic and
   * without friction (Puso and Zywicz, 1998, equations (12)-(15)): with the
   * mean velocities of the points, after equation (15),
   *
   *   c = nu . (dv_s - dv_m),   P >= 0,   c >= 0,   P . c = 0.
   *
   * The work P c of each of them is zero, so kinetic energy and both momenta
   * stay exactly what they were, for steps of any length. For a short step c =
   * 0 is a restitution of one.
   *
   * Linearized, this is a quadratic program but for the part of the mobilities
   * that is not symmetric, which is as small as the turns of the step: the
   * program tells who is in touch, and Newton's method on these is exact. Many
   * points may meet one face, more than can be told apart: some of them have
   * the impulses then.
   *
   * Bodies that touch, directly or by others, are solved together, with a dense
   * matrix of their contacts: for groups of up to some hundred of these.
   *
   * Throws a RunError if the bodies cannot get apart, between others whose
   * motion is given, or turn too far.
   *
   * @param[in,out] steps Of all bodies; on return those in contact are solved.
   * @return P, one for each contact.
   */
  std::vector<double>
  solve_rigid_impacts(const std::vector<RigidContact> &contacts,
                      std::vector<RigidStep> &steps);
} // namespace Ricochet

#endif
