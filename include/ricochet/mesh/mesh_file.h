// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_mesh_file_h
#define ricochet_mesh_mesh_file_h

#include <deal.II/grid/tria.h>

#include <string>

namespace Ricochet
{
  /**
   * Read a mesh in one of the formats of deal.II's class GridIn.
   *
   * @param[in] file_name The file.
   * @param[in] format One of mesh_file_formats(). "auto" goes by the suffix
   *   and, for .inp (Abaqus and UCD), by the content.
   * @param[in] where Start of error messages, e.g. "Body 'cube', mesh file
   *   'cube.msh'".
   * @param[out] triangulation An empty triangulation.
   * Throws a UserError for files that cannot be read, broken ones, and meshes
   * of the other dimension.
   */
  template <int dim>
  void
  read_mesh_file(const std::string &file_name,
                 const std::string &format,
                 const std::string &where,
                 dealii::Triangulation<dim> &triangulation);

  /** Names of the formats, joined by "|". */
  std::string
  mesh_file_formats();
} // namespace Ricochet

#endif
