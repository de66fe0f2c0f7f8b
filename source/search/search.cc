// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/all_gather.h>
#include <ricochet/search/feature_kinds.h>
#include <ricochet/search/search.h>

#include <deal.II/base/parallel.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <type_traits>

#include "candidate_pairs.h"
#include "motion_clocks.h"
#include "moving_pair.h"
#include "pair_chunk.h"
#include "path_kernels.h"
#include "sort_encounters.h"
#include "step_paths.h"

namespace Ricochet
{
  namespace
  {
    using dealii::Point;

    /** Pairs that have not moved are told from others if no more than one in so
     * many vertices has moved. */
    constexpr unsigned int least_share_unmoved = 4;

    /** More than tolerances of tests and clocks, relative to the length of
     * features. */
    constexpr double idle_tolerance = 1e-8;
  } // namespace



  template <int dim>
  class Search<dim>::Implementation
  {
  public:
    using Positions = std::vector<Point<dim>>;

    void
    reinit(const Surface<dim> &surface,
           const SearchSettings &settings,
           const MPI_Comm communicator);

    void
    set_body_pairs(const std::vector<char> &body_pairs);

    void
    detect(const Positions &begin,
           const Positions &end,
           std::vector<Encounter> &encounters);

    SearchStatistics statistics;

  private:
    /** Take over the encounters of the last detection of which nothing has
     * moved. */
    void
    add_unmoved(std::vector<Encounter> &encounters) const;

    /** The candidates of one kind. */
    struct Candidates
    {
      const std::vector<FeaturePairs::Pair> &list;
      PairTimes &times;
      PathFilter filter;
      PathFeatures first_features, second_features;
    };

    /** Test the pairs of this rank, by chunks; append what is found. */
    template <class Features>
    void
    test_list(const Positions &begin,
              const Positions &end,
              const Candidates &candidates,
              std::vector<Encounter> &encounters);

    /** Test the pairs of one chunk. */
    template <class Features>
    void
    test_pairs(const Positions &begin,
               const Positions &end,
               const Candidates &candidates,
               const PairChunk &chunk,
               std::vector<Encounter> &found) const;

    /** @tparam Features VertexFacet or EdgeEdge. */
    template <class Features>
    void
    test_pair(const Positions &begin,
              const Positions &end,
              const FeaturePairs::Pair &pair,
              std::vector<Encounter> &found) const;

    /** Join the results of all ranks. */
    void
    gather(std::vector<Encounter> &encounters);

    const Surface<dim> *surface = nullptr;
    SearchSettings settings;
    MPI_Comm communicator = MPI_COMM_SELF;
    CandidatePairs<dim> candidates;
    PathKernels kernels;
    StepPaths<dim> paths;
    MotionClocks<dim> clocks;

    /** What the last detection has found. If most vertices have not moved
     * since, only pairs of those that have are tested: passes of a response
     * correct few nodes. Of the others the last detection has found all,
     * whatever the lists were. */
    bool only_moved = false;
    std::vector<Encounter> last_encounters;

    /** The detection distance of the largest features. */
    double largest_reach = 0.;

    /** Pairs that come no closer need not be looked at: features may be larger
     * by tolerances. */
    double idle_distance = 0.;

    /** Of each chunk. */
    std::vector<std::vector<Encounter>> found;
    std::vector<unsigned int> n_tested;

    std::vector<Encounter> own_encounters;
    unsigned int n_ranks = 1;
  };



  template <int dim>
  void
  Search<dim>::Implementation::reinit(const Surface<dim> &new_surface,
                                      const SearchSettings &new_settings,
                                      const MPI_Comm new_communicator)
  {
    AssertThrow(new_settings.eta >= 0. && new_settings.margin >= 0.,
                dealii::ExcMessage("Search needs a detection distance and a "
                                   "margin that are not negative."));
    surface      = &new_surface;
    settings     = new_settings;
    communicator = new_communicator;
    statistics   = SearchStatistics();
    set_body_pairs(settings.body_pairs);
    agree_on_instruction_set(communicator);
    kernels =
      RICOCHET_CALL_KERNEL(preferred_instruction_set(), path_kernels<dim>());
    double largest_length = 0.;
    for (const double length : surface->facet_length)
      largest_length = std::max(largest_length, length);
    largest_reach = settings.eta * largest_length;
    idle_distance = largest_reach + idle_tolerance * largest_length;
    n_ranks       = dealii::Utilities::MPI::n_mpi_processes(communicator);
  }



