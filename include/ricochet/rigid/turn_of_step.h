// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_rigid_turn_of_step_h
#define ricochet_rigid_turn_of_step_h

#include <deal.II/base/tensor.h>

namespace Ricochet
{
  /** K with K x = v x x. */
  dealii::Tensor<2, 3>
  cross_product_matrix(const dealii::Tensor<1, 3> &v);



  /** The derivative of the exponential: exp(v + d) = exp(T d) exp(v) for small
   * d, where exp() is the rotation by a vector. */
  dealii::Tensor<2, 3>
  tangent_of_rotation(const dealii::Tensor<1, 3> &v);



  /** How a body turns in a step, in its own axes. */
  struct TurnOfStep
  {
    /** Axis times angle, in radians. */
    dealii::Tensor<1, 3> theta;

    /** The derivative of theta by exp(-theta) times the angular momentum at
     * the end, with theta held in that factor. */
    dealii::Tensor<2, 3> by_angular_momentum;
  };



  /**
   * The rotation theta of a rigid body in a step (Puso and Zywicz, 1998,
   * equation (6) with the rotation vector theta instead of its matrix), from
   *
   *   J (2/dt theta - W) = exp(-theta) H,   J W = L.
   *
   * Then W' = 2/dt theta - W is the angular velocity at the end, in the axes of
   * the body there. Without a torque, H = L, energy and angular momentum are
   * kept exactly.
   *
   * Throws a RunError if the body would turn by more than about half a turn.
   *
   * @param[in] J Inertia.
   * @param[in] L Angular momentum at the start.
   * @param[in] H Angular momentum at the end, in the axes of the start.
   */
  TurnOfStep
  turn_of_step(const dealii::Tensor<2, 3> &J,
               const dealii::Tensor<1, 3> &L,
               const dealii::Tensor<1, 3> &H,
               const double dt);
} // namespace Ricochet

#endif
