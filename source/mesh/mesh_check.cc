// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/mesh/cell_shape.h>

#include <deal.II/base/numbers.h>
#include <deal.II/grid/grid_tools.h>

#include <algorithm>

#include "mesh_checker.h"
#include "near_points.h"

namespace Ricochet
{
  template <int dim>
  void
  MeshChecker<dim>::check_faces(const FaceTable<dim> &faces)
  {
    faces.for_each_face([&](const typename FaceTable<dim>::Range &range) {
      if (range.second - range.first <= 2)
        return;
      std::string cells;
      for (auto entry = range.first; entry != range.second; ++entry)
        cells +=
          (cells.empty() ? "" : ", ") +
          std::to_string(mesh.elements[element_of_cell[entry->cell]].number);
      const auto vertices =
        face_vertices(result.cells[range.first->cell], range.first->face);
      dealii::Point<dim> centre;
      for (const unsigned int v : vertices)
        centre += result.vertices[v] / static_cast<double>(vertices.size());
      faults.add("faces that more than two cells have",
                 "of the elements " + cells + " at " + text_of(centre));
    });
  }



  template <int dim>
  void
  MeshChecker<dim>::check_groups()
  {
    // The last two ids mean something else to deal.II.
    for (const PlainMesh::Group &group : mesh.groups)
      if (group.dim == dim - 1 &&
          id_of(group) >= dealii::numbers::internal_face_boundary_id - 1)
        faults.add("numbers of groups that are too large for an id",
                   std::to_string(*group.number));
  }



  template <int dim>
  void
  MeshChecker<dim>::check_pieces(const FaceTable<dim> &faces)
  {
    const std::vector<unsigned int> pieces = faces.pieces(result.cells.size());
    std::vector<std::size_t> sizes;
    for (const unsigned int piece : pieces)
      {
        sizes.resize(std::max<std::size_t>(sizes.size(), piece + 1));
        ++sizes[piece];
      }
    // Vertices at the same place, among those of the cells.
    std::vector<bool> is_used(mesh.points.size());
    for (const auto &cell : result.cells)
      for (const unsigned int v : cell.vertices)
        is_used[v] = true;
    const CoincidentPoints coincident =
      find_coincident_points(mesh.points, is_used, same_place);

    std::string text;
    if (sizes.size() > 1)
      text = "the body has " + std::to_string(sizes.size()) +
             " separate pieces; the largest has " +
             std::to_string(*std::max_element(sizes.begin(), sizes.end())) +
             " of " + std::to_string(result.cells.size()) + " cells";
    if (coincident.n_pairs > 0)
      {
        dealii::Point<dim> x = result.vertices[coincident.first];
        text += (text.empty() ? "" : ", and ") +
                std::to_string(coincident.n_pairs) +
                " pairs of vertices are at the same places, the first at " +
                text_of(x) +
                ", but do not hang together. If they should, set 'Weld "
                "tolerance'";
      }
    if (!text.empty())
      result.notes.push_back(text + ".");
  }



  template <int dim>
  void
  MeshChecker<dim>::note_unused_points()
  {
    std::vector<bool> is_used(mesh.points.size());
    for (const std::uint32_t node : mesh.nodes)
      is_used[node] = true;
    const auto first = std::find(is_used.begin(), is_used.end(), false);
    if (first != is_used.end())
      result.notes.push_back(
        std::to_string(std::count(first, is_used.end(), false)) +
        " points belong to no element and are left out, the first is point " +
        std::to_string(mesh.number_of_point(first - is_used.begin())) + ".");
  }



  template <int dim>
  CoarseMesh<dim>
  MeshChecker<dim>::run(const MeshSelection &selection)
  {
    check_dimension();
    result.notes       = std::move(mesh.notes);
    result.cell_groups = groups_of_cells(mesh, dim);
    note_unused_points();
    const auto selected = selected_elements(mesh,
                                            dim,
                                            selection.material_ids,
                                            "Material ids",
                                            where);
    weld(selection.weld_tolerance);
    take_points();
    take_cells(selected, selection.linear);
    leave_out_repeated_cells();
    set_material_ids();
    mark_rigid_cells(selection.rigid_material_ids);
    orient_cells();
    check_plane();
    check_groups();
    const FaceTable<dim> faces(result.cells);
    check_faces(faces);
    faults.report(where);

    check_pieces(faces);
    name_faces(mesh, faces, cell_of_element, result);
    const auto numbers_of_file = result.cells;
    dealii::GridTools::delete_unused_vertices(result.vertices,
                                              result.cells,
                                              result.subcell_data);
    result.curved_nodes.renumber(numbers_of_file, result.cells);
    if (!result.is_simplex())
      dealii::GridTools::consistently_order_cells(result.cells);
    return std::move(result);
  }



  template <int dim>
  CoarseMesh<dim>
  check_mesh(PlainMesh mesh,
             const MeshSelection &selection,
             const std::string &where)
  {
    return MeshChecker<dim>(mesh, where).run(selection);
  }



  template CoarseMesh<2>
  check_mesh(PlainMesh, const MeshSelection &, const std::string &);
  template CoarseMesh<3>
  check_mesh(PlainMesh, const MeshSelection &, const std::string &);
} // namespace Ricochet
