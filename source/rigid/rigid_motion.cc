// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/rotation.h>
#include <ricochet/rigid/rigid_motion.h>

#include <cmath>
#include <sstream>

namespace Ricochet
{
  using dealii::cross_product_3d;
  using dealii::Tensor;
  using dealii::transpose;
  using Quaternion = boost::math::quaternion<double>;

  namespace
  {
    /** Iterations of Newton's method, and the longest turn in a step, in
     * radians. */
    constexpr unsigned int most_iterations = 50;
    constexpr double longest_turn          = 3.1;



    /** K with K x = v x x. */
    Tensor<2, 3>
    cross_product_matrix(const Tensor<1, 3> &v)
    {
      Tensor<2, 3> result;
      result[0][1] = -v[2];
      result[0][2] = v[1];
      result[1][0] = v[2];
      result[1][2] = -v[0];
      result[2][0] = -v[1];
      result[2][1] = v[0];
      return result;
    }



    /** The derivative of the exponential: exp(v + d) = exp(T d) exp(v) for
     * small d. */
    Tensor<2, 3>
    tangent_of_rotation(const Tensor<1, 3> &v)
    {
      const double angle   = v.norm();
      const double square  = angle * angle;
      const bool is_small  = angle < 1e-2;
      const double first   = is_small ? 0.5 - square / 24. * (1. - square / 30.)
                                      : (1. - std::cos(angle)) / square;
      const double second  = is_small
                               ? 1. / 6. - square / 120. * (1. - square / 42.)
                               : (angle - std::sin(angle)) / (square * angle);
      const Tensor<2, 3> K = cross_product_matrix(v);
      return Tensor<2, 3>(dealii::unit_symmetric_tensor<3>()) + first * K +
             second * (K * K);
    }



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



    /**
     * The rotation vector of a step in the axes of the body, from J (2/dt theta
     * - W) = exp(-theta) L with J W = L.
     */
    Tensor<1, 3>
    turn_of_step(const Tensor<2, 3> &J, const Tensor<1, 3> &L, const double dt)
    {
      const Tensor<1, 3> W = invert(J) * L;
      Tensor<1, 3> theta   = dt * W;
      double last          = theta.norm();
      for (unsigned int n = 0; n < most_iterations; ++n)
        {
          const Tensor<2, 3> back     = transpose(rotation_matrix<3>(theta));
          const Tensor<1, 3> residual = J * (2. / dt * theta - W) - back * L;
          const Tensor<2, 3> slope    = 2. / dt * J - back *
                                                     cross_product_matrix(L) *
                                                     tangent_of_rotation(theta);
          const Tensor<1, 3> change = invert(slope) * residual;
          theta -= change;
          const double size = change.norm();
          if (!(theta.norm() < longest_turn))
            break;
          // Down to round-off, where it does not get smaller any more.
          if (size == 0. ||
              (size <= 1e-13 * theta.norm() && size >= 0.25 * last))
            return theta;
          last = size;
          if (size <= 1e-16 * theta.norm())
            return theta;
        }
      std::ostringstream message;
      message << "A rigid body turns with the angular velocity " << W.norm()
              << ", too far in a step of length " << dt
              << ". Choose a smaller 'Time step', a tenth of a turn at the "
                 "most.";
      throw RunError(message.str());
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
  RigidMotion::displace(const Vector &displacement, const Vector &turn)
  {
    for (unsigned int d = 0; d < 3; ++d)
      if (!holds_velocity[d])
        centre[d] += displacement[d];
    if (!holds_rotation)
      {
        orientation = quaternion_of(turn) * orientation;
        orientation /= abs(orientation);
      }
  }



  void
  RigidMotion::drift(const double dt)
  {
    if (dt == 0.)
      return;
    centre += dt * velocity;
    if (holds_rotation)
      orientation = quaternion_of(dt * held_angular_velocity) * orientation;
    else if (angular_momentum.norm_square() > 0.)
      orientation *=
        quaternion_of(turn_of_step(mass.inertia,
                                   transpose(rotation()) * angular_momentum,
                                   dt));
    else
      return;
    orientation /= abs(orientation);
  }
} // namespace Ricochet
