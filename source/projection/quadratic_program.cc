// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/projection/quadratic_program.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace Ricochet
{
  using dealii::FullMatrix;

  namespace
  {
    using QuadraticProgramTolerance::largest_missing;
    using QuadraticProgramTolerance::round_off;

    /** Below this (relative) difference, numbers count as equal. */
    constexpr double tie = 1e-9;

    constexpr double infinity = std::numeric_limits<double>::infinity();



    /** L of L L' = S for a set of rows and columns that grows and shrinks. */
    class CholeskyFactor
    {
    public:
      /** Solve L y = x in place. */
      void
      forward(std::vector<double> &x) const
      {
        for (unsigned int i = 0; i < n; ++i)
          {
            const double *L = row(i);
            x[i] = (x[i] - std::inner_product(L, L + i, x.begin(), 0.)) / L[i];
          }
      }

      /** Solve L' y = x in place. */
      void
      backward(std::vector<double> &x) const
      {
        for (unsigned int i = n; i-- > 0;)
          {
            const double *L = row(i);
            x[i] /= L[i];
            for (unsigned int j = 0; j < i; ++j)
              x[j] -= L[j] * x[i];
          }
      }

      /** Add a last row: L^-1 of its entries, and its pivot. */
      void
      append(const std::vector<double> &entries, const double pivot)
      {
        values.insert(values.end(), entries.begin(), entries.end());
        values.push_back(std::sqrt(pivot));
        ++n;
      }

      /** Remove row and column @p k; rotations of columns bring the rows after
       * it back to triangular form. */
      void
      remove(const unsigned int k)
      {
        std::vector<double> c, s;
        for (unsigned int i = k + 1; i < n; ++i)
          {
            double *L = row(i);
            for (unsigned int r = 0; r < c.size(); ++r)
              {
                const double first = L[k + r], second = L[k + r + 1];
                L[k + r]     = c[r] * first + s[r] * second;
                L[k + r + 1] = c[r] * second - s[r] * first;
              }
            const double length = std::hypot(L[i - 1], L[i]);
            c.push_back(L[i - 1] / length);
            s.push_back(L[i] / length);
            L[i - 1] = length;
            std::copy(L, L + i, row(i - 1));
          }
        --n;
        values.resize(values.size() - (n + 1));
      }

    private:
      double *
      row(const std::size_t i)
      {
        return values.data() + i * (i + 1) / 2;
      }

      const double *
      row(const std::size_t i) const
      {
        return values.data() + i * (i + 1) / 2;
      }

      unsigned int n = 0;
      std::vector<double> values; // the lower triangle, row by row
    };



    /** The iteration, with rows scaled to S_ii = 1. */
    class DualActiveSet
    {
    public:
      using Status = QuadraticProgramResult::Status;

      DualActiveSet(const FullMatrix<double> &S, const std::vector<double> &b)
        : S(S)
        , scale(b.size(), 0.)
        , b(b)
        , missing(b.size())
        , is_active(b.size(), 0)
      {
        for (unsigned int i = 0; i < b.size(); ++i)
          if (S(i, i) > 0.)
            scale[i] = 1. / std::sqrt(S(i, i));
        for (unsigned int i = 0; i < b.size(); ++i)
          {
            this->b[i] *= scale[i];
            largest_b = std::max(largest_b, std::abs(this->b[i]));
            for (unsigned int j = 0; j < b.size(); ++j)
              this->S(i, j) *= scale[i] * scale[j];
          }
      }

      /** Let the rows with positive multipliers be the first active ones. */
      void
      start_from(const std::vector<double> &multipliers)
      {
        std::vector<double> entries, row;
        for (unsigned int p = 0; p < multipliers.size(); ++p)
          if (multipliers[p] > 0. && scale[p] > 0.)
            {
              const double pivot = eliminate(p, entries, row);
              if (pivot > round_off)
                add(p, entries, pivot);
            }
        solve_for_active();
      }

      QuadraticProgramResult
      solve()
      {
        QuadraticProgramResult result;
        for (unsigned int p = most_violated();
             p < b.size() && result.status == Status::solved;
             p = most_violated())
          {
            result.status = take_up(p, result.n_iterations);
            solve_for_active();
          }
        // Without a solution, round-off may hide that rows depend on each
        // other; then multipliers grow until all that is missing counts as
        // round-off.
        if (result.status == Status::solved && !b.empty() &&
            *std::max_element(missing.begin(), missing.end()) >
              largest_missing * largest_b)
          result.status = Status::infeasible;
        result.n_active = active.size();
        return result;
      }

      std::vector<double>
      multipliers() const
      {
        std::vector<double> result(b.size(), 0.);
        for (unsigned int k = 0; k < active.size(); ++k)
          result[active[k]] = scale[active[k]] * u[k];
        return result;
      }

    private:
      /** Eliminate the active rows from row @p p: L^-1 S_Ap, S_AA^-1 S_Ap, and
       * what is left of S_pp. */
      double
      eliminate(const unsigned int p,
                std::vector<double> &entries,
                std::vector<double> &row) const
      {
        entries.clear();
        for (const unsigned int i : active)
          entries.push_back(S(p, i));
        factor.forward(entries);
        row = entries;
        factor.backward(row);
        return 1. - std::inner_product(entries.begin(),
                                       entries.end(),
                                       entries.begin(),
                                       0.);
      }

      void
      add(const unsigned int p,
          const std::vector<double> &entries,
          const double pivot)
      {
        factor.append(entries, pivot);
        active.push_back(p);
        u.push_back(0.);
        is_active[p] = 1;
      }

      void
      drop(const unsigned int k)
      {
        factor.remove(k);
        is_active[active[k]] = 0;
        active.erase(active.begin() + k);
        u.erase(u.begin() + k);
      }

      /** Multipliers from S_AA u = b_A, without those that become negative;
       * and what is missing then. */
      void
      solve_for_active()
      {
        while (true)
          {
            for (unsigned int k = 0; k < active.size(); ++k)
              u[k] = b[active[k]];
            factor.forward(u);
            factor.backward(u);
            const auto least = std::min_element(u.begin(), u.end());
            if (least == u.end() || *least >= 0.)
              break;
            drop(least - u.begin());
          }
        missing = b;
        for (unsigned int k = 0; k < active.size(); ++k)
          for (unsigned int i = 0; i < b.size(); ++i)
            missing[i] -= u[k] * S(active[k], i);
      }

      /** The row to take up next; the number of rows if there is none. */
      unsigned int
      most_violated() const
      {
        double largest =
          round_off * std::accumulate(u.begin(), u.end(), largest_b);
        unsigned int result = b.size();
        for (unsigned int i = 0; i < b.size(); ++i)
          if (is_active[i] == 0 && scale[i] > 0. &&
              missing[i] > largest * (result < b.size() ? 1. + tie : 1.))
            {
              largest = missing[i];
              result  = i;
            }
        return result;
      }

      /** Which multiplier becomes zero first when the active rows give way to
       * a new one by multiples of @p row, and after which step; their number
       * and infinity if none does. */
      std::pair<unsigned int, double>
      first_blocking(const std::vector<double> &row) const
      {
        double largest = 0.;
        for (const double entry : row)
          largest = std::max(largest, std::abs(entry));
        std::vector<double> steps;
        for (unsigned int k = 0; k < active.size(); ++k)
          steps.push_back(row[k] > round_off * largest ? u[k] / row[k]
                                                       : infinity);
        std::pair<unsigned int, double> result(active.size(), infinity);
        if (!steps.empty())
          result.second = *std::min_element(steps.begin(), steps.end());
        if (result.second < infinity)
          for (unsigned int k = 0; k < active.size(); ++k)
            if (steps[k] <= (1. + tie) * result.second &&
                (result.first == active.size() ||
                 active[k] < active[result.first]))
              result.first = k;
        return result;
      }

      /** Make row @p p active, and drop what is in its way. */
      Status
      take_up(const unsigned int p, unsigned int &n_iterations)
      {
        std::vector<double> entries, row;
        double left = missing[p];
        while (++n_iterations < 100 + 20 * b.size())
          {
            const double pivot = eliminate(p, entries, row);
            const double full_step =
              pivot > round_off ? left / pivot : infinity;
            const auto [k, step] = first_blocking(row);
            if (full_step <= step)
              {
                if (full_step == infinity)
                  return Status::infeasible;
                add(p, entries, pivot);
                return Status::solved;
              }
            for (unsigned int j = 0; j < active.size(); ++j)
              u[j] = std::max(0., u[j] - step * row[j]);
            if (pivot > round_off)
              left -= step * pivot;
            drop(k);
          }
        return Status::iteration_limit;
      }

      FullMatrix<double> S;
      std::vector<double> scale; // 1/sqrt(S_ii), or zero
      std::vector<double> b;
      double largest_b = 0.;

      std::vector<unsigned int> active;
      std::vector<double> u; // their multipliers
      CholeskyFactor factor; // of their part of S

      std::vector<double> missing; // of all rows, b - S u
      std::vector<char> is_active;
    };
  } // namespace



  QuadraticProgramResult
  solve_quadratic_program(const FullMatrix<double> &S,
                          const std::vector<double> &b,
                          std::vector<double> &multipliers,
                          const double tolerance)
  {
    DualActiveSet active_set(S, b);
    active_set.start_from(multipliers);
    QuadraticProgramResult result = active_set.solve();
    multipliers                   = active_set.multipliers();
    for (unsigned int i = 0; i < b.size(); ++i)
      if (!(S(i, i) > 0.) && b[i] > tolerance)
        result.status = QuadraticProgramResult::Status::infeasible;
    return result;
  }
} // namespace Ricochet
