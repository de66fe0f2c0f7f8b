// SPDX-License-Identifier: LGPL-2.1-or-later

// Many constraints between bodies with stiffness: the saddle point path against
// the dual one.

#include <ricochet/projection/quadratic_program.h>
#include <ricochet/projection/saddle_point_program.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>
#include <deal.II/lac/vector.h>

#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "../random.h"
#include "place_in_layer.h"

using namespace Ricochet;
using namespace dealii;

namespace
{
  /** Masses at the nodes of two plates, of one layer of cells each, and springs
   * along edges and diagonals. */
  class Plates : public StepMatrix
  {
  public:
    static constexpr int dim = 3;

    Plates(const unsigned int width, const double stiffness, const int seed)
      : width(width)
      , random(seed)
    {
      const unsigned int n = 2 * n_of_body();
      for (unsigned int node = 0; node < n; ++node)
        {
          const unsigned int k = node % n_of_body();
          points.emplace_back(k % (width + 1),
                              k / (width + 1) % (width + 1),
                              double(k / n_of_side()));
        }
      DynamicSparsityPattern pattern(dim * n, dim * n);
      std::vector<std::array<unsigned int, 2>> springs;
      for (unsigned int a = 0; a < n; ++a)
        for (unsigned int b = 0; b <= a; ++b)
          if (a / n_of_body() == b / n_of_body() &&
              points[a].distance(points[b]) < 1.8)
            {
              if (b < a)
                springs.push_back({{a, b}});
              for (unsigned int d = 0; d < dim; ++d)
                for (unsigned int e = 0; e < dim; ++e)
                  {
                    pattern.add(dim * a + d, dim * b + e);
                    pattern.add(dim * b + d, dim * a + e);
                  }
            }
      sparsity.copy_from(pattern);
      H.reinit(sparsity);
      for (unsigned int a = 0; a < n; ++a)
        {
          const double mass = random.uniform(0.5, 2.);
          for (unsigned int d = 0; d < dim; ++d)
            H.add(dim * a + d, dim * a + d, mass);
        }
      for (const auto &[a, b] : springs)
        {
          const Tensor<1, dim> way = points[a] - points[b];
          const double k =
            stiffness * random.uniform(0.5, 1.) / way.norm_square();
          for (unsigned int d = 0; d < dim; ++d)
            for (unsigned int e = 0; e < dim; ++e)
              {
                const double value = k * way[d] * way[e];
                H.add(dim * a + d, dim * a + e, value);
                H.add(dim * b + d, dim * b + e, value);
                H.add(dim * a + d, dim * b + e, -value);
                H.add(dim * b + d, dim * a + e, -value);
              }
        }
      inverse.copy_from(H);
      inverse.gauss_jordan();

      nodes.nodes.resize(n);
      nodes.nodes_of_rank.resize(1);
      for (unsigned int node = 0; node < n; ++node)
        {
          nodes.nodes_of_rank[0].push_back(node);
          for (unsigned int d = 0; d < dim; ++d)
            nodes.nodes[node].dofs[d] = dim * node + d;
        }
      sample.reinit(dim * n);
      exchange.reinit(nodes, {&sample}, MPI_COMM_SELF);
    }

    unsigned int
    n_of_side() const
    {
      return (width + 1) * (width + 1);
    }

    unsigned int
    n_of_body() const
    {
      return 2 * n_of_side();
    }

    /** The place (x, y) of the upper side of the lower plate must be below
     * (s, t) of the lower side of the upper one. */
    void
    add(const double x,
        const double y,
        const double s,
        const double t,
        const Tensor<1, dim> &normal,
        const double missing)
    {
      add_side(x, y, n_of_side(), -normal);
      add_side(s, t, n_of_body(), normal);
      G.end_row();
      b.push_back(missing);
    }

    bool
    is_symmetric() const override
    {
      return true;
    }

    void
    multiply(const Vectors &x) override
    {
      apply(x, H);
    }

    void
    solve(const Vectors &x) override
    {
      apply(x, inverse);
    }

    void
    set_to_inverse_diagonal(const Vectors &x) override
    {
      for (unsigned int i = 0; i < x[0]->size(); ++i)
        x[0]->local_element(i) = 1. / H.diag_element(i);
    }

    /** d by the dual path. */
    Vector<double>
    by_columns() const
    {
      FullMatrix<double> rows(G.size(), H.m()), W(H.m(), G.size()),
        S(G.size(), G.size());
      for (unsigned int i = 0; i < G.size(); ++i)
        for (std::size_t k = G.begin[i]; k < G.begin[i + 1]; ++k)
          for (unsigned int d = 0; d < dim; ++d)
            rows(i, dim * G.nodes[k] + d) += G.entries[k][d];
      // Row by row, because few entries are not zero.
      for (unsigned int i = 0; i < G.size(); ++i)
        for (unsigned int l = 0; l < H.m(); ++l)
          if (rows(i, l) != 0.)
            for (unsigned int k = 0; k < H.m(); ++k)
              W(k, i) += inverse(k, l) * rows(i, l);
      for (unsigned int i = 0; i < G.size(); ++i)
        for (unsigned int l = 0; l < H.m(); ++l)
          if (rows(i, l) != 0.)
            for (unsigned int j = 0; j < G.size(); ++j)
              S(i, j) += rows(i, l) * W(l, j);
      std::vector<double> multipliers;
      const auto result = solve_quadratic_program(S, b, multipliers);
      EXPECT_TRUE(result.is_solved());
      Vector<double> x(multipliers.begin(), multipliers.end()), d(H.m());
      W.vmult(d, x);
      return d;
    }

