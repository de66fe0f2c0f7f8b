// SPDX-License-Identifier: LGPL-2.1-or-later

#include <deal.II/base/multithread_info.h>

#include "forces_model.h"

// The same forces whatever the order of the work.

using namespace Ricochet;

namespace
{
  class OrderOfForces : public ForcesTest
  {};



  template <int dim>
  void
  check_threads(const bool simplex)
  {
    Model<dim> model(simplex, {"neo-Hookean", "Saint Venant-Kirchhoff"}, 12);
    const auto x = model.deformed(0.002);

    dealii::MultithreadInfo::set_thread_limit(1);
    std::vector<double> energies_1(2), energies_2(2);
    const auto forces_1 = model.forces(x, &energies_1);
    const double step_1 = model.internal_forces.stable_time_step(x.data());

    dealii::MultithreadInfo::set_thread_limit(2);
    for (unsigned int repetition = 0; repetition < 5; ++repetition)
      {
        energies_2.assign(2, 0.);
        EXPECT_EQ(model.forces(x, &energies_2), forces_1);
        EXPECT_EQ(energies_2, energies_1);
        EXPECT_EQ(model.internal_forces.stable_time_step(x.data()), step_1);
      }
    // The energies are a by-product that does not change the forces.
    EXPECT_EQ(model.forces(x), forces_1);
    dealii::MultithreadInfo::set_thread_limit(1);
  }



  /**
   * What another rank would have that owns only some nodes: the cells at these
   * in the same order, own nodes first. Returns the new table and the old
   * numbers of its nodes.
   */
  template <int dim>
  std::pair<CellTable<dim>, std::vector<unsigned int>>
  partition(const CellTable<dim> &all, const std::vector<bool> &is_owned)
  {
    CellTable<dim> part;
    part.simplex        = all.simplex;
    part.nodes_per_cell = all.nodes_per_cell;

    const unsigned int none = std::numeric_limits<unsigned int>::max();
    std::vector<unsigned int> old_nodes, new_nodes(all.n_nodes, none);
    const auto add = [&](const unsigned int node) {
      new_nodes[node] = old_nodes.size();
      old_nodes.push_back(node);
    };
    for (unsigned int n = 0; n < all.n_nodes; ++n)
      if (is_owned[n])
        add(n);
    part.n_owned_nodes = old_nodes.size();

    for (unsigned int cell = 0; cell < all.n_cells(); ++cell)
      {
        const auto begin = all.cell_nodes.begin() + cell * all.nodes_per_cell;
        const auto end   = begin + all.nodes_per_cell;
        if (std::none_of(begin, end, [&](const unsigned int n) {
              return is_owned[n];
            }))
          continue;
        for (auto node = begin; node != end; ++node)
          {
            if (new_nodes[*node] == none)
              add(*node);
            part.cell_nodes.push_back(new_nodes[*node]);
          }
        part.cell_body.push_back(all.cell_body[cell]);
        part.cell_is_owned.push_back(is_owned[*begin]);
      }
    part.n_nodes = old_nodes.size();
    for (const unsigned int node : old_nodes)
      part.reference_positions.push_back(all.reference_positions[node]);
    return {part, old_nodes};
  }



  template <int dim>
  void
  check_partitions(const bool simplex)
  {
    Model<dim> model(simplex, {"neo-Hookean", "Saint Venant-Kirchhoff"}, 4);
    const auto x    = model.deformed();
    const auto all  = model.table;
    const auto mass = model.internal_forces.lumped_mass();

    std::vector<double> energies(2);
    const auto forces = model.forces(x, &energies);

    // Two ranks that own nodes at random.
    std::vector<bool> is_owned(all.n_nodes);
    for (unsigned int n = 0; n < all.n_nodes; ++n)
      is_owned[n] = (model.random.below(3) == 0);

    std::vector<double> sum_of_energies(2);
    for (unsigned int rank = 0; rank < 2; ++rank, is_owned.flip())
      {
        const auto part = partition(all, is_owned);
        model.table     = part.first;
        model.reinit();

        std::vector<double> x_part;
        for (const unsigned int node : part.second)
          for (unsigned int c = 0; c < dim; ++c)
            x_part.push_back(x[dim * node + c]);

        const auto forces_part = model.forces(x_part, &sum_of_energies);
        for (unsigned int n = 0; n < model.table.n_owned_nodes; ++n)
          {
            EXPECT_EQ(model.internal_forces.lumped_mass()[n],
                      mass[part.second[n]]);
            for (unsigned int c = 0; c < dim; ++c)
              EXPECT_EQ(forces_part[dim * n + c],
                        forces[dim * part.second[n] + c]);
          }
      }
    expect_near(sum_of_energies, energies, 1e-13);
  }



  template <int dim>
  void
  check_renumbering(const bool simplex)
  {
    Model<dim> model(simplex, {"neo-Hookean", "Saint Venant-Kirchhoff"});
    const auto x      = model.deformed();
    const auto forces = model.forces(x);

    // Cells in another order, nodes under other numbers.
    const auto all = model.table;
    std::vector<unsigned int> cells(all.n_cells()), nodes(all.n_nodes);
    std::iota(cells.begin(), cells.end(), 0U);
    std::iota(nodes.begin(), nodes.end(), 0U);
    model.random.shuffle(cells);
    model.random.shuffle(nodes);

    auto new_x = x;
    std::vector<double> expected(x.size());
    for (unsigned int n = 0; n < all.n_nodes; ++n)
      {
        model.table.reference_positions[nodes[n]] = all.reference_positions[n];
        for (unsigned int c = 0; c < dim; ++c)
          {
            new_x[dim * nodes[n] + c]    = x[dim * n + c];
            expected[dim * nodes[n] + c] = forces[dim * n + c];
          }
      }
    for (unsigned int i = 0; i < all.n_cells(); ++i)
      {
        model.table.cell_body[i] = all.cell_body[cells[i]];
        for (unsigned int a = 0; a < all.nodes_per_cell; ++a)
          model.table.cell_nodes[i * all.nodes_per_cell + a] =
            nodes[all.cell_nodes[cells[i] * all.nodes_per_cell + a]];
      }
    model.reinit();
    expect_near(model.forces(new_x), expected, 1e-14);
  }
} // namespace



RICOCHET_TEST_ALL_CELLS(OrderOfForces, ThreadsDoNotMatterOn, check_threads)
RICOCHET_TEST_ALL_CELLS(OrderOfForces,
                        PartitionsDoNotMatterOn,
                        check_partitions)
RICOCHET_TEST_ALL_CELLS(OrderOfForces, NumbersDoNotMatterOn, check_renumbering)



RICOCHET_ALL_INSTRUCTION_SETS(OrderOfForces)
