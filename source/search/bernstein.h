// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_bernstein_h
#define ricochet_source_search_bernstein_h

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <array>
#include <limits>

namespace Ricochet
{
  /** Polynomials on [0,1] by their Bernstein coefficients. */
  namespace Bernstein
  {
    using dealii::Tensor;

    /** Stands for a time after 1. */
    constexpr double beyond = 2.;

    /** Smaller steps of a root finder are round-off. */
    constexpr double smallest_root_step =
      2. * std::numeric_limits<double>::epsilon();



    /** More than the relative rounding errors of a part of an interval. */
    constexpr double interval_error =
      4. * std::numeric_limits<double>::epsilon();



    /**
     * Bernstein coefficients on [t,r], 0 <= t < r <= 1, of the polynomial with
     * coefficients @p c on [0,1] (de Casteljau's algorithm). Where r < 1,
     * rounding makes the interval longer than that, never shorter.
     */
    template <unsigned int degree>
    std::array<double, degree + 1>
    control_points(const std::array<double, degree + 1> &c,
                   const double t,
                   const double r)
    {
      std::array<double, degree + 1> g = c;
      if (t > 0.)
        for (unsigned int k = 1; k <= degree; ++k)
          for (unsigned int j = 0; j + k <= degree; ++j)
            g[j] = (1. - t) * g[j] + t * g[j + 1];
      if (r < 1.)
        {
          const double s = (1. + interval_error) * ((r - t) / (1. - t));
          for (unsigned int k = 1; k <= degree; ++k)
            for (unsigned int j = degree; j >= k; --j)
              g[j] = (1. - s) * g[j - 1] + s * g[j];
        }
      return g;
    }



    /**
     * A time up to which the polynomial with Bernstein coefficients @p c on
     * [0,1] is larger than @p error, starting from time @p t; @p t if it is not
     * so there, and @p beyond if it is so until 1.
     *
     * A polynomial lies in the convex hull of its control points, so it cannot
     * vanish before the hull does: Bezier clipping (Sederberg and Nishita,
     * 1990), from one side.
     *
     * The exact polynomial is positive until then, in spite of all rounding
     * errors, if @p error is at least (a + 8 degree + 1) u s. Here u is half an
     * epsilon, s bounds the magnitudes of the coefficients, and a u s their
     * errors. For each level of de Casteljau's algorithm adds at most 3 u s (a
     * weight, a product, a sum), which is 6 degree u s for both directions, and
     * the subtraction of @p error adds u s. Intervals are looked at with more,
     * and the way to the crossing of the hull is gone with less than their
     * relative errors (3 u and 7 u). Left is the error of the sum of t and that
     * way, at most u: the slope of the polynomial is at most 2 degree s.
     */
    template <unsigned int degree>
    double
    positive_until(const std::array<double, degree + 1> &c,
                   double t,
                   const double error,
                   const unsigned int max_root_steps)
    {
      // Look at [t,r] only: far control points would spoil the convergence.
      double r = 1.;
      for (unsigned int step = 0; step < max_root_steps; ++step)
        {
          std::array<double, degree + 1> g = control_points<degree>(c, t, r);
          bool all_positive                = true;
          for (double &value : g)
            {
              value -= error;
              all_positive = all_positive && value > 0.;
            }
          if (all_positive)
            {
              if (r == 1.)
                return beyond;
              const double width = r - t;
              t                  = r;
              r                  = std::min(1., t + 8. * width);
              continue;
            }
          if (!(g[0] > 0.))
            return t;

          double crossing = degree;
          for (unsigned int j = 1; j <= degree; ++j)
            if (!(g[j] > 0.))
              for (unsigned int i = 0; i < j; ++i)
                if (g[i] > 0.)
                  crossing =
                    std::min(crossing, i + (j - i) * g[i] / (g[i] - g[j]));
          const double way = crossing / degree * (r - t);
          const double next =
            std::min(1., t + (1. - 2. * interval_error) * way);
          if (!(next > t + smallest_root_step))
            return t;
          r = std::min(1., next + 2. * (next - t));
          t = next;
        }
      return t;
    }



    /** Bernstein coefficients of the product of two linear functions. */
    template <int dim>
    std::array<double, 3>
    product(const Tensor<1, dim> &a_0,
            const Tensor<1, dim> &a_1,
            const Tensor<1, dim> &b_0,
            const Tensor<1, dim> &b_1)
    {
      return {{a_0 * b_0, 0.5 * (a_0 * b_1 + a_1 * b_0), a_1 * b_1}};
    }



    /** Bernstein coefficients of the product of two quadratic functions. */
    inline std::array<double, 5>
    product(const std::array<double, 3> &a, const std::array<double, 3> &b)
    {
      return {{a[0] * b[0],
               0.5 * (a[0] * b[1] + a[1] * b[0]),
               (a[0] * b[2] + 4. * (a[1] * b[1]) + a[2] * b[0]) / 6.,
               0.5 * (a[1] * b[2] + a[2] * b[1]),
               a[2] * b[2]}};
    }
  } // namespace Bernstein
} // namespace Ricochet

#endif
