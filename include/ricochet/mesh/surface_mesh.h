// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_surface_mesh_h
#define ricochet_mesh_surface_mesh_h

#include <deal.II/base/mpi.h>
#include <deal.II/base/point.h>

#include <array>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * The triangles of a mesh file that has a surface only, in any of
   * mesh_file_formats(); quadrilaterals are cut in two, and nodes between
   * vertices are left out.
   *
   * @param[in] file_name The file; its suffix tells the format.
   * @param[in] where Start of messages.
   * Throws a UserError for files that cannot be read, that have no surface, or
   * that have cells. Collective: the first rank reads.
   */
  std::vector<std::array<dealii::Point<3>, 3>>
  read_surface_mesh(const std::string &file_name,
                    const std::string &where,
                    const MPI_Comm communicator);
} // namespace Ricochet

#endif
