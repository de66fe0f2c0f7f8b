// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_obstacle_view_h
#define ricochet_output_obstacle_view_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/response/contact_obstacles.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <vector>

namespace Ricochet
{
  /**
   * A surface to look at of the obstacles that have none of their own, within
   * the size of the model, numbered as the bodies they count for.
   */
  template <int dim>
  class ObstacleView
  {
  public:
    /** One point per vertex. */
    using Positions = std::vector<dealii::Point<dim>>;

    /** The obstacles must outlive this object. */
    explicit ObstacleView(const ContactObstacles<dim> &obstacles);

    /** It has no edges and lengths. */
    const Surface<dim> &
    get_surface() const
    {
      return surface;
    }

    /** Where its vertices are at the end of the step. */
    Positions
    positions() const;

    /**
     * What the obstacles took in the step of @p state, as impulses on the
     * nodes of the view: each contact's on the nearest one.
     */
    ContactState<dim>
    loads(const ContactState<dim> &state) const;

    /** Whether what is shown of a body number would hide the bodies: it is
     * around them. */
    bool
    hides_bodies(const unsigned int body) const;

  private:
    const ContactObstacles<dim> &obstacles;
    Surface<dim> surface;

    /** Its vertices in the frames of the obstacles. */
    Positions reference;
  };
} // namespace Ricochet

#endif
