// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_material_one_point_h
#define ricochet_source_material_one_point_h

#include <deal.II/base/tensor.h>

// Tensors of one point in a batch, see Material for the layout.

namespace Ricochet
{
  /** The tensor of point @p p in a batch. */
  template <int dim>
  dealii::Tensor<2, dim>
  tensor_at_point(const unsigned int n_points,
                  const double *values,
                  const unsigned int p)
  {
    dealii::Tensor<2, dim> result;
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        result[i][j] = values[(i * dim + j) * n_points + p];
    return result;
  }



  /** Set the tangent of point @p p in a batch. */
  template <int dim>
  void
  set_at_point(const unsigned int n_points,
               const unsigned int p,
               const dealii::Tensor<4, dim> &tangent,
               double *A)
  {
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        for (unsigned int k = 0; k < dim; ++k)
          for (unsigned int l = 0; l < dim; ++l)
            A[(((i * dim + j) * dim + k) * dim + l) * n_points + p] =
              tangent[i][j][k][l];
  }



  /** The tangent of point @p p in a batch. */
  template <int dim>
  dealii::Tensor<4, dim>
  tangent_at_point(const unsigned int n_points,
                   const double *A,
                   const unsigned int p)
  {
    dealii::Tensor<4, dim> result;
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        for (unsigned int k = 0; k < dim; ++k)
          for (unsigned int l = 0; l < dim; ++l)
            result[i][j][k][l] =
              A[(((i * dim + j) * dim + k) * dim + l) * n_points + p];
    return result;
  }
} // namespace Ricochet

#endif
