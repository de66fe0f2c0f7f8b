// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_library_readers_h
#define ricochet_source_mesh_library_readers_h

#include <ricochet/mesh/plain_mesh.h>

#include <functional>
#include <string>

// Readers of formats that libraries know. A damaged file can make these
// crash or loop, so they work in a child process.

namespace Ricochet
{
  /** Call @p work in a child process that may use what a file of the size of
   * this one can need. Its UserErrors are thrown here. */
  PlainMesh
  read_in_child(const std::string &file_name,
                const std::string &where,
                const std::function<PlainMesh()> &work);

  /** Call @p work, and put @p where before the text of a UserError from it. */
  PlainMesh
  with_place(const std::string &where, const std::function<PlainMesh()> &work);

  /**
   * Formats that Gmsh's library reads: its own ones, text and binary, and
   * Nastran's bulk data. Physical groups become groups.
   *
   * @param[in] suffix What the library knows the format by, "msh" or "bdf".
   * Throws a UserError that starts with @p where.
   */
  PlainMesh
  read_with_gmsh(const std::string &file_name,
                 const std::string &suffix,
                 const std::string &where);

  /** Formats of deal.II's class GridIn, by their names there, for meshes of
   * dimension @p dim. Boundary and material ids become groups. */
  template <int dim>
  PlainMesh
  read_with_grid_in(const std::string &file_name,
                    const std::string &format,
                    const std::string &where);
} // namespace Ricochet

#endif
