// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/cell_fields.h>

#include <deal.II/base/quadrature.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** Von Mises stress and pressure of one cell. */
    template <int dim>
    void
    set_invariants(const SymmetricTensor<2, dim> &stress,
                   double &von_mises,
                   double &pressure)
    {
      von_mises = std::sqrt(1.5) * deviator(stress).norm();
      pressure  = -trace(stress) / dim;
    }



    /** The deformation gradients at the centres of the cells of one law. */
    template <int dim>
    struct Centres
    {
      std::vector<unsigned int> cells;
      std::vector<Tensor<2, dim>> F;
    };



    /** Set the invariants of the stress in these cells, by one batch. */
    template <int dim>
    void
    set_invariants(const Material<dim> &material,
                   const Centres<dim> &centres,
                   std::vector<double> &von_mises,
                   std::vector<double> &pressures)
    {
      // A batch has a multiple of eight points.
      const unsigned int n = centres.F.size(), n_points = (n + 7) / 8 * 8;
      std::vector<double> F(dim * dim * n_points), P(F.size());
      for (unsigned int i = 0; i < dim * dim; ++i)
        for (unsigned int p = 0; p < n_points; ++p)
          F[i * n_points + p] = centres.F[std::min(p, n - 1)][i / dim][i % dim];
      material.evaluate(n_points, F.data(), P.data(), nullptr);
      for (unsigned int p = 0; p < n; ++p)
        {
          Tensor<2, dim> P_p;
          for (unsigned int i = 0; i < dim * dim; ++i)
            P_p[i / dim][i % dim] = P[i * n_points + p];
          const Tensor<2, dim> &F_p = centres.F[p];
          set_invariants<dim>(symmetrize(P_p * transpose(F_p)) /
                                determinant(F_p),
                              von_mises[centres.cells[p]],
                              pressures[centres.cells[p]]);
        }
    }



    /** Bodies, and invariants of the stress at the centres of all cells whose
     * law has no memory. */
    template <int dim>
    CellFields
    fields_at_centres(const Solids<dim> &solids,
                      const State &state,
                      const unsigned int p)
    {
      const Forest<dim> &forest          = solids.forest(p);
      const DoFHandler<dim> &dof_handler = forest.get_dof_handler();
      const auto reference_cell = dof_handler.get_fe().reference_cell();
      const Quadrature<dim> centre(reference_cell.template barycenter<dim>());
      FEValues<dim> values(forest.get_mapping(),
                           dof_handler.get_fe(),
                           centre,
                           update_gradients);
      const FEValuesExtractors::Vector vector(0);
      std::vector<Tensor<2, dim>> gradients(1);

      std::vector<double> bodies;
      std::map<const Material<dim> *, Centres<dim>> centres;
      for (const auto &cell : dof_handler.active_cell_iterators())
        if (cell->is_locally_owned())
          {
            const unsigned int body       = forest.body_of_cell(cell);
            const Material<dim> *material = solids.body(body).material.get();
            if (material->history().empty())
              {
                values.reinit(cell);
                values[vector].get_function_gradients(state.positions[p],
                                                      gradients);
                centres[material].cells.push_back(bodies.size());
                centres[material].F.push_back(gradients[0]);
              }
            bodies.push_back(solids.body_of_cell(p, cell));
          }

      std::vector<double> von_mises(bodies.size()), pressures(bodies.size());
      for (const auto &[material, of_material] : centres)
        set_invariants(*material, of_material, von_mises, pressures);
      return {{"body", std::move(bodies)},
              {"von_mises_stress", std::move(von_mises)},
              {"pressure", std::move(pressures)}};
    }



    /** For each row of the table the number of the cell in a field. */
    template <int dim>
    std::vector<unsigned int>
    numbers_of_rows(const Forest<dim> &forest)
    {
      std::vector<unsigned int> of_active_cell(
        forest.get_triangulation().n_active_cells());
      unsigned int n = 0;
      for (const auto &cell : forest.get_dof_handler().active_cell_iterators())
        if (cell->is_locally_owned())
          of_active_cell[cell->active_cell_index()] = n++;
      std::vector<unsigned int> result;
      for (const auto &id_and_cell : forest.cells_of_table())
        result.push_back(
          of_active_cell[id_and_cell.second->active_cell_index()]);
      return result;
    }
  } // namespace



  template <int dim>
  CellFields
  cell_fields(const Solids<dim> &solids,
              const State &state,
              const unsigned int p)
  {
    CellFields fields         = fields_at_centres(solids, state, p);
    const unsigned int begin  = fields.size();
    const std::size_t n_cells = fields[0].second.size();
    for (const std::string &name : solids.output_variables())
      {
        for (unsigned int i = 0; i < begin; ++i)
          AssertThrow(fields[i].first != name,
                      ExcMessage("A material cannot call a variable of its "
                                 "history '" +
                                 name + "': another field has that name."));
        fields.emplace_back(name, std::vector<double>(n_cells, 0.));
      }
    if (state.histories[p].empty())
      return fields;

    const std::vector<unsigned int> numbers = numbers_of_rows(solids.forest(p));
    solids.internal_forces(p).for_each_mean(
      state.positions[p].begin(),
      state.histories[p],
      [&](const unsigned int row,
          const typename InternalForces<dim>::CellMeans &means) {
        const unsigned int n = numbers[row];
        set_invariants(means.stress, fields[1].second[n], fields[2].second[n]);
        // Cells of rigid regions, which have other bodies, are not in the
        // table.
        const MaterialHistory &history =
          solids.body(fields[0].second[n]).material->history();
        for (unsigned int i = begin; i < fields.size(); ++i)
          {
            const unsigned int component =
              history.output_component(fields[i].first);
            if (component < history.size())
              fields[i].second[n] = means.history[component];
          }
      });
    return fields;
  }



  template CellFields
  cell_fields(const Solids<2> &, const State &, const unsigned int);
  template CellFields
  cell_fields(const Solids<3> &, const State &, const unsigned int);
} // namespace Ricochet
