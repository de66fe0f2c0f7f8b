// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_overlap_overlaps_h
#define ricochet_overlap_overlaps_h

#include <ricochet/base/body_pairs.h>
#include <ricochet/search/search_settings.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <array>
#include <vector>

namespace Ricochet
{
  /** How two facets overlap. */
  enum class OverlapKind
  {
    /** They pass through each other. */
    crossing,

    /** A point of the first is inside the second's body. */
    first_inside,

    /** A point of the second is inside the first's body. */
    second_inside
  };



  /** A place at which two bodies, or two parts of one, overlap. */
  template <int dim>
  struct Overlap
  {
    BodyPair bodies;

    OverlapKind kind;

    /** A facet of each body; of the body around a point the closest one. */
    std::array<unsigned int, 2> facets;

    /** Where facets cross, or the point that is inside. */
    dealii::Point<dim> place;

    /**
     * The shortest translation that takes one of two crossing facets off the
     * other, or the distance of a point from the surface around it.
     */
    double depth;
  };



  /**
   * All places at which bodies that may touch overlap in one configuration,
   * sorted by bodies.
   *
   * Two things are looked for: facets that pass through each other, and
   * points of one surface (vertices, middles of edges and facets) that are
   * inside the other. The second finds what crosses nowhere: a body within
   * another one, and bodies with exactly aligned sides. So that even equal
   * bodies in one place are found, the middles of facets are looked at once
   * more a little below their own surface; the depth of such bodies is no more
   * than that. Not found are only bodies that cross nowhere but exactly in
   * edges and have none of these points in each other.
   *
   * Touching is no overlap: what is not deeper than 1e-9 times the local edge
   * length, or than the rounding of positions, does not count.
   *
   * An open surface (only a part of the boundary is in contact) has no inside,
   * neither has a body for itself: there only crossing facets are found.
   *
   * Inside and outside are told by the angle-weighted normal at the closest
   * point of the surface (Baerentzen and Aanaes, 2005).
   *
   * @param[in] positions One point per vertex.
   * @param[in] settings Which bodies may touch.
   */
  template <int dim>
  std::vector<Overlap<dim>>
  find_overlaps(const Surface<dim> &surface,
                const std::vector<dealii::Point<dim>> &positions,
                const SearchSettings &settings);

  /** All pairs of bodies in a list of overlaps, sorted. */
  template <int dim>
  std::vector<BodyPair>
  overlapping_bodies(const std::vector<Overlap<dim>> &overlaps);
} // namespace Ricochet

#endif
