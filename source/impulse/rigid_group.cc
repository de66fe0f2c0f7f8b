// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/moment.h>
#include <ricochet/impulse/rigid_group.h>

#include <deal.II/lac/full_matrix.h>

#include <algorithm>

#include "rigid_fit.h"
#include "rigid_zone.h"

namespace Ricochet
{
  using dealii::FullMatrix;
  using dealii::Tensor;

  namespace
  {
    /** What lets the nodes of a group move as fitted. */
    template <int dim>
    struct RigidImpulses
    {
      /** Impulses, and those on the positions, of each node. */
      std::vector<Tensor<1, dim>> impulses, position_impulses;
    };



    template <int dim>
    RigidImpulses<dim>
    find_impulses(const RigidFit<dim> &fit,
                  const std::vector<unsigned int> &nodes,
                  const ContactState<dim> &state)
    {
      RigidImpulses<dim> result;
      result.impulses.resize(nodes.size());
      result.position_impulses.resize(nodes.size());
      FullMatrix<double> changes(nodes.size(), 2);
      for (unsigned int d = 0; d < dim; ++d)
        {
          for (unsigned int i = 0; i < nodes.size(); ++i)
            {
              const unsigned int node = nodes[i];
              const double v          = fit.velocity(node, d);
              changes(i, 0)           = v - state.velocities[node][d];
              changes(i, 1) = state.start_positions[node][d] + state.dt * v -
                              state.end_positions[node][d];
            }
          fit.mass.multiply(d, changes);
          for (unsigned int i = 0; i < nodes.size(); ++i)
            {
              result.impulses[i][d]          = changes(i, 0);
              result.position_impulses[i][d] = changes(i, 1);
            }
        }
      return result;
    }



    /** Angular momentum of one component of a mass point. */
    template <int dim>
    Tensor<1, 3>
    angular_momentum(const Tensor<1, dim> &x,
                     const unsigned int d,
                     const double p)
    {
      Tensor<1, dim> momentum;
      momentum[d] = p;
      return moment(x, momentum);
    }



    /** Whether impulses in one direction move nodes in that direction only. */
    template <int dim>
    bool
    has_independent_components(const std::vector<unsigned int> &nodes,
                               const InverseMass<dim> &inverse_mass)
    {
      return std::all_of(nodes.begin(),
                         nodes.end(),
                         [&](const unsigned int node) {
                           const auto *const set = inverse_mass.set_of(node);
                           return set == nullptr || set->has_diagonal_blocks();
                         });
    }



    /** Write the impulses down, and what the rest of the world gets: obstacles
     * impulses, supports an angular momentum. */
    template <int dim>
    void
    note_impulses(const RigidFit<dim> &fit,
                  const std::vector<unsigned int> &nodes,
                  const RigidImpulses<dim> &rigid,
                  ContactState<dim> &state)
    {
      Tensor<1, 3> change;
      Tensor<1, dim> impulse;
      std::vector<unsigned int> obstacle_nodes;
      bool has_supports = false;
      for (unsigned int i = 0; i < nodes.size(); ++i)
        {
          const unsigned int node = nodes[i];
          for (unsigned int d = 0; d < dim; ++d)
            {
              if (fit.mass.is_held(i, d))
                {
                  has_supports = true;
                  continue;
                }
              const double v = fit.velocity(node, d);
              state.record.restitution_loss -=
                0.5 * rigid.impulses[i][d] * (state.velocities[node][d] + v);
              change += angular_momentum<dim>(state.end_positions[node],
                                              d,
                                              rigid.impulses[i][d]);
              change += angular_momentum<dim>(rigid.position_impulses[i], d, v);
              impulse[d] += rigid.impulses[i][d];
            }
          state.impulses[node] += rigid.impulses[i];
          state.position_impulses[node] += rigid.position_impulses[i];
          state.status[node] = ContactStatus::stick;
          state.touched_nodes.push_back(node);
          if (!state.inverse_mass.is_of_body(node))
            obstacle_nodes.push_back(node);
        }
      // What the group loses an obstacle gets, in equal shares.
      for (const unsigned int node : obstacle_nodes)
        {
          const Tensor<1, dim> share = impulse / (-1. * obstacle_nodes.size());
          state.impulses[node] += share;
          state.record.restitution_loss -= share * state.velocities[node];
          change += moment(state.end_positions[node], share);
        }
      // Without supports it is round-off.
      if (has_supports)
        state.record.angular_momentum_change += change;
    }



    /** Move the group, and what is coupled to it. */
    template <int dim>
    void
    move_nodes(const RigidFit<dim> &fit,
               const std::vector<unsigned int> &nodes,
               const RigidImpulses<dim> &rigid,
               ContactState<dim> &state)
    {
      for (unsigned int i = 0; i < nodes.size(); ++i)
        {
          const auto collision = single_node<dim>(nodes[i]);
          state.inverse_mass.apply(collision,
                                   rigid.impulses[i],
                                   state.velocities);
          state.inverse_mass.apply(collision,
                                   rigid.position_impulses[i],
                                   state.end_positions);
        }
      // The same but for round-off, at the nodes themselves.
      for (unsigned int i = 0; i < nodes.size(); ++i)
        for (unsigned int d = 0; d < dim; ++d)
          if (!fit.mass.is_held(i, d))
            {
              const unsigned int node   = nodes[i];
              state.velocities[node][d] = fit.velocity(node, d);
              state.end_positions[node][d] =
                state.start_positions[node][d] +
                state.dt * state.velocities[node][d];
            }
    }
  } // namespace



  template <int dim>
  bool
  move_rigidly(const std::vector<unsigned int> &nodes, ContactState<dim> &state)
  {
    if (!has_independent_components(nodes, state.inverse_mass))
      return move_zone(nodes, state);
    RigidFit<dim> fit(nodes, state);
    if (!fit.solve())
      return false;
    const RigidImpulses<dim> rigid = find_impulses(fit, nodes, state);
    note_impulses(fit, nodes, rigid, state);
    move_nodes(fit, nodes, rigid, state);
    return true;
  }



  template bool
  move_rigidly(const std::vector<unsigned int> &, ContactState<2> &);
  template bool
  move_rigidly(const std::vector<unsigned int> &, ContactState<3> &);
} // namespace Ricochet
