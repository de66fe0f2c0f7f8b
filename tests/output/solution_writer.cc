// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/output/solution_writer.h>

#include <deal.II/base/tensor.h>
#include <deal.II/distributed/shared_tria.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "temporary_directory.h"
#include "vtu_file.h"

namespace
{
  using namespace Ricochet;
  using namespace Ricochet::Testing;
  using namespace dealii;

  unsigned int
  n_ranks()
  {
    return Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
  }



  /**
   * The unit square or cube with the motion x = G X + b and the velocity
   * v = H X, X being the reference position.
   */
  template <int dim>
  class Model
  {
  public:
    Model(const bool simplex, const unsigned int n_subdivisions)
      : vtk_cell_type(dim == 2 ? (simplex ? 5 : 9) : (simplex ? 10 : 12))
      , triangulation(MPI_COMM_WORLD,
                      Triangulation<dim>::none,
                      /*allow_artificial_cells = */ true,
                      Shared::partition_custom_signal)
    {
      triangulation.signals.create.connect([&]() {
        for (const auto &cell : triangulation.active_cell_iterators())
          cell->set_subdomain_id(cell->active_cell_index() * n_ranks() /
                                 triangulation.n_active_cells());
      });
      if (simplex)
        {
          GridGenerator::subdivided_hyper_cube_with_simplices(triangulation,
                                                              n_subdivisions);
          fe      = std::make_unique<FESystem<dim>>(FE_SimplexP<dim>(1), dim);
          mapping = std::make_unique<MappingFE<dim>>(FE_SimplexP<dim>(1));
        }
      else
        {
          GridGenerator::subdivided_hyper_cube(triangulation, n_subdivisions);
          fe      = std::make_unique<FESystem<dim>>(FE_Q<dim>(1), dim);
          mapping = std::make_unique<MappingQ1<dim>>();
        }
      dof_handler.reinit(triangulation);
      dof_handler.distribute_dofs(*fe);

      for (unsigned int i = 0; i < dim; ++i)
        {
          b[i] = 3. - i;
          for (unsigned int j = 0; j < dim; ++j)
            {
              G[i][j] = (i == j ? 1.25 : 0.) + 0.125 * i + 0.0625 * j;
              H[i][j] = 1. + 2. * i - j;
            }
        }

      IndexSet relevant;
      DoFTools::extract_locally_relevant_dofs(dof_handler, relevant);
      positions.reinit(dof_handler.locally_owned_dofs(),
                       relevant,
                       MPI_COMM_WORLD);
      velocities.reinit(dof_handler.locally_owned_dofs(),
                        relevant,
                        MPI_COMM_WORLD);
      for (const auto &cell : dof_handler.active_cell_iterators())
        if (cell->is_locally_owned())
          for (const auto v : cell->vertex_indices())
            for (unsigned int d = 0; d < dim; ++d)
              {
                const auto dof = cell->vertex_dof_index(v, d);
                if (!dof_handler.locally_owned_dofs().is_element(dof))
                  continue;
                positions(dof)  = (G * cell->vertex(v) + b)[d];
                velocities(dof) = (H * cell->vertex(v))[d];
              }
      positions.update_ghost_values();
    }

    SolutionPart<dim>
    part() const
    {
      SolutionPart<dim> result{dof_handler,
                               *mapping,
                               positions,
                               velocities,
                               {}};
      std::vector<double> numbers;
      for (const auto &cell : dof_handler.active_cell_iterators())
        if (cell->is_locally_owned())
          numbers.push_back(cell->active_cell_index());
      result.cell_data.emplace_back("body", numbers);
      return result;
    }

    /** Check all points of one file. */
    void
    check(const VtuFile &file) const
    {
      EXPECT_EQ(file.types,
                std::vector<std::uint8_t>(file.n_cells, vtk_cell_type));
      const auto inverse       = invert(G);
      const auto &displacement = file.data.at("displacement");
      const auto &velocity     = file.data.at("velocity");
      ASSERT_EQ(displacement.size(), 3 * file.n_points);
      ASSERT_EQ(velocity.size(), 3 * file.n_points);
      ASSERT_EQ(file.data.at("body").size(), file.n_points);
      for (unsigned int p = 0; p < file.n_points; ++p)
        {
          Tensor<1, dim> x;
          for (unsigned int d = 0; d < dim; ++d)
            x[d] = file.points[3 * p + d];
          const Tensor<1, dim> X = inverse * (x - b), v = H * X;
          for (unsigned int d = 0; d < dim; ++d)
            {
              EXPECT_GT(X[d], -1e-6);
              EXPECT_LT(X[d], 1. + 1e-6);
              EXPECT_NEAR(displacement[3 * p + d], x[d] - X[d], 2e-6);
              EXPECT_NEAR(velocity[3 * p + d], v[d], 5e-6);
            }
          for (unsigned int d = dim; d < 3; ++d)
            {
              EXPECT_EQ(file.points[3 * p + d], 0.);
              EXPECT_EQ(displacement[3 * p + d], 0.);
              EXPECT_EQ(velocity[3 * p + d], 0.);
            }
        }
    }

