// SPDX-License-Identifier: LGPL-2.1-or-later

// The contact surface of bodies with hanging nodes: closed, of the right
// volume, without needles, and the same on any number of ranks. And that of
// elements of degree 2.

#include <ricochet/surface/extraction.h>

#include <deal.II/base/mpi.h>
#include <deal.II/grid/grid_generator.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "../body/refined_bodies.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** A forest with its surface. */
  template <int dim>
  struct Refined
  {
    Refined(const MPI_Comm communicator, const unsigned int n)
      : Refined(communicator, make_refined_cubes<dim>(communicator, n))
    {}

    Refined(const MPI_Comm communicator, std::unique_ptr<Forest<dim>> bodies)
      : forest(std::move(bodies))
    {
      SurfaceSource<dim> source;
      source.dof_handler   = &forest->get_dof_handler();
      source.hanging_nodes = &forest->get_hanging_nodes().get_constraints();
      source.body          = [this](const auto &cell) {
        return forest->body_of_cell(cell);
      };
      extract_surface({source}, communicator, surface, nodes);
    }

    /** Positions of the vertices from those of the nodes. */
    std::vector<Point<dim>>
    vertices(const std::vector<Point<dim>> &node_positions) const
    {
      std::vector<Point<dim>> result(surface.n_vertices());
      for (unsigned int v = 0; v < result.size(); ++v)
        for (unsigned int k = surface.node_begin[v];
             k < surface.node_begin[v + 1];
             ++k)
          result[v] += surface.node_weights[k] *
                       Tensor<1, dim>(node_positions[surface.vertex_nodes[k]]);
      return result;
    }

    std::unique_ptr<Forest<dim>> forest;
    Surface<dim> surface;
    SurfaceNodes<dim> nodes;
  };



  /** Volumes of the bodies by the divergence theorem, and the sums of their
   * facets' normals. */
  template <int dim>
  std::vector<double>
  volumes(const Surface<dim> &surface,
          const std::vector<Point<dim>> &x,
          std::vector<Tensor<1, dim>> &normals)
  {
    std::vector<double> result(surface.n_bodies);
    normals.assign(surface.n_bodies, Tensor<1, dim>());
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      {
        const auto &v = surface.facets[f];
        Tensor<1, dim> normal;
        if constexpr (dim == 3)
          normal = 0.5 * cross_product_3d(x[v[1]] - x[v[0]], x[v[2]] - x[v[0]]);
        else
          normal = -cross_product_2d(x[v[0]] - x[v[1]]);
        normals[surface.facet_body[f]] += normal;
        result[surface.facet_body[f]] += normal * Tensor<1, dim>(x[v[0]]) / dim;
      }
    return result;
  }



  template <int dim>
  void
  check_closed(const unsigned int n)
  {
    const Refined<dim> refined(MPI_COMM_WORLD, n);
    const Surface<dim> &surface = refined.surface;

    // There is something to see: hanging vertices in 3D, both cubes.
    EXPECT_FALSE(refined.forest->get_hanging_nodes().empty());
    EXPECT_EQ(surface.vertices_are_nodes, dim == 2);
    EXPECT_EQ(surface.n_bodies, 2u);

    for (const auto &facets : surface.edge_facets) // none in 2D
      EXPECT_NE(facets[1], Surface<dim>::none);
    // Every facet's sides in the other direction belong to another facet.
    std::map<unsigned int, int> balance;
    for (const auto &facet : surface.facets)
      if (dim == 2)
        {
          ++balance[facet[0]];
          --balance[facet[1]];
        }
    for (const auto &entry : balance)
      EXPECT_EQ(entry.second, 0);

    // Euler's formula for two spheres.
    if (dim == 3)
      {
        EXPECT_EQ(int(surface.n_vertices()) - int(surface.n_edges()) +
                    int(surface.n_facets()),
                  4);
      }

    for (unsigned int v = 0; v < surface.n_vertices(); ++v)
      {
        double sum = 0.;
        std::set<unsigned int> distinct;
        for (unsigned int k = surface.node_begin[v];
             k < surface.node_begin[v + 1];
             ++k)
          {
            EXPECT_GT(surface.node_weights[k], 0.);
            sum += surface.node_weights[k];
            EXPECT_TRUE(distinct.insert(surface.vertex_nodes[k]).second);
          }
        EXPECT_NEAR(sum, 1., 1e-15);
      }

    // Undeformed, and in an affine motion with det F = 1.3 * 0.8.
    std::vector<Tensor<1, dim>> normals;
    const auto x = refined.vertices(refined.nodes.positions);
    for (const double volume : volumes(surface, x, normals))
      EXPECT_NEAR(volume, 1., 1e-14);
    for (const auto &normal : normals)
      EXPECT_LT(normal.norm(), 1e-14);
    auto moved = refined.nodes.positions;
    for (auto &p : moved)
      {
        p[0] = 1.3 * p[0] + 0.2 * p[1] + 0.1;
        p[1] *= 0.8;
      }
    for (const double volume :
         volumes(surface, refined.vertices(moved), normals))
      EXPECT_NEAR(volume, 1.04, 1e-14);

    // Closed in any motion, since hanging vertices stay on the coarse edges.
    for (auto &p : moved)
      for (unsigned int d = 0; d < dim; ++d)
        p[d] += 0.1 * std::sin(40. * p[(d + 1) % dim] + 7. * p[d]);
    volumes(surface, refined.vertices(moved), normals);
    for (const auto &normal : normals)
      EXPECT_LT(normal.norm(), 1e-13);
  }



  TEST(RefinedSurface, IsClosed2D)
  {
    check_closed<2>(4);
  }

  TEST(RefinedSurface, IsClosed3D)
  {
    check_closed<3>(2);
    check_closed<3>(3);
  }



  /** Squares and rectangles, whatever the hanging nodes at their sides, give
   * triangles with angles of at least 45 degrees and those of the diagonal. */
  TEST(RefinedSurface, HasNoNeedles)
  {
    const Refined<3> refined(MPI_COMM_WORLD, 3);
    const auto x        = refined.vertices(refined.nodes.positions);
    double smallest     = 1e300;
    unsigned int in_fan = 0;
    for (const auto &facet : refined.surface.facets)
      for (unsigned int i = 0; i < 3; ++i)
        {
          const Tensor<1, 3> a = x[facet[(i + 1) % 3]] - x[facet[i]];
          const Tensor<1, 3> b = x[facet[(i + 2) % 3]] - x[facet[i]];
          smallest =
            std::min(smallest, std::acos(a * b / (a.norm() * b.norm())));
          const unsigned int v = facet[i];
          in_fan +=
            refined.surface.node_begin[v + 1] - refined.surface.node_begin[v] ==
            4;
        }
    EXPECT_GT(in_fan, 0u);
    EXPECT_GT(smallest, dealii::numbers::PI / 4 - 1e-10);
  }



  template <int dim>
  void
  check_ranks()
  {
    const Refined<dim> all(MPI_COMM_WORLD, 3), one(MPI_COMM_SELF, 3);
    EXPECT_EQ(all.surface.facets, one.surface.facets);
    EXPECT_EQ(all.surface.facet_body, one.surface.facet_body);
    EXPECT_EQ(all.surface.edges, one.surface.edges);
    EXPECT_EQ(all.surface.node_begin, one.surface.node_begin);
    EXPECT_EQ(all.surface.vertex_nodes, one.surface.vertex_nodes);
    EXPECT_EQ(all.surface.node_weights, one.surface.node_weights);
    EXPECT_EQ(all.surface.vertex_length, one.surface.vertex_length);
    EXPECT_EQ(all.nodes.positions, one.nodes.positions);
    ASSERT_EQ(all.nodes.nodes.size(), one.nodes.nodes.size());
    std::vector<unsigned int> owners(all.nodes.nodes.size(), 0);
    for (unsigned int n = 0; n < owners.size(); ++n)
      EXPECT_EQ(all.nodes.nodes[n].dofs, one.nodes.nodes[n].dofs);
    for (const auto &of_rank : all.nodes.nodes_of_rank)
      for (const unsigned int n : of_rank)
        ++owners[n];
    EXPECT_EQ(owners, std::vector<unsigned int>(owners.size(), 1));
  }

  TEST(RefinedSurface, IsTheSameOnAnyNumberOfRanks)
  {
    check_ranks<2>();
    check_ranks<3>();
  }



  /** A unit cube of 2^dim elements of degree 2: all nodes on its boundary,
   * which are a grid of spacing 1/4, are vertices of facets between neighbors.
   */
  template <int dim>
  void
  check_quadratic()
  {
    dealii::Triangulation<dim> cube;
    dealii::GridGenerator::subdivided_hyper_cube(cube, 2);
    const CoarseMesh<dim> mesh(cube);
    const std::vector<typename Forest<dim>::Tree> trees = {{0, &mesh}};
    const typename Forest<dim>::Levels none;
    const Refined<dim> body(
      MPI_COMM_WORLD,
      std::make_unique<Forest<dim>>(MPI_COMM_WORLD, trees, none, 2));
    const Surface<dim> &surface = body.surface;

    EXPECT_TRUE(surface.vertices_are_nodes);
    EXPECT_EQ(surface.n_facets(), dim == 2 ? 16u : 6u * 4 * 4 * 2);
    EXPECT_EQ(surface.n_vertices(), dim == 2 ? 25u - 9 : 125u - 27);

    const auto x = body.vertices(body.nodes.positions);
    std::set<int> places;
    for (const Point<dim> &vertex : x)
      {
        int place        = 0;
        bool on_boundary = false;
        for (unsigned int d = 0; d < dim; ++d)
          {
            const int i = std::lround(4. * vertex[d]);
            EXPECT_EQ(vertex[d], i / 4.);
            place = 5 * place + i;
            on_boundary |= i == 0 || i == 4;
          }
        EXPECT_TRUE(on_boundary);
        EXPECT_TRUE(places.insert(place).second);
      }
    for (const auto &facet : surface.facets)
      for (unsigned int v = 0; v < dim; ++v)
        EXPECT_LE((x[facet[v]] - x[facet[(v + 1) % dim]]).norm(),
                  dim == 2 ? 0.25 : 0.25 * std::sqrt(2.) + 1e-15);
    std::vector<Tensor<1, dim>> normals;
    EXPECT_NEAR(volumes(surface, x, normals)[0], 1., 1e-14);
    EXPECT_LT(normals[0].norm(), 1e-14);
  }

  TEST(QuadraticSurface, GoesThroughAllSupportPoints)
  {
    check_quadratic<2>();
    check_quadratic<3>();
  }
} // namespace
