// SPDX-License-Identifier: LGPL-2.1-or-later

// The closest-point projection of one group on one thread. The constraints are
//
//   sheet   of nodes on a sheet that lies on another one, each on three nodes
//           there; what is missing changes from place to place, so that half of
//           them are active, and every tenth constraint is there twice;
//   row     of nodes in a row that are pushed together: all are active, and
//           each one reaches to the ends;
//
// the numbers behind the names are those of the constraints. They are solved by
//
//   active_set   project_onto_gaps(), from no multipliers;
//   warm         the same from the multipliers of targets that differ by 1 %,
//                as in the iterations of nonsmooth contact;
//   sweeps       projected Gauss-Seidel over the constraints, to 1e-10 of the
//                missing distances; it must find the same positions, or the
//                benchmark reports an error;
//   rough        the same to 1e-2, which is what a clearance asks for.
//
// Microseconds of CPU time per group, measured in one run on a shared core:
//
//                 sheet/5    20   100    400    row/5    20     100      400
//   active_set        4.4    22   216   2070      4.1    24     720    40000
//   warm              4.6    17   109    690      3.0    14     230    11500
//   sweeps            1.5   7.7    42    162       10   480   66000  4300000
//   rough             0.8   3.2    15     65      2.6   107   13000   935000
//
// Sweeps are quicker where constraints hardly depend on each other, and of no
// use where they do.
//
// Above a hundred constraints, matrices are sparse; with full ones, 1000 took
// 74 ms (sheet) and 5 s (row). The benchmark also counts the time per
// constraint, which should not depend on their number: 0.9 to 1.2 us (sheet)
// and 0.7 us (row) from 400 to 10000.

#include <ricochet/projection/closest_point_projection.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/multithread_info.h>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cmath>
#include <string>
#include <vector>

