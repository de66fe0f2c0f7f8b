// SPDX-License-Identifier: LGPL-2.1-or-later

// The equations of an implicit step of 64000 trilinear hexahedra with the
// neo-Hookean law on one thread: forces, stiffness matrices of cells, and these
// assembled into the matrix of Trilinos.

#include <ricochet/body/solids.h>
#include <ricochet/element/step_forces.h>
#include <ricochet/implicit/system_matrix.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/multithread_info.h>

#include <benchmark/benchmark.h>
#include <cmath>
#include <string>

using namespace Ricochet;

namespace
{
  using Kind = StepForces<3>::Kind;

  std::vector<Body<3>>
  make_cube()
  {
    dealii::ParameterHandler prm;
    BodyParameters<3>::declare_parameters(prm, {});
    prm.parse_input_from_string(
      "subsection Mesh\n"
      "  set Grid generator = subdivided_hyper_cube\n"
      "  set Grid generator arguments = 40 : 0 : 1 : true\n"
      "end\n"
      "subsection Material\n"
      "  set Law = neo-Hookean\n"
      "  set Density = 1\n"
      "  set Young's modulus = 210000\n"
      "  set Poisson's ratio = 0.3\n"
      "end\n");
    BodyParameters<3> parameters;
    parameters.parse_parameters(prm, "cube", {}, "");
    return parameters.create_bodies(MPI_COMM_SELF);
  }



  /** A step from the undeformed cube to strains of some per cent. */
  class Step
  {
  public:
    explicit Step(const Kind kind)
      : solids(MPI_COMM_WORLD, MassKind::lumped)
    {
      solids.reinit(make_cube());
      start     = solids.initial_state();
      positions = start.positions;
      for (auto &x : positions[0])
        x += 0.01 * std::sin(3. * x);
      positions[0].update_ghost_values();
      forces.resize(positions[0].size());
      matrix.reinit(solids);
      step = std::make_unique<StepForces<3>>(solids.internal_forces(0));
      step->begin(kind, start.positions[0].begin(), 1., start.histories[0]);
    }

    void
    evaluate()
    {
      step->evaluate(positions[0].begin(), history, forces.data(), nullptr);
      benchmark::DoNotOptimize(forces.data());
    }

    void
    compute_stiffness() const
    {
      double sum = 0.;
      step->stiffness(positions[0].begin(), [&](const CellMatrices<3> &cells) {
        sum += cells(0, 0, 0);
      });
      benchmark::DoNotOptimize(sum);
    }

    void
    assemble()
    {
      matrix.clear();
      step->stiffness(positions[0].begin(), [&](const CellMatrices<3> &cells) {
        matrix.add_cells(0, cells, 1.);
      });
      matrix.finish();
    }

    Solids<3> solids;

  private:
    State start;
    ForestVectors positions;
    std::vector<double> history, forces;
    SystemMatrix<3> matrix;
    std::unique_ptr<StepForces<3>> step;
  };



  template <typename Function>
  void
  measure(benchmark::State &state, const Kind kind, const Function &function)
  {
    Step step(kind);
    for (auto _ : state)
      function(step);
    state.counters["time_per_cell"] = benchmark::Counter(
      static_cast<double>(step.solids.forest(0).get_cells().n_cells()) *
        state.iterations(),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  benchmark::Initialize(&argc, argv);

  for (const auto &[kind, name] :
       {std::make_pair(Kind::at_end, "at_end"),
        std::make_pair(Kind::discrete_gradient, "discrete_gradient")})
    {
      const auto add = [kind = kind, name = name](const std::string &title,
                                                  const auto &function) {
        benchmark::RegisterBenchmark((title + "/" + name).c_str(),
                                     [kind, function](benchmark::State &state) {
                                       measure(state, kind, function);
                                     })
          ->Unit(benchmark::kMillisecond);
      };
      add("forces", [](Step &step) { step.evaluate(); });
      add("stiffness", [](const Step &step) { step.compute_stiffness(); });
      add("assembly", [](Step &step) { step.assemble(); });
    }

  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
