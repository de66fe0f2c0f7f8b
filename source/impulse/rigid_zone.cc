// SPDX-License-Identifier: LGPL-2.1-or-later

#include "rigid_zone.h"

#include <ricochet/base/embedding.h>
#include <ricochet/base/moment.h>
#include <ricochet/impulse/rigid_nodes.h>

#include <algorithm>

#include "rigid_arms.h"

namespace Ricochet
{
  using dealii::cross_product_3d;
  using dealii::Tensor;

  namespace
  {
    using Vector = Tensor<1, 3>;

    /** What is held may differ from a rigid motion by this part of its speed.
     */
    constexpr double tolerance = 1e-9;



    /** (r . r) 1 - r r^T: the inertia of a unit mass at r. */
    Tensor<2, 3>
    inertia_at(const Vector &r)
    {
      return r.norm_square() *
               Tensor<2, 3>(dealii::unit_symmetric_tensor<3>()) -
             outer_product(r, r);
    }



    /** Only about the normal of the plane, in the plane. */
    template <int dim>
    Tensor<2, 3>
    in_the_plane(const Tensor<2, 3> &inertia, const double other)
    {
      if (dim == 3)
        return inertia;
      Tensor<2, 3> result;
      result[0][0] = result[1][1] = other;
      result[2][2]                = inertia[2][2];
      return result;
    }



    /** Impulses on the nodes of a body that are together a load. */
    template <int dim>
    std::vector<Tensor<1, dim>>
    on_nodes(const RigidNodes<dim> &body, const RigidLoad &load)
    {
      std::vector<Tensor<1, dim>> result;
      for (const Tensor<1, dim> &r : body.arms())
        result.push_back(out_of_space<dim>(
          load.impulse / (dim + 1.) +
          cross_product_3d(load.angular_impulse, in_space(r)) /
            sum_of_squares(body)));
      return result;
    }



    /** v = V + omega x (x - C). */
    struct Motion
    {
      Vector centre, velocity, omega;

      Vector
      at(const Vector &x) const
      {
        return velocity + cross_product_3d(omega, x - centre);
      }
    };



    /** Mass points and rigid bodies. */
    template <int dim>
    class Zone
    {
    public:
      /** False if it has what is neither free nor held. */
      bool
      collect(const std::vector<unsigned int> &nodes,
              const ContactState<dim> &state)
      {
        for (const unsigned int node : nodes)
          if (const auto *const body = state.inverse_mass.rigid_body_of(node))
            {
              if (std::find(bodies.begin(), bodies.end(), body) != bodies.end())
                continue;
              bodies.push_back(body);
              if (!add(*body))
                return false;
            }
          else if (state.inverse_mass.set_of(node) != nullptr)
            return false;
          else
            {
              const Tensor<2, dim> w = state.inverse_mass.of_node(node);
              const auto is_free     = [&](const unsigned int d) {
                return w[d][d] > 0.;
              };
              const unsigned int n_free =
                is_free(0) + is_free(1) + (dim == 3 ? is_free(dim - 1) : 0);
              if (n_free != 0 && n_free != dim)
                return false;
              (n_free == 0 ? held : points).push_back(node);
            }
        return true;
      }

      /** Whether there is one. */
      bool
      find_motion(const ContactState<dim> &state)
      {
        return held.empty() ? find_free_motion(state) : find_held_motion(state);
      }

      void
      move(ContactState<dim> &state) const
      {
        Vector impulse, change;
        for (const unsigned int node : points)
          move_point(node, state, impulse, change);
        for (const auto *const body : free_bodies)
          move_body(*body, state, impulse, change);
        give_to_obstacles(impulse, state, change);
        state.record.angular_momentum_change += change;
        straighten_rigid_bodies(state);
      }

    private:
      bool
      add(const RigidNodes<dim> &body)
      {
        const RigidMotion &motion = body.motion();
        bool any = motion.holds_rotation, all = motion.holds_rotation;
        for (unsigned int d = 0; d < dim; ++d)
          {
            any = any || motion.holds_velocity[d];
            all = all && motion.holds_velocity[d];
          }
        if (all)
          held.insert(held.end(),
                      body.get_nodes().begin(),
                      body.get_nodes().end());
        else if (!any)
          free_bodies.push_back(&body);
        return all || !any;
      }

      static Vector
      place(const unsigned int node, const ContactState<dim> &state)
      {
        return in_space(Tensor<1, dim>(state.start_positions[node]));
      }

      /** That with the momenta of all, about their common centre. */
      bool
      find_free_motion(const ContactState<dim> &state)
      {
        double mass = 0.;
        Vector mass_moment, momentum, angular_momentum;
        const auto add = [&](const double m, const Vector &x, const Vector &v) {
          mass += m;
          mass_moment += m * x;
          momentum += m * v;
          angular_momentum += m * cross_product_3d(x, v);
        };
        for (const unsigned int node : points)
          add(1. / state.inverse_mass.of_node(node)[0][0],
              place(node, state),
              in_space(state.velocities[node]));
        for (const auto *const body : free_bodies)
          {
            add(body->motion().mass.mass,
                Vector(body->motion().centre),
                in_space(body->velocity_of_centre(state.velocities)));
            angular_momentum += body->motion().inertia() *
                                angular_velocity(*body, state.velocities);
          }
        motion.centre   = mass_moment / mass;
        motion.velocity = momentum / mass;
        Tensor<2, 3> inertia;
        for (const unsigned int node : points)
          inertia += 1. / state.inverse_mass.of_node(node)[0][0] *
                     inertia_at(place(node, state) - motion.centre);
        for (const auto *const body : free_bodies)
          inertia +=
            body->motion().inertia() +
            body->motion().mass.mass *
              inertia_at(Vector(body->motion().centre) - motion.centre);
        inertia = in_the_plane<dim>(inertia, inertia[2][2]);
        if (!(determinant(inertia) > 0.))
          return false;
        motion.omega =
          invert(inertia) *
          (angular_momentum - cross_product_3d(motion.centre, momentum));
        return true;
      }

