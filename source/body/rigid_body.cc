// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/embedding.h>
#include <ricochet/body/rigid_body.h>

#include <deal.II/base/symmetric_tensor.h>

#include <algorithm>
#include <sstream>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  template <int dim>
  void
  RigidBody<dim>::place(const Tensor<2, dim> &rotation,
                        const Tensor<1, dim> &shift)
  {
    for (Point<dim> &x : surface.vertices)
      x = Point<dim>(rotation * x);
    const Tensor<2, 3> turn = rotation_in_space(rotation);
    mass.inertia            = turn * mass.inertia * transpose(turn);
    centre                  = Point<dim>(rotation * centre + shift);
  }



  template <int dim>
  void
  RigidBody<dim>::add_masses(const double added,
                             const Tensor<1, dim> &first,
                             const Tensor<2, dim> &second)
  {
    mass.mass += added;
    const Tensor<1, dim> shift = first / mass.mass;
    // About the old centre, then about the new one (Steiner's theorem). In the
    // plane only the last axis matters, and the others get the same.
    const Tensor<2, dim> change =
      second - mass.mass * outer_product(shift, shift);
    mass.inertia +=
      trace(change) * Tensor<2, 3>(dealii::unit_symmetric_tensor<3>());
    if constexpr (dim == 3)
      mass.inertia -= change;
    for (Point<dim> &x : surface.vertices)
      x -= shift;
    centre += shift;
  }



  template <int dim>
  RigidMotion
  RigidBody<dim>::initial_motion() const
  {
    RigidMotion motion(mass, Point<3>(in_space(Tensor<1, dim>(centre))));
    motion.velocity = in_space(initial_velocity.value(centre, 0.));
    motion.set_angular_velocity(rotation_in_space(spin));
    std::copy(holds_velocity.begin(),
              holds_velocity.end(),
              motion.holds_velocity.begin());
    motion.holds_rotation = holds_rotation;
    prescribe(0., motion);
    return motion;
  }



  template <int dim>
  void
  RigidBody<dim>::prescribe(const double time, RigidMotion &motion) const
  {
    const Tensor<1, dim> velocity = held_velocity.value(centre, time);
    for (unsigned int d = 0; d < dim; ++d)
      if (holds_velocity[d])
        motion.velocity[d] = velocity[d];
    if (holds_rotation)
      motion.set_angular_velocity(
        rotation_in_space(held_angular_velocity.value(centre, time)));
  }



  template <int dim>
  Tensor<1, 3>
  RigidBody<dim>::force(const double time) const
  {
    Tensor<1, dim> result = mass.mass * body_force.value(centre, time);
    for (unsigned int d = 0; d < dim; ++d)
      if (holds_velocity[d])
        result[d] = 0.;
    return in_space(result);
  }



  template <int dim>
  std::string
  summary_of(const RigidBody<dim> &body)
  {
    const auto moments = eigenvalues(dealii::symmetrize(body.mass.inertia));
    std::ostringstream text;
    text << "rigid, " << body.surface.facets.size() << " facets, mass "
         << body.mass.mass << ", centre of mass (" << body.centre << "), ";
    if (dim == 2)
      text << "inertia " << moments[0];
    else
      text << "principal moments of inertia " << moments[0] << ", "
           << moments[1] << ", " << moments[2];
    return text.str();
  }



  template struct RigidBody<2>;
  template struct RigidBody<3>;
  template std::string
  summary_of(const RigidBody<2> &);
  template std::string
  summary_of(const RigidBody<3> &);
} // namespace Ricochet
