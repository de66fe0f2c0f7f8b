// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/projection/saddle_point_program.h>

#include <algorithm>
#include <cmath>

#include "saddle_point.h"
#include "source_vectors.h"

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    using QuadraticProgramTolerance::largest_missing;
    using QuadraticProgramTolerance::round_off;

    /** e, for rows of length one in the norm of diag(H)^-1: of a new problem,
     * how much less from solution to solution, and in the end. While e is
     * large, there are few sets on the way; where it is small, gaps that are
     * nearly the same do not go on to share a force for long. */
    constexpr double largest_softness = 0.1, softness_ratio = 0.1,
                     least_softness = 1e-10;

    /** From here on, equations are solved to round-off; a start that others
     * have found begins here. */
    constexpr double precise_softness = 2e-6;

    /** Solutions of a program, and active sets in each of them. */
    constexpr unsigned int max_solutions = 16, max_sets = 200;

    /** Gaps may miss by so many times what is asked for in the end, by
     * round-off. */
    constexpr double slack = 10.;

    /** The best part of a step is found by so many halvings. */
    constexpr unsigned int n_halvings = 60;



    /** The iteration. */
    template <int dim>
    class PrimalDualActiveSet
    {
    public:
      using Status = QuadraticProgramResult::Status;

      PrimalDualActiveSet(SaddlePoint<dim> &equations,
                          const std::vector<double> &missing,
                          const std::vector<double> &start)
        : equations(equations)
        , b(missing)
        , mu(missing.size(), 0.)
      {
        for (unsigned int i = 0; i < b.size(); ++i)
          {
            b[i] *= equations.scale[i];
            largest_b = std::max(largest_b, std::abs(b[i]));
            if (!start.empty() && equations.scale[i] > 0.)
              mu[i] = std::max(0., start[i]) / equations.scale[i];
          }
      }

      QuadraticProgramResult
      solve();

      /** Back in the units of the rows as they were given. */
      std::vector<double>
      multipliers() const
      {
        std::vector<double> result(mu);
        for (unsigned int i = 0; i < result.size(); ++i)
          result[i] = std::max(0., result[i] * equations.scale[i]);
        return result;
      }

    private:
      double
      tolerance() const
      {
        return round_off *
               (largest_b +
                (mu.empty() ? 0. : *std::max_element(mu.begin(), mu.end())));
      }

      /** Whether no multiplier is positive. */
      bool
      has_no_start() const
      {
        return std::none_of(mu.begin(), mu.end(), [](const double value) {
          return value > 0.;
        });
      }

      /** The positive ones of the start or, if there are none, what is missing.
       */
      std::vector<unsigned int>
      first_set() const;

      /** The minimum for one lambda; whether it is found. */
      bool
      find_minimum(const std::vector<double> &lambda, unsigned int &n_sets);

      /** Where an active set has led: displacements d, H d, what they open, the
       * multipliers found with them, and what would be mu. */
      struct Iterate
      {
        std::vector<StepMatrix::VectorType> displacements, forces;
        std::vector<double> opened, found, z;

        /** Go only so far from another one. */
        void
        shorten(const double part, const Iterate &other)
        {
          if (part == 1.)
            return;
          for (unsigned int s = 0; s < displacements.size(); ++s)
            {
              displacements[s].sadd(part, 1. - part, other.displacements[s]);
              forces[s].sadd(part, 1. - part, other.forces[s]);
            }
          for (unsigned int i = 0; i < z.size(); ++i)
            {
              opened[i] = part * opened[i] + (1. - part) * other.opened[i];
              found[i]  = part * found[i] + (1. - part) * other.found[i];
              z[i]      = part * z[i] + (1. - part) * other.z[i];
            }
        }
      };

      double
      merit(const Iterate &x) const;

      /** Of the way from one to the other. */
      double
      best_part(const Iterate &from, const Iterate &to) const;

      /** The largest violation. */
      double
      find_error() const;

      SaddlePoint<dim> &equations;
      std::vector<double> b;
      double largest_b = 0.;
      std::vector<double> mu;
    };



    template <int dim>
    double
    PrimalDualActiveSet<dim>::find_error() const
    {
      double error = 0.;
      for (unsigned int i = 0; i < b.size(); ++i)
        if (equations.scale[i] > 0.)
          {
            const double value = b[i] - equations.opened[i];
            error = std::max(error, mu[i] > 0. ? std::abs(value) : value);
          }
      return error;
    }



    template <int dim>
    std::vector<unsigned int>
    PrimalDualActiveSet<dim>::first_set() const
    {
      const bool is_new = has_no_start();
      std::vector<unsigned int> result;
      for (unsigned int i = 0; i < b.size(); ++i)
        if (equations.scale[i] > 0. && (is_new ? b[i] : mu[i]) > 0.)
          result.push_back(i);
      return result;
    }



    template <int dim>
    bool
    PrimalDualActiveSet<dim>::find_minimum(const std::vector<double> &lambda,
                                           unsigned int &n_sets)
    {
      const double softness            = equations.softness;
      const bool loosely               = softness > precise_softness;
      std::vector<unsigned int> active = first_set();
      Iterate last;
      for (unsigned int n = 0; n < max_sets; ++n)
        {
          ++n_sets;
          if (!equations.solve(active, b, lambda, tolerance(), loosely, mu))
            return false;
          Iterate next{equations.displacements,
                       equations.forces(),
                       equations.opened,
                       mu,
                       mu};
          std::vector<char> is_active(b.size(), 0);
          for (const unsigned int i : active)
            is_active[i] = 1;
          for (unsigned int i = 0; i < b.size(); ++i)
            if (equations.scale[i] == 0.)
              next.z[i] = -1.;
            else if (is_active[i] == 0 || loosely)
              next.z[i] = lambda[i] + (b[i] - next.opened[i] -
                                       (is_active[i] ? 0. : tolerance())) /
                                        softness;
          const double part = n > 0 ? best_part(last, next) : 1.;
          next.shorten(part, last);
          std::vector<unsigned int> positive;
          for (unsigned int i = 0; i < b.size(); ++i)
            if (next.z[i] > 0.)
              positive.push_back(i);
          last               = std::move(next);
          const bool is_same = part == 1. && positive == active;
          if (is_same)
            {
              if (loosely)
                for (unsigned int i = 0; i < b.size(); ++i)
                  mu[i] = std::max(0., last.z[i]);
              return true;
            }
          active                  = positive;
          equations.displacements = last.displacements;
          mu                      = last.found;
        }
      return false;
    }



    double
    product(const std::vector<StepMatrix::VectorType> &x,
            const std::vector<StepMatrix::VectorType> &y)
    {
      double sum = 0.;
      for (unsigned int s = 0; s < x.size(); ++s)
        sum += x[s] * y[s];
      return sum;
    }



    template <int dim>
    double
    PrimalDualActiveSet<dim>::merit(const Iterate &x) const
    {
      double sum = product(x.displacements, x.forces);
      for (const double z : x.z)
        sum += equations.softness * std::max(0., z) * std::max(0., z);
      return 0.5 * sum;
    }



    template <int dim>
    double
    PrimalDualActiveSet<dim>::best_part(const Iterate &from,
                                        const Iterate &to) const
    {
      if (merit(to) <= merit(from) * (1. + round_off))
        return 1.;
      const double at_from = product(from.displacements, from.forces),
                   mixed   = product(to.displacements, from.forces),
                   at_to   = product(to.displacements, to.forces);
      const auto slope     = [&](const double part) {
        double sum = mixed - at_from + part * (at_to - 2. * mixed + at_from);
        for (unsigned int i = 0; i < b.size(); ++i)
          {
            const double way = to.z[i] - from.z[i];
            sum +=
              equations.softness * std::max(0., from.z[i] + part * way) * way;
          }
        return sum;
      };
      double lower = 0., upper = 1.;
      for (unsigned int n = 0; n < n_halvings; ++n)
        {
          const double middle                  = 0.5 * (lower + upper);
          (slope(middle) > 0. ? upper : lower) = middle;
        }
      return upper;
    }



    template <int dim>
    QuadraticProgramResult
    PrimalDualActiveSet<dim>::solve()
    {
      QuadraticProgramResult result;
      result.status = Status::iteration_limit;
      std::vector<double> lambda(mu);
      // A start that others have found is nearly right already.
      equations.softness = has_no_start() ? largest_softness : precise_softness;
      for (unsigned int n = 0; n < max_solutions; ++n)
        {
          if (!find_minimum(lambda, result.n_iterations))
            break;
          const double error = find_error();
          if (error <= slack * tolerance())
            {
              result.status = error > largest_missing * largest_b
                                ? Status::infeasible
                                : Status::solved;
              break;
            }
          lambda = mu;
          equations.softness =
            std::max(least_softness, softness_ratio * equations.softness);
        }
      result.n_active =
        std::count_if(mu.begin(), mu.end(), [](const double value) {
          return value > 0.;
        });
      return result;
    }
  } // namespace



  template <int dim>
  SaddlePointProgram<dim>::SaddlePointProgram(
    StepMatrix &matrix,
    const SurfaceExchange<dim> &exchange,
    const unsigned int n_nodes)
    : matrix(matrix)
    , exchange(exchange)
    , diagonal(n_nodes)
    , last(zero_vectors(exchange))
  {
    const auto vectors = pointers_to(last);
    matrix.set_to_inverse_diagonal(vectors);
    exchange.gather({{vectors, diagonal}});
    whole_diagonal = last;
    for (auto &vector : last)
      vector = 0.;
  }



  template <int dim>
  QuadraticProgramResult
  SaddlePointProgram<dim>::solve(const SparseRows<dim> &G,
                                 const std::vector<double> &b,
                                 std::vector<double> &multipliers,
                                 std::vector<Tensor<1, dim>> &displacements)
  {
    SaddlePoint<dim> equations(matrix, exchange, whole_diagonal, diagonal, G);
    equations.displacements = last;
    PrimalDualActiveSet<dim> iteration(equations, b, multipliers);
    const QuadraticProgramResult result = iteration.solve();
    multipliers                         = iteration.multipliers();
    displacements                       = equations.at_nodes();
    if (result.is_solved())
      last = equations.displacements;
    return result;
  }



  template class SaddlePointProgram<2>;
  template class SaddlePointProgram<3>;
} // namespace Ricochet
