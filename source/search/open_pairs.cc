// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/feature_kinds.h>
#include <ricochet/search/open_pairs.h>

#include <deal.II/base/parallel.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "path_kernels.h"

namespace Ricochet
{
  namespace
  {
    using Positions = std::vector<dealii::Point<3>>;

    /** Pairs that one task looks at: their paths are in the first cache. */
    constexpr unsigned int chunk_size = 64;



    Path
    path_of(const dealii::Point<3> &begin, const dealii::Point<3> &end)
    {
      Path result{};
      for (unsigned int d = 0; d < 3; ++d)
        {
          result.coordinates[d]     = begin[d];
          result.coordinates[4 + d] = end[d];
        }
      return result;
    }



    /** Pairs of a chunk, of edges that are numbered one after the other. */
    struct Chunk
    {
      std::array<Path, 4 * chunk_size> paths;
      std::array<double, 2 * chunk_size> lengths;
      double largest_length = 0.;

      void
      set(const unsigned int k,
          const Surface<3> &surface,
          const Encounter &encounter,
          const Positions &begin,
          const Positions &end)
      {
        const auto vertices = feature_vertices(surface, encounter);
        for (unsigned int i = 0; i < 4; ++i)
          paths[4 * k + i] = path_of(begin[vertices[i]], end[vertices[i]]);
        lengths[2 * k]     = surface.edge_length[encounter.first];
        lengths[2 * k + 1] = surface.edge_length[encounter.second];
        largest_length =
          std::max({largest_length, lengths[2 * k], lengths[2 * k + 1]});
      }
    };



    /** The same numbers for all chunks: pair k has the edges 2 k and 2 k + 1,
     * and edge k the vertices 2 k and 2 k + 1. */
    const auto consecutive = []() {
      std::array<unsigned int, 4 * chunk_size> result;
      std::iota(result.begin(), result.end(), 0u);
      return result;
    }();
  } // namespace



  void
  keep_open_edge_pairs(const Surface<3> &surface,
                       const std::vector<Encounter> &encounters,
                       const Positions &begin,
                       const Positions &end,
                       const double eta,
                       std::vector<unsigned int> &numbers)
  {
    const PathFilter filter =
      RICOCHET_CALL_KERNEL(preferred_instruction_set(), path_kernels<3>())
        .edge_edge;
    std::vector<char> is_open(numbers.size(), 0);
    const auto look_at = [&](const unsigned int first, const unsigned int n) {
      Chunk chunk;
      for (unsigned int k = 0; k < n; ++k)
        chunk.set(k, surface, encounters[numbers[first + k]], begin, end);
      std::array<unsigned int, chunk_size> open, close, meeting;
      std::array<double, chunk_size> times;
      PathVerdicts verdicts{open.data(),
                            close.data(),
                            meeting.data(),
                            times.data(),
                            0,
                            0,
                            0};
      const PathFeatures edges{consecutive.data(), chunk.lengths.data()};
      filter(consecutive.data(),
             n,
             edges,
             edges,
             chunk.paths.data(),
             eta,
             eta * chunk.largest_length,
             verdicts);
      for (unsigned int k = 0; k < verdicts.n_open; ++k)
        is_open[first + open[k]] = 1;
      for (unsigned int k = 0; k < verdicts.n_close; ++k)
        is_open[first + close[k]] = 1;
      for (unsigned int k = 0; k < verdicts.n_meeting; ++k)
        is_open[first + meeting[k]] = 1;
    };

    const unsigned int n_pairs = numbers.size();
    dealii::parallel::apply_to_subranges(
      0u,
      (n_pairs + chunk_size - 1) / chunk_size,
      [&](const unsigned int chunk_begin, const unsigned int chunk_end) {
        for (unsigned int c = chunk_begin; c < chunk_end; ++c)
          look_at(c * chunk_size,
                  std::min(chunk_size, n_pairs - c * chunk_size));
      },
      8);
    unsigned int n_kept = 0;
    for (unsigned int k = 0; k < n_pairs; ++k)
      if (is_open[k])
        numbers[n_kept++] = numbers[k];
    numbers.resize(n_kept);
  }
} // namespace Ricochet
