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



namespace
{
  /** The largest norm of Green's strain relative to the positions @p x, for
   * displacements from them with the constant gradient @p G - 1. */
  template <int dim>
  double
  strain_of(const Tensor<2, dim> &G)
  {
    return 0.5 *
           (transpose(G) * G - dealii::unit_symmetric_tensor<dim>()).norm();
  }



  /** Random: a rotation by any angle after a stretch with the given strain. */
  template <int dim>
  Tensor<2, dim>
  deformation(Random &random, const double strain)
  {
    Tensor<2, dim> H;
    for (unsigned int i = 0; i < dim; ++i)
      H[i] = random.template vector<dim>(1.);
    const auto stretch = [&](const double size) {
      return Tensor<2, dim>(dealii::unit_symmetric_tensor<dim>()) +
             size * Tensor<2, dim>(symmetrize(H));
    };
    double low = 0., high = 1.;
    for (unsigned int i = 0; i < 60; ++i)
      {
        const double middle = 0.5 * (low + high);
        (strain_of<dim>(stretch(middle)) < strain ? low : high) = middle;
      }
    const double angle = 3. * random.template vector<dim>(1.)[0];
    Tensor<2, dim> Q   = dealii::unit_symmetric_tensor<dim>();
    Q[0][0] = Q[1][1] = std::cos(angle);
    Q[0][1]           = -std::sin(angle);
    Q[1][0]           = std::sin(angle);
    return Q * stretch(low);
  }



  template <int dim>
  std::vector<double>
  moved(const std::vector<double> &x, const Tensor<2, dim> &G)
  {
    std::vector<double> result(x.size());
    for (unsigned int n = 0; n < x.size() / dim; ++n)
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int j = 0; j < dim; ++j)
          result[dim * n + i] += G[i][j] * x[dim * n + j];
    return result;
  }



  /** A material that resists changes of volume more or less than of shape. */
  template <int dim>
  std::unique_ptr<Material<dim>>
  material_with(const std::string &law, const std::string &poisson)
  {
    std::vector<std::pair<std::string, std::string>> entries = {
      {"Density", "2.5"},
      {"Young's modulus", "4"},
      {"Poisson's ratio", poisson}};
    if (law == "Kelvin-Voigt")
      entries.emplace_back("Damping time", "0.05");
    if (law == "J2 plasticity")
      entries.emplace_back("Yield stress", "0.1");
    return make_material<dim>(law, entries);
  }



  /** Let laws with a memory remember a step to the positions @p x. */
  template <int dim>
  void
  advance(const Model<dim> &model,
          const std::vector<double> &x,
          std::vector<double> &history)
  {
    if (history.empty())
      return;
    std::vector<double> forces(x.size()), next(history.size());
    model.internal_forces
      .advance(x.data(), nullptr, 1e-3, history, next, forces.data(), nullptr);
    history = next;
  }



  /** From any state: cells deform a little, and the step is no shorter than the
   * law promises. */
  template <int dim>
  void
  check_stiffening(const bool simplex,
                   const std::string &law,
                   const std::string &poisson,
                   const ElementFormulation &formulation)
  {
    Model<dim> model(simplex, {"neo-Hookean"}, 2);
    model.materials[0] = material_with<dim>(law, poisson);
    model.internal_forces.reinit(model.table,
                                 {model.materials[0].get()},
                                 {},
                                 {formulation});
    // These are looked at each time.
    if (!model.materials[0]->is_frame_indifferent() &&
        formulation.kind == ElementFormulation::Kind::f_bar)
      return;
    const double stiffening = model.materials[0]->stiffening();
    ASSERT_LE(stiffening, 10.);
    // Small rotations are all that Hooke's law stands.
    const bool any_rotation = model.materials[0]->is_frame_indifferent();
    for (unsigned int n = 0; n < 30; ++n)
      {
        // Up to half and twice as long.
        auto start = model.deformed(0.02);
        if (n % 3 != 0)
          start = moved<dim>(start, deformation<dim>(model.random, 0.35));
        std::vector<double> history = model.internal_forces.initial_history();
        advance(model, start, history);
        const double before =
          model.internal_forces.stable_time_step(start.data(), history);
        const double strain = n % 2 == 0 ? 0.05 : 0.01;
        auto G              = deformation<dim>(model.random, strain);
        if (!any_rotation)
          G = symmetrize(G);
        const auto end = moved<dim>(start, G);
        advance(model, end, history);
        const double after =
          model.internal_forces.stable_time_step(end.data(), history);
        // Estimates differ by the round-off of differences of forces.
        const double factor = 1. + 1e-5 + stiffening * strain_of<dim>(G);
        EXPECT_GE(after,
                  before / (model.materials[0]->viscous_time() > 0.
                              ? factor
                              : std::sqrt(factor)))
          << law << " " << poisson << " " << n;
      }
  }
} // namespace



