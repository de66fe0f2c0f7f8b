// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_element_step_model_h
#define ricochet_tests_element_step_model_h

#include <ricochet/base/instruction_set.h>
#include <ricochet/element/step_forces.h>

#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "../body/make_cell_table.h"
#include "../material/make_material.h"
#include "../random.h"

/** Steps of a few distorted cells, see step_model.h. */
namespace StepTests
{
  using namespace Ricochet;
  using dealii::Tensor;
  using Formulation = ElementFormulation::Kind;
  using Values      = std::vector<double>;

  enum class Cells
  {
    simplices,
    hypercubes,
    quadratic
  };

  inline std::string
  name_of(const Cells cells)
  {
    return cells == Cells::simplices    ? "simplices"
           : cells == Cells::hypercubes ? "hypercubes"
                                        : "quadratic cells";
  }

  inline std::string
  name_of(const Formulation formulation)
  {
    return formulation == Formulation::full    ? "full"
           : formulation == Formulation::f_bar ? "F-bar"
                                               : "reduced";
  }



  /** A single cell of degree 2 on the unit cube. */
  template <int dim>
  CellTable<dim>
  quadratic_cell()
  {
    CellTable<dim> table;
    table.degree         = 2;
    table.nodes_per_cell = dim == 2 ? 9 : 27;
    for (unsigned int n = 0; n < table.nodes_per_cell; ++n)
      {
        table.cell_nodes.push_back(n);
        dealii::Point<dim> position;
        for (unsigned int d = 0, rest = n; d < dim; ++d, rest /= 3)
          position[d] = 0.5 * (rest % 3);
        table.reference_positions.push_back(position);
      }
    table.cell_body     = {0};
    table.cell_is_owned = {1};
    table.n_owned_nodes = table.n_nodes = table.nodes_per_cell;
    return table;
  }



  template <int dim>
  CellTable<dim>
  make_table(const Cells cells)
  {
    if (cells == Cells::quadratic)
      return quadratic_cell<dim>();
    dealii::Triangulation<dim> mesh;
    if (cells == Cells::simplices)
      dealii::GridGenerator::subdivided_hyper_cube_with_simplices(mesh, 1);
    else
      // Not a multiple of a batch.
      dealii::GridGenerator::subdivided_hyper_rectangle(
        mesh,
        dim == 2 ? std::vector<unsigned int>{3, 3}
                 : std::vector<unsigned int>{3, 1, 1},
        dealii::Point<dim>(),
        dim == 2 ? dealii::Point<dim>(1., 1.)
                 : dealii::Point<dim>(
                     dealii::Tensor<1, dim>(dealii::ArrayView<const double>(
                       std::vector<double>{2., 1., 1.}))));
    return make_cell_table(mesh);
  }



  template <int dim>
  class Model
  {
  public:
    Model(const Cells cells,
          const Material<dim> &material,
          const Formulation formulation,
          const unsigned int seed = 1)
      : random(seed)
      , material(material)
      , table(make_table<dim>(cells))
    {
      const double size = cells == Cells::quadratic ? 0.03 : 0.06;
      for (auto &position : table.reference_positions)
        position += random.vector<dim>(size);
      forces.reinit(table, {&material}, {}, {{formulation, 0.1}});
      history     = forces.initial_history();
      step_forces = std::make_unique<StepForces<dim>>(forces);
    }

    /** Positions after a large affine map and a small random displacement. */
    Values
    deformed(const double stretch, const double jitter, const double angle)
    {
      const Tensor<2, dim> F =
        rotation(angle) * Tensor<2, dim>(dealii::unit_symmetric_tensor<dim>() +
                                         random.matrix<dim>(stretch));
      const Tensor<1, dim> shift = random.vector<dim>(1.);
      Values x;
      for (const auto &X : table.reference_positions)
        {
          const Tensor<1, dim> position =
            F * X + shift + random.vector<dim>(jitter);
          for (unsigned int c = 0; c < dim; ++c)
            x.push_back(position[c]);
        }
      return x;
    }

    /** About an axis without symmetry. */
    static Tensor<2, dim>
    rotation(const double angle)
    {
      namespace Rotations = dealii::Physics::Transformations::Rotations;
      if constexpr (dim == 2)
        return Rotations::rotation_matrix_2d(angle);
      else
        return Rotations::rotation_matrix_3d(dealii::Point<3>(2. / 7.,
                                                              3. / 7.,
                                                              6. / 7.),
                                             angle);
    }

