// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_obstacle_surface_check_h
#define ricochet_obstacle_surface_check_h

#include <ricochet/obstacle/obstacle.h>

#include <array>
#include <string>
#include <vector>

namespace Ricochet
{
  /** A connected piece of a surface. Pieces that only touch, at vertices or
   * along edges, are several. */
  struct Shell
  {
    /** Its facets in the surface. */
    std::vector<unsigned int> facets;

    /** Edges with one triangle; the shell is closed if there are none. */
    unsigned int n_open_edges = 0;

    /** One of these. */
    std::array<dealii::Point<3>, 2> open_edge;

    /** Of a closed one: the middle of the box around it. */
    dealii::Point<3> middle;

    /** Of a closed one: the enclosed volume, negative if its facets face
     * inward. */
    double volume = 0.;

    /** Whether the volume is above the round-off of the coordinates; a sheet
     * with a front and a back has none. */
    bool has_volume = false;

    /** How many solids of the other closed shells it lies in: 1 for the hole
     * in a hollow body, -1 for what is inside the wall of a cavity. */
    int depth = 0;

    /** Whether it has an inside. */
    bool
    is_closed() const
    {
      return n_open_edges == 0;
    }
  };



  /** What mend_surface() found and did. */
  struct SurfaceCheck
  {
    unsigned int n_without_area = 0, n_repeated = 0, n_turned = 0, n_backs = 0;
    std::vector<Shell> shells;
  };



  /** The surface of triangles that own their vertices each: vertices at the
   * same place become one, in the order of their first appearance. */
  ObstacleSurface<3>
  join_vertices(const std::vector<std::array<dealii::Point<3>, 3>> &triangles);



  /**
   * Make a surface of triangles as files have it one that contact can use, and
   * tell what its pieces are.
   * - Triangles without an area are left out; where their vertices are three
   *   points of a line, the neighbor along the longest side is cut in two, so
   *   that a closed surface stays closed.
   * - Triangles that are there twice are left out once.
   * - Of a sheet that has each triangle once more for its back, the backs are
   *   left out, so that it is open like other sheets.
   * - Triangles that face the other way than most of those they are connected
   *   with are turned.
   * - Where solids only touch, at a vertex or along an edge with four or more
   *   triangles, each of them gets vertices of its own. The triangles around
   *   such an edge are sorted by their angle; two with nothing but solid
   *   between them belong together.
   *
   * @param[in] where Start of messages, e.g. the name of the file.
   * Throws a UserError if no triangle is left, for surfaces with one side such
   * as a Moebius strip, and for edges where three or more triangles do not
   * bound solids.
   */
  SurfaceCheck
  mend_surface(ObstacleSurface<3> &surface, const std::string &where);



  /** Give each open shell a back: all of its triangles once more, the other way
   * round and with vertices of their own. */
  void
  add_backs(ObstacleSurface<3> &surface, const SurfaceCheck &check);
} // namespace Ricochet

#endif
