// SPDX-License-Identifier: LGPL-2.1-or-later

#include "mesh_checker.h"

#include <ricochet/base/error.h>
#include <ricochet/mesh/cell_shape.h>

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "near_points.h"
#include "quadratic_cells.h"

// Points and cells; faces and groups are in mesh_check.cc.

namespace Ricochet
{
  namespace
  {
    /** The vertices in the order of deal.II, which has those of hypercubes by
     * rows. Hexahedra stand on end, as GridIn has those of most formats. */
    template <int dim>
    const std::vector<unsigned int> &
    vertex_order(const unsigned int n_vertices)
    {
      static const std::vector<unsigned int> simplex       = {0, 1, 2, 3},
                                             quadrilateral = {0, 1, 3, 2},
                                             hexahedron =
                                               {4, 5, 0, 1, 7, 6, 3, 2};
      return n_vertices == 8         ? hexahedron
             : n_vertices == dim + 1 ? simplex
                                     : quadrilateral;
    }



    bool
    is_supported(const ElementType type)
    {
      return type != ElementType::pyramid_5 && type != ElementType::wedge_6;
    }
  } // namespace



  template <int dim>
  std::string
  MeshChecker<dim>::place(const dealii::CellData<dim> &cell,
                          const std::size_t element) const
  {
    return "element " + std::to_string(mesh.elements[element].number) + " at " +
           text_of(centre_of(result.vertices, cell));
  }



  template <int dim>
  void
  MeshChecker<dim>::weld(const double tolerance)
  {
    if (tolerance == 0.)
      return;
    const std::vector<std::uint32_t> first =
      first_points_within(mesh.points, tolerance);
    std::size_t n_welded = 0;
    for (std::size_t i = 0; i < first.size(); ++i)
      n_welded += first[i] != i;
    for (std::uint32_t &node : mesh.nodes)
      node = first[node];
    for (PlainMesh::Group &group : mesh.groups)
      for (std::size_t &point : group.points)
        point = first[point];
    result.notes.push_back(std::to_string(n_welded) +
                           " points were welded to others.");
  }



  template <int dim>
  void
  MeshChecker<dim>::take_points()
  {
    result.vertices.resize(mesh.points.size());
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
      for (unsigned int d = 0; d < dim; ++d)
        result.vertices[i][d] = mesh.points[i][d];
  }



  template <int dim>
  void
  MeshChecker<dim>::check_dimension() const
  {
    std::array<std::size_t, 4> n{};
    for (const auto &element : mesh.elements)
      ++n[info(element.type).dim];
    require(n[2] + n[3] > 0,
            where + ": the file has no " + (dim == 2 ? "areas" : "volumes") +
              ", that is no cells to make a body of. Save the elements of "
              "the whole body.");
    const unsigned int found = n[3] > 0 ? 3 : 2;
    require(found == dim,
            where + ": this is a mesh of dimension " + std::to_string(found) +
              ", but Dimension = " + std::to_string(dim) + ".");
  }



  /** Also adds what is wrong to the faults. */
  template <int dim>
  bool
  MeshChecker<dim>::has_good_vertices(const PlainMesh::Element &element)
  {
    const unsigned int n    = info(element.type).n_vertices;
    const auto *const nodes = mesh.nodes.data() + element.first_node;
    bool good               = true;
    for (unsigned int v = 0; v < n; ++v)
      {
        const std::string name = "element " + std::to_string(element.number);
        const auto &x          = mesh.points[nodes[v]];
        if (!std::isfinite(x[0] + x[1] + x[2]))
          {
            faults.add("vertices without finite coordinates",
                       "point " +
                         std::to_string(mesh.number_of_point(nodes[v])) +
                         " of " + name);
            good = false;
          }
        if (std::find(nodes, nodes + v, nodes[v]) != nodes + v)
          {
            faults.add("elements that have a vertex twice",
                       name + ", point " +
                         std::to_string(mesh.number_of_point(nodes[v])));
            good = false;
          }
      }
    return good;
  }



  template <int dim>
  void
  MeshChecker<dim>::take_cells(const std::vector<bool> &selected,
                               const bool linear)
  {
    unsigned int n_vertices = 0;
    for (std::size_t e = 0; e < mesh.elements.size(); ++e)
      {
        const auto &element        = mesh.elements[e];
        const ElementTypeInfo type = info(element.type);
        if (type.dim != dim || !selected[e])
          continue;
        const std::string name = "element " + std::to_string(element.number);
        if (n_vertices == 0)
          n_vertices = type.n_vertices;
        if (!is_supported(element.type))
          faults.add(std::string(type.name) +
                       ", for which there are no finite elements",
                     name);
        else if (type.n_nodes > type.n_vertices && !linear &&
                 !is_quadratic_cube(element.type))
          faults.add(std::string(type.name) +
                       ", for which there are only linear finite elements; "
                       "set 'Order of mesh file' = linear to leave out the "
                       "nodes between their vertices",
                     name);
        else if (type.n_vertices != n_vertices)
          faults.add("cells of another type than the first one, " +
                       std::string(type.name),
                     name);
        else if (has_good_vertices(element))
          {
            dealii::CellData<dim> cell(type.n_vertices);
            const auto &order = vertex_order<dim>(type.n_vertices);
            for (unsigned int v = 0; v < type.n_vertices; ++v)
              cell.vertices[v] = mesh.nodes[element.first_node + order[v]];
            cell.material_id   = 0;
            cell.manifold_id   = dealii::numbers::flat_manifold_id;
            cell_of_element[e] = result.cells.size();
            element_of_cell.push_back(e);
            result.cells.push_back(cell);
            if (is_quadratic_cube(element.type) && !linear)
              take_curved_nodes(mesh, element, result.curved_nodes, faults);
          }
      }
  }



  template <int dim>
  void
  MeshChecker<dim>::leave_out_repeated_cells()
  {
    // Sorted by their vertices, equal cells are neighbors.
    using Vertices = std::array<std::uint32_t, 8>;
    std::vector<std::pair<Vertices, std::uint32_t>> sorted(result.cells.size());
    for (std::uint32_t c = 0; c < result.cells.size(); ++c)
      {
        const auto &vertices = result.cells[c].vertices;
        std::copy(vertices.begin(), vertices.end(), sorted[c].first.begin());
        std::sort(sorted[c].first.begin(),
                  sorted[c].first.begin() + vertices.size());
        sorted[c].second = c;
      }
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint32_t> first(sorted.size());
    std::size_t n_repeated = 0;
    std::string example;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      {
        const std::uint32_t c = sorted[i].second;
        first[c]              = c;
        if (i == 0 || sorted[i].first != sorted[i - 1].first)
          continue;
        first[c] = first[sorted[i - 1].second];
        if (n_repeated++ == 0)
          example =
            std::to_string(mesh.elements[element_of_cell[c]].number) +
            " has the nodes of element " +
            std::to_string(mesh.elements[element_of_cell[first[c]]].number);
      }
    if (n_repeated == 0)
      return;
    result.notes.push_back(std::to_string(n_repeated) +
                           " elements are there more than once and are "
                           "taken once; element " +
                           example + ".");
    std::vector<dealii::CellData<dim>> cells;
    std::vector<std::size_t> elements;
    std::vector<std::uint32_t> new_number(first.size());
    for (std::uint32_t c = 0; c < first.size(); ++c)
      if (first[c] == c)
        {
          new_number[c] = cells.size();
          cells.push_back(result.cells[c]);
          elements.push_back(element_of_cell[c]);
        }
    for (std::uint32_t &cell : cell_of_element)
      if (cell != no_cell)
        cell = new_number[first[cell]];
    result.cells    = std::move(cells);
    element_of_cell = std::move(elements);
  }



  /** The number of the first group of a cell that has one. */
  template <int dim>
  void
  MeshChecker<dim>::set_material_ids()
  {
    for (auto group = mesh.groups.rbegin(); group != mesh.groups.rend();
         ++group)
      if (group->number && id_of(*group) < dealii::numbers::invalid_material_id)
        for (const std::size_t e : group->elements)
          if (cell_of_element[e] != no_cell)
            result.cells[cell_of_element[e]].material_id = id_of(*group);
  }



  template <int dim>
  void
  MeshChecker<dim>::mark_rigid_cells(const std::vector<std::string> &names)
  {
    if (names.empty())
      return;
    const auto is_rigid =
      selected_elements(mesh, dim, names, "Rigid material ids", where);
    for (auto &cell : result.cells)
      cell.material_id = 0;
    for (std::size_t e = 0; e < is_rigid.size(); ++e)
      if (is_rigid[e] && cell_of_element[e] != no_cell)
        result.cells[cell_of_element[e]].material_id =
          CoarseMesh<dim>::rigid_cell;
  }



  template <int dim>
  void
  MeshChecker<dim>::orient_cells()
  {
    result.orient_simplices();
    for (std::size_t c = 0; c < result.cells.size(); ++c)
      {
        auto &cell = result.cells[c];
        if (worst_vertex(result.vertices, cell).second > flat_cell)
          continue;
        // Around the other way?
        dealii::CellData<dim> mirrored = cell;
        if (!Ricochet::is_simplex(cell))
          for (unsigned int v = 0; v < cell.vertices.size(); ++v)
            mirrored.vertices[v] =
              cell.vertices[dim == 3 ? v ^ 4u : (v % 2) * 2 + v / 2];
        if (worst_vertex(result.vertices, mirrored).second > flat_cell)
          cell = mirrored;
        else
          faults.add("inverted or flat cells", place(cell, element_of_cell[c]));
      }
  }



  template <int dim>
  void
  MeshChecker<dim>::check_plane()
  {
    if (dim == 3)
      return;
    double size = 0.;
    for (const auto &cell : result.cells)
      for (const unsigned int v : cell.vertices)
        size = std::max({size,
                         std::abs(result.vertices[v][0]),
                         std::abs(result.vertices[v][1])});
    const double z =
      result.cells.empty() ? 0. : mesh.points[result.cells[0].vertices[0]][2];
    for (const auto &cell : result.cells)
      for (const unsigned int v : cell.vertices)
        if (!(std::abs(mesh.points[v][2] - z) <= same_place * size))
          faults.add("points outside of one plane of constant z",
                     "point " + std::to_string(mesh.number_of_point(v)) +
                       " with z = " + std::to_string(mesh.points[v][2]));
  }



  template class MeshChecker<2>;
  template class MeshChecker<3>;
} // namespace Ricochet
