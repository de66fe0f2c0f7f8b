// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/rotation.h>
#include <ricochet/body/forest.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace Ricochet;
using dealii::Point;
using dealii::Triangulation;
using dealii::types::global_dof_index;

namespace
{
  template <int dim>
  using Bodies = std::vector<std::pair<unsigned int, CoarseMesh<dim>>>;

  template <int dim>
  std::unique_ptr<Forest<dim>>
  make_forest(const MPI_Comm communicator, const Bodies<dim> &bodies)
  {
    std::vector<typename Forest<dim>::Tree> trees;
    for (const auto &body : bodies)
      trees.emplace_back(body.first, &body.second);
    return std::make_unique<Forest<dim>>(communicator, trees);
  }



  template <int dim>
  CoarseMesh<dim>
  simplices(const Triangulation<dim> &hypercubes)
  {
    Triangulation<dim> flat, converted;
    dealii::GridGenerator::flatten_triangulation(hypercubes, flat);
    dealii::GridGenerator::convert_hypercube_to_simplex_mesh(flat, converted);
    CoarseMesh<dim> mesh(converted);
    mesh.orient_simplices();
    return mesh;
  }



  /** A cube of n^dim cells next to another one that touches it, and a ball. */
  template <int dim>
  Bodies<dim>
  touching_bodies(const unsigned int n, const bool simplex)
  {
    const auto mesh = [&](const Triangulation<dim> &triangulation) {
      return simplex ? simplices(triangulation)
                     : CoarseMesh<dim>(triangulation);
    };
    Point<dim> right, top;
    Triangulation<dim> left_cube, right_cube, ball;
    dealii::GridGenerator::subdivided_hyper_cube(left_cube, n, 0, 1, true);
    for (unsigned int d = 0; d < dim; ++d)
      top[d] = 1;
    right[0] = 1;
    top[0]   = 2;
    dealii::GridGenerator::subdivided_hyper_rectangle(
      right_cube,
      std::vector<unsigned int>(dim, n),
      right,
      top,
      true);
    dealii::GridGenerator::hyper_ball(ball);
    ball.refine_global(1);

    Bodies<dim> bodies = {{7, mesh(left_cube)},
                          {2, mesh(right_cube)},
                          {4, mesh(ball)}};
    RotationVector<dim> rotation;
    rotation[0] = 0.3;
    bodies[2].second.transform(rotation_matrix<dim>(rotation), 5 * right);
    return bodies;
  }



  /** Of the bodies above, one cube is to be cut once, the other twice. */
  template <int dim>
  Bodies<dim>
  bodies_with_cuts(const unsigned int n)
  {
    auto bodies = touching_bodies<dim>(n, false);
    for (const unsigned int b : {0, 1})
      bodies[b].second.refinements = b + 1;
    return bodies;
  }



  template <int dim>
  Bodies<dim>
  single_cell(const bool simplex)
  {
    Triangulation<dim> triangulation;
    if (simplex)
      dealii::GridGenerator::reference_cell(
        triangulation,
        dealii::ReferenceCells::get_simplex<dim>());
    else
      dealii::GridGenerator::hyper_cube(triangulation);
    return {{0, CoarseMesh<dim>(triangulation)}};
  }



  /** Run a check for both dimensions and cell types. */
  template <typename Check>
  void
  for_all_forests(const Check &check)
  {
    for (const bool simplex : {false, true})
      {
        SCOPED_TRACE(simplex ? "simplices" : "hypercubes");
        check(touching_bodies<2>(4, simplex));
        check(touching_bodies<3>(simplex ? 2 : 4, simplex));
        check(single_cell<2>(simplex));
        check(single_cell<3>(simplex));
      }
    SCOPED_TRACE("cuts");
    check(bodies_with_cuts<2>(3));
    check(bodies_with_cuts<3>(1));
  }



