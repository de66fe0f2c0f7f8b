// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/instruction_set.h>
#include <ricochet/body/internal_forces.h>

#include <deal.II/base/multithread_info.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>

#include "../material/make_material.h"
#include "make_cell_table.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  const std::vector<std::string> nonlinear_laws = {"neo-Hookean",
                                                   "Saint Venant-Kirchhoff"};



  /** A distorted mesh of a cube whose cells belong to two bodies at random. */
  template <int dim>
  struct Model
  {
    Model(const bool simplex,
          const std::vector<std::string> &laws,
          const unsigned int n_subdivisions = 3,
          const unsigned int seed           = 1)
      : generator(seed)
    {
      if (simplex)
        dealii::GridGenerator::subdivided_hyper_cube_with_simplices(
          mesh,
          n_subdivisions);
      else
        dealii::GridGenerator::subdivided_hyper_cube(mesh, n_subdivisions);

      const double size = (simplex ? 0.12 : 0.2) / n_subdivisions;
      dealii::GridTools::transform(
        [&](const Point<dim> &p) { return p + random_vector(size); },
        mesh);
      for (const auto &cell : mesh.active_cell_iterators())
        cell->set_material_id(generator() % laws.size());

      table = make_cell_table(mesh);
      for (const std::string &law : laws)
        materials.push_back(make_material<dim>(law));
      reinit();
    }



    void
    reinit()
    {
      std::vector<const Material<dim> *> pointers;
      for (const auto &material : materials)
        pointers.push_back(material.get());
      internal_forces.reinit(table, pointers);
    }



    Tensor<1, dim>
    random_vector(const double size)
    {
      std::uniform_real_distribution<double> distribution(-size, size);
      Tensor<1, dim> result;
      for (unsigned int c = 0; c < dim; ++c)
        result[c] = distribution(generator);
      return result;
    }



    /** Positions with a smooth large and a small random displacement. */
    std::vector<double>
    deformed(const double random_size = 0.02)
    {
      std::vector<double> x = positions_of(table);
      for (unsigned int n = 0; n < table.n_nodes; ++n)
        {
          const Point<dim> &X = table.reference_positions[n];
          const auto random   = random_vector(random_size);
          for (unsigned int c = 0; c < dim; ++c)
            x[dim * n + c] +=
              0.2 * std::sin(X[(c + 1) % dim] + 0.5 * X[c]) + random[c];
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



    std::mt19937 generator;
    dealii::Triangulation<dim> mesh;
    CellTable<dim> table;
    std::vector<std::unique_ptr<Material<dim>>> materials;
    InternalForces<dim> internal_forces;
  };



  double
  largest(const std::vector<double> &values)
  {
    double result = 0.;
    for (const double value : values)
      result = std::max(result, std::abs(value));
    return result;
  }



  void
  expect_near(const std::vector<double> &a,
              const std::vector<double> &b,
              const double tolerance)
  {
    ASSERT_EQ(a.size(), b.size());
    const double bound = tolerance * largest(b);
    for (unsigned int i = 0; i < a.size(); ++i)
      EXPECT_NEAR(a[i], b[i], bound) << "entry " << i;
  }



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

            Tensor<2, dim> P;
            Tensor<4, dim> A;
            material.tangent(F, P, A);
            std::array<double, dim * dim * 8> F_batch, P_batch;
            std::array<double, 8> W;
            for (unsigned int i = 0; i < dim * dim * 8; ++i)
              F_batch[i] = F[i / 8 / dim][i / 8 % dim];
            material.evaluate(8, F_batch.data(), P_batch.data(), W.data());

            energies[cell->material_id()] += W[0] * values.JxW(q);
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
      is_owned[n] = (model.generator() % 3 == 0);

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
    std::shuffle(cells.begin(), cells.end(), model.generator);
    std::shuffle(nodes.begin(), nodes.end(), model.generator);

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



  template <int dim>
  void
  check_compare(const bool simplex)
  {
    Model<dim> model(simplex, {"neo-Hookean", "small-strain linear"}, 4);
    const unsigned int n_nodes = model.table.n_nodes;
    const auto a               = model.deformed();

    std::vector<unsigned int> moved_nodes;
    for (unsigned int k = 0; k < 12; ++k)
      moved_nodes.push_back(model.generator() % n_nodes); // some perhaps twice

    auto b = a;
    for (const unsigned int node : moved_nodes)
      {
        const auto step = model.random_vector(0.01);
        for (unsigned int c = 0; c < dim; ++c)
          b[dim * node + c] = a[dim * node + c] + step[c];
      }
    std::vector<double> v;
    for (unsigned int n = 0; n < n_nodes; ++n)
      for (unsigned int c = 0; c < dim; ++c)
        v.push_back(std::cos(3. * n + c));

    const auto forces_a = model.forces(a), forces_b = model.forces(b);
    double power = 0., scale = 0.;
    const double energy = model.energy(b) - model.energy(a);
    for (unsigned int i = 0; i < v.size(); ++i)
      {
        power += v[i] * (forces_b[i] - forces_a[i]);
        scale += std::abs(v[i] * (forces_b[i] - forces_a[i]));
      }

    double energy_difference = 1., power_difference = 1.;
    model.internal_forces.compare(moved_nodes,
                                  a.data(),
                                  b.data(),
                                  v.data(),
                                  energy_difference,
                                  power_difference);
    EXPECT_NEAR(energy_difference, energy, 1e-13 * model.energy(a));
    EXPECT_NEAR(power_difference, power, 1e-12 * scale);
    EXPECT_GT(std::abs(energy), 1e-5 * model.energy(a));

    // Only this rank's own cells count.
    std::fill(model.table.cell_is_owned.begin(),
              model.table.cell_is_owned.end(),
              0);
    model.internal_forces.compare(moved_nodes,
                                  a.data(),
                                  b.data(),
                                  v.data(),
                                  energy_difference,
                                  power_difference);
    EXPECT_EQ(energy_difference, 0.);
    EXPECT_EQ(power_difference, 0.);
    EXPECT_EQ(model.energy(a), 0.);
  }



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
            (cell % 3 == 0 ? 1. : std::exp(3. * many.random_vector(1.)[c]));

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



  class Forces : public testing::TestWithParam<InstructionSet>
  {
  protected:
    void
    SetUp() override
    {
      setenv("RICOCHET_SIMD", name_of(GetParam()).c_str(), 1);
    }

    void
    TearDown() override
    {
      unsetenv("RICOCHET_SIMD");
    }
  };
} // namespace



#define TEST_ALL_CELLS(name, check) \
  TEST_P(Forces, name##Squares)     \
  {                                 \
    check<2>(false);                \
  }                                 \
  TEST_P(Forces, name##Triangles)   \
  {                                 \
    check<2>(true);                 \
  }                                 \
  TEST_P(Forces, name##Hexahedra)   \
  {                                 \
    check<3>(false);                \
  }                                 \
  TEST_P(Forces, name##Tetrahedra)  \
  {                                 \
    check<3>(true);                 \
  }

TEST_ALL_CELLS(AgreeWithFEValuesOn, check_against_fe_values)
TEST_ALL_CELLS(FollowRigidMotionsOn, check_rigid_motion)
TEST_ALL_CELLS(ConserveMomentumOn, check_momentum)
TEST_ALL_CELLS(AreTheGradientOfTheEnergyOn, check_energy_gradient)
TEST_ALL_CELLS(DoNotDependOnThreadsOn, check_threads)
TEST_ALL_CELLS(DoNotDependOnPartitionsOn, check_partitions)
TEST_ALL_CELLS(DoNotDependOnNumberingOn, check_renumbering)
TEST_ALL_CELLS(AreComparedLocallyOn, check_compare)



TEST_P(Forces, StableTimeStepIsThatOfTheDenseEigenvalueProblem)
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
TEST_P(Forces, StableTimeStepBoundsThatOfTheMesh)
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



TEST_P(Forces, InvertedCellsAreReportedWithBodyAndPlace)
{
  for (const bool simplex : {false, true})
    {
      Model<3> model(simplex, {"neo-Hookean", "Saint Venant-Kirchhoff"}, 4);
      auto x = model.deformed();

      // Pull one node through the opposite side of its cells.
      const unsigned int node =
        dealii::GridTools::find_closest_vertex(model.mesh,
                                               Point<3>(0.5, 0.5, 0.5));
      const auto good = x;
      x[3 * node] += 0.7;

      const auto expect_report = [&](const auto &function) {
        try
          {
            function();
            ADD_FAILURE() << "Nothing was reported.";
          }
        catch (const RunError &error)
          {
            const std::string message = error.what();
            EXPECT_NE(message.find("body"), std::string::npos) << message;
            EXPECT_NE(message.find("inverted"), std::string::npos) << message;
            EXPECT_NE(message.find("time step"), std::string::npos) << message;
          }
      };
      expect_report([&]() { model.forces(x); });
      expect_report(
        [&]() { model.internal_forces.stable_time_step(x.data()); });
      double energy, power;
      expect_report([&]() {
        model.internal_forces
          .compare({node}, good.data(), x.data(), x.data(), energy, power);
      });
      expect_report([&]() {
        model.internal_forces
          .compare({node}, x.data(), good.data(), x.data(), energy, power);
      });

      // Nothing is left behind from the failures.
      EXPECT_NO_THROW(model.forces(good));
    }
}



TEST_P(Forces, TheReportNamesBodyAndCentreOfTheFirstBadCell)
{
  Model<2> model(false, {"neo-Hookean", "neo-Hookean"}, 6);
  auto x = positions_of(model.table);

  // Nodes at the same place: cells 17 and later ones have no area any more.
  // Body 1 comes after body 0 in the batches.
  const auto cell_nodes = model.table.cell_nodes.begin() + 4 * 17;
  for (unsigned int cell = 0; cell < model.table.n_cells(); ++cell)
    model.table.cell_body[cell] = (cell <= 17 ? 1 : 0);
  model.reinit();
  std::array<double, 2> center{};
  for (unsigned int cell = 17; cell < model.table.n_cells(); ++cell)
    {
      // Cells of the lower rows of the mesh share no node of the upper side of
      // cell 17, which has to collapse alone among the cells up to 17.
      const auto nodes = model.table.cell_nodes.begin() + 4 * cell;
      for (unsigned int c = 0; c < 2; ++c)
        x[2 * nodes[3] + c] = x[2 * cell_nodes[0] + c];
    }
  for (unsigned int a = 0; a < 4; ++a)
    for (unsigned int c = 0; c < 2; ++c)
      center[c] += 0.25 * x[2 * cell_nodes[a] + c];

  std::ostringstream expected;
  expected.precision(6);
  expected << "body 1 centred at (" << center[0] << ", " << center[1] << ")";
  try
    {
      model.forces(x);
      ADD_FAILURE() << "Nothing was reported.";
    }
  catch (const RunError &error)
    {
      EXPECT_NE(std::string(error.what()).find(expected.str()),
                std::string::npos)
        << error.what() << " / " << expected.str();
    }
}



TEST_P(Forces, ValuesThatAreNotFiniteAreReported)
{
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(),
                           1e200})
    for (const std::string law : {"neo-Hookean", "Saint Venant-Kirchhoff"})
      for (const bool simplex : {false, true})
        {
          Model<3> model(simplex, {law});
          auto x = model.deformed();
          x[11]  = bad;
          EXPECT_THROW(model.forces(x), RunError) << bad;
        }
}



TEST_P(Forces, MeshesWithInvertedReferenceCellsAreRefused)
{
  for (const bool simplex : {false, true})
    {
      Model<2> model(simplex, {"neo-Hookean"});
      unsigned int *nodes = model.table.cell_nodes.data();
      std::swap(nodes[0], nodes[1]);
      if (!simplex)
        std::swap(nodes[2], nodes[3]);
      try
        {
          model.reinit();
          ADD_FAILURE() << "Nothing was reported.";
        }
      catch (const UserError &error)
        {
          const std::string message = error.what();
          EXPECT_NE(message.find("body 0"), std::string::npos) << message;
          EXPECT_NE(message.find("vertices"), std::string::npos) << message;
        }
    }
}



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

    void
    tangent(const Tensor<2, 3> &F,
            Tensor<2, 3> &P,
            Tensor<4, 3> &A) const override
    {
      A = 0.;
      for (unsigned int i = 0; i < 3; ++i)
        for (unsigned int j = 0; j < 3; ++j)
          {
            A[i][j][i][j] = (i + j == 0 ? 5. : 1.);
            P[i][j]       = A[i][j][i][j] * (F[i][j] - (i == j ? 1. : 0.));
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



INSTANTIATE_TEST_SUITE_P(InstructionSets,
                         Forces,
                         testing::ValuesIn(available_instruction_sets()),
                         [](const auto &info) { return name_of(info.param); });



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