    const unsigned int width;
    Random random;
    std::vector<Point<dim>> points;
    SparsityPattern sparsity;
    SparseMatrix<double> H;
    FullMatrix<double> inverse;
    SurfaceNodes<dim> nodes;
    VectorType sample;
    SurfaceExchange<dim> exchange;
    SparseRows<dim> G;
    std::vector<double> b;
    bool is_exact = true;

  private:
    template <typename MatrixType>
    void
    apply(const Vectors &vectors, const MatrixType &A)
    {
      Vector<double> x(vectors[0]->begin(), vectors[0]->end()), y(x.size());
      A.vmult(y, x);
      std::copy(y.begin(), y.end(), vectors[0]->begin());
    }

    void
    add_side(const double x,
             const double y,
             const unsigned int first,
             const Tensor<1, 3> &normal)
    {
      for (const auto &[k, weight] : place_in_layer(x, y, width))
        if (weight != 0.)
          G.add(first + k, weight * normal);
    }
  };



  void
  compare(Plates &plates)
  {
    plates.G.n_nodes = plates.points.size();
    const auto exact = plates.by_columns();
    SaddlePointProgram<3> program(plates,
                                  plates.exchange,
                                  plates.points.size());
    std::vector<double> multipliers;
    std::vector<Tensor<1, 3>> d;
    const auto result = program.solve(plates.G, plates.b, multipliers, d);
    EXPECT_TRUE(result.is_solved());
    for (const double multiplier : multipliers)
      EXPECT_GE(multiplier, 0.);
    double error = 0.;
    for (unsigned int node = 0; node < d.size(); ++node)
      for (unsigned int e = 0; e < 3; ++e)
        error = std::max(error, std::abs(d[node][e] - exact(3 * node + e)));
    EXPECT_LT(error, 1e-9);

    // From the solution nothing is to be done.
    EXPECT_EQ(program.solve(plates.G, plates.b, multipliers, d).n_iterations,
              1u);
  }
} // namespace



TEST(SaddlePointProgram, AgreesWithTheDualPath)
{
  for (const double stiffness : {0.01, 1., 30., 1000.})
    {
      SCOPED_TRACE(stiffness);
      for (unsigned int seed = 0; seed < 2; ++seed)
        {
          Plates plates(8, stiffness, seed);
          auto &random = plates.random;
          for (unsigned int k = 0; k < 400; ++k)
            {
              const double x = random.uniform(0., 8.),
                           y = random.uniform(0., 8.);
              Tensor<1, 3> normal({0., 0., 1.});
              normal += random.vector<3>(0.2);
              plates.add(x,
                         y,
                         0.7 * x,
                         0.3 + 0.7 * y,
                         normal / normal.norm(),
                         std::sin(0.9 * x) * std::cos(0.7 * y) +
                           random.uniform(-0.3, 0.5));
            }
          compare(plates);
        }
    }
}



TEST(SaddlePointProgram, AgreesWhereMeshesMeetFlush)
{
  for (const double stiffness : {0.01, 1., 30., 1000.})
    {
      SCOPED_TRACE(stiffness);
      Plates plates(8, stiffness, 1);
      for (unsigned int k = 0; k < 800; ++k)
        {
          const double x = plates.random.uniform(0., 8.),
                       y = plates.random.uniform(0., 8.);
          plates
            .add(x, y, 0.97 * x, 0.97 * y, Tensor<1, 3>({0., 0., 1.}), 0.01);
        }
      compare(plates);
    }
}



// Each vertex four times.
TEST(SaddlePointProgram, AgreesWhereMeshesMatch)
{
  for (const double stiffness : {0.01, 1., 30., 1000.})
    {
      SCOPED_TRACE(stiffness);
      Plates plates(8, stiffness, 1);
      for (unsigned int i = 0; i <= 8; ++i)
        for (unsigned int j = 0; j <= 8; ++j)
          for (unsigned int k = 0; k < 4; ++k)
            plates.add(i,
                       j,
                       i,
                       j,
                       Tensor<1, 3>({0., 0., 1.}),
                       0.01 * std::cos(0.2 * i));
      compare(plates);
    }
}



TEST(SaddlePointProgram, TellsThatThereIsNoSolution)
{
  Plates plates(4, 1., 1);
  for (unsigned int k = 0; k < 50; ++k)
    plates.add(plates.random.uniform(0., 4.),
               plates.random.uniform(0., 4.),
               plates.random.uniform(0., 4.),
               plates.random.uniform(0., 4.),
               Tensor<1, 3>({0., 0., 1.}),
               0.1);
  plates.add(2.3, 1.6, 2.3, 1.6, Tensor<1, 3>({0., 0., 1.}), 1.);
  plates.add(2.3, 1.6, 2.3, 1.6, Tensor<1, 3>({0., 0., -1.}), 1.);
  plates.G.n_nodes = plates.points.size();
  SaddlePointProgram<3> program(plates, plates.exchange, plates.points.size());
  std::vector<double> multipliers;
  std::vector<Tensor<1, 3>> d;
  EXPECT_FALSE(program.solve(plates.G, plates.b, multipliers, d).is_solved());
}