#include "../random.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  class Group
  {
  public:
    InverseMass<3> inverse_mass;
    std::vector<Point<3>> predictor;
    std::vector<GapConstraint<3>> constraints;

  protected:
    explicit Group(const unsigned int seed)
      : random(seed)
    {}

    void
    set_nodes(const unsigned int n)
    {
      std::vector<Tensor<1, 3>> lumped;
      for (unsigned int node = 0; node < n; ++node)
        {
          const double inverse = std::exp(random.uniform(-0.5, 0.5));
          lumped.push_back(Tensor<1, 3>({inverse, inverse, inverse}));
        }
      inverse_mass.reinit(lumped);
      predictor.resize(n);
    }

    Random random;
  };



  struct Row : Group
  {
    explicit Row(const unsigned int n_constraints)
      : Group(n_constraints)
    {
      set_nodes(n_constraints + 1);
      for (unsigned int k = 0; k < n_constraints; ++k)
        {
          GapConstraint<3> constraint;
          constraint.collision.nodes.assign({k + 1, k});
          constraint.collision.weights.assign({1., -1.});
          constraint.collision.normal[2] = 1.;
          constraint.target              = random.uniform(0.5, 1.);
          constraints.push_back(constraint);
        }
    }
  };



  struct Sheet : Group
  {
    explicit Sheet(const unsigned int n_constraints)
      : Group(n_constraints)
    {
      const unsigned int width = std::ceil(std::sqrt(n_constraints));
      const unsigned int n     = (width + 1) * (width + 1);
      set_nodes(2 * n);
      while (constraints.size() < n_constraints)
        {
          if (constraints.size() % 10 == 9)
            {
              constraints.push_back(constraints.back());
              continue;
            }
          const unsigned int i = constraints.size() % width;
          const unsigned int j = constraints.size() / width;
          const unsigned int k = i + (width + 1) * j;
          const double a       = random.uniform(0.1, 0.4),
                       b       = random.uniform(0.1, 0.4);
          GapConstraint<3> constraint;
          auto &collision = constraint.collision;
          collision.nodes.assign({k, n + k, n + k + 1, n + k + width + 1});
          collision.weights.assign({1., a + b - 1., -a, -b});
          collision.normal = Tensor<1, 3>({0., 0., 1.}) + random.vector<3>(0.2);
          collision.normal /= collision.normal.norm();
          constraint.target =
            std::sin(0.9 * i) * std::cos(0.7 * j) + random.uniform(-0.3, 0.5);
          constraints.push_back(constraint);
        }
    }
  };



  using Projection = std::vector<Point<3>> (*)(std::vector<GapConstraint<3>> &,
                                               const Group &);



  std::vector<Point<3>>
  active_set(std::vector<GapConstraint<3>> &constraints, const Group &group)
  {
    std::vector<Point<3>> x;
    project_onto_gaps(constraints, group.inverse_mass, group.predictor, x);
    return x;
  }



  template <int digits>
  std::vector<Point<3>>
  sweeps(std::vector<GapConstraint<3>> &constraints, const Group &group)
  {
    std::vector<double> flexibility;
    for (const auto &c : constraints)
      {
        flexibility.push_back(product(c.collision.normal,
                                      group.inverse_mass.effective(c.collision),
                                      c.collision.normal));
      }
    const double tolerance  = std::pow(10., -digits);
    std::vector<Point<3>> x = group.predictor;
    for (double largest = 1.; largest > tolerance;)
      {
        largest = 0.;
        for (unsigned int k = 0; k < constraints.size(); ++k)
          {
            auto &c = constraints[k];
            const double missing =
              c.target - c.collision.normal * c.collision.weighted_sum(x);
            const double change =
              std::max(-c.multiplier, missing / flexibility[k]);
            c.multiplier += change;
            largest = std::max(largest, std::abs(change) * flexibility[k]);
            group.inverse_mass.apply(c.collision,
                                     change * c.collision.normal,
                                     x);
          }
      }
    return x;
  }



  template <typename Scene>
  void
  project(benchmark::State &state,
          const Projection projection,
          const bool is_warm,
          const double tolerance)
  {
    const Scene group(state.range(0));
    auto start = group.constraints;
    if (is_warm)
      {
        active_set(start, group);
        for (auto &constraint : start)
          constraint.target *= 1.01;
        start[0].target += 0.01;
      }
    auto exact              = start;
    const auto expected     = active_set(exact, group);
    std::vector<Point<3>> x = expected;
    for (auto _ : state)
      {
        auto constraints = start;
        x                = projection(constraints, group);
        benchmark::DoNotOptimize(x.data());
      }
    for (unsigned int node = 0; node < x.size(); ++node)
      if (!(x[node].distance(expected[node]) < tolerance))
        state.SkipWithError("The solvers disagree.");
    const double n = group.constraints.size();
    state.counters["each"] =
      benchmark::Counter(n,
                         benchmark::Counter::kIsIterationInvariantRate |
                           benchmark::Counter::kInvert);
    state.counters["active"] =
      std::count_if(exact.begin(), exact.end(), [](const auto &constraint) {
        return constraint.multiplier > 0.;
      });
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  benchmark::Initialize(&argc, argv);

  const auto add = [](const std::string &name,
                      const Projection projection,
                      const bool is_warm,
                      const double tolerance,
                      const std::vector<int> &sizes) {
    const auto add_scene = [&](const std::string &scene, auto function) {
      auto *entry = benchmark::RegisterBenchmark((name + "/" + scene).c_str(),
                                                 function,
                                                 projection,
                                                 is_warm,
                                                 tolerance);
      entry->Unit(benchmark::kMicrosecond);
      for (const int n : sizes)
        entry->Arg(n);
    };
    add_scene("sheet", project<Sheet>);
    add_scene("row", project<Row>);
  };
  const std::vector<int> small{5, 20, 100, 400},
    all{5, 20, 100, 400, 2000, 10000};
  add("active_set", active_set, false, 1e-9, all);
  add("warm", active_set, true, 1e-9, all);
  add("sweeps", sweeps<10>, false, 1e-5, small);
  add("rough", sweeps<2>, false, 1e3, small);

  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
