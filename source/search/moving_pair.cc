// SPDX-License-Identifier: LGPL-2.1-or-later

#include "moving_pair.h"

#include <ricochet/search/swept_tests.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bernstein.h"
#include "paths.h"

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    static_assert(plane_tolerance == 4. * SweptTest::border_tolerance,
                  "Quick proofs leave room for the swept tests.");

    /** Steps towards the first zero of a volume. */
    constexpr unsigned int max_root_steps = 4;
  } // namespace



  template <class Features>
  MovingPair<Features>::MovingPair(const Points &points_begin,
                                   const Points &points_end)
  {
    double square = 0.;
    for (unsigned int i = 0; i < dim + 1; ++i)
      {
        begin[i] = points_begin[i] - points_begin[base];
        end[i]   = points_end[i] - points_end[base];
        square =
          std::max({square, begin[i].norm_square(), end[i].norm_square()});
      }
    extent = std::sqrt(square);
  }



  template <class Features>
  typename MovingPair<Features>::Vectors
  MovingPair<Features>::at(const double t) const
  {
    Vectors x;
    for (unsigned int i = 0; i < dim + 1; ++i)
      x[i] = (1. - t) * begin[i] + t * end[i];
    return x;
  }



  template <class Features>
  bool
  MovingPair<Features>::separates(const Vector &normal,
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
        const auto extremes = [&x](const unsigned int first,
                                   const unsigned int n) {
          return std::minmax_element(x.begin() + first, x.begin() + first + n);
        };
        const auto a = extremes(base, n_base), b = extremes(other, n_other);
        low  = std::min(low, *b.first - *a.second);
        high = std::max(high, *b.second - *a.first);
      }
    const double least = distance * normal.norm();
    return low > least || high < -least;
  }



  template <class Features>
  typename MovingPair<Features>::Vector
  MovingPair<Features>::line_of_centres() const
  {
    Vector result;
    for (unsigned int i = base + 1; i < base + n_base; ++i)
      result += -1. / n_base * (begin[i] + end[i]);
    for (unsigned int i = other; i < other + n_other; ++i)
      result += 1. / n_other * (begin[i] + end[i]);
    return result;
  }



  template <class Features>
  typename MovingPair<Features>::Vector
  MovingPair<Features>::common_normal() const
  {
    const Vector a = begin[base + 1] + end[base + 1];
    if constexpr (dim == 2)
      return cross_product_2d(a);
    else if constexpr (is_edges)
      return cross_product_3d(a, begin[3] + end[3] - (begin[2] + end[2]));
    else
      return cross_product_3d(a, begin[3] + end[3]);
  }



  template <class Features>
  typename MovingPair<Features>::Vector
  MovingPair<Features>::closest_direction(const double t) const
  {
    const Vectors x = at(t);
    Points points;
    std::copy(x.begin(), x.end(), points.begin());
    const auto closest = Features::closest(points);
    if constexpr (is_edges)
      return x[2] + closest.second * (x[3] - x[2]) - closest.first * x[1];
    else
      {
        Vector result = x[0];
        for (unsigned int i = 1; i < dim; ++i)
          result -= closest.weights[i] * x[base + i];
        return result;
      }
  }



  template <class Features>
  bool
  MovingPair<Features>::pass_by(const double reach) const
  {
    if constexpr (dim == 3)
      {
        if (!separates(closest_direction(1.),
                       1.,
                       1.,
                       reach + plane_tolerance * extent))
          return false;

        // The volume of u, v and w as a polynomial of third degree in time: two
        // sides of the facet and the vertex, or both edges and their distance.
        const unsigned int w = is_edges ? 3 : 0;
        const Vector &u_0 = begin[base + 1], &u_1 = end[base + 1];
        const Vector v_0 = begin[3] - begin[is_edges ? 2 : 1],
                     v_1 = end[3] - end[is_edges ? 2 : 1];
        const Vector n_0 = cross_product_3d(u_0, v_0);
        const Vector n_1 = cross_product_3d(u_1, v_1);
        const Vector n_m =
          cross_product_3d(u_0, v_1) + cross_product_3d(u_1, v_0);
        std::array<double, 4> volume{{n_0 * begin[w],
                                      (n_0 * end[w] + n_m * begin[w]) / 3.,
                                      (n_1 * begin[w] + n_m * end[w]) / 3.,
                                      n_1 * end[w]}};

        // How long it keeps its sign from the start on, and until the end.
        const auto keeps_sign_until = [&]() {
          if (volume[0] < 0.)
            for (double &c : volume)
              c = -c;
          return Bernstein::positive_until<3>(volume,
                                              0.,
                                              volume_tolerance * extent *
                                                extent * extent,
                                              max_root_steps);
        };
        const double first = keeps_sign_until();
        std::reverse(volume.begin(), volume.end());
        const double last = 1. - keeps_sign_until();
        return first > last ||
               separates(closest_direction(0.5 * (first + last)),
                         first,
                         last,
                         plane_tolerance * extent);
      }
    return false;
  }



  template <class Features>
  bool
  MovingPair<Features>::is_apart(const double reach) const
  {
    const double distance = reach + plane_tolerance * extent;
    return separates(line_of_centres(), 0., 1., distance) ||
           separates(common_normal(), 0., 1., distance) || pass_by(reach);
  }



  template class MovingPair<VertexFacet<2>>;
  template class MovingPair<VertexFacet<3>>;
  template class MovingPair<EdgeEdge>;
} // namespace Ricochet