  /** The cells at each owned node, as global nodes, in the order of the table.
   */
  template <int dim>
  std::map<global_dof_index, std::vector<global_dof_index>>
  cells_at_nodes(const Forest<dim> &forest)
  {
    std::map<global_dof_index, std::vector<global_dof_index>> result;
    const CellTable<dim> &cells = forest.get_cells();
    for (unsigned int c = 0; c < cells.n_cells(); ++c)
      {
        std::vector<global_dof_index> nodes;
        for (unsigned int v = 0; v < cells.nodes_per_cell; ++v)
          nodes.push_back(
            forest.global_node(cells.cell_nodes[c * cells.nodes_per_cell + v]));
        for (unsigned int v = 0; v < cells.nodes_per_cell; ++v)
          if (cells.cell_nodes[c * cells.nodes_per_cell + v] <
              cells.n_owned_nodes)
            {
              auto &list = result[nodes[v]];
              list.insert(list.end(), nodes.begin(), nodes.end());
              list.push_back(cells.cell_body[c]);
            }
      }
    return result;
  }



  /** Sum of an unsigned number over all ranks. */
  unsigned int
  total(const unsigned int number)
  {
    return dealii::Utilities::MPI::sum(number, MPI_COMM_WORLD);
  }
} // namespace



namespace
{
  template <int dim>
  Point<dim>
  centre_of(const CoarseMesh<dim> &mesh,
            const std::vector<unsigned int> &cell_vertices)
  {
    Point<dim> centre;
    for (const unsigned int v : cell_vertices)
      centre += dealii::Tensor<1, dim>(mesh.vertices[v]) /
                static_cast<double>(cell_vertices.size());
    return centre;
  }



  /** Every cell of the forest is where a cell of its body is. */
  template <int dim>
  void
  check_bodies_of_cells(const Bodies<dim> &bodies)
  {
    const auto forest  = make_forest(MPI_COMM_WORLD, bodies);
    Bodies<dim> meshes = bodies;
    for (auto &body : meshes)
      body.second = body.second.refined();
    for (const auto &cell : forest->get_dof_handler().active_cell_iterators())
      {
        if (cell->is_artificial())
          continue;
        Point<dim> centre;
        for (const unsigned int v : cell->vertex_indices())
          centre += dealii::Tensor<1, dim>(cell->vertex(v)) /
                    static_cast<double>(cell->n_vertices());
        bool found = false;
        for (const auto &[number, mesh] : meshes)
          for (const auto &data : mesh.cells)
            if (centre_of(mesh, data.vertices).distance(centre) < 1e-12)
              {
                found = true;
                EXPECT_EQ(forest->body_of_cell(cell), number);
              }
        EXPECT_TRUE(found);
      }
  }
} // namespace



TEST(Forest, CellsBelongToTheirBodies)
{
  for_all_forests([](const auto &bodies) { check_bodies_of_cells(bodies); });

  // Many cells after few, and the other way: p4est has an order of its own.
  Triangulation<3> box, ball;
  dealii::GridGenerator::subdivided_hyper_rectangle(box,
                                                    {8u, 8u, 1u},
                                                    Point<3>(-2, -2, -2),
                                                    Point<3>(2, 2, -1.5),
                                                    true);
  dealii::GridGenerator::hyper_ball(ball);
  ball.refine_global(2);
  check_bodies_of_cells<3>({{0, CoarseMesh<3>(ball)}, {1, CoarseMesh<3>(box)}});
  check_bodies_of_cells<3>({{0, CoarseMesh<3>(box)}, {1, CoarseMesh<3>(ball)}});
}


namespace
{
  /** Body, material, places of the nodes and boundary ids of all cells,
   * rounded, in the order of their centres. */
  template <int dim>
  std::map<std::vector<long int>, std::vector<long int>>
  description(const Forest<dim> &forest)
  {
    const auto append = [](const Point<dim> &point, auto &numbers) {
      for (unsigned int d = 0; d < dim; ++d)
        numbers.push_back(std::lround(1e9 * point[d]));
    };
    std::map<std::vector<long int>, std::vector<long int>> result;
    for (const auto &cell : forest.get_dof_handler().active_cell_iterators())
      {
        const unsigned int body   = forest.body_of_cell(cell);
        std::vector<long int> key = {body}, numbers = {cell->material_id()};
        append(cell->center(), key);
        std::vector<std::vector<long int>> parts;
        for (const unsigned int v : cell->vertex_indices())
          append(cell->vertex(v), parts.emplace_back());
        for (const auto &face : cell->face_iterators())
          if (face->at_boundary())
            {
              parts.push_back({face->boundary_id()});
              append(face->center(), parts.back());
            }
        // The directions of a cell are those of its parent.
        std::sort(parts.begin(), parts.end());
        for (const auto &part : parts)
          numbers.insert(numbers.end(), part.begin(), part.end());
        EXPECT_TRUE(result.emplace(key, numbers).second);
      }
    return result;
  }



