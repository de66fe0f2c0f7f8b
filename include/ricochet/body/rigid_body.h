// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_rigid_body_h
#define ricochet_body_rigid_body_h

#include <ricochet/base/rotation.h>
#include <ricochet/base/vector_function.h>
#include <ricochet/mesh/boundary_ids.h>
#include <ricochet/obstacle/obstacle.h>
#include <ricochet/rigid/rigid_motion.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>
#include <deal.II/base/types.h>

#include <array>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * A body that does not deform: its surface, and what resists to its motion.
   *
   * It can be a rigid region of the mesh of a body that deforms otherwise, its
   * host. Then it moves with the host at first and has the nodes of its cells,
   * which follow it.
   */
  template <int dim>
  struct RigidBody
  {
    std::string name;

    /** At time zero, with vertices relative to the centre of mass; closed and
     * outward oriented. */
    ObstacleSurface<dim> surface;

    /** The boundary id of the face that each facet comes from. */
    std::vector<dealii::types::boundary_id> facet_boundary_ids;

    /** Facets that take part in contact; all if empty. */
    BoundaryIds contact_boundary_ids;

    /** Whether a facet takes part in contact. */
    bool
    is_contact_facet(const unsigned int f) const
    {
      return contact_boundary_ids.empty() ||
             contact_boundary_ids.count(facet_boundary_ids[f]) > 0;
    }

    /** In axes that are those of space at time zero. */
    RigidMass mass;

    /** The centre of mass at time zero. */
    dealii::Point<dim> centre;

    /** That of the centre; the function is evaluated there. Units: length over
     * time. */
    VectorFunction<dim> initial_velocity;

    /** Angular velocity at time zero, radians over time. */
    RotationVector<dim> spin;

    /** Force per mass as a function of the reference position, of which only
     * that of the centre matters, and of time. */
    VectorFunction<dim> body_force;

    /** Components of the centre's velocity that are given, and the values of
     * these (functions of time; others are not looked at). */
    std::array<bool, dim> holds_velocity{};
    VectorFunction<dim> held_velocity;

    /** The same for the whole rotation. */
    bool holds_rotation = false;
    VectorFunction<dim, n_rotations<dim>> held_angular_velocity;

    /** Of a rigid region: the number of the host, and the material id that its
     * cells have, which is not 0. */
    unsigned int host                   = dealii::numbers::invalid_unsigned_int;
    dealii::types::material_id material = 0;

    /** Whether it is one. */
    bool
    is_region() const
    {
      return material != 0;
    }

    /**
     * Add point masses that move with it.
     *
     * @param[in] added Their sum, larger than 0.
     * @param[in] first, second The sums of their masses times X and times X
     *   X^T, with the coordinates about the centre as it was.
     */
    void
    add_masses(const double added,
               const dealii::Tensor<1, dim> &first,
               const dealii::Tensor<2, dim> &second);

    /** Turn what is at time zero about the origin, then move it. */
    void
    place(const dealii::Tensor<2, dim> &rotation,
          const dealii::Tensor<1, dim> &shift);

    /** The motion at time zero. */
    RigidMotion
    initial_motion() const;

    /** Set what is given of a motion to its values at @p time. */
    void
    prescribe(const double time, RigidMotion &motion) const;

    /** The force at @p time, not on components that are held. Units: mass times
     * length over time squared. */
    dealii::Tensor<1, 3>
    force(const double time) const;

    /** Whether there ever is one. */
    bool
    has_force() const
    {
      return !body_force.is_zero();
    }
  };



  /** "rigid, ..." with the numbers of a body, for a line of text. */
  template <int dim>
  std::string
  summary_of(const RigidBody<dim> &body);
} // namespace Ricochet

#endif
