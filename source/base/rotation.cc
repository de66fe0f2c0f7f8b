// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/rotation.h>

#include <cmath>

namespace Ricochet
{
  template <int dim>
  dealii::Tensor<1, dim>
  rotational_velocity(const RotationVector<dim> &vector,
                      const dealii::Tensor<1, dim> &arm)
  {
    dealii::Tensor<1, dim> result;
    if constexpr (dim == 2)
      {
        result[0] = -vector[0] * arm[1];
        result[1] = vector[0] * arm[0];
      }
    else
      result = dealii::cross_product_3d(vector, arm);
    return result;
  }



  template <int dim>
  dealii::Tensor<2, dim>
  rotation_matrix(const RotationVector<dim> &vector)
  {
    // Written with the half angle, the quotients keep their accuracy for small
    // angles.
    const double angle    = vector.norm();
    const double half     = angle / 2;
    const double quotient = angle > 0 ? std::sin(half) / half : 1.;
    const double sine     = angle > 0 ? std::sin(angle) / angle : 1.;
    const double cosine   = quotient * quotient / 2;

    dealii::Tensor<2, dim> matrix;
    for (unsigned int j = 0; j < dim; ++j)
      {
        dealii::Tensor<1, dim> unit;
        unit[j]          = 1;
        const auto once  = rotational_velocity<dim>(vector, unit);
        const auto twice = rotational_velocity<dim>(vector, once);
        for (unsigned int i = 0; i < dim; ++i)
          matrix[i][j] = unit[i] + sine * once[i] + cosine * twice[i];
      }
    return matrix;
  }



  template dealii::Tensor<1, 2>
  rotational_velocity<2>(const RotationVector<2> &,
                         const dealii::Tensor<1, 2> &);
  template dealii::Tensor<1, 3>
  rotational_velocity<3>(const RotationVector<3> &,
                         const dealii::Tensor<1, 3> &);
  template dealii::Tensor<2, 2>
  rotation_matrix<2>(const RotationVector<2> &);
  template dealii::Tensor<2, 3>
  rotation_matrix<3>(const RotationVector<3> &);
} // namespace Ricochet
