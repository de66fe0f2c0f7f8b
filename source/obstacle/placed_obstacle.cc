// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/number_list.h>
#include <ricochet/obstacle/placed_obstacle.h>

#include <deal.II/base/patterns.h>

namespace Ricochet
{
  using dealii::Point;
  namespace Patterns = dealii::Patterns;

  template <int dim>
  Placement<dim>
  ObstacleMotion<dim>::placement(const double time) const
  {
    Placement<dim> result;
    if (!rotation.is_zero())
      {
        result.rotation =
          rotation_matrix<dim>(rotation.value(Point<dim>(), time));
        result.shift = centre - result.rotation * centre;
      }
    if (!translation.is_zero())
      result.shift += translation.value(Point<dim>(), time);
    return result;
  }



  template <int dim>
  void
  ObstacleMotion<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    prm.declare_entry("Translation",
                      dim == 2 ? "0; 0" : "0; 0; 0",
                      Patterns::Anything(),
                      "All components of the displacement, separated by ';', "
                      "as functions of the time t. Units: length.");
    prm.declare_entry("Rotation",
                      dim == 2 ? "0" : "0; 0; 0",
                      Patterns::Anything(),
                      dim == 2
                        ? "Angle of the rotation about 'Centre', "
                          "counter-clockwise, as a function of the time t, "
                          "before the translation. Units: radians."
                        : "Components of the rotation vector (unit axis times "
                          "angle) of the rotation about 'Centre', separated by "
                          "';', as functions of the time t, before the "
                          "translation. Units: radians.");
    declare_numbers(prm,
                    "Centre",
                    dim,
                    "0",
                    "The point that the rotation leaves in place. Units: "
                    "length.",
                    Patterns::Double());
  }



  template <int dim>
  void
  ObstacleMotion<dim>::parse_parameters(dealii::ParameterHandler &prm,
                                        const std::string &owner)
  {
    translation = VectorFunction<dim>(prm.get("Translation"),
                                      owner + ", entry 'Motion/Translation'");
    rotation =
      VectorFunction<dim, n_rotations<dim>>(prm.get("Rotation"),
                                            owner +
                                              ", entry 'Motion/Rotation'");
    centre = Point<dim>(get_numbers<dim>(prm, "Centre"));
    // Is it finite at the start?
    placement(0.);
  }



  template <int dim>
  void
  PlacedObstacle<dim>::declare_parameters(dealii::ParameterHandler &prm)
  {
    declare_choice<Obstacle<dim>>(
      prm,
      "Type",
      "half-space",
      "The shape; its entries are in the subsection of that name.\n" +
        Registry<Obstacle<dim>>::documentation() + "\nUnits: None.");
    declare_classes<Obstacle<dim>>(prm);
    prm.enter_subsection("Motion");
    ObstacleMotion<dim>::declare_parameters(prm);
    prm.leave_subsection();
  }



  template <int dim>
  void
  PlacedObstacle<dim>::parse_parameters(dealii::ParameterHandler &prm,
                                        const std::string &section)
  {
    name                    = section;
    const std::string owner = "Obstacle '" + name + "'";
    shape                   = choose<Obstacle<dim>>(prm, "Type", owner);
    prm.enter_subsection("Motion");
    motion.parse_parameters(prm, owner);
    prm.leave_subsection();
  }



  template struct ObstacleMotion<2>;
  template struct ObstacleMotion<3>;
  template struct PlacedObstacle<2>;
  template struct PlacedObstacle<3>;
} // namespace Ricochet
