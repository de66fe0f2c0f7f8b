// SPDX-License-Identifier: LGPL-2.1-or-later

#include "moving_pair.h"

#include <ricochet/search/closest_points.h>
#include <ricochet/search/swept_tests.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bernstein.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Features that are closer than this part of their extent are left to the
     * swept tests, which make facets larger by the tolerance of the border. */
    constexpr double tolerance = 4. * SweptTest::border_tolerance;

    /** Volumes below this part of the cube of the extent count as zero; their
     * rounding errors are about 1e-14. */
    constexpr double volume_tolerance = 1e-12;

    /** Steps towards the first zero of a volume. */
    constexpr unsigned int max_root_steps = 4;
  } // namespace



  template <int dim>
  MovingPair<dim>::MovingPair(const PairKind kind,
                              const Points &points_begin,
                              const Points &points_end)
    : kind(kind)
    , n_first(kind == PairKind::edge_edge ? 2 : dim)
  {
    double square = 0.;
    for (unsigned int i = 0; i < dim + 1; ++i)
      {
        begin[i] = points_begin[i] - points_begin[0];
        end[i]   = points_end[i] - points_end[0];
        square =
          std::max({square, begin[i].norm_square(), end[i].norm_square()});
      }
    extent = std::sqrt(square);
  }



  template <int dim>
  typename MovingPair<dim>::Vectors
  MovingPair<dim>::at(const double t) const
  {
    Vectors x;
    for (unsigned int i = 0; i < dim + 1; ++i)
      x[i] = (1. - t) * begin[i] + t * end[i];
    return x;
  }



  template <int dim>
  bool
  MovingPair<dim>::separates(const Vector &normal,
                             const double t,
                             const double u,
                             const double distance) const
  {
    std::array<double, dim + 1> at_begin, at_end;
    for (unsigned int i = 0; i < dim + 1; ++i)
      {
        at_begin[i] = normal * begin[i];
        at_end[i]   = normal * end[i];
      }
    double low  = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double time : {t, u})
      {
        std::array<double, dim + 1> x;
        for (unsigned int i = 0; i < dim + 1; ++i)
          x[i] = (1. - time) * at_begin[i] + time * at_end[i];
        const auto first  = std::minmax_element(x.begin(), x.begin() + n_first);
        const auto second = std::minmax_element(x.begin() + n_first, x.end());
        low               = std::min(low, *second.first - *first.second);
        high              = std::max(high, *second.second - *first.first);
      }
    const double least = distance * normal.norm();
    return low > least || high < -least;
  }



  template <int dim>
  typename MovingPair<dim>::Vector
  MovingPair<dim>::line_of_centres() const
  {
    Vector result;
    for (unsigned int i = 1; i < dim + 1; ++i)
      result += (i < n_first ? -1. / n_first : 1. / (dim + 1 - n_first)) *
                (begin[i] + end[i]);
    return result;
  }



  template <>
  Tensor<1, 2>
  MovingPair<2>::common_normal() const
  {
    return cross_product_2d(begin[1] + end[1]);
  }



  template <>
  Tensor<1, 3>
  MovingPair<3>::common_normal() const
  {
    const Vector a = begin[1] + end[1], b = begin[2] + end[2];
    return cross_product_3d(a,
                            kind == PairKind::vertex_facet
                              ? b
                              : begin[3] + end[3] - b);
  }



  template <>
  Tensor<1, 3>
  MovingPair<3>::closest_direction(const double t) const
  {
    const Vectors x = at(t);
    if (kind == PairKind::edge_edge)
      {
        const auto closest = closest_points_of_segments(Point<3>(x[0]),
                                                        Point<3>(x[1]),
                                                        Point<3>(x[2]),
                                                        Point<3>(x[3]));
        return x[2] + closest.second * (x[3] - x[2]) - closest.first * x[1];
      }
    const auto closest = closest_point_on_facet(
      Point<3>(x[3]),
      {{Point<3>(x[0]), Point<3>(x[1]), Point<3>(x[2])}});
    return x[3] - closest.weights[1] * x[1] - closest.weights[2] * x[2];
  }



  template <>
  bool
  MovingPair<2>::pass_by(const double) const
  {
    return false;
  }



  template <>
  bool
  MovingPair<3>::pass_by(const double reach) const
  {
    if (!separates(closest_direction(1.), 1., 1., reach + tolerance * extent))
      return false;

    // The volume of u, v and w as a polynomial of third degree in time.
    const unsigned int k = kind == PairKind::vertex_facet ? 0 : 2;
    const unsigned int l = kind == PairKind::vertex_facet ? 2 : 3;
    const Vector &u_0 = begin[1], &u_1 = end[1];
    const Vector v_0 = begin[l] - begin[k], v_1 = end[l] - end[k];
    const Vector &w_0 = begin[3], &w_1 = end[3];
    const Vector n_0 = cross_product_3d(u_0, v_0);
    const Vector n_1 = cross_product_3d(u_1, v_1);
    const Vector n_m = cross_product_3d(u_0, v_1) + cross_product_3d(u_1, v_0);
    std::array<double, 4> volume{{n_0 * w_0,
                                  (n_0 * w_1 + n_m * w_0) / 3.,
                                  (n_1 * w_0 + n_m * w_1) / 3.,
                                  n_1 * w_1}};

    // How long it keeps its sign from the start on, and until the end.
    const auto keeps_sign_until = [&]() {
      if (volume[0] < 0.)
        for (double &c : volume)
          c = -c;
      return Bernstein::positive_until<3>(volume,
                                          0.,
                                          volume_tolerance * extent * extent *
                                            extent,
                                          max_root_steps);
    };
    const double first = keeps_sign_until();
    std::reverse(volume.begin(), volume.end());
    const double last = 1. - keeps_sign_until();
    return first > last || separates(closest_direction(0.5 * (first + last)),
                                     first,
                                     last,
                                     tolerance * extent);
  }



  template <int dim>
  bool
  MovingPair<dim>::is_apart(const double reach) const
  {
    const double distance = reach + tolerance * extent;
    return separates(line_of_centres(), 0., 1., distance) ||
           separates(common_normal(), 0., 1., distance) || pass_by(reach);
  }



  template class MovingPair<2>;
  template class MovingPair<3>;
} // namespace Ricochet
