// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/impulse/mass_weighted_friction.h>
#include <ricochet/impulse/pair_response.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** One side of a contact point in its tangential plane. */
    template <int dim>
    struct Side
    {
      std::vector<unsigned int> nodes;
      Tensor<1, dim> velocity;

      /** Zero if it cannot be moved. */
      double inverse_mass = 0.;
    };



    /** The part of a vector that is orthogonal to the normal. */
    template <int dim>
    Tensor<1, dim>
    tangential(const Tensor<1, dim> &v, const Tensor<1, dim> &normal)
    {
      return v - (v * normal) * normal;
    }



    /** Whether all nodes move alone, and none is held in some directions only.
     */
    template <int dim>
    bool
    has_scalar_masses(const Collision<dim> &collision,
                      const ContactState<dim> &state)
    {
      return std::all_of(collision.nodes.begin(),
                         collision.nodes.end(),
                         [&](const unsigned int node) {
                           if (state.inverse_mass.set_of(node) != nullptr)
                             return false;
                           const auto w = state.inverse_mass.of_node(node);
                           for (unsigned int d = 1; d < dim; ++d)
                             if (w[d][d] != w[0][0])
                               return false;
                           return true;
                         });
    }



    /** The side of positive weights, without a list of its nodes. */
    template <int dim>
    Side<dim>
    vertex_of(const Collision<dim> &collision, const ContactState<dim> &state)
    {
      Side<dim> vertex;
      for (unsigned int i = 0; i < collision.nodes.size(); ++i)
        if (const double weight = collision.weights[i]; weight > 0.)
          {
            const unsigned int node = collision.nodes[i];
            vertex.velocity += weight * state.velocities[node];
            vertex.inverse_mass +=
              weight * weight * state.inverse_mass.of_node(node)[0][0];
          }
      return vertex;
    }



    /** The nodes of the face that cannot be moved. */
    template <int dim>
    std::vector<unsigned int>
    held_nodes(const Collision<dim> &collision, const ContactState<dim> &state)
    {
      std::vector<unsigned int> held;
      for (unsigned int i = 0; i < collision.nodes.size(); ++i)
        if (!(collision.weights[i] > 0.) &&
            !(state.inverse_mass.of_node(collision.nodes[i])[0][0] > 0.))
          held.push_back(collision.nodes[i]);
      return held;
    }



    /** The face with the velocity of its mass centre, eq. (38): that of the
     * held nodes if there are any. */
    template <int dim>
    Side<dim>
    face_of(const Collision<dim> &collision,
            const std::vector<unsigned int> &held,
            const ContactState<dim> &state)
    {
      Side<dim> face;
      double mass = 0.;
      for (unsigned int i = 0; i < collision.nodes.size(); ++i)
        if (!(collision.weights[i] > 0.))
          {
            const unsigned int node = collision.nodes[i];
            face.nodes.push_back(node);
            const double share = held.empty()
                                   ? 1. / state.inverse_mass.of_node(node)[0][0]
                                   : std::count(held.begin(), held.end(), node);
            mass += share;
            face.velocity += share * state.velocities[node];
          }
      face.velocity /= mass;
      face.inverse_mass = held.empty() ? 1. / mass : 0.;
      return face;
    }



    /** Push the face by the opposite of the impulse on the vertex. Its nodes
     * share it by their masses, or if the vertex sticks, get the velocity that
     * it then has; held nodes take what is left. */
    template <int dim>
    void
    push_face(const Side<dim> &face,
              const std::vector<unsigned int> &held,
              const Side<dim> &vertex,
              const Collision<dim> &collision,
              const Tensor<1, dim> &impulse,
              const bool sticks,
              ContactState<dim> &state)
    {
      const Tensor<1, dim> n = collision.normal;
      const Point<dim> place =
        places_of(collision, state.end_positions, state.inverse_mass)[0];
      const auto push = [&](const unsigned int node,
                            const Tensor<1, dim> &share) {
        push_node(node, share, state);
        note_impulse(collision,
                     Tensor<1, dim>(-share),
                     {{place, state.end_positions[node]}},
                     1.,
                     sticks ? ContactStatus::stick : ContactStatus::slip,
                     state);
      };
      const Tensor<1, dim> common =
        tangential(vertex.velocity, n) + vertex.inverse_mass * impulse;
      Tensor<1, dim> rest = -impulse; // for held nodes
      for (const unsigned int node : face.nodes)
        {
          const double w = state.inverse_mass.of_node(node)[0][0];
          if (!(w > 0.))
            continue;
          const Tensor<1, dim> share =
            sticks ? (common - tangential(state.velocities[node], n)) / w
                   : -face.inverse_mass / w * impulse;
          push(node, share);
          rest -= share;
        }
      for (const unsigned int node : held)
        push(node, 1. / held.size() * rest);
    }
  } // namespace



  template <int dim>
  void
  push_with_mass_weighted_friction(const Collision<dim> &collision,
                                   const PassSettings &settings,
                                   ContactState<dim> &state)
  {
    const PointFriction friction =
      settings.friction_of(collision.bodies, state.dt);
    if (!friction.acts() || !has_scalar_masses(collision, state))
      {
        push_pair(collision, settings, state);
        return;
      }
    const Tensor<1, dim> n = collision.normal;
    const PairImpulse<dim> pair =
      pair_impulse(state.inverse_mass.effective(collision),
                   n,
                   collision.weighted_sum(state.velocities),
                   settings.restitution.of(collision.bodies),
                   0.);
    if (pair.status == ContactStatus::open)
      return;
    apply_impulse(collision, pair, ImpulseTime::end, state);

    const Side<dim> vertex   = vertex_of(collision, state);
    const auto held          = held_nodes(collision, state);
    const Side<dim> face     = face_of(collision, held, state);
    const double flexibility = vertex.inverse_mass + face.inverse_mass;
    if (!(flexibility > 0.))
      return;
    const Tensor<1, dim> sliding =
      tangential(vertex.velocity - face.velocity, n);
    const double speed = sliding.norm();
    const double most  = speed / flexibility;
    const double j_n   = pair.impulse * n;
    const bool sticks  = most <= friction.holding_limit(j_n, speed);
    const double eta =
      sticks ? most : std::min(most, friction.limit(j_n, speed));
    // Against the sliding of the vertex.
    const Tensor<1, dim> impulse =
      speed > 0. ? -eta / speed * sliding : Tensor<1, dim>();

    push_face(face, held, vertex, collision, impulse, sticks, state);
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      {
        if (collision.weights[i] > 0.)
          push_node(collision.nodes[i], collision.weights[i] * impulse, state);
        state.status[collision.nodes[i]] =
          sticks ? ContactStatus::stick : ContactStatus::slip;
      }
  }



  template void
  push_with_mass_weighted_friction(const Collision<2> &,
                                   const PassSettings &,
                                   ContactState<2> &);
  template void
  push_with_mass_weighted_friction(const Collision<3> &,
                                   const PassSettings &,
                                   ContactState<3> &);
} // namespace Ricochet
