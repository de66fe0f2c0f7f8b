// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_moment_h
#define ricochet_base_moment_h

#include <deal.II/base/tensor.h>

namespace Ricochet
{
  /** a x b, as the moment of a force or momentum b at the place a. */
  inline dealii::Tensor<1, 3>
  moment(const dealii::Tensor<1, 3> &a, const dealii::Tensor<1, 3> &b)
  {
    return dealii::cross_product_3d(a, b);
  }



  /** The same in 2D, which is about the z axis. */
  inline dealii::Tensor<1, 3>
  moment(const dealii::Tensor<1, 2> &a, const dealii::Tensor<1, 2> &b)
  {
    return dealii::Tensor<1, 3>({0., 0., a[0] * b[1] - a[1] * b[0]});
  }
} // namespace Ricochet

#endif
