// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_embedding_h
#define ricochet_base_embedding_h

#include <deal.II/base/tensor.h>

namespace Ricochet
{
  /** A vector of the plane or of space as one of space. */
  template <int dim>
  dealii::Tensor<1, 3>
  in_space(const dealii::Tensor<1, dim> &vector)
  {
    dealii::Tensor<1, 3> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = vector[d];
    return result;
  }



  /** The first components of a vector of space. */
  template <int dim>
  dealii::Tensor<1, dim>
  out_of_space(const dealii::Tensor<1, 3> &vector)
  {
    dealii::Tensor<1, dim> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = vector[d];
    return result;
  }



  /** A rotation or angular velocity, of which the plane knows the last
   * component only, as one of space. */
  template <int n>
  dealii::Tensor<1, 3>
  rotation_in_space(const dealii::Tensor<1, n> &vector)
  {
    dealii::Tensor<1, 3> result;
    for (unsigned int d = 0; d < n; ++d)
      result[3 - n + d] = vector[d];
    return result;
  }



  /** The matrix of a rotation in the plane as that of one about the last axis.
   */
  template <int dim>
  dealii::Tensor<2, 3>
  rotation_in_space(const dealii::Tensor<2, dim> &matrix)
  {
    dealii::Tensor<2, 3> result;
    result[2][2] = 1.;
    for (unsigned int d = 0; d < dim; ++d)
      for (unsigned int e = 0; e < dim; ++e)
        result[d][e] = matrix[d][e];
    return result;
  }
} // namespace Ricochet

#endif