  template <int dim>
  void
  check_cuts(const Bodies<dim> &bodies)
  {
    Bodies<dim> cut = bodies;
    for (auto &body : cut)
      body.second = body.second.refined();
    const auto here   = make_forest(MPI_COMM_SELF, bodies),
               before = make_forest(MPI_COMM_SELF, cut);
    EXPECT_GT(here->get_triangulation().n_global_levels(), 2u);
    EXPECT_EQ(before->get_triangulation().n_global_levels(), 1u);
    EXPECT_EQ(here->n_global_nodes(), before->n_global_nodes());
    EXPECT_TRUE(here->get_hanging_nodes().empty());
    EXPECT_EQ(description(*here), description(*before));
  }
} // namespace



// Cells that the forest cuts are those that come cut into it.
TEST(Forest, CutsCells)
{
  check_cuts(bodies_with_cuts<2>(3));
  check_cuts(bodies_with_cuts<3>(2));

  // After these cuts, further ones where they are wanted: as before.
  auto bodies = bodies_with_cuts<3>(1);
  Bodies<3> cut;
  for (const auto &body : bodies)
    cut.emplace_back(body.first, body.second.refined());
  const auto levels = [](const unsigned int body, const Point<3> &x) {
    return body == 7 && x[0] < 0.4 ? 2U : body == 2 && x[1] < 0.5 ? 1U : 0U;
  };
  std::vector<std::map<std::vector<long int>, std::vector<long int>>> found;
  for (const Bodies<3> &all : {bodies, cut})
    {
      std::vector<Forest<3>::Tree> trees;
      for (const auto &body : all)
        trees.emplace_back(body.first, &body.second);
      const Forest<3> forest(MPI_COMM_SELF, trees, levels);
      EXPECT_FALSE(forest.get_hanging_nodes().empty());
      found.push_back(description(forest));
    }
  EXPECT_EQ(found[0], found[1]);
}



namespace
{
  /** One rank, without p4est and, since cells might be cut in different ways,
   * with it. */
  template <int dim>
  void
  check_with_p4est(const Bodies<dim> &bodies)
  {
    using P4est = dealii::parallel::distributed::Triangulation<dim>;
    std::vector<typename Forest<dim>::Tree> trees;
    for (const auto &body : bodies)
      trees.emplace_back(body.first, &body.second);
    const Forest<dim> with(MPI_COMM_SELF,
                           trees,
                           [](const unsigned int, const Point<dim> &) {
                             return 0U;
                           }),
      without(MPI_COMM_SELF, trees);
    EXPECT_NE(dynamic_cast<const P4est *>(&with.get_triangulation()), nullptr);
    EXPECT_EQ(dynamic_cast<const P4est *>(&without.get_triangulation()),
              nullptr);

    EXPECT_EQ(with.get_cells().cell_nodes, without.get_cells().cell_nodes);
    EXPECT_EQ(with.get_cells().cell_body, without.get_cells().cell_body);
    EXPECT_EQ(with.get_cells().reference_positions,
              without.get_cells().reference_positions);
    EXPECT_EQ(with.get_node_bodies(), without.get_node_bodies());
    EXPECT_EQ(with.get_node_regions(), without.get_node_regions());
    EXPECT_EQ(description(with), description(without));
    for (const auto &body : bodies)
      EXPECT_EQ(
        with.nodes_on_boundary(body.first, with.get_boundary_ids(body.first)),
        without.nodes_on_boundary(body.first,
                                  without.get_boundary_ids(body.first)));
  }
} // namespace



