// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_overlap_body_surface_h
#define ricochet_source_overlap_body_surface_h

#include <ricochet/surface/surface.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/point.h>
#include <deal.II/numerics/rtree.h>

#include <optional>
#include <utility>
#include <vector>

namespace Ricochet
{
  /** The box around a facet, from the positions of all vertices. */
  template <int dim>
  dealii::BoundingBox<dim>
  facet_box(const Surface<dim> &surface,
            const std::vector<dealii::Point<dim>> &positions,
            const unsigned int facet);



  /** The surface of one body in one configuration. */
  template <int dim>
  class BodySurface
  {
  public:
    /**
     * The surface and the positions must outlive this object.
     *
     * @param[in] positions One point per vertex.
     * @param[in] facets Those of the body.
     * @param[in] is_closed Whether they have an inside.
     * @param[in] tolerance Shorter than this part of the local edge length is
     *   zero, see zero_length().
     */
    BodySurface(const Surface<dim> &surface,
                const std::vector<dealii::Point<dim>> &positions,
                const std::vector<unsigned int> &facets,
                const bool is_closed,
                const double tolerance);

    /** Its facets whose boxes overlap a box, in order of their numbers. */
    std::vector<unsigned int>
    facets_in(const dealii::BoundingBox<dim> &box) const;

    /** Whether facets_in() has any. */
    bool
    has_facets_in(const dealii::BoundingBox<dim> &box) const;

    struct Inside
    {
      /** The closest facet. */
      unsigned int facet;
      double depth;
    };

    /**
     * Whether @p p, a point of @p facet of another body, is strictly inside.
     * Told by the angle-weighted normal at the closest point of the surface
     * (Baerentzen and Aanaes, 2005).
     */
    std::optional<Inside>
    find_inside(const dealii::Point<dim> &p, const unsigned int facet) const;

  private:
    using Entry = std::pair<dealii::BoundingBox<dim>, unsigned int>;

    /** The facets closest to a point, in order of their numbers, and some
     * more. */
    std::vector<unsigned int>
    closest_facets(const dealii::Point<dim> &p) const;

    const Surface<dim> &surface;
    const std::vector<dealii::Point<dim>> &positions;
    const bool is_closed;
    const double tolerance;
    dealii::RTree<Entry> tree;
  };
} // namespace Ricochet

#endif