  template <int dim>
  void
  Search<dim>::Implementation::set_body_pairs(
    const std::vector<char> &body_pairs)
  {
    AssertThrow(body_pairs.empty() ||
                  body_pairs.size() ==
                    std::size_t(surface->n_bodies) * surface->n_bodies,
                dealii::ExcMessage("The table of pairs of bodies needs one "
                                   "entry for each two bodies."));
    settings.body_pairs = body_pairs;
    candidates.reinit(*surface, settings);
    last_encounters.clear();
    paths.reinit(*surface);
    clocks.reinit(*surface);
  }



  template <int dim>
  void
  Search<dim>::Implementation::detect(const Positions &begin,
                                      const Positions &end,
                                      std::vector<Encounter> &encounters)
  {
    AssertThrow(surface != nullptr,
                dealii::ExcMessage("Call Search::reinit() before detect()."));
    AssertThrow(begin.size() == surface->n_vertices(),
                dealii::ExcDimensionMismatch(begin.size(),
                                             surface->n_vertices()));
    AssertThrow(end.size() == surface->n_vertices(),
                dealii::ExcDimensionMismatch(end.size(),
                                             surface->n_vertices()));
    ++statistics.n_detections;
    encounters.clear();
    if (surface->n_bodies < 2 && !settings.self_contact)
      return; // nothing to meet, so no lists to build
    const FeaturePairs &pairs = candidates.get();
    if (const unsigned int n_renewed = candidates.update(begin, end))
      {
        ++statistics.n_rebuilds;
        statistics.n_rebuilt_bodies += n_renewed;
        statistics.n_vertex_facet_pairs = pairs.vertex_facet.size();
        statistics.n_candidate_pairs =
          pairs.vertex_facet.size() + pairs.edge_edge.size();
      }

    clocks.advance(begin, end);
    const std::size_t n_moved = paths.set(begin, end);
    only_moved                = n_moved * least_share_unmoved < begin.size();
    if (only_moved)
      {
        paths.find_moved_features();
        candidates.share_among_connected(paths.get_moved_bodies());
      }
    test_list<VertexFacet<dim>>(begin,
                                end,
                                {pairs.vertex_facet,
                                 candidates.vertex_facet_times,
                                 kernels.vertex_facet,
                                 {nullptr, surface->vertex_length.data()},
                                 {surface->facets.data()->data(),
                                  surface->facet_length.data()}},
                                encounters);
    if constexpr (dim == 3)
      {
        const PathFeatures edges{surface->edges.data()->data(),
                                 surface->edge_length.data()};
        test_list<EdgeEdge>(begin,
                            end,
                            {pairs.edge_edge,
                             candidates.edge_edge_times,
                             kernels.edge_edge,
                             edges,
                             edges},
                            encounters);
      }
    gather(encounters);
    if (only_moved)
      add_unmoved(encounters);
    sort_encounters(encounters);
    last_encounters = encounters;
    statistics.n_encounters += encounters.size();
  }



  template <int dim>
  template <class Features>
  void
  Search<dim>::Implementation::test_list(const Positions &begin,
                                         const Positions &end,
                                         const Candidates &of_kind,
                                         std::vector<Encounter> &encounters)
  {
    const std::size_t n_blocks = of_kind.times.blocks.size();
    const std::size_t rank =
      dealii::Utilities::MPI::this_mpi_process(communicator);
    const std::size_t first = n_blocks * rank / n_ranks;
    const std::size_t last  = n_blocks * (rank + 1) / n_ranks;
    const std::size_t n_chunks =
      (last - first + PairChunk::n_blocks_at_most - 1) /
      PairChunk::n_blocks_at_most;
    if (found.size() < n_chunks)
      found.resize(n_chunks);
    n_tested.resize(n_chunks);
    dealii::parallel::apply_to_subranges(
      std::size_t(0),
      n_chunks,
      [&](const std::size_t chunk_begin, const std::size_t chunk_end) {
        PairChunk chunk;
        for (std::size_t c = chunk_begin; c < chunk_end; ++c)
          {
            const std::size_t block = first + c * PairChunk::n_blocks_at_most;
            chunk.take(of_kind.list,
                       of_kind.times,
                       block,
                       std::min(last, block + PairChunk::n_blocks_at_most),
                       clocks,
                       Features::kind,
                       only_moved ? &paths : nullptr);
            found[c].clear();
            n_tested[c] = chunk.n;
            if (chunk.n > 0)
              test_pairs<Features>(begin, end, of_kind, chunk, found[c]);
          }
      },
      1);
    for (std::size_t chunk = 0; chunk < n_chunks; ++chunk)
      encounters.insert(encounters.end(),
                        found[chunk].begin(),
                        found[chunk].end());
    statistics.n_tested_pairs +=
      std::accumulate(n_tested.begin(), n_tested.end(), 0ul);
  }



