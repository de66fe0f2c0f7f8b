// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_contact_rigid_bodies_h
#define ricochet_response_contact_rigid_bodies_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/impulse/rigid_nodes.h>
#include <ricochet/rigid/rigid_motion.h>
#include <ricochet/rigid/rigid_step.h>
#include <ricochet/search/search_settings.h>
#include <ricochet/surface/extraction.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>
#include <deal.II/base/types.h>

#include <array>
#include <memory>
#include <vector>

namespace Ricochet
{
  /** The surface of a rigid body for contact. */
  template <int dim>
  struct RigidSurface
  {
    /** Its number; rigid bodies come after all that deform. */
    unsigned int body = 0;

    /** If it is a rigid region of a body that deforms, that one's number: its
     * facets are in the source of the host, see SurfaceSource::rigid_point, and
     * of those here only the vertices matter, to tell how large it is. */
    unsigned int host = dealii::numbers::invalid_unsigned_int;

    /** Whether it is one. */
    bool
    is_in_source() const
    {
      return host != dealii::numbers::invalid_unsigned_int;
    }

    /** About the centre of mass, in the axes of the body. */
    std::vector<dealii::Point<dim>> vertices;

    /** Outward oriented, see Surface::facets, and the boundary id of each; 0 if
     * there are no ids. */
    std::vector<std::array<unsigned int, dim>> facets;
    std::vector<dealii::types::boundary_id> boundary_ids;
  };



  /**
   * The rigid bodies of a contact surface: adds them to it, places the nodes
   * that hold them (see RigidNodes) at both ends of a step, and turns what
   * impulses did to these into motions.
   *
   * A response pushes the nodes of a rigid body like others: what it changes is
   * linear in the impulses, which velocities are. The path of a rotating body
   * is not. So the nodes have the velocities of the start of the step, where
   * impulses act, and after each pass they are placed anew where the body
   * drifts to without forces by its new momenta. What is detected, accepted and
   * proved free of intersections are straight paths of all vertices to this
   * end, at which the body is rigid again; in between it is a little smaller
   * than itself.
   */
  template <int dim>
  class ContactRigidBodies
  {
  public:
    /** One point per node or vertex. */
    using Positions = std::vector<dealii::Point<dim>>;

    /** One per rigid body. */
    using Motions = std::vector<RigidMotion>;

    /** What contact did to a body in a step: at its start, which moves the end
     * of the step as well, and at its end. */
    struct StepLoads
    {
      RigidLoad at_start, at_end;
    };

    /**
     * Take over bodies and add them to a surface that has those that deform.
     *
     * @param[in] motions Where they are.
     * @param[in,out] nodes Of the surface; those that hold the bodies are
     *   added.
     * @param[in] of_sources Tells which vertices of the surface depend on
     *   points of bodies, SurfaceNodes::rigid_points; they get the nodes that
     *   hold these.
     */
    void
    add_to(const std::vector<RigidSurface<dim>> &bodies,
           const Motions &motions,
           const SurfaceNodes<dim> &of_sources,
           Surface<dim> &surface,
           Positions &nodes);

    /** Whether there are none. */
    bool
    empty() const
    {
      return sets.empty();
    }

    /** Where the nodes of each live, and its mobility. */
    const std::vector<std::shared_ptr<RigidNodes<dim>>> &
    nodes() const
    {
      return sets;
    }

    /** The number of the first of their nodes. */
    unsigned int
    first_node() const
    {
      return first;
    }

    /** The body number of each. */
    const std::vector<unsigned int> &
    body_numbers() const
    {
      return numbers;
    }

    /** The pairs to look at: those of @p settings, but none of a rigid body
     * with itself, of a rigid region with its host or other regions of that
     * only if bodies can touch themselves, and none of two that nothing can
     * push, be they rigid bodies or obstacles, which are the bodies behind all
     * others. */
    SearchSettings
    without_useless_pairs(const SearchSettings &settings,
                          const unsigned int n_bodies) const;

    /** Let the nodes of each move together. */
    void
    couple(InverseMass<dim> &inverse_mass) const;

    /** The largest speed of any point of a body, at most. */
    double
    speed(const unsigned int k, const RigidMotion &motion) const;

    /**
     * Place the nodes at both ends of the step of @p state.
     *
     * @param[in] motions At the start, with the velocities of the step.
     * @param[in] accelerations By forces at the start, of which velocities have
     *   half a step; 0 if there are none.
     */
    void
    begin_step(const Motions &motions,
               const std::vector<RigidAcceleration> &accelerations,
               ContactState<dim> &state);

    /** @name Implicit steps
     * @{ */

    /** Place the nodes at both ends. */
    void
    place(const std::vector<RigidStep> &steps, ContactState<dim> &state);

    /**
     * Place the nodes for forces in the middle of steps, with the modified arms
     * R of Puso and Zywicz (1998, equation (11)), c the centre and d the
     * displacement of each node:
     *
     *   start = (c_0 + c_1)/2 + R - d/2,   end = (c_0 + c_1)/2 + R + d/2.
     *
     * The middle of these is where forces have the moments that they do work
     * by; both are the places of the nodes but for terms of second order in the
     * turn. All of it is linear in the coordinates of the body, so that points
     * between the nodes are where they should be. Velocities are means.
     */
    void
    place_for_forces(const std::vector<RigidStep> &steps,
                     ContactState<dim> &state);

    /** The impulse of such forces in the step of @p state, and the angular one
     * about the centre, with modified arms. */
    RigidLoad
    load_of_forces(const unsigned int k,
                   const std::vector<dealii::Tensor<1, dim>> &forces,
                   const ContactState<dim> &state) const;

    /** The modified arms of the nodes of a body. */
    const std::vector<dealii::Tensor<1, dim>> &
    modified_arms(const unsigned int k) const
    {
      return middle_arms[k];
    }

    /** Give nodes where place_for_forces() has put them the velocities of some
     * motions, those at the ends of the steps. */
    void
    set_velocities(const Motions &motions, ContactState<dim> &state) const;

    /** Push the bodies by impulses at the ends of their steps on nodes where
     * place_for_forces() has put them, and place these where they belong. */
    void
    update(const std::vector<dealii::Tensor<1, dim>> &impulses,
           Motions &motions,
           ContactState<dim> &state);

    /** What the last update() did to a body, held or not. */
    const RigidLoad &
    last_update(const unsigned int k) const
    {
      return updates[k];
    }

    /** @} */

    /** Whether contact has acted on body @p k in the last step. */
    bool
    was_pushed(const unsigned int k, const ContactState<dim> &state) const;

    /** What it did to it. */
    StepLoads
    loads(const unsigned int k, const ContactState<dim> &state) const;

    /** The motions at the end of the step, with all impulses. */
    Motions
    end_of_step(const ContactState<dim> &state) const;

  private:
    /** Replace what vertices of sources depend on. */
    void
    hold_points_of_sources(const SurfaceNodes<dim> &of_sources,
                           Surface<dim> &surface) const;

    std::vector<std::shared_ptr<RigidNodes<dim>>> sets;
    std::vector<unsigned int> numbers, hosts;
    std::vector<double> radii;
    unsigned int first = 0;

    /** At the end of the step, if nothing pushes them. */
    Motions predicted;

    /** Of implicit steps. */
    std::vector<std::vector<dealii::Tensor<1, dim>>> middle_arms;
    std::vector<RigidLoad> updates;
  };
} // namespace Ricochet

#endif
