// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/parameter_file.h>
#include <ricochet/simulation/options.h>
#include <ricochet/simulation/simulation.h>

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "../output/checkpoint_contents.h"
#include "../output/temporary_directory.h"

// A run that is told in between that its mesh has changed, while it has not.

namespace
{
  using namespace Ricochet;
  using namespace Ricochet::Testing;

  /** A block slides over a held one, another one gets out of a third, and all
   * fall to a moving floor. */
  const char *const scene = R"(
set Dimension = 2
set End time = 0.05
subsection Bodies
  subsection falling
    set Initial velocity = 1; -2
    set Body force = 0; -20
    subsection Mesh
      set Grid generator = subdivided_hyper_rectangle
      set Grid generator arguments = 4, 4 : 0.1, 0.201 : 0.3, 0.4 : true
    end
    subsection Material
      set Density = 1000
      set Young's modulus = 1e6
      set Poisson's ratio = 0.3
    end
  end
  subsection held
    subsection Mesh
      set Grid generator = subdivided_hyper_rectangle
      set Grid generator arguments = 4, 4 : 0, 0 : 0.2, 0.2 : true
    end
    subsection Material
      set Density = 1000
      set Young's modulus = 1e6
      set Poisson's ratio = 0.3
    end
    subsection Prescribed motion
      subsection foot
        set Boundary ids = 2
      end
    end
  end
  subsection leaving
    set Initial velocity = 4; -2
    subsection Mesh
      set Grid generator = subdivided_hyper_rectangle
      set Grid generator arguments = 2, 2 : 0.15, 0.05 : 0.25, 0.15 : false
    end
    subsection Material
      set Density = 1000
      set Young's modulus = 1e6
      set Poisson's ratio = 0.3
    end
  end
end
subsection Obstacles
  subsection floor
    set Type = half-space
    subsection half-space
      set Normal = 0, 1
      set Point = 0, -0.02
    end
    subsection Motion
      set Translation = 0; 0.001*sin(100*t)
    end
  end
end
subsection Contact
  set Restitution = 0.5
  set Friction coefficient = 0.3
  set Starting overlaps = ignore
end
subsection Output
  set Steps between history rows = 3
  set Number of ParaView files = 3
  set Number of pictures = 0
  set Check intersections = true
  subsection Probes
    subsection corner
      set Body = falling
      set Position = 0.1, 0.201
    end
  end
end
)";



  /** Run, and have everything prepared again after each so many steps. */
  template <int dim>
  void
  run(const std::string &file_name,
      const std::vector<std::string> &overrides,
      const unsigned int n_steps,
      const std::string &directory)
  {
    const ParameterFile file(file_name, overrides);
    Options options;
    options.output_directory = directory;
    Simulation<dim> simulation(file, options, MPI_COMM_WORLD);
    ASSERT_TRUE(simulation.start());
    unsigned int step = 0;
    while (!simulation.is_finished())
      {
        simulation.advance();
        ++step;
        if (n_steps > 0 && step % n_steps == 0)
          simulation.prepare();
      }
    EXPECT_GT(step, 5 * n_steps);
    simulation.finish();
  }



  /** Call @p look(name of column, field) for all fields of a table. */
  template <typename Function>
  void
  for_each_field(const std::string &table, const Function &look)
  {
    std::istringstream lines(table);
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);)
      {
        std::istringstream fields(line);
        std::string field;
        const bool is_header = names.empty();
        for (unsigned int c = 0; std::getline(fields, field, ','); ++c)
          if (is_header)
            names.push_back(field);
          else
            look(names.at(c), field);
      }
  }



  /** All fields of a table but those of the column wall_time. */
  std::string
  without_wall_time(const std::string &table)
  {
    std::string result;
    for_each_field(table, [&](const auto &name, const auto &field) {
      if (name != "wall_time")
        result += name + ' ' + field + '\n';
    });
    return result;
  }



  double
  sum_of_column(const std::string &table, const std::string &column)
  {
    double sum = 0.;
    for_each_field(table, [&](const auto &name, const auto &field) {
      if (name == column)
        sum += std::stod(field);
    });
    return sum;
  }



  template <int dim>
  void
  expect_same(const std::string &file_name,
              const std::vector<std::string> &overrides = {})
  {
    const TemporaryDirectory straight(MPI_COMM_WORLD), rebuilt(MPI_COMM_WORLD);
    run<dim>(file_name, overrides, 0, straight.path);
    run<dim>(file_name, overrides, 7, rebuilt.path);
    // Motion, what contact remembers, and the state of all observers.
    Testing::expect_same(whole_checkpoint(rebuilt, MPI_COMM_WORLD),
                         whole_checkpoint(straight, MPI_COMM_WORLD));
    for (const char *const name : {"bodies.csv", "probes.csv"})
      EXPECT_EQ(contents(straight.file(name)), contents(rebuilt.file(name)));
    const std::string history = contents(straight.file("history.csv"));
    EXPECT_GT(sum_of_column(history, "node_face"), 0.);
    EXPECT_EQ(without_wall_time(history),
              without_wall_time(contents(rebuilt.file("history.csv"))));
    for (const char *const name : {"obstacles.csv", "reactions.csv"})
      {
        const bool exists = fs::exists(straight.file(name));
        ASSERT_EQ(exists, fs::exists(rebuilt.file(name)));
        if (exists)
          {
            EXPECT_EQ(contents(straight.file(name)),
                      contents(rebuilt.file(name)));
          }
      }
  }



  TEST(Rebuild, ChangesNothingIfTheMeshIsTheSame)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    const std::string file = directory.file("scene.prm");
    write(file, scene);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_same<2>(file);
    expect_same<2>(file, {"Mass/Matrix=consistent"});
    expect_same<2>(file, {"Bodies/Element degree=2"});
  }



  // Contacts with obstacles add nodes of their own in a step.
  TEST(Rebuild, ChangesNothingNextToObstacles)
  {
    for (const std::string name : {"floor", "piston"})
      expect_same<3>(RICOCHET_SOURCE_DIR "/prm/obstacles/" + name + ".prm",
                     {"Contact/Restitution=1",
                      "Output/Number of pictures=0",
                      "Output/Number of ParaView files=0"});
  }



  TEST(Rebuild, ChangesNothingInAnExample)
  {
    expect_same<3>(RICOCHET_SOURCE_DIR "/prm/dcr/five-cubes.prm",
                   {"End time=0.008",
                    "Time stepping/Time step=0",
                    "Contact/Friction coefficient=0.3",
                    "Output/Number of pictures=0",
                    "Output/Number of ParaView files=0"});
  }
} // namespace
