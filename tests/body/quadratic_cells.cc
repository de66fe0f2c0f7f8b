// SPDX-License-Identifier: LGPL-2.1-or-later

// Elements of degree 2: forces against FEValues, masses, rigid motions, the
// stable step, and what they refuse.

#include <ricochet/body/diagnostics.h>
#include <ricochet/body/forest.h>
#include <ricochet/body/solids.h>
#include <ricochet/element/internal_forces.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "../material/make_material.h"
#include "../material/material_point.h"
#include "../parse.h"
#include "forces_model.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** A distorted cube of 2^dim cells of degree 2, on every rank whole. */
  template <int dim>
  struct QuadraticModel
  {
    explicit QuadraticModel(const std::string &law, const double distortion)
      : material(make_material<dim>(law))
    {
      dealii::Triangulation<dim> cube;
      dealii::GridGenerator::subdivided_hyper_cube(cube, 2);
      dealii::GridTools::transform(
        [&](Point<dim> x) {
          const Point<dim> X = x;
          for (unsigned int d = 0; d < dim; ++d)
            x[d] += distortion * std::sin(7. * X[(d + 1) % dim] + 3. * X[d]);
          return x;
        },
        cube);
      const CoarseMesh<dim> mesh(cube);
      const std::vector<typename Forest<dim>::Tree> trees = {{0, &mesh}};
      const typename Forest<dim>::Levels none;
      forest = std::make_unique<Forest<dim>>(MPI_COMM_SELF, trees, none, 2);
      forces.reinit(table(), {material.get()});
    }

    const CellTable<dim> &
    table() const
    {
      return forest->get_cells();
    }

    std::vector<double>
    deformed() const
    {
      std::vector<double> x;
      for (const Point<dim> &X : table().reference_positions)
        for (unsigned int d = 0; d < dim; ++d)
          x.push_back(X[d] + 0.1 * std::sin(2. * X[(d + 1) % dim] + X[d] + d) +
                      0.01 * std::sin(40. * X[d] + 31. * X[(d + 1) % dim]));
      return x;
    }

    std::vector<double>
    evaluate(const std::vector<double> &x, double &energy) const
    {
      std::vector<double> result(x.size()), energies(1, 0.);
      forces.evaluate(x.data(), result.data(), &energies);
      energy = energies[0];
      return result;
    }

    std::unique_ptr<Material<dim>> material;
    std::unique_ptr<Forest<dim>> forest;
    InternalForces<dim> forces;
  };



  class QuadraticCells : public ForcesTest
  {};



  /** The independent route: FEValues with the gradients of the positions. */
  template <int dim>
  void
  check_against_fe_values(const std::string &law)
  {
    const QuadraticModel<dim> model(law, 0.04);
    const auto x                         = model.deformed();
    const dealii::DoFHandler<dim> &dofs  = model.forest->get_dof_handler();
    const dealii::FiniteElement<dim> &fe = dofs.get_fe();
    const dealii::FEValuesExtractors::Vector vector(0);
    dealii::FEValues<dim> values(model.forest->get_mapping(),
                                 fe,
                                 dealii::QGauss<dim>(3),
                                 dealii::update_gradients |
                                   dealii::update_JxW_values);
    const dealii::Vector<double> positions(x.begin(), x.end());
    std::vector<Tensor<2, dim>> F(values.n_quadrature_points);
    std::vector<dealii::types::global_dof_index> indices(fe.n_dofs_per_cell());
    std::vector<double> forces(x.size(), 0.);
    for (const auto &cell : dofs.active_cell_iterators())
      {
        values.reinit(cell);
        values[vector].get_function_gradients(positions, F);
        cell->get_dof_indices(indices);
        for (const unsigned int q : values.quadrature_point_indices())
          {
            const Tensor<2, dim> P =
              MaterialPoint<dim>(*model.material).trial(F[q], 0.);
            for (const unsigned int i : values.dof_indices())
              forces[indices[i]] +=
                scalar_product(P, values[vector].gradient(i, q)) *
                values.JxW(q);
          }
      }
    double energy = 0.;
    expect_near(model.evaluate(x, energy), forces, 1e-12);
    EXPECT_GT(largest(forces), 0.01);
  }

  TEST_P(QuadraticCells, HaveTheForcesOfFEValues)
  {
    for (const char *const law :
         {"neo-Hookean", "Saint Venant-Kirchhoff", "small-strain linear"})
      {
        check_against_fe_values<2>(law);
        check_against_fe_values<3>(law);
      }
  }



  template <int dim>
  void
  check_gradient()
  {
    const QuadraticModel<dim> model("neo-Hookean", 0.04);
    const auto x     = model.deformed();
    double energy    = 0.;
    const auto force = model.evaluate(x, energy);
    EXPECT_GT(energy, 1e-3);
    const double h = 1e-4;
    for (unsigned int i = 0; i < x.size(); i += dim == 2 ? 1 : 7)
      {
        const auto slope = [&](const double step) {
          auto y = x;
          double above, below;
          y[i] = x[i] + step;
          model.evaluate(y, above);
          y[i] = x[i] - step;
          model.evaluate(y, below);
          return (above - below) / (2. * step);
        };
        EXPECT_NEAR((4. * slope(h) - slope(2. * h)) / 3.,
                    force[i],
                    1e-9 * largest(force));
      }
  }

  TEST_P(QuadraticCells, HaveForcesThatAreTheGradientOfTheEnergy)
  {
    check_gradient<2>();
    check_gradient<3>();
  }



  template <int dim>
  void
  check_rigid_motion()
  {
    const QuadraticModel<dim> model("neo-Hookean", 0.04);
    std::vector<double> x, moved;
    for (const Point<dim> &X : model.table().reference_positions)
      {
        Point<dim> rotated = X;
        rotated[0]         = 0.6 * X[0] - 0.8 * X[1] + 3.;
        rotated[1]         = 0.8 * X[0] + 0.6 * X[1];
        for (unsigned int d = 0; d < dim; ++d)
          {
            x.push_back(X[d]);
            moved.push_back(rotated[d]);
          }
      }
    double energy;
    EXPECT_EQ(largest(model.evaluate(x, energy)), 0.);
    EXPECT_EQ(energy, 0.);
    EXPECT_LT(largest(model.evaluate(moved, energy)), 1e-14);
    EXPECT_LT(std::abs(energy), 1e-15);

    // Any motion: no total force.
    const auto forces = model.evaluate(model.deformed(), energy);
    for (unsigned int d = 0; d < dim; ++d)
      {
        double sum = 0.;
        for (unsigned int i = d; i < forces.size(); i += dim)
          sum += forces[i];
        EXPECT_NEAR(sum, 0., 1e-14);
      }
  }

  TEST_P(QuadraticCells, AreFreeOfForcesInRigidMotions)
  {
    check_rigid_motion<2>();
    check_rigid_motion<3>();
  }



  /**
   * The patch test: an affine motion gives the same stress P everywhere, so
   * that nodes inside are free of forces and sum f X^T = P times the volume.
   */
  template <int dim>
  void
  check_patch()
  {
    const QuadraticModel<dim> model("neo-Hookean", 0.04);
    Tensor<2, dim> F;
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        F[i][j] = (i == j ? 1. : 0.) + 0.1 * std::sin(1. + 3. * i + j);
    const auto &X = model.table().reference_positions;
    std::vector<double> x;
    for (const Point<dim> &position : X)
      for (unsigned int d = 0; d < dim; ++d)
        x.push_back(F[d] * position);
    double energy;
    const auto forces = model.evaluate(x, energy);

    const auto on_boundary = model.forest->nodes_on_boundary(0, {0});
    std::vector<bool> is_inside(X.size(), true);
    for (const unsigned int n : on_boundary)
      is_inside[n] = false;
    // 5^dim nodes, 3^dim inside
    EXPECT_EQ(std::count(is_inside.begin(), is_inside.end(), true),
              std::lround(std::pow(3., dim)));
    Tensor<2, dim> sum;
    for (unsigned int n = 0; n < X.size(); ++n)
      for (unsigned int i = 0; i < dim; ++i)
        {
          if (is_inside[n])
            {
              EXPECT_NEAR(forces[dim * n + i], 0., 1e-14);
            }
          for (unsigned int j = 0; j < dim; ++j)
            sum[i][j] += forces[dim * n + i] * X[n][j];
        }
    const Tensor<2, dim> P = MaterialPoint<dim>(*model.material).trial(F, 0.);
    const double volume    = dealii::GridTools::volume(
      model.forest->get_dof_handler().get_triangulation(),
      model.forest->get_mapping());
    EXPECT_GT(P.norm(), 0.01);
    EXPECT_LT((sum - volume * P).norm(), 1e-14 * P.norm());
  }

  TEST_P(QuadraticCells, PassThePatchTest)
  {
    check_patch<2>();
    check_patch<3>();
  }

  RICOCHET_ALL_INSTRUCTION_SETS(QuadraticCells)



  /** Mass and first moments are exact also for distorted cells; on undistorted
   * ones the masses are those of Simpson's rule. */
  template <int dim>
  void
  check_masses()
  {
    const QuadraticModel<dim> model("neo-Hookean", 0.04);
    const auto &mass      = model.forces.lumped_mass();
    const double density  = model.material->density();
    const auto &positions = model.table().reference_positions;
    double sum            = 0.;
    Tensor<1, dim> moments, exact_moments;
    for (unsigned int n = 0; n < mass.size(); ++n)
      {
        EXPECT_GT(mass[n], 0.);
        sum += mass[n];
        moments += mass[n] * Tensor<1, dim>(positions[n]);
      }
    double volume = 0.;
    dealii::FEValues<dim> values(model.forest->get_mapping(),
                                 model.forest->get_dof_handler().get_fe(),
                                 dealii::QGauss<dim>(4),
                                 dealii::update_quadrature_points |
                                   dealii::update_JxW_values);
    for (const auto &cell :
         model.forest->get_dof_handler().active_cell_iterators())
      {
        values.reinit(cell);
        for (const unsigned int q : values.quadrature_point_indices())
          {
            volume += values.JxW(q);
            exact_moments += density * values.JxW(q) *
                             Tensor<1, dim>(values.quadrature_point(q));
          }
      }
    EXPECT_NEAR(sum, density * volume, 1e-14 * sum);
    EXPECT_LT((moments - exact_moments).norm(), 1e-14 * sum);

    const QuadraticModel<dim> cube("neo-Hookean", 0.);
    for (unsigned int n = 0; n < mass.size(); ++n)
      {
        // 1/6 4/6 2/6 4/6 1/6 on two cells of half the length
        double expected = cube.material->density();
        for (unsigned int d = 0; d < dim; ++d)
          {
            const double X = cube.table().reference_positions[n][d];
            const int i    = std::lround(4. * X);
            EXPECT_NEAR(X, i / 4., 1e-15);
            expected *= (i % 2 == 1 ? 4. : i == 2 ? 2. : 1.) / 12.;
          }
        EXPECT_NEAR(cube.forces.lumped_mass()[n], expected, 1e-15);
      }
  }

  TEST(QuadraticMasses, ArePositiveAndExact)
  {
    check_masses<2>();
    check_masses<3>();
  }



  template <int dim>
  std::unique_ptr<Solids<dim>>
  make_solids(const std::string &entries, const MassKind mass_kind)
  {
    auto solids = std::make_unique<Solids<dim>>(MPI_COMM_SELF, mass_kind, 2);
    solids->reinit(
      parse_body<dim>(std::string("subsection Mesh\n"
                                  "  set Grid generator = "
                                  "subdivided_hyper_rectangle\n"
                                  "  set Grid generator arguments = ") +
                      (dim == 2 ? "2, 2 : 0, 0 : 1.5, 1 : false"
                                : "2, 1, 1 : 0, 0, 0 : 1.5, 1, 0.6: false") +
                      "\n" + entries + "end\n")
        .create_bodies(MPI_COMM_SELF));
    return solids;
  }



  /** The highest frequency by power iteration on the accelerations. */
  template <int dim>
  double
  highest_frequency(const Solids<dim> &solids)
  {
    State state  = solids.initial_state();
    const auto X = state.positions[0];
    auto v       = X;
    for (unsigned int i = 0; i < v.locally_owned_size(); ++i)
      v.local_element(i) = std::sin(191. * i);
    double square = 0.;
    for (unsigned int i = 0; i < 1500; ++i)
      {
        const double size = 1e-6;
        v /= v.linfty_norm();
        state.positions[0] = X;
        state.positions[0].add(size, v);
        solids.evaluate_forces(state, false);
        solids.compute_accelerations(state, 1.);
        v = state.accelerations[0];
        v /= -size;
        square = v.linfty_norm();
      }
    return std::sqrt(square);
  }

  template <int dim>
  void
  check_stable_step(const MassKind mass_kind)
  {
    const auto solids = make_solids<dim>("", mass_kind);
    State state       = solids->initial_state();
    solids->evaluate_forces(state, false);
    const double bound = solids->stable_time_step(state);
    const double limit = 2. / highest_frequency(*solids);
    EXPECT_LT(bound, limit);
    EXPECT_GT(bound, (mass_kind == MassKind::lumped ? 0.6 : 0.3) * limit);
  }

  TEST(QuadraticSolids, HaveAStepBelowTheStableOne)
  {
    for (const auto kind : {MassKind::lumped, MassKind::consistent})
      {
        check_stable_step<2>(kind);
        check_stable_step<3>(kind);
      }
  }



  TEST(QuadraticSolids, RefuseSimplicesAndHangingNodes)
  {
    const auto error = [](const std::string &entries) {
      return error_of([&]() { make_solids<2>(entries, MassKind::lumped); });
    };
    expect_parts(error("set Simplices = true\n"),
                 {"Body 'cube'", "simplices", "Element degree"});
    expect_parts(error("set Local refinement = x\n"),
                 {"Body 'cube'", "hanging nodes", "Element degree"});
  }
} // namespace
