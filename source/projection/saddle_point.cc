// SPDX-License-Identifier: LGPL-2.1-or-later

#include "saddle_point.h"

#include <deal.II/base/mpi.h>
#include <deal.II/lac/solver_minres.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** Steps of minimal residuals, and how often they begin again. */
    constexpr unsigned int max_steps = 2000, max_restarts = 4;

    /** What they leave of residuals in one go, and if that need not be precise.
     */
    constexpr double reduction = 1e-7, loose_reduction = 1e-3;

    /** Entries of the factor, per row. */
    constexpr std::size_t max_filling = 2000;

    /** Of rows, where they do not become less any more: so many times what is
     * asked for. */
    constexpr double largest_left = 100.;



    /** The blocks of the sources. */
    StepMatrix::Vectors
    sources_of(LinearAlgebra::distributed::BlockVector<double> &x)
    {
      StepMatrix::Vectors result;
      for (unsigned int s = 0; s + 1 < x.n_blocks(); ++s)
        result.push_back(&x.block(s));
      return result;
    }



    template <int dim>
    double
    product(const SparseRows<dim> &A,
            const unsigned int i,
            const std::vector<Tensor<1, dim>> &x)
    {
      double sum = 0.;
      for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
        sum += A.entries[k] * x[A.nodes[k]];
      return sum;
    }
  } // namespace



  template <int dim>
  SaddlePoint<dim>::SaddlePoint(
    StepMatrix &matrix,
    const SurfaceExchange<dim> &exchange,
    const std::vector<StepMatrix::VectorType> &inverse_diagonal,
    const std::vector<Tensor<1, dim>> &diagonal,
    const SparseRows<dim> &rows)
    : A(rows)
    , scale(rows.size(), 0.)
    , opened(rows.size(), 0.)
    , matrix(matrix)
    , exchange(exchange)
    , inverse_diagonal(inverse_diagonal)
    , communicator(exchange.zero_vector(0).get_mpi_communicator())
    , has_multipliers(Utilities::MPI::this_mpi_process(communicator) == 0)
    , n_nodes(diagonal.size())
    , by_length(rows)
  {
    for (unsigned int i = 0; i < A.size(); ++i)
      {
        double square = 0.;
        for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
          for (unsigned int d = 0; d < dim; ++d)
            {
              const double root = std::sqrt(diagonal[A.nodes[k]][d]);
              by_length.entries[k][d] *= root;
              square += by_length.entries[k][d] * by_length.entries[k][d];
              // What is prescribed does not move.
              if (root == 0.)
                A.entries[k][d] = 0.;
            }
        if (square > 0.)
          scale[i] = 1. / std::sqrt(square);
        for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
          {
            A.entries[k] *= scale[i];
            by_length.entries[k] *= scale[i];
          }
      }
  }



  template <int dim>
  template <typename Blocks>
  std::vector<Tensor<1, dim>>
  SaddlePoint<dim>::values_of(const Blocks &blocks) const
  {
    std::vector<const StepMatrix::VectorType *> vectors;
    for (unsigned int s = 0; s < exchange.n_sources(); ++s)
      if constexpr (std::is_same<Blocks, BlockVector>::value)
        vectors.push_back(&blocks.block(s));
      else
        vectors.push_back(&blocks[s]);
    std::vector<Tensor<1, dim>> result(n_nodes);
    exchange.gather({{vectors, result}});
    return result;
  }



  template <int dim>
  void
  SaddlePoint<dim>::add_forces(const std::vector<double> &mu,
                               const StepMatrix::Vectors &forces) const
  {
    std::vector<Tensor<1, dim>> at_nodes(n_nodes);
    for (unsigned int f = 0; f < face.size(); ++f)
      for (std::size_t k = A.begin[face[f]]; k < A.begin[face[f] + 1]; ++k)
        at_nodes[A.nodes[k]] += mu[f] * A.entries[k];
    exchange.add(at_nodes, forces);
  }



  template <int dim>
  std::vector<double>
  SaddlePoint<dim>::multipliers_of(const BlockVector &x) const
  {
    std::vector<double> result(face.size());
    if (has_multipliers)
      {
        const auto &block = x.block(x.n_blocks() - 1);
        std::copy(block.begin(), block.end(), result.begin());
      }
    Utilities::MPI::broadcast(result.data(), result.size(), 0, communicator);
    return result;
  }



  template <int dim>
  typename SaddlePoint<dim>::BlockVector
  SaddlePoint<dim>::block_vector() const
  {
    const unsigned int n = exchange.n_sources();
    BlockVector result(n + 1);
    for (unsigned int s = 0; s < n; ++s)
      result.block(s) = exchange.zero_vector(s);
    IndexSet owned(face.size());
    if (has_multipliers)
      owned.add_range(0, face.size());
    result.block(n).reinit(owned, communicator);
    result.collect_sizes();
    return result;
  }



  template <int dim>
  void
  SaddlePoint<dim>::vmult(BlockVector &y, const BlockVector &x) const
  {
    y                  = x;
    const auto sources = sources_of(y);
    matrix.multiply(sources);
    std::vector<double> minus_mu = multipliers_of(x);
    for (double &value : minus_mu)
      value = -value;
    add_forces(minus_mu, sources);
    const auto values = values_of(x);
    if (has_multipliers)
      for (unsigned int f = 0; f < face.size(); ++f)
        y.block(sources.size()).local_element(f) =
          softness * minus_mu[f] - product(A, face[f], values);
  }



  template <int dim>
  void
  SaddlePoint<dim>::Preconditioner::vmult(BlockVector &y,
                                          const BlockVector &x) const
  {
    y                    = x;
    const unsigned int n = of.exchange.n_sources();
    for (unsigned int s = 0; s < n; ++s)
      y.block(s).scale(of.inverse_diagonal[s]);
    if (!of.has_factor)
      return;
    auto &block = y.block(n);
    std::vector<double> z(block.begin(), block.end());
    of.factor.solve(z);
    std::copy(z.begin(), z.end(), block.begin());
  }



  template <int dim>
  void
  SaddlePoint<dim>::set_face(const std::vector<unsigned int> &active)
  {
    const bool is_same =
      active.size() == face.size() &&
      std::is_permutation(active.begin(), active.end(), face.begin());
    if (is_same && softness_of_factor == softness)
      return;
    softness_of_factor = softness;
    if (!is_same)
      face = active;
    if (has_multipliers)
      {
        if (!is_same)
          {
            products.set(by_length, face, S);
            const auto order = S.sparse_order();
            for (unsigned int f = 0; f < face.size(); ++f)
              face[f] = active[order[f]];
          }
        products.set(by_length, face, S);
        has_factor = factor.reinit(S, softness, max_filling * face.size());
      }
    Utilities::MPI::broadcast(face.data(), face.size(), 0, communicator);
  }



  template <int dim>
  double
  SaddlePoint<dim>::set_residual(const std::vector<double> &b,
                                 const std::vector<double> &lambda,
                                 const std::vector<double> &on_face,
                                 BlockVector &residual) const
  {
    for (unsigned int s = 0; s < exchange.n_sources(); ++s)
      residual.block(s) = displacements[s];
    const auto sources = sources_of(residual);
    matrix.multiply(sources);
    for (auto *const source : sources)
      *source *= -1.;
    add_forces(on_face, sources);
    const auto x   = at_nodes();
    double largest = 0.;
    for (unsigned int f = 0; f < face.size(); ++f)
      {
        const unsigned int i = face[f];
        const double left =
          product(A, i, x) - b[i] + softness * (on_face[f] - lambda[i]);
        largest = std::max(largest, std::abs(left));
        if (has_multipliers)
          residual.block(sources.size()).local_element(f) = left;
      }
    return largest;
  }



  template <int dim>
  bool
  SaddlePoint<dim>::solve(const std::vector<unsigned int> &active,
                          const std::vector<double> &b,
                          const std::vector<double> &lambda,
                          const double tolerance,
                          const bool loosely,
                          std::vector<double> &mu)
  {
    set_face(active);
    std::vector<double> on_face;
    for (const unsigned int i : face)
      on_face.push_back(mu[i]);
    BlockVector residual = block_vector(), correction = residual;
    const Preconditioner preconditioner{*this};
    double last = std::numeric_limits<double>::infinity();
    for (unsigned int n = 0;; ++n)
      {
        const double largest = set_residual(b, lambda, on_face, residual);
        preconditioner.vmult(correction, residual);
        const double norm = std::sqrt(std::abs(residual * correction));
        if (norm <= tolerance || n == (loosely ? 1 : max_restarts) ||
            !(norm < 0.5 * last))
          {
            std::fill(mu.begin(), mu.end(), 0.);
            for (unsigned int f = 0; f < face.size(); ++f)
              mu[face[f]] = on_face[f];
            const auto x = at_nodes();
            for (unsigned int i = 0; i < A.size(); ++i)
              opened[i] = product(A, i, x);
            return loosely || norm <= tolerance ||
                   largest <= largest_left * tolerance;
          }
        last = norm;
        ReductionControl control(max_steps,
                                 0.5 * tolerance,
                                 reduction,
                                 false,
                                 false);
        SolverMinRes<BlockVector> solver(control);
        correction = 0.;
        try
          {
            solver.solve(*this, correction, residual, preconditioner);
          }
        catch (const SolverControl::NoConvergence &)
          {
            // The next residual tells what it has found.
          }
        const auto change = multipliers_of(correction);
        for (unsigned int f = 0; f < face.size(); ++f)
          on_face[f] += change[f];
        for (unsigned int s = 0; s < exchange.n_sources(); ++s)
          displacements[s] += correction.block(s);
      }
  }



  template class SaddlePoint<2>;
  template class SaddlePoint<3>;
} // namespace Ricochet
