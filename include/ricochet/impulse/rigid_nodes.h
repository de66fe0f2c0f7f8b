// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_impulse_rigid_nodes_h
#define ricochet_impulse_rigid_nodes_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/inverse_mass.h>
#include <ricochet/rigid/rigid_motion.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <optional>
#include <vector>

namespace Ricochet
{
  /** An impulse, and an angular impulse about the centre of mass. */
  struct RigidLoad
  {
    dealii::Tensor<1, 3> impulse, angular_impulse;
  };



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

    /** The same with other arms than those of the body. */
    void
    place(const RigidMotion &motion,
          const std::vector<dealii::Tensor<1, dim>> &arms);

    /** The body there. */
    const RigidMotion &
    motion() const
    {
      return start;
    }

    /** Let impulses act on the body as it is with @p motion, later in the same
     * step. */
    void
    turn(const RigidMotion &motion);

    /** From the centre to each node where impulses act. */
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

    RigidNodes<dim> *
    as_rigid() override
    {
      return this;
    }

    void
    move(const unsigned int j,
         const double weight,
         const dealii::Tensor<1, dim> &impulse,
         double *const field) const override
    {
      move_together(1, &j, &weight, impulse, field);
    }

    void
    move_together(const unsigned int n,
                  const unsigned int *const numbers,
                  const double *const weights,
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

    /** What impulses on the nodes at some @p positions of the whole surface
     * mean for a body with its centre at @p centre. */
    RigidLoad
    sum(const std::vector<dealii::Tensor<1, dim>> &impulses,
        const std::vector<dealii::Point<dim>> &positions,
        const dealii::Point<3> &centre) const;

    /** Put the nodes to where they are with a motion. */
    void
    set(const RigidMotion &motion,
        std::vector<dealii::Point<dim>> &positions) const;

    /** Where the body is at the end of the step of @p state, if
     * ContactState::position_impulses act at its start. */
    RigidMotion
    drifted(const ContactState<dim> &state) const;

    /** Set the velocities of the nodes to those of a motion with which the body
     * has turned. */
    void
    set_velocities(const RigidMotion &motion,
                   std::vector<dealii::Tensor<1, dim>> &velocities) const;

    /** What the weight of node @p i in a point changes by when that moves by
     * @p way, with the nodes at @p positions of the whole surface. */
    double
    change_of_weight(const unsigned int i,
                     const dealii::Tensor<1, dim> &way,
                     const std::vector<dealii::Point<dim>> &positions) const;

    /** How much angular velocity impulses give the body, as a mean over all
     * directions; zero if the rotation is held. */
    double
    ease_of_turning() const
    {
      return dim == 2 ? inverse_inertia[2][2] : trace(inverse_inertia) / dim;
    }

  private:
    std::vector<dealii::Tensor<1, dim>> reference, arm;
    RigidMotion start;
    dealii::Tensor<1, dim> inverse_mass;
    dealii::Tensor<2, 3> inverse_inertia;
  };



  /** Whether nothing on either side of a contact point can deform. */
  template <int dim>
  bool
  cannot_deform(const Collision<dim> &collision,
                const InverseMass<dim> &inverse_mass);



  /** Let all rigid bodies that were pushed be rigid at the end of the step,
   * where they drift to: a response that pushes nodes moves them to first order
   * only. */
  template <int dim>
  void
  straighten_rigid_bodies(ContactState<dim> &state);



  /** From now on in this step impulses act on rigid bodies at its end, where
   * straighten_rigid_bodies() has put them: nodes have the velocities and
   * inverse masses there. */
  template <int dim>
  void
  go_to_end_of_rigid_bodies(ContactState<dim> &state);

  /** The opposite; for velocities that are those of the start already. */
  template <int dim>
  void
  go_to_start_of_rigid_bodies(ContactState<dim> &state);



  /**
   * The same contact point with arms on rigid bodies that end in one point for
   * both sides, although there is a separation h at @p positions: impulses on
   * it keep the angular momentum, where h x j would be lost otherwise. The arms
   * of Puso and Zywicz (equation (13), with signs so that both end in one
   * point).
   *
   * That is where the other side is if that deforms: its contact points stay as
   * they are. Between two rigid bodies, or more where facets have nodes of
   * rigid regions, it is nearer to the one that turns more easily, half-way if
   * they are equal, so that the arm that matters changes least. On what nothing
   * moves, obstacles and held nodes, it is the body's own contact point: its
   * arm is exact, however far it came in the step.
   */
  template <int dim>
  Collision<dim>
  with_common_point(const Collision<dim> &collision,
                    const std::vector<dealii::Point<dim>> &positions,
                    const InverseMass<dim> &inverse_mass);



  /** The side of an obstacle that a rigid body touches, which gets the impulse
   * where the body is; none if this is another contact point. */
  template <int dim>
  std::optional<unsigned int>
  side_of_obstacle(const Collision<dim> &collision,
                   const InverseMass<dim> &inverse_mass);
} // namespace Ricochet

#endif
