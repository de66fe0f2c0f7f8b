// SPDX-License-Identifier: LGPL-2.1-or-later

#include "cell_forces.h"

#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>
#include <ricochet/material/isotropic.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "cell_kernels.h"
#include "elastic_kernels.h"
#include "mass_shares.h"

namespace Ricochet
{
  namespace
  {
    /** What det F may become in a step, relative to before and to 1. */
    constexpr double largest_collapse = 0.5;



    /** Ask for @p n entries from an address on. */
    template <typename Number>
    void
    prefetch_entries(const Number *const entries, const std::size_t n)
    {
      constexpr std::size_t cache_line = 64;
      for (std::size_t i = 0; i < n; i += cache_line / sizeof(Number))
        __builtin_prefetch(entries + i);
    }
  } // namespace



  template <int dim>
  CellShape
  CellForces<dim>::shape() const
  {
    AssertThrow(cells->degree == 1 || (cells->degree == 2 && !cells->simplex),
                dealii::ExcMessage("There are no elements of this degree."));
    return cells->simplex       ? CellShape::simplex
           : cells->degree == 1 ? CellShape::hypercube
                                : CellShape::quadratic_hypercube;
  }



  template <int dim>
  void
  CellForces<dim>::reinit(const CellTable<dim> &new_cells,
                          const std::vector<const Material<dim> *> &materials,
                          const std::vector<std::string> &new_body_names,
                          const std::vector<ElementFormulation> &of_bodies)
  {
    cells        = &new_cells;
    body_names   = new_body_names;
    cell_kernels = RICOCHET_CALL_KERNEL(preferred_instruction_set(),
                                        make_cell_kernels<dim>(shape()));
    mass_shares  = mass_shares_of<dim>(cells->simplex, cells->degree);

    AssertDimension(cells->nodes_per_cell, cell_kernels.n_nodes);
    AssertDimension(cells->cell_nodes.size(),
                    cells->n_cells() * cells->nodes_per_cell);
    AssertDimension(cells->reference_positions.size(), cells->n_nodes);
    for (const unsigned int body : cells->cell_body)
      {
        (void)body;
        AssertIndexRange(body, materials.size());
        Assert(materials[body] != nullptr,
               dealii::ExcMessage("A body with cells needs a material."));
      }

    cell_batches.reinit(*cells, materials);
    formulations.clear();
    affine_batches.clear();
    elastic_batches.clear();
    history_begins.assign(1, 0);
    for (unsigned int number = 0; number < cell_batches.n_batches(); ++number)
      {
        const unsigned int cell = cell_batches.slot_cell[number * batch_size];
        formulations.push_back(of_bodies.empty()
                                 ? ElementFormulation()
                                 : of_bodies[cells->cell_body[cell]]);
        history_begins.push_back(
          history_begins.back() +
          n_material_points(batch(number)) *
            cell_batches.batch_material[number]->history().size());
      }
    reference.resize_fast(cell_batches.slot_cell.size() *
                          cell_kernels.n_reference);
    describe_reference_geometry();
    choose_elastic_kernels();
  }



  template <int dim>
  void
  CellForces<dim>::choose_elastic_kernels()
  {
    const InstructionSet set = preferred_instruction_set();
    for (unsigned int number = 0; number < cell_batches.n_batches(); ++number)
      {
        elastic_batches.emplace_back();
        const auto *const material =
          dynamic_cast<const IsotropicMaterial<dim> *>(
            cell_batches.batch_material[number]);
        if (material == nullptr || history_size(number) > 0 ||
            formulations[number].kind != ElementFormulation::Kind::full)
          continue;
        elastic_batches.back() = {
          RICOCHET_CALL_KERNEL(set,
                               make_elastic_kernel<dim>(shape(),
                                                        material->law())),
          material->first_lame_constant(),
          material->shear_modulus()};
      }
  }



