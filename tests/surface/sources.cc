// SPDX-License-Identifier: LGPL-2.1-or-later

// What a surface is made of: which cells are a body if nobody says it, and
// meshes that each rank has for itself.

#include <ricochet/base/error.h>
#include <ricochet/surface/extraction.h>
#include <ricochet/surface/skin.h>

#include <deal.II/base/mpi.h>
#include <deal.II/distributed/shared_tria.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>

#include <gtest/gtest.h>
#include <string>

using namespace Ricochet;
using namespace dealii;

namespace
{
  /** A unit square or cube of 4^dim cells on any kind of mesh. */
  template <int dim, class Mesh>
  struct Block
  {
    template <typename... Arguments>
    explicit Block(Arguments... arguments)
      : mesh(arguments...)
      , dof_handler(mesh)
    {
      GridGenerator::subdivided_hyper_cube(mesh, 4);
      dof_handler.distribute_dofs(FESystem<dim>(FE_Q<dim>(1), dim));
      source.dof_handler = &dof_handler;
    }

    Mesh mesh;
    DoFHandler<dim> dof_handler;
    SurfaceSource<dim> source;
  };

  template <int dim>
  using DistributedBlock =
    Block<dim, parallel::distributed::Triangulation<dim>>;



  template <int dim>
  Surface<dim>
  surface_of(const std::vector<SurfaceSource<dim>> &sources,
             const MPI_Comm communicator = MPI_COMM_WORLD)
  {
    Surface<dim> surface;
    SurfaceNodes<dim> nodes;
    extract_surface(sources, communicator, surface, nodes);
    return surface;
  }



  /** How many facets each body has. */
  template <int dim>
  std::vector<unsigned int>
  facets_of_bodies(const std::vector<SurfaceSource<dim>> &sources)
  {
    const Surface<dim> surface = surface_of(sources);
    std::vector<unsigned int> result(surface.n_bodies);
    for (const unsigned int body : surface.facet_body)
      ++result[body];
    return result;
  }



  template <int dim>
  void
  check_numbers_of_bodies()
  {
    const DistributedBlock<dim> a(MPI_COMM_WORLD), b(MPI_COMM_WORLD);
    const unsigned int n = dim == 2 ? 16 : 2 * 6 * 16;
    EXPECT_EQ(facets_of_bodies<dim>({a.source, b.source}),
              (std::vector<unsigned int>{n, n}));

    // After the numbers that others have, some of them on one rank only.
    SurfaceSource<dim> named = b.source;
    named.body               = [](const auto &cell) {
      for (unsigned int d = 0; d < dim; ++d)
        if (cell->center()[d] > 0.25)
          return 0;
      return 2;
    };
    const unsigned int n_corner = dim == 2 ? 2 : 2 * 3;
    EXPECT_EQ(facets_of_bodies<dim>({a.source, named, b.source}),
              (std::vector<unsigned int>{n - n_corner, 0, n_corner, n, n}));

    // The same numbers wherever bodies are told apart.
    EXPECT_EQ(smallest_skin_heights<dim>({a.source, b.source},
                                         2,
                                         MPI_COMM_WORLD),
              (std::vector<double>{0.25, 0.25}));
  }



  template <int dim>
  void
  check_whole_meshes()
  {
    const Block<dim, Triangulation<dim>> serial;
    const DistributedBlock<dim> own(MPI_COMM_SELF), distributed(MPI_COMM_WORLD);
    const Surface<dim> expected =
      surface_of<dim>({serial.source}, MPI_COMM_SELF);

    // What a mesh is called does not matter, but who owns its cells.
    const Block<dim, parallel::shared::Triangulation<dim>> shared(
      MPI_COMM_WORLD);
    EXPECT_EQ(surface_of<dim>({shared.source}).facets, expected.facets);

    for (const SurfaceSource<dim> &source : {serial.source, own.source})
      if (Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
        EXPECT_EQ(surface_of<dim>({source}).n_facets(), expected.n_facets());
      else
        try
          {
            surface_of<dim>({distributed.source, source});
            ADD_FAILURE() << "It was taken.";
          }
        catch (const UserError &error)
          {
            const std::string text = error.what();
            for (const char *part : {"source 1",
                                     "not shared out among the ranks",
                                     "parallel::distributed::Triangulation"})
              EXPECT_NE(text.find(part), std::string::npos) << text;
          }
  }
} // namespace



TEST(SurfaceSources, AreBodiesByDefault)
{
  check_numbers_of_bodies<2>();
  check_numbers_of_bodies<3>();
}



TEST(SurfaceSources, AreSharedOutAmongTheRanks)
{
  check_whole_meshes<2>();
  check_whole_meshes<3>();
}
