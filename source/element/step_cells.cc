// SPDX-License-Identifier: LGPL-2.1-or-later

#include "step_cells.h"

#include <ricochet/base/instruction_set.h>
#include <ricochet/material/differences.h>

#include <algorithm>

#include "step_kernels.h"
#include "stretch_tangent.h"

namespace Ricochet
{
  namespace
  {
    using Kind = ElementFormulation::Kind;

    /**
     * Mean strains in a step below which the algorithmic stress gets no
     * correction. The correction is the difference of two energies over the
     * strain e in the step, so that it carries errors of round-off of the
     * stress of about 1e-16 times the energy density over e. For elastic laws
     * the correction itself is of the order of e^2/24 times the modulus, so it
     * is lost in these errors below this strain; and what is left out changes
     * the energy density by less than 1e-19 times the modulus. For laws with a
     * memory it may be as large as the stress, and is kept for smaller steps.
     */
    constexpr double smallest_elastic_strain = 1e-6, smallest_strain = 1e-8;
  } // namespace



  template <int dim>
  StepWorkspace<dim>::StepWorkspace(const CellKernels &kernels)
  {
    const unsigned int n_points = kernels.n_points * batch_size,
                       n_dofs   = dim * kernels.n_nodes * batch_size,
                       n_tensor = dim * dim * n_points,
                       n_mean   = dim * dim * batch_size;
    for (Values *values : {&x, &column, &row, &slope, &sum_of_gradients})
      values->resize(n_dofs);
    for (Values *values : {&volumes, &W, &law_W, &scales})
      values->resize(n_points);
    for (Values *values : {&begin,
                           &end,
                           &middle,
                           &P,
                           &adjugates,
                           &F,
                           &scaled_F,
                           &scaled_P,
                           &law_P,
                           &P_end,
                           &strains,
                           &slopes})
      values->resize(n_tensor);
    for (Values *values : {&left, &right})
      values->resize(2 * n_tensor);
    for (Values *values : {&mean_begin, &mean_end, &mean_P})
      values->resize(n_mean);
    for (Values *values : {&volume, &mean_W})
      values->resize(batch_size);
    A.resize(dim * dim * n_tensor);
    gradients.resize(kernels.n_points * n_dofs);
  }



  template <int dim>
  StepCells<dim>::StepCells(const CellForces<dim> &cell_forces)
    : cell_forces(cell_forces)
    , kernels(cell_forces.kernels())
    , step_kernels(
        RICOCHET_CALL_KERNEL(preferred_instruction_set(),
                             make_step_kernels<dim>(cell_forces.shape())))
  {}



  template <int dim>
  void
  StepCells<dim>::deform(const BatchView<dim> &batch,
                         const double *positions,
                         StepWorkspace<dim> &workspace,
                         double *F) const
  {
    cell_forces.gather(batch, positions, workspace.x.data());
    kernels.deform(batch.reference,
                   workspace.x.data(),
                   F,
                   workspace.adjugates.data(),
                   workspace.volumes.data(),
                   workspace.dilations);
  }



  template <int dim>
  typename StepCells<dim>::Points
  StepCells<dim>::deform_ends(const BatchStep<dim> &step,
                              StepWorkspace<dim> &workspace) const
  {
    const bool at_mean = step.batch.formulation.kind == Kind::reduced;
    const auto deform_to =
      [&](const double *positions, double *F, double *mean_F) {
        deform(step.batch, positions, workspace, F);
        if (at_mean)
          kernels.mean_gradient(workspace.volumes.data(), F, mean_F);
      };
    if (step.positions_begin != nullptr)
      deform_to(step.positions_begin,
                workspace.begin.data(),
                workspace.mean_begin.data());
    deform_to(step.positions_end,
              workspace.end.data(),
              workspace.mean_end.data());

    const unsigned int n = cell_forces.n_material_points(step.batch);
    if (!at_mean)
      return {n / batch_size,
              n,
              workspace.begin.data(),
              workspace.end.data(),
              workspace.volumes.data()};
    for (unsigned int lane = 0; lane < batch_size; ++lane)
      {
        double &volume = workspace.volume[lane];
        volume         = 0.;
        for (unsigned int q = 0; q < kernels.n_points; ++q)
          volume += workspace.volumes[q * batch_size + lane];
      }
    return {1,
            n,
            workspace.mean_begin.data(),
            workspace.mean_end.data(),
            workspace.volume.data()};
  }



