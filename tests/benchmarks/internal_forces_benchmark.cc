// SPDX-License-Identifier: LGPL-2.1-or-later

// Internal forces of 64000 trilinear hexahedra with the neo-Hookean law on one
// thread: InternalForces and StepForces with each instruction set that the
// processor has, and the same residual with deal.II's MatrixFree.

#include <ricochet/base/instruction_set.h>
#include <ricochet/element/internal_forces.h>
#include <ricochet/element/step_forces.h>

#include <deal.II/base/multithread_info.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>

#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdlib>

#include "../body/make_cell_table.h"

using namespace Ricochet;

namespace
{
  constexpr unsigned int n_cells_per_edge = 40;
  constexpr double lambda = 121153.84615384616, mu = 80769.230769230766;



  void
  make_cube(dealii::Triangulation<3> &mesh)
  {
    dealii::GridGenerator::subdivided_hyper_cube(mesh, n_cells_per_edge);
  }



  /** A smooth displacement with strains of some per cent. */
  double
  displacement(const dealii::Point<3> &X, const unsigned int component)
  {
    return 0.01 * std::sin(3. * X[component] + 2. * X[(component + 1) % 3]);
  }



  std::unique_ptr<Material<3>>
  make_material()
  {
    auto material = Registry<Material<3>>::create("neo-Hookean");

    dealii::ParameterHandler prm;
    Registry<Material<3>>::entries().at("neo-Hookean").declare_parameters(prm);
    prm.set("Density", 0.7085);
    prm.set("Lame lambda", lambda);
    prm.set("Lame mu", mu);
    material->parse_parameters(prm);
    return material;
  }



  /** The mesh, its forces, and deformed positions. */
  struct Model
  {
    explicit Model(const InstructionSet set)
    {
      setenv("RICOCHET_SIMD", name_of(set).c_str(), 1);
      make_cube(mesh);
      table    = make_cell_table(mesh);
      material = make_material();
      internal_forces.reinit(table, {material.get()});

      positions = positions_of(table);
      for (unsigned int n = 0; n < table.n_nodes; ++n)
        for (unsigned int c = 0; c < 3; ++c)
          positions[3 * n + c] += displacement(table.reference_positions[n], c);
    }



    dealii::Triangulation<3> mesh;
    CellTable<3> table;
    std::unique_ptr<Material<3>> material;
    InternalForces<3> internal_forces;
    std::vector<double> positions;
  };



  /** Report the time per cell of each iteration. */
  void
  set_counters(benchmark::State &state, const double n_cells)
  {
    state.counters["time_per_cell"] =
      benchmark::Counter(n_cells * state.iterations(),
                         benchmark::Counter::kIsRate |
                           benchmark::Counter::kInvert);
  }



  void
  forces(benchmark::State &state,
         const InstructionSet set,
         const bool with_energy)
  {
    const Model model(set);
    std::vector<double> result(model.positions.size()), energies(1);
    for (auto _ : state)
      {
        model.internal_forces.evaluate(model.positions.data(),
                                       result.data(),
                                       with_energy ? &energies : nullptr);
        benchmark::DoNotOptimize(result.data());
      }
    set_counters(state, model.table.n_cells());
    state.counters["bytes_per_cell"] = model.internal_forces.bytes_per_cell();
  }



  void
  stable_time_step(benchmark::State &state, const InstructionSet set)
  {
    const Model model(set);
    for (auto _ : state)
      benchmark::DoNotOptimize(
        model.internal_forces.stable_time_step(model.positions.data()));
    set_counters(state, model.table.n_cells());
  }



  /** A step from the undeformed cube to the positions of the model. */
  struct StepModel : public Model
  {
    StepModel(const InstructionSet set, const StepForces<3>::Kind kind)
      : Model(set)
      , step(internal_forces)
    {
      step.begin(kind, positions_of(table).data(), 1., no_history);
    }

    const std::vector<double> no_history;
    StepForces<3> step;
  };



  void
  forces_of_step(benchmark::State &state, const InstructionSet set)
  {
    const StepModel model(set, StepForces<3>::Kind::discrete_gradient);
    std::vector<double> result(model.positions.size()), history;
    for (auto _ : state)
      {
        model.step.evaluate(model.positions.data(),
                            history,
                            result.data(),
                            nullptr);
        benchmark::DoNotOptimize(result.data());
      }
    set_counters(state, model.table.n_cells());
  }



