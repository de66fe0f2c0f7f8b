// SPDX-License-Identifier: LGPL-2.1-or-later

// The consistent mass of bodies of any size: its inverse and its entries.

#include <ricochet/body/consistent_mass.h>
#include <ricochet/body/forest.h>

#include <deal.II/base/mpi.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <cmath>
#include <gtest/gtest.h>
#include <memory>

using namespace Ricochet;
using dealii::Point;

namespace
{
  constexpr double density = 3.;

  /** A unit cube of n^dim cells, its inner vertices moved, which is held in its
   * first direction at the first quarter of its degrees of freedom. */
  template <int dim>
  struct Cube
  {
    using VectorType = typename ConsistentMass<dim>::VectorType;

    explicit Cube(const unsigned int n)
    {
      dealii::Triangulation<dim> cube;
      dealii::GridGenerator::subdivided_hyper_cube(cube, n);
      dealii::GridTools::distort_random(0.2, cube);
      forest = std::make_unique<Forest<dim>>(
        MPI_COMM_WORLD,
        std::vector<
          std::pair<unsigned int, const dealii::Triangulation<dim> *>>{
          {0, &cube}});
      VectorType inverse_lumped_mass = vector(1.);
      for (const auto i : inverse_lumped_mass.locally_owned_elements())
        if (is_held(i))
          inverse_lumped_mass(i) = 0.;
      mass = std::make_unique<ConsistentMass<dim>>(
        forest->get_dof_handler(),
        forest->get_mapping(),
        forest->get_hanging_nodes().get_constraints(),
        [](const auto &) { return density; },
        inverse_lumped_mass);
    }

    bool
    is_held(const dealii::types::global_dof_index i) const
    {
      return i % dim == 0 && 4 * i < forest->get_dof_handler().n_dofs();
    }

    VectorType
    vector(const double value) const
    {
      VectorType result(forest->get_partitioner());
      result = value;
      return result;
    }

    /** Without any regularity. */
    VectorType
    irregular_vector() const
    {
      VectorType result = vector(0.);
      for (const auto i : result.locally_owned_elements())
        result(i) = std::sin(1.7 * i * i);
      return result;
    }

    std::unique_ptr<Forest<dim>> forest;
    std::unique_ptr<ConsistentMass<dim>> mass;
  };



  template <int dim>
  void
  check_inverse(const unsigned int n)
  {
    const Cube<dim> cube(n);
    const auto impulse = cube.irregular_vector();
    auto velocity      = impulse;
    cube.mass->apply_inverse(velocity);
    auto again = cube.vector(0.);
    cube.mass->multiply(again, velocity);
    for (const auto i : again.locally_owned_elements())
      if (cube.is_held(i))
        EXPECT_EQ(velocity(i), 0.);
      else
        EXPECT_NEAR(again(i), impulse(i), 1e-12);
  }



  TEST(ConsistentMass, InverseIsOneOfSmallAndLargeBodies)
  {
    check_inverse<2>(20);
    check_inverse<3>(5);
    check_inverse<3>(17);
  }



  TEST(ConsistentMass, EntriesAreThoseOfTheProduct)
  {
    const Cube<3> cube(6);
    const auto velocity = cube.irregular_vector();
    auto ghosted        = velocity;
    ghosted.update_ghost_values();
    auto product = cube.vector(0.), sum = cube.vector(0.);
    cube.mass->multiply(product, velocity);
    double total = 0.;
    cube.mass->for_each_entry([&](const unsigned int row,
                                  const dealii::types::global_dof_index column,
                                  const double value) {
      sum.local_element(row) += value * ghosted(column);
      total += value;
    });
    for (const auto i : sum.locally_owned_elements())
      EXPECT_NEAR(sum(i), product(i), 1e-15);
    EXPECT_NEAR(dealii::Utilities::MPI::sum(total, MPI_COMM_WORLD),
                3. * density,
                1e-12);
  }
} // namespace