    unsigned int
    n_cells() const
    {
      return triangulation.n_active_cells();
    }

  private:
    using Shared = parallel::shared::Triangulation<dim>;

    const std::uint8_t vtk_cell_type;
    Shared triangulation;
    std::unique_ptr<FESystem<dim>> fe;
    std::unique_ptr<Mapping<dim>> mapping;
    DoFHandler<dim> dof_handler;
    Tensor<2, dim> G, H;
    Tensor<1, dim> b;
    LinearAlgebra::distributed::Vector<double> positions, velocities;
  };



  /** Check a part of an output, in however many files it is. */
  template <int dim>
  void
  check_part(const Model<dim> &model,
             const TemporaryDirectory &directory,
             const std::string &file,
             const double time,
             const unsigned int step)
  {
    std::vector<std::string> pieces = {file};
    if (n_ranks() > 1)
      {
        EXPECT_EQ(fs::path(file).extension(), ".pvtu");
        pieces = read_pvtu(directory.file(file));
        EXPECT_EQ(pieces.size(), n_ranks());
      }

    unsigned int n_cells = 0;
    std::vector<double> bodies;
    for (const std::string &piece : pieces)
      {
        const VtuFile vtu(directory.file(piece));
        n_cells += vtu.n_cells;
        if (vtu.n_cells == 0)
          continue;
        EXPECT_EQ(vtu.field_data.at("TIME"), time);
        EXPECT_EQ(vtu.field_data.at("CYCLE"), step);
        model.check(vtu);
        const unsigned int per_cell = vtu.n_points / vtu.n_cells;
        for (unsigned int p = 0; p < vtu.n_points; p += per_cell)
          bodies.push_back(vtu.data.at("body")[p]);
      }
    EXPECT_EQ(n_cells, model.n_cells());

    // Every cell once, with its own number.
    ASSERT_EQ(bodies.size(), model.n_cells());
    for (unsigned int c = 0; c < bodies.size(); ++c)
      EXPECT_EQ(bodies[c], c);
  }



  template <int dim>
  void
  write_and_check(const bool simplex, const unsigned int n_subdivisions)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    const Model<dim> model(simplex, n_subdivisions);
    SolutionWriter<dim> writer(directory.output(), MPI_COMM_WORLD);
    writer.write(0.375, 12, {model.part()});
    EXPECT_EQ(writer.n_outputs(), 1U);

