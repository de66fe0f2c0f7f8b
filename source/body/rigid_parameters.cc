// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/embedding.h>
#include <ricochet/base/error.h>
#include <ricochet/base/number_list.h>
#include <ricochet/body/rigid_parameters.h>

#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <utility>

namespace Ricochet
{
  using dealii::ParameterHandler;
  using dealii::Point;
  using dealii::Tensor;
  namespace Patterns = dealii::Patterns;

  namespace
  {
    /** An entry of a list of numbers that may be empty. */
    std::vector<double>
    optional_numbers(const ParameterHandler &prm, const std::string &entry)
    {
      return dealii::Utilities::string_to_double(
        dealii::Utilities::split_string_list(prm.get(entry)));
    }



    template <int dim>
    void
    declare_mass(ParameterHandler &prm)
    {
      prm.declare_entry("Mass",
                        "",
                        Patterns::List(Patterns::Double(), 0, 1),
                        "Larger than 0. Empty: 'Density' of the material times "
                        "the volume, of spheres and cylinders that of the "
                        "exact shape. Units: mass (in 2D per thickness).");
      prm.declare_entry(
        "Inertia",
        "",
        Patterns::List(Patterns::Double(), 0, dim == 2 ? 1 : 6),
        dim == 2
          ? "About the axis through the centre of mass. Empty: that of the "
            "shape filled evenly with the mass, of a sphere m R^2 / 2. Units: "
            "mass times length squared."
          : "About the centre of mass along the axes of the surface's own "
            "coordinates, which 'Rotation' in 'Mesh' turns: three moments xx, "
            "yy, zz, or also xy, xz, yz, which are the elements of the tensor, "
            "-(integral of x y) and so on. Empty: that of the shape filled "
            "evenly with the mass, of a sphere 2/5 m R^2 however it is meshed. "
            "Units: mass times length squared.");
      prm.declare_entry(
        "Centre of mass",
        "",
        Patterns::List(Patterns::Double(), 0, dim),
        "In the surface's own coordinates, which are placed by 'Mesh'. Empty: "
        "that of the shape. A body whose x, y" +
          std::string(dim == 3 ? " and z" : "") +
          " are held turns about this point, which can be any then; else give "
          "'Inertia' as well. Units: length.");
    }



    template <int dim>
    void
    declare_held(ParameterHandler &prm)
    {
      const std::string zero = dim == 2 ? "0; 0" : "0; 0; 0";
      prm.declare_entry("Held",
                        "",
                        Patterns::Anything(),
                        "What is given and no force changes: components x, y" +
                          std::string(dim == 3 ? ", z" : "") +
                          " of the velocity of the centre of mass, and the "
                          "whole 'rotation', separated by ','. Empty: the body "
                          "is free. Units: none.");
      prm.declare_entry("Held velocity",
                        zero,
                        Patterns::Anything(),
                        "The velocity of the centre of mass, of which the held "
                        "components are used: one expression in the time t for "
                        "each, separated by ';'. Units: length over time.");
      prm.declare_entry(
        "Held angular velocity",
        dim == 2 ? "0" : zero,
        Patterns::Anything(),
        "If 'rotation' is held: as a function of the time t" +
          std::string(dim == 3 ? ", one expression for each axis, separated "
                                 "by ';'"
                               : "") +
          ". Units: radians over time.");
    }
  } // namespace



  template <int dim>
  void
  RigidParameters<dim>::declare_parameters(ParameterHandler &prm)
  {
    declare_mass<dim>(prm);
    declare_held<dim>(prm);
  }



  template <int dim>
  void
  RigidParameters<dim>::parse_parameters(ParameterHandler &prm,
                                         const std::string &new_owner)
  {
    owner = new_owner;
    mass  = optional_numbers(prm, "Mass");
    require(mass.empty() || mass[0] > 0.,
            owner + ": 'Mass' = " + prm.get("Mass") +
              " is not larger than 0. Give the mass of the body, or leave the "
              "entry empty to have it computed from 'Density'.");
    parse_held(prm);
    parse_inertia(prm);
  }