  template <int dim>
  BatchView<dim>
  CellForces<dim>::batch(const unsigned int number,
                         const double *const history) const
  {
    const std::size_t first = static_cast<std::size_t>(number) * batch_size;
    BatchView<dim> view{cell_batches.batch_material[number],
                        formulations[number],
                        cell_batches.slot_cell.data() + first,
                        cell_batches.nodes.data() +
                          first * cell_kernels.n_nodes,
                        reference.data() + first * cell_kernels.n_reference,
                        !affine_batches.empty() && affine_batches[number] != 0,
                        nullptr,
                        0,
                        elastic_batches.empty() ? ElasticBatch()
                                                : elastic_batches[number]};
    if (history != nullptr && history_size(number) > 0)
      {
        view.history   = history + history_begins[number];
        view.n_history = history_size(number) / n_material_points(view);
      }
    return view;
  }



  template <int dim>
  void
  CellForces<dim>::prefetch(const unsigned int number,
                            const double *source) const
  {
    if (number >= cell_batches.n_batches())
      return;
    const unsigned int n_nodes = cell_kernels.n_nodes * batch_size;
    const unsigned int *const nodes =
      cell_batches.nodes.data() + static_cast<std::size_t>(number) * n_nodes;
    const unsigned int n_reference = cell_kernels.n_reference * batch_size;
    prefetch_entries(reference.data() +
                       static_cast<std::size_t>(number) * n_reference,
                     n_reference);
    for (unsigned int i = 0; i < n_nodes; ++i)
      __builtin_prefetch(source + static_cast<std::size_t>(dim) * nodes[i]);
    // Of the batch after it.
    prefetch_entries(nodes + n_nodes, n_nodes);
  }



  template <int dim>
  std::vector<double>
  CellForces<dim>::initial_history() const
  {
    std::vector<double> history;
    history.reserve(history_begins.back());
    for (unsigned int number = 0; number < cell_batches.n_batches(); ++number)
      for (const double value :
           cell_batches.batch_material[number]->history().initial_values())
        history.insert(history.end(), n_material_points(batch(number)), value);
    return history;
  }



  template <int dim>
  void
  CellForces<dim>::describe_reference_geometry()
  {
    std::vector<double> positions(dim * cells->n_nodes);
    for (unsigned int node = 0; node < cells->n_nodes; ++node)
      for (unsigned int c = 0; c < dim; ++c)
        positions[dim * node + c] = cells->reference_positions[node][c];

    Workspace<dim> workspace;
    double nodal_masses[Workspace<dim>::n_dofs];
    std::vector<unsigned char> is_affine;
    for (unsigned int number = 0; number < cell_batches.n_batches(); ++number)
      {
        const BatchView<dim> view = batch(number);
        gather(view, positions.data(), workspace.x);
        cell_kernels.describe(workspace.x,
                              reference.data() + number * batch_size *
                                                   static_cast<std::size_t>(
                                                     cell_kernels.n_reference));
        const double *const curvatures =
          view.reference + (cell_kernels.n_reference - 1) * batch_size;
        is_affine.push_back(
          std::all_of(curvatures, curvatures + batch_size, [](const double c) {
            return c == 0.;
          }));
        masses(view, workspace, nodal_masses);

        for (unsigned int lane = 0; lane < batch_size; ++lane)
          {
            bool is_positive = true;
            for (unsigned int q = 0; q < cell_kernels.n_points; ++q)
              is_positive &= workspace.volumes[q * batch_size + lane] > 0.;
            for (unsigned int i = 0; i < dim * cell_kernels.n_nodes; ++i)
              is_positive &= nodal_masses[i * batch_size + lane] > 0.;
            if (!is_positive)
              throw UserError(
                describe_cell(view.cells[lane], positions.data()) +
                " is inverted or has no volume in the undeformed mesh: its "
                "Jacobian determinant is not positive at a quadrature point. "
                "Check the order of its vertices, or improve the mesh there.");
          }
      }
    affine_batches = std::move(is_affine);
  }



