// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/projection/sparse_quadratic_program.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "dual_sweeps.h"
#include "row_products.h"

namespace Ricochet
{
  using dealii::Tensor;

  namespace
  {
    using QuadraticProgramTolerance::largest_missing;
    using QuadraticProgramTolerance::round_off;

    /** By how much the diagonal is made larger for the factor. */
    constexpr double shift = 1e-10;

    /** Faces that are solved between sweeps, and rounds of both. */
    constexpr unsigned int max_faces = 5, max_rounds = 200;

    /** Faces are given up after so many rounds in which none could be
     * approached by more than a small part of the way. */
    constexpr unsigned int max_idle_rounds = 2;
    constexpr double small_part            = 1e-4;

    /** What may then be missing, of what was missing at first: more the longer
     * it takes, up to a limit. */
    double
    rough_part(const unsigned int round)
    {
      constexpr double least = 1e-3, largest = 1e-2, rounds_of_least = 4.;
      return std::clamp(least * round / rounds_of_least, least, largest);
    }

    /** Larger faces than this are degenerate if they have more rows than nodes:
     * each node of a surface gives way in about one direction. */
    constexpr unsigned int small_face = 2000;

    /** Steps with the factor as preconditioner. */
    constexpr unsigned int max_steps = 10;

    /** Entries of the factor, per row, above which the rows depend on each
     * other too much for it to be of use, but for the smallest ones. */
    constexpr std::size_t max_filling = 40, small_filling = 200000;

    /** Steps to a face are halved so often at most. */
    constexpr unsigned int max_halvings = 40;

    /** A new order of rows is found once so large a part of them has none. */
    constexpr double largest_unordered_part = 0.05;

    constexpr unsigned int unordered = dealii::numbers::invalid_unsigned_int;



    template <int dim>
    class FaceIteration : public DualSweeps<dim>
    {
    public:
      using Status = QuadraticProgramResult::Status;

      FaceIteration(SparseRows<dim> rows,
                    const std::vector<double> &missing,
                    const std::vector<double> &start)
        : DualSweeps<dim>(std::move(rows), missing, start)
        , rank(A.size(), unordered)
      {}

      QuadraticProgramResult
      solve();

    private:
      using DualSweeps<dim>::A;
      using DualSweeps<dim>::b;
      using DualSweeps<dim>::largest_b;
      using DualSweeps<dim>::lambda;
      using DualSweeps<dim>::missing;
      using DualSweeps<dim>::add;
      using DualSweeps<dim>::n_positive;

      /** Whether too many multipliers are positive for a face. */
      bool
      is_degenerate() const
      {
        return n_positive() > std::max(small_face, A.n_nodes);
      }

      /** Make the positive multipliers optimal, and again those that are
       * left; whether that led anywhere. */
      bool
      solve_faces(unsigned int &n_faces);

      /** The rows with positive multipliers, in an order for the factor, and
       * their part of S. */
      void
      set_face();

      /** Where the rows of the face are optimal, minus where they are, by
       * conjugate gradients. */
      void
      find_step();

      /** Along the step, with those multipliers at zero that would be negative,
       * the best part of it; and whether there are any in all of it. */
      double
      find_part(bool &any_zero);

      void
      take_step(const double part);

      /** What the multiplier of a row of the face changes by. */
      double
      change(const unsigned int f, const double part) const
      {
        return std::max(-lambda[face[f]], part * step[f]);
      }

      // Of the face.
      std::vector<unsigned int> face, rank;
      unsigned int n_ordered = 0, n_ranked = 0;
      SymmetricRows S;
      RowProducts<dim> products;
      SparseFactor factor;
      double tolerance = 0.;
      std::vector<double> residuals, step, trial, product, direction, residual,
        z;
    };



    template <int dim>
    QuadraticProgramResult
    FaceIteration<dim>::solve()
    {
      QuadraticProgramResult result;
      double error = this->find_error();
      double last  = std::numeric_limits<double>::infinity();
      // A start that others have found is nearly right already.
      bool sweeps_first  = n_positive() == 0;
      const auto is_done = [&]() {
        double sum = 0., largest = 0.;
        for (const double value : lambda)
          {
            sum += value;
            largest = std::max(largest, value);
          }
        tolerance = round_off * (largest_b + largest);
        return error <= tolerance ||
               (error <= round_off * (largest_b + sum) && error >= 0.5 * last);
      };
      // And if it is degenerate already, so was what led there.
      unsigned int n_idle =
        !sweeps_first && is_degenerate() ? max_idle_rounds : 0;
      for (unsigned int round = 0; !is_done(); ++round)
        {
          result.is_rough = n_idle == max_idle_rounds;
          if (result.is_rough && error <= rough_part(round) * largest_b)
            break;
          if (round == max_rounds)
            {
              result.status = Status::iteration_limit;
              break;
            }
          last = error;
          if (result.is_rough)
            {
              error = this->approach(rough_part(round) * largest_b);
              continue;
            }
          if (sweeps_first)
            this->sweep();
          sweeps_first = true;
          n_idle       = solve_faces(result.n_iterations) ? 0 : n_idle + 1;
          error        = this->find_error();
        }
      if (result.status == Status::solved && !result.is_rough &&
          error > largest_missing * largest_b)
        result.status = Status::infeasible;
      result.n_active = n_positive();
      return result;
    }



    template <int dim>
    void
    FaceIteration<dim>::set_face()
    {
      face.clear();
      unsigned int n_unordered = 0;
      for (unsigned int i = 0; i < A.size(); ++i)
        if (lambda[i] > 0.)
          {
            face.push_back(i);
            n_unordered += rank[i] >= n_ordered ? 1 : 0;
          }
      if (n_unordered > largest_unordered_part * face.size())
        {
          products.set(A, face, S);
          const auto order = S.sparse_order();
          std::fill(rank.begin(), rank.end(), unordered);
          for (unsigned int f = 0; f < face.size(); ++f)
            rank[face[order[f]]] = f;
          n_ordered = n_ranked = face.size();
        }
      for (const unsigned int i : face)
        if (rank[i] == unordered)
          rank[i] = n_ranked++;
      std::sort(face.begin(),
                face.end(),
                [this](const unsigned int i, const unsigned int j) {
                  return rank[i] < rank[j];
                });
      products.set(A, face, S);
    }



    template <int dim>
    bool
    FaceIteration<dim>::solve_faces(unsigned int &n_faces)
    {
      if (is_degenerate())
        return false;
      double largest_part = 0.;
      bool any_zero       = true;
      for (unsigned int n = 0; n < max_faces && any_zero; ++n)
        {
          ++n_faces;
          set_face();
          if (face.empty())
            return true;
          if (!factor.reinit(S,
                             shift,
                             std::max(max_filling * face.size(),
                                      small_filling)))
            return false;
          residuals.clear();
          for (const unsigned int i : face)
            residuals.push_back(missing(i));
          find_step();
          const double part = find_part(any_zero);
          take_step(part);
          largest_part = std::max(largest_part, part);
          if (part <= small_part)
            break;
        }
      return largest_part > small_part;
    }



    template <int dim>
    void
    FaceIteration<dim>::find_step()
    {
      const unsigned int n = face.size();
      const auto scalar    = [n](const std::vector<double> &x,
                              const std::vector<double> &y) {
        return std::inner_product(x.begin(), x.begin() + n, y.begin(), 0.);
      };
      residual = residuals;
      step.assign(n, 0.);
      direction.clear();
      double last = 0.;
      for (unsigned int k = 0; k < max_steps; ++k)
        {
          z = residual;
          factor.solve(z);
          const double square = scalar(residual, z);
          if (direction.empty())
            direction = z;
          else
            for (unsigned int f = 0; f < n; ++f)
              direction[f] = z[f] + square / last * direction[f];
          last = square;
          S.multiply(direction, product);
          const double curvature = scalar(direction, product);
          // Along dependent rows there is nothing but round-off.
          if (!(curvature > round_off * square))
            {
              if (k == 0)
                step = direction;
              return;
            }
          double largest = 0.;
          for (unsigned int f = 0; f < n; ++f)
            {
              step[f] += square / curvature * direction[f];
              residual[f] -= square / curvature * product[f];
              largest = std::max(largest, std::abs(residual[f]));
            }
          if (largest <= 0.1 * tolerance)
            return;
        }
    }



    template <int dim>
    double
    FaceIteration<dim>::find_part(bool &any_zero)
    {
      const unsigned int n = face.size();
      trial.resize(n);
      double best = 0., best_part = 0., part = 1.;
      any_zero = false;
      for (unsigned int k = 0; k < max_halvings; ++k, part *= 0.5)
        {
          for (unsigned int f = 0; f < n; ++f)
            {
              trial[f] = change(f, part);
              if (trial[f] > part * step[f])
                any_zero = true;
            }
          S.multiply(trial, product);
          double value = 0.;
          for (unsigned int f = 0; f < n; ++f)
            value += trial[f] * (0.5 * product[f] - residuals[f]);
          if (value < best)
            {
              best      = value;
              best_part = part;
            }
          else if (best_part > 0.)
            break;
          // Where nothing is in the way, no part is better than the whole.
          if (!any_zero)
            break;
        }
      return best_part;
    }



    template <int dim>
    void
    FaceIteration<dim>::take_step(const double part)
    {
      for (unsigned int f = 0; f < face.size(); ++f)
        {
          const bool is_zero = lambda[face[f]] + part * step[f] <= 0.;
          add(face[f], change(f, part));
          if (is_zero)
            lambda[face[f]] = 0.;
        }
    }
  } // namespace



  template <int dim>
  QuadraticProgramResult
  solve_quadratic_program(SparseRows<dim> A,
                          const std::vector<double> &b,
                          std::vector<double> &multipliers)
  {
    FaceIteration<dim> iteration(std::move(A), b, multipliers);
    const QuadraticProgramResult result = iteration.solve();
    multipliers                         = iteration.multipliers();
    return result;
  }



#define RICOCHET_INSTANTIATE(dim)                               \
  template QuadraticProgramResult solve_quadratic_program<dim>( \
    SparseRows<dim>,                                            \
    const std::vector<double> &,                                \
    std::vector<double> &);

  RICOCHET_INSTANTIATE(1)
  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE
} // namespace Ricochet
