// SPDX-License-Identifier: LGPL-2.1-or-later

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe.h>

#include <array>

#include "../material/material_point.h"
#include "forces_model.h"

using namespace Ricochet;
using dealii::Tensor;

namespace
{
  const std::vector<std::string> nonlinear_laws = {"neo-Hookean",
                                                   "Saint Venant-Kirchhoff"};



  class Forces : public ForcesTest
  {};



  /** The independent route: loops over cells with FEValues, point by point. */
  template <int dim>
  void
  reference_solution(const Model<dim> &model,
                     const std::vector<double> &x,
                     std::vector<double> &forces,
                     std::vector<double> &energies,
                     std::vector<double> &mass)
  {
    const bool simplex = model.table.simplex;
    std::unique_ptr<dealii::FiniteElement<dim>> fe;
    std::unique_ptr<dealii::Quadrature<dim>> quadrature;
    if (simplex)
      {
        fe         = std::make_unique<dealii::FE_SimplexP<dim>>(1);
        quadrature = std::make_unique<dealii::QGaussSimplex<dim>>(1);
      }
    else
      {
        fe         = std::make_unique<dealii::FE_Q<dim>>(1);
        quadrature = std::make_unique<dealii::QGauss<dim>>(2);
      }
    const dealii::MappingFE<dim> mapping(*fe);
    dealii::FEValues<dim> values(mapping,
                                 *fe,
                                 *quadrature,
                                 dealii::update_values |
                                   dealii::update_gradients |
                                   dealii::update_JxW_values);

    forces.assign(x.size(), 0.);
    energies.assign(model.materials.size(), 0.);
    mass.assign(x.size() / dim, 0.);
    for (const auto &cell : model.mesh.active_cell_iterators())
      {
        values.reinit(cell);
        const Material<dim> &material = *model.materials[cell->material_id()];
        for (const unsigned int q : values.quadrature_point_indices())
          {
            Tensor<2, dim> F;
            for (const unsigned int a : cell->vertex_indices())
              for (unsigned int i = 0; i < dim; ++i)
                F[i] +=
                  x[dim * cell->vertex_index(a) + i] * values.shape_grad(a, q);

            MaterialPoint<dim> point(material);
            const Tensor<2, dim> P = point.trial(F, 0.);
            energies[cell->material_id()] += point.energy * values.JxW(q);
            for (const unsigned int a : cell->vertex_indices())
              {
                const unsigned int node = cell->vertex_index(a);
                const Tensor<1, dim> f =
                  P * values.shape_grad(a, q) * values.JxW(q);
                for (unsigned int i = 0; i < dim; ++i)
                  forces[dim * node + i] += f[i];
                mass[node] +=
                  material.density() * values.shape_value(a, q) * values.JxW(q);
              }
          }
      }
  }



  template <int dim>
  void
  check_against_fe_values(const bool simplex)
  {
    Model<dim> model(simplex,
                     {"neo-Hookean",
                      "Saint Venant-Kirchhoff",
                      "small-strain linear"});
    const auto x = model.deformed();

    std::vector<double> forces, energies, mass;
    reference_solution(model, x, forces, energies, mass);

    std::vector<double> my_energies(3);
    expect_near(model.forces(x, &my_energies), forces, 1e-12);
    expect_near(my_energies, energies, 1e-12);
    expect_near(model.internal_forces.lumped_mass(), mass, 1e-13);
    EXPECT_GT(largest(forces), 0.1);
  }



  /** A rotation by @p angle about the axis (1,2,3) or in the plane. */
  template <int dim>
  Tensor<2, dim>
  rotation(const double angle)
  {
    Tensor<2, dim> Q;
    const double c = std::cos(angle), s = std::sin(angle);
    if constexpr (dim == 2)
      {
        Q[0][0] = Q[1][1] = c;
        Q[0][1]           = -s;
        Q[1][0]           = s;
      }
    else
      {
        Tensor<1, dim> axis;
        for (unsigned int i = 0; i < dim; ++i)
          axis[i] = (i + 1.) / std::sqrt(14.);
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            Q[i][j] = (i == j ? c : 0.) + (1. - c) * axis[i] * axis[j];
        for (unsigned int i = 0; i < dim; ++i)
          {
            Q[(i + 2) % 3][(i + 1) % 3] += s * axis[i];
            Q[(i + 1) % 3][(i + 2) % 3] -= s * axis[i];
          }
      }
    return Q;
  }



  /** Q x + t for all nodes. */
  template <int dim>
  std::vector<double>
  moved(const std::vector<double> &x,
        const Tensor<2, dim> &Q,
        const double translation)
  {
    std::vector<double> result(x.size());
    for (unsigned int n = 0; n < x.size() / dim; ++n)
      for (unsigned int i = 0; i < dim; ++i)
        {
          result[dim * n + i] = translation * (i + 1.);
          for (unsigned int j = 0; j < dim; ++j)
            result[dim * n + i] += Q[i][j] * x[dim * n + j];
        }
    return result;
  }



  template <int dim>
  void
  check_rigid_motion(const bool simplex)
  {
    const auto Q = rotation<dim>(1.1);

    Model<dim> model(simplex, nonlinear_laws);
    const auto X = positions_of(model.table);
    EXPECT_LT(largest(model.forces(X)), 1e-14);
    EXPECT_LT(largest(model.forces(moved<dim>(X, Q, 0.7))), 2e-14);
    EXPECT_NEAR(model.energy(moved<dim>(X, Q, 0.7)), 0., 1e-15);

    // The deformed state rotated: the forces rotate with it.
    const auto x       = model.deformed();
    const auto forces  = model.forces(x);
    const auto rotated = moved<dim>(forces, Q, 0.);
    expect_near(model.forces(moved<dim>(x, Q, 0.7)), rotated, 1e-13);
    EXPECT_NEAR(model.energy(moved<dim>(x, Q, 0.7)),
                model.energy(x),
                1e-13 * model.energy(x));

    // The reference state rotated too: isotropic laws do not see it.
    for (auto &point : model.table.reference_positions)
      {
        std::vector<double> p(point.begin_raw(), point.end_raw());
        p = moved<dim>(p, Q, -0.4);
        std::copy(p.begin(), p.end(), point.begin_raw());
      }
    model.reinit();
    expect_near(model.forces(x), forces, 1e-12);
    expect_near(model.forces(moved<dim>(x, Q, 0.7)), rotated, 1e-12);
  }



  template <int dim>
  void
  check_momentum(const bool simplex)
  {
    Model<dim> model(simplex, nonlinear_laws);
    const auto x      = model.deformed();
    const auto forces = model.forces(x);

    std::array<double, 3> sum{}, moment{};
    const auto component =
      [](const std::vector<double> &v, unsigned int n, unsigned int i) {
        return i < dim ? v[dim * n + i] : 0.;
      };
    for (unsigned int n = 0; n < model.table.n_nodes; ++n)
      for (unsigned int i = 0; i < 3; ++i)
        {
          const unsigned int j = (i + 1) % 3, k = (i + 2) % 3;
          sum[i] += component(forces, n, i);
          moment[i] += component(x, n, j) * component(forces, n, k) -
                       component(x, n, k) * component(forces, n, j);
        }
    for (unsigned int i = 0; i < 3; ++i)
      {
        EXPECT_NEAR(sum[i], 0., 1e-14 * model.table.n_nodes * largest(forces));
        EXPECT_NEAR(moment[i],
                    0.,
                    1e-14 * model.table.n_nodes * largest(forces));
      }
  }



  template <int dim>
  void
  check_energy_gradient(const bool simplex)
  {
    Model<dim> model(simplex, {"neo-Hookean", "small-strain linear"}, 2);
    auto x            = model.deformed();
    const auto forces = model.forces(x);

    const double step = 1e-5;
    std::vector<double> differences(x.size());
    for (unsigned int i = 0; i < x.size(); ++i)
      {
        const double value = x[i];
        x[i]               = value + step;
        const double plus  = model.energy(x);
        x[i]               = value - step;
        const double minus = model.energy(x);
        x[i]               = value;
        differences[i]     = (plus - minus) / (2. * step);
      }
    expect_near(differences, forces, 1e-8);
  }
} // namespace



RICOCHET_TEST_ALL_CELLS(Forces, AgreeWithFEValuesOn, check_against_fe_values)
RICOCHET_TEST_ALL_CELLS(Forces, FollowRigidMotionsOn, check_rigid_motion)
RICOCHET_TEST_ALL_CELLS(Forces, ConserveMomentumOn, check_momentum)
RICOCHET_TEST_ALL_CELLS(Forces,
                        AreTheGradientOfTheEnergyOn,
                        check_energy_gradient)



namespace
{
  /** A law from outside: plain loops, and stiffer in one direction. */
  class Springs : public Material<3>
  {
  public:
    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

    void
    evaluate(const unsigned int n_points,
             const double *F,
             double *P,
             double *W) const override
    {
      for (unsigned int p = 0; p < n_points; ++p)
        {
          double w = 0.;
          for (unsigned int i = 0; i < 9; ++i)
            {
              const double stiffness = (i == 0 ? 5. : 1.);
              const double strain =
                F[i * n_points + p] - (i % 4 == 0 ? 1. : 0.);
              P[i * n_points + p] = stiffness * strain;
              w += 0.5 * stiffness * strain * strain;
            }
          if (W != nullptr)
            W[p] = w;
        }
    }

    double
    density() const override
    {
      return 3.;
    }

    double
    wave_speed() const override
    {
      return std::sqrt(5. / 3.);
    }
  };
} // namespace



TEST_P(Forces, LawsFromOutsideWork)
{
  Model<3> model(false, {"neo-Hookean", "neo-Hookean"});
  model.materials[1] = std::make_unique<Springs>();
  model.reinit();
  const auto x = model.deformed();

  std::vector<double> forces, energies, mass;
  reference_solution(model, x, forces, energies, mass);
  std::vector<double> my_energies(2);
  expect_near(model.forces(x, &my_energies), forces, 1e-12);
  expect_near(my_energies, energies, 1e-12);
  expect_near(model.internal_forces.lumped_mass(), mass, 1e-13);
}



TEST_P(Forces, MemoryStaysBelowTwoKilobytesPerCell)
{
  for (const bool simplex : {false, true})
    {
      Model<3> model(simplex, {"neo-Hookean"}, 10);
      EXPECT_LT(model.internal_forces.bytes_per_cell(), 700.);
      EXPECT_GT(model.internal_forces.bytes_per_cell(), 100.);
    }
}



TEST_P(Forces, NoCellsMeanNoForces)
{
  Model<3> model(false, {"neo-Hookean"});
  CellTable<3> empty;
  empty.nodes_per_cell = 8;
  model.table          = empty;
  model.reinit();
  EXPECT_TRUE(model.forces({}).empty());
  EXPECT_EQ(model.internal_forces.stable_time_step(nullptr),
            std::numeric_limits<double>::infinity());
  EXPECT_TRUE(model.internal_forces.lumped_mass().empty());
}



RICOCHET_ALL_INSTRUCTION_SETS(Forces)



TEST(InstructionSets, ForcesAgreeToRoundOff)
{
  for (const bool simplex : {false, true})
    {
      std::vector<std::vector<double>> forces, energies;
      std::vector<double> steps;
      for (const InstructionSet set : available_instruction_sets())
        {
          setenv("RICOCHET_SIMD", name_of(set).c_str(), 1);
          Model<3> model(simplex, nonlinear_laws);
          const auto x = model.deformed();
          energies.emplace_back(2);
          forces.push_back(model.forces(x, &energies.back()));
          steps.push_back(model.internal_forces.stable_time_step(x.data()));
        }
      unsetenv("RICOCHET_SIMD");
      for (unsigned int i = 1; i < forces.size(); ++i)
        {
          expect_near(forces[i], forces[0], 1e-12);
          expect_near(energies[i], energies[0], 1e-12);
          EXPECT_NEAR(steps[i], steps[0], 1e-5 * steps[0]);
        }
    }
}
