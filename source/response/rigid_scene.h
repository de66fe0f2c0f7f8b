// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_rigid_scene_h
#define ricochet_source_response_rigid_scene_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/response/contact_rigid_bodies.h>
#include <ricochet/response/rigid_impacts.h>
#include <ricochet/response/rigid_penalty.h>
#include <ricochet/search/encounter.h>

#include <deal.II/base/point.h>

#include <array>
#include <vector>

#include "master_facets.h"

namespace Ricochet
{
  /** A slave and a master that may touch in a step of rigid bodies. */
  template <int dim>
  struct RigidMeeting
  {
    /** Numbers of the slave, a vertex or a body behind all of these, and of the
     * master's body. */
    std::array<unsigned int, 2> pair;

    /** Nodes, weights, bodies, and the normal and the gap at the end of the
     * step without contact. The nodes of spheres are those of their centres. */
    Collision<dim> collision;
    bool is_of_spheres = false;

    /** Steps of both, and at the ends without contact the slave's point and the
     * one below it. */
    unsigned int slave, master;
    dealii::Point<3> slave_point, master_point;

    /** As such a pair, with its true gap at the start; but for the stiffness.
     */
    RigidPenaltyPair spring;
  };



  /** A step of rigid bodies while its contacts are solved. */
  template <int dim>
  class RigidScene
  {
  public:
    /** See ContactForces::solve_rigid_steps(). */
    RigidScene(const Surface<dim> &surface,
               const std::vector<Encounter> &pairs,
               ContactRigidBodies<dim> &bodies,
               ContactState<dim> &state,
               std::vector<RigidStep> &steps);

    /** With a facet. */
    RigidMeeting<dim>
    meeting_with_facet(const SlaveMeeting &found);

    /** Those with obstacles without a surface. */
    void
    add_meetings_with_planes(std::vector<RigidMeeting<dim>> &meetings);

    /** Of two bodies that are spheres with the radii @p r and @p R, that of a
     * hollow master negative. */
    RigidMeeting<dim>
    meeting_of_spheres(const unsigned int slave,
                       const double r,
                       const unsigned int master,
                       const double R);

    /** Forget the steps of obstacles, and go to the ends of the others. */
    void
    go_to_ends();

    const Surface<dim> &surface;
    const std::vector<Encounter> &pairs;
    ContactRigidBodies<dim> &bodies;
    ContactState<dim> &state;

    /** Of the bodies, then those of contact points of obstacles. */
    std::vector<RigidStep> &steps;

    /** The number of the former. */
    const unsigned int n_bodies;

    /** Of vertices. */
    std::vector<dealii::Point<dim>> start, end;

  private:
    /** The number of a step for a point of a body, which is at these places at
     * both ends. */
    unsigned int
    step_of(const unsigned int body,
            const dealii::Point<dim> &start_point,
            const dealii::Point<dim> &end_point);
  };
} // namespace Ricochet

#endif
