// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_geometry_closest_collision_h
#define ricochet_geometry_closest_collision_h

#include <ricochet/geometry/collision_geometry.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <functional>
#include <vector>

namespace Ricochet
{
  /**
   * A vertex that has entered a body, and the closest point of that body's
   * surface (del Pozo, Lopez-Gomez and Romero, 2018, eqs. (14), (15), (22)).
   * The surface is followed from the facet that the vertex met, facet by facet,
   * as long as that leads closer.
   *
   * The normal is that of the facet if the closest point is inside a facet.
   * Where facets meet in a valley it is the direction to the closest point; or,
   * if the vertex is no deeper than round-off tells directions, the mean of the
   * facets' normals. A ridge is never closest to a point inside the body but
   * for facets that the vertex cannot touch; there, and where the vertex has
   * left the body again, the collision is that of CollisionGeometry.
   *
   * @note Contact responses from outside may include this header.
   */
  template <int dim>
  class ClosestCollisions
  {
  public:
    /** One point per node. */
    using Positions = std::vector<dealii::Point<dim>>;

    /** See CollisionGeometry::AtImpact. */
    using AtImpact = typename CollisionGeometry<dim>::AtImpact;

    /** Use this surface, which must outlive this object. */
    void
    reinit(const Surface<dim> &surface);

    /** What a vertex collides with. */
    struct Target
    {
      /** The vertex with the facet that it met or with the closest one. */
      Encounter encounter;
      AtImpact at_impact;

      /** Whether the closest point is in a valley, and the normal there. */
      bool in_valley = false;
      dealii::Tensor<1, dim> valley_normal;
    };

    /**
     * Find it, for the positions at which the encounters were found.
     *
     * @param[in] encounter A vertex and a facet.
     * @param[in] geometry Of these positions.
     * @param[in] end Positions of the nodes at the end of the step.
     * @param[in] is_master Whether a facet may be followed to.
     */
    Target
    find(const Encounter &encounter,
         const CollisionGeometry<dim> &geometry,
         const Positions &end,
         const std::function<bool(const unsigned int facet)> &is_master) const;

    /** The collision for the current positions of the nodes, as
     * CollisionGeometry::evaluate(). */
    bool
    evaluate(const Target &target,
             const CollisionGeometry<dim> &geometry,
             const Positions &current,
             const double relative_eta,
             Collision<dim> &collision) const;

  private:
    /** Set the normal if the closest point is in a valley and the vertex below
     * it. */
    void
    find_valley(const Positions &end, Target &target) const;

    const Surface<dim> *surface = nullptr;
  };
} // namespace Ricochet

#endif
