// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_body_forces_model_h
#define ricochet_tests_body_forces_model_h

#include <ricochet/base/instruction_set.h>
#include <ricochet/element/internal_forces.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "../material/make_material.h"
#include "../random.h"
#include "make_cell_table.h"

/** A distorted mesh of a cube whose cells belong to two bodies at random. */
template <int dim>
struct Model
{
  Model(const bool simplex,
        const std::vector<std::string> &laws,
        const unsigned int n_subdivisions = 3,
        const unsigned int seed           = 1)
    : random(seed)
  {
    if (simplex)
      dealii::GridGenerator::subdivided_hyper_cube_with_simplices(
        mesh,
        n_subdivisions);
    else
      dealii::GridGenerator::subdivided_hyper_cube(mesh, n_subdivisions);

    const double size = (simplex ? 0.12 : 0.2) / n_subdivisions;
    dealii::GridTools::transform(
      [&](const dealii::Point<dim> &p) { return p + random.vector<dim>(size); },
      mesh);
    for (const auto &cell : mesh.active_cell_iterators())
      cell->set_material_id(random.below(laws.size()));

    table = make_cell_table(mesh);
    for (const std::string &law : laws)
      materials.push_back(make_material<dim>(law));
    reinit();
  }



  void
  reinit()
  {
    std::vector<const Ricochet::Material<dim> *> pointers;
    for (const auto &material : materials)
      pointers.push_back(material.get());
    internal_forces.reinit(table, pointers);
  }



  /** Positions with a smooth large and a small random displacement. */
  std::vector<double>
  deformed(const double random_size = 0.02)
  {
    std::vector<double> x = positions_of(table);
    for (unsigned int n = 0; n < table.n_nodes; ++n)
      {
        const dealii::Point<dim> &X         = table.reference_positions[n];
        const dealii::Tensor<1, dim> jitter = random.vector<dim>(random_size);
        for (unsigned int c = 0; c < dim; ++c)
          x[dim * n + c] +=
            0.2 * std::sin(X[(c + 1) % dim] + 0.5 * X[c]) + jitter[c];
      }
    return x;
  }



  std::vector<double>
  forces(const std::vector<double> &x,
         std::vector<double> *energies = nullptr) const
  {
    std::vector<double> result(dim * table.n_owned_nodes,
                               std::numeric_limits<double>::quiet_NaN());
    internal_forces.evaluate(x.data(), result.data(), energies);
    return result;
  }



  double
  energy(const std::vector<double> &x) const
  {
    std::vector<double> energies(materials.size());
    forces(x, &energies);
    return std::accumulate(energies.begin(), energies.end(), 0.);
  }



  Random random;
  dealii::Triangulation<dim> mesh;
  Ricochet::CellTable<dim> table;
  std::vector<std::unique_ptr<Ricochet::Material<dim>>> materials;
  Ricochet::InternalForces<dim> internal_forces;
};



inline double
largest(const std::vector<double> &values)
{
  double result = 0.;
  for (const double value : values)
    result = std::max(result, std::abs(value));
  return result;
}



inline void
expect_near(const std::vector<double> &a,
            const std::vector<double> &b,
            const double tolerance)
{
  ASSERT_EQ(a.size(), b.size());
  const double bound = tolerance * largest(b);
  for (unsigned int i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], bound) << "entry " << i;
}



/** Tests that run once with each instruction set. */
class ForcesTest : public testing::TestWithParam<Ricochet::InstructionSet>
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



/** A test that calls @p check on all kinds of cells. */
#define RICOCHET_TEST_ALL_CELLS(suite, name, check) \
  TEST_P(suite, name##Squares)                      \
  {                                                 \
    check<2>(false);                                \
  }                                                 \
  TEST_P(suite, name##Triangles)                    \
  {                                                 \
    check<2>(true);                                 \
  }                                                 \
  TEST_P(suite, name##Hexahedra)                    \
  {                                                 \
    check<3>(false);                                \
  }                                                 \
  TEST_P(suite, name##Tetrahedra)                   \
  {                                                 \
    check<3>(true);                                 \
  }

/** Run the tests of a suite with each instruction set. */
#define RICOCHET_ALL_INSTRUCTION_SETS(suite)                   \
  INSTANTIATE_TEST_SUITE_P(                                    \
    InstructionSets,                                           \
    suite,                                                     \
    testing::ValuesIn(Ricochet::available_instruction_sets()), \
    [](const auto &info) { return Ricochet::name_of(info.param); });

#endif