  template <int dim>
  void
  StepCells<dim>::respond(const BatchView<dim> &batch,
                          const Points &points,
                          const double dt,
                          const double *F,
                          StepWorkspace<dim> &workspace,
                          const bool with_energies,
                          std::vector<double> &history) const
  {
    double *const P      = workspace.law_P.data();
    double *const W      = with_energies ? workspace.law_W.data() : nullptr;
    double *const scaled = workspace.scaled_F.data();
    const bool is_scaled = batch.formulation.kind == Kind::f_bar;
    if (is_scaled)
      {
        std::copy_n(F, dim * dim * points.n, scaled);
        kernels.average_dilation(points.volumes,
                                 scaled,
                                 workspace.scales.data(),
                                 workspace.dilation);
        F = scaled;
      }

    history.resize(points.n * batch.n_history);
    if (batch.history == nullptr)
      batch.material->evaluate(points.n, F, P, W);
    else
      batch.material
        ->evaluate_step(points.n, dt, F, batch.history, history.data(), P, W);

    if (is_scaled)
      {
        std::copy_n(P, dim * dim * points.n, workspace.scaled_P.data());
        kernels.stress_of_average_dilation(points.volumes,
                                           scaled,
                                           workspace.scales.data(),
                                           workspace.dilation,
                                           P);
      }
  }



  template <int dim>
  unsigned int
  StepCells<dim>::respond_with_tangent(const BatchView<dim> &batch,
                                       const Points &points,
                                       const double dt,
                                       const double *F,
                                       const bool with_stress,
                                       StepWorkspace<dim> &workspace) const
  {
    const bool is_scaled = batch.formulation.kind == Kind::f_bar;
    if (with_stress || is_scaled)
      respond(batch, points, dt, F, workspace, false, workspace.middle_history);
    if (is_scaled)
      F = workspace.scaled_F.data();
    double *const A = workspace.A.data();
    if (batch.material->has_tangent())
      batch.material->tangent_step(points.n, dt, F, batch.history, A);
    else
      tangent_by_differences(*batch.material,
                             points.n,
                             dt,
                             F,
                             batch.history,
                             A);
    if (!is_scaled)
      return 0;

    step_kernels.tangent_of_average_dilation(points.volumes,
                                             F,
                                             workspace.scales.data(),
                                             workspace.dilation,
                                             workspace.scaled_P.data(),
                                             A,
                                             workspace.left.data(),
                                             workspace.right.data());
    return 2;
  }



  template <int dim>
  void
  StepCells<dim>::differentiate_work(const BatchStep<dim> &step,
                                     const Points &points,
                                     StepWorkspace<dim> &workspace) const
  {
    const BatchView<dim> &batch = step.batch;
    respond(batch,
            points,
            step.dt,
            points.end,
            workspace,
            true,
            workspace.history);
    double *const P_end = workspace.P_end.data();
    std::copy_n(workspace.law_P.data(), dim * dim * points.n, P_end);
    if (batch.history == nullptr)
      return;

    const bool is_scaled = batch.formulation.kind == Kind::f_bar;
    stress_of_work_by_differences(*batch.material,
                                  points.n,
                                  step.dt,
                                  is_scaled ? workspace.scaled_F.data()
                                            : points.end,
                                  batch.history,
                                  P_end);
    if (is_scaled)
      kernels.stress_of_average_dilation(points.volumes,
                                         workspace.scaled_F.data(),
                                         workspace.scales.data(),
                                         workspace.dilation,
                                         P_end);
  }



  template <int dim>
  void
  StepCells<dim>::set_work(const BatchStep<dim> &step,
                           const Points &points,
                           StepWorkspace<dim> &workspace) const
  {
    const double *const W = workspace.law_W.data();
    const double *const D_begin =
      step.batch.history == nullptr
        ? nullptr
        : step.batch.history + MaterialHistory::dissipated_energy * points.n;
    const double *const D_end =
      workspace.history.data() + MaterialHistory::dissipated_energy * points.n;
    for (unsigned int lane = 0; lane < batch_size; ++lane)
      {
        double sum = 0.;
        for (unsigned int p = lane; p < points.n; p += batch_size)
          sum += points.volumes[p] *
                 (D_begin == nullptr ? W[p] : W[p] + (D_end[p] - D_begin[p]));
        workspace.work[lane] = sum - step.energies_begin[lane];
      }
  }



  template <int dim>
  void
  StepCells<dim>::set_middle(const BatchStep<dim> &step,
                             const Points &points,
                             StepWorkspace<dim> &workspace) const
  {
    const bool has_memory = step.batch.history != nullptr;
    const auto middle     = !step.batch.material->is_frame_indifferent()
                              ? step_kernels.mean_of_ends
                            : has_memory ? step_kernels.stretched_middle
                                         : step_kernels.triangular_middle;
    middle(points.n, points.begin, points.end, workspace.F.data());
  }