TEST_P(StableTimeStep, ShrinksNoFasterThanTheLawSays)
{
  using Kind = ElementFormulation::Kind;
  for (const std::string law : {"neo-Hookean",
                                "Saint Venant-Kirchhoff",
                                "small-strain linear",
                                "Kelvin-Voigt",
                                "J2 plasticity"})
    for (const std::string poisson : {"-0.3", "0.3", "0.49"})
      {
        for (const bool simplex : {false, true})
          {
            check_stiffening<2>(simplex, law, poisson, {});
            check_stiffening<3>(simplex, law, poisson, {});
          }
        for (const Kind kind : {Kind::f_bar, Kind::reduced})
          {
            ElementFormulation formulation;
            formulation.kind = kind;
            check_stiffening<3>(false, law, poisson, formulation);
          }
      }
}



// The bound is the step itself where it is below what is asked for, and no cell
// is forgotten that may be; but it does not look at all cells.
TEST_P(StableTimeStep, IsBoundedWhileCellsDeform)
{
  unsigned int n_below = 0, n_not_exact = 0;
  for (const std::string law : {"neo-Hookean", "viscous fluid", "Kelvin-Voigt"})
    for (const bool simplex : {false, true})
      {
        Model<3> model(simplex, {"neo-Hookean"}, 4),
          exact(simplex, {"neo-Hookean"}, 4);
        for (auto *const m : {&model, &exact})
          {
            m->materials[0] = sample_of<3>(law);
            // Of equal cells, any can become the one with the smallest step.
            if (!simplex)
              {
                m->mesh.clear();
                dealii::GridGenerator::subdivided_hyper_cube(m->mesh, 6);
                for (const auto &cell : m->mesh.active_cell_iterators())
                  cell->set_material_id(0);
                m->table = make_cell_table(m->mesh);
              }
            m->reinit();
          }
        auto history = model.internal_forces.initial_history();
        const auto X = positions_of(model.table);
        const double first =
          model.internal_forces.stable_time_step(X.data(), history);
        for (unsigned int n = 0; n < 20; ++n)
          {
            // Waves of all sizes, in parts of the body.
            const double size = std::pow(10., -0.2 * n);
            auto x            = moved<3>(X, deformation<3>(model.random, 1e-3));
            for (unsigned int i = 0; i < x.size() / 4; ++i)
              x[i] += 0.03 * size * std::sin(7. * X[i] + n);
            advance(model, x, history);
            const double step =
              exact.internal_forces.stable_time_step(x.data(), history);
            const double least = (n % 3 == 0   ? 0.9
                                  : n % 3 == 1 ? 0.97
                                               : 1.01) *
                                 first;
            const double bound =
              model.internal_forces.bound_stable_time_step(x.data(),
                                                           history,
                                                           least);
            EXPECT_GE(bound, step);
            if (step < least)
              {
                EXPECT_EQ(bound, step);
                ++n_below;
              }
            else
              {
                EXPECT_GE(bound, least);
                n_not_exact += bound > step ? 1 : 0;
              }
          }
      }
  EXPECT_GT(n_below, 20u);
  EXPECT_GT(n_not_exact, 5u);
}



RICOCHET_ALL_INSTRUCTION_SETS(StableTimeStep)
