// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_element_cell_geometry_simd_h
#define ricochet_source_element_cell_geometry_simd_h

#include <ricochet/base/simd_tensor.h>

#include <limits>

#include "cell_kernel_types.h"

/**
 * @file
 * Reference and current geometry of cells in SIMD lanes; for kernel source
 * files only, see simd.h and CellKernels.
 */

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      constexpr double infinity = std::numeric_limits<double>::infinity();

      /** Derivatives of all components in the directions of the unit cell. */
      template <class Shape>
      using Gradients = Vector[Shape::dim][Shape::dim][Shape::n_values];



      /** The reference Jacobian dX_j/ds_d at one point: its adjugate,
       * determinant and its inverse, and the derivatives ds_d/dX_j in row j. */
      template <int dim>
      struct Jacobian
      {
        VectorTensor<dim> adjugate, derivatives;
        Vector determinant, inverse;

        inline __attribute__((always_inline)) void
        reinit(const VectorTensor<dim> &J)
        {
          compute_cofactors<dim>(J, adjugate);
          determinant = RICOCHET_SIMD_NAMESPACE::determinant<dim>(J, adjugate);
          inverse     = 1. / determinant;
          for (int j = 0; j < dim; ++j)
            for (int d = 0; d < dim; ++d)
              derivatives[j][d] = adjugate[j][d] * inverse;
        }
      };



      /** The Jacobian @p J that is the same at all points of parallelepipeds.
       */
      template <class Shape>
      inline __attribute__((always_inline)) void
      read_affine_jacobian(const double *const reference,
                           VectorTensor<Shape::dim> &J)
      {
        constexpr int dim = Shape::dim;
        for (int c = 0; c < dim; ++c)
          for (int d = 0; d < dim; ++d)
            J[c][d] = Shape::scaling(1 << d) *
                      load(reference + (((1 << d) - 1) * dim + c) * batch_size);
      }



      /** The Jacobian of other cells at a point: from the derivatives of their
       * reference positions. */
      template <class Shape>
      inline __attribute__((always_inline)) void
      pick_jacobian(const Gradients<Shape> &DX,
                    const int q,
                    VectorTensor<Shape::dim> &J)
      {
        constexpr int dim = Shape::dim;
        for (int c = 0; c < dim; ++c)
          for (int d = 0; d < dim; ++d)
            J[c][d] = DX[c][d][Shape::index(q, d)];
      }



      /**
       * The derivatives of reference positions X.
       *
       * Modes of round-off are left out, here and where the whole batch is
       * known to have no others, so that the result does not depend on which
       * cells are in a batch.
       */
      template <class Shape>
      inline __attribute__((always_inline)) void
      read_reference(const double *const reference, Gradients<Shape> &DX)
      {
        constexpr int dim = Shape::dim;
        const Vector curvature =
          load(reference + Shape::n_modes * dim * batch_size);
        for (int c = 0; c < dim; ++c)
          {
            Vector modes[Shape::n_modes];
            for (int m = 0; m < Shape::n_modes; ++m)
              {
                modes[m] = load(reference + (m * dim + c) * batch_size);
                if constexpr (Shape::can_be_affine)
                  if (!Shape::is_linear(m + 1))
                    modes[m] *= curvature;
              }
            Shape::gradients_from_modes(modes, DX[c]);
          }
      }



      /** The derivatives of displacements u, which are exactly zero where
       * nothing has moved. */
      template <class Shape>
      inline __attribute__((always_inline)) void
      read_displacements(const double *const reference,
                         const double *const x,
                         Gradients<Shape> &Du)
      {
        constexpr int dim = Shape::dim;
        for (int c = 0; c < dim; ++c)
          {
            Vector modes[Shape::n_modes];
            Shape::modes_from_nodes(x + c * batch_size,
                                    dim * batch_size,
                                    modes);
            for (int m = 0; m < Shape::n_modes; ++m)
              modes[m] -= load(reference + (m * dim + c) * batch_size);
            Shape::gradients_from_modes(modes, Du[c]);
          }
      }
    } // namespace
  }   // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
