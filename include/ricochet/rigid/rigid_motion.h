// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_rigid_rigid_motion_h
#define ricochet_rigid_rigid_motion_h

#include <deal.II/base/point.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <boost/math/quaternion.hpp>

namespace Ricochet
{
  /** What resists to the motion of a rigid body, in three dimensions always. In
   * 2D only the last component of the inertia matters. */
  struct RigidMass
  {
    double mass = 1.;

    /** About the centre of mass, in the axes of the body; positive definite.
     * Units: mass times length squared. */
    dealii::Tensor<2, 3> inertia = dealii::unit_symmetric_tensor<3>();
  };



  /** A force on a rigid body, and its moment about the centre of mass. */
  struct RigidForce
  {
    dealii::Tensor<1, 3> force, moment;
  };



  /** Of the centre of mass, and of the angular velocity by moments. */
  struct RigidAcceleration
  {
    dealii::Tensor<1, 3> of_centre, angular;
  };



  /**
   * Where a rigid body is and how it moves, in three dimensions always:
   *
   *   x = c + R X,   v = V + omega x (x - c),   J R^T omega = R^T l,
   *
   * with the coordinates X of the body about its centre of mass c, the rotation
   * R, the inertia J, and the angular momentum l about the centre.
   *
   * Components of V, or the whole of omega, can be held: no impulse changes
   * them. A held body turns with a given omega instead of an angular momentum.
   */
  class RigidMotion
  {
  public:
    /** In space. */
    using Vector = dealii::Tensor<1, 3>;

    RigidMotion() = default;

    /** At rest at @p centre, with the axes of the body along those of space. */
    RigidMotion(const RigidMass &mass, const dealii::Point<3> &centre)
      : mass(mass)
      , centre(centre)
    {}

    RigidMass mass;

    /** Components of the velocity that no impulse changes. */
    std::array<bool, 3> holds_velocity{{false, false, false}};

    /** Whether no impulse changes the angular velocity. */
    bool holds_rotation = false;

    dealii::Point<3> centre;

    /** Of unit norm. */
    boost::math::quaternion<double> orientation{1.};

    Vector velocity;

    /** About the centre. Meaningless if the rotation is held. */
    Vector angular_momentum;

    /** If the rotation is held. */
    Vector held_angular_velocity;

    /** R. */
    dealii::Tensor<2, 3>
    rotation() const;

    /** R J R^T. */
    dealii::Tensor<2, 3>
    inertia() const;

    /** Its inverse; zero if the rotation is held. */
    dealii::Tensor<2, 3>
    inverse_inertia() const;

    /** 1/m; zero for a component that is held. */
    double
    inverse_mass(const unsigned int component) const
    {
      return holds_velocity[component] ? 0. : 1. / mass.mass;
    }

    /** omega. */
    Vector
    angular_velocity() const;

    /** Set omega, held or not. */
    void
    set_angular_velocity(const Vector &omega);

    /** The place of the point X of the body. */
    dealii::Point<3>
    place_of(const Vector &X) const
    {
      return centre + rotation() * X;
    }

    /** m |V|^2 / 2 + omega . l / 2; what is held counts as well. */
    double
    kinetic_energy() const;

    /** m V. */
    Vector
    momentum() const
    {
      return mass.mass * velocity;
    }

    /** l, also of a held rotation. */
    Vector
    spin() const;

    /** Change velocities by an impulse and by an angular impulse about the
     * centre, as far as they are not held. */
    void
    push(const Vector &impulse, const Vector &angular_impulse);

    /** Turn about the centre by a rotation vector (axis times angle, in
     * radians) in space. Velocity and angular momentum stay. */
    void
    turn(const Vector &theta);

    /** Move by @p displacement and turn(), as far as neither is held. */
    void
    displace(const Vector &displacement, const Vector &theta);

    /** Go on by a time @p dt without forces; energy and angular momentum are
     * kept exactly, see turn_of_step(). Throws a RunError if the body would
     * turn by more than about half a turn. */
    void
    drift(const double dt);
  };
} // namespace Ricochet

#endif
