// SPDX-License-Identifier: LGPL-2.1-or-later

// The stiffness of both kinds of forces against differences of them, for every
// law, cell and formulation.

#include "step_model.h"

using namespace StepTests;

namespace
{
  /** The stiffness of all cells times a direction. */
  template <int dim>
  Values
  stiffness_times(const Model<dim> &model,
                  const Values &x,
                  const Values &direction)
  {
    Values product(x.size());
    std::vector<unsigned int> visited;
    model.step_forces
      ->stiffness(x.data(), [&](const CellMatrices<dim> &matrices) {
        for (unsigned int l = 0; l < matrices.n_cells; ++l)
          {
            const unsigned int n    = model.table.nodes_per_cell,
                               cell = matrices.cells[l];
            ASSERT_EQ(matrices.n_dofs, n * dim);
            visited.push_back(cell);
            const auto dof = [&](const unsigned int i) {
              return model.table.cell_nodes[cell * n + i / dim] * dim + i % dim;
            };
            for (unsigned int i = 0; i < n * dim; ++i)
              for (unsigned int j = 0; j < n * dim; ++j)
                product[dof(i)] += matrices(l, i, j) * direction[dof(j)];
          }
      });
    std::sort(visited.begin(), visited.end());
    std::vector<unsigned int> all(model.table.n_cells());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(visited, all);
    return product;
  }



  /** The derivative of the forces in a direction, of fourth order, with
   * differences of @p h. */
  template <int dim>
  Values
  difference(const Model<dim> &model,
             const Values &x,
             const Values &direction,
             const double h)
  {
    Values result(x.size());
    for (const auto &term : {std::make_pair(1., 8.),
                             std::make_pair(-1., -8.),
                             std::make_pair(2., -1.),
                             std::make_pair(-2., 1.)})
      {
        Values y = x;
        for (unsigned int i = 0; i < x.size(); ++i)
          y[i] += term.first * h * direction[i];
        const Values f = model.evaluate(y).forces;
        for (unsigned int i = 0; i < x.size(); ++i)
          result[i] += term.second / (12. * h) * f[i];
      }
    return result;
  }



  template <int dim>
  void
  check(const typename StepForces<dim>::Kind kind)
  {
    for_each_element_and_law<dim>([&](const Cells cells,
                                      const Formulation formulation,
                                      const Material<dim> &material,
                                      const std::string &name) {
      // The last step is too small for a correction of the stress.
      for (const double size : {0.15, 0.01, 1e-9})
        {
          Model<dim> model(cells, material, formulation);
          const Values x0 = model.deformed(0.15, 0.02, 0.4);
          model.accept(x0, 0.2);
          Values x1 = model.turned(x0, size < 1e-8 ? 0. : 1.);
          for (double &value : x1)
            value += model.random.uniform(-size, size) * 0.3;
          model.step_forces->begin(kind, x0.data(), 0.3, model.history);
          Values direction;
          for (unsigned int i = 0; i < x1.size(); ++i)
            direction.push_back(model.random.uniform(-1., 1.));
          if (size < 1e-8)
            {
              // Differences would leave such steps.
              const Values product = stiffness_times(model, x1, direction);
              EXPECT_TRUE(std::isfinite(
                largest_difference(product, Values(product.size()))))
                << name;
              continue;
            }
          const Values exact = difference(model, x1, direction, 3e-4 * size);
          EXPECT_LT(largest_difference(stiffness_times(model, x1, direction),
                                       exact),
                    1e-7 * largest(exact))
            << name << ", steps of " << size;
        }
    });
  }
} // namespace



class StepTangents : public StepTest
{};

TEST_P(StepTangents, AreDerivativesOfTheForcesAtTheEnd)
{
  check<2>(StepForces<2>::Kind::at_end);
  check<3>(StepForces<3>::Kind::at_end);
}



TEST_P(StepTangents, AreDerivativesOfTheDiscreteGradient)
{
  check<2>(StepForces<2>::Kind::discrete_gradient);
  check<3>(StepForces<3>::Kind::discrete_gradient);
}



RICOCHET_STEP_TESTS(StepTangents)
