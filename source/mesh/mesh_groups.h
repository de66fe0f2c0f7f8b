// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_mesh_groups_h
#define ricochet_source_mesh_mesh_groups_h

#include <ricochet/mesh/coarse_mesh.h>
#include <ricochet/mesh/face_table.h>
#include <ricochet/mesh/plain_mesh.h>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "mesh_faults.h"

namespace Ricochet
{
  /** Stands for an element of the file that is no cell of the body. */
  constexpr std::uint32_t no_cell = std::numeric_limits<std::uint32_t>::max();

  /** The names that a group goes by: that in the file, and its number. */
  std::vector<std::string>
  names_of(const PlainMesh::Group &group);

  /** The number of a group as an id: its sign is an orientation. */
  std::uint64_t
  id_of(const PlainMesh::Group &group);

  /** The groups that have elements of dimension @p dim, by all their names,
   * with the numbers of these. */
  std::map<std::string, std::size_t>
  groups_of_cells(const PlainMesh &mesh, const unsigned int dim);

  /**
   * Which elements of dimension @p dim to take for the groups in @p names, all
   * if there are none. Throws a UserError that starts with @p where for a name
   * that no group of cells has; @p entry is the one that has the names.
   */
  std::vector<bool>
  selected_elements(const PlainMesh &mesh,
                    const unsigned int dim,
                    const std::vector<std::string> &names,
                    const std::string &entry,
                    const std::string &where);

  /**
   * Give the faces of the boundary their ids, and name these, from the groups
   * of faces in @p mesh.
   *
   * @param[in] faces Of the cells in @p result.
   * @param[in] cell_of_element Where the elements of the file went, or no_cell.
   * @param[in,out] result The cells; filled in are faces, names and notes.
   */
  template <int dim>
  void
  name_faces(const PlainMesh &mesh,
             const FaceTable<dim> &faces,
             const std::vector<std::uint32_t> &cell_of_element,
             CoarseMesh<dim> &result);
} // namespace Ricochet

#endif
