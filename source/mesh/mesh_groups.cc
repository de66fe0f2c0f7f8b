// SPDX-License-Identifier: LGPL-2.1-or-later

#include "mesh_groups.h"

#include <ricochet/base/error.h>

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <map>
#include <set>

namespace Ricochet
{
  namespace
  {
    using BoundaryId = dealii::types::boundary_id;

    /** Where a face of the boundary is in the FaceTable, and in which groups.
     */
    struct BoundaryFace
    {
      std::uint32_t cell;
      std::uint32_t face;
      std::vector<unsigned int> groups;
    };



    /** How a message calls a group. */
    std::string
    title(const PlainMesh::Group &group)
    {
      return group.name.empty() ? std::to_string(group.number.value_or(0))
                                : "'" + group.name + "'";
    }



    /** Collects the faces of groups. */
    template <int dim>
    class FaceGroups
    {
    public:
      FaceGroups(const PlainMesh &mesh,
                 const FaceTable<dim> &table,
                 const std::vector<std::uint32_t> &cell_of_element,
                 const CoarseMesh<dim> &cells)
        : mesh(mesh)
        , table(table)
        , cell_of_element(cell_of_element)
        , cells(cells)
        , number_of_entry(table.all().size(), no_cell)
      {
        table.for_each_face([&](const Range &range) {
          if (range.second - range.first > 1)
            return;
          number_of_entry[range.first - table.all().data()] = faces.size();
          faces.push_back({range.first->cell, range.first->face, {}});
        });
      }

      /** Find the faces of a group; tells those inside. */
      void
      add(const unsigned int number, std::vector<std::string> &notes);

      std::vector<BoundaryFace> faces;

    private:
      using Range = typename FaceTable<dim>::Range;

      /** Add the face with these points to the current group. */
      void
      add_face(const std::vector<unsigned int> &points);

      /** Add all faces of the boundary for which @p is_inside. */
      template <typename Predicate>
      void
      add_faces_with(const Predicate &is_inside);

      void
      add_side(const PlainMesh::Side &side);

      const PlainMesh &mesh;
      const FaceTable<dim> &table;
      const std::vector<std::uint32_t> &cell_of_element;
      const CoarseMesh<dim> &cells;

      /** The number in faces of an entry of the table, if it has no twin. */
      std::vector<std::uint32_t> number_of_entry;

      unsigned int current      = 0;
      std::size_t n_found       = 0;
      std::size_t n_inside      = 0;
      std::size_t n_without_any = 0;
    };



    template <int dim>
    void
    FaceGroups<dim>::add_face(const std::vector<unsigned int> &points)
    {
      const Range range = table.find(FaceTable<dim>::key_of(points));
      if (range.first == range.second)
        ++n_without_any;
      else if (range.second - range.first > 1)
        ++n_inside;
      else
        {
          auto &groups =
            faces[number_of_entry[range.first - table.all().data()]].groups;
          if (groups.empty() || groups.back() != current)
            groups.push_back(current);
          ++n_found;
        }
    }



    template <int dim>
    template <typename Predicate>
    void
    FaceGroups<dim>::add_faces_with(const Predicate &is_inside)
    {
      for (BoundaryFace &face : faces)
        if (is_inside(face))
          {
            if (face.groups.empty() || face.groups.back() != current)
              face.groups.push_back(current);
            ++n_found;
          }
    }



    template <int dim>
    void
    FaceGroups<dim>::add_side(const PlainMesh::Side &side)
    {
      const auto &element = mesh.elements[side.element];
      std::vector<unsigned int> points;
      for (const std::uint8_t v : side.vertices)
        if (v != PlainMesh::no_vertex)
          points.push_back(mesh.nodes[element.first_node + v]);
      add_face(points);
    }



    template <int dim>
    void
    FaceGroups<dim>::add(const unsigned int number,
                         std::vector<std::string> &notes)
    {
      current = number;
      n_found = n_inside = n_without_any = 0;
      const PlainMesh::Group &group      = mesh.groups[number];
      for (const std::size_t e : group.elements)
        {
          const auto &element        = mesh.elements[e];
          const ElementTypeInfo type = info(element.type);
          if (type.dim != dim - 1)
            continue;
          const auto first = mesh.nodes.begin() + element.first_node;
          add_face(std::vector<unsigned int>(first, first + type.n_vertices));
        }
      for (const PlainMesh::Side &side : group.sides)
        if (cell_of_element[side.element] != no_cell)
          add_side(side);
      if (!group.free_faces_of.empty())
        {
          std::vector<bool> is_inside(cells.cells.size());
          for (const std::size_t e : group.free_faces_of)
            if (cell_of_element[e] != no_cell)
              is_inside[cell_of_element[e]] = true;
          add_faces_with(
            [&](const BoundaryFace &face) { return is_inside[face.cell]; });
        }
      if (!group.points.empty())
        {
          std::vector<bool> is_inside(mesh.points.size());
          for (const std::size_t point : group.points)
            is_inside[point] = true;
          add_faces_with([&](const BoundaryFace &face) {
            for (const auto v :
                 face_vertices(cells.cells[face.cell], face.face))
              if (!is_inside[v])
                return false;
            return true;
          });
        }
      if (n_inside > 0)
        notes.push_back("the group " + title(group) + " has " +
                        std::to_string(n_inside) +
                        " faces inside the body, which are ignored.");
    }



