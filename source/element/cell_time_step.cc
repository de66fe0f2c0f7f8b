// SPDX-License-Identifier: LGPL-2.1-or-later

#include "cell_time_step.h"

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  namespace
  {
    /**
     * Rows of Lanczos' tridiagonal matrices, and the factor by which their
     * largest eigenvalue is enlarged, so that the step is rather too small by
     * 0.25 %. For flat, long and strongly deformed cells of all shapes six rows
     * leave errors below 1e-4 and five below 0.3 %. Cells of degree 2 have
     * more modes with similar frequencies.
     */
    constexpr unsigned int few_lanczos_steps = 8, many_lanczos_steps = 16;
    constexpr double eigenvalue_margin = 1.005;



    /**
     * A vector of length one that is not orthogonal to any mode of any cell for
     * a reason of symmetry: the fractional parts of the multiples of the
     * golden ratio. The same for all cells.
     */
    void
    set_start_vector(const unsigned int n_dofs, double *y)
    {
      double square = 0.;
      for (unsigned int i = 0; i < n_dofs; ++i)
        {
          const double value =
            std::fmod((i + 1) * 0.6180339887498949, 1.) - 0.5;
          square += value * value;
          std::fill(y + i * batch_size, y + (i + 1) * batch_size, value);
        }
      for (unsigned int i = 0; i < n_dofs * batch_size; ++i)
        y[i] /= std::sqrt(square);
    }



    /**
     * The largest eigenvalue of M^-1 (K + C / dt) of the cells of a batch, with
     * the margin: K alone for @p dt = 0.
     */
    template <int dim>
    double
    largest_eigenvalue(const CellForces<dim> &cell_forces,
                       const BatchView<dim> &batch,
                       const double *positions,
                       const double dt,
                       FirstCell &failed)
    {
      constexpr unsigned int size = Workspace<dim>::n_dofs;
      const unsigned int entries  = cell_forces.batch_entries();
      const CellKernels &kernels  = cell_forces.kernels();
      const unsigned int n_lanczos_steps =
        kernels.n_nodes > (1u << dim) ? many_lanczos_steps : few_lanczos_steps;

      Workspace<dim> workspace;
      workspace.dt = dt;
      alignas(64) double x[size], scaling[size], forces[size],
        displaced_forces[size], basis[(many_lanczos_steps + 1) * size],
        step[batch_size], diagonal[many_lanczos_steps * batch_size],
        off_diagonal[many_lanczos_steps * batch_size], eigenvalues[batch_size];

      cell_forces.masses(batch, workspace, scaling);
      for (unsigned int i = 0; i < entries; ++i)
        scaling[i] = 1. / std::sqrt(scaling[i]);

      cell_forces.gather(batch, positions, x);
      std::copy(x, x + entries, workspace.x);
      cell_forces.evaluate(batch, workspace, forces, nullptr, failed);

      set_start_vector(entries / batch_size, basis);
      for (unsigned int k = 0; k < n_lanczos_steps; ++k)
        {
          kernels.displace(x, scaling, basis + k * entries, workspace.x, step);
          cell_forces.evaluate(batch,
                               workspace,
                               displaced_forces,
                               nullptr,
                               failed);
          kernels.extend(k,
                         displaced_forces,
                         forces,
                         scaling,
                         step,
                         basis,
                         diagonal,
                         off_diagonal);
        }
      kernels.largest_eigenvalue(n_lanczos_steps,
                                 diagonal,
                                 off_diagonal,
                                 eigenvalues);
      return eigenvalue_margin *
             *std::max_element(std::begin(eigenvalues), std::end(eigenvalues));
    }
  } // namespace



  template <int dim>
  double
  stable_time_step(const CellForces<dim> &cell_forces,
                   const BatchView<dim> &batch,
                   const double *positions,
                   FirstCell &failed)
  {
    const double elastic =
      largest_eigenvalue(cell_forces, batch, positions, 0., failed);
    const double T = batch.material->viscous_time();
    if (!(T > 0.))
      return 2. / std::sqrt(elastic);

    // Damping acts half a step late: dt^2 K + 2 dt C <= 4 M is wanted. With the
    // bounds K <= a M and T K + 2 C <= T b M the left-hand side is
    //   dt (T K + 2 C) + (dt^2 - T dt) K <= T b dt M + max(0, dt^2 - T dt) a M.
    const double viscous =
      largest_eigenvalue(cell_forces, batch, positions, 0.5 * T, failed);
    const double short_step = 4. / (T * viscous);
    if (short_step <= T)
      return short_step;
    const double half_damping = 0.5 * T * (viscous - elastic);
    return 4. / (half_damping +
                 std::sqrt(half_damping * half_damping + 4. * elastic));
  }



  template double
  stable_time_step(const CellForces<2> &,
                   const BatchView<2> &,
                   const double *,
                   FirstCell &);
  template double
  stable_time_step(const CellForces<3> &,
                   const BatchView<3> &,
                   const double *,
                   FirstCell &);
} // namespace Ricochet
