// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_overlap_obstacle_search_h
#define ricochet_overlap_obstacle_search_h

#include <ricochet/geometry/collision.h>
#include <ricochet/obstacle/placed_obstacle.h>
#include <ricochet/overlap/overlaps.h>
#include <ricochet/search/encounter.h>
#include <ricochet/search/search_settings.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <array>
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
    /** The number of the obstacle. */
    unsigned int obstacle;

    /** All but the gaps. The last node is the one on the obstacle; the normal
     * points out of it. */
    Collision<dim> collision;

    /** Where that node is at both ends of the step. */
    dealii::Point<dim> begin, end;
  };



  /**
   * Finds where bodies meet obstacles that have no surface.
   *
   * The tests are made in the frame of the obstacle, on the straight paths
   * between both ends of the step there. Where bodies may be in a convex
   * region, the ends decide; else the path is followed in steps that the
   * distance allows (sphere tracing; Hart, 1996), but never shorter than 1/256,
   * so that what only grazes on the way, by less than the sagitta of such a
   * step, does not count. Costs a loop over all vertices, and per obstacle one
   * over balls around some of them each, or over facets; every rank does all of
   * it.
   *
   * What it finds are encounters of kind @p given.
   *
   * @note For Contact; responses get what it finds.
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
     * @param[in] first_node The number of the first contact's node; each has
     *   one.
     * @param[out] contacts What the encounters mean: Encounter::collision is
     *   the number in this list. Sorted by obstacle and feature.
     */
    void
    detect(const Positions &begin,
           const Positions &end,
           const unsigned int first_node,
           std::vector<ObstacleContact<dim>> &contacts,
           std::vector<Encounter> &encounters);

    /**
     * All vertices (or points of facets) inside obstacles.
     *
     * @param[in] wanted Which pairs may touch.
     * @param[in] end Where obstacles are: at the start (0) or the end (1) of
     *   the step.
     */
    std::vector<Overlap<dim>>
    find_overlaps(const Positions &positions,
                  const SearchSettings &wanted,
                  const unsigned int end) const;

    /** Whether a body number stands for an obstacle that is looked at here. */
    bool
    has(const unsigned int body) const
    {
      return body >= first_body && std::binary_search(numbers.begin(),
                                                      numbers.end(),
                                                      body - first_body);
    }

    /** Look at other pairs of bodies from now on, see SearchSettings. */
    void
    set_body_pairs(const std::vector<char> &body_pairs)
    {
      settings.body_pairs = body_pairs;
    }

  private:
    /** Positions of all vertices at one end of the step, in the frame of an
     * obstacle; @p buffer is used if it has moved. */
    const Positions &
    in_frame(const unsigned int k,
             const unsigned int end,
             const Positions &positions,
             Positions &buffer) const;

    /** A ball around the paths of some vertices that follow each other, and how
     * close to an obstacle they count at most. */
    struct VertexBlock
    {
      dealii::Point<dim> centre;
      double radius, reach;
    };

    /** Make the blocks of all vertices. */
    void
    find_blocks(const Positions &begin, const Positions &end);

    /** Where detect() writes what it finds. */
    struct Found
    {
      const unsigned int first_node;
      std::vector<ObstacleContact<dim>> &contacts;
      std::vector<Encounter> &encounters;
    };

    /** The point of a vertex or facet that meets an obstacle. */
    struct FeaturePoint
    {
      /** One vertex, or those of the facet. */
      unsigned int n_vertices;
      std::array<unsigned int, dim> vertices;
      std::array<double, dim> weights;

      /** The local edge length of the feature. */
      double length;
    };

    /** The part of detect() for one obstacle that vertices touch, with the
     * blocks in its frame. */
    void
    detect_vertices(const unsigned int k,
                    const Positions &begin,
                    const Positions &end,
                    Found &found) const;

    /** The same for one vertex. */
    void
    detect_vertex(const unsigned int k,
                  const unsigned int v,
                  const Positions &begin,
                  const Positions &end,
                  Found &found) const;

    /** detect_vertices() for facets. */
    void
    detect_facets(const unsigned int k,
                  const Positions &begin,
                  const Positions &end,
                  Found &found) const;

    /**
     * Add a contact with obstacle @p k.
     *
     * @param[in] point_at The place of the point at a time, in the frame of
     *   the obstacle; may set the weights of @p point.
     * @param[in] is_close Whether it is still too close at the end.
     */
    template <typename PointAt>
    void
    add(const unsigned int k,
        const FeaturePoint &point,
        const PointAt &point_at,
        Encounter encounter,
        const bool is_close,
        Found &found) const;

    /** Whether body @p body and obstacle @p k are among some pairs. */
    bool
    may_touch(const SearchSettings &which,
              const unsigned int body,
              const unsigned int k) const;

    const Surface<dim> *surface = nullptr;
    std::vector<PlacedObstacle<dim>> obstacles;
    unsigned int first_body = 0;
    SearchSettings settings;

    /** The obstacles without a surface. */
    std::vector<unsigned int> numbers;

    std::vector<std::array<Placement<dim>, 2>> placed;
    Positions begin_buffer, end_buffer;
    std::vector<VertexBlock> blocks;
  };
} // namespace Ricochet

#endif
