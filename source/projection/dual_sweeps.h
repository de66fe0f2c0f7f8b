// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_projection_dual_sweeps_h
#define ricochet_source_projection_dual_sweeps_h

#include <ricochet/projection/sparse_quadratic_program.h>

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace Ricochet
{
  /**
   * The multipliers of many constraints with sparse rows of unit length, and
   * sweeps that make one after the other optimal for itself (Hildreth, 1957):
   *
   *   min 1/2 |u|^2 - b . lambda,   u = A' lambda,   lambda >= 0.
   *
   * Of sweeps that are to go on alone, every second one starts beyond where the
   * last two led, by the momentum of an accelerated descent (Nesterov, 1983),
   * which is lost when the objective grows. And where only some rows still miss
   * much, only these and their neighbors are swept.
   */
  template <int dim>
  class DualSweeps
  {
  public:
    /** @param[in] rows Scaled to unit length here.
     * @param[in] missing As b of solve_quadratic_program().
     * @param[in] start Multipliers; empty: zero. */
    DualSweeps(SparseRows<dim> rows,
               const std::vector<double> &missing,
               const std::vector<double> &start);

    /** Back in the units of the rows as they were given. */
    std::vector<double>
    multipliers() const;

    /** Sweep over all rows, and again over those near their bound. */
    void
    sweep();

    /** The largest violation of any row, from multipliers alone: sets u. */
    double
    find_error();

    /** A round of sweeps after which find_error() is closer to @p enough, which
     * it is above; the largest violation. Not before the first find_error(). */
    double
    approach(const double enough);

  protected:
    /** The number of positive multipliers. */
    unsigned int
    n_positive() const;

    /** What is missing of a row. */
    double
    missing(const unsigned int i) const
    {
      double sum = b[i];
      for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
        sum -= A.entries[k] * u[A.nodes[k]];
      return sum;
    }

    /** Change the multiplier of a row. */
    void
    add(const unsigned int i, const double change)
    {
      lambda[i] += change;
      for (std::size_t k = A.begin[i]; k < A.begin[i + 1]; ++k)
        u[A.nodes[k]] += change * A.entries[k];
    }

    SparseRows<dim> A;
    std::vector<double> scale, b;
    double largest_b = 0.;

    std::vector<double> lambda;
    std::vector<dealii::Tensor<1, dim>> u; // A' lambda

  private:
    /** Make a row optimal for itself. */
    void
    relax(const unsigned int i)
    {
      const double step = missing(i);
      if (step > -lambda[i])
        add(i, step);
      else if (lambda[i] > 0.)
        {
          add(i, -lambda[i]);
          lambda[i] = 0.;
        }
    }

    /** The same for some rows, forth or back. */
    void
    relax(const std::vector<unsigned int> &rows, const bool forth);

    /** How much a row violates its condition. */
    double
    violation(const unsigned int i) const
    {
      const double value = missing(i);
      return lambda[i] > 0. ? std::abs(value) : std::max(0., value);
    }

    /** Relax all rows, and note down those near their bound. */
    void
    sweep_all();

    /** Go on in the direction of the last two sweeps. */
    void
    extrapolate();

    /** Sweep over the rows that miss more than a part of @p enough, and their
     * neighbors; false, and nothing is done, if these are too many. */
    bool
    sweep_worst(const double enough);

    /** Rows that have a node in common with these, in order. */
    std::vector<unsigned int>
    neighbors(const std::vector<unsigned int> &rows);

    std::vector<unsigned int> near;
    std::vector<double> violations;

    // Where extrapolations start from, and their momentum; zero if there is
    // none.
    std::vector<double> last_lambda;
    std::vector<dealii::Tensor<1, dim>> last_u;
    double momentum = 0., last_objective = 0.;

    // The rows at each node.
    std::vector<unsigned int> first_at_node, at_node;
    std::vector<char> is_found;
  };
} // namespace Ricochet

#endif
