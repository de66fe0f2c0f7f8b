// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_mesh_summary_h
#define ricochet_mesh_mesh_summary_h

#include <ricochet/mesh/coarse_mesh.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * What a user wants to know about the mesh of a body before a run, as lines
   * of text: numbers of cells and vertices, volume, the box around it, pieces,
   * the shortest and the longest edge, the cell of the worst shape with its
   * place, the names of the parts of its boundary with their faces and areas,
   * and the groups of cells of its file.
   *
   * The shape is told as the smallest scaled_jacobian() of a cell, over that of
   * the regular simplex for simplices: 1 is best, and 0 is flat.
   */
  template <int dim>
  std::vector<std::string>
  summary_of_mesh(const CoarseMesh<dim> &mesh);
} // namespace Ricochet

#endif