  template <int dim>
  void
  RigidParameters<dim>::parse_held(const ParameterHandler &prm)
  {
    const std::string names = "xyz";
    for (const std::string &name :
         dealii::Utilities::split_string_list(prm.get("Held")))
      {
        const std::size_t d = names.substr(0, dim).find(name);
        if (name.size() == 1 && d != std::string::npos)
          holds_velocity[d] = true;
        else
          {
            require(name == "rotation",
                    owner + ": 'Held' = " + prm.get("Held") + " names '" +
                      name + "'. What can be held is x, y" +
                      (dim == 3 ? ", z" : "") +
                      " and rotation, separated by ','.");
            holds_rotation = true;
          }
      }
    held_velocity         = VectorFunction<dim>(prm.get("Held velocity"),
                                        owner + ", entry 'Held velocity'");
    held_angular_velocity = VectorFunction<dim, n_rotations<dim>>(
      prm.get("Held angular velocity"),
      owner + ", entry 'Held angular velocity'");

    require(held_velocity.is_zero() ||
              std::count(holds_velocity.begin(), holds_velocity.end(), true) >
                0,
            owner +
              ": there is a 'Held velocity', but 'Held' = " + prm.get("Held") +
              " names none of its components. Add those that are given, or "
              "use 'Initial velocity'.");
    require(held_angular_velocity.is_zero() || holds_rotation,
            owner + ": there is a 'Held angular velocity', but 'Held' = " +
              prm.get("Held") +
              " does not name 'rotation'. Add it, or use 'Spin'.");
  }



  template <int dim>
  void
  RigidParameters<dim>::parse_inertia(const ParameterHandler &prm)
  {
    const std::vector<double> numbers = optional_numbers(prm, "Inertia");
    has_inertia                       = !numbers.empty();
    require(!has_inertia || dim == 2 || numbers.size() == 3 ||
              numbers.size() == 6,
            owner + ": 'Inertia' = " + prm.get("Inertia") +
              " must have 3 numbers (xx, yy, zz) or 6 (xx, yy, zz, xy, xz, "
              "yz).");
    if (has_inertia)
      {
        for (unsigned int d = 0; d < 3; ++d)
          inertia[d][d] = numbers[dim == 2 ? 0 : d];
        if (numbers.size() == 6)
          {
            inertia[0][1] = inertia[1][0] = numbers[3];
            inertia[0][2] = inertia[2][0] = numbers[4];
            inertia[1][2] = inertia[2][1] = numbers[5];
          }
        check_inertia(inertia, owner + ", 'Inertia' = " + prm.get("Inertia"));
      }

    const std::vector<double> place = optional_numbers(prm, "Centre of mass");
    has_centre                      = !place.empty();
    require(!has_centre || place.size() == dim,
            owner + ": 'Centre of mass' = " + prm.get("Centre of mass") +
              " must have " + std::to_string(dim) + " coordinates.");
    for (unsigned int d = 0; d < place.size(); ++d)
      centre[d] = place[d];
    require(!has_centre || has_inertia ||
              std::count(holds_velocity.begin(), holds_velocity.end(), true) ==
                dim,
            owner + ": 'Centre of mass' = " + prm.get("Centre of mass") +
              " is that of an uneven body, whose 'Inertia' cannot be "
              "computed. Give it as well, or leave the centre of mass empty.");
  }



  template <int dim>
  void
  RigidParameters<dim>::apply(RigidShape<dim> &&shape,
                              const Tensor<2, dim> &rotation,
                              const Tensor<2, dim> &scale,
                              const double density,
                              RigidBody<dim> &body) const
  {
    const VolumeMoments<dim> &moments = shape.moments;
    body.mass.mass = mass.empty() ? density * moments.volume : mass[0];
    body.centre =
      has_centre ? Point<dim>(rotation * scale * centre) : moments.centre;
    if (has_inertia)
      {
        const Tensor<2, 3> turn = rotation_in_space(rotation);
        body.mass.inertia       = turn * inertia * transpose(turn);
      }
    else
      body.mass.inertia =
        body.mass.mass / moments.volume * moments.inertia_about(body.centre);
    check_inertia(body.mass.inertia, owner);
    require(!has_centre || has_inertia || holds_rotation ||
              body.body_force.is_zero(),
            owner +
              ": the body turns about its 'Centre of mass', where 'Body "
              "force' would act without a torque. Leave out the force, "
              "or hold the rotation as well.");

    body.surface = std::move(shape.surface);
    for (Point<dim> &x : body.surface.vertices)
      x = Point<dim>(x - body.centre);
    body.facet_boundary_ids    = std::move(shape.facet_boundary_ids);
    body.holds_velocity        = holds_velocity;
    body.holds_rotation        = holds_rotation;
    body.held_velocity         = held_velocity;
    body.held_angular_velocity = held_angular_velocity;
  }



  template class RigidParameters<2>;
  template class RigidParameters<3>;
} // namespace Ricochet