    /** Ids for sets of groups. */
    class IdsOfGroups
    {
    public:
      IdsOfGroups(const PlainMesh &mesh, const std::set<BoundaryId> &used)
        : mesh(mesh)
        , used(used)
      {
        this->used.insert(0);
      }

      BoundaryId
      operator()(const std::vector<unsigned int> &groups)
      {
        const auto known = ids.find(groups);
        if (known != ids.end())
          return known->second;
        BoundaryId id = 0;
        if (groups.size() == 1 && mesh.groups[groups[0]].number)
          id = id_of(mesh.groups[groups[0]]);
        else if (!groups.empty())
          {
            while (used.count(next) == 1)
              ++next;
            id = next++;
          }
        ids.emplace(groups, id);
        return id;
      }

    private:
      const PlainMesh &mesh;
      std::set<BoundaryId> used;
      BoundaryId next = 1;
      std::map<std::vector<unsigned int>, BoundaryId> ids;
    };
  } // namespace



  std::vector<std::string>
  names_of(const PlainMesh::Group &group)
  {
    std::vector<std::string> names;
    if (!group.name.empty())
      names.push_back(group.name);
    if (group.number)
      names.push_back(std::to_string(id_of(group)));
    return names;
  }



  std::uint64_t
  id_of(const PlainMesh::Group &group)
  {
    const std::int64_t number = group.number.value_or(0);
    return number < 0 ? -static_cast<std::uint64_t>(number) : number;
  }



  std::map<std::string, std::size_t>
  groups_of_cells(const PlainMesh &mesh, const unsigned int dim)
  {
    std::map<std::string, std::size_t> sizes;
    for (const PlainMesh::Group &group : mesh.groups)
      {
        const std::size_t n =
          std::count_if(group.elements.begin(),
                        group.elements.end(),
                        [&](const std::size_t e) {
                          return info(mesh.elements[e].type).dim == dim;
                        });
        for (const std::string &name : names_of(group))
          if (n > 0)
            sizes[name] += n;
      }
    return sizes;
  }



  std::vector<bool>
  selected_elements(const PlainMesh &mesh,
                    const unsigned int dim,
                    const std::vector<std::string> &names,
                    const std::string &entry,
                    const std::string &where)
  {
    std::vector<bool> selected(mesh.elements.size(), names.empty());
    const auto known = groups_of_cells(mesh, dim);
    std::string list;
    for (const auto &group : known)
      list += (list.empty() ? "" : ", ") + group.first;
    for (const std::string &name : names)
      require(known.count(name) == 1,
              where + ": '" + entry + "' names " + name +
                ", but the file has no such group of cells. Its groups of "
                "cells: " +
                (list.empty() ? "none" : list) + ".");
    for (const PlainMesh::Group &group : mesh.groups)
      for (const std::string &name : names_of(group))
        if (std::find(names.begin(), names.end(), name) != names.end())
          for (const std::size_t e : group.elements)
            selected[e] = true;
    return selected;
  }



  template <int dim>
  void
  name_faces(const PlainMesh &mesh,
             const FaceTable<dim> &faces,
             const std::vector<std::uint32_t> &cell_of_element,
             CoarseMesh<dim> &result)
  {
    FaceGroups<dim> groups(mesh, faces, cell_of_element, result);
    std::set<BoundaryId> used;
    for (unsigned int g = 0; g < mesh.groups.size(); ++g)
      {
        groups.add(g, result.notes);
        if (mesh.groups[g].number)
          used.insert(id_of(mesh.groups[g]));
      }

    // A name that several groups have, as those of different dimensions can,
    // stands for all of them.
    IdsOfGroups ids(mesh, used);
    bool any_number = false, any_group = false, any_without = false;
    for (const BoundaryFace &face : groups.faces)
      {
        dealii::CellData<dim - 1> data(0);
        data.vertices    = face_vertices(result.cells[face.cell], face.face);
        data.boundary_id = ids(face.groups);
        data.manifold_id = dealii::numbers::flat_manifold_id;
        if constexpr (dim == 2)
          result.subcell_data.boundary_lines.push_back(data);
        else
          result.subcell_data.boundary_quads.push_back(data);
        any_without |= face.groups.empty();
        for (const unsigned int g : face.groups)
          {
            any_group = true;
            any_number |= mesh.groups[g].number.has_value();
            for (const std::string &name : names_of(mesh.groups[g]))
              result.boundary_names.add(name, data.boundary_id);
          }
      }
    // Where all groups have names only, 0 would be everything else, which is
    // hardly what somebody means who does not know the names.
    if (any_without && (any_number || !any_group))
      result.boundary_names.add("0", 0);
  }



  template void
  name_faces(const PlainMesh &,
             const FaceTable<2> &,
             const std::vector<std::uint32_t> &,
             CoarseMesh<2> &);
  template void
  name_faces(const PlainMesh &,
             const FaceTable<3> &,
             const std::vector<std::uint32_t> &,
             CoarseMesh<3> &);
} // namespace Ricochet
