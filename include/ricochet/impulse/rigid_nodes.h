// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_rigid_nodes_h
#define ricochet_impulse_rigid_nodes_h

#include <ricochet/impulse/inverse_mass.h>
#include <ricochet/rigid/rigid_motion.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <vector>

namespace Ricochet
{
  /**
   * The dim+1 nodes that hold a rigid body: the corners of a regular simplex
   * about its centre of mass that is so large that the body is inside. Each
   * point of the body is their weighted sum, with the weights of its
   * barycentric coordinates, so they are all that contact needs to know of a
   * body, however many vertices its surface has.
   *
   * The velocity of node i by an impulse j on node k is
   *
   *   j / m + (I^-1 (r_k x j)) x r_i
   *
   * with the arms r at the start of a step; components that are held do not
   * change. Nothing else is needed for the exact effective mass of a contact
   * point anywhere on the body.
   */
  template <int dim>
  class RigidNodes : public CoupledNodes<dim>
  {
  public:
    /**
     * @param[in] first_node The number of the first node on the contact
     *   surface; the others follow.
     * @param[in] radius Of a sphere about the centre with the body inside, a
     *   length.
     */
    RigidNodes(const unsigned int first_node, const double radius);

    /** The coordinates of the nodes in the axes of the body. */
    const std::vector<dealii::Tensor<1, dim>> &
    corners() const
    {
      return reference;
    }

    /** The weights of the nodes in the point X of the body. Not negative if
     * that is within the radius. */
    std::vector<double>
    weights_of(const dealii::Tensor<1, dim> &X) const;

    /** Let the body be as at the start of a step. */
    void
    place(const RigidMotion &motion);

    /** The body there. */
    const RigidMotion &
    motion() const
    {
      return start;
    }

    /** From the centre to each node at the start of the step. */
    const std::vector<dealii::Tensor<1, dim>> &
    arms() const
    {
      return arm;
    }

    dealii::Tensor<2, dim>
    block(const unsigned int i, const unsigned int j) const override;

    bool
    has_diagonal_blocks() const override
    {
      return false;
    }

    const RigidNodes<dim> *
    as_rigid() const override
    {
      return this;
    }

    void
    move(const unsigned int j,
         const double weight,
         const dealii::Tensor<1, dim> &impulse,
         double *const field) const override;

    /** The kinetic energy with the velocities of the nodes that @p velocities
     * has for the whole surface, less @p frame. */
    double
    kinetic_energy(const std::vector<dealii::Tensor<1, dim>> &velocities,
                   const dealii::Tensor<1, dim> &frame) const;

    /** The velocity of the centre with these. */
    dealii::Tensor<1, dim>
    velocity_of_centre(
      const std::vector<dealii::Tensor<1, dim>> &velocities) const;

  private:
    std::vector<dealii::Tensor<1, dim>> reference, arm;
    RigidMotion start;
    dealii::Tensor<1, dim> inverse_mass;
    dealii::Tensor<2, 3> inverse_inertia;
  };
} // namespace Ricochet

#endif
