// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_obstacle_stl_surface_h
#define ricochet_obstacle_stl_surface_h

#include <ricochet/obstacle/surface_check.h>

#include <array>
#include <string>
#include <vector>

namespace Ricochet
{
  /** A surface that contact can use, from triangles as files have them. */
  struct MendedSurface
  {
    ObstacleSurface<3> surface;
    SurfaceCheck check;

    /** Sentences about what was not read or was mended, without a start. */
    std::vector<std::string> remarks;
  };



  /**
   * Join and mend triangles, see mend_surface().
   *
   * @param[in] scale A factor on all coordinates.
   * @param[in] reverse Whether all triangles are turned around.
   * @param[in] where Start of messages.
   * Throws a UserError for what cannot be mended.
   */
  MendedSurface
  surface_of_triangles(std::vector<std::array<dealii::Point<3>, 3>> triangles,
                       const double scale,
                       const bool reverse,
                       const std::string &where);

  /** The same for those of an STL file. Throws a UserError also for a file that
   * cannot be read. */
  MendedSurface
  read_stl_surface(const std::string &name,
                   const double scale,
                   const bool reverse,
                   const std::string &where);
} // namespace Ricochet

#endif
