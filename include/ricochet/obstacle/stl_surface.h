// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_obstacle_stl_surface_h
#define ricochet_obstacle_stl_surface_h

#include <ricochet/obstacle/surface_check.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /** What read_stl_surface() gives. */
  struct StlSurface
  {
    ObstacleSurface<3> surface;
    SurfaceCheck check;

    /** Sentences about what was not read or was mended, without a start. */
    std::vector<std::string> remarks;
  };



  /**
   * Read an STL file and mend its surface, see read_stl() and mend_surface().
   *
   * @param[in] name The file.
   * @param[in] scale A factor on all coordinates.
   * @param[in] reverse Whether all triangles are turned around.
   * @param[in] where Start of messages.
   * Throws a UserError for a file that cannot be read and a surface that
   * cannot be mended.
   */
  StlSurface
  read_stl_surface(const std::string &name,
                   const double scale,
                   const bool reverse,
                   const std::string &where);
} // namespace Ricochet

#endif
