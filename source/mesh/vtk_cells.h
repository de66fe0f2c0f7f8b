// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_vtk_cells_h
#define ricochet_source_mesh_vtk_cells_h

#include <ricochet/mesh/plain_mesh.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace Ricochet
{
  /** An unstructured grid of VTK as its arrays are in a file. */
  struct VtkGrid
  {
    std::vector<std::array<double, 3>> points;

    /** Nodes of all cells, one cell after the other, and for each cell where
     * they end. */
    std::vector<std::int64_t> connectivity, ends;

    /** VTK's numbers of types of cells. */
    std::vector<std::int64_t> types;

    /** A number for each cell that makes groups, and how good its array is:
     * that with the highest rank is taken. */
    std::vector<double> group_numbers;
    unsigned int rank = 0;
  };

  /** How well the name of an array of cell data tells that it has numbers of
   * groups; zero if it does not. MaterialID is deal.II's. */
  unsigned int
  vtk_group_rank(std::string_view name);

  /** Append a grid to a mesh. Throws a UserError that starts with @p where and
   * names the cell if something does not fit. Negative numbers of groups mean
   * none. */
  void
  append_vtk_grid(const VtkGrid &grid,
                  const std::string &where,
                  PlainMesh &mesh);
} // namespace Ricochet

#endif
