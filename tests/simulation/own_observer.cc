// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/parameter_file.h>
#include <ricochet/output/observer.h>
#include <ricochet/simulation/options.h>
#include <ricochet/simulation/simulation.h>

#include <deal.II/base/patterns.h>

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "../output/temporary_directory.h"

// An observer that the library does not have, in a run that chooses it.

namespace
{
  using namespace Ricochet;
  using namespace Ricochet::Testing;

  /** What the observer was asked, and saw. */
  struct Log
  {
    std::string calls;
    std::vector<unsigned long int> steps_with_rows, complete;
    std::vector<double> kinetic_energies;
  } run_log;



  /** Wants energies in odd steps, and stops the run in one if it is told to. */
  template <int dim>
  class Witness : public Observer<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry("Stop in step",
                        "0",
                        dealii::Patterns::Integer(0),
                        "Units: None.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm) override
    {
      last_step = prm.get_integer("Stop in step");
    }

    void
    prepare(const RunView<dim> &run) override
    {
      run_log.calls += 'p';
      EXPECT_EQ(run.settings.names, std::vector<std::string>{"stone"});
    }

    void
    start(const RunView<dim> &run) override
    {
      run_log.calls += 's';
      EXPECT_TRUE(run.row_is_due());
      EXPECT_EQ(run.totals().all.mass, run.start().all.mass);
    }

    bool
    wants_energies(const unsigned long int step) const override
    {
      return step % 2 == 1;
    }

    void
    record(const RunView<dim> &run) override
    {
      run_log.calls += 'r';
      if (run.row_is_due())
        run_log.steps_with_rows.push_back(run.state.step);
      if (run.is_complete())
        run_log.complete.push_back(run.state.step);
      if (wants_energies(run.state.step))
        {
          EXPECT_FALSE(run.state.energies.strain.empty());
          run_log.kinetic_energies.push_back(run.totals().all.kinetic_energy);
        }
      if (run.state.step == last_step)
        throw RunError("The witness has seen enough.");
    }

    std::vector<std::pair<std::string, double>>
    numbers() const override
    {
      return {{"number of the witness", 42.}};
    }

    void
    finish(const RunView<dim> &) override
    {
      run_log.calls += 'f';
    }

  private:
    unsigned long int last_step = 0;
  };



  RICOCHET_REGISTER_OBSERVER(Witness, "witness", "Sees all.")



  /** A stone that falls from rest, ten steps long. */
  const char *const scene = R"(
set Dimension = 2
set End time = 0.1
subsection Time stepping
  set Time step = 0.01
end
subsection Bodies
  subsection stone
    set Body force = 0; -10
    subsection Mesh
      set Grid generator = subdivided_hyper_cube
      set Grid generator arguments = 2 : 0 : 1 : false
    end
    subsection Material
      set Density = 1
      set Young's modulus = 10
      set Poisson's ratio = 0.3
    end
  end
end
subsection Output
  set Observers = witness
  set Steps between history rows = 4
  set Number of ParaView files = 0
  set Number of pictures = 0
end
)";



  class OwnObserver : public testing::Test
  {
  protected:
    OwnObserver()
      : directory(MPI_COMM_WORLD)
    {
      write(directory.file("scene.prm"), scene);
      MPI_Barrier(MPI_COMM_WORLD);
      run_log = Log();
    }

    /** Run with these texts for --set; prepare once more after four steps. */
    void
    run(const std::vector<std::string> &overrides) const
    {
      const ParameterFile file(directory.file("scene.prm"), overrides);
      Options options;
      options.output_directory = directory.file("out");
      Simulation<2> simulation(file, options, MPI_COMM_WORLD);
      ASSERT_TRUE(simulation.start());
      for (unsigned int step = 1; !simulation.is_finished(); ++step)
        {
          simulation.advance();
          if (step == 4)
            simulation.prepare();
        }
      simulation.finish();
    }

    const TemporaryDirectory directory;
  };



  TEST_F(OwnObserver, SeesTheRun)
  {
    run({});
    EXPECT_EQ(run_log.calls, "psrrrrprrrrrrf");
    EXPECT_EQ(run_log.steps_with_rows,
              (std::vector<unsigned long int>{4, 8, 10}));
    EXPECT_EQ(run_log.complete, std::vector<unsigned long int>{10});

    // 1/2 m (g t)^2 after 1, 3, 5, 7, 9 steps.
    ASSERT_EQ(run_log.kinetic_energies.size(), 5U);
    for (unsigned int i = 0; i < 5; ++i)
      EXPECT_NEAR(run_log.kinetic_energies[i],
                  0.5 * (2 * i + 1) * (2 * i + 1) * 0.01,
                  1e-12);
    EXPECT_NE(
      contents(directory.file("out/summary.txt")).find("number of the witness"),
      std::string::npos);
  }



  TEST_F(OwnObserver, StopsTheRunOnAllRanks)
  {
    const std::string message = message_of<RunError>(
      [this]() { run({"Output/witness/Stop in step=3"}); });
    EXPECT_EQ(message, "The witness has seen enough.");
    EXPECT_EQ(run_log.calls, "psrrr");
  }



  TEST_F(OwnObserver, IsToldByItsName)
  {
    for (const std::string name : {"wittness", "witness, witness"})
      {
        const std::string message =
          message_of<UserError>([&]() { run({"Output/Observers=" + name}); });
        EXPECT_NE(message.find("'witness'"), std::string::npos) << message;
      }
  }
} // namespace
