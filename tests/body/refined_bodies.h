// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_body_refined_bodies_h
#define ricochet_tests_body_refined_bodies_h

#include <ricochet/body/forest.h>
#include <ricochet/mesh/coarse_mesh.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

/** A number of cuts, 0 to 2, without any regularity in space. */
template <int dim>
inline unsigned int
irregular_level(const dealii::Point<dim> &x)
{
  double phase = 0.;
  for (unsigned int d = 0; d < dim; ++d)
    phase += (17. + 14. * d) * x[d];
  return static_cast<unsigned int>(2.4 * std::abs(std::sin(phase)));
}



/** The same as a function in a parameter file. */
template <int dim>
inline std::string
irregular_refinement()
{
  return std::string("set Local refinement = 2.4*abs(sin(17*x+31*y") +
         (dim == 3 ? "+45*z" : "") + "))-1\n";
}



/**
 * A forest of a cube of n^dim cells from 0 to 1, its inner vertices moved, and
 * another one on its right, both refined irregularly.
 */
template <int dim>
inline std::unique_ptr<Ricochet::Forest<dim>>
make_refined_cubes(const MPI_Comm communicator, const unsigned int n)
{
  std::vector<Ricochet::CoarseMesh<dim>> meshes;
  for (const double left : {0., 1.5})
    {
      dealii::Triangulation<dim> cube;
      dealii::Point<dim> low, high;
      for (unsigned int d = 0; d < dim; ++d)
        high[d] = 1.;
      low[0] = left;
      high[0] += left;
      dealii::GridGenerator::subdivided_hyper_rectangle(
        cube,
        std::vector<unsigned int>(dim, n),
        low,
        high);
      dealii::GridTools::transform(
        [&](dealii::Point<dim> x) {
          double bubble = 0.3;
          for (unsigned int d = 0; d < dim; ++d)
            bubble *= 4. * (x[d] - low[d]) * (high[d] - x[d]);
          for (unsigned int d = 0; d < dim; ++d)
            x[d] += bubble * (d + 1.) / dim / n;
          return x;
        },
        cube);
      meshes.emplace_back(cube);
    }
  const std::vector<typename Ricochet::Forest<dim>::Tree> trees =
    {{0, &meshes[0]}, {1, &meshes[1]}};
  return std::make_unique<Ricochet::Forest<dim>>(
    communicator,
    trees,
    [](const unsigned int, const dealii::Point<dim> &centre) {
      return irregular_level<dim>(centre);
    });
}

#endif