  template <int dim>
  void
  StepCells<dim>::correct(const BatchStep<dim> &step,
                          const Points &points,
                          StepWorkspace<dim> &workspace,
                          double *stress) const
  {
    const BatchView<dim> &batch = step.batch;
    step_kernels.algorithmic_stress(batch.material->is_frame_indifferent(),
                                    points.n_per_cell,
                                    points.volumes,
                                    points.begin,
                                    points.end,
                                    workspace.F.data(),
                                    workspace.law_P.data(),
                                    workspace.work,
                                    batch.history == nullptr
                                      ? smallest_elastic_strain
                                      : smallest_strain,
                                    stress,
                                    workspace.alpha,
                                    workspace.inverse_square);
  }



  template <int dim>
  void
  StepCells<dim>::stored_energies(const BatchView<dim> &batch,
                                  const double *positions,
                                  StepWorkspace<dim> &workspace,
                                  double *energies) const
  {
    const Points points =
      deform_ends({batch, nullptr, positions, 0., nullptr}, workspace);
    respond(batch, points, 0., points.end, workspace, true, workspace.history);
    for (unsigned int lane = 0; lane < batch_size; ++lane)
      {
        energies[lane] = 0.;
        for (unsigned int p = lane; p < points.n; p += batch_size)
          energies[lane] += points.volumes[p] * workspace.law_W[p];
      }
  }



  template <int dim>
  void
  StepCells<dim>::forces(const BatchStep<dim> &step,
                         StepWorkspace<dim> &workspace,
                         double *forces,
                         double *energies,
                         FirstCell &failed) const
  {
    const BatchView<dim> &batch = step.batch;
    const bool has_hourglass    = batch.formulation.kind == Kind::reduced;
    const double stiffness      = has_hourglass
                                    ? batch.formulation.hourglass_stiffness *
                                   batch.material->shear_modulus()
                                    : 0.;
    const Points points         = deform_ends(step, workspace);

    respond(batch,
            points,
            step.dt,
            points.end,
            workspace,
            true,
            workspace.history);
    set_work(step, points, workspace);
    if (energies != nullptr)
      {
        const double *W = workspace.law_W.data();
        if (has_hourglass)
          {
            kernels.add_hourglass_control(stiffness,
                                          workspace.end.data(),
                                          points.end,
                                          workspace.law_P.data(),
                                          W,
                                          workspace.P.data(),
                                          workspace.W.data());
            W = workspace.W.data();
          }
        kernels.sum(W, workspace.volumes.data(), energies);
      }

    set_middle(step, points, workspace);
    respond(batch,
            points,
            0.5 * step.dt,
            workspace.F.data(),
            workspace,
            false,
            workspace.middle_history);
    double *const stress =
      has_hourglass ? workspace.mean_P.data() : workspace.P.data();
    correct(step, points, workspace, stress);
    if (has_hourglass)
      {
        step_kernels.mean_of_ends(kernels.n_points * batch_size,
                                  workspace.begin.data(),
                                  workspace.end.data(),
                                  workspace.middle.data());
        kernels.mean_gradient(workspace.volumes.data(),
                              workspace.middle.data(),
                              workspace.mean_begin.data());
        kernels.add_hourglass_control(stiffness,
                                      workspace.middle.data(),
                                      workspace.mean_begin.data(),
                                      stress,
                                      nullptr,
                                      workspace.P.data(),
                                      nullptr);
      }
    kernels.integrate(workspace.P.data(),
                      workspace.adjugates.data(),
                      forces,
                      workspace.not_finite);
    failed.report_bad(batch.cells, workspace.dilations, workspace.not_finite);
  }



  template <int dim>
  void
  StepCells<dim>::integrate(const Points &points,
                            const double *field,
                            StepWorkspace<dim> &workspace,
                            double *nodes) const
  {
    if (points.n_per_cell != kernels.n_points)
      {
        for (unsigned int i = 0; i < dim * dim; ++i)
          for (unsigned int q = 0; q < kernels.n_points; ++q)
            std::copy_n(field + i * batch_size,
                        batch_size,
                        workspace.P.data() +
                          (i * kernels.n_points + q) * batch_size);
        field = workspace.P.data();
      }
    kernels.integrate(field,
                      workspace.adjugates.data(),
                      nodes,
                      workspace.not_finite);
  }



