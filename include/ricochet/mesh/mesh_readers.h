// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_mesh_readers_h
#define ricochet_mesh_mesh_readers_h

#include <ricochet/mesh/plain_mesh.h>

#include <string>

// Readers of mesh files that are ours. Each takes the name of a file that can
// be opened and the start of messages, e.g. "Body 'cube', 'Mesh file' =
// cube.inp", and throws a UserError that names the line for everything that
// would change the mesh and is not understood. None can be made to crash, to
// loop, or to reserve more memory than a small multiple of the file's size.

namespace Ricochet
{
  /**
   * Input decks of Abaqus and CalculiX. Elements of the continuum, node and
   * element sets, surfaces by element face or set, parts and their instances,
   * includes. Keywords that do not make a mesh are passed over.
   */
  PlainMesh
  read_abaqus_mesh(const std::string &file_name, const std::string &where);

  /** Universal files: nodes (datasets 15, 2411), elements (2412) and groups
   * (2452, 2467, 2477 and older ones), as Salome and Gmsh write them. */
  PlainMesh
  read_unv_mesh(const std::string &file_name, const std::string &where);

  /** AVS' unstructured cell data. Material numbers are groups. */
  PlainMesh
  read_ucd_mesh(const std::string &file_name, const std::string &where);

  /** Legacy VTK files with an unstructured grid, text or binary. The cell data
   * MaterialID makes groups. */
  PlainMesh
  read_vtk_mesh(const std::string &file_name, const std::string &where);

  /** VTK's XML files of unstructured grids: text, base64 or appended, with or
   * without compression. */
  PlainMesh
  read_vtu_mesh(const std::string &file_name, const std::string &where);

  /** MED files of Salome, Code_Aster and Gmsh: one unstructured mesh with its
   * groups of cells, faces and nodes. They are read by HDF5, which a damaged
   * file can make crash: call this in a process of its own. */
  PlainMesh
  read_med_mesh(const std::string &file_name, const std::string &where);
} // namespace Ricochet

#endif