      /** That of what is held. */
      bool
      find_held_motion(const ContactState<dim> &state)
      {
        for (const unsigned int node : held)
          {
            motion.centre += place(node, state) / double(held.size());
            motion.velocity +=
              in_space(state.velocities[node]) / double(held.size());
          }
        Tensor<2, 3> inertia;
        Vector moment;
        double size = 0.;
        for (const unsigned int node : held)
          {
            const Vector r = place(node, state) - motion.centre;
            inertia += inertia_at(r);
            moment += cross_product_3d(r, in_space(state.velocities[node]));
            size += r.norm_square();
          }
        inertia = in_the_plane<dim>(inertia, size);
        if (determinant(inertia) > tolerance * size * size * size)
          motion.omega = invert(inertia) * moment;
        return std::all_of(held.begin(), held.end(), [&](unsigned int node) {
          const Vector v = in_space(state.velocities[node]);
          return (v - motion.at(place(node, state))).norm() <=
                 tolerance * std::max(v.norm(), motion.velocity.norm());
        });
      }

      void
      move_point(const unsigned int node,
                 ContactState<dim> &state,
                 Vector &sum,
                 Vector &change) const
      {
        const double mass = 1. / state.inverse_mass.of_node(node)[0][0];
        const Tensor<1, dim> v =
          out_of_space<dim>(motion.at(place(node, state)));
        const auto end = state.start_positions[node] + state.dt * v;
        const Tensor<1, dim> impulse = mass * (v - state.velocities[node]);
        state.record.restitution_loss -=
          0.5 * (impulse * (v + state.velocities[node]));
        state.impulses[node] += impulse;
        state.position_impulses[node] +=
          mass * (end - state.end_positions[node]);
        state.velocities[node]    = v;
        state.end_positions[node] = end;
        note(node, state);
        sum += in_space(impulse);
        change += cross_product_3d(place(node, state), in_space(impulse));
      }

      void
      move_body(const RigidNodes<dim> &body,
                ContactState<dim> &state,
                Vector &sum,
                Vector &change) const
      {
        const RigidMotion &start = body.motion();
        const Vector c(start.centre);
        const Vector v = in_space(body.velocity_of_centre(state.velocities)),
                     omega = angular_velocity(body, state.velocities);
        const RigidLoad load{start.mass.mass * (motion.at(c) - v),
                             start.inertia() * (motion.omega - omega)};
        state.record.restitution_loss -=
          0.5 * (load.impulse * (v + motion.at(c)) +
                 load.angular_impulse * (omega + motion.omega));
        // What moves it to the end is all that it got.
        const RigidLoad before = body.sum(state.position_impulses,
                                          state.start_positions,
                                          start.centre);
        const RigidLoad moving{
          state.dt * start.mass.mass * (motion.at(c) - start.velocity) -
            before.impulse,
          state.dt * (start.inertia() * motion.omega - start.spin()) -
            before.angular_impulse};
        const auto impulses = on_nodes(body, load),
                   shifts   = on_nodes(body, moving);
        for (unsigned int i = 0; i < impulses.size(); ++i)
          {
            const unsigned int node = body.get_nodes()[i];
            state.impulses[node] += impulses[i];
            state.position_impulses[node] += shifts[i];
            state.velocities[node] =
              out_of_space<dim>(motion.at(c + in_space(body.arms()[i])));
            note(node, state);
          }
        sum += load.impulse;
        change += cross_product_3d(c, load.impulse) + load.angular_impulse;
      }

      /** What the zone loses obstacles get, in equal shares. */
      void
      give_to_obstacles(const Vector &impulse,
                        ContactState<dim> &state,
                        Vector &change) const
      {
        std::vector<unsigned int> takers;
        for (const unsigned int node : held)
          {
            if (!state.inverse_mass.is_of_body(node))
              takers.push_back(node);
            note(node, state);
          }
        for (const unsigned int node : takers)
          {
            const Tensor<1, dim> share =
              out_of_space<dim>(impulse) / (-1. * takers.size());
            state.impulses[node] += share;
            state.position_impulses[node] += state.dt * share;
            state.record.restitution_loss -= share * state.velocities[node];
            change += cross_product_3d(place(node, state), in_space(share));
          }
      }

      static void
      note(const unsigned int node, ContactState<dim> &state)
      {
        state.status[node] = ContactStatus::stick;
        state.touched_nodes.push_back(node);
      }

      std::vector<const RigidNodes<dim> *> bodies, free_bodies;
      std::vector<unsigned int> points, held;
      Motion motion;
    };
  } // namespace



  template <int dim>
  bool
  move_zone(const std::vector<unsigned int> &nodes, ContactState<dim> &state)
  {
    Zone<dim> zone;
    if (!zone.collect(nodes, state) || !zone.find_motion(state))
      return false;
    zone.move(state);
    return true;
  }



  template bool
  move_zone(const std::vector<unsigned int> &, ContactState<2> &);
  template bool
  move_zone(const std::vector<unsigned int> &, ContactState<3> &);
} // namespace Ricochet
