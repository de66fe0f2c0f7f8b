// SPDX-License-Identifier: LGPL-2.1-or-later

#include "dual_sweeps.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    /** Sweeps over what is near, after one over all. */
    constexpr unsigned int n_sweeps = 8;

    /** Rows count as the worst ones if they miss more than this part of what
     * may be missing; if they are not more than this part of all, sweeps over
     * them and their neighbors can do. */
    constexpr double worst_part = 0.7, largest_part_of_worst = 0.125;

    /** So many, if those are so many times less than the positive ones. */
    constexpr unsigned int n_worst_sweeps = 16, least_saving = 4;
  } // namespace



  template <int dim>
  DualSweeps<dim>::DualSweeps(SparseRows<dim> rows,
                              const std::vector<double> &missing,
                              const std::vector<double> &start)
    : A(std::move(rows))
    , scale(A.size(), 0.)
    , b(missing)
    , lambda(A.size(), 0.)
    , u(A.n_nodes)
    , violations(A.size(), 0.)
  {
    for (unsigned int i = 0; i < A.size(); ++i)
      {
        double square = 0.;
        for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
          square += A.entries[k].norm_square();
        if (square > 0.)
          scale[i] = 1. / std::sqrt(square);
        for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
          A.entries[k] *= scale[i];
        b[i] *= scale[i];
        largest_b = std::max(largest_b, std::abs(b[i]));
        if (!start.empty() && start[i] > 0. && scale[i] > 0.)
          lambda[i] = start[i] / scale[i];
      }
  }



  template <int dim>
  std::vector<double>
  DualSweeps<dim>::multipliers() const
  {
    std::vector<double> result(lambda);
    for (unsigned int i = 0; i < result.size(); ++i)
      result[i] *= scale[i];
    return result;
  }



  template <int dim>
  unsigned int
  DualSweeps<dim>::n_positive() const
  {
    return std::count_if(lambda.begin(), lambda.end(), [](const double value) {
      return value > 0.;
    });
  }



  template <int dim>
  double
  DualSweeps<dim>::find_error()
  {
    std::fill(u.begin(), u.end(), Tensor<1, dim>());
    for (unsigned int i = 0; i < A.size(); ++i)
      if (lambda[i] > 0.)
        for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
          u[A.nodes[k]] += lambda[i] * A.entries[k];
    double error = 0.;
    for (unsigned int i = 0; i < A.size(); ++i)
      if (scale[i] > 0.)
        {
          violations[i] = violation(i);
          error         = std::max(error, violations[i]);
        }
    return error;
  }



  template <int dim>
  void
  DualSweeps<dim>::sweep_all()
  {
    near.clear();
    for (unsigned int i = 0; i < A.size(); ++i)
      if (scale[i] > 0.)
        {
          const double before = lambda[i];
          relax(i);
          if (lambda[i] > 0. || before > 0.)
            near.push_back(i);
        }
  }



  template <int dim>
  void
  DualSweeps<dim>::relax(const std::vector<unsigned int> &rows,
                         const bool forth)
  {
    const auto relax_row = [this](const unsigned int i) { relax(i); };
    if (forth)
      std::for_each(rows.begin(), rows.end(), relax_row);
    else
      std::for_each(rows.rbegin(), rows.rend(), relax_row);
  }



  template <int dim>
  void
  DualSweeps<dim>::sweep()
  {
    sweep_all();
    for (unsigned int n = 0; n < n_sweeps; ++n)
      relax(near, n % 2 == 1);
  }



  template <int dim>
  double
  DualSweeps<dim>::approach(const double enough)
  {
    if (sweep_worst(enough))
      return *std::max_element(violations.begin(), violations.end());
    if (momentum == 0.)
      {
        last_lambda    = lambda;
        last_u         = u;
        momentum       = 1.;
        last_objective = std::numeric_limits<double>::infinity();
      }
    sweep_all();
    for (unsigned int n = 0; n < n_sweeps; ++n)
      {
        relax(near, n % 2 == 1);
        if (n % 2 == 1 && n + 1 < n_sweeps)
          extrapolate();
      }
    return find_error();
  }



  template <int dim>
  void
  DualSweeps<dim>::extrapolate()
  {
    double objective = 0.;
    for (const Tensor<1, dim> &value : u)
      objective += 0.5 * value.norm_square();
    objective = std::inner_product(lambda.begin(),
                                   lambda.end(),
                                   b.begin(),
                                   objective,
                                   std::minus<double>(),
                                   std::multiplies<double>());
    if (objective > last_objective)
      momentum = 1.;
    last_objective    = objective;
    const double next = 0.5 * (1. + std::sqrt(1. + 4. * momentum * momentum));
    const double part = (momentum - 1.) / next;
    momentum          = next;

    for (unsigned int node = 0; node < u.size(); ++node)
      {
        const Tensor<1, dim> now = u[node];
        u[node] += part * (now - last_u[node]);
        last_u[node] = now;
      }
    for (unsigned int i = 0; i < lambda.size(); ++i)
      {
        const double now = lambda[i];
        lambda[i] += part * (now - last_lambda[i]);
        last_lambda[i] = now;
        if (lambda[i] < 0.)
          {
            add(i, -lambda[i]);
            lambda[i] = 0.;
          }
      }
  }



  template <int dim>
  bool
  DualSweeps<dim>::sweep_worst(const double enough)
  {
    std::vector<unsigned int> worst;
    for (unsigned int i = 0; i < violations.size(); ++i)
      if (violations[i] > worst_part * enough)
        worst.push_back(i);
    if (worst.size() > largest_part_of_worst * A.size())
      return false;
    const std::vector<unsigned int> swept = neighbors(worst);
    if (least_saving * swept.size() > n_positive())
      return false;
    momentum = 0.;
    for (unsigned int n = 0; n < n_worst_sweeps; ++n)
      relax(swept, n % 2 == 1);
    for (const unsigned int i : neighbors(swept))
      violations[i] = violation(i);
    return true;
  }



  template <int dim>
  std::vector<unsigned int>
  DualSweeps<dim>::neighbors(const std::vector<unsigned int> &rows)
  {
    if (first_at_node.empty())
      {
        first_at_node.assign(A.n_nodes + 1, 0);
        for (const unsigned int node : A.nodes)
          ++first_at_node[node + 1];
        std::partial_sum(first_at_node.begin(),
                         first_at_node.end(),
                         first_at_node.begin());
        std::vector<unsigned int> next(first_at_node);
        at_node.resize(A.nodes.size());
        for (unsigned int i = 0; i < A.size(); ++i)
          for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
            at_node[next[A.nodes[k]]++] = i;
        is_found.assign(A.size(), 0);
      }
    for (const unsigned int i : rows)
      for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
        for (unsigned int p = first_at_node[A.nodes[k]];
             p < first_at_node[A.nodes[k] + 1];
             ++p)
          is_found[at_node[p]] = 1;
    std::vector<unsigned int> result;
    for (unsigned int i = 0; i < is_found.size(); ++i)
      if (is_found[i] != 0)
        {
          result.push_back(i);
          is_found[i] = 0;
        }
    return result;
  }



  template class DualSweeps<1>;
  template class DualSweeps<2>;
  template class DualSweeps<3>;
} // namespace Ricochet
