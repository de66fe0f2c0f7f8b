// SPDX-License-Identifier: LGPL-2.1-or-later

#include <algorithm>
#include <array>
#include <limits>

#include "internal_forces_implementation.h"

// What InternalForces does with histories apart from the forces.

namespace Ricochet
{
  namespace
  {
    /** The mean Cauchy stress P F^T / det F of the cell in one lane. */
    template <int dim>
    dealii::SymmetricTensor<2, dim>
    mean_stress(const unsigned int n_points,
                const unsigned int lane,
                const double *F,
                const double *P,
                const double *volumes)
    {
      dealii::SymmetricTensor<2, dim> sum;
      double volume = 0.;
      for (unsigned int q = lane; q < n_points; q += batch_size)
        {
          dealii::Tensor<2, dim> F_q, P_q;
          for (unsigned int i = 0; i < dim; ++i)
            for (unsigned int j = 0; j < dim; ++j)
              {
                F_q[i][j] = F[(i * dim + j) * n_points + q];
                P_q[i][j] = P[(i * dim + j) * n_points + q];
              }
          sum += volumes[q] / determinant(F_q) *
                 symmetrize(P_q * dealii::transpose(F_q));
          volume += volumes[q];
        }
      return sum / volume;
    }
  } // namespace



  template <int dim>
  void
  InternalForces<dim>::for_each_mean(
    const double *positions,
    const std::vector<double> &history,
    const std::function<void(const unsigned int, const CellMeans &)> &visit)
    const
  {
    const CellForces<dim> &cell_forces = implementation->cell_forces;
    Workspace<dim> workspace;
    for (unsigned int b = 0; b < cell_forces.batches().n_batches(); ++b)
      {
        const BatchView<dim> batch = cell_forces.batch(b, history.data());
        if (batch.history == nullptr)
          continue;
        cell_forces.gather(batch, positions, workspace.x);
        cell_forces.respond(batch, workspace, false);
        const bool at_mean =
          batch.formulation.kind == ElementFormulation::Kind::reduced;

        std::vector<std::array<double, batch_size>> sums(batch.n_history);
        for (unsigned int c = 0; c < batch.n_history; ++c)
          cell_forces.integrate_history(batch,
                                        workspace.volumes,
                                        workspace.history.data(),
                                        c,
                                        sums[c].data());
        for (unsigned int lane = 0; lane < batch_size; ++lane)
          {
            const unsigned int slot = b * batch_size + lane;
            if (!cell_forces.batches().is_filled(slot) ||
                !cell_forces.table().cell_is_owned[batch.cells[lane]])
              continue;
            double volume = 0.;
            for (unsigned int q = 0; q < cell_forces.kernels().n_points; ++q)
              volume += workspace.volumes[q * batch_size + lane];
            CellMeans means;
            means.stress =
              mean_stress<dim>(cell_forces.n_material_points(batch),
                               lane,
                               at_mean ? workspace.mean_F : workspace.F,
                               at_mean ? workspace.mean_P : workspace.P,
                               workspace.volumes);
            for (const auto &sum : sums)
              means.history.push_back(sum[lane] / volume);
            visit(batch.cells[lane], means);
          }
      }
  }



  template <int dim>
  void
  InternalForces<dim>::exchange_history(
    std::vector<double> &history,
    const std::function<void(const unsigned int, const std::vector<double *> &)>
      &exchange) const
  {
    const CellForces<dim> &cell_forces = implementation->cell_forces;
    std::vector<double *> values;
    for (unsigned int b = 0; b < cell_forces.batches().n_batches(); ++b)
      for (unsigned int lane = 0;
           lane < batch_size && cell_forces.history_size(b) > 0;
           ++lane)
        {
          values.clear();
          for (std::size_t i = lane; i < cell_forces.history_size(b);
               i += batch_size)
            values.push_back(&history[cell_forces.history_begin(b) + i]);
          exchange(cell_forces.batch(b).cells[lane], values);
        }
  }



  template <int dim>
  double
  InternalForces<dim>::largest(const std::vector<double> &history,
                               const std::string &name) const
  {
    const CellForces<dim> &cell_forces = implementation->cell_forces;
    double result = -std::numeric_limits<double>::infinity();
    for (unsigned int b = 0; b < cell_forces.batches().n_batches(); ++b)
      {
        const BatchView<dim> batch = cell_forces.batch(b, history.data());
        if (batch.history == nullptr)
          continue;
        const unsigned int n_points = cell_forces.n_material_points(batch);
        const unsigned int component =
          batch.material->history().output_component(name);
        if (component == batch.n_history)
          continue;
        const double *const begin = batch.history + component * n_points;
        result = std::max(result, *std::max_element(begin, begin + n_points));
      }
    return result;
  }



#define RICOCHET_INSTANTIATE_HISTORIES(dim)                                    \
  template void InternalForces<dim>::for_each_mean(                            \
    const double *,                                                            \
    const std::vector<double> &,                                               \
    const std::function<void(const unsigned int, const CellMeans &)> &) const; \
  template void InternalForces<dim>::exchange_history(                         \
    std::vector<double> &,                                                     \
    const std::function<void(const unsigned int,                               \
                             const std::vector<double *> &)> &) const;         \
  template double InternalForces<dim>::largest(const std::vector<double> &,    \
                                               const std::string &) const;

  RICOCHET_INSTANTIATE_HISTORIES(2)
  RICOCHET_INSTANTIATE_HISTORIES(3)
} // namespace Ricochet
