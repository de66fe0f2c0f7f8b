// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_search_swept_reference_h
#define ricochet_tests_search_swept_reference_h

#include <deal.II/base/point.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <vector>

namespace Ricochet
{
  // Swept tests by another route: the roots of the determinant, found by
  // bisection in 50 digits, with the weights of the common point at each.

  using Real = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float_50::backend_type,
    boost::multiprecision::et_off>;

  /** Coefficients of 1, t, t^2, ... */
  using Polynomial = std::vector<Real>;

  enum class Kind
  {
    vertex_edge,
    vertex_triangle,
    edge_edge
  };

  constexpr int
  dimension(const Kind kind)
  {
    return kind == Kind::vertex_edge ? 2 : 3;
  }

  /** The points of a pair, in the order of the functions' arguments. */
  template <Kind kind>
  using Points =
    std::array<dealii::Point<dimension(kind)>, dimension(kind) + 1>;



  inline Polynomial
  operator*(const Polynomial &a, const Polynomial &b)
  {
    Polynomial result(a.size() + b.size() - 1, Real(0));
    for (unsigned int i = 0; i < a.size(); ++i)
      for (unsigned int j = 0; j < b.size(); ++j)
        result[i + j] += a[i] * b[j];
    return result;
  }



  inline Polynomial
  operator-(Polynomial a, const Polynomial &b)
  {
    for (unsigned int i = 0; i < a.size(); ++i)
      a[i] -= b[i];
    return a;
  }



  inline Real
  value(const Polynomial &p, const Real &t)
  {
    Real result = 0;
    for (unsigned int i = p.size(); i-- > 0;)
      result = result * t + p[i];
    return result;
  }



  /** Zeros in [0,1], by bisection between those of the derivative. */
  inline std::vector<Real>
  zeros(const Polynomial &p)
  {
    if (p.size() < 2)
      return {};
    Polynomial derivative;
    for (unsigned int i = 1; i < p.size(); ++i)
      derivative.push_back(i * p[i]);
    std::vector<Real> limits = zeros(derivative), result;
    limits.insert(limits.begin(), Real(0));
    limits.push_back(Real(1));
    for (unsigned int k = 0; k + 1 < limits.size(); ++k)
      {
        Real low = limits[k], high = limits[k + 1];
        const bool rises = value(p, low) < 0;
        if (rises == (value(p, high) < 0))
          continue;
        for (unsigned int i = 0; i < 140; ++i)
          {
            const Real middle                              = (low + high) / 2;
            ((value(p, middle) < 0) == rises ? low : high) = middle;
          }
        result.push_back(low);
      }
    return result;
  }



  template <int dim>
  using RealVector = std::array<Real, dim>;

  inline RealVector<3>
  cross(const RealVector<3> &a, const RealVector<3> &b)
  {
    return {{a[1] * b[2] - a[2] * b[1],
             a[2] * b[0] - a[0] * b[2],
             a[0] * b[1] - a[1] * b[0]}};
  }

  template <std::size_t dim>
  Real
  dot(const std::array<Real, dim> &a, const std::array<Real, dim> &b)
  {
    Real sum = 0;
    for (unsigned int d = 0; d < dim; ++d)
      sum += a[d] * b[d];
    return sum;
  }



  /** The pair in 50 digits, with everything relative to its first point. */
  template <Kind kind>
  struct Reference
  {
    static constexpr int dim = dimension(kind);

    Reference(const Points<kind> &begin, const Points<kind> &end)
    {
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int d = 0; d < dim; ++d)
          {
            const Real a = Real(begin[i + 1][d]) - Real(begin[0][d]);
            const Real b = Real(end[i + 1][d]) - Real(end[0][d]);
            rows[i][d]   = {a, b - a};
          }
    }

    /** The determinant of the differences, zero when all points are in one
     * plane (line). */
    Polynomial
    determinant() const
    {
      const auto minor = [&](const unsigned int i, const unsigned int j) {
        return rows[dim - 2][i] * rows[dim - 1][j] -
               rows[dim - 2][j] * rows[dim - 1][i];
      };
      if constexpr (dim == 2)
        return minor(0, 1);
      else
        {
          Polynomial sum(4, Real(0));
          for (unsigned int d = 0; d < 3; ++d)
            {
              const Polynomial term =
                rows[0][d] * minor((d + 1) % 3, (d + 2) % 3);
              for (unsigned int i = 0; i < 4; ++i)
                sum[i] += term[i];
            }
          return sum;
        }
    }

    /**
     * At a zero of the determinant: the smallest of all weights of the common
     * point (positive inside both features).
     */
    Real
    smallest_weight(const Real &t) const
    {
      std::array<RealVector<dim>, dim> x;
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int d = 0; d < dim; ++d)
          x[i][d] = value(rows[i][d], t);
      if constexpr (kind == Kind::vertex_edge)
        {
          const Real w = dot(x[1], x[0]) / dot(x[0], x[0]);
          return std::min<Real>(w, 1 - w);
        }
      else if constexpr (kind == Kind::vertex_triangle)
        {
          const auto n   = cross(x[0], x[1]);
          const Real w_1 = dot(cross(x[2], x[1]), n) / dot(n, n);
          const Real w_2 = dot(cross(x[0], x[2]), n) / dot(n, n);
          return std::min<Real>(w_1, std::min<Real>(w_2, 1 - w_1 - w_2));
        }
      else
        {
          // s x_0 = x_1 + u (x_2 - x_1)
          RealVector<3> f;
          for (unsigned int d = 0; d < 3; ++d)
            f[d] = x[2][d] - x[1][d];
          const auto n = cross(x[0], f);
          const Real s = dot(cross(x[1], f), n) / dot(n, n);
          const Real u = dot(cross(x[1], x[0]), n) / dot(n, n);
          return std::min<Real>(std::min<Real>(s, 1 - s),
                                std::min<Real>(u, 1 - u));
        }
    }

    std::array<std::array<Polynomial, dim>, dim> rows;
  };



  enum class Answer
  {
    hit,
    miss,
    unclear // within a small distance of changing
  };

  template <Kind kind>
  Answer
  reference_answer(const Points<kind> &begin,
                   const Points<kind> &end,
                   double &time)
  {
    constexpr double margin = 1e-7;
    const Reference<kind> reference(begin, end);
    const Polynomial p = reference.determinant();
    Real scale         = 0;
    for (const Real &c : p)
      scale += abs(c);

    // Zeros must be clearly there and clearly apart.
    Polynomial derivative;
    for (unsigned int i = 1; i < p.size(); ++i)
      derivative.push_back(i * p[i]);
    std::vector<Real> extrema = zeros(derivative);
    extrema.push_back(Real(0));
    extrema.push_back(Real(1));
    for (const Real &t : extrema)
      if (abs(value(p, t)) < margin * scale)
        return Answer::unclear;

    for (const Real &t : zeros(p))
      {
        const Real weight = reference.smallest_weight(t);
        if (abs(weight) < margin)
          return Answer::unclear;
        if (weight > 0)
          {
            time = double(t);
            return Answer::hit;
          }
      }
    return Answer::miss;
  }
} // namespace Ricochet

#endif
