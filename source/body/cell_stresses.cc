// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/body/cell_stresses.h>

#include <deal.II/base/quadrature.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/fe/fe_values.h>

#include <cmath>

namespace Ricochet
{
  using namespace dealii;

  template <int dim>
  CellStresses
  cell_stresses(const Solids<dim> &solids,
                const State &state,
                const unsigned int p)
  {
    const Forest<dim> &forest          = solids.forest(p);
    const DoFHandler<dim> &dof_handler = forest.get_dof_handler();
    const auto reference_cell          = dof_handler.get_fe().reference_cell();
    const Quadrature<dim> centre(reference_cell.template barycenter<dim>());
    FEValues<dim> values(forest.get_mapping(),
                         dof_handler.get_fe(),
                         centre,
                         update_gradients);
    const FEValuesExtractors::Vector vector(0);
    std::vector<Tensor<2, dim>> gradients(1);

    CellStresses result;
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          values.reinit(cell);
          values[vector].get_function_gradients(state.positions[p], gradients);
          const Tensor<2, dim> &F = gradients[0];
          const unsigned int body = forest.body_of_cell(cell);
          Tensor<2, dim> P;
          Tensor<4, dim> A;
          solids.body(body).material->tangent(F, P, A);
          const SymmetricTensor<2, dim> stress =
            symmetrize(P * transpose(F)) / determinant(F);
          const double mean = trace(stress) / dim;
          result.body.push_back(body);
          result.von_mises.push_back(std::sqrt(1.5) * deviator(stress).norm());
          result.pressure.push_back(-mean);
        }
    return result;
  }



  template CellStresses
  cell_stresses(const Solids<2> &, const State &, const unsigned int);
  template CellStresses
  cell_stresses(const Solids<3> &, const State &, const unsigned int);
} // namespace Ricochet
