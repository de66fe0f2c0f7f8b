// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_obstacle_search_h
#define ricochet_search_obstacle_search_h

#include <ricochet/obstacle/placed_obstacle.h>
#include <ricochet/search/collision.h>
#include <ricochet/search/overlaps.h>
#include <ricochet/search/search.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <set>
#include <vector>

namespace Ricochet
{
  /**
   * Where a vertex or facet meets an obstacle without a surface: a weighted sum
   * of vertices against a point that the obstacle carries along. That point is
   * a node of its own, with infinite mass, so that a Collision describes the
   * pair like all others; in the normal's direction the obstacle is taken for
   * its tangential plane.
   */
  template <int dim>
  struct ObstacleContact
  {
    /** The vertex or facet. */
    unsigned int feature;

    /** The number of the obstacle, and that of its body. */
    unsigned int obstacle, body;

    /** One vertex, or those of the facet. */
    unsigned int n_vertices;
    std::array<unsigned int, dim> vertices;
    std::array<double, dim> weights;

    /** Out of the obstacle. */
    dealii::Tensor<1, dim> normal;

    /** The number of the node on the obstacle, and where it is at both ends of
     * the step. */
    unsigned int node;
    dealii::Point<dim> begin, end;

    /** The local edge length of the feature. */
    double length;
  };



  /** The contacts of one detection. */
  template <int dim>
  struct ObstacleContacts
  {
    /** Sorted by obstacle and feature. */
    std::vector<ObstacleContact<dim>> contacts;

    /** dim nodes per obstacle that move with it, the first of them. */
    unsigned int first_frame_node = 0;

    /** The contact that an encounter of this detection stands for. */
    const ObstacleContact<dim> &
    of(const Encounter &encounter) const;

    /** Nodes, weights, normal and length of the collision. */
    void
    set_collision(const Surface<dim> &surface,
                  const Encounter &encounter,
                  Collision<dim> &collision) const;

    /** The nodes of the feature, and those that hold the obstacle. */
    std::vector<unsigned int>
    nodes_of(const Surface<dim> &surface, const Encounter &encounter) const;
  };



  /**
   * Finds where bodies meet obstacles that have no surface.
   *
   * The tests are made in the frame of the obstacle, on the straight paths
   * between both ends of the step there. Where bodies may be in a convex
   * region, the ends decide; else the path is followed in steps that the
   * distance allows (sphere tracing; Hart, 1996), but never shorter than 1/256,
   * so that what only grazes on the way, by less than the sagitta of such a
   * step, does not count. Costs a loop over all vertices (facets) per obstacle;
   * every rank does all of it.
   */
  template <int dim>
  class ObstacleSearch
  {
  public:
    /** One point per vertex. */
    using Positions = std::vector<dealii::Point<dim>>;

    /**
     * @param[in] surface Must outlive this object.
     * @param[in] obstacles Those that have a surface are passed over.
     * @param[in] first_body The body number of the first obstacle.
     */
    void
    reinit(const Surface<dim> &surface,
           const std::vector<PlacedObstacle<dim>> &obstacles,
           const unsigned int first_body,
           const SearchSettings &settings);

    /** Whether all obstacles have a surface. */
    bool
    empty() const
    {
      return numbers.empty();
    }

    /** Where all obstacles are at both ends of a step. */
    void
    place(const double time, const double dt);

    /** The placements of obstacle @p k of all. */
    const std::array<Placement<dim>, 2> &
    placements(const unsigned int k) const
    {
      return placed[k];
    }

    /**
     * Add all encounters on the straight paths of the vertices; @p encounters
     * are sorted afterwards. Does the same on all ranks.
     *
     * @param[in] first_node The number of the first contact's node.
     * @param[out] contacts What the encounters mean.
     */
    void
    detect(const Positions &begin,
           const Positions &end,
           const unsigned int first_node,
           std::vector<ObstacleContact<dim>> &contacts,
           std::vector<Encounter> &encounters);

    /** All vertices (or points of facets) inside obstacles at the end of the
     * step; only of the pairs that may touch. */
    std::vector<Overlap<dim>>
    find_overlaps(const Positions &positions) const;

    /** No contact between these pairs of bodies and obstacles until they do not
     * overlap. */
    void
    ignore(const std::set<BodyPair> &pairs)
    {
      ignored = pairs;
    }

    /** Let go of the ignored pairs that do not overlap at the start of the
     * step. */
    void
    update_ignored(const Positions &positions);

    /** The pairs of ignore() that still overlap. */
    const std::set<BodyPair> &
    get_ignored() const
    {
      return ignored;
    }

  private:
    /** Positions of all vertices at one end of the step, in the frame of an
     * obstacle; @p buffer is used if it has moved. */
    const Positions &
    in_frame(const unsigned int k,
             const unsigned int end,
             const Positions &positions,
             Positions &buffer) const;

    /** The part of detect() for one obstacle that vertices touch. */
    void
    detect_vertices(const unsigned int k,
                    const Positions &begin,
                    const Positions &end,
                    std::vector<ObstacleContact<dim>> &contacts,
                    std::vector<Encounter> &encounters) const;

    /** The same for facets. */
    void
    detect_facets(const unsigned int k,
                  const Positions &begin,
                  const Positions &end,
                  std::vector<ObstacleContact<dim>> &contacts,
                  std::vector<Encounter> &encounters) const;

    /**
     * Add a contact, all but its normal and node known.
     *
     * @param[in] point_at The point of the feature at a time, in the frame of
     *   the obstacle; may set the weights of the contact.
     * @param[in] is_close Whether it is still too close at the end.
     */
    template <typename PointAt>
    void
    add(ObstacleContact<dim> &contact,
        const PointAt &point_at,
        const Encounter &encounter,
        const bool is_close,
        std::vector<ObstacleContact<dim>> &contacts,
        std::vector<Encounter> &encounters) const;

    bool
    may_touch(const unsigned int body, const unsigned int k) const;

    /** Overlaps of the pairs of a body and an obstacle that are wanted, at one
     * end of the step. */
    template <typename Predicate>
    std::vector<Overlap<dim>>
    overlaps_of(const Positions &positions,
                const unsigned int end,
                const Predicate &is_wanted) const;

    const Surface<dim> *surface = nullptr;
    std::vector<PlacedObstacle<dim>> obstacles;
    unsigned int first_body = 0;
    SearchSettings settings;

    /** The obstacles without a surface. */
    std::vector<unsigned int> numbers;

    std::vector<std::array<Placement<dim>, 2>> placed;
    std::set<BodyPair> ignored;
    Positions begin_buffer, end_buffer;
  };
} // namespace Ricochet

#endif
