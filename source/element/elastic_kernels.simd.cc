// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/simd_tensor.h>
#include <ricochet/material/isotropic_kernel_types.h>
#include <ricochet/material/isotropic_laws.h>

#include "cell_geometry.simd.h"
#include "cell_kernel_types.h"
#include "cell_shapes.simd.h"
#include "elastic_kernel_types.h"

// Each loop over the lanes treats n_lanes of the batch_size cells at once. The
// loops over points are short, so that the processor works on several points at
// a time while divisions and logarithms take their time; and they are not
// unrolled: then what the compiler fuses, and with it the last bit, would
// depend on what points have in common.

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      /** What the passes over the points of n_lanes cells leave for each
       * other. */
      template <class Shape, class Law>
      struct Points
      {
        static constexpr int dim = Shape::dim, n = Shape::n_points;

        /** The number of the geometry at point @p q: one serves for all points
         * of parallelepipeds. */
        int
        geometry(const int q) const
        {
          return is_affine ? 0 : q;
        }

        bool is_affine = false;
        Jacobian<dim> jacobians[n];
        Vector volumes[n];

        VectorTensor<dim> H[n];
        typename Law::Invariants invariants[n];
        typename Law::Coefficients coefficients[n];
      };



      template <int dim>
      inline __attribute__((always_inline)) void
      add_identity(const VectorTensor<dim> &H, VectorTensor<dim> &F)
      {
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            F[i][j] = i == j ? H[i][j] + 1. : H[i][j];
      }



      /** Jacobians and volumes. */
      template <class Shape, class Law>
      inline __attribute__((always_inline)) void
      find_geometry(const double *const reference, Points<Shape, Law> &points)
      {
        constexpr int dim = Shape::dim;
        VectorTensor<dim> J[Shape::n_points];
        if constexpr (Shape::can_be_affine)
          if (points.is_affine)
            read_affine_jacobian<Shape>(reference, J[0]);
        if (!points.is_affine)
          {
            Gradients<Shape> DX;
            read_reference<Shape>(reference, DX);
            for (int q = 0; q < Shape::n_points; ++q)
              pick_jacobian<Shape>(DX, q, J[q]);
          }
        for (int q = 0; q <= points.geometry(Shape::n_points - 1); ++q)
          points.jacobians[q].reinit(J[q]);
        for (int q = 0; q < Shape::n_points; ++q)
          points.volumes[q] =
            points.jacobians[points.geometry(q)].determinant * Shape::weight(q);
      }



      /** First pass: H = du/dX = du/ds ds/dX, and the invariants of F = 1 + H.
       * The result is the smallest det F. */
      template <class Shape, class Law>
      inline __attribute__((always_inline)) Vector
      find_strains(const double *const reference,
                   const double *const x,
                   Points<Shape, Law> &points)
      {
        constexpr int dim = Shape::dim;
        Gradients<Shape> Du;
        read_displacements<Shape>(reference, x, Du);

        Vector smallest = broadcast(infinity);
        for (int q = 0; q < Shape::n_points; ++q)
          {
            const VectorTensor<dim> &A =
              points.jacobians[points.geometry(q)].derivatives;
            VectorTensor<dim> H, F, C;
            for (int i = 0; i < dim; ++i)
              for (int j = 0; j < dim; ++j)
                {
                  H[i][j] = Du[i][0][Shape::index(q, 0)] * A[j][0];
                  for (int d = 1; d < dim; ++d)
                    H[i][j] += Du[i][d][Shape::index(q, d)] * A[j][d];
                }
            copy_tensor<dim>(H, points.H[q]);
            add_identity<dim>(H, F);
            points.invariants[q] = Law::invariants(F, H);

            compute_cofactors<dim>(F, C);
            const Vector det_F = determinant<dim>(F, C);
            smallest           = select(smallest < det_F, smallest, det_F);
          }
        return smallest;
      }



      /** Last pass: the stress with volume, P V, gives the derivatives du/ds
       * the weights G = P V A. The result is the energy if wanted. */
      template <class Shape, class Law>
      inline __attribute__((always_inline)) Vector
      find_weights(const double lambda,
                   const double mu,
                   const bool with_energy,
                   const Points<Shape, Law> &points,
                   Gradients<Shape> &G)
      {
        constexpr int dim = Shape::dim;
        for (int i = 0; i < dim; ++i)
          for (int d = 0; d < dim; ++d)
            for (int k = 0; k < Shape::n_values; ++k)
              G[i][d][k] = Vector{};

        Vector energy = {};
        for (int q = 0; q < Shape::n_points; ++q)
          {
            const Vector lambda_V = lambda * points.volumes[q],
                         mu_V     = mu * points.volumes[q];
            const VectorTensor<dim> &A =
              points.jacobians[points.geometry(q)].derivatives;
            VectorTensor<dim> F, P;
            add_identity<dim>(points.H[q], F);
            Law::stress(lambda_V,
                        mu_V,
                        F,
                        points.H[q],
                        points.coefficients[q],
                        P);
            for (int i = 0; i < dim; ++i)
              for (int d = 0; d < dim; ++d)
                for (int j = 0; j < dim; ++j)
                  G[i][d][Shape::index(q, d)] += P[i][j] * A[j][d];
            if (with_energy)
              energy += Law::energy(lambda_V,
                                    mu_V,
                                    points.H[q],
                                    points.coefficients[q],
                                    P);
          }
        return energy;
      }



      /** Nodal forces; the result is 0 if all are finite, else 1. */
      template <class Shape>
      inline __attribute__((always_inline)) Vector
      write_forces(const Gradients<Shape> &G, double *const forces)
      {
        // The force on the first node is a sum of all modes: not finite if any
        // other one is. The difference of a number to itself is zero only if
        // it is finite.
        Vector difference = {};
        for (int i = 0; i < Shape::dim; ++i)
          {
            Vector nodes[Shape::n_nodes];
            Shape::nodes_from_gradients(G[i], nodes);
            for (int a = 0; a < Shape::n_nodes; ++a)
              store(forces + (a * Shape::dim + i) * batch_size, nodes[a]);
            difference += nodes[0] - nodes[0];
          }
        return select(difference == 0., Vector{}, broadcast(1.));
      }



      /** See ElasticKernel. */
      template <class Shape, class Law>
      void
      elastic_forces(const double lambda,
                     const double mu,
                     const double *reference,
                     const bool is_affine,
                     const double *x,
                     double *forces,
                     double *energies,
                     double *dilations,
                     double *not_finite)
      {
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            Points<Shape, Law> points;
            points.is_affine = Shape::can_be_affine && is_affine;
            find_geometry(reference + lane, points);
            store(dilations + lane,
                  find_strains(reference + lane, x + lane, points));
            for (int q = 0; q < Shape::n_points; ++q)
              points.coefficients[q] =
                Law::coefficients(lambda * points.volumes[q],
                                  mu * points.volumes[q],
                                  points.invariants[q],
                                  energies != nullptr);
            Gradients<Shape> G = {};
            const Vector energy =
              find_weights<Shape>(lambda, mu, energies != nullptr, points, G);
            store(not_finite + lane, write_forces<Shape>(G, forces + lane));
            if (energies != nullptr)
              store(energies + lane, energy);
          }
      }



      template <class Shape>
      ElasticKernel
      kernel_for(const IsotropicLaw law)
      {
        switch (law)
          {
            case IsotropicLaw::neo_hookean:
              return &elastic_forces<Shape, NeoHookean<Shape::dim>>;
            case IsotropicLaw::saint_venant_kirchhoff:
              return &elastic_forces<Shape, SaintVenantKirchhoff<Shape::dim>>;
            case IsotropicLaw::linear_elastic:
              return &elastic_forces<Shape, LinearElastic<Shape::dim>>;
            default:
              return nullptr;
          }
      }
    } // namespace



    template <int dim>
    ElasticKernel
    make_elastic_kernel(const CellShape shape, const IsotropicLaw law)
    {
      switch (shape)
        {
          case CellShape::simplex:
            return kernel_for<Simplex<dim>>(law);
          case CellShape::hypercube:
            return kernel_for<Hypercube<dim>>(law);
          default:
            return nullptr;
        }
    }



    template ElasticKernel
    make_elastic_kernel<2>(const CellShape, const IsotropicLaw);
    template ElasticKernel
    make_elastic_kernel<3>(const CellShape, const IsotropicLaw);
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet
