// SPDX-License-Identifier: LGPL-2.1-or-later

// The forces of a step themselves: the scheme of Simo and Tarnow, threads,
// errors, and laws without a tangent.

#include <ricochet/base/error.h>

#include <deal.II/base/multithread_info.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/physics/elasticity/kinematics.h>

#include "step_model.h"

using namespace StepTests;

namespace
{
  template <int dim>
  using Kind = typename StepForces<dim>::Kind;



  /** A distorted mesh of hypercubes, and two deformations of it. */
  template <int dim>
  struct Mesh
  {
    Mesh()
      : random(3)
    {
      dealii::GridGenerator::subdivided_hyper_cube(mesh, 3);
      dealii::GridTools::transform(
        [&](const dealii::Point<dim> &p) {
          return p + random.template vector<dim>(0.06);
        },
        mesh);
      table = make_cell_table(mesh);
      x0 = x1 = positions_of(table);
      for (unsigned int i = 0; i < x0.size(); ++i)
        {
          x0[i] += random.uniform(-0.06, 0.06);
          x1[i] += random.uniform(-0.06, 0.06);
        }
      x1 = Model<dim>::turned(x1, 1.);
    }

    Random random;
    dealii::Triangulation<dim> mesh;
    CellTable<dim> table;
    Values x0, x1;
  };



  /** The forces of (Simo and Tarnow, 1992) with S = C:(E_0 + E_1)/2. */
  template <int dim>
  Values
  forces_of_mean_stress(const Mesh<dim> &model)
  {
    using namespace dealii;
    const FESystem<dim> fe(FE_Q<dim>(1), dim);
    DoFHandler<dim> dofs(model.mesh);
    dofs.distribute_dofs(fe);
    FEValues<dim> values(fe,
                         QGauss<dim>(2),
                         update_gradients | update_JxW_values);
    Values forces(model.x0.size());
    for (const auto &cell : dofs.active_cell_iterators())
      {
        values.reinit(cell);
        for (unsigned int q = 0; q < values.n_quadrature_points; ++q)
          {
            Tensor<2, dim> F0, F1;
            const auto gradient = [&](const unsigned int v) {
              return values.shape_grad(fe.component_to_system_index(0, v), q);
            };
            for (const unsigned int v : cell->vertex_indices())
              for (unsigned int c = 0; c < dim; ++c)
                {
                  const unsigned int i = dim * cell->vertex_index(v) + c;
                  F0[c] += model.x0[i] * gradient(v);
                  F1[c] += model.x1[i] * gradient(v);
                }
            const SymmetricTensor<2, dim> E =
              0.5 * (Physics::Elasticity::Kinematics::E(F0) +
                     Physics::Elasticity::Kinematics::E(F1));
            const SymmetricTensor<2, dim> S =
              test_lambda * trace(E) * unit_symmetric_tensor<dim>() +
              2. * test_mu * E;
            const Tensor<2, dim> P = 0.5 * (F0 + F1) * Tensor<2, dim>(S);
            for (const unsigned int v : cell->vertex_indices())
              for (unsigned int c = 0; c < dim; ++c)
                forces[dim * cell->vertex_index(v) + c] +=
                  values.JxW(q) * (P[c] * gradient(v));
          }
      }
    return forces;
  }



  template <int dim>
  void
  check_mean_stress()
  {
    const Mesh<dim> model;
    const auto material = make_material<dim>("Saint Venant-Kirchhoff");
    InternalForces<dim> forces;
    forces.reinit(model.table, {material.get()});
    StepForces<dim> step(forces);
    const Values no_history;
    Values f(model.x0.size()), history;
    step.begin(Kind<dim>::discrete_gradient, model.x0.data(), 0.1, no_history);
    step.evaluate(model.x1.data(), history, f.data(), nullptr);
    const Values expected = forces_of_mean_stress(model);
    EXPECT_LT(largest_difference(f, expected), 1e-13 * largest(expected));
  }



  /** The law @p Law without its tangent. */
  class NoTangent : public Material<3>
  {
  public:
    explicit NoTangent(const Material<3> &law)
      : law(law)
    {
      this->set_history(law.history());
    }

    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

    void
    evaluate(const unsigned int n,
             const double *F,
             double *P,
             double *W) const override
    {
      law.evaluate(n, F, P, W);
    }