    static Values
    turned(const Values &x, const double angle)
    {
      const Tensor<2, dim> Q = rotation(angle);
      Values result          = x;
      for (unsigned int n = 0; n < x.size(); n += dim)
        for (unsigned int i = 0; i < dim; ++i)
          {
            result[n + i] = 0.;
            for (unsigned int j = 0; j < dim; ++j)
              result[n + i] += Q[i][j] * x[n + j];
          }
      return result;
    }

    /** Let a step lead to @p x, so that laws remember something. */
    void
    accept(const Values &x, const double dt)
    {
      Values f(x.size()), next;
      forces.advance(x.data(), nullptr, dt, history, next, f.data(), nullptr);
      history = next;
    }

    struct Result
    {
      Values forces, history;

      /** Stored energy, and what was dissipated since the start. */
      double stored, dissipated;
    };

    Result
    evaluate(const Values &x) const
    {
      Result result;
      BodyEnergies energies;
      energies.reset(1);
      result.forces.assign(x.size(), 1e300);
      step_forces->evaluate(x.data(),
                            result.history,
                            result.forces.data(),
                            &energies);
      result.stored     = energies.strain[0];
      result.dissipated = energies.plastic[0] + energies.viscous[0];
      return result;
    }

    /** The same at @p x with a step of length zero to there. */
    Result
    rest(const Values &x) const
    {
      Result result;
      BodyEnergies energies;
      energies.reset(1);
      result.forces.resize(x.size());
      forces.advance(x.data(),
                     nullptr,
                     0.,
                     history,
                     result.history,
                     result.forces.data(),
                     &energies);
      result.stored     = energies.strain[0];
      result.dissipated = energies.plastic[0] + energies.viscous[0];
      return result;
    }

    Random random;
    const Material<dim> &material;
    CellTable<dim> table;
    InternalForces<dim> forces;
    Values history;
    std::unique_ptr<StepForces<dim>> step_forces;
  };



  inline double
  largest(const Values &values)
  {
    double result = 0.;
    for (const double value : values)
      result = std::max(result, std::abs(value));
    return result;
  }

  inline double
  largest_difference(const Values &a, const Values &b)
  {
    EXPECT_EQ(a.size(), b.size());
    double result = 0.;
    for (unsigned int i = 0; i < std::min(a.size(), b.size()); ++i)
      {
        // Not a number is a difference too.
        const double difference = std::abs(a[i] - b[i]);
        if (!(difference <= result))
          result = difference;
      }
    return result;
  }



  /** Call @p function(cells, formulation, material, name) for all of them. */
  template <int dim, typename Function>
  void
  for_each_element_and_law(const Function &function)
  {
    for (const auto &law : Registry<Material<dim>>::entries())
      {
        const auto material = sample_of<dim>(law.first);
        for (const Cells cells :
             {Cells::simplices, Cells::hypercubes, Cells::quadratic})
          for (const Formulation formulation :
               {Formulation::full, Formulation::f_bar, Formulation::reduced})
            if (formulation == Formulation::full || cells == Cells::hypercubes)
              function(cells,
                       formulation,
                       *material,
                       std::to_string(dim) + "D, " + law.first + ", " +
                         name_of(cells) + ", " + name_of(formulation));
      }
  }



  /** Tests that run once with each instruction set. */
  class StepTest : public testing::TestWithParam<InstructionSet>
  {
  protected:
    void
    SetUp() override
    {
      setenv("RICOCHET_SIMD", Ricochet::name_of(GetParam()).c_str(), 1);
    }

    void
    TearDown() override
    {
      unsetenv("RICOCHET_SIMD");
    }
  };
} // namespace StepTests

/** Run the tests of a suite with each instruction set. */
#define RICOCHET_STEP_TESTS(suite)                             \
  INSTANTIATE_TEST_SUITE_P(                                    \
    InstructionSets,                                           \
    suite,                                                     \
    testing::ValuesIn(Ricochet::available_instruction_sets()), \
    [](const auto &info) { return Ricochet::name_of(info.param); });

#endif
