// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_response_contact_obstacles_h
#define ricochet_response_contact_obstacles_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/obstacle/placed_obstacle.h>
#include <ricochet/overlap/obstacle_search.h>
#include <ricochet/search/search_settings.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <vector>

namespace Ricochet
{
  /** What bodies did to an obstacle in one step. */
  template <int dim>
  struct ObstacleLoad
  {
    dealii::Tensor<1, dim> impulse;

    /** Angular impulse about the origin. In 2D only the last component. */
    dealii::Tensor<1, 3> angular_impulse;

    /** What the impulse did on the way of the obstacle. */
    double work = 0.;
  };



  /**
   * The obstacles of a contact surface: adds those with a surface to it, lets
   * them move, finds contacts with the others, and sums up what they take.
   *
   * In tables of pairs obstacles are bodies that come after all bodies.
   */
  template <int dim>
  class ContactObstacles
  {
  public:
    /** One point per node or vertex. */
    using Positions = std::vector<dealii::Point<dim>>;

    /** The obstacles of all that follows. */
    void
    set(const std::vector<PlacedObstacle<dim>> &placed)
    {
      obstacles = placed;
    }

    /** All obstacles, in the order of set(). */
    const std::vector<PlacedObstacle<dim>> &
    get() const
    {
      return obstacles;
    }

    /** Add them to a surface that has all bodies, with @p nodes as positions.
     *
     * @param[in] n_bodies The number of bodies; more than those of the surface
     *   if the last ones have no contact.
     * @param[in] first_rigid The number of the first body that does not deform.
     */
    void
    add_to(Surface<dim> &surface,
           const Positions &nodes,
           const unsigned int n_bodies,
           const unsigned int first_rigid);

    /** The pairs to look at: those of @p settings, but none of obstacles. */
    SearchSettings
    without_pairs_of_obstacles(const SearchSettings &settings) const;

    /** Take over the surface, after add_to(); it must outlive this object. */
    void
    reinit(const Surface<dim> &surface, const SearchSettings &settings);

    /** Place the obstacles at both ends of the step of @p state. */
    void
    begin_step(const double time, ContactState<dim> &state);

    /** Place them at both ends of the step of @p part, which is a part of that
     * of begin_step() and begins at @p time, until end_part(). */
    void
    begin_part(const double time, ContactState<dim> &part);

    /** Back to the step of @p whole, which begins at @p time. */
    void
    end_part(const double time, const ContactState<dim> &whole);

    /** Forget the contacts that were found in this step, and their nodes. */
    void
    forget_contacts(ContactState<dim> &state);

    /** Add the encounters with obstacles without a surface, with nodes for
     * their contacts. */
    void
    detect(const Positions &begin_vertices,
           const Positions &end_vertices,
           ContactState<dim> &state,
           std::vector<Encounter> &encounters);

    /** Sum up what the obstacles took; then only nodes of bodies count as
     * touched. */
    void
    finish_step(ContactState<dim> &state);

    /** Of all obstacles in the last step; empty if there are none. */
    const std::vector<ObstacleLoad<dim>> &
    loads() const
    {
      return step_loads;
    }

    /** The nodes of all contacts with obstacles without a surface in the last
     * step, each with the body number of the obstacle. */
    std::vector<std::array<unsigned int, 2>>
    contact_nodes() const;

    /** The middle of all bodies at the start, and half their size. */
    const dealii::Point<dim> &
    middle_of_bodies() const
    {
      return middle;
    }

    /** Half the size of all bodies at the start, a length. */
    double
    extent_of_bodies() const
    {
      return extent;
    }

    /** The body number of the first obstacle. */
    unsigned int
    first_number() const
    {
      return first_body;
    }

    /** The search for contacts with obstacles without a surface. */
    const ObstacleSearch<dim> &
    get_search() const
    {
      return search;
    }

    /** Look at other pairs of bodies from now on, see SearchSettings. */
    void
    set_body_pairs(const std::vector<char> &body_pairs)
    {
      search.set_body_pairs(body_pairs);
    }

  private:
    /** Place them at both ends of a step. */
    void
    place(const double time, ContactState<dim> &state);

    /** Throw a RunError if the motion of an obstacle is not continuous in a
     * step. */
    void
    refuse_jumps(const double time, const double dt) const;

    std::vector<PlacedObstacle<dim>> obstacles;
    const Surface<dim> *surface = nullptr;
    ObstacleSearch<dim> search;

    /** The body number of the first obstacle. */
    unsigned int first_body = 0;

    /** The first node of an obstacle's surface, the first that holds a frame,
     * and the first of a contact. */
    unsigned int first_vertex_node = 0, first_frame_node = 0,
                 first_contact_node = 0;

    /** Vertices of surfaces and points that hold frames, in the frame. */
    Positions reference;

    /** The obstacle of each node from first_vertex_node on. */
    std::vector<unsigned int> obstacle_of_node;
    std::vector<unsigned int> of_whole_step; // the same, in the part of one

    std::vector<ObstacleLoad<dim>> step_loads;

    /** Of all bodies at the start: the middle, and half the size. */
    dealii::Point<dim> middle;
    double extent = 0.;

    /** Those of the last detection. */
    std::vector<ObstacleContact<dim>> contacts;
  };
} // namespace Ricochet

#endif
