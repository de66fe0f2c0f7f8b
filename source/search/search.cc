// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/feature_kinds.h>
#include <ricochet/search/search.h>

#include <deal.II/base/parallel.h>

#include <algorithm>
#include <type_traits>

#include "candidate_pairs.h"
#include "moving_pair.h"
#include "path_kernels.h"

namespace Ricochet
{
  namespace
  {
    using dealii::Point;

    /** Pairs that one task tests; a fixed number, whatever the threads. */
    constexpr std::size_t chunk_size = 4096;
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
    void
    set_paths(const Positions &begin, const Positions &end);

    /** Test the pairs of one chunk. */
    void
    test_pairs(const Positions &begin,
               const Positions &end,
               const std::size_t first,
               const std::size_t last,
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
    std::vector<Path> paths;

    /** The detection distance of the largest features. */
    double largest_reach = 0.;

    std::vector<std::vector<Encounter>> found;
    std::vector<Encounter> own_encounters;
    std::vector<int> counts, offsets;
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
    largest_reach = 0.;
    for (const double length : surface->facet_length)
      largest_reach = std::max(largest_reach, settings.eta * length);
    const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(communicator);
    counts.resize(n_ranks);
    offsets.resize(n_ranks);
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

    set_paths(begin, end);
    const std::size_t n       = statistics.n_candidate_pairs;
    const std::size_t n_ranks = counts.size();
    const std::size_t rank =
      dealii::Utilities::MPI::this_mpi_process(communicator);
    const std::size_t first    = n * rank / n_ranks;
    const std::size_t last     = n * (rank + 1) / n_ranks;
    const std::size_t n_chunks = (last - first + chunk_size - 1) / chunk_size;
    if (found.size() < n_chunks)
      found.resize(n_chunks);
    dealii::parallel::apply_to_subranges(
      std::size_t(0),
      n_chunks,
      [&](const std::size_t chunk_begin, const std::size_t chunk_end) {
        for (std::size_t chunk = chunk_begin; chunk < chunk_end; ++chunk)
          test_pairs(begin,
                     end,
                     first + chunk * chunk_size,
                     std::min(last, first + (chunk + 1) * chunk_size),
                     found[chunk]);
      },
      1);

    for (std::size_t chunk = 0; chunk < n_chunks; ++chunk)
      encounters.insert(encounters.end(),
                        found[chunk].begin(),
                        found[chunk].end());
    gather(encounters);
    std::sort(encounters.begin(), encounters.end());
    statistics.n_tested_pairs += n;
    statistics.n_encounters += encounters.size();
  }



  template <int dim>
  void
  Search<dim>::Implementation::test_pairs(const Positions &begin,
                                          const Positions &end,
                                          const std::size_t first,
                                          const std::size_t last,
                                          std::vector<Encounter> &result) const
  {
    result.clear();
    const FeaturePairs &pairs        = candidates.get();
    const std::size_t n_vertex_facet = pairs.vertex_facet.size();
    std::array<unsigned int, chunk_size> kept;
    const auto for_close_pairs = [&](const PathFilter filter,
                                     const auto &list,
                                     const std::size_t list_begin,
                                     const std::size_t list_end,
                                     const unsigned int *vertices_a,
                                     const unsigned int *vertices_b,
                                     const auto &test) {
      if (list_begin >= list_end)
        return;
      const unsigned int n = filter(list[list_begin].data(),
                                    list_end - list_begin,
                                    vertices_a,
                                    vertices_b,
                                    paths.data(),
                                    largest_reach,
                                    kept.data());
      for (unsigned int k = 0; k < n; ++k)
        test(list[list_begin + kept[k]]);
    };

    for_close_pairs(kernels.vertex_facet,
                    pairs.vertex_facet,
                    first,
                    std::min(last, n_vertex_facet),
                    nullptr,
                    surface->facets.data()->data(),
                    [&](const FeaturePairs::Pair &pair) {
                      test_pair<VertexFacet<dim>>(begin, end, pair, result);
                    });
    if constexpr (dim == 3)
      for_close_pairs(kernels.edge_edge,
                      pairs.edge_edge,
                      std::max(first, n_vertex_facet) - n_vertex_facet,
                      std::max(last, n_vertex_facet) - n_vertex_facet,
                      surface->edges.data()->data(),
                      surface->edges.data()->data(),
                      [&](const FeaturePairs::Pair &pair) {
                        test_pair<EdgeEdge>(begin, end, pair, result);
                      });
  }



  template <int dim>
  void
  Search<dim>::Implementation::set_paths(const Positions &begin,
                                         const Positions &end)
  {
    paths.resize(begin.size());
    for (unsigned int v = 0; v < paths.size(); ++v)
      for (unsigned int d = 0; d < dim; ++d)
        {
          paths[v].coordinates[d]     = begin[v][d];
          paths[v].coordinates[4 + d] = end[v][d];
        }
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
    static_assert(std::is_trivially_copyable<Encounter>::value,
                  "Encounters are sent as bytes.");
    if (counts.size() == 1)
      return;

    const int own_count = encounters.size() * sizeof(Encounter);
    int ierr            = MPI_Allgather(&own_count,
                             1,
                             MPI_INT,
                             counts.data(),
                             1,
                             MPI_INT,
                             communicator);
    AssertThrowMPI(ierr);
    int total = 0;
    for (unsigned int rank = 0; rank < counts.size(); ++rank)
      {
        offsets[rank] = total;
        total += counts[rank];
      }

    own_encounters.swap(encounters);
    encounters.resize(total / sizeof(Encounter));
    ierr = MPI_Allgatherv(own_encounters.data(),
                          own_count,
                          MPI_BYTE,
                          encounters.data(),
                          counts.data(),
                          offsets.data(),
                          MPI_BYTE,
                          communicator);
    AssertThrowMPI(ierr);
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
