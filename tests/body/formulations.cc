// SPDX-License-Identifier: LGPL-2.1-or-later

#include <deal.II/grid/grid_generator.h>

#include "forces_model.h"

// The formulations F-bar and reduced, see ElementFormulation.

using namespace Ricochet;

namespace
{
  using Kind = ElementFormulation::Kind;

  const std::vector<Kind> kinds = {Kind::f_bar, Kind::reduced};

  /** Two laws in a distorted mesh of hypercubes, with one formulation. */
  template <int dim>
  struct FormulationModel : public Model<dim>
  {
    explicit FormulationModel(const Kind kind)
      : Model<dim>(false, {"neo-Hookean", "Saint Venant-Kirchhoff"})
    {
      set(kind);
    }

    void
    set(const Kind kind)
    {
      std::vector<const Material<dim> *> pointers;
      for (const auto &material : this->materials)
        pointers.push_back(material.get());
      this->internal_forces.reinit(
        this->table,
        pointers,
        {},
        std::vector<ElementFormulation>(pointers.size(), {kind, 0.1}));
    }
  };



  template <int dim>
  void
  check_derivative()
  {
    for (const Kind kind : kinds)
      {
        FormulationModel<dim> model(kind);
        const auto x      = model.deformed();
        const auto forces = model.forces(x);
        auto direction    = x;
        for (unsigned int i = 0; i < x.size(); i += dim)
          {
            const auto vector = model.random.template vector<dim>(1.);
            for (unsigned int c = 0; c < dim; ++c)
              direction[i + c] = vector[c];
          }
        double product = 0.;
        for (unsigned int i = 0; i < forces.size(); ++i)
          product += forces[i] * direction[i];
        const double h = 1e-5;
        double sides[2];
        for (const int side : {0, 1})
          {
            auto y = x;
            for (unsigned int i = 0; i < x.size(); ++i)
              y[i] += (side == 0 ? -h : h) * direction[i];
            sides[side] = model.energy(y);
          }
        EXPECT_NEAR(product,
                    (sides[1] - sides[0]) / (2. * h),
                    1e-7 * largest(forces));
      }
  }



  template <int dim>
  void
  check_momenta_and_rotations()
  {
    for (const Kind kind : kinds)
      {
        FormulationModel<dim> model(kind);
        const auto x      = model.deformed();
        const auto forces = model.forces(x);
        double moment     = 0.;
        std::vector<double> sum(dim);
        for (unsigned int i = 0; i < x.size(); i += dim)
          {
            moment += x[i] * forces[i + 1] - x[i + 1] * forces[i];
            for (unsigned int c = 0; c < dim; ++c)
              sum[c] += forces[i + c];
          }
        EXPECT_LT(largest(sum), 1e-13 * largest(forces) * x.size());
        EXPECT_LT(std::abs(moment), 1e-13 * largest(forces) * x.size());

        auto turned    = x;
        const double c = std::cos(1.), s = std::sin(1.);
        for (unsigned int i = 0; i < x.size(); i += dim)
          {
            turned[i]     = c * x[i] - s * x[i + 1] + 3.;
            turned[i + 1] = s * x[i] + c * x[i + 1];
          }
        EXPECT_NEAR(model.energy(turned),
                    model.energy(x),
                    1e-13 * model.energy(x));
      }
  }



  template <int dim>
  void
  check_affine_deformations()
  {
    for (const Kind kind : kinds)
      {
        FormulationModel<dim> model(kind);
        auto x = positions_of(model.table);
        for (unsigned int i = 0; i < x.size(); i += dim)
          {
            x[i] = 1.2 * x[i] + 0.3 * x[i + 1];
            x[i + 1] *= 0.9;
          }
        const auto forces   = model.forces(x);
        const double energy = model.energy(x);
        model.set(Kind::full);
        expect_near(forces, model.forces(x), 1e-13);
        EXPECT_NEAR(energy, model.energy(x), 1e-13 * energy);
      }
  }



  /** A cube with the given hourglass stiffness. */
  struct Cube
  {
    explicit Cube(const double stiffness)
      : material(make_material<3>("neo-Hookean"))
    {
      dealii::GridGenerator::hyper_cube(mesh, -1., 1.);
      table = make_cell_table(mesh);
      forces.reinit(table, {material.get()}, {}, {{Kind::reduced, stiffness}});
    }

