// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_obstacle_placed_obstacle_h
#define ricochet_obstacle_placed_obstacle_h

#include <ricochet/base/rotation.h>
#include <ricochet/base/vector_function.h>
#include <ricochet/obstacle/obstacle.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <memory>
#include <string>
#include <vector>

namespace Ricochet
{
  /** Where a rigid shape is: x = rotation X + shift. */
  template <int dim>
  struct Placement
  {
    dealii::Tensor<2, dim> rotation = dealii::unit_symmetric_tensor<dim>();
    dealii::Tensor<1, dim> shift;

    /** A point of the shape's frame, in space. */
    dealii::Point<dim>
    to_space(const dealii::Point<dim> &X) const
    {
      return dealii::Point<dim>(rotation * X + shift);
    }

    /** A point in space, in the shape's frame. */
    dealii::Point<dim>
    to_frame(const dealii::Point<dim> &x) const
    {
      return dealii::Point<dim>(dealii::transpose(rotation) * (x - shift));
    }
  };



  /**
   * A prescribed rigid motion, x = c + R(t) (X - c) + u(t); at rest by
   * default.
   */
  template <int dim>
  struct ObstacleMotion
  {
    /** u and the rotation vector, which must not depend on the position. */
    VectorFunction<dim> translation;
    VectorFunction<dim, n_rotations<dim>> rotation;

    /** c */
    dealii::Point<dim> centre;

    /** Whether it never moves. */
    bool
    is_at_rest() const
    {
      return translation.is_zero() && rotation.is_zero();
    }

    /** Throws a UserError if the functions are not finite. */
    Placement<dim>
    placement(const double time) const;

    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /** Read it. @p owner starts error messages. */
    void
    parse_parameters(dealii::ParameterHandler &prm, const std::string &owner);
  };



  /** A shape with a name and a motion. */
  template <int dim>
  struct PlacedObstacle
  {
    std::string name;
    std::shared_ptr<Obstacle<dim>> shape;
    ObstacleMotion<dim> motion;

    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /** Read it; @p section is its name. Throws a UserError that names it. */
    void
    parse_parameters(dealii::ParameterHandler &prm, const std::string &section);
  };
} // namespace Ricochet

#endif
