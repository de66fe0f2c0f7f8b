// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/rotation.h>
#include <ricochet/rigid/turn_of_step.h>

#include <cmath>
#include <sstream>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** Iterations of Newton's method, and the longest turn in a step, in
     * radians. */
    constexpr unsigned int most_iterations = 50;
    constexpr double longest_turn          = 3.1;
  } // namespace



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



  TurnOfStep
  turn_of_step(const Tensor<2, 3> &J,
               const Tensor<1, 3> &L,
               const Tensor<1, 3> &H,
               const double dt)
  {
    const Tensor<2, 3> inverse = invert(J);
    const Tensor<1, 3> W       = inverse * L;
    TurnOfStep result;
    Tensor<1, 3> &theta = result.theta;
    theta               = dt * (inverse * (0.5 * (L + H)));
    double last         = theta.norm();
    for (unsigned int n = 0; n < most_iterations && last < longest_turn; ++n)
      {
        const Tensor<2, 3> back     = transpose(rotation_matrix<3>(theta));
        const Tensor<1, 3> residual = J * (2. / dt * theta - W) - back * H;
        const Tensor<2, 3> slope    = 2. / dt * J - back *
                                                   cross_product_matrix(H) *
                                                   tangent_of_rotation(theta);
        result.by_angular_momentum = invert(slope);
        const Tensor<1, 3> change  = result.by_angular_momentum * residual;
        theta -= change;
        const double size = change.norm();
        if (!(theta.norm() < longest_turn))
          break;
        // Down to round-off, where it does not get smaller any more.
        if (size <= 1e-16 * theta.norm() ||
            (size <= 1e-13 * theta.norm() && size >= 0.25 * last))
          return result;
        last = size;
      }
    std::ostringstream message;
    message << "A rigid body turns with the angular velocity " << W.norm()
            << ", too far in a step of length " << dt
            << ". Choose a smaller 'Time step', a tenth of a turn at the "
               "most.";
    throw RunError(message.str());
  }
} // namespace Ricochet
