// SPDX-License-Identifier: LGPL-2.1-or-later

#include <algorithm>

#include "columns.simd.h"
#include "moving_lanes.simd.h"
#include "paths.h"

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
      /** Paths of so many pairs ahead are fetched: they are anywhere in memory.
       */
      constexpr unsigned int pairs_ahead = 8;

      /** How well distances are known, relative to the extent, where the edges
       * that span a plane have more than this squared sine between them. */
      constexpr double distance_tolerance  = 1e-11;
      constexpr double certain_sine_square = 1e-8;



      template <unsigned int n_vertices>
      inline __attribute__((always_inline)) void
      find_paths(const unsigned int feature,
                 const unsigned int *const vertices,
                 const Path *const paths,
                 const double *(&result)[n_vertices])
      {
        for (unsigned int i = 0; i < n_vertices; ++i)
          {
            const unsigned int v =
              n_vertices == 1 ? feature : vertices[n_vertices * feature + i];
            result[i] = paths[v].coordinates;
          }
      }



      /** The extreme coordinates of all vertices of a feature. */
      template <unsigned int n_vertices>
      inline __attribute__((always_inline)) void
      find_extremes(const double *const (&paths)[n_vertices],
                    const unsigned int lane,
                    Vector &low,
                    Vector &high)
      {
        low = high = load(paths[0] + lane);
        for (unsigned int i = 1; i < n_vertices; ++i)
          {
            const Vector x = load(paths[i] + lane);
            low            = minimum(low, x);
            high           = maximum(high, x);
          }
      }



      /** Those of @p n pairs that no plane across an axis keeps further apart
       * than @p reach on their whole way; of the others, how far such a plane
       * keeps them apart at the end. */
      template <unsigned int n_a, unsigned int n_b>
      unsigned int
      keep_close(const unsigned int *const pairs,
                 const unsigned int n,
                 const unsigned int *const vertices_a,
                 const unsigned int *const vertices_b,
                 const Path *const paths,
                 const double reach,
                 unsigned int *const kept,
                 double *const distances)
      {
        unsigned int n_kept = 0;
        double gaps[8];
        for (unsigned int k = 0; k < n; ++k)
          {
            const double *a[n_a], *b[n_b];
            if (k + pairs_ahead < n)
              {
                const unsigned int *const next = pairs + 2 * (k + pairs_ahead);
                find_paths(next[0], vertices_a, paths, a);
                find_paths(next[1], vertices_b, paths, b);
                for (unsigned int i = 0; i < n_a; ++i)
                  __builtin_prefetch(a[i]);
                for (unsigned int i = 0; i < n_b; ++i)
                  __builtin_prefetch(b[i]);
              }
            find_paths(pairs[2 * k], vertices_a, paths, a);
            find_paths(pairs[2 * k + 1], vertices_b, paths, b);

            // The least of all differences is that of the extremes, also when
            // it is rounded.
            unsigned int above = 0, below = 0;
            for (unsigned int lane = 0; lane < 8; lane += n_lanes)
              {
                Vector low_a, high_a, low_b, high_b;
                find_extremes(a, lane, low_a, high_a);
                find_extremes(b, lane, low_b, high_b);
                const Vector gap_above = low_b - high_a,
                             gap_below = low_a - high_b;
                above |= bits_of(less(broadcast(reach), gap_above)) << lane;
                below |= bits_of(less(broadcast(reach), gap_below)) << lane;
                store(gaps + lane, maximum(gap_above, gap_below));
              }
            // A plane must do at the start and at the end.
            const unsigned int apart =
              ((above & (above >> 4)) | (below & (below >> 4))) & 7u;
            const double largest = std::max({gaps[4], gaps[5], gaps[6]});
            distances[k]         = apart == 0 ? 0. : largest;
            kept[n_kept]         = k;
            n_kept += apart == 0;
          }
        return n_kept;
      }



      /** Take the paths of the vertices of n_lanes pairs. */
      template <unsigned int n_a, unsigned int n_b>
      inline __attribute__((always_inline)) auto
      gather(const unsigned int *const pairs,
             const unsigned int *const numbers,
             const unsigned int *const vertices_a,
             const unsigned int *const vertices_b,
             const Path *const paths)
      {
        constexpr int dim = n_a + n_b - 1;
        MovingLanes<dim, n_a == 2> result;
        const double *rows[dim + 1][n_lanes];
        for (unsigned int lane = 0; lane < n_lanes; ++lane)
          {
            const unsigned int *const pair = pairs + 2 * numbers[lane];
            const double *a[n_a], *b[n_b];
            find_paths(pair[0], vertices_a, paths, a);
            find_paths(pair[1], vertices_b, paths, b);
            for (unsigned int i = 0; i < n_a; ++i)
              rows[i][lane] = a[i];
            for (unsigned int i = 0; i < n_b; ++i)
              rows[n_a + i][lane] = b[i];
          }
        Vector columns[dim + 1][8];
        for (int i = 0; i < dim + 1; ++i)
          load_columns(rows[i], columns[i]);
        constexpr int base = result.base;
        for (int i = 0; i < dim + 1; ++i)
          for (int d = 0; d < dim; ++d)
            {
              result.begin[i].x[d] = columns[i][d] - columns[base][d];
              result.end[i].x[d]   = columns[i][4 + d] - columns[base][4 + d];
            }
        return result;
      }



      /** What is certain of the pairs in lanes, as bits, see PathVerdicts. */
      struct Certain
      {
        unsigned int near = 0, far = 0, meeting = 0;
        Vector times{};
        Vector distances{}; // at the end, at least
      };



      template <int dim, bool is_edges>
      inline __attribute__((always_inline)) Certain
      judge(const MovingLanes<dim, is_edges> &lanes, const Vector reach)
      {
        Certain result;
        const Vector extent = lanes.extent();
        const Vector margin = plane_tolerance * extent;
        const auto at_end   = lanes.shortest(lanes.end);
        Condition never_meet =
          lanes.are_separated(at_end.vector, margin) |
          lanes.are_separated(lanes.shortest(lanes.begin).vector, margin);
        if constexpr (dim == 3)
          {
            const Vector tolerance =
              volume_tolerance * extent * extent * extent;
            const auto volume = lanes.volume();
            never_meet        = never_meet | volume.keeps_sign(tolerance);
            const Condition has_zero =
              volume.find_zero(tolerance, result.times);
            result.meeting =
              bits_of(has_zero & lanes.are_on_each_other(result.times));
          }
        const Vector tolerance =
          extent *
          choose(less(broadcast(certain_sine_square), at_end.sine_square),
                 broadcast(distance_tolerance),
                 distance_tolerance + square_root(at_end.sine_square));
        const Vector inner = reach - tolerance, outer = reach + tolerance;
        result.distances = square_root(at_end.square) - tolerance;
        result.near      = bits_of(never_meet & less(Vector{}, inner) &
                              less(at_end.square, inner * inner));
        result.far = bits_of(never_meet & less(outer * outer, at_end.square));
        return result;
      }



      template <unsigned int n_a, unsigned int n_b>
      void
      filter_paths(const unsigned int *const pairs,
                   const unsigned int n,
                   const PathFeatures &first,
                   const PathFeatures &second,
                   const Path *const paths,
                   const double eta,
                   const double reach,
                   PathVerdicts &verdicts)
      {
        unsigned int *const kept  = verdicts.open;
        const unsigned int n_kept = keep_close<n_a, n_b>(pairs,
                                                         n,
                                                         first.vertices,
                                                         second.vertices,
                                                         paths,
                                                         reach,
                                                         kept,
                                                         verdicts.distances);
        verdicts.n_open = verdicts.n_close = verdicts.n_meeting = 0;
        for (unsigned int k = 0; k < n_kept; k += n_lanes)
          {
            // Lanes without a pair of their own repeat the last one.
            unsigned int numbers[n_lanes];
            double reaches[n_lanes];
            const unsigned int n_used =
              n_kept - k < n_lanes ? n_kept - k : n_lanes;
            for (unsigned int lane = 0; lane < n_lanes; ++lane)
              {
                numbers[lane] = kept[k + (lane < n_used ? lane : n_used - 1)];
                const unsigned int *const pair = pairs + 2 * numbers[lane];
                const double a                 = first.lengths[pair[0]],
                             b                 = second.lengths[pair[1]];
                reaches[lane]                  = eta * (b < a ? b : a);
              }
            const Certain certain = judge(gather<n_a, n_b>(pairs,
                                                           numbers,
                                                           first.vertices,
                                                           second.vertices,
                                                           paths),
                                          load(reaches));
            double times[n_lanes], distances[n_lanes];
            store(times, certain.times);
            store(distances, certain.distances);
            // What is written is never ahead of what is read.
            for (unsigned int lane = 0; lane < n_used; ++lane)
              if ((certain.near >> lane) & 1u)
                verdicts.close[verdicts.n_close++] = numbers[lane];
              else if ((certain.meeting >> lane) & 1u)
                {
                  verdicts.times[verdicts.n_meeting]     = times[lane];
                  verdicts.meeting[verdicts.n_meeting++] = numbers[lane];
                }
              else if ((certain.far >> lane) & 1u)
                verdicts.distances[numbers[lane]] = distances[lane];
              else
                verdicts.open[verdicts.n_open++] = numbers[lane];
          }
      }
    } // namespace



    template <int dim>
    PathKernels
    path_kernels()
    {
      return {filter_paths<1, dim>, filter_paths<2, 2>};
    }

    template PathKernels
    path_kernels<2>();
    template PathKernels
    path_kernels<3>();
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet
