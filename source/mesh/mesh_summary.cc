// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/mesh/cell_shape.h>
#include <ricochet/mesh/face_table.h>
#include <ricochet/mesh/mesh_summary.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/grid/grid_tools.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

namespace Ricochet
{
  namespace
  {
    /** Length or area; of a quadrilateral that is not flat, of its projection
     * along its mean normal. */
    template <int dim>
    double
    area(const std::vector<dealii::Point<dim>> &vertices,
         const std::vector<unsigned int> &face)
    {
      const auto edge = [&](const unsigned int a, const unsigned int b) {
        return vertices[face[b]] - vertices[face[a]];
      };
      if constexpr (dim == 2)
        return edge(0, 1).norm();
      else
        return face.size() == 3
                 ? dealii::cross_product_3d(edge(0, 1), edge(0, 2)).norm() / 2.
                 : dealii::cross_product_3d(edge(0, 3), edge(1, 2)).norm() / 2.;
    }



    /** The pairs of vertices of a cell between which it has an edge. */
    template <int dim>
    std::vector<std::pair<unsigned int, unsigned int>>
    edges_of(const dealii::CellData<dim> &cell)
    {
      std::vector<std::pair<unsigned int, unsigned int>> edges;
      for (unsigned int a = 0; a < cell.vertices.size(); ++a)
        for (unsigned int b = a + 1; b < cell.vertices.size(); ++b)
          if (is_simplex(cell) || ((a ^ b) & ((a ^ b) - 1)) == 0)
            edges.emplace_back(cell.vertices[a], cell.vertices[b]);
      return edges;
    }



    template <int dim>
    std::string
    shape_line(const CoarseMesh<dim> &mesh)
    {
      // Of the regular simplex.
      const double best =
        !mesh.is_simplex() ? 1. : std::sqrt(dim == 2 ? 0.75 : 0.5);
      double shortest = std::numeric_limits<double>::max(), longest = 0.;
      double quality = std::numeric_limits<double>::max();
      dealii::Point<dim> place;
      for (const auto &cell : mesh.cells)
        {
          for (const auto &[a, b] : edges_of(cell))
            {
              const double length = mesh.vertices[a].distance(mesh.vertices[b]);
              shortest            = std::min(shortest, length);
              longest             = std::max(longest, length);
            }
          const double value = worst_vertex(mesh.vertices, cell).second / best;
          if (value < quality)
            {
              quality = value;
              place   = centre_of(mesh.vertices, cell);
            }
        }
      std::ostringstream text;
      text << "edges from " << shortest << " to " << longest
           << ", worst cell at " << text_of(place) << " with a shape of "
           << quality;
      return text.str();
    }



    /** Numbers of faces and areas of the ids. */
    template <int dim>
    std::map<dealii::types::boundary_id, std::pair<std::size_t, double>>
    areas_by_id(const CoarseMesh<dim> &mesh)
    {
      std::map<dealii::types::boundary_id, std::pair<std::size_t, double>>
        areas;
      const auto add = [&](const auto &faces) {
        for (const auto &face : faces)
          {
            auto &entry = areas[face.boundary_id];
            ++entry.first;
            entry.second += area(mesh.vertices, face.vertices);
          }
      };
      if constexpr (dim == 2)
        add(mesh.subcell_data.boundary_lines);
      else
        add(mesh.subcell_data.boundary_quads);
      return areas;
    }



    template <int dim>
    std::string
    size_line(const CoarseMesh<dim> &mesh)
    {
      double volume = 0.;
      std::vector<dealii::Point<dim>> used;
      for (const auto &cell : mesh.cells)
        {
          volume +=
            dealii::GridTools::cell_measure<dim>(mesh.vertices, cell.vertices);
          for (const unsigned int v : cell.vertices)
            used.push_back(mesh.vertices[v]);
        }
      const auto corners = dealii::BoundingBox<dim>(used).get_boundary_points();
      const auto pieces  = FaceTable<dim>(mesh.cells).pieces(mesh.cells.size());
      const unsigned int n_pieces =
        *std::max_element(pieces.begin(), pieces.end()) + 1;
      std::ostringstream text;
      text << mesh.cells.size() << ' '
           << (mesh.is_simplex() ? (dim == 2 ? "triangles" : "tetrahedra")
                                 : (dim == 2 ? "quadrilaterals" : "hexahedra"))
           << " in " << n_pieces << (n_pieces == 1 ? " piece, " : " pieces, ")
           << mesh.vertices.size() << " vertices, "
           << (dim == 2 ? "area " : "volume ") << volume << ", box from "
           << text_of(corners.first) << " to " << text_of(corners.second);
      return text.str();
    }
  } // namespace



  template <int dim>
  std::vector<std::string>
  summary_of_mesh(const CoarseMesh<dim> &mesh)
  {
    std::vector<std::string> lines = {size_line(mesh), shape_line(mesh)};
    const auto areas               = areas_by_id(mesh);
    for (const auto &[name, ids] : mesh.boundary_names.all())
      {
        std::pair<std::size_t, double> sum(0, 0.);
        for (const auto id : ids)
          if (const auto entry = areas.find(id); entry != areas.end())
            {
              sum.first += entry->second.first;
              sum.second += entry->second.second;
            }
        std::ostringstream text;
        text << "boundary " << name << ": " << sum.first
             << (sum.first == 1 ? " face" : " faces")
             << (dim == 2 ? ", length " : ", area ") << sum.second;
        lines.push_back(text.str());
      }
    for (const auto &[name, n_cells] : mesh.cell_groups)
      lines.push_back("cells " + name + ": " + std::to_string(n_cells) +
                      " in the file");
    return lines;
  }



  template std::vector<std::string>
  summary_of_mesh(const CoarseMesh<2> &);
  template std::vector<std::string>
  summary_of_mesh(const CoarseMesh<3> &);
} // namespace Ricochet