    const auto entries = read_pvd(directory.file("solution.pvd"));
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].time, "0.375");
    EXPECT_EQ(entries[0].part, "0");
    EXPECT_EQ(entries[0].file,
              n_ranks() == 1 ? "solution-00000.vtu" : "solution-00000.pvtu");
    check_part(model, directory, entries[0].file, 0.375, 12);
  }



  /** A triangle above a body that deforms, and alone. */
  TEST(SolutionWriter, SurfaceIsTheLastPart)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    const Model<3> model(false, 2);
    SolutionSurface<3> surface;
    surface.facets       = {{{2, 0, 1}}};
    surface.facet_bodies = {7};
    // Positions are in double precision.
    surface.positions      = {{0., 0., 2.}, {1. + 1e-12, 0., 2.}, {0., 1., 2.}};
    surface.fields.vectors = {
      {"displacement",
       {Tensor<1, 3>(), Tensor<1, 3>({1., 2., 3.}), Tensor<1, 3>()}},
      {"velocity",
       {Tensor<1, 3>(), Tensor<1, 3>(), Tensor<1, 3>({4., 5., 6.})}}};
    SolutionWriter<3> writer(directory.output(), MPI_COMM_WORLD);
    writer.write(0.375, 12, {model.part()}, surface);
    writer.write(0.5, 13, {}, surface);

    const auto entries = read_pvd(directory.file("solution.pvd"));
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[0].file,
              n_ranks() == 1 ? "solution-00000-0.vtu"
                             : "solution-00000-0.pvtu");
    check_part(model, directory, entries[0].file, 0.375, 12);
    EXPECT_EQ(entries[1].time, "0.375");
    EXPECT_EQ(entries[1].part, "1");
    EXPECT_EQ(entries[1].file, "solution-00000-1.vtu");
    EXPECT_EQ(entries[2].file, "solution-00001.vtu");
    for (const unsigned int e : {1, 2})
      {
        const VtuFile file(directory.file(entries[e].file));
        ASSERT_EQ(file.n_cells, 1U);
        ASSERT_EQ(file.n_points, 3U);
        EXPECT_EQ(file.types, std::vector<std::uint8_t>(1, 5));
        EXPECT_EQ(file.points[6], 1. + 1e-12);
        EXPECT_EQ(file.data.at("body")[0], 7.);
        EXPECT_EQ(file.data.at("displacement")[7], 2.);
        EXPECT_EQ(file.data.at("velocity")[2], 6.);
      }
  }



  TEST(SolutionWriter, Quadrilaterals)
  {
    write_and_check<2>(false, 4);
  }

  TEST(SolutionWriter, Triangles)
  {
    write_and_check<2>(true, 4);
  }

  TEST(SolutionWriter, Hexahedra)
  {
    write_and_check<3>(false, 3);
  }

  TEST(SolutionWriter, Tetrahedra)
  {
    write_and_check<3>(true, 2);
  }

  TEST(SolutionWriter, RankWithoutCells)
  {
    write_and_check<3>(false, 1);
  }



  TEST(SolutionWriter, TwoPartsAndSeveralTimes)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    const Model<2> quadrilaterals(false, 2), triangles(true, 3);
    SolutionWriter<2> writer(directory.output(), MPI_COMM_WORLD);
    for (unsigned int n = 0; n < 3; ++n)
      writer.write(n / 3., 10 + n, {quadrilaterals.part(), triangles.part()});

    const auto entries = read_pvd(directory.file("solution.pvd"));
    ASSERT_EQ(entries.size(), 6U);
    for (unsigned int e = 0; e < 6; ++e)
      {
        EXPECT_EQ(std::stod(entries[e].time), (e / 2) / 3.);
        EXPECT_EQ(entries[e].part, std::to_string(e % 2));
        EXPECT_EQ(entries[e].file.substr(0, 16),
                  "solution-0000" + std::to_string(e / 2) + "-" +
                    std::to_string(e % 2));
        check_part(e % 2 == 0 ? quadrilaterals : triangles,
                   directory,
                   entries[e].file,
                   (e / 2) / 3.,
                   10 + e / 2);
      }
    EXPECT_FALSE(fs::exists(directory.file("solution.pvd.new")));
  }



  TEST(SolutionWriter, RestartKeepsEarlierOutputs)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    const Model<2> model(false, 2);
    const auto time = [](const unsigned int n) { return 0.1 * n; };
    {
      SolutionWriter<2> writer(directory.output(), MPI_COMM_WORLD);
      for (unsigned int n = 0; n < 5; ++n)
        writer.write(time(n), n, {model.part()});
    }

    // The times must survive reading and writing: 0.1 * 3 is not 0.3.
    {
      SolutionWriter<2> writer(directory.output(),
                               MPI_COMM_WORLD,
                               ResumePoint{3, time(3)});
      EXPECT_EQ(writer.n_outputs(), 4U);
      writer.write(0.375, 4, {model.part()});
    }
    const auto entries = read_pvd(directory.file("solution.pvd"));
    ASSERT_EQ(entries.size(), 5U);
    for (unsigned int n = 0; n < 4; ++n)
      EXPECT_EQ(std::stod(entries[n].time), time(n));
    EXPECT_EQ(entries[4].time, "0.375");
    EXPECT_EQ(fs::path(entries[4].file).stem(), "solution-00004");
    check_part(model, directory, entries[4].file, 0.375, 4);
  }



  TEST(SolutionWriter, FullDiskOnOneRankIsReportedOnAll)
  {
    const TemporaryDirectory directory(MPI_COMM_WORLD);
    const Model<2> model(false, 2);
    SolutionWriter<2> writer(directory.output(), MPI_COMM_WORLD);
    writer.write(0., 0, {model.part()});

    const std::string file =
      directory.file(n_ranks() == 1 ? "solution-00001.vtu"
                                    : "solution-00001-r000" +
                                        std::to_string(n_ranks() - 1) + ".vtu");
    if (Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
      fs::create_symlink("/dev/full", file);
    MPI_Barrier(MPI_COMM_WORLD);

    const std::string message =
      message_of<RunError>([&]() { writer.write(1., 1, {model.part()}); });
    EXPECT_NE(message.find("'" + file + "': No space left"), std::string::npos)
      << message;

    // The list names what is complete.
    EXPECT_EQ(read_pvd(directory.file("solution.pvd")).size(), 1U);
  }



  TEST(ParaviewSeries, ListThatCannotBeReadIsReported)
  {
    const TemporaryDirectory directory;
    write(directory.file("contact.pvd"), "<VTKFile><Collection><DataSet");
    const std::string message = message_of<UserError>([&]() {
      ParaviewSeries(directory.output(), "contact", ResumePoint{1, 1.});
    });
    EXPECT_NE(message.find("contact.pvd"), std::string::npos) << message;

    // A list that does not exist yet is no problem.
    const ParaviewSeries series(directory.output(),
                                "other",
                                ResumePoint{1, 1.});
    EXPECT_EQ(series.next_number(), 0U);
    EXPECT_EQ(series.stem(123456), "other-123456");
  }
} // namespace
