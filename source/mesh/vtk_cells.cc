// SPDX-License-Identifier: LGPL-2.1-or-later

#include "vtk_cells.h"

#include <ricochet/base/error.h>

#include <cmath>

#include "number_groups.h"

namespace Ricochet
{
  namespace
  {
    /** What a number of VTK stands for. */
    struct VtkShape
    {
      int number;
      ElementType type;

      /** How many nodes are in another place than in ElementType, from the
       * start, and which. */
      unsigned int n_moved             = 0;
      std::array<unsigned int, 8> from = {{}};
    };

    /** See the figures in the VTK User's Guide, "VTK File Formats". */
    constexpr std::array<VtkShape, 17> shapes = {
      {{1, ElementType::vertex},
       {3, ElementType::line_2},
       {5, ElementType::triangle_3},
       {8, ElementType::quadrilateral_4, 4, {{0, 1, 3, 2}}},
       {9, ElementType::quadrilateral_4},
       {10, ElementType::tetrahedron_4},
       {11, ElementType::hexahedron_8, 8, {{0, 1, 3, 2, 4, 5, 7, 6}}},
       {12, ElementType::hexahedron_8},
       {13, ElementType::wedge_6},
       {14, ElementType::pyramid_5},
       {21, ElementType::line_3},
       {22, ElementType::triangle_6},
       {23, ElementType::quadrilateral_8},
       {24, ElementType::tetrahedron_10},
       {25, ElementType::hexahedron_20},
       {28, ElementType::quadrilateral_9},
       {29, ElementType::hexahedron_27}}};

    const VtkShape *
    find_shape(const std::int64_t number)
    {
      for (const VtkShape &shape : shapes)
        if (shape.number == number)
          return &shape;
      return nullptr;
    }



    void
    append_cells(const VtkGrid &grid,
                 const std::string &where,
                 const std::size_t first_point,
                 PlainMesh &mesh)
    {
      std::vector<std::uint32_t> nodes;
      std::int64_t begin = 0;
      for (std::size_t c = 0; c < grid.types.size(); ++c)
        {
          const auto start = [&] {
            return where + ": cell " + std::to_string(c) + " (from 0) ";
          };
          const VtkShape *const shape = find_shape(grid.types[c]);
          if (shape == nullptr)
            throw UserError(start() + "is of VTK's type " +
                            std::to_string(grid.types[c]) +
                            ", which cannot be read. Known are cells from "
                            "vertices to hexahedra with one shape each, of "
                            "first or second order. Convert it.");
          const std::int64_t n   = info(shape->type).n_nodes;
          const std::int64_t end = grid.ends[c];
          if (end < begin ||
              end > static_cast<std::int64_t>(grid.connectivity.size()) ||
              end - begin != n)
            throw UserError(start() + "has not the " + std::to_string(n) +
                            " nodes of " + info(shape->type).name +
                            ". Mend its type or its nodes.");
          nodes.clear();
          for (unsigned int k = 0; k < n; ++k)
            {
              const std::int64_t node =
                grid.connectivity[begin +
                                  (k < shape->n_moved ? shape->from[k] : k)];
              if (node < 0 ||
                  node >= static_cast<std::int64_t>(grid.points.size()))
                throw UserError(start() + "has the node " +
                                std::to_string(node) + ", but there are " +
                                std::to_string(grid.points.size()) +
                                " of them. Mend the number.");
              nodes.push_back(first_point + node);
            }
          mesh.add_element(shape->type, mesh.elements.size(), nodes);
          begin = end;
        }
      require(begin == static_cast<std::int64_t>(grid.connectivity.size()),
              where +
                ": there are more nodes of cells than cells have. Mend "
                "the numbers of cells and nodes.");
    }
  } // namespace



  unsigned int
  vtk_group_rank(const std::string_view name)
  {
    return name == "MaterialID"      ? 3
           : name == "CellEntityIds" ? 2
           : name == "gmsh:physical" ? 1
                                     : 0;
  }



  void
  append_vtk_grid(const VtkGrid &grid,
                  const std::string &where,
                  PlainMesh &mesh)
  {
    require(grid.ends.size() == grid.types.size(),
            where + ": there are " + std::to_string(grid.ends.size()) +
              " cells, but types of " + std::to_string(grid.types.size()) +
              " cells. Is the file complete?");
    const std::size_t first_point   = mesh.points.size();
    const std::size_t first_element = mesh.elements.size();
    require(first_point + grid.points.size() < 0xffffffff,
            where +
              ": there are more points than 32 bits can count. Take a "
              "smaller mesh.");
    mesh.points.insert(mesh.points.end(),
                       grid.points.begin(),
                       grid.points.end());
    append_cells(grid, where, first_point, mesh);

    if (grid.rank == 0)
      return;
    require(grid.group_numbers.size() == grid.types.size(),
            where +
              ": the cell data that make groups are not one number for "
              "each cell. Mend them.");
    for (const double number : grid.group_numbers)
      if (!(std::abs(number) < 1e15 && number == std::floor(number)))
        {
          mesh.notes.push_back(
            "The cell data that could make groups are no "
            "whole numbers and are left out.");
          return;
        }
    // Groups of other pieces of the file are continued.
    NumberGroups groups(mesh);
    for (std::size_t c = 0; c < grid.types.size(); ++c)
      if (grid.group_numbers[c] >= 0)
        groups.add(first_element + c,
                   static_cast<std::int64_t>(grid.group_numbers[c]));
  }
} // namespace Ricochet
