// SPDX-License-Identifier: LGPL-2.1-or-later

#include "conditions.simd.h"
#include "paths.h"

namespace Ricochet
{
  namespace RICOCHET_SIMD_NAMESPACE
  {
    namespace
    {
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



      template <unsigned int n_a, unsigned int n_b>
      unsigned int
      keep_close(const unsigned int *const pairs,
                 const unsigned int n,
                 const unsigned int *const vertices_a,
                 const unsigned int *const vertices_b,
                 const Path *const paths,
                 const double reach,
                 unsigned int *const kept)
      {
        unsigned int n_kept = 0;
        for (unsigned int k = 0; k < n; ++k)
          {
            const double *a[n_a], *b[n_b];
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
                above |= bits_of(less(broadcast(reach), low_b - high_a))
                         << lane;
                below |= bits_of(less(broadcast(reach), low_a - high_b))
                         << lane;
              }
            // A plane must do at the start and at the end.
            const unsigned int apart =
              ((above & (above >> 4)) | (below & (below >> 4))) & 7u;
            kept[n_kept] = k;
            n_kept += apart == 0;
          }
        return n_kept;
      }
    } // namespace



    template <int dim>
    PathKernels
    path_kernels()
    {
      return {keep_close<1, dim>, keep_close<2, 2>};
    }

    template PathKernels
    path_kernels<2>();
    template PathKernels
    path_kernels<3>();
  } // namespace RICOCHET_SIMD_NAMESPACE
} // namespace Ricochet
