// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_mesh_file_h
#define ricochet_mesh_mesh_file_h

#include <ricochet/mesh/plain_mesh.h>

#include <string>

namespace Ricochet
{
  /**
   * Read a mesh as it stands in a file; check_mesh() is to follow.
   *
   * @param[in] file_name The file.
   * @param[in] format One of mesh_file_formats(). "auto" goes by the suffix
   *   and, for .inp (Abaqus and UCD), by the content.
   * @param[in] where Start of error messages, e.g. "Body 'cube', mesh file
   *   'cube.msh'".
   * @tparam dim The dimension of the mesh that is hoped for; a few formats do
   *   not tell theirs.
   * Throws a UserError for files that cannot be read or are broken.
   */
  template <int dim>
  PlainMesh
  read_mesh_file(const std::string &file_name,
                 const std::string &format,
                 const std::string &where);

  /** Names of the formats that can be read here, joined by "|". */
  std::string
  mesh_file_formats();

  /** The same as a sentence with the suffixes, for documentation. */
  std::string
  mesh_file_documentation();
} // namespace Ricochet

#endif