    void
    evaluate_step(const unsigned int n,
                  const double dt,
                  const double *F,
                  const double *old_history,
                  double *new_history,
                  double *P,
                  double *W) const override
    {
      law.evaluate_step(n, dt, F, old_history, new_history, P, W);
    }

    double
    density() const override
    {
      return law.density();
    }

    double
    wave_speed() const override
    {
      return law.wave_speed();
    }

  private:
    const Material<3> &law;
  };



  /** All entries of all matrices, one after the other. */
  template <int dim>
  Values
  entries(const StepForces<dim> &step, const Values &x)
  {
    Values result;
    step.stiffness(x.data(), [&](const CellMatrices<dim> &matrices) {
      for (unsigned int l = 0; l < matrices.n_cells; ++l)
        {
          result.push_back(matrices.cells[l]);
          for (unsigned int i = 0; i < matrices.n_dofs; ++i)
            for (unsigned int j = 0; j < matrices.n_dofs; ++j)
              result.push_back(matrices(l, i, j));
        }
    });
    return result;
  }
} // namespace



class StepForcesOf : public StepTest
{};

TEST_P(StepForcesOf, SaintVenantKirchhoffHaveTheMeanStress)
{
  check_mean_stress<2>();
  check_mean_stress<3>();
}



TEST_P(StepForcesOf, LawsWithoutTangentGetOneByDifferences)
{
  const Mesh<3> model;
  for (const std::string name : {"neo-Hookean", "J2 plasticity"})
    {
      const auto material = sample_of<3>(name);
      const NoTangent without(*material);
      Values matrices[2];
      for (const unsigned int k : {0, 1})
        {
          InternalForces<3> forces;
          forces.reinit(model.table,
                        {k == 0 ? material.get()
                                : static_cast<const Material<3> *>(&without)});
          const Values history = forces.initial_history();
          StepForces<3> step(forces);
          step.begin(Kind<3>::discrete_gradient, model.x0.data(), 0.1, history);
          matrices[k] = entries(step, model.x1);
        }
      // The number of the cell is the greatest entry.
      EXPECT_LT(largest_difference(matrices[0], matrices[1]), 1e-8) << name;
    }
}



TEST_P(StepForcesOf, ManyThreadsAreOneThreadToTheLastBit)
{
  const Mesh<3> model;
  const auto material          = sample_of<3>("Kelvin-Voigt");
  const unsigned int n_threads = dealii::MultithreadInfo::n_threads();
  InternalForces<3> forces;
  forces.reinit(model.table, {material.get()});
  const Values history = forces.initial_history();
  Values f[2], matrices[2];
  for (const unsigned int k : {0, 1})
    {
      dealii::MultithreadInfo::set_thread_limit(k == 0 ? 1 : 4);
      StepForces<3> step(forces);
      step.begin(Kind<3>::discrete_gradient, model.x0.data(), 0.1, history);
      Values new_history;
      f[k].resize(model.x0.size());
      step.evaluate(model.x1.data(), new_history, f[k].data(), nullptr);
      matrices[k] = entries(step, model.x1);
    }
  dealii::MultithreadInfo::set_thread_limit(n_threads);
  EXPECT_EQ(f[0], f[1]);
  EXPECT_EQ(matrices[0], matrices[1]);
}



TEST_P(StepForcesOf, InvertedCellsAreReported)
{
  Mesh<3> model;
  const auto material = make_material<3>("Saint Venant-Kirchhoff");
  InternalForces<3> forces;
  forces.reinit(model.table, {material.get()}, {"the cube"});
  StepForces<3> step(forces);
  const Values no_history;
  Values f(model.x0.size()), history;
  auto inverted = model.x1;
  for (unsigned int i = 0; i < inverted.size(); i += 3)
    inverted[i] *= -1.;
  auto undefined = model.x1;
  undefined[5]   = std::nan("");
  for (const auto kind : {Kind<3>::at_end, Kind<3>::discrete_gradient})
    for (const auto &x : {inverted, undefined})
      {
        step.begin(kind, model.x0.data(), 0.1, no_history);
        try
          {
            step.evaluate(x.data(), history, f.data(), nullptr);
            ADD_FAILURE() << "There was no error.";
          }
        catch (const RunError &error)
          {
            EXPECT_NE(std::string(error.what()).find("'the cube'"),
                      std::string::npos)
              << error.what();
          }
      }
}



RICOCHET_STEP_TESTS(StepForcesOf)
