// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/rotation.h>
#include <ricochet/rigid/rigid_step.h>
#include <ricochet/rigid/turn_of_step.h>

#include <algorithm>

namespace Ricochet
{
  using dealii::Tensor;

  RigidStep::RigidStep(const RigidMotion &start,
                       const double dt,
                       const Vector &force)
    : at_start(start)
    , at_end(start)
    , dt(dt)
    , force(force)
  {}



  void
  RigidStep::hold(const RigidMotion &held)
  {
    for (unsigned int d = 0; d < 3; ++d)
      if (at_start.holds_velocity[d])
        at_end.velocity[d] = held.velocity[d];
    if (at_start.holds_rotation)
      at_end.held_angular_velocity = held.held_angular_velocity;
  }



  void
  RigidStep::solve(const Vector &impulse, const Vector &angular_impulse)
  {
    given = {{impulse, angular_impulse}};
    for (unsigned int d = 0; d < 3; ++d)
      if (!at_start.holds_velocity[d])
        at_end.velocity[d] =
          at_start.velocity[d] +
          at_start.inverse_mass(d) * (impulse[d] + dt * force[d]);
    if (!at_start.holds_rotation)
      {
        at_end.angular_momentum = at_start.angular_momentum + angular_impulse;
        const Tensor<2, 3> R    = at_start.rotation();
        const TurnOfStep turning =
          turn_of_step(at_start.mass.inertia,
                       transpose(R) * at_start.angular_momentum,
                       transpose(R) * at_end.angular_momentum,
                       dt);
        theta           = R * turning.theta;
        turn_by_impulse = 1. / dt * R * turning.by_angular_momentum *
                          transpose(R * rotation_matrix<3>(turning.theta));
      }
    finish();
  }



  void
  RigidStep::set_means(const Vector &velocity, const Vector &angular_velocity)
  {
    for (unsigned int d = 0; d < 3; ++d)
      if (!at_start.holds_velocity[d])
        at_end.velocity[d] = 2. * velocity[d] - at_start.velocity[d];
    if (!at_start.holds_rotation)
      {
        theta                   = dt * angular_velocity;
        at_end.angular_momentum = at_start.angular_momentum + angular_impulse();
        turn_by_impulse         = invert(rotational_resistance());
      }
    finish();
  }



  void
  RigidStep::finish()
  {
    if (at_start.holds_rotation)
      theta = 0.5 * dt *
              (at_start.held_angular_velocity + at_end.held_angular_velocity);
    at_end.centre      = at_start.centre + dt * mean_velocity();
    at_end.orientation = at_start.orientation;
    at_end.turn(theta);
  }



  Tensor<1, 3>
  RigidStep::angular_impulse() const
  {
    return rotation_matrix<3>(theta) *
             (at_start.inertia() *
              (2. / dt * theta - at_start.angular_velocity())) -
           at_start.spin();
  }



  Tensor<2, 3>
  RigidStep::rotational_resistance() const
  {
    const Tensor<2, 3> A     = rotation_matrix<3>(theta);
    const Tensor<2, 3> I     = at_start.inertia();
    const Tensor<1, 3> omega = at_start.angular_velocity();
    return 2. * A * I -
           dt * cross_product_matrix(A * (I * (2. / dt * theta - omega))) *
             tangent_of_rotation(theta);
  }



  Tensor<1, 3>
  RigidStep::modified_arm(const Vector &arm) const
  {
    const ModifiedArm<double> part(theta.norm_square());
    return part.along * arm + part.across * cross_product_3d(theta, arm) +
           part.axial * (theta * arm) * theta;
  }
} // namespace Ricochet
