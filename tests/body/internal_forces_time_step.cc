// SPDX-License-Identifier: LGPL-2.1-or-later

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <sstream>

#include "forces_model.h"

using namespace Ricochet;
using dealii::Tensor;

namespace
{
  class StableTimeStep : public ForcesTest
  {};



  /**
   * 2/omega_max of one cell: the dense eigenvalues of M^(-1/2) K M^(-1/2), K by
   * central differences of the forces.
   */
  template <int dim>
  double
  dense_stable_time_step(const Model<dim> &model, std::vector<double> x)
  {
    const unsigned int n_dofs = x.size();
    const auto &mass          = model.internal_forces.lumped_mass();
    dealii::LAPACKFullMatrix<double> K(n_dofs);
    dealii::FullMatrix<double> unsymmetric(n_dofs);
    for (unsigned int j = 0; j < n_dofs; ++j)
      {
        const double value = x[j], step = 1e-6;
        x[j]             = value + step;
        const auto plus  = model.forces(x);
        x[j]             = value - step;
        const auto minus = model.forces(x);
        x[j]             = value;
        for (unsigned int i = 0; i < n_dofs; ++i)
          unsymmetric(i, j) = (plus[i] - minus[i]) / (2. * step) /
                              std::sqrt(mass[i / dim] * mass[j / dim]);
      }
    for (unsigned int i = 0; i < n_dofs; ++i)
      for (unsigned int j = 0; j < n_dofs; ++j)
        K(i, j) = 0.5 * (unsymmetric(i, j) + unsymmetric(j, i));

    dealii::FullMatrix<double> eigenvectors;
    dealii::Vector<double> eigenvalues;
    K.compute_eigenvalues_symmetric(0., 1e12, 1e-14, eigenvalues, eigenvectors);
    return 2. /
           std::sqrt(*std::max_element(eigenvalues.begin(), eigenvalues.end()));
  }



  /** The cells of a model one by one, stretched and deformed at random. */
  template <int dim>
  void
  check_stable_time_step(const bool simplex, const std::string &law)
  {
    Model<dim> many(simplex, {law}, simplex ? 3 : 4);
    const auto x_all = many.deformed(simplex ? 0.015 : 0.03);

    Model<dim> one(simplex, {law}, 1);
    const auto all        = many.table;
    unsigned int n        = all.nodes_per_cell;
    double smallest_ratio = 1e10, largest_ratio = 0.;
    one.table                = CellTable<dim>();
    one.table.simplex        = simplex;
    one.table.nodes_per_cell = n;
    one.table.cell_body      = {0};
    one.table.cell_is_owned  = {1};
    one.table.n_nodes = one.table.n_owned_nodes = n;
    for (unsigned int a = 0; a < n; ++a)
      one.table.cell_nodes.push_back(a);
    one.table.reference_positions.resize(n);

    for (unsigned int cell = 0; cell < all.n_cells(); ++cell)
      {
        // Flat, long and bulky cells.
        Tensor<1, dim> stretch;
        for (unsigned int c = 0; c < dim; ++c)
          stretch[c] =
            (cell % 3 == 0
               ? 1.
               : std::exp(3. * many.random.template vector<dim>(1.)[c]));

        std::vector<double> x;
        for (unsigned int a = 0; a < n; ++a)
          {
            const unsigned int node = all.cell_nodes[cell * n + a];
            for (unsigned int c = 0; c < dim; ++c)
              {
                one.table.reference_positions[a][c] =
                  stretch[c] * all.reference_positions[node][c];
                x.push_back(stretch[c] * x_all[dim * node + c]);
              }
          }
        one.reinit();
        const double exact    = dense_stable_time_step(one, x);
        const double estimate = one.internal_forces.stable_time_step(x.data());
        smallest_ratio        = std::min(smallest_ratio, estimate / exact);
        largest_ratio         = std::max(largest_ratio, estimate / exact);
      }
    EXPECT_LE(largest_ratio, 1.) << law;
    EXPECT_GE(smallest_ratio, 0.99) << law;
  }
} // namespace



TEST_P(StableTimeStep, IsThatOfTheDenseEigenvalueProblem)
{
  for (const std::string law :
       {"neo-Hookean", "Saint Venant-Kirchhoff", "small-strain linear"})
    for (const bool simplex : {false, true})
      {
        check_stable_time_step<2>(simplex, law);
        check_stable_time_step<3>(simplex, law);
      }
}



// Element eigenvalues bound those of a mesh. For a free cube of 4^3 cells of
// size 1/4 a separate program (linear elasticity, power iteration until nothing
// changed any more) found 2/omega_max = 3.7911330e-4.
TEST_P(StableTimeStep, BoundsThatOfTheMesh)
{
  Model<3> model(false, {"neo-Hookean"}, 1);
  model.mesh.clear();
  dealii::GridGenerator::subdivided_hyper_cube(model.mesh, 4);
  for (const auto &cell : model.mesh.active_cell_iterators())
    cell->set_material_id(0);
  model.table = make_cell_table(model.mesh);
  model.materials.clear();
  model.materials.push_back(make_material<3>("neo-Hookean",
                                             {{"Density", "0.7085"},
                                              {"Young's modulus", "2.1e5"},
                                              {"Poisson's ratio", "0.3"}}));
  model.reinit();

  const auto X          = positions_of(model.table);
  const double of_mesh  = dense_stable_time_step(model, X);
  const double estimate = model.internal_forces.stable_time_step(X.data());
  EXPECT_NEAR(of_mesh, 3.7911330e-4, 1e-10);
  EXPECT_LE(estimate, of_mesh);
  EXPECT_GE(estimate, 0.75 * of_mesh);
}



// Damping in proportion to stiffness, C = T K, leaves the modes uncoupled: the
// limit of dt^2 K + 2 dt T K <= 4 M follows from that of dt^2 K <= 4 M.
TEST_P(StableTimeStep, WithDampingIsThatOfTheDampedMode)
{
  for (const bool simplex : {false, true})
    {
      Model<3> model(simplex, {"neo-Hookean"});
      const auto X           = positions_of(model.table);
      const double undamped  = model.internal_forces.stable_time_step(X.data());
      const double frequency = 2. / undamped;
      for (const double ratio : {1e-4, 0.1, 1., 10., 1e4})
        {
          const double T = ratio * undamped;
          std::ostringstream text;
          text << T;
          model.materials[0] = make_material<3>("Kelvin-Voigt",
                                                {{"Density", "2.5"},
                                                 {"Lame lambda", "3.25"},
                                                 {"Lame mu", "1.75"},
                                                 {"Damping time", text.str()}});
          model.reinit();
          const double half = T * frequency * frequency;
          const double damped =
            4. / (half + std::sqrt(half * half + 4. * frequency * frequency));
          const double estimate =
            model.internal_forces.stable_time_step(X.data());
          EXPECT_LE(estimate, 1.0001 * damped) << ratio;
          EXPECT_GE(estimate, 0.985 * damped) << ratio;
        }
    }
}



RICOCHET_ALL_INSTRUCTION_SETS(StableTimeStep)
