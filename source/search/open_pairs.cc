// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/feature_kinds.h>
#include <ricochet/search/open_pairs.h>

#include <deal.II/base/parallel.h>

#include <algorithm>
#include <array>

#include "path_kernels.h"
#include "step_paths.h"

namespace Ricochet
{
  namespace
  {
    using Positions = std::vector<dealii::Point<3>>;

    /** Pairs that one task looks at: their paths are in the first cache. */
    constexpr unsigned int chunk_size = 64;



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
          paths[4 * k + i] = path_between(begin[vertices[i]], end[vertices[i]]);
        lengths[2 * k]     = surface.edge_length[encounter.first];
        lengths[2 * k + 1] = surface.edge_length[encounter.second];
        largest_length =
          std::max({largest_length, lengths[2 * k], lengths[2 * k + 1]});
      }
    };



    constexpr std::array<unsigned int, 4 * chunk_size>
    consecutive_numbers()
    {
      std::array<unsigned int, 4 * chunk_size> result{};
      for (unsigned int k = 0; k < result.size(); ++k)
        result[k] = k;
      return result;
    }

    /** The same numbers for all chunks: pair k has the edges 2 k and 2 k + 1,
     * and edge k the vertices 2 k and 2 k + 1. */
    constexpr auto consecutive = consecutive_numbers();
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
      VerdictLists<chunk_size> lists;
      PathVerdicts verdicts = lists.verdicts();
      const PathFeatures edges{consecutive.data(), chunk.lengths.data()};
      filter(consecutive.data(),
             n,
             edges,
             edges,
             chunk.paths.data(),
             eta,
             eta * chunk.largest_length,
             verdicts);
      const auto keep = [&](const unsigned int *const kept,
                            const unsigned int n_kept) {
        for (unsigned int k = 0; k < n_kept; ++k)
          is_open[first + kept[k]] = 1;
      };
      keep(verdicts.open, verdicts.n_open);
      keep(verdicts.close, verdicts.n_close);
      keep(verdicts.meeting, verdicts.n_meeting);
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
