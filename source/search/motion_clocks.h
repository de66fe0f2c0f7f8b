// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_motion_clocks_h
#define ricochet_source_search_motion_clocks_h

#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <vector>

#include "box.h"

namespace Ricochet
{
  /**
   * Clocks that count how far two bodies can have come closer, so that pairs of
   * features that are some way apart need not be looked at again before their
   * bodies have gone that way (Verlet's lists, 1967, with a distance for each
   * pair).
   *
   * From one detection to the next all vertices of a body end elsewhere, by a
   * common translation and, beyond that, by no more than a radius. The clock of
   * two bodies goes on by the sum of the radii and what their translations
   * differ by at most; of a body and itself, by twice the radius. So it stands
   * still while bodies fly, and goes slowly while they slide.
   *
   * Bodies that are connected, see connected_bodies(), count as one.
   */
  template <int dim>
  class MotionClocks
  {
  public:
    using Positions = std::vector<dealii::Point<dim>>;

    /** Lengths. */
    struct Time
    {
      /** At the end of the last step that advance() was called for. Two
       * features that are a distance d apart there are not closer than d - s
       * when the clock has gone on by s. */
      double now;

      /** The latest on the way through that step. */
      double latest;
    };

    /** Start from zero for this surface. */
    void
    reinit(const Surface<dim> &surface);

    /** Go on to a step, or to another end of the same one. */
    void
    advance(const Positions &begin, const Positions &end);

    /** The clock of a pair of bodies. */
    Time
    of(const unsigned int first_body, const unsigned int second_body) const;

  private:
    /** Vertices of one body, for one thread. */
    struct Piece
    {
      unsigned int begin, end; // in vertices
      unsigned int body;
    };

    /** How far a body goes: within itself, and with its translation against
     * that of all. */
    struct Way
    {
      double within = 0., against_all = 0.;
    };

    /** The ways of all bodies, from boxes around the displacements of the
     * vertices of each. */
    void
    find_ways(const std::vector<Box<dim>> &displacements,
              std::vector<Way> &ways) const;

    /** For each body the one that counts for it. */
    std::vector<unsigned int> first_connected;

    std::vector<unsigned int> vertices; // by bodies
    std::vector<Piece> pieces;
    Positions last_end; // empty before the first step

    /** Of each piece from the end of the last step to that of this one, and
     * back to its start; then the same of each body. */
    std::vector<Box<dim>> to_end, to_begin;

    std::vector<Way> new_ways, sums, in_step;
  };
} // namespace Ricochet

#endif
