// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_obstacle_make_obstacle_h
#define ricochet_tests_obstacle_make_obstacle_h

#include <ricochet/obstacle/placed_obstacle.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/tensor.h>

#include <iomanip>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using ObstacleEntries = std::vector<std::pair<std::string, std::string>>;



/** Numbers as parameter files want them. */
template <int dim>
std::string
text_of(const dealii::Tensor<1, dim> &vector,
        const std::string &separator = ", ")
{
  std::ostringstream text;
  text << std::setprecision(17);
  for (unsigned int d = 0; d < dim; ++d)
    text << (d > 0 ? separator : "") << vector[d];
  return text.str();
}

inline std::string
text_of(const double number)
{
  return text_of(dealii::Tensor<1, 1>({number}));
}



/** An obstacle as a parameter file describes it. */
template <int dim>
Ricochet::PlacedObstacle<dim>
make_obstacle(const std::string &type,
              const ObstacleEntries &shape,
              const ObstacleEntries &motion = {})
{
  dealii::ParameterHandler prm;
  Ricochet::PlacedObstacle<dim>::declare_parameters(prm);
  prm.set("Type", type);
  const auto set = [&prm](const std::string &section,
                          const ObstacleEntries &entries) {
    prm.enter_subsection(section);
    for (const auto &[name, value] : entries)
      prm.set(name, value);
    prm.leave_subsection();
  };
  set(type, shape);
  set("Motion", motion);
  Ricochet::PlacedObstacle<dim> result;
  result.parse_parameters(prm, "obstacle");
  return result;
}

#endif