TEST(Forest, IsTheSameWithP4estAndWithout)
{
  check_with_p4est(bodies_with_cuts<2>(6));
  check_with_p4est(bodies_with_cuts<3>(2));

  // Cells that do not deform, on another level than their neighbors to be.
  Bodies<3> with_region                 = single_cell<3>(false);
  with_region[0].second.refinements     = 3;
  with_region[0].second.n_rigid_regions = 1;
  for (auto &body : touching_bodies<3>(3, false))
    with_region.emplace_back(body.first, body.second);
  with_region[0].second.cells[0].material_id = CoarseMesh<3>::rigid_cell;
  check_with_p4est(with_region);
}



// Without cuts, cells are sorted along a Hilbert curve, which in a cube of 2^m
// cells along each edge goes from neighbor to neighbor.
TEST(Forest, SortsCellsThatAreNotCut)
{
  constexpr unsigned int n = 8;
  Triangulation<3> cube;
  dealii::GridGenerator::subdivided_hyper_cube(cube, n);
  const CoarseMesh<3> mesh(cube);
  const auto forest = make_forest<3>(MPI_COMM_SELF, {{5, mesh}});
  EXPECT_EQ(
    dynamic_cast<const dealii::parallel::distributed::Triangulation<3> *>(
      &forest->get_triangulation()),
    nullptr);
  std::vector<Point<3>> centres;
  for (const auto &[id, cell] : forest->cells_of_table())
    centres.push_back(cell->center());
  EXPECT_EQ(centres.size(), n * n * n);
  for (unsigned int k = 1; k < centres.size(); ++k)
    EXPECT_NEAR(centres[k].distance(centres[k - 1]), 1. / n, 1e-12);

  // Bodies follow each other.
  CoarseMesh<3> beside = mesh;
  beside.transform(dealii::unit_symmetric_tensor<3>(), Point<3>(0.5, 1.5, 0.));
  unsigned int last = 0;
  const auto both   = make_forest<3>(MPI_COMM_SELF, {{5, mesh}, {3, beside}});
  for (const auto &[id, cell] : both->cells_of_table())
    {
      EXPECT_GE(both->body_of_cell(cell), last);
      last = both->body_of_cell(cell);
    }
  EXPECT_EQ(last, 5u);
}



TEST(Forest, NumberingDoesNotDependOnTheNumberOfRanks)
{
  for_all_forests([](const auto &bodies) {
    const auto forest = make_forest(MPI_COMM_WORLD, bodies);
    const auto serial = make_forest(MPI_COMM_SELF, bodies);
    const auto &cells = forest->get_cells();
    EXPECT_EQ(forest->n_global_nodes(), serial->n_global_nodes());
    EXPECT_EQ(total(cells.n_owned_nodes), serial->n_global_nodes());
    EXPECT_EQ(serial->get_cells().n_nodes, serial->n_global_nodes());
    for (unsigned int n = 0; n < cells.n_nodes; ++n)
      {
        const auto global = forest->global_node(n);
        EXPECT_EQ(serial->global_node(global), global);
        EXPECT_EQ(cells.reference_positions[n],
                  serial->get_cells().reference_positions[global]);
        EXPECT_EQ(forest->get_node_bodies()[n],
                  serial->get_node_bodies()[global]);
      }
  });
}



TEST(Forest, CellsAtOwnedNodesAreCompleteAndInOneOrder)
{
  for_all_forests([](const auto &bodies) {
    const auto forest   = make_forest(MPI_COMM_WORLD, bodies);
    const auto serial   = make_forest(MPI_COMM_SELF, bodies);
    const auto expected = cells_at_nodes(*serial);
    const auto found    = cells_at_nodes(*forest);
    EXPECT_EQ(found.size(), forest->get_cells().n_owned_nodes);
    for (const auto &node : found)
      EXPECT_EQ(node.second, expected.at(node.first));

    unsigned int n_owned = 0;
    for (const char is_owned : forest->get_cells().cell_is_owned)
      n_owned += is_owned;
    EXPECT_EQ(total(n_owned), forest->n_global_cells());
    EXPECT_EQ(serial->get_cells().n_cells(), forest->n_global_cells());
  });
}



TEST(Forest, CellsOfRanksFollowEachOtherInTheOrderOfTheirIds)
{
  const auto expect_sequence = [](const auto &forest) {
    std::vector<std::string> ids;
    for (const auto &[id, cell] : forest.cells_of_table())
      if (cell->is_locally_owned())
        ids.push_back(id.to_string());
    std::vector<dealii::CellId> sequence;
    for (const auto &of_rank :
         dealii::Utilities::MPI::all_gather(MPI_COMM_WORLD, ids))
      for (const std::string &id : of_rank)
        sequence.emplace_back(id);
    EXPECT_EQ(sequence.size(), forest.n_global_cells());
    EXPECT_TRUE(std::is_sorted(sequence.begin(), sequence.end()));
  };
  for_all_forests([&](const auto &bodies) {
    expect_sequence(*make_forest(MPI_COMM_WORLD, bodies));
  });

  // Cells of several levels.
  const auto bodies = touching_bodies<3>(2, false);
  std::vector<Forest<3>::Tree> trees;
  for (const auto &body : bodies)
    trees.emplace_back(body.first, &body.second);
  const Forest<3> forest(MPI_COMM_WORLD,
                         trees,
                         [](const unsigned int, const Point<3> &x) {
                           return x.norm() < 0.7 ? 3U : 0U;
                         });
  EXPECT_GT(forest.get_triangulation().n_global_levels(), 2U);
  expect_sequence(forest);
}



TEST(Forest, DegreesOfFreedomAreNodesTimesComponents)
{
  for_all_forests([](const auto &bodies) {
    const auto forest = make_forest(MPI_COMM_WORLD, bodies);
    const auto &cells = forest->get_cells();
    constexpr int dim =
      std::decay_t<decltype(cells.reference_positions[0])>::dimension;

    // Where the library thinks that the degrees of freedom are.
    std::map<global_dof_index, Point<dim>> points;
    dealii::DoFTools::map_dofs_to_support_points(forest->get_mapping(),
                                                 forest->get_dof_handler(),
                                                 points);
    EXPECT_EQ(points.size(), dim * cells.n_nodes);
    for (unsigned int n = 0; n < cells.n_nodes; ++n)
      for (unsigned int c = 0; c < dim; ++c)
        EXPECT_LT(points.at(dim * forest->global_node(n) + c)
                    .distance(cells.reference_positions[n]),
                  1e-15);

    // Exchange positions as a distributed vector, and which component is which
    // by interpolating (x, y[, z]) with the elements themselves.
    dealii::LinearAlgebra::distributed::Vector<double> positions(
      forest->get_partitioner());
    for (unsigned int n = 0; n < cells.n_owned_nodes; ++n)
      for (unsigned int c = 0; c < dim; ++c)
        positions.local_element(dim * n + c) = cells.reference_positions[n][c];
    positions.update_ghost_values();
    for (unsigned int n = 0; n < cells.n_nodes; ++n)
      for (unsigned int c = 0; c < dim; ++c)
        EXPECT_EQ(positions.local_element(dim * n + c),
                  cells.reference_positions[n][c]);

    const dealii::Quadrature<dim> centre(forest->get_dof_handler()
                                           .get_fe()
                                           .reference_cell()
                                           .template barycenter<dim>());
    dealii::FEValues<dim> values(forest->get_mapping(),
                                 forest->get_dof_handler().get_fe(),
                                 centre,
                                 dealii::update_values |
                                   dealii::update_quadrature_points);
    std::vector<dealii::Vector<double>> found(1, dealii::Vector<double>(dim));
    for (const auto &cell : forest->get_dof_handler().active_cell_iterators())
      if (cell->is_locally_owned())
        {
          values.reinit(cell);
          values.get_function_values(positions, found);
          for (unsigned int c = 0; c < dim; ++c)
            EXPECT_NEAR(found[0][c], values.quadrature_point(0)[c], 1e-14);
        }
  });
}



