// SPDX-License-Identifier: LGPL-2.1-or-later

// The search on one thread: two spheres that approach each other, and a lattice
// of cubes that is squeezed. Reported are the time of one step whose lists are
// made anew (rebuild) and, for a step with kept lists (test), the time per
// listed pair.

#include <ricochet/search/search.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/multithread_info.h>

#include <benchmark/benchmark.h>
#include <cmath>
#include <random>

#include "../search/make_bodies.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  struct Scene
  {
    Bodies<3> bodies;
    std::vector<Point<3>> end;
  };



  /** Two spheres half a cell apart, which meet in the step. */
  Scene
  spheres()
  {
    constexpr unsigned int n = 40;
    const double h           = 0.5 * M_PI / n;
    const Tensor<1, 3> size({2., 2., 2.});
    const Tensor<1, 3> direction({0.48, 0.6, 0.64});
    Scene scene;
    add_box(scene.bodies, Point<3>(), size, {{n, n, n}}, true);
    add_box(scene.bodies,
            Point<3>(direction * (2. + 0.5 * h)),
            size,
            {{n, n, n}},
            true);
    scene.bodies.finish();
    scene.end = scene.bodies.positions;
    for (unsigned int v = 0; v < scene.end.size(); ++v)
      if (scene.bodies.surface.vertex_body[v] == 1)
        scene.end[v] -= direction * h;
    return scene;
  }



  /** Cubes of two sizes of cells, which jitter and move to the middle. */
  Scene
  lattice()
  {
    constexpr unsigned int n_per_side = 8;
    Scene scene;
    for (unsigned int i = 0; i < n_per_side; ++i)
      for (unsigned int j = 0; j < n_per_side; ++j)
        for (unsigned int k = 0; k < n_per_side; ++k)
          {
            const unsigned int n = (i + j + k) % 2 == 0 ? 4 : 6;
            add_box(scene.bodies,
                    Point<3>(1.02 * i, 1.02 * j, 1.02 * k),
                    Tensor<1, 3>({1., 1., 1.}),
                    {{n, n, n}});
          }
    scene.bodies.finish();

    std::mt19937 generator(1);
    std::uniform_real_distribution<double> uniform(-0.02, 0.02);
    const double middle = 1.02 * 0.5 * (n_per_side - 1);
    scene.end           = scene.bodies.positions;
    for (auto &x : scene.end)
      for (unsigned int d = 0; d < 3; ++d)
        x[d] = middle + 0.999 * (x[d] - middle) + uniform(generator);
    return scene;
  }



  void
  rebuild(benchmark::State &state,
          const Scene &scene,
          const SearchSettings &settings)
  {
    Search<3> search;
    search.reinit(scene.bodies.surface, settings, MPI_COMM_SELF);
    std::vector<Encounter> encounters;

    // Every other step is somewhere else, which makes all lists invalid.
    std::vector<Point<3>> other_begin = scene.bodies.positions,
                          other_end   = scene.end;
    for (auto *positions : {&other_begin, &other_end})
      for (auto &x : *positions)
        x[0] += 1000.;
    search.detect(other_begin, other_end, encounters);

    bool is_other = false;
    for (auto _ : state)
      {
        search.detect(is_other ? other_begin : scene.bodies.positions,
                      is_other ? other_end : scene.end,
                      encounters);
        is_other = !is_other;
      }
    if (search.statistics().n_rebuilds !=
        static_cast<unsigned long int>(state.iterations()) + 1)
      state.SkipWithError("The lists have been kept.");
    state.counters["pairs"] = search.statistics().n_candidate_pairs;
  }



  void
  test(benchmark::State &state,
       const Scene &scene,
       const SearchSettings &settings)
  {
    Search<3> search;
    search.reinit(scene.bodies.surface, settings, MPI_COMM_SELF);
    std::vector<Encounter> encounters;
    search.detect(scene.bodies.positions, scene.end, encounters);
    for (auto _ : state)
      search.detect(scene.bodies.positions, scene.end, encounters);
    if (search.statistics().n_rebuilds != 1)
      state.SkipWithError("The lists have not been kept.");
    const double n_pairs         = search.statistics().n_candidate_pairs;
    state.counters["encounters"] = encounters.size();
    state.counters["time_per_pair"] =
      benchmark::Counter(n_pairs * state.iterations(),
                         benchmark::Counter::kIsRate |
                           benchmark::Counter::kInvert);
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  benchmark::Initialize(&argc, argv);

  const Scene two_spheres = spheres(), cubes = lattice();
  const auto add = [](const std::string &name, const Scene &scene) {
    for (const bool self_contact : {false, true})
      {
        SearchSettings settings;
        settings.self_contact = self_contact;
        const std::string suffix =
          "/" + name + (self_contact ? "/self_contact" : "");
        benchmark::RegisterBenchmark(("rebuild" + suffix).c_str(),
                                     [&scene,
                                      settings](benchmark::State &state) {
                                       rebuild(state, scene, settings);
                                     })
          ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("test" + suffix).c_str(),
                                     [&scene,
                                      settings](benchmark::State &state) {
                                       test(state, scene, settings);
                                     })
          ->Unit(benchmark::kMillisecond);
      }
  };
  add("spheres", two_spheres);
  add("cubes", cubes);

  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