    /** The energy when component @p c follows the product of the coordinates
     * whose bits are set in @p mode. */
    double
    energy(const unsigned int mode, const unsigned int c) const
    {
      auto x = positions_of(table);
      for (unsigned int n = 0; n < table.n_nodes; ++n)
        {
          double product = 1e-3;
          for (unsigned int d = 0; d < 3; ++d)
            if (mode & (1 << d))
              product *= table.reference_positions[n][d];
          x[3 * n + c] += product;
        }
      std::vector<double> result(1), values(24);
      forces.evaluate(x.data(), values.data(), &result);
      return result[0];
    }

    dealii::Triangulation<3> mesh;
    CellTable<3> table;
    std::unique_ptr<Material<3>> material;
    InternalForces<3> forces;
  };
} // namespace



class Formulations : public ForcesTest
{};



TEST_P(Formulations, ForcesAreTheDerivativeOfTheEnergy)
{
  check_derivative<2>();
  check_derivative<3>();
}



TEST_P(Formulations, MomentaAreKeptAndRotationsCostNothing)
{
  check_momenta_and_rotations<2>();
  check_momenta_and_rotations<3>();
}



TEST_P(Formulations, AffineDeformationsAreThoseOfFullIntegration)
{
  check_affine_deformations<2>();
  check_affine_deformations<3>();
}



TEST_P(Formulations, HourglassModesHaveTheirStiffness)
{
  // The energy of the mode a x_i x_j in one component is
  // s/2 a^2 int (x_i^2 + x_j^2) with s = 0.05 mu, volume 8, and
  // mean x^2 = 1/3; that of x_1 x_2 x_3 has three terms with mean 1/9.
  const Cube with(0.05), without(0.);
  const double s = 0.05 * test_mu;
  for (unsigned int c = 0; c < 3; ++c)
    for (const unsigned int mode : {3, 5, 6, 7})
      {
        const double expected =
          0.5 * s * 1e-6 * 8. * (mode == 7 ? 3. / 9. : 2. / 3.);
        EXPECT_NEAR(with.energy(mode, c), expected, 1e-9 * expected);
        EXPECT_LT(without.energy(mode, c), 1e-20 * expected);
      }
}



TEST_P(Formulations, LockingIsCured)
{
  // A thick cylinder, radii 1 and 2, is widened without a change of volume:
  // u_r = c/r. The exact energy of a quarter is pi/2 mu c^2 (1 - 1/4). With
  // Poisson's ratio 0.4999, what the cells' interpolation of this field changes
  // in volume is multiplied by lambda = 5000 mu.
  dealii::Triangulation<2> mesh;
  dealii::GridGenerator::quarter_hyper_shell(mesh, {}, 1., 2., 4, true);
  mesh.refine_global(1);
  const auto table    = make_cell_table(mesh);
  const auto material = make_material<2>("neo-Hookean",
                                         {{"Density", "1"},
                                          {"Young's modulus", "1"},
                                          {"Poisson's ratio", "0.4999"}});
  const double mu = 1. / (2. * 1.4999), c = 1e-5;
  const double exact = dealii::numbers::PI / 2. * mu * c * c * 0.75;

  auto x = positions_of(table);
  for (unsigned int n = 0; n < table.n_nodes; ++n)
    {
      const dealii::Point<2> &X = table.reference_positions[n];
      for (unsigned int d = 0; d < 2; ++d)
        x[2 * n + d] += c * X[d] / X.norm_square();
    }
  const auto energy = [&](const Kind kind) {
    InternalForces<2> forces;
    forces.reinit(table, {material.get()}, {}, {{kind, 0.05}});
    std::vector<double> result(1), values(2 * table.n_nodes);
    forces.evaluate(x.data(), values.data(), &result);
    return result[0];
  };
  EXPECT_GT(energy(Kind::full), 3. * exact);
  EXPECT_NEAR(energy(Kind::f_bar), exact, 0.1 * exact);
  EXPECT_NEAR(energy(Kind::reduced), exact, 0.1 * exact);
}



RICOCHET_ALL_INSTRUCTION_SETS(Formulations)
