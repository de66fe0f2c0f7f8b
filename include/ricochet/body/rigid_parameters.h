// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_rigid_parameters_h
#define ricochet_body_rigid_parameters_h

#include <ricochet/body/rigid_body.h>
#include <ricochet/body/rigid_shape.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/tensor.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /** What parameter files say of a body only if it is rigid: what resists to
   * its motion, and what of it is held. */
  template <int dim>
  class RigidParameters
  {
  public:
    /** Declare the entries of the section that the caller has entered. */
    static void
    declare_parameters(dealii::ParameterHandler &prm);

    /** Read it. @p owner starts error messages. Throws a UserError for what no
     * body can be. */
    void
    parse_parameters(dealii::ParameterHandler &prm, const std::string &owner);

    /** Whether the mass is to be had from a density. */
    bool
    needs_density() const
    {
      return mass.empty();
    }

    /**
     * Give a body a shape, a mass, a place, and what is held of it.
     *
     * @param[in] shape Placed but for a translation.
     * @param[in] rotation, scale Those that have placed it.
     * @param[in] density Used if needs_density().
     * Throws a UserError if no body has its inertia.
     */
    void
    apply(RigidShape<dim> &&shape,
          const dealii::Tensor<2, dim> &rotation,
          const dealii::Tensor<2, dim> &scale,
          const double density,
          RigidBody<dim> &body) const;

  private:
    void
    parse_held(const dealii::ParameterHandler &prm);

    void
    parse_inertia(const dealii::ParameterHandler &prm);

    std::string owner;

    /** Empty or one number. */
    std::vector<double> mass;

    /** Whether these are given, in the shape's own coordinates. */
    bool has_inertia = false, has_centre = false;
    dealii::Tensor<2, 3> inertia;
    dealii::Point<dim> centre;

    std::array<bool, dim> holds_velocity{};
    bool holds_rotation = false;
    VectorFunction<dim> held_velocity;
    VectorFunction<dim, n_rotations<dim>> held_angular_velocity;
  };
} // namespace Ricochet

#endif
