// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_response_slave_contact_h
#define ricochet_source_response_slave_contact_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/response/contact_forces.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <utility>
#include <vector>

#include "contact_traction.h"
#include "facet_projection.h"
#include "master_facets.h"
#include "velocity_update.h"

namespace Ricochet
{
  /** The plane that an obstacle without a surface has at a point of it, which
   * the obstacle carries along. */
  template <int dim>
  struct ObstaclePlane
  {
    /** Of the slave with that point, the last node. */
    Collision<dim> collision;

    /** Where that is at the start and at the end of the step. */
    dealii::Point<dim> start, end;
  };



  /** The nodes of a vertex with their weights. */
  template <int dim>
  std::vector<std::pair<unsigned int, double>>
  nodes_of(const unsigned int vertex, const Surface<dim> &surface);



  /** A slave behind the surface of a master: all that the response
   * "energy-momentum" knows of it in an iterate. */
  template <int dim>
  struct SlaveContact
  {
    using Projection = FacetProjection<dim, double>;

    /** A point that is a sum of nodes, these with their weights. */
    using WeightedNodes = std::vector<std::pair<unsigned int, double>>;

    /** The slave and the vertices of its facet. */
    using Points = std::array<WeightedNodes, dim + 1>;

    /** With a facet; the law has positions and area only.
     *
     * @param[in] start, end Positions of the vertices.
     */
    SlaveContact(const SlaveMeeting &meeting,
                 const Surface<dim> &surface,
                 const std::vector<dealii::Point<dim>> &start,
                 const std::vector<dealii::Point<dim>> &end);

    /** With a plane of an obstacle without a surface.
     *
     * @param[in] slave A number that names the slave.
     * @param[in] area What it stands for.
     */
    SlaveContact(const unsigned int slave,
                 const ObstaclePlane<dim> &plane,
                 const double area,
                 const bool was_inside,
                 const ContactState<dim> &state);

    /** Whether the master is an obstacle without a surface. */
    bool
    has_plane() const
    {
      return meeting.end_facet == Surface<dim>::none;
    }

    /** Whether there are any forces. */
    bool
    acts() const
    {
      return traction.normal > 0.;
    }

    /** The inverse of the mass that moves if slave and facet are pushed apart,
     * about. */
    double
    inverse_mass(const InverseMass<dim> &inverse_mass) const;

    /** The forces on nodes, and their derivatives if the tractions have them.
     */
    ContactElement<dim>
    element(const bool with_stiffness) const;

    /** What the velocity update has to do. */
    ContactUpdate<dim>
    update() const;

    /** Tell the log of it.
     *
     * @param[in] duration Of the velocity update, see ContactUpdate.
     */
    void
    write_down(const double duration, ContactState<dim> &state) const;

    /** The forces on slave and facet at the end of the step. */
    std::array<dealii::Tensor<1, dim>, dim + 1>
    end_forces() const;

    /** The part of it about the impulses of a collision: those by forces in the
     * middle of the step, and those of the velocity update. */
    void
    note_impulses(const Collision<dim> &collision,
                  const double duration,
                  ContactState<dim> &state) const;

    /** Whether it slips. */
    ContactStatus
    status() const
    {
      return traction.slips || !law.friction.acts() ? ContactStatus::slip
                                                    : ContactStatus::stick;
    }

    /** Let the plane of an obstacle take its share at the point below the
     * slave, which slides along it in a step. Friction, which acts at the
     * slave, then turns both by the overlap: told to the log. */
    void
    put_obstacle_below(const unsigned int node, ContactState<dim> &state) const;

    SlaveMeeting meeting;

    /** With the facet in the middle of the step, and at its end. */
    Points points, end_points;

    /** Where the former are at the end of the step. */
    std::array<dealii::Tensor<1, dim>, dim + 1> end;

    /** The latter at the end of the step. */
    Projection at_end;

    /** The bodies of slave and master. */
    std::array<unsigned int, 2> bodies;

    /** Local edge length. */
    double length;

    TractionLaw<dim> law;
    ContactTraction<dim> traction;
  };
} // namespace Ricochet

#endif
