// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_output_contact_view_h
#define ricochet_output_contact_view_h

#include <ricochet/impulse/contact_state.h>
#include <ricochet/output/contact_writer.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <vector>

namespace Ricochet
{
  /**
   * The contact surface to look at: the vertices of rigid bodies are nodes of
   * their own, behind the others, since the few nodes that hold such a body
   * are nowhere on it. What acted at a contact point belongs to the vertices
   * of the feature that was touched, in the shares of the contact point's
   * weights.
   */
  template <int dim>
  class ContactView
  {
  public:
    /** One point per node. */
    using Positions = std::vector<dealii::Point<dim>>;

    /** @p rigid_bodies are their numbers, one after the other. The surface must
     * outlive this object. */
    ContactView(const Surface<dim> &surface,
                const std::vector<unsigned int> &rigid_bodies);

    /** Without edges and lengths if there are rigid bodies. */
    const Surface<dim> &
    get_surface() const
    {
      return n_rigid_vertices() > 0 ? own : surface;
    }

    /** How many vertices there are of rigid bodies. */
    unsigned int
    n_rigid_vertices() const
    {
      return end - first;
    }

    /** Where the nodes of get_surface() are at the end of the step. */
    Positions
    positions(const ContactState<dim> &state) const;

    /** Add what the vertices of rigid bodies got in the step of @p state to
     * what each of them has; see ContactInterval::add(). */
    void
    add(const ContactState<dim> &state,
        const double share,
        ContactInterval<dim> &rigid_vertices) const;

  private:
    const Surface<dim> &surface;
    Surface<dim> own;

    /** The vertices of rigid bodies are from @p first to before @p end. */
    unsigned int first = 0, end = 0;
  };
} // namespace Ricochet

#endif