  template <int dim>
  void
  CellForces<dim>::masses(const BatchView<dim> &batch,
                          Workspace<dim> &workspace,
                          double *result) const
  {
    // The volumes are those of the reference cell for any positions.
    std::fill(std::begin(workspace.x), std::end(workspace.x), 0.);
    deform(batch, workspace);

    const double density = batch.material->density();
    for (unsigned int a = 0; a < cell_kernels.n_nodes; ++a)
      for (unsigned int lane = 0; lane < batch_size; ++lane)
        {
          double volume = 0.;
          for (unsigned int q = 0; q < cell_kernels.n_points; ++q)
            volume += workspace.volumes[q * batch_size + lane] *
                      mass_shares[q * cell_kernels.n_nodes + a];
          for (unsigned int c = 0; c < dim; ++c)
            result[(a * dim + c) * batch_size + lane] = density * volume;
        }
  }



  template <int dim>
  void
  CellForces<dim>::gather(const BatchView<dim> &batch,
                          const double *source,
                          double *values) const
  {
    cell_kernels.gather(batch.nodes, source, values);
  }



  template <int dim>
  void
  CellForces<dim>::deform(const BatchView<dim> &batch,
                          Workspace<dim> &workspace) const
  {
    (batch.is_affine ? cell_kernels.deform_affine
                     : cell_kernels.deform)(batch.reference,
                                            workspace.x,
                                            workspace.F,
                                            workspace.adjugates,
                                            workspace.volumes,
                                            workspace.dilations);
  }



  template <int dim>
  void
  CellForces<dim>::evaluate(const BatchView<dim> &batch,
                            Workspace<dim> &workspace,
                            double *forces,
                            double *energies,
                            FirstCell &failed) const
  {
    if (batch.elastic.kernel == nullptr)
      evaluate_in_passes(batch, workspace, forces, energies);
    else
      batch.elastic.kernel(batch.elastic.lambda,
                           batch.elastic.mu,
                           batch.reference,
                           batch.is_affine,
                           workspace.x,
                           forces,
                           energies,
                           workspace.dilations,
                           workspace.not_finite);

    failed.report_bad(batch.cells, workspace.dilations, workspace.not_finite);
  }



  template <int dim>
  void
  CellForces<dim>::evaluate_in_passes(const BatchView<dim> &batch,
                                      Workspace<dim> &workspace,
                                      double *forces,
                                      double *energies) const
  {
    using Kind = ElementFormulation::Kind;

    double *const W = energies != nullptr ? workspace.W : nullptr;
    respond(batch, workspace, W != nullptr);
    if (batch.formulation.kind == Kind::f_bar)
      cell_kernels.stress_of_average_dilation(workspace.volumes,
                                              workspace.F,
                                              workspace.scales,
                                              workspace.dilation,
                                              workspace.P);
    else if (batch.formulation.kind == Kind::reduced)
      cell_kernels.add_hourglass_control(batch.formulation.hourglass_stiffness *
                                           batch.material->shear_modulus(),
                                         workspace.F,
                                         workspace.mean_F,
                                         workspace.mean_P,
                                         workspace.mean_W,
                                         workspace.P,
                                         W);
    (batch.is_affine ? cell_kernels.integrate_affine
                     : cell_kernels.integrate)(workspace.P,
                                               workspace.adjugates,
                                               forces,
                                               workspace.not_finite);
    if (energies != nullptr)
      cell_kernels.sum(workspace.W, workspace.volumes, energies);
  }



  template <int dim>
  void
  CellForces<dim>::check_collapse(const BatchView<dim> &batch,
                                  const double *positions_begin,
                                  Workspace<dim> &workspace,
                                  FirstCell &failed) const
  {
    // Looking closer is rarely needed.
    double dilations[batch_size];
    std::copy_n(workspace.dilations, batch_size, dilations);
    if (!(*std::min_element(dilations, dilations + batch_size) <
          largest_collapse))
      return;
    gather(batch, positions_begin, workspace.x);
    deform(batch, workspace);
    for (unsigned int lane = 0; lane < batch_size; ++lane)
      if (dilations[lane] < largest_collapse * workspace.dilations[lane])
        failed.report(batch.cells[lane]);
  }



