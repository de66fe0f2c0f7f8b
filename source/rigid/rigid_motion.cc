// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/rigid/rigid_motion.h>
#include <ricochet/rigid/turn_of_step.h>

#include <cmath>

namespace Ricochet
{
  using dealii::Tensor;
  using dealii::transpose;
  using Quaternion = boost::math::quaternion<double>;

  namespace
  {
    Quaternion
    quaternion_of(const Tensor<1, 3> &vector)
    {
      const double half   = 0.5 * vector.norm();
      const double factor = half > 0. ? 0.5 * std::sin(half) / half : 0.5;
      return Quaternion(std::cos(half),
                        factor * vector[0],
                        factor * vector[1],
                        factor * vector[2]);
    }

  } // namespace



  Tensor<2, 3>
  RigidMotion::rotation() const
  {
    const double w = orientation.R_component_1(),
                 x = orientation.R_component_2(),
                 y = orientation.R_component_3(),
                 z = orientation.R_component_4();
    Tensor<2, 3> R;
    R[0][0] = 1. - 2. * (y * y + z * z);
    R[0][1] = 2. * (x * y - w * z);
    R[0][2] = 2. * (x * z + w * y);
    R[1][0] = 2. * (x * y + w * z);
    R[1][1] = 1. - 2. * (x * x + z * z);
    R[1][2] = 2. * (y * z - w * x);
    R[2][0] = 2. * (x * z - w * y);
    R[2][1] = 2. * (y * z + w * x);
    R[2][2] = 1. - 2. * (x * x + y * y);
    return R;
  }



  Tensor<2, 3>
  RigidMotion::inertia() const
  {
    const Tensor<2, 3> R = rotation();
    return R * mass.inertia * transpose(R);
  }



  Tensor<2, 3>
  RigidMotion::inverse_inertia() const
  {
    if (holds_rotation)
      return {};
    const Tensor<2, 3> R = rotation();
    return R * invert(mass.inertia) * transpose(R);
  }



  Tensor<1, 3>
  RigidMotion::angular_velocity() const
  {
    return holds_rotation ? held_angular_velocity
                          : inverse_inertia() * angular_momentum;
  }



  void
  RigidMotion::set_angular_velocity(const Vector &omega)
  {
    held_angular_velocity = omega;
    angular_momentum      = inertia() * omega;
  }



  double
  RigidMotion::kinetic_energy() const
  {
    return 0.5 *
           (mass.mass * velocity.norm_square() + angular_velocity() * spin());
  }



  Tensor<1, 3>
  RigidMotion::spin() const
  {
    return holds_rotation ? Vector(inertia() * held_angular_velocity)
                          : angular_momentum;
  }



  void
  RigidMotion::push(const Vector &impulse, const Vector &angular_impulse)
  {
    for (unsigned int d = 0; d < 3; ++d)
      velocity[d] += inverse_mass(d) * impulse[d];
    if (!holds_rotation)
      angular_momentum += angular_impulse;
  }



  void
  RigidMotion::displace(const Vector &displacement, const Vector &theta)
  {
    for (unsigned int d = 0; d < 3; ++d)
      if (!holds_velocity[d])
        centre[d] += displacement[d];
    if (!holds_rotation)
      turn(theta);
  }



  void
  RigidMotion::turn(const Vector &theta)
  {
    orientation = quaternion_of(theta) * orientation;
    orientation /= abs(orientation);
  }



  void
  RigidMotion::drift(const double dt)
  {
    if (dt == 0.)
      return;
    centre += dt * velocity;
    if (holds_rotation)
      turn(dt * held_angular_velocity);
    else if (angular_momentum.norm_square() > 0.)
      {
        const Tensor<2, 3> R = rotation();
        const Tensor<1, 3> L = transpose(R) * angular_momentum;
        turn(R * turn_of_step(mass.inertia, L, L, dt).theta);
      }
  }
} // namespace Ricochet
