// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_moving_points_h
#define ricochet_source_response_moving_points_h

#include <ricochet/rigid/rigid_step.h>

#include <deal.II/base/tensor.h>

#include <array>

#include "facet_projection.h"

namespace Ricochet
{
  /**
   * The points of one rigid body in the modified configuration of a step (Puso
   * and Zywicz, 1998, equation (11)), with their derivatives by the mean
   * velocity and the mean angular velocity, of which each has three.
   *
   * @tparam Number One of Sacado's types with a fixed number of derivatives.
   */
  template <typename Number>
  class MovingPoints
  {
  public:
    /** A vector. */
    using Space = std::array<Number, 3>;

    /** a x b. */
    static Space
    cross_product(const Space &a, const Space &b)
    {
      Space result;
      for (unsigned int d = 0; d < 3; ++d)
        result[d] =
          a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
      return result;
    }

    /** Its mean velocities have the numbers from @p first on. */
    MovingPoints(const RigidStep &step, const unsigned int first)
      : start(step.start())
      , rotation(start.rotation())
    {
      const dealii::Tensor<1, 3> velocity = step.mean_velocity(),
                                 spin     = step.mean_angular_velocity();
      for (unsigned int d = 0; d < 3; ++d)
        {
          displacement[d]                         = velocity[d];
          theta[d]                                = spin[d];
          displacement[d].fastAccessDx(first + d) = 1.;
          theta[d].fastAccessDx(first + 3 + d)    = 1.;
          displacement[d] *= step.length();
          theta[d] *= step.length();
        }
      const ModifiedArm<Number> part(Number(dot(theta, theta)));
      along  = part.along;
      across = part.across;
      axial  = part.axial;
    }

    /** From the centre in the middle of the step. */
    Space
    arm(const dealii::Tensor<1, 3> &point) const
    {
      Space R;
      for (unsigned int d = 0; d < 3; ++d)
        R[d] = rotation[d] * point;
      const Space turned  = cross_product(theta, R);
      const Number scaled = axial * dot(theta, R);
      Space result;
      for (unsigned int d = 0; d < 3; ++d)
        result[d] = along * R[d] + across * turned[d] + scaled * theta[d];
      return result;
    }

    /** In space, for an arm. */
    Space
    place(const Space &arm) const
    {
      Space result;
      for (unsigned int d = 0; d < 3; ++d)
        result[d] = start.centre[d] + 0.5 * displacement[d] + arm[d];
      return result;
    }

    /** From start to end, for an arm. */
    Space
    move(const Space &arm) const
    {
      Space result = cross_product(theta, arm);
      for (unsigned int d = 0; d < 3; ++d)
        result[d] += displacement[d];
      return result;
    }

  private:
    const RigidMotion &start;
    dealii::Tensor<2, 3> rotation;
    Space displacement, theta;
    Number along, across, axial;
  };
} // namespace Ricochet

#endif
