// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/simd_tensor.h>

#include "cell_formulations.simd.h"
#include "cell_geometry.simd.h"
#include "cell_kernel_types.h"
#include "cell_shapes.simd.h"
#include "lanczos.simd.h"
#include "node_kernels.simd.h"

// Each loop over the lanes treats n_lanes of the batch_size cells at once.

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      /** 1 for cells whose edges in one direction are not all alike, 0 for
       * parallelepipeds. */
      template <class Shape>
      inline __attribute__((always_inline)) Vector
      curvature(const Vector (&modes)[Shape::dim][Shape::n_modes])
      {
        if constexpr (Shape::can_be_affine)
          {
            constexpr double round_off = 1e-13;
            Vector linear = {}, others = {};
            for (int c = 0; c < Shape::dim; ++c)
              for (int m = 1; m <= Shape::n_modes; ++m)
                {
                  Vector &largest = Shape::is_linear(m) ? linear : others;
                  largest = maximum(largest, absolute_value(modes[c][m - 1]));
                }
            return select(others <= round_off * linear,
                          Vector{},
                          broadcast(1.));
          }
        else
          return broadcast(1.);
      }



      template <class Shape>
      void
      describe(const double *X, double *reference)
      {
        constexpr int dim = Shape::dim;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            Vector modes[dim][Shape::n_modes];
            for (int c = 0; c < dim; ++c)
              {
                Shape::modes_from_nodes(X + c * batch_size + lane,
                                        dim * batch_size,
                                        modes[c]);
                for (int m = 0; m < Shape::n_modes; ++m)
                  store(reference + (m * dim + c) * batch_size + lane,
                        modes[c][m]);
              }
            store(reference + Shape::n_modes * dim * batch_size + lane,
                  curvature<Shape>(modes));
          }
      }



      template <class Shape, bool affine>
      void
      deform(const double *reference,
             const double *x,
             double *F,
             double *adjugates,
             double *volumes,
             double *dilations)
      {
        constexpr int dim             = Shape::dim;
        constexpr unsigned int stride = Shape::n_points * batch_size;

        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            Gradients<Shape> DX, Du;
            if constexpr (!affine)
              read_reference<Shape>(reference + lane, DX);
            read_displacements<Shape>(reference + lane, x + lane, Du);

            VectorTensor<dim> J;
            Jacobian<dim> jacobian;
            if constexpr (affine)
              {
                read_affine_jacobian<Shape>(reference + lane, J);
                jacobian.reinit(J);
              }
            Vector smallest = broadcast(infinity);
            for (int q = 0; q < Shape::n_points; ++q)
              {
                const unsigned int offset = q * batch_size + lane;
                if constexpr (!affine)
                  {
                    pick_jacobian<Shape>(DX, q, J);
                    jacobian.reinit(J);
                  }

                // du/dX = du/ds ds/dX, and ds_d/dX_j = C_jd / det(J)
                VectorTensor<dim> F_q, C_F;
                for (int i = 0; i < dim; ++i)
                  for (int j = 0; j < dim; ++j)
                    {
                      Vector sum =
                        Du[i][0][Shape::index(q, 0)] * jacobian.adjugate[j][0];
                      for (int d = 1; d < dim; ++d)
                        sum += Du[i][d][Shape::index(q, d)] *
                               jacobian.adjugate[j][d];
                      F_q[i][j] = sum * jacobian.inverse + (i == j ? 1. : 0.);
                    }

                compute_cofactors<dim>(F_q, C_F);
                const Vector det_F = determinant<dim>(F_q, C_F);
                smallest           = select(smallest < det_F, smallest, det_F);

                store_tensor<dim>(F_q, stride, F + offset);
                store(volumes + offset,
                      jacobian.determinant * Shape::weight(q));
                if constexpr (!affine)
                  {
                    for (int j = 0; j < dim; ++j)
                      for (int d = 0; d < dim; ++d)
                        jacobian.adjugate[j][d] *= Shape::weight(q);
                    store_tensor<dim>(jacobian.adjugate,
                                      stride,
                                      adjugates + offset);
                  }
              }
            if constexpr (affine)
              store_tensor<dim>(jacobian.adjugate, stride, adjugates + lane);
            store(dilations + lane, smallest);
          }
      }



      template <class Shape, bool affine>
      void
      integrate(const double *P,
                const double *adjugates,
                double *forces,
                double *not_finite)
      {
        constexpr int dim             = Shape::dim;
        constexpr unsigned int stride = Shape::n_points * batch_size;

        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            VectorTensor<dim> C;
            if constexpr (affine)
              load_tensor<dim>(adjugates + lane, stride, C);

            // One component after the other: their sums fit into registers.
            // The difference of a number to itself is zero only if finite.
            Vector difference = {};
            for (int i = 0; i < dim; ++i)
              {
                Vector G[dim][Shape::n_values] = {};
#pragma GCC unroll 8
                for (int q = 0; q < Shape::n_points; ++q)
                  {
                    const unsigned int offset = q * batch_size + lane;
                    Vector P_i[dim];
                    for (int j = 0; j < dim; ++j)
                      P_i[j] = load(P + (i * dim + j) * stride + offset);
                    if constexpr (!affine)
                      load_tensor<dim>(adjugates + offset, stride, C);
                    for (int d = 0; d < dim; ++d)
                      {
                        Vector sum = P_i[0] * C[0][d];
                        for (int j = 1; j < dim; ++j)
                          sum += P_i[j] * C[j][d];
                        G[d][Shape::index(q, d)] += sum;
                      }
                  }

                Vector nodes[Shape::n_nodes];
                Shape::nodes_from_gradients(G, nodes);
                for (int a = 0; a < Shape::n_nodes; ++a)
                  {
                    store(forces + (a * dim + i) * batch_size + lane, nodes[a]);
                    difference += nodes[a] - nodes[a];
                  }
              }
            store(not_finite + lane,
                  select(difference == 0., Vector{}, broadcast(1.)));
          }
      }



      /** The derivatives of all components of the positions @p x. */
      template <class Shape>
      inline __attribute__((always_inline)) void
      jacobians(const double *const x, Gradients<Shape> &D)
      {
        for (int c = 0; c < Shape::dim; ++c)
          {
            Vector modes[Shape::n_modes];
            Shape::modes_from_nodes(x + c * batch_size,
                                    Shape::dim * batch_size,
                                    modes);
            Shape::gradients_from_modes(modes, D[c]);
          }
      }



      template <class Shape>
      void
      strain_between(const double *before, const double *after, double *strains)
      {
        constexpr int dim = Shape::dim;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            Gradients<Shape> D_before, D_after;
            jacobians<Shape>(before + lane, D_before);
            jacobians<Shape>(after + lane, D_after);

            Vector largest = {};
            for (int q = 0; q < Shape::n_points; ++q)
              {
                VectorTensor<dim> J, C, G;
                for (int c = 0; c < dim; ++c)
                  for (int d = 0; d < dim; ++d)
                    J[c][d] = D_before[c][d][Shape::index(q, d)];
                compute_cofactors<dim>(J, C);
                const Vector inverse = 1. / determinant<dim>(J, C);
                for (int i = 0; i < dim; ++i)
                  for (int j = 0; j < dim; ++j)
                    {
                      Vector sum = D_after[i][0][Shape::index(q, 0)] * C[j][0];
                      for (int d = 1; d < dim; ++d)
                        sum += D_after[i][d][Shape::index(q, d)] * C[j][d];
                      G[i][j] = inverse * sum;
                    }

                Vector square = {};
                for (int i = 0; i < dim; ++i)
                  for (int j = i; j < dim; ++j)
                    {
                      Vector E = broadcast(i == j ? -1. : 0.);
                      for (int k = 0; k < dim; ++k)
                        E += G[k][i] * G[k][j];
                      square += (i == j ? 0.25 : 0.5) * E * E;
                    }
                // Undefined numbers stay.
                largest = select(square <= largest, largest, square);
              }
            store(strains + lane, square_root(largest));
          }
      }



      template <class Shape>
      void
      sum(const double *W, const double *volumes, double *integrals)
      {
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            Vector result = {};
            for (int q = 0; q < Shape::n_points; ++q)
              result += load(W + q * batch_size + lane) *
                        load(volumes + q * batch_size + lane);
            store(integrals + lane, result);
          }
      }



      template <class Shape>
      CellKernels
      kernels_for()
      {
        constexpr int dim = Shape::dim, n_nodes = Shape::n_nodes,
                      n_points = Shape::n_points;
        return {Shape::n_nodes,
                Shape::n_points,
                Shape::n_modes * dim + 1,
                &gather<dim, n_nodes>,
                &scatter<dim, n_nodes>,
                &sum_at_nodes<dim>,
                &describe<Shape>,
                &deform<Shape, false>,
                &deform<Shape, Shape::can_be_affine>,
                &integrate<Shape, false>,
                &integrate<Shape, Shape::can_be_affine>,
                &strain_between<Shape>,
                &sum<Shape>,
                &average_dilation<dim, n_points>,
                &stress_of_average_dilation<dim, n_points>,
                &mean_gradient<dim, n_points>,
                &add_hourglass_control<dim, n_points>,
                &displace<dim, n_nodes>,
                &extend<dim * n_nodes>,
                &largest_eigenvalue};
      }
    } // namespace



    template <int dim>
    CellKernels
    make_cell_kernels(const CellShape shape)
    {
      switch (shape)
        {
          case CellShape::simplex:
            return kernels_for<Simplex<dim>>();
          case CellShape::hypercube:
            return kernels_for<Hypercube<dim>>();
          default:
            return kernels_for<QuadraticHypercube<dim>>();
        }
    }



    template CellKernels
    make_cell_kernels<2>(const CellShape);
    template CellKernels
    make_cell_kernels<3>(const CellShape);
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet
