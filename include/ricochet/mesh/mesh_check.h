// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_mesh_check_h
#define ricochet_mesh_mesh_check_h

#include <ricochet/mesh/coarse_mesh.h>
#include <ricochet/mesh/plain_mesh.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /** What is to be made of the mesh in a file. */
  struct MeshSelection
  {
    /** Names or numbers of the groups whose cells are taken; all cells if
     * empty. */
    std::vector<std::string> material_ids;

    /** The same of those that do not deform; none if empty. Their cells get the
     * material id CoarseMesh::rigid_cell, all others get 0. */
    std::vector<std::string> rigid_material_ids;

    /** Vertices within this distance are one, a length. */
    double weld_tolerance = 0.;

    /** Whether nodes between the vertices are left out. */
    bool linear = false;
  };

  /**
   * Look at all that can be wrong with a mesh from outside, and make what a
   * triangulation is created from.
   *
   * Looked for are: cells of another dimension, of types without an element,
   * or of several types; points that are not finite, or in 2D not in one plane
   * of constant z; cells with a vertex twice; inverted and flat cells; faces
   * of more than two cells; numbers of groups out of range. All of it is told
   * in one UserError that starts with @p where.
   *
   * Hexahedra and quadrilaterals whose vertices go around the other way, and
   * simplices, are turned. Cells that are in the file more than once, as in
   * some files of overlapping groups, are taken once. What
   * may be meant, such as pieces that do not hang together, is told in
   * CoarseMesh::notes.
   *
   * A face of the boundary that is in no group has the id 0; one that is in one
   * group with a number has that number (the sign is left out, since in files
   * it is an orientation); those of other groups, and of several at once, get
   * the next free ids. All go by their names in CoarseMesh::boundary_names.
   */
  template <int dim>
  CoarseMesh<dim>
  check_mesh(PlainMesh mesh,
             const MeshSelection &selection,
             const std::string &where);
} // namespace Ricochet

#endif
