// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/cell_fields.h>

#include <deal.II/base/quadrature.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/fe/fe_values.h>

#include <cmath>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** Names of the fields that are not always there. */
    const char *const history_names[] = {"plastic_strain", "temperature"};



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

      std::vector<double> bodies, von_mises, pressures;
      for (const auto &cell : dof_handler.active_cell_iterators())
        if (cell->is_locally_owned())
          {
            const unsigned int body = forest.body_of_cell(cell);
            bodies.push_back(body);
            von_mises.push_back(0.);
            pressures.push_back(0.);
            if (solids.body(body).material->dissipation() != Dissipation::none)
              continue;
            values.reinit(cell);
            values[vector].get_function_gradients(state.positions[p],
                                                  gradients);
            const Tensor<2, dim> &F = gradients[0];
            Tensor<2, dim> P;
            Tensor<4, dim> A;
            solids.body(body).material->tangent(F, P, A);
            set_invariants<dim>(symmetrize(P * transpose(F)) / determinant(F),
                                von_mises.back(),
                                pressures.back());
          }
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
    CellFields fields                 = fields_at_centres(solids, state, p);
    const std::vector<double> &bodies = fields[0].second;
    for (const char *const name : history_names)
      if (solids.has_history_field(name))
        fields.emplace_back(name, std::vector<double>(bodies.size(), 0.));
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
        for (const auto &[name, entry] :
             solids.body(fields[0].second[n]).material->history_fields())
          for (auto &field : fields)
            if (field.first == name)
              field.second[n] = means.history[entry];
      });
    return fields;
  }



  template CellFields
  cell_fields(const Solids<2> &, const State &, const unsigned int);
  template CellFields
  cell_fields(const Solids<3> &, const State &, const unsigned int);
} // namespace Ricochet