  template <int dim>
  void
  StepCells<dim>::add_pair(const Points &points,
                           const unsigned int k,
                           StepWorkspace<dim> &workspace,
                           double *matrices) const
  {
    const unsigned int field = dim * dim * points.n;
    double one[batch_size];
    std::fill_n(one, batch_size, 1.);
    integrate(points,
              workspace.left.data() + k * field,
              workspace,
              workspace.column.data());
    integrate(points,
              workspace.right.data() + k * field,
              workspace,
              workspace.row.data());
    step_kernels.add_product(one,
                             workspace.column.data(),
                             workspace.row.data(),
                             matrices);
  }



  template <int dim>
  void
  StepCells<dim>::assemble(const BatchView<dim> &batch,
                           const Points &points,
                           const bool symmetric,
                           const double hourglass_factor,
                           StepWorkspace<dim> &workspace,
                           double *matrices) const
  {
    step_kernels.gradients(workspace.adjugates.data(),
                           workspace.gradients.data());
    if (batch.formulation.kind != Kind::reduced)
      step_kernels.matrices(symmetric,
                            workspace.A.data(),
                            workspace.gradients.data(),
                            points.volumes,
                            matrices);
    else
      {
        step_kernels.sum_gradients(workspace.gradients.data(),
                                   workspace.sum_of_gradients.data());
        step_kernels.matrices_of_mean(symmetric,
                                      workspace.A.data(),
                                      workspace.sum_of_gradients.data(),
                                      workspace.volume.data(),
                                      matrices);
        step_kernels.add_hourglass_matrices(
          hourglass_factor * batch.formulation.hourglass_stiffness *
            batch.material->shear_modulus(),
          workspace.gradients.data(),
          workspace.volumes.data(),
          workspace.sum_of_gradients.data(),
          workspace.volume.data(),
          matrices);
      }
  }



  template <int dim>
  void
  StepCells<dim>::matrices_at_end(const BatchStep<dim> &step,
                                  StepWorkspace<dim> &workspace,
                                  double *matrices) const
  {
    const BatchView<dim> &batch = step.batch;
    const Points points         = deform_ends(step, workspace);
    const unsigned int n_fields = respond_with_tangent(batch,
                                                       points,
                                                       step.dt,
                                                       points.end,
                                                       false,
                                                       workspace);
    assemble(batch, points, batch.history == nullptr, 1., workspace, matrices);

    for (unsigned int k = 0; k < n_fields; ++k)
      add_pair(points, k, workspace, matrices);
  }



  template <int dim>
  void
  StepCells<dim>::matrices(const BatchStep<dim> &step,
                           StepWorkspace<dim> &workspace,
                           double *matrices) const
  {
    const BatchView<dim> &batch = step.batch;
    const bool objective        = batch.material->is_frame_indifferent();
    const Points points         = deform_ends(step, workspace);
    differentiate_work(step, points, workspace);
    set_work(step, points, workspace);

    set_middle(step, points, workspace);
    const unsigned int n_fields = respond_with_tangent(batch,
                                                       points,
                                                       0.5 * step.dt,
                                                       workspace.F.data(),
                                                       true,
                                                       workspace);
    if (objective && batch.history != nullptr)
      restrict_to_stretches<dim>(points.n,
                                 n_fields,
                                 points.begin,
                                 workspace.F.data(),
                                 workspace.law_P.data(),
                                 workspace.A.data(),
                                 workspace.right.data());
    correct(step, points, workspace, workspace.P.data());
    step_kernels.step_tangent(objective,
                              points.n_per_cell,
                              n_fields,
                              points.volumes,
                              points.begin,
                              points.end,
                              workspace.F.data(),
                              workspace.law_P.data(),
                              workspace.P_end.data(),
                              workspace.alpha,
                              workspace.A.data(),
                              workspace.left.data(),
                              workspace.right.data(),
                              workspace.strains.data(),
                              workspace.slopes.data(),
                              workspace.products);
    assemble(batch, points, false, 0.5, workspace, matrices);

    // The correction depends on the numbers of the pairs through the stress
    // power.
    const unsigned int n_dofs = cell_forces.batch_entries();
    double *const slope       = workspace.slope.data();
    integrate(points, workspace.slopes.data(), workspace, slope);
    for (unsigned int k = 0; k < n_fields; ++k)
      {
        add_pair(points, k, workspace, matrices);
        for (unsigned int i = 0; i < n_dofs; ++i)
          slope[i] -= workspace.products[k * batch_size + i % batch_size] *
                      workspace.row[i];
      }
    integrate(points,
              workspace.strains.data(),
              workspace,
              workspace.column.data());
    step_kernels.add_product(workspace.inverse_square,
                             workspace.column.data(),
                             slope,
                             matrices);
  }



  template struct StepWorkspace<2>;
  template struct StepWorkspace<3>;
  template class StepCells<2>;
  template class StepCells<3>;
} // namespace Ricochet
