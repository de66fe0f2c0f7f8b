// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_rigid_rigid_step_h
#define ricochet_rigid_rigid_step_h

#include <ricochet/rigid/rigid_motion.h>

#include <deal.II/base/tensor.h>

#include <array>
#include <cmath>

namespace Ricochet
{
  /**
   * An implicit step of a rigid body (Puso and Zywicz, 1998, equations (1) and
   * (4)-(7)): the midpoint rule, with an impulse P and an angular impulse T
   * about the centre,
   *
   *   m (V_1 - V_0) = P + dt f,   c_1 = c_0 + dt/2 (V_0 + V_1),
   *   l_1 - l_0 = T,              R_1 = exp(theta) R_0,
   *   omega_1 = exp(theta) (2/dt theta - omega_0).
   *
   * It changes the kinetic energy by exactly
   *
   *   (P + dt f) . (V_0 + V_1) / 2 + T . theta / dt.
   *
   * The step can be made to have given impulses, by solve(), or given means of
   * the velocities, by set_means(); and be undone by either of them.
   */
  class RigidStep
  {
  public:
    /** In space. */
    using Vector = RigidMotion::Vector;

    /** A step from @p start with a constant force at the centre, not solved
     * yet. What is held keeps its velocity, until hold(). */
    RigidStep(const RigidMotion &start,
              const double dt,
              const Vector &force = Vector());

    /** Take over what is held at the end of the step; before solve() or
     * set_means(). */
    void
    hold(const RigidMotion &held);

    /** With these impulses beside that of the force. Throws a RunError, as
     * turn_of_step(). */
    void
    solve(const Vector &impulse, const Vector &angular_impulse);

    /** With these means of velocity and angular velocity, theta / dt; of what
     * is held, they are not looked at. */
    void
    set_means(const Vector &velocity, const Vector &angular_velocity);

    /** Where the step starts. */
    const RigidMotion &
    start() const
    {
      return at_start;
    }

    /** Where it ends; with set_means() not before the means have the impulses
     * that the body gets. */
    const RigidMotion &
    end() const
    {
      return at_end;
    }

    /** Its length. */
    double
    length() const
    {
      return dt;
    }

    /** The rotation theta. */
    const Vector &
    turn() const
    {
      return theta;
    }

    /** (V_0 + V_1) / 2. */
    Vector
    mean_velocity() const
    {
      return 0.5 * (at_start.velocity + at_end.velocity);
    }

    /** theta / dt. */
    Vector
    mean_angular_velocity() const
    {
      return theta / dt;
    }

    /** The algorithmic velocity of a point at @p arm from the centre (equation
     * (15), with 1/2 for all of it). */
    Vector
    mean_velocity_at(const Vector &arm) const
    {
      return mean_velocity() +
             dealii::cross_product_3d(mean_angular_velocity(), arm);
    }

    /** The derivative of the mean velocity by the impulse, a diagonal matrix;
     * zero for what is held. */
    double
    mobility(const unsigned int component) const
    {
      return 0.5 * at_start.inverse_mass(component);
    }

    /** The derivative of the mean angular velocity by the angular impulse, at
     * the present turn. */
    const dealii::Tensor<2, 3> &
    rotational_mobility() const
    {
      return turn_by_impulse;
    }

    /** The impulse beside that of the force that the means have; including what
     * holds the body. */
    Vector
    impulse() const
    {
      return at_start.mass.mass * (at_end.velocity - at_start.velocity) -
             dt * force;
    }

    /** The angular impulse that they have. */
    Vector
    angular_impulse() const;

    /** What the last solve() was given, which is not what the means have of a
     * body that is held. */
    const Vector &
    given_impulse() const
    {
      return given[0];
    }

    /** See given_impulse(). */
    const Vector &
    given_angular_impulse() const
    {
      return given[1];
    }

    /** The constant force. */
    const Vector &
    constant_force() const
    {
      return force;
    }

    /** The derivative of the angular impulse by the mean angular velocity. */
    dealii::Tensor<2, 3>
    rotational_resistance() const;

    /**
     * The modified arm of a point of the body (equation (11)) for its arm at
     * the start: with that, theta x modified_arm is exactly its displacement by
     * the rotation.
     */
    Vector
    modified_arm(const Vector &arm) const;

  private:
    /** Move centre and axes to the end. */
    void
    finish();

    RigidMotion at_start, at_end;
    double dt;
    Vector force, theta;
    std::array<Vector, 2> given;
    dealii::Tensor<2, 3> turn_by_impulse;
  };



  /**
   * The coefficients of the modified arm for the angle |theta| of a step,
   *
   *   tan(a/2) / a (R_0 + R_1) = along R_0 + across theta x R_0
   *                              + axial (theta . R_0) theta.
   *
   * @tparam Number A type of numbers with the operations of double.
   */
  template <typename Number>
  struct ModifiedArm
  {
    /** For |theta|^2. */
    explicit ModifiedArm(const Number &square);

    Number along, across, axial;
  };



  template <typename Number>
  ModifiedArm<Number>::ModifiedArm(const Number &square)
  {
    using std::cos;
    using std::sin;
    using std::sqrt;
    using std::tan;
    if (square < 1e-4) // the next term is below round-off
      {
        along  = 1. - square / 6. * (1. - square / 20. * (1. - square / 42.));
        across = 0.5 - square / 24. * (1. - square / 30. * (1. - square / 56.));
        axial  = 0.25 - square * square / 960.;
      }
    else
      {
        const Number angle = sqrt(square);
        along              = sin(angle) / angle;
        across             = (1. - cos(angle)) / square;
        axial              = across * tan(0.5 * angle) / angle;
      }
  }
} // namespace Ricochet

#endif