TEST(Forest, BodiesKeepToThemselves)
{
  // Two cubes share a side of the domain, but no vertex.
  const auto cubes = make_forest(MPI_COMM_WORLD, touching_bodies<3>(4, false));
  Triangulation<3> ball;
  dealii::GridGenerator::hyper_ball(ball);
  ball.refine_global(1);
  EXPECT_EQ(cubes->n_global_nodes(), 2u * 125 + ball.n_used_vertices());
  EXPECT_EQ(cubes->get_bodies(), (std::vector<unsigned int>{2, 4, 7}));

  for_all_forests([](const auto &bodies) {
    const auto forest = make_forest(MPI_COMM_WORLD, bodies);
    const auto &cells = forest->get_cells();
    for (unsigned int i = 0; i < cells.cell_nodes.size(); ++i)
      EXPECT_EQ(forest->get_node_bodies()[cells.cell_nodes[i]],
                cells.cell_body[i / cells.nodes_per_cell]);

    // The cells of each body, counted by their owners.
    for (const auto &body : bodies)
      {
        unsigned int n = 0;
        for (const auto &cell :
             forest->get_triangulation().active_cell_iterators())
          if (cell->is_locally_owned())
            n += forest->body_of_cell(cell) == body.first;
        EXPECT_EQ(total(n), body.second.refined().cells.size());
      }
  });
}



TEST(Forest, FindsAllNodesOnBoundaries)
{
  for_all_forests([](const auto &bodies) {
    const auto forest = make_forest(MPI_COMM_WORLD, bodies);
    for (const auto &body : bodies)
      {
        const auto mesh = body.second.refined();
        EXPECT_EQ(forest->get_boundary_ids(body.first), mesh.boundary_ids());
        for (const auto id : mesh.boundary_ids())
          {
            // Straight from the mesh of the body.
            std::set<unsigned int> vertices;
            const auto collect = [&](const auto &faces) {
              for (const auto &face : faces)
                if (face.boundary_id == id)
                  vertices.insert(face.vertices.begin(), face.vertices.end());
            };
            collect(mesh.subcell_data.boundary_lines);
            collect(mesh.subcell_data.boundary_quads);

            unsigned int n_owned = 0;
            for (const unsigned int node :
                 forest->nodes_on_boundary(body.first, {id}))
              {
                n_owned += node < forest->get_cells().n_owned_nodes;
                EXPECT_EQ(forest->get_node_bodies()[node], body.first);
              }
            EXPECT_EQ(total(n_owned), vertices.size());
          }
      }
  });

  // The side x = 1 of the left cube, by position.
  const auto forest = make_forest(MPI_COMM_WORLD, touching_bodies<3>(4, false));
  for (const unsigned int node : forest->nodes_on_boundary(7, {1}))
    EXPECT_EQ(forest->get_cells().reference_positions[node][0], 1.);
}



TEST(Forest, TakesSerialTriangulations)
{
  Triangulation<3> cube;
  dealii::GridGenerator::hyper_cube(cube);
  cube.refine_global(2);
  const Forest<3> forest(MPI_COMM_WORLD, {{0, &cube}, {1, &cube}});
  EXPECT_EQ(forest.n_global_nodes(), 2u * 125);
  EXPECT_EQ(forest.n_global_cells(), 2u * 64);
}



TEST(Forest, CellsArePositivelyOriented)
{
  for_all_forests([](const auto &bodies) {
    const auto forest = make_forest(MPI_COMM_WORLD, bodies);
    const auto &cells = forest->get_cells();
    constexpr int dim =
      std::decay_t<decltype(cells.reference_positions[0])>::dimension;
    for (unsigned int c = 0; c < cells.n_cells(); ++c)
      {
        const unsigned int *nodes =
          cells.cell_nodes.data() + c * cells.nodes_per_cell;
        dealii::Tensor<2, dim> jacobian;
        for (unsigned int d = 0; d < dim; ++d)
          for (unsigned int i = 0; i < dim; ++i)
            jacobian[i][d] =
              cells
                .reference_positions[nodes[cells.simplex ? d + 1 : 1 << d]][i] -
              cells.reference_positions[nodes[0]][i];
        EXPECT_GT(determinant(jacobian), 0);
      }
  });
}
