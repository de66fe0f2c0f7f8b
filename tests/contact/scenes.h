// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_contact_scenes_h
#define ricochet_tests_contact_scenes_h

#include <ricochet/contact.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/tensor.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "../random.h"
#include "model.h"

/** Turn everything about the origin. */
template <int dim>
void
rotate(std::vector<CubeMotion<dim>> &cubes, const dealii::Tensor<2, dim> &Q)
{
  for (auto &cube : cubes)
    {
      cube.rotation = Q * cube.rotation;
      cube.centre   = Q * cube.centre;
      cube.velocity = Q * cube.velocity;
      cube.gradient = Q * cube.gradient * transpose(Q);
    }
}



/** The step that makes the bodies of the scenes overlap. */
constexpr double impact_step = 0.03;

/** The step in which a corner reaches a face. */
constexpr double corner_step = 0.01;



/**
 * Cubes in a row, 0.01 apart or @p gap, that fly at each other with about 2,
 * almost face to face, while they turn and deform. A step of impact_step makes
 * them overlap by a fifth of the edge length of their cells.
 */
template <int dim>
std::vector<CubeMotion<dim>>
cubes_in_a_row(const unsigned int n_cubes,
               const unsigned int seed,
               const double gap = 0.01)
{
  Random random(seed);
  std::vector<CubeMotion<dim>> cubes(n_cubes);
  double side = 0.;
  for (unsigned int b = 0; b < n_cubes; ++b)
    {
      auto &cube    = cubes[b];
      cube.rotation = random.rotation<dim>(0.05);
      double half   = 0.;
      for (unsigned int d = 0; d < dim; ++d)
        half += 0.5 * std::abs(cube.rotation[0][d]);
      cube.centre      = random.vector<dim>(0.3);
      cube.centre[0]   = side + half;
      side             = cube.centre[0] + half + gap;
      cube.velocity    = random.vector<dim>(0.3);
      cube.velocity[0] = n_cubes - 1. - 2. * b;
      cube.gradient    = random.matrix<dim>(0.2);
    }
  rotate(cubes, random.rotation<dim>(3.));
  return cubes;
}



/**
 * A cube that stands on its corner flies with this corner into a facet of
 * another one: in corner_step, one vertex and one facet meet, nothing else.
 */
template <int dim>
std::vector<CubeMotion<dim>>
corner_on_face(const unsigned int seed)
{
  namespace Rotations = dealii::Physics::Transformations::Rotations;
  Random random(seed);
  std::vector<CubeMotion<dim>> cubes(2);
  cubes[0].rotation = dealii::unit_symmetric_tensor<dim>();
  if constexpr (dim == 2)
    cubes[1].rotation = Rotations::rotation_matrix_2d(dealii::numbers::PI_4);
  else
    cubes[1].rotation =
      Rotations::rotation_matrix_3d(dealii::Tensor<1, 3>(
                                      {0., std::sqrt(0.5), -std::sqrt(0.5)}),
                                    std::acos(std::sqrt(1. / 3.)));
  // Away from all edges of cells and their diagonals.
  const std::array<double, 3> tip{
    {0.51 + 0.5 * std::sqrt(double(dim)), 0.05, 0.12}};
  for (unsigned int d = 0; d < dim; ++d)
    cubes[1].centre[d] = tip[d];
  for (auto &cube : cubes)
    {
      cube.velocity = random.vector<dim>(0.5);
      cube.gradient = random.matrix<dim>(0.1);
    }
  cubes[0].velocity[0] = 1.;
  cubes[1].velocity[0] = -1.;
  rotate(cubes, random.rotation<dim>(3.));
  return cubes;
}



/** A contact with some entries set. */
template <int dim>
void
parse(Ricochet::Contact<dim> &contact,
      const std::vector<std::pair<std::string, std::string>> &entries = {},
      const std::vector<std::string> &body_names                      = {})
{
  dealii::ParameterHandler prm;
  Ricochet::Contact<dim>::declare_parameters(prm);
  for (const auto &entry : entries)
    if (entry.first == "Position correction")
      {
        prm.enter_subsection("dcr");
        prm.set(entry.first, entry.second);
        prm.leave_subsection();
      }
    else
      prm.set(entry.first, entry.second);
  contact.parse_parameters(prm, body_names);
}

#endif