  template <int dim>
  template <class Features>
  void
  Search<dim>::Implementation::test_pairs(const Positions &begin,
                                          const Positions &end,
                                          const Candidates &of_kind,
                                          const PairChunk &chunk,
                                          std::vector<Encounter> &result) const
  {
    VerdictLists<PairChunk::size> lists;
    PathVerdicts verdicts = lists.verdicts();
    of_kind.filter(chunk.pairs.data()->data(),
                   chunk.n,
                   of_kind.first_features,
                   of_kind.second_features,
                   paths.data(),
                   settings.eta,
                   largest_reach,
                   verdicts);
    for (unsigned int k = 0; k < chunk.n; ++k)
      of_kind.times.idle_until[chunk.numbers[k]] =
        chunk.clocks[k] + verdicts.distances[k] - idle_distance;
    for (unsigned int b = 0; b < chunk.n_blocks; ++b)
      of_kind.times.update(of_kind.times.blocks[chunk.blocks[b]]);
    const auto add =
      [&](const unsigned int number, const double time, const bool crossing) {
        const auto &pair = chunk.pairs[number];
        result.push_back({time, Features::kind, pair[0], pair[1], crossing});
      };
    for (unsigned int k = 0; k < verdicts.n_close; ++k)
      add(verdicts.close[k], 1., false);
    for (unsigned int k = 0; k < verdicts.n_meeting; ++k)
      add(verdicts.meeting[k], verdicts.times[k], true);
    for (unsigned int k = 0; k < verdicts.n_open; ++k)
      test_pair<Features>(begin, end, chunk.pairs[verdicts.open[k]], result);
  }



  template <int dim>
  void
  Search<dim>::Implementation::add_unmoved(
    std::vector<Encounter> &encounters) const
  {
    std::copy_if(last_encounters.begin(),
                 last_encounters.end(),
                 std::back_inserter(encounters),
                 [this](const Encounter &encounter) {
                   return !paths.has_moved(encounter.kind,
                                           encounter.first,
                                           encounter.second);
                 });
  }



  template <int dim>
  template <class Features>
  void
  Search<dim>::Implementation::test_pair(const Positions &begin,
                                         const Positions &end,
                                         const FeaturePairs::Pair &pair,
                                         std::vector<Encounter> &result) const
  {
    const auto vertices = Features::vertices(*surface, pair[0], pair[1]);
    typename Features::Points x_begin, x_end;
    for (unsigned int i = 0; i < dim + 1; ++i)
      {
        x_begin[i] = begin[vertices[i]];
        x_end[i]   = end[vertices[i]];
      }
    const double reach =
      settings.eta * Features::length(*surface, pair[0], pair[1]);
    if (MovingPair<Features>(x_begin, x_end).is_apart(reach))
      return;

    Encounter encounter{1., Features::kind, pair[0], pair[1], false};
    encounter.crossing = Features::meet(x_begin, x_end, encounter.time);
    if (encounter.crossing ||
        Features::closest(x_end).distance_square < reach * reach)
      result.push_back(encounter);
  }



  template <int dim>
  void
  Search<dim>::Implementation::gather(std::vector<Encounter> &encounters)
  {
    if (n_ranks == 1)
      return;
    own_encounters.swap(encounters);
    all_gather(own_encounters, communicator, encounters);
  }



  template <int dim>
  Search<dim>::Search()
    : implementation(std::make_unique<Implementation>())
  {}



  template <int dim>
  Search<dim>::~Search() = default;



  template <int dim>
  void
  Search<dim>::reinit(const Surface<dim> &surface,
                      const SearchSettings &settings,
                      const MPI_Comm communicator)
  {
    implementation->reinit(surface, settings, communicator);
  }



  template <int dim>
  void
  Search<dim>::set_body_pairs(const std::vector<char> &body_pairs)
  {
    implementation->set_body_pairs(body_pairs);
  }



  template <int dim>
  void
  Search<dim>::detect(const std::vector<Point<dim>> &positions_begin,
                      const std::vector<Point<dim>> &positions_end,
                      std::vector<Encounter> &encounters)
  {
    implementation->detect(positions_begin, positions_end, encounters);
  }



  template <int dim>
  const SearchStatistics &
  Search<dim>::statistics() const
  {
    return implementation->statistics;
  }



  template class Search<2>;
  template class Search<3>;
} // namespace Ricochet
