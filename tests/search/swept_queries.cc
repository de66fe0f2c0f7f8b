// SPDX-License-Identifier: LGPL-2.1-or-later

#include "swept_queries.h"

#include <cmath>
#include <limits>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  template <Kind kind>
  SweptQueries<kind>::SweptQueries(const unsigned long seed)
    : generator(seed)
  {}



  template <Kind kind>
  double
  SweptQueries<kind>::number()
  {
    if (on_grid)
      return 0.25 * (static_cast<int>(generator() % 9) - 4);
    return std::ldexp(static_cast<double>(generator() >> 11), -52) - 1.;
  }

  template <Kind kind>
  bool
  SweptQueries<kind>::one_in(const unsigned int n)
  {
    return generator() % n == 0;
  }

  template <Kind kind>
  typename SweptQueries<kind>::Vector
  SweptQueries<kind>::vector()
  {
    Vector result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = number();
    return result;
  }

  template <Kind kind>
  double
  SweptQueries<kind>::power_of_ten(const double low, const double high)
  {
    const double z = std::ldexp(static_cast<double>(generator() >> 11), -53);
    return std::pow(10., low + (high - low) * z);
  }

  template <Kind kind>
  double
  SweptQueries<kind>::weight()
  {
    switch (generator() % (on_grid ? 4 : 6))
      {
        case 0:
          return 0.;
        case 1:
          return 1.;
        case 2:
          return 0.5;
        case 3:
          return 0.25;
        case 4:
          return power_of_ten(-16., 0.);
        default:
          return 0.5 * (1. + number());
      }
  }



  template <Kind kind>
  template <typename VectorType>
  typename SweptQueries<kind>::Vector
  SweptQueries<kind>::gap(const std::array<VectorType, n_points> &y) const
  {
    const Vector on_edge = y[a] + s * (y[b] - y[a]);
    if constexpr (kind == Kind::vertex_edge)
      return y[0] - on_edge;
    else if constexpr (kind == Kind::vertex_triangle)
      return y[0] - (on_edge + u * (y[c] - on_edge));
    else
      return y[2] + u * (y[3] - y[2]) - on_edge;
  }

  template <Kind kind>
  template <typename VectorType>
  void
  SweptQueries<kind>::shift_second(std::array<VectorType, n_points> &y,
                                   const Vector &shift) const
  {
    if constexpr (kind == Kind::edge_edge)
      {
        y[2] += shift;
        y[3] += shift;
      }
    else
      y[0] += shift;
  }

  template <Kind kind>
  typename SweptQueries<kind>::Vector
  SweptQueries<kind>::normal() const
  {
    const Vector e = x[b] - x[a];
    if constexpr (kind == Kind::vertex_edge)
      return Vector({-e[1], e[0]});
    else
      return dealii::cross_product_3d(e,
                                      x[3] -
                                        x[kind == Kind::edge_edge ? 2 : a]);
  }



  template <Kind kind>
  void
  SweptQueries<kind>::make_parallel()
  {
    // Which point makes the second edge parallel to the first one; in the plane
    // the edge moves along itself.
    const Vector e      = x[b] - x[a];
    const double factor = one_in(4) ? 0. : 2. * number();
    const double turn   = one_in(2) ? 0. : number();
    v[b]                = v[a] + turn * e;
    if constexpr (kind == Kind::vertex_edge)
      v[0] = v[a] + factor * e;
    else
      {
        const unsigned int from = kind == Kind::edge_edge ? 2 : a;
        const Vector w          = one_in(2) ? v[b] - v[a] : vector();
        v[b]                    = v[a] + w;
        x[3]                    = x[from] + factor * e;
        v[3]                    = v[from] + factor * w;
      }
  }

  template <Kind kind>
  void
  SweptQueries<kind>::make_needle()
  {
    const double small = one_in(2) ? 1e-8 : power_of_ten(-8., -2.);
    if (kind == Kind::vertex_triangle && one_in(2))
      x[c] = x[a] + number() * (x[b] - x[a]) + small * vector();
    else
      {
        const unsigned int i = kind == Kind::edge_edge && one_in(2) ? 2 : a;
        x[i + 1]             = x[i] + small * vector();
      }
    const double motion = one_in(2) ? small : 1.;
    for (Vector &w : v)
      w *= motion;
  }

  template <Kind kind>
  void
  SweptQueries<kind>::make_tangential()
  {
    // The points that touch have the same velocity in the normal direction.
    shift_second(v, -gap(v));
    Vector along = number() * (x[b] - x[a]);
    if constexpr (kind == Kind::vertex_triangle)
      along += number() * (x[c] - x[a]);
    if constexpr (kind == Kind::edge_edge)
      along += number() * (x[3] - x[2]);
    shift_second(v, along);
  }



  template <Kind kind>
  void
  SweptQueries<kind>::make(const Category category)
  {
    on_grid =
      category == Category::grid || category == Category::coplanar ||
      ((category == Category::parallel || category == Category::tangential) &&
       one_in(2));
    const double motion = category == Category::fast     ? 1000.
                          : category == Category::random ? power_of_ten(-2., 1.)
                          : on_grid                      ? 1.
                                    : power_of_ten(-2., 0.);
    const Vector common = vector();
    for (unsigned int i = 0; i < n_points; ++i)
      {
        x[i] = Point<dim>(vector());
        v[i] = motion * vector();
        if (category == Category::at_rest)
          v[i] = one_in(8) ? Vector() : common;
        if (category == Category::sliding)
          v[i] = common + power_of_ten(-12., -1.) * vector();
        if (category == Category::coplanar)
          x[i][dim - 1] = v[i][dim - 1] = 0.;
      }
    if (category == Category::at_rest && !one_in(4))
      v.fill(common);
    t = on_grid ? 0.125 * (generator() % 9) : weight();
    s = weight();
    u = weight();

    if (category == Category::parallel)
      make_parallel();
    if (category == Category::needle)
      make_needle();
    const bool may_stay_apart =
      category == Category::grid || category == Category::coplanar ||
      category == Category::parallel || category == Category::fast;
    if (category == Category::random || (may_stay_apart && one_in(2)))
      return;
    if (category == Category::tangential)
      make_tangential();
    shift_second(x, -gap(x));
    if ((category == Category::sliding || category == Category::rotation) &&
        !one_in(4))
      {
        const Vector direction = one_in(2) ? normal() : vector();
        shift_second(x, power_of_ten(-16., -1.) * direction);
      }
  }



  template <Kind kind>
  void
  SweptQueries<kind>::turn(Points<kind> &begin, Points<kind> &end)
  {
    // exp(angle W) of a random skew matrix, as a series.
    Tensor<2, dim> w, term, rotation;
    for (unsigned int d = 0; d < dim; ++d)
      {
        term[d][d] = rotation[d][d] = 1.;
        for (unsigned int e = 0; e < d; ++e)
          {
            w[d][e] = number();
            w[e][d] = -w[d][e];
          }
      }
    w *= power_of_ten(-4., 0.5);
    for (unsigned int k = 1; k < 40; ++k)
      {
        term = term * w / k;
        rotation += term;
      }
    const Vector shift = one_in(2) ? Vector() : vector();
    for (unsigned int i = 0; i < n_points; ++i)
      {
        begin[i] = x[i];
        end[i]   = Point<dim>(rotation * Vector(x[i]) + shift);
      }
  }



  template <Kind kind>
  void
  SweptQueries<kind>::incline(Points<kind> &begin, Points<kind> &end)
  {
    // Exact with numbers on the grid.
    Tensor<2, dim> matrix;
    for (unsigned int d = 0; d < dim; ++d)
      for (unsigned int e = 0; e < dim; ++e)
        matrix[d][e] = static_cast<int>(generator() % 5) - 2;
    for (auto *points : {&begin, &end})
      for (auto &point : *points)
        point = Point<dim>(matrix * Vector(point));
  }



  template <Kind kind>
  void
  SweptQueries<kind>::change_last_digits(Points<kind> &points,
                                         const unsigned int n)
  {
    for (auto &point : points)
      for (unsigned int d = 0; d < dim; ++d)
        {
          const double unit =
            std::nextafter(std::abs(point[d]),
                           std::numeric_limits<double>::infinity()) -
            std::abs(point[d]);
          point[d] += unit * (static_cast<int>(generator() % (2 * n + 1)) -
                              static_cast<int>(n));
        }
  }



  template <Kind kind>
  void
  SweptQueries<kind>::change_units_and_place(Points<kind> &begin,
                                             Points<kind> &end)
  {
    const bool exactly = one_in(2);
    double scale       = 1.;
    if (one_in(2))
      scale = exactly ? std::ldexp(1., static_cast<int>(generator() % 61) - 30)
                      : power_of_ten(-9., 9.);
    Vector shift;
    if (one_in(4))
      {
        const double far = power_of_ten(0., 6.);
        shift            = far * vector();
        if (exactly)
          for (unsigned int d = 0; d < dim; ++d)
            shift[d] = std::round(shift[d]);
      }
    for (auto *points : {&begin, &end})
      for (auto &point : *points)
        point = Point<dim>(scale * (Vector(point) + shift));
  }



  template <Kind kind>
  void
  SweptQueries<kind>::next(const Category category,
                           Points<kind> &begin,
                           Points<kind> &end)
  {
    make(category);
    for (unsigned int i = 0; i < n_points; ++i)
      {
        begin[i] = x[i] - t * v[i];
        end[i]   = x[i] + (1. - t) * v[i];
      }
    if (category == Category::rotation)
      turn(begin, end);
    if (category == Category::coplanar && one_in(2))
      incline(begin, end);
    on_grid = false;
    change_units_and_place(begin, end);
    if (category == Category::near_miss || one_in(8))
      {
        const unsigned int n =
          category == Category::near_miss ? power_of_ten(0., 3.) : 1.;
        change_last_digits(begin, n);
        change_last_digits(end, n);
      }
  }



  template class SweptQueries<Kind::vertex_edge>;
  template class SweptQueries<Kind::vertex_triangle>;
  template class SweptQueries<Kind::edge_edge>;
} // namespace Ricochet
