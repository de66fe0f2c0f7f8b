// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_impulse_rigid_fit_h
#define ricochet_source_impulse_rigid_fit_h

#include <ricochet/impulse/contact_state.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <array>
#include <vector>

#include "group_mass.h"

namespace Ricochet
{
  /** The rigid velocities of a group as linear functions of dim velocities
   * and the spins, in units of a velocity at the distance @p radius. */
  template <int dim>
  class RigidVelocity
  {
  public:
    static constexpr unsigned int n_unknowns = dim == 2 ? 3 : 6;

    RigidVelocity(const std::vector<unsigned int> &nodes,
                  const std::vector<dealii::Point<dim>> &positions)
    {
      for (const unsigned int node : nodes)
        centre +=
          dealii::Tensor<1, dim>(positions[node]) / double(nodes.size());
      for (const unsigned int node : nodes)
        radius = std::max(radius, centre.distance(positions[node]));
      if (!(radius > 0.))
        radius = 1.;
    }

    /** The derivatives of component @p d of the velocity at @p x. */
    std::array<double, n_unknowns>
    row(const unsigned int d, const dealii::Point<dim> &x) const
    {
      std::array<double, n_unknowns> result{};
      result[d]                      = 1.;
      const dealii::Tensor<1, dim> r = (x - centre) / radius;
      if (dim == 2)
        result[dim] = d == 0 ? -r[1] : r[0];
      else
        {
          result[dim + (d + 1) % 3] = r[(d + 2) % 3];
          result[dim + (d + 2) % 3] = -r[(d + 1) % 3];
        }
      return result;
    }

  private:
    dealii::Point<dim> centre;
    double radius = 0.;
  };



  /**
   * The motion of a rigid body with the momenta that a group of nodes has, and
   * with the prescribed velocities in it, see move_rigidly().
   */
  template <int dim>
  class RigidFit
  {
  public:
    /** @p nodes and @p state must outlive this object. */
    RigidFit(const std::vector<unsigned int> &nodes,
             const ContactState<dim> &state);

    /** Find the motion; false if prescribed components contradict it. */
    bool
    solve();

    /** Component @p d of the velocity of a node. */
    double
    velocity(const unsigned int node, const unsigned int d) const;

    const GroupMass<dim> mass;

  private:
    static constexpr unsigned int n = RigidVelocity<dim>::n_unknowns;

    double
    prescribed_velocity(const unsigned int node, const unsigned int d) const;

    /** Add component @p d of all nodes. */
    void
    add(const unsigned int d);

    const std::vector<unsigned int> &nodes;
    const ContactState<dim> &state;
    const RigidVelocity<dim> rigid;

    // Of the free and of the prescribed components.
    dealii::FullMatrix<double> inertia, held;
    dealii::Vector<double> momentum, held_velocity, motion;
  };
} // namespace Ricochet

#endif
