// SPDX-License-Identifier: LGPL-2.1-or-later

// The search on one thread, in four scenes (tests/search/bench_scenes.h), all
// pairs of one body included:
//
//   set_up     making the trees, once per surface;
//   rebuild    from positions to the lists of all candidates, by our own trees
//              and by those libraries that were found; at the end of the step
//              (static) and over its whole way (swept). All must find as many
//              pairs as the others, or the program fails;
//   detect     one whole step with kept lists: per facet, per listed pair, and
//              per candidate of the swept rebuild, swept tests included.
//
// Milliseconds of CPU time of a rebuild, static / swept, and nanoseconds of a
// step per swept candidate, measured in one run on a shared core (+-30 %) with
// AVX-512, deal.II 9.4.1, CGAL 5.5.1 and Embree 3.13.5:
//
//                spheres      cubes76      cubes1000     sheet
//   ricochet      38 /   68     9 /  11     131 /  182     71 /   81
//   rtree        204 /  309    41 /  47     599 /  835    278 /  343
//   cgal         532 /  912   106 / 126    2195 / 2756   1006 / 1215
//   embree       180 /  267    38 /  39     490 /  543    234 /  239
//   set_up             37           5             82            43
//   per_swept          11          51             32           295

#include <ricochet/search/search.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/multithread_info.h>

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <iostream>

#include "search_peers.h"

using namespace Ricochet;
using dealii::Point;

namespace
{
  /** Boxes reach this far beyond their features, in mean lengths of edges. */
  constexpr double relative_r = 0.05;



  class OwnSearch : public CandidateSearch
  {
  public:
    explicit OwnSearch(const BenchScene &scene)
      : candidates(scene.bodies.surface, scene.bodies.positions)
    {}

    void
    rebuild(const std::vector<Point<3>> &begin,
            const std::vector<Point<3>> &end,
            const double r) override
    {
      candidates.find(begin, end, r, pairs);
    }

  private:
    TreeCandidates<3> candidates;
  };



  void
  set_up(benchmark::State &state, const BenchScene &scene)
  {
    FeatureTrees<3> trees;
    for (auto _ : state)
      trees.reinit(scene.bodies.surface, scene.bodies.positions);
  }



  /** Numbers of pairs that all methods must agree on. */
  struct Counts
  {
    std::size_t vertex_facet = 0, edge_edge = 0;
  };

  bool all_agree = true;



  void
  rebuild(benchmark::State &state,
          const BenchScene &scene,
          CandidateSearch &search,
          const bool is_swept,
          Counts &counts)
  {
    const double r = relative_r * scene.mean_length();
    for (auto _ : state)
      search.rebuild(is_swept ? scene.bodies.positions : scene.end,
                     scene.end,
                     r);

    const FeaturePairs &pairs = search.get();
    if (counts.vertex_facet == 0)
      counts = {pairs.vertex_facet.size(), pairs.edge_edge.size()};
    if (pairs.vertex_facet.size() != counts.vertex_facet ||
        pairs.edge_edge.size() != counts.edge_edge)
      {
        all_agree = false;
        state.SkipWithError("The numbers of pairs differ.");
      }
    state.counters["vertex_facet"] = pairs.vertex_facet.size();
    state.counters["edge_edge"]    = pairs.edge_edge.size();
  }



  void
  detect(benchmark::State &state, const BenchScene &scene)
  {
    SearchSettings settings;
    settings.self_contact = true;
    Search<3> search;
    search.reinit(scene.bodies.surface, settings, MPI_COMM_SELF);
    std::vector<Encounter> encounters;
    search.detect(scene.bodies.positions, scene.end, encounters);
    for (auto _ : state)
      search.detect(scene.bodies.positions, scene.end, encounters);
    if (search.statistics().n_rebuilds != 1)
      state.SkipWithError("The lists have not been kept.");

    OwnSearch own(scene);
    own.rebuild(scene.bodies.positions,
                scene.end,
                relative_r * scene.mean_length());
    const double n_swept =
      own.get().vertex_facet.size() + own.get().edge_edge.size();
    const double n_pairs = search.statistics().n_candidate_pairs;
    const auto per       = [&](const double n) {
      return benchmark::Counter(n * state.iterations(),
                                benchmark::Counter::kIsRate |
                                  benchmark::Counter::kInvert);
    };
    state.counters["encounters"] = encounters.size();
    state.counters["pairs"]      = n_pairs;
    state.counters["per_pair"]   = per(n_pairs);
    state.counters["per_swept"]  = per(n_swept);
    state.counters["per_facet"]  = per(scene.bodies.surface.n_facets());
  }



  template <typename... Arguments>
  void
  add(const std::string &name,
      void (*run)(benchmark::State &, Arguments...),
      Arguments... arguments)
  {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State &state) {
      run(state, arguments...);
    })->Unit(benchmark::kMillisecond);
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  benchmark::Initialize(&argc, argv);

  std::vector<BenchScene> scenes;
  scenes.push_back(make_spheres(58));
  scenes.push_back(make_cubes(76));
  scenes.push_back(make_cubes(1000));
  scenes.push_back(make_sheet(224));

  std::vector<std::unique_ptr<CandidateSearch>> searches;
  std::vector<std::array<Counts, 2>> counts(scenes.size());
  for (std::size_t k = 0; k < scenes.size(); ++k)
    {
      const BenchScene &scene = scenes[k];
      add<const BenchScene &>("set_up/" + scene.name, set_up, scene);
      std::vector<std::pair<std::string, CandidateSearch *>> named;
      searches.push_back(std::make_unique<OwnSearch>(scene));
      named.emplace_back("ricochet", searches.back().get());
      for (const NamedSearch &peer : peers())
        {
          searches.push_back(peer.make(scene.bodies.surface));
          named.emplace_back(peer.name, searches.back().get());
        }
      for (const bool is_swept : {false, true})
        for (const auto &search : named)
          benchmark::RegisterBenchmark(
            ("rebuild/" + scene.name + (is_swept ? "/swept/" : "/static/") +
             search.first)
              .c_str(),
            [&, search, is_swept, k](benchmark::State &state) {
              rebuild(state,
                      scenes[k],
                      *search.second,
                      is_swept,
                      counts[k][is_swept]);
            })
            ->Unit(benchmark::kMillisecond);
      add<const BenchScene &>("detect/" + scene.name, detect, scene);
    }

  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (!all_agree)
    std::cerr << "The searches found different numbers of pairs.\n";
  return all_agree ? EXIT_SUCCESS : EXIT_FAILURE;
}
