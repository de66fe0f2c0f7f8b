// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_moving_lanes_simd_h
#define ricochet_source_search_moving_lanes_simd_h

#include "conditions.simd.h"

// For kernel source files only, see ricochet/base/simd.h.

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    /** A vector in space, one in each lane. */
    template <int dim>
    struct LaneVector
    {
      Vector x[dim];
    };



    template <int dim>
    inline __attribute__((always_inline)) LaneVector<dim>
    operator+(const LaneVector<dim> &a, const LaneVector<dim> &b)
    {
      LaneVector<dim> result;
      for (int d = 0; d < dim; ++d)
        result.x[d] = a.x[d] + b.x[d];
      return result;
    }



    template <int dim>
    inline __attribute__((always_inline)) LaneVector<dim>
    operator-(const LaneVector<dim> &a, const LaneVector<dim> &b)
    {
      LaneVector<dim> result;
      for (int d = 0; d < dim; ++d)
        result.x[d] = a.x[d] - b.x[d];
      return result;
    }



    template <int dim>
    inline __attribute__((always_inline)) LaneVector<dim>
    operator*(const Vector s, const LaneVector<dim> &a)
    {
      LaneVector<dim> result;
      for (int d = 0; d < dim; ++d)
        result.x[d] = s * a.x[d];
      return result;
    }



    template <int dim>
    inline __attribute__((always_inline)) Vector
    dot(const LaneVector<dim> &a, const LaneVector<dim> &b)
    {
      Vector result = a.x[0] * b.x[0];
      for (int d = 1; d < dim; ++d)
        result += a.x[d] * b.x[d];
      return result;
    }



    inline __attribute__((always_inline)) LaneVector<3>
    cross(const LaneVector<3> &a, const LaneVector<3> &b)
    {
      return {{a.x[1] * b.x[2] - a.x[2] * b.x[1],
               a.x[2] * b.x[0] - a.x[0] * b.x[2],
               a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
    }



    inline __attribute__((always_inline)) Vector
    clamp_to_unit(const Vector a)
    {
      return minimum(maximum(a, Vector{}), broadcast(1.));
    }



    /**
     * The shortest vector found so far from one feature to another. Vectors
     * that are not numbers are never shorter.
     */
    template <int dim>
    struct Shortest
    {
      LaneVector<dim> vector = {};
      Vector square          = broadcast(1e300);

      /** The squared sine between the edges that span a plane. */
      Vector sine_square = broadcast(1.);

      inline __attribute__((always_inline)) void
      consider(const LaneVector<dim> &other, const Condition is_valid)
      {
        const Vector other_square = dot(other, other);
        const Condition better    = less(other_square, square) & is_valid;
        square                    = choose(better, other_square, square);
        for (int d = 0; d < dim; ++d)
          vector.x[d] = choose(better, other.x[d], vector.x[d]);
      }
    };



    /**
     * One pair of features in each lane on their ways through a step, and quick
     * proofs of what becomes of them, as in MovingPair, whose conventions hold
     * here: the first point of the base, the facet or the first edge, is the
     * origin at all times.
     */
    template <int dim, bool is_edges>
    struct MovingLanes
    {
      using Point = LaneVector<dim>;

      static constexpr int base = is_edges ? 0 : 1, other = is_edges ? 2 : 0,
                           n_base  = is_edges ? 2 : dim,
                           n_other = dim + 1 - n_base;

      Point begin[dim + 1], end[dim + 1];

      /** The largest distance from the origin. */
      inline __attribute__((always_inline)) Vector
      extent() const
      {
        Vector square = Vector{};
        for (int i = 0; i < dim + 1; ++i)
          square =
            maximum(square,
                    maximum(dot(begin[i], begin[i]), dot(end[i], end[i])));
        return square_root(square);
      }

      /** Where a plane across @p normal keeps the features further apart than
       * @p distance on their whole way. */
      inline __attribute__((always_inline)) Condition
      are_separated(const Point &normal, const Vector distance) const
      {
        Vector low = broadcast(1e300), high = broadcast(-1e300);
        for (int time = 0; time < 2; ++time)
          {
            const Point *const x = time == 0 ? begin : end;
            Vector value[dim + 1];
            for (int i = 0; i < dim + 1; ++i)
              value[i] = i == base ? Vector{} : dot(normal, x[i]);
            Vector least = value[base], most = value[base];
            for (int i = base + 1; i < base + n_base; ++i)
              {
                least = minimum(least, value[i]);
                most  = maximum(most, value[i]);
              }
            for (int i = other; i < other + n_other; ++i)
              {
                low  = minimum(low, value[i] - most);
                high = maximum(high, value[i] - least);
              }
          }
        const Vector gap = maximum(low, -high);
        return less(Vector{}, gap) &
               less(distance * distance * dot(normal, normal), gap * gap);
      }

      /**
       * The volume between the features, a polynomial of third degree in time,
       * by its Bernstein coefficients. They are in one plane at its zeros.
       */
      struct Volume
      {
        Vector values[4];

        /** Where all coefficients, so all volumes, have one sign, by more than
         * @p tolerance. */
        inline __attribute__((always_inline)) Condition
        keeps_sign(const Vector tolerance) const
        {
          Vector least = values[0], most = values[0];
          for (int i = 1; i < 4; ++i)
            {
              least = minimum(least, values[i]);
              most  = maximum(most, values[i]);
            }
          return less(tolerance, least) | less(tolerance, -most);
        }

        /**
         * The only zero, by Newton's method from where the secant has it.
         *
         * @return Where there is one and no other, since the coefficients
         *   change their sign once, by more than @p tolerance at both ends; and
         *   the method has settled.
         */
        inline __attribute__((always_inline)) Condition
        find_zero(const Vector tolerance, Vector &time) const
        {
          const Condition is_down =
            less(tolerance, values[0]) & less(tolerance, -values[3]);
          const Condition is_up =
            less(tolerance, -values[0]) & less(tolerance, values[3]);
          const Vector zero{};
          const Condition is_single =
            (is_down & (less(zero, values[1]) | less(values[2], zero))) |
            (is_up & (less(values[1], zero) | less(zero, values[2])));

          Vector change = broadcast(1.);
          time          = values[0] / (values[0] - values[3]);
          for (unsigned int n = 0; n < newton_steps; ++n)
            {
              Vector value, slope;
              evaluate(time, value, slope);
              change = value / slope;
              time   = clamp_to_unit(time - change);
            }
          return is_single &
                 less(change * change, broadcast(settled * settled));
        }

      private:
        static constexpr unsigned int newton_steps = 5;
        static constexpr double settled            = 1e-9;

        /** By de Casteljau's scheme. */
        inline __attribute__((always_inline)) void
        evaluate(const Vector t, Vector &value, Vector &slope) const
        {
          Vector b[3], c[2];
          for (int i = 0; i < 3; ++i)
            b[i] = values[i] + t * (values[i + 1] - values[i]);
          for (int i = 0; i < 2; ++i)
            c[i] = b[i] + t * (b[i + 1] - b[i]);
          value = c[0] + t * (c[1] - c[0]);
          slope = 3. * (c[1] - c[0]);
        }
      };

      inline __attribute__((always_inline)) Volume
      volume() const
      {
        constexpr int w = is_edges ? 3 : 0, from = is_edges ? 2 : 1;
        const Point u_0 = begin[base + 1], u_1 = end[base + 1];
        const Point v_0 = begin[3] - begin[from], v_1 = end[3] - end[from];
        const Point n_0 = cross(u_0, v_0), n_1 = cross(u_1, v_1);
        const Point n_m = cross(u_0, v_1) + cross(u_1, v_0);
        return {{dot(n_0, begin[w]),
                 (dot(n_0, end[w]) + dot(n_m, begin[w])) / 3.,
                 (dot(n_1, begin[w]) + dot(n_m, end[w])) / 3.,
                 dot(n_1, end[w])}};
      }

      /** Where the features, which are in one plane at @p time, are there on
       * each other, and not next to the border. */
      inline __attribute__((always_inline)) Condition
      are_on_each_other(const Vector time) const
      {
        Point x[dim + 1];
        for (int i = 0; i < dim + 1; ++i)
          x[i] = begin[i] + time * (end[i] - begin[i]);
        const auto is_inside = [](const Vector weight) {
          return less(broadcast(inner_weight), weight);
        };
        const Vector one = broadcast(1.);
        if constexpr (is_edges)
          {
            const Point e_1 = x[1], e_2 = x[3] - x[2], n = cross(e_1, e_2);
            const Vector n_square = dot(n, n);
            const Vector s        = dot(cross(x[2], e_2), n) / n_square;
            const Vector t        = dot(cross(x[2], e_1), n) / n_square;
            return is_spanning(n_square, e_1, e_2) & is_inside(s) &
                   is_inside(one - s) & is_inside(t) & is_inside(one - t);
          }
        else
          {
            const Point e_1 = x[2], e_2 = x[3], n = cross(e_1, e_2);
            const Vector n_square = dot(n, n);
            const Vector w_1      = dot(cross(x[0], e_2), n) / n_square;
            const Vector w_2      = dot(cross(e_1, x[0]), n) / n_square;
            return is_spanning(n_square, e_1, e_2) & is_inside(w_1) &
                   is_inside(w_2) & is_inside(one - w_1 - w_2);
          }
      }

      /** The shortest vector from the base to the other feature, at the start
       * or at the end. */
      static inline __attribute__((always_inline)) Shortest<dim>
      shortest(const Point *const x)
      {
        Shortest<dim> result;
        const Condition always = less_equal(Vector{}, Vector{});
        if constexpr (is_edges)
          {
            const Point &e_1 = x[1], &h = x[2];
            const Point e_2       = x[3] - x[2];
            const Vector square_1 = dot(e_1, e_1), square_2 = dot(e_2, e_2);
            const Vector to_1 = 1. / square_1, to_2 = 1. / square_2;
            const Vector h_1 = dot(h, e_1), h_2 = dot(h, e_2),
                         e_12 = dot(e_1, e_2);
            const auto consider =
              [&](const Vector s, const Vector t, const Condition is_valid) {
                result.consider(h + t * e_2 - s * e_1, is_valid);
              };
            const Vector one = broadcast(1.);
            consider(Vector{}, clamp_to_unit(-h_2 * to_2), always);
            consider(one, clamp_to_unit((e_12 - h_2) * to_2), always);
            consider(clamp_to_unit(h_1 * to_1), Vector{}, always);
            consider(clamp_to_unit((h_1 + e_12) * to_1), one, always);

            const Point across         = e_2 - (e_12 * to_1) * e_1;
            const Vector across_square = dot(across, across);
            const Vector t             = -dot(h, across) / across_square;
            const Vector s             = (h_1 + t * e_12) * to_1;
            result.sine_square         = across_square * to_2;
            consider(s,
                     t,
                     less(Vector{}, s) & less(s, one) & less(Vector{}, t) &
                       less(t, one));
          }
        else
          {
            const Point &p = x[0];
            for (int i = 0; i < (dim == 3 ? 3 : 1); ++i)
              {
                const Point &a = x[1 + i];
                const Point e  = x[1 + (i + 1) % dim] - a;
                const Point h  = p - a;
                const Vector s = clamp_to_unit(dot(h, e) / dot(e, e));
                result.consider(h - s * e, always);
              }
            if constexpr (dim == 3)
              {
                const Point &e_1 = x[2], &e_2 = x[3];
                const Point n         = cross(e_1, e_2);
                const Vector n_square = dot(n, n);
                const Vector to       = 1. / n_square;
                const Vector w_1      = dot(cross(p, e_2), n) * to;
                const Vector w_2      = dot(cross(e_1, p), n) * to;
                result.sine_square = n_square / (dot(e_1, e_1) * dot(e_2, e_2));
                result.consider(p - w_1 * e_1 - w_2 * e_2,
                                less(Vector{}, w_1) & less(Vector{}, w_2) &
                                  less(Vector{}, 1. - w_1 - w_2));
              }
          }
        return result;
      }

    private:
      static constexpr double inner_weight = 1e-6, spanning_sine_square = 1e-8;

      /** Whether two edges with the cross product's square @p n_square are far
       * from parallel. */
      static inline __attribute__((always_inline)) Condition
      is_spanning(const Vector n_square, const Point &e_1, const Point &e_2)
      {
        return less(spanning_sine_square * (dot(e_1, e_1) * dot(e_2, e_2)),
                    n_square);
      }
    };
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet

#endif
