// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_impulse_rigid_arms_h
#define ricochet_source_impulse_rigid_arms_h

#include <ricochet/base/moment.h>
#include <ricochet/impulse/rigid_nodes.h>

#include <deal.II/base/tensor.h>

#include <vector>

namespace Ricochet
{
  /** The factor of a in sum_i r_i x (a x r_i) with the arms of a regular
   * simplex. */
  template <int dim>
  double
  sum_of_squares(const RigidNodes<dim> &body)
  {
    double square = 0.;
    for (const dealii::Tensor<1, dim> &r : body.arms())
      square += r.norm_square();
    return dim == 2 ? square : 2. / 3. * square;
  }



  /** The angular velocity of a body with these velocities of its nodes. */
  template <int dim>
  dealii::Tensor<1, 3>
  angular_velocity(const RigidNodes<dim> &body,
                   const std::vector<dealii::Tensor<1, dim>> &velocities)
  {
    dealii::Tensor<1, 3> sum;
    for (unsigned int i = 0; i <= dim; ++i)
      sum += moment(body.arms()[i], velocities[body.get_nodes()[i]]);
    return sum / sum_of_squares(body);
  }
} // namespace Ricochet

#endif
