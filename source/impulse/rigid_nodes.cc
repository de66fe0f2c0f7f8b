// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/embedding.h>
#include <ricochet/base/moment.h>
#include <ricochet/impulse/rigid_nodes.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>

#include "rigid_arms.h"

namespace Ricochet
{
  using dealii::cross_product_3d;
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Unit vectors to the corners of a regular simplex. */
    template <int dim>
    std::vector<Tensor<1, dim>>
    directions_of_simplex()
    {
      if constexpr (dim == 2)
        {
          const double height = std::sqrt(0.75);
          return {Tensor<1, 2>({1., 0.}),
                  Tensor<1, 2>({-0.5, height}),
                  Tensor<1, 2>({-0.5, -height})};
        }
      else
        {
          const double c = 1. / std::sqrt(3.);
          return {Tensor<1, 3>({c, c, c}),
                  Tensor<1, 3>({c, -c, -c}),
                  Tensor<1, 3>({-c, c, -c}),
                  Tensor<1, 3>({-c, -c, c})};
        }
    }



    /** The numbers of some nodes, one after the other. */
    std::vector<unsigned int>
    range(const unsigned int first, const unsigned int n)
    {
      std::vector<unsigned int> result;
      for (unsigned int i = 0; i < n; ++i)
        result.push_back(first + i);
      return result;
    }
  } // namespace



  template <int dim>
  RigidNodes<dim>::RigidNodes(const unsigned int first_node,
                              const double radius)
    : CoupledNodes<dim>(range(first_node, dim + 1))
    , reference(directions_of_simplex<dim>())
    , arm(dim + 1)
  {
    // The sphere about all corners is dim times as large as the one inside.
    for (Tensor<1, dim> &corner : reference)
      corner *= dim * radius;
  }



  template <int dim>
  std::vector<double>
  RigidNodes<dim>::weights_of(const Tensor<1, dim> &X) const
  {
    std::vector<double> weights;
    for (const Tensor<1, dim> &corner : reference)
      weights.push_back((1. + dim * (X * corner) / corner.norm_square()) /
                        (dim + 1.));
    return weights;
  }



  template <int dim>
  void
  RigidNodes<dim>::place(const RigidMotion &motion)
  {
    start = motion;
    for (unsigned int d = 0; d < dim; ++d)
      inverse_mass[d] = start.inverse_mass(d);
    turn(motion);
  }



  template <int dim>
  void
  RigidNodes<dim>::place(const RigidMotion &motion,
                         const std::vector<Tensor<1, dim>> &arms)
  {
    place(motion);
    arm = arms;
  }



  template <int dim>
  void
  RigidNodes<dim>::turn(const RigidMotion &motion)
  {
    const Tensor<2, 3> R = motion.rotation();
    for (unsigned int i = 0; i < reference.size(); ++i)
      arm[i] = out_of_space<dim>(R * in_space(reference[i]));
    inverse_inertia = motion.inverse_inertia();
  }



  template <int dim>
  void
  RigidNodes<dim>::set_velocities(const RigidMotion &motion,
                                  std::vector<Tensor<1, dim>> &velocities) const
  {
    const Tensor<1, 3> omega = motion.angular_velocity();
    for (unsigned int i = 0; i < arm.size(); ++i)
      velocities[this->get_nodes()[i]] = out_of_space<dim>(
        motion.velocity + cross_product_3d(omega, in_space(arm[i])));
  }



  template <int dim>
  Tensor<2, dim>
  RigidNodes<dim>::block(const unsigned int i, const unsigned int j) const
  {
    Tensor<2, dim> result;
    for (unsigned int e = 0; e < dim; ++e)
      {
        Tensor<1, dim> unit;
        unit[e]                   = 1.;
        const Tensor<1, dim> turn = out_of_space<dim>(
          cross_product_3d(Tensor<1, 3>(inverse_inertia * moment(arm[j], unit)),
                           in_space(arm[i])));
        for (unsigned int d = 0; d < dim; ++d)
          result[d][e] = (d == e ? inverse_mass[d] : 0.) + turn[d];
      }
    return result;
  }



  template <int dim>
  void
  RigidNodes<dim>::move_together(const unsigned int n,
                                 const unsigned int *const numbers,
                                 const double *const weights,
                                 const Tensor<1, dim> &impulse,
                                 double *const field) const
  {
    double weight = 0.;
    Tensor<1, dim> lever;
    for (unsigned int k = 0; k < n; ++k)
      {
        weight += weights[k];
        lever += weights[k] * arm[numbers[k]];
      }
    Tensor<1, dim> velocity;
    for (unsigned int d = 0; d < dim; ++d)
      velocity[d] = weight * inverse_mass[d] * impulse[d];
    const Tensor<1, 3> omega = inverse_inertia * moment(lever, impulse);
    double *values           = field + this->get_nodes().front() * dim;
    for (const Tensor<1, dim> &r : arm)
      {
        const Tensor<1, 3> turn = cross_product_3d(omega, in_space(r));
        for (unsigned int d = 0; d < dim; ++d)
          *values++ += velocity[d] + turn[d];
      }
  }



  template <int dim>
  Tensor<1, dim>
  RigidNodes<dim>::velocity_of_centre(
    const std::vector<Tensor<1, dim>> &velocities) const
  {
    Tensor<1, dim> sum;
    for (const unsigned int node : this->get_nodes())
      sum += velocities[node];
    return sum / (dim + 1.);
  }



  template <int dim>
  double
  RigidNodes<dim>::kinetic_energy(const std::vector<Tensor<1, dim>> &velocities,
                                  const Tensor<1, dim> &frame) const
  {
    const Tensor<1, 3> omega = angular_velocity(*this, velocities);
    return 0.5 * (start.mass.mass *
                    (velocity_of_centre(velocities) - frame).norm_square() +
                  omega * (start.inertia() * omega));
  }



  template <int dim>
  RigidLoad
  RigidNodes<dim>::sum(const std::vector<Tensor<1, dim>> &impulses,
                       const std::vector<Point<dim>> &positions,
                       const Point<3> &centre) const
  {
    RigidLoad result;
    for (const unsigned int node : this->get_nodes())
      {
        const Tensor<1, 3> impulse = in_space(impulses[node]);
        const Tensor<1, 3> place   = in_space(Tensor<1, dim>(positions[node]));
        result.impulse += impulse;
        result.angular_impulse += moment(place - Tensor<1, 3>(centre), impulse);
      }
    return result;
  }



  template <int dim>
  void
  RigidNodes<dim>::set(const RigidMotion &motion,
                       std::vector<Point<dim>> &positions) const
  {
    const Tensor<2, 3> R = motion.rotation();
    for (unsigned int i = 0; i < reference.size(); ++i)
      positions[this->get_nodes()[i]] = Point<dim>(
        out_of_space<dim>(motion.centre + R * in_space(reference[i])));
  }



  template <int dim>
  RigidMotion
  RigidNodes<dim>::drifted(const ContactState<dim> &state) const
  {
    const RigidLoad load =
      sum(state.position_impulses, state.start_positions, start.centre);
    RigidMotion motion = start;
    if (state.dt > 0.)
      {
        motion.push(load.impulse / state.dt, load.angular_impulse / state.dt);
        motion.drift(state.dt);
      }
    else
      motion.displace(load.impulse / start.mass.mass,
                      inverse_inertia * load.angular_impulse);
    return motion;
  }



  template <int dim>
  bool
  cannot_deform(const Collision<dim> &collision,
                const InverseMass<dim> &inverse_mass)
  {
    return std::all_of(collision.nodes.begin(),
                       collision.nodes.end(),
                       [&](const unsigned int node) {
                         return inverse_mass.is_fixed(node) ||
                                inverse_mass.rigid_body_of(node) != nullptr;
                       });
  }



  template <int dim>
  void
  straighten_rigid_bodies(ContactState<dim> &state)
  {
    for (const auto &set : state.inverse_mass.coupled_sets())
      if (const auto *const body = set->as_rigid())
        if (std::any_of(body->get_nodes().begin(),
                        body->get_nodes().end(),
                        [&](const unsigned int node) {
                          return state.position_impulses[node] !=
                                 Tensor<1, dim>();
                        }))
          body->set(body->drifted(state), state.end_positions);
  }



  template <int dim>
  void
  go_to_end_of_rigid_bodies(ContactState<dim> &state)
  {
    for (const auto &set : state.inverse_mass.coupled_sets())
      if (auto *const body = set->as_rigid())
        {
          const RigidMotion end = body->drifted(state);
          body->turn(end);
          body->set_velocities(end, state.velocities);
        }
  }



  template <int dim>
  void
  go_to_start_of_rigid_bodies(ContactState<dim> &state)
  {
    for (const auto &set : state.inverse_mass.coupled_sets())
      if (auto *const body = set->as_rigid())
        body->turn(body->motion());
  }



  template <int dim>
  double
  RigidNodes<dim>::change_of_weight(
    const unsigned int i,
    const Tensor<1, dim> &way,
    const std::vector<Point<dim>> &positions) const
  {
    Tensor<1, dim> centre;
    for (const unsigned int node : this->get_nodes())
      centre += Tensor<1, dim>(positions[node]);
    centre /= dim + 1.;
    const Tensor<1, dim> corner =
      Tensor<1, dim>(positions[this->get_nodes()[i]]) - centre;
    return dim * (way * corner) / (reference[i].norm_square() * (dim + 1.));
  }



  namespace
  {
    /** The rigid bodies at a contact point: one or two, or more where facets
     * have nodes of rigid regions. */
    template <int dim>
    using BodiesOfPair =
      boost::container::small_vector<const RigidNodes<dim> *, 4>;

    template <int dim>
    BodiesOfPair<dim>
    bodies_of(const Collision<dim> &collision,
              const InverseMass<dim> &inverse_mass)
    {
      BodiesOfPair<dim> bodies;
      for (const unsigned int node : collision.nodes)
        if (const auto *const body = inverse_mass.rigid_body_of(node))
          if (std::find(bodies.begin(), bodies.end(), body) == bodies.end())
            bodies.push_back(body);
      return bodies;
    }



    /** Whether nothing moves the nodes that are not of the body. */
    template <int dim>
    bool
    is_on_support(const RigidNodes<dim> &body,
                  const Collision<dim> &collision,
                  const InverseMass<dim> &inverse_mass)
    {
      return std::all_of(collision.nodes.begin(),
                         collision.nodes.end(),
                         [&](const unsigned int node) {
                           return inverse_mass.rigid_body_of(node) == &body ||
                                  inverse_mass.is_fixed(node);
                         });
    }



    /** The share of each body in the way to the common point. */
    template <int dim>
    boost::container::small_vector<double, 4>
    shares_of_way(const BodiesOfPair<dim> &bodies,
                  const Collision<dim> &collision,
                  const InverseMass<dim> &inverse_mass)
    {
      const unsigned int n = bodies.size();
      if (n == 1)
        return {is_on_support(*bodies[0], collision, inverse_mass) ? 0. : 1.};
      double sum = 0.;
      for (const auto *const body : bodies)
        sum += body->ease_of_turning();
      boost::container::small_vector<double, 4> shares;
      for (const auto *const body : bodies)
        shares.push_back(
          sum > 0. ? (1. - body->ease_of_turning() / sum) / (n - 1) : 1. / n);
      return shares;
    }
  } // namespace



  template <int dim>
  Collision<dim>
  with_common_point(const Collision<dim> &collision,
                    const std::vector<Point<dim>> &positions,
                    const InverseMass<dim> &inverse_mass)
  {
    const auto bodies = bodies_of(collision, inverse_mass);
    if (bodies.empty())
      return collision;

    const auto shares = shares_of_way<dim>(bodies, collision, inverse_mass);
    const Tensor<1, dim> way = -collision.weighted_sum(positions);
    Collision<dim> result    = collision;
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      if (const auto *const body =
            inverse_mass.rigid_body_of(collision.nodes[i]))
        {
          const unsigned int k =
            std::find(bodies.begin(), bodies.end(), body) - bodies.begin();
          // All move the separation by their share, whatever their side.
          result.weights[i] +=
            body->change_of_weight(collision.nodes[i] -
                                     body->get_nodes().front(),
                                   shares[k] * way,
                                   positions);
        }
    return result;
  }



  template <int dim>
  std::optional<unsigned int>
  side_of_obstacle(const Collision<dim> &collision,
                   const InverseMass<dim> &inverse_mass)
  {
    std::optional<unsigned int> result;
    bool is_rigid = false;
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      if (inverse_mass.rigid_body_of(collision.nodes[i]) != nullptr)
        is_rigid = true;
      else if (!inverse_mass.is_of_body(collision.nodes[i]))
        result = collision.weights[i] > 0. ? 0 : 1;
    return is_rigid ? result : std::nullopt;
  }



#define RICOCHET_INSTANTIATE(dim)                                            \
  template bool cannot_deform(const Collision<dim> &,                        \
                              const InverseMass<dim> &);                     \
  template void straighten_rigid_bodies(ContactState<dim> &);                \
  template void go_to_end_of_rigid_bodies(ContactState<dim> &);              \
  template void go_to_start_of_rigid_bodies(ContactState<dim> &);            \
  template Collision<dim> with_common_point(const Collision<dim> &,          \
                                            const std::vector<Point<dim>> &, \
                                            const InverseMass<dim> &);       \
  template std::optional<unsigned int> side_of_obstacle(                     \
    const Collision<dim> &,                                                  \
    const InverseMass<dim> &);

  RICOCHET_INSTANTIATE(2)
  RICOCHET_INSTANTIATE(3)
#undef RICOCHET_INSTANTIATE

  template class RigidNodes<2>;
  template class RigidNodes<3>;
} // namespace Ricochet