  void
  stiffness(benchmark::State &state,
            const InstructionSet set,
            const StepForces<3>::Kind kind)
  {
    const StepModel model(set, kind);
    for (auto _ : state)
      {
        double sum = 0.;
        model.step.stiffness(model.positions.data(),
                             [&](const CellMatrices<3> &matrices) {
                               sum += matrices(0, 0, 0);
                             });
        benchmark::DoNotOptimize(sum);
      }
    set_counters(state, model.table.n_cells());
  }



  /** The peer: the same residual as a matrix-free operator of deal.II. */
  class MatrixFreeForces
  {
  public:
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    MatrixFreeForces()
      : fe(dealii::FE_Q<3>(1), 3)
    {
      make_cube(mesh);
      dof_handler.reinit(mesh);
      dof_handler.distribute_dofs(fe);
      constraints.close();

      dealii::MatrixFree<3>::AdditionalData data;
      data.mapping_update_flags =
        dealii::update_gradients | dealii::update_JxW_values;
      data.tasks_parallel_scheme =
        dealii::MatrixFree<3>::AdditionalData::TasksParallelScheme::none;
      matrix_free.reinit(dealii::MappingQ1<3>(),
                         dof_handler,
                         constraints,
                         dealii::QGauss<1>(2),
                         data);
      matrix_free.initialize_dof_vector(u);
      matrix_free.initialize_dof_vector(f);

      for (const auto &cell : dof_handler.active_cell_iterators())
        for (const unsigned int v : cell->vertex_indices())
          for (unsigned int c = 0; c < 3; ++c)
            u(cell->vertex_dof_index(v, c)) = displacement(cell->vertex(v), c);
    }



    void
    evaluate()
    {
      matrix_free.cell_loop(&MatrixFreeForces::cells, this, f, u, true);
    }



    unsigned int
    n_cells() const
    {
      return mesh.n_active_cells();
    }



    double
    memory() const
    {
      return matrix_free.memory_consumption();
    }



    VectorType u, f;

  private:
    void
    cells(const dealii::MatrixFree<3> &data,
          VectorType &destination,
          const VectorType &source,
          const std::pair<unsigned int, unsigned int> &range) const
    {
      dealii::FEEvaluation<3, 1, 2, 3> evaluation(data);
      for (unsigned int cell = range.first; cell < range.second; ++cell)
        {
          evaluation.reinit(cell);
          evaluation.gather_evaluate(source,
                                     dealii::EvaluationFlags::gradients);
          for (unsigned int q = 0; q < evaluation.n_q_points; ++q)
            {
              auto F = evaluation.get_gradient(q);
              for (unsigned int i = 0; i < 3; ++i)
                F[i][i] += 1.;
              const auto J                   = determinant(F);
              const auto F_inverse_transpose = transpose(invert(F));
              evaluation.submit_gradient(mu * F + (lambda * std::log(J) - mu) *
                                                    F_inverse_transpose,
                                         q);
            }
          evaluation.integrate_scatter(dealii::EvaluationFlags::gradients,
                                       destination);
        }
    }



    dealii::Triangulation<3> mesh;
    dealii::FESystem<3> fe;
    dealii::DoFHandler<3> dof_handler;
    dealii::AffineConstraints<double> constraints;
    dealii::MatrixFree<3> matrix_free;
  };



  void
  matrix_free_forces(benchmark::State &state)
  {
    MatrixFreeForces peer;
    for (auto _ : state)
      {
        peer.evaluate();
        benchmark::DoNotOptimize(peer.f.begin());
      }
    set_counters(state, peer.n_cells());
    state.counters["bytes_per_cell"] = peer.memory() / peer.n_cells();
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::MultithreadInfo::set_thread_limit(1);
  benchmark::Initialize(&argc, argv);

  const auto add =
    [](const std::string &name, auto function, auto... arguments) {
      benchmark::RegisterBenchmark(name.c_str(), function, arguments...)
        ->Unit(benchmark::kMillisecond);
    };
  for (const InstructionSet set : available_instruction_sets())
    {
      add("forces/" + name_of(set), forces, set, false);
      add("forces_and_energy/" + name_of(set), forces, set, true);
      add("stable_time_step/" + name_of(set), stable_time_step, set);
      add("forces_of_step/" + name_of(set), forces_of_step, set);
      add("stiffness_at_end/" + name_of(set),
          stiffness,
          set,
          StepForces<3>::Kind::at_end);
      add("stiffness_of_step/" + name_of(set),
          stiffness,
          set,
          StepForces<3>::Kind::discrete_gradient);
    }
  add("forces/deal.II MatrixFree", matrix_free_forces);

  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