  template <int dim>
  void
  CellForces<dim>::respond(const BatchView<dim> &batch,
                           Workspace<dim> &workspace,
                           const bool with_energies) const
  {
    using Kind = ElementFormulation::Kind;

    deform(batch, workspace);
    if (batch.formulation.kind == Kind::f_bar)
      cell_kernels.average_dilation(workspace.volumes,
                                    workspace.F,
                                    workspace.scales,
                                    workspace.dilation);
    const bool at_mean = batch.formulation.kind == Kind::reduced;
    if (at_mean)
      cell_kernels.mean_gradient(workspace.volumes,
                                 workspace.F,
                                 workspace.mean_F);

    const unsigned int n_points = n_material_points(batch);
    const double *const F       = at_mean ? workspace.mean_F : workspace.F;
    double *const P             = at_mean ? workspace.mean_P : workspace.P;
    double *const W             = !with_energies ? nullptr
                                  : at_mean      ? workspace.mean_W
                                                 : workspace.W;
    if (batch.history == nullptr)
      batch.material->evaluate(n_points, F, P, W);
    else
      {
        workspace.history.resize(n_points * batch.n_history);
        batch.material->evaluate_step(n_points,
                                      workspace.dt,
                                      F,
                                      batch.history,
                                      workspace.history.data(),
                                      P,
                                      W);
      }
  }



  template <int dim>
  void
  CellForces<dim>::integrate_history(const BatchView<dim> &batch,
                                     const double *volumes,
                                     const double *history,
                                     const unsigned int c,
                                     double *integrals) const
  {
    const unsigned int n_points = n_material_points(batch);
    const double *const values  = history + c * n_points;
    for (unsigned int lane = 0; lane < batch_size; ++lane)
      {
        integrals[lane] = 0.;
        for (unsigned int q = 0; q < cell_kernels.n_points; ++q)
          integrals[lane] += volumes[q * batch_size + lane] *
                             values[(q * batch_size) % n_points + lane];
      }
  }



  template <int dim>
  std::string
  CellForces<dim>::describe_cell(const unsigned int cell,
                                 const double *positions) const
  {
    std::ostringstream text;
    text.precision(6);
    const unsigned int body = cells->cell_body[cell];
    text << "A cell of body "
         << (body_names.empty() ? std::to_string(body)
                                : "'" + body_names[body] + "'")
         << " centred at (";
    for (unsigned int c = 0; c < dim; ++c)
      {
        double sum = 0.;
        for (unsigned int a = 0; a < cell_kernels.n_nodes; ++a)
          sum +=
            positions[dim *
                        static_cast<std::size_t>(
                          cells->cell_nodes[cell * cell_kernels.n_nodes + a]) +
                      c];
        text << (c > 0 ? ", " : "") << sum / cell_kernels.n_nodes;
      }
    text << ")";
    return text.str();
  }



  template <int dim>
  void
  CellForces<dim>::throw_if_any(const FirstCell &failed,
                                const double *positions) const
  {
    if (failed.get() != FirstCell::none)
      throw RunError(
        describe_cell(failed.get(), positions) +
        " is inverted (det F is not positive at a quadrature point), or its "
        "forces are not finite. Use a smaller time step or finer cells there, "
        "and check velocities, loads and units of the material.");
  }



  template <int dim>
  std::size_t
  CellForces<dim>::memory_consumption() const
  {
    return cell_batches.memory_consumption() + reference.memory_consumption() +
           affine_batches.size() +
           elastic_batches.size() * sizeof(ElasticBatch);
  }



  template class CellForces<2>;
  template class CellForces<3>;
} // namespace Ricochet
