// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_base_simd_tensor_h
#define ricochet_base_simd_tensor_h

#include <ricochet/base/simd.h>

/**
 * @file
 * Tensors of rank two in SIMD lanes; for kernel source files only, see simd.h.
 */

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    /** A tensor of rank two for each lane. */
    template <int dim>
    using VectorTensor = Vector[dim][dim];



    /** Read component (i,j) from <tt>source[(i*dim+j)*stride]</tt>. */
    template <int dim>
    inline __attribute__((always_inline)) void
    load_tensor(const double *const source,
                const unsigned int stride,
                VectorTensor<dim> &A)
    {
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          A[i][j] = load(source + (i * dim + j) * stride);
    }



    /** Write component (i,j) to <tt>destination[(i*dim+j)*stride]</tt>. */
    template <int dim>
    inline __attribute__((always_inline)) void
    store_tensor(const VectorTensor<dim> &A,
                 const unsigned int stride,
                 double *const destination)
    {
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          store(destination + (i * dim + j) * stride, A[i][j]);
    }



    /** Arrays have no assignment. */
    template <int dim>
    inline __attribute__((always_inline)) void
    copy_tensor(const VectorTensor<dim> &from, VectorTensor<dim> &to)
    {
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          to[i][j] = from[i][j];
    }



    /** The cofactors <tt>det(A) A^-T</tt>, also when A is singular. */
    template <int dim>
    inline __attribute__((always_inline)) void
    compute_cofactors(const VectorTensor<dim> &A, VectorTensor<dim> &cofactors)
    {
      if constexpr (dim == 2)
        {
          cofactors[0][0] = A[1][1];
          cofactors[0][1] = -A[1][0];
          cofactors[1][0] = -A[0][1];
          cofactors[1][1] = A[0][0];
        }
      else
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            {
              const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
              const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
              cofactors[i][j] = A[i1][j1] * A[i2][j2] - A[i1][j2] * A[i2][j1];
            }
    }



    /** det(A) by expansion in the first row. */
    template <int dim>
    inline __attribute__((always_inline)) Vector
    determinant(const VectorTensor<dim> &A, const VectorTensor<dim> &cofactors)
    {
      Vector result = A[0][0] * cofactors[0][0];
      for (int j = 1; j < dim; ++j)
        result += A[0][j] * cofactors[0][j];
      return result;
    }



    /** The sum of the products of all components. */
    template <int dim>
    inline __attribute__((always_inline)) Vector
    double_contraction(const VectorTensor<dim> &A, const VectorTensor<dim> &B)
    {
      Vector result = A[0][0] * B[0][0];
      for (int i = 0; i < dim; ++i)
        for (int j = (i == 0 ? 1 : 0); j < dim; ++j)
          result += A[i][j] * B[i][j];
      return result;
    }
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
