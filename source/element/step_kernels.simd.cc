// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/simd_tensor.h>

#include "cell_kernel_types.h"
#include "cell_shapes.simd.h"
#include "step_kernel_types.h"
#include "step_stress.simd.h"
#include "step_tangents.simd.h"

// Each loop over the lanes treats n_lanes of the batch_size cells at once.

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      /** The derivatives of all shape functions in the directions of the unit
       * cell at the points. */
      template <class Shape>
      struct ShapeDerivatives
      {
        ShapeDerivatives()
        {
          for (int a = 0; a < Shape::n_nodes; ++a)
            {
              double nodes[Shape::n_nodes * n_lanes] = {};
              Vector modes[Shape::n_modes],
                derivatives[Shape::dim][Shape::n_values];
              store(nodes + a * n_lanes, broadcast(1.));
              Shape::modes_from_nodes(nodes, n_lanes, modes);
              Shape::gradients_from_modes(modes, derivatives);
              for (int q = 0; q < Shape::n_points; ++q)
                for (int d = 0; d < Shape::dim; ++d)
                  values[q][a][d] = derivatives[d][Shape::index(q, d)][0];
            }
        }

        double values[Shape::n_points][Shape::n_nodes][Shape::dim];
      };



      template <class Shape>
      void
      gradients(const double *adjugates, double *result)
      {
        constexpr int dim             = Shape::dim;
        constexpr unsigned int stride = Shape::n_points * batch_size;
        static const ShapeDerivatives<Shape> table;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          for (int q = 0; q < Shape::n_points; ++q)
            {
              VectorTensor<dim> C;
              load_tensor<dim>(adjugates + q * batch_size + lane, stride, C);
              for (int a = 0; a < Shape::n_nodes; ++a)
                for (int j = 0; j < dim; ++j)
                  {
                    Vector sum = C[j][0] * table.values[q][a][0];
                    for (int d = 1; d < dim; ++d)
                      sum += C[j][d] * table.values[q][a][d];
                    store(result +
                            ((q * Shape::n_nodes + a) * dim + j) * batch_size +
                            lane,
                          sum);
                  }
            }
      }



      template <int n, int n_points>
      void
      sum_gradients(const double *gradients, double *sum_of_gradients)
      {
        for (unsigned int i = 0; i < n; i += n_lanes)
          {
            Vector sum = {};
            for (int q = 0; q < n_points; ++q)
              sum += load(gradients + q * n + i);
            store(sum_of_gradients + i, sum);
          }
      }



      /** The stresses at all points that unit displacements of one node cause,
       * as <tt>[q*dim+j][i*dim+k]</tt> for component k. */
      template <int dim, int n_points>
      using StressesOfNode = Vector[n_points * dim][dim * dim];



      /** Those of @p n_together nodes; each tangent is read only once. */
      template <int dim, int n_nodes, int n_points, int n_together>
      inline __attribute__((always_inline)) void
      compute_stresses(const double *A,
                       const double *gradients,
                       const Vector (&inverse_volumes)[n_points],
                       StressesOfNode<dim, n_points> *stresses)
      {
        constexpr unsigned int stride = n_points * batch_size;
        Vector g[n_points][n_together][dim];
        for (int q = 0; q < n_points; ++q)
          for (int n = 0; n < n_together; ++n)
            for (int l = 0; l < dim; ++l)
              g[q][n][l] =
                inverse_volumes[q] *
                load(gradients + ((q * n_nodes + n) * dim + l) * batch_size);
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            for (int k = 0; k < dim; ++k)
              for (int q = 0; q < n_points; ++q)
                {
                  const double *const entry =
                    A + ((i * dim + j) * dim + k) * dim * stride +
                    q * batch_size;
                  Vector tangent[dim];
                  for (int l = 0; l < dim; ++l)
                    tangent[l] = load(entry + l * stride);
                  for (int n = 0; n < n_together; ++n)
                    {
                      Vector sum = tangent[0] * g[q][n][0];
                      for (int l = 1; l < dim; ++l)
                        sum += tangent[l] * g[q][n][l];
                      stresses[n][q * dim + j][i * dim + k] = sum;
                    }
                }
      }



      template <int dim, int n_nodes, int n_points>
      void
      matrices(const bool symmetric,
               const double *A,
               const double *gradients,
               const double *volumes,
               double *matrices)
      {
        // Translations of a cell cause no forces, and forces have no sum: the
        // blocks of the last node are what the others lack.
        constexpr unsigned int n_dofs = n_nodes * dim;
        constexpr int last = n_nodes - 1, n_together = 2;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          {
            Vector inverse_volumes[n_points];
            for (int q = 0; q < n_points; ++q)
              inverse_volumes[q] = 1. / load(volumes + q * batch_size + lane);
            const auto entry = [&](const int row, const int column) {
              return matrices + (row * n_dofs + column) * batch_size + lane;
            };

            StressesOfNode<dim, n_points> stresses[n_together];
            for (int b = 0; b < last; ++b)
              {
                const int n = b % n_together;
                const double *const of =
                  gradients + b * dim * batch_size + lane;
                if (n == 0 && b + n_together <= last)
                  compute_stresses<dim, n_nodes, n_points, n_together>(
                    A + lane,
                    of,
                    inverse_volumes,
                    stresses);
                else if (n == 0)
                  compute_stresses<dim, n_nodes, n_points, 1>(A + lane,
                                                              of,
                                                              inverse_volumes,
                                                              stresses);

                for (int a = 0; a < (symmetric ? b + 1 : last); ++a)
                  {
                    Vector sum[dim * dim] = {};
                    for (int q = 0; q < n_points; ++q)
                      for (int j = 0; j < dim; ++j)
                        {
                          const Vector g = load(
                            gradients +
                            ((q * n_nodes + a) * dim + j) * batch_size + lane);
                          for (int m = 0; m < dim * dim; ++m)
                            sum[m] += g * stresses[n][q * dim + j][m];
                        }
                    for (int i = 0; i < dim; ++i)
                      for (int k = 0; k < dim; ++k)
                        {
                          store(entry(a * dim + i, b * dim + k),
                                sum[i * dim + k]);
                          if (symmetric && a != b)
                            store(entry(b * dim + k, a * dim + i),
                                  sum[i * dim + k]);
                        }
                  }
              }

            for (int i = 0; i < dim; ++i)
              for (int column = 0; column < last * dim; ++column)
                {
                  Vector sum = {};
                  for (int a = 0; a < last; ++a)
                    sum -= load(entry(a * dim + i, column));
                  store(entry(last * dim + i, column), sum);
                }
            for (int row = 0; row < n_nodes * dim; ++row)
              for (int k = 0; k < dim; ++k)
                {
                  Vector sum = {};
                  for (int b = 0; b < last; ++b)
                    sum -= load(entry(row, b * dim + k));
                  store(entry(row, last * dim + k), sum);
                }
          }
      }



      template <int dim, int n_nodes, int n_points>
      void
      add_hourglass_matrices(const double stiffness,
                             const double *gradients,
                             const double *volumes,
                             const double *sum_of_gradients,
                             const double *volume,
                             double *matrices)
      {
        constexpr unsigned int n_dofs = n_nodes * dim;
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          for (int a = 0; a < n_nodes; ++a)
            for (int b = 0; b < n_nodes; ++b)
              {
                const auto product = [&](const double *values) {
                  Vector sum = {};
                  for (int j = 0; j < dim; ++j)
                    sum += load(values + (a * dim + j) * batch_size + lane) *
                           load(values + (b * dim + j) * batch_size + lane);
                  return sum;
                };
                Vector sum = -product(sum_of_gradients) / load(volume + lane);
                for (int q = 0; q < n_points; ++q)
                  sum += product(gradients + q * n_dofs * batch_size) /
                         load(volumes + q * batch_size + lane);
                for (int i = 0; i < dim; ++i)
                  {
                    double *const entry =
                      matrices +
                      ((a * dim + i) * n_dofs + b * dim + i) * batch_size +
                      lane;
                    store(entry, load(entry) + stiffness * sum);
                  }
              }
      }



      template <int n_dofs>
      void
      add_product(const double *factor,
                  const double *column,
                  const double *row,
                  double *matrices)
      {
        for (unsigned int lane = 0; lane < batch_size; lane += n_lanes)
          for (int i = 0; i < n_dofs; ++i)
            {
              const Vector value =
                load(factor + lane) * load(column + i * batch_size + lane);
              for (int j = 0; j < n_dofs; ++j)
                {
                  double *const entry =
                    matrices + (i * n_dofs + j) * batch_size + lane;
                  store(entry,
                        load(entry) +
                          value * load(row + j * batch_size + lane));
                }
            }
      }



      template <class Shape>
      StepKernels
      kernels_for()
      {
        constexpr int dim = Shape::dim, n_nodes = Shape::n_nodes,
                      n_points = Shape::n_points;
        return {&triangular_middle<dim>,
                &stretched_middle<dim>,
                &mean_of_ends<dim>,
                &algorithmic_stress<dim>,
                &tangent_of_average_dilation<dim, n_points>,
                &step_tangent<dim>,
                &gradients<Shape>,
                &sum_gradients<n_nodes * dim * batch_size, n_points>,
                &matrices<dim, n_nodes, n_points>,
                &matrices<dim, n_nodes, 1>,
                &add_hourglass_matrices<dim, n_nodes, n_points>,
                &add_product<dim * n_nodes>};
      }
    } // namespace



    template <int dim>
    StepKernels
    make_step_kernels(const CellShape shape)
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



    template StepKernels
    make_step_kernels<2>(const CellShape);
    template StepKernels
    make_step_kernels<3>(const CellShape);
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet
