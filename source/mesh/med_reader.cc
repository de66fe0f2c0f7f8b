// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/mesh/mesh_readers.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "file_lines.h"
#include "med_file.h"
#include "med_shapes.h"

namespace Ricochet
{
  namespace
  {
    /** Reads a MED file. */
    class MedReader
    {
    public:
      MedReader(const std::string &file_name, const std::string &where)
        : file(file_name, where)
      {}

      PlainMesh
      read();

    private:
      /** The names of groups for each number of a family. */
      using Families = std::map<std::int64_t, std::vector<std::string>>;

      /** The group of the only mesh. */
      MedGroup
      find_mesh(const MedGroup &root) const;

      /** The name of the step whose nodes and cells are to be read; empty if
       * the mesh has no steps. */
      std::string
      find_step(const MedGroup &mesh_group);

      void
      read_families(const MedGroup &root, const std::string &mesh_name);

      static void
      read_family(const MedGroup &family, Families &families);

      /** Read nodes and cells. */
      void
      read_entities(const MedGroup &step, std::int64_t space_dim);

      void
      read_points(const MedGroup &nodes, std::int64_t space_dim);

      void
      read_cells(const MedGroup &cells, const MedShape &shape);

      /** Put entities, counted from @p first, into the groups of their
       * families. */
      void
      add_to_groups(const MedGroup &entities,
                    std::size_t first,
                    std::size_t n,
                    unsigned int dim,
                    const Families &families,
                    std::vector<std::size_t> PlainMesh::Group::*members);

      /** The index of the group with a name and dimension, which is made if
       * there is none. */
      std::size_t
      group_index(const std::string &name, unsigned int dim);

      MedFile file;
      PlainMesh mesh;
      Families cell_families, node_families;
      std::map<std::pair<std::string, unsigned int>, std::size_t> groups;

      /** Members of all groups. */
      std::size_t n_members = 0;
    };



    PlainMesh
    MedReader::read()
    {
      const MedGroup root(file);
      const MedGroup mesh_group = find_mesh(root);
      if (mesh_group.attribute("TYP").value_or(0) == 1)
        mesh_group.fail(
          "this is a structured grid, which cannot be read. Convert it to an "
          "unstructured mesh.");
      const auto axes = mesh_group.attribute("REP").value_or(0);
      if (axes == 1 || axes == 2)
        mesh_group.fail(
          "the coordinates are cylindrical or spherical (attribute 'REP'). "
          "Convert them to Cartesian ones.");
      // Files before version 2.2 have no dimension of the space.
      const auto mesh_dim  = mesh_group.attribute("DIM");
      const auto space_dim = mesh_group.attribute("ESP");
      const auto dim       = space_dim ? space_dim : mesh_dim;
      if (!dim || *dim < 1 || *dim > 3)
        mesh_group.fail(
          "the dimension of the space (attribute 'ESP') must be "
          "1, 2 or 3. Write the file again.");

      const std::string mesh_path = mesh_group.path();
      read_families(root, mesh_path.substr(mesh_path.rfind('/') + 1));
      const std::string step = find_step(mesh_group);
      if (step.empty())
        read_entities(mesh_group, *dim);
      else
        read_entities(mesh_group.group(step), *dim);
      return std::move(mesh);
    }



    MedGroup
    MedReader::find_mesh(const MedGroup &root) const
    {
      const MedGroup meshes                = root.group("ENS_MAA");
      const std::vector<std::string> names = meshes.children();
      if (names.empty())
        meshes.fail("there is no mesh in the file. Is it complete?");
      if (names.size() == 1)
        return meshes.group(names[0]);
      constexpr std::size_t max_named = 10;
      std::string list;
      for (std::size_t i = 0; i < std::min(names.size(), max_named); ++i)
        list += (i == 0 ? "" : ", ") + in_quotes(names[i]);
      meshes.fail("there are " + std::to_string(names.size()) +
                  " meshes in the file, but only one can be read: " + list +
                  (names.size() > max_named ? " and others" : "") +
                  ". Write the one that you mean into a file of its own.");
    }



    std::string
    MedReader::find_step(const MedGroup &mesh_group)
    {
      // Files before version 3 have none.
      if (mesh_group.has("NOE") || mesh_group.has("MAI"))
        return "";
      const std::string timeless = "-0000000000000000001-0000000000000000001";
      const std::vector<std::string> steps = mesh_group.children();
      if (steps.size() == 1)
        return steps[0];
      if (!mesh_group.has(timeless))
        mesh_group.fail("there are " + std::to_string(steps.size()) +
                        " steps in time of the mesh, but not the one without "
                        "a time. Write a mesh that does not change.");
      mesh.notes.push_back("The mesh is there at " +
                           std::to_string(steps.size()) +
                           " steps in time; the one without a time is read.");
      return timeless;
    }



    void
    MedReader::read_families(const MedGroup &root, const std::string &mesh_name)
    {
      if (!root.has("FAS"))
        return;
      const MedGroup all = root.group("FAS");
      if (!all.has(mesh_name))
        return;
      const MedGroup of_mesh = all.group(mesh_name);
      for (const std::string &name : of_mesh.children())
        {
          const MedGroup child = of_mesh.group(name);
          if (name == "ELEME" || name == "NOEUD")
            for (const std::string &family : child.children())
              read_family(child.group(family),
                          name == "ELEME" ? cell_families : node_families);
          else
            // Only files before version 2.2 have other families here than that
            // without groups. Those of nodes have positive numbers.
            read_family(child,
                        child.attribute("NUM").value_or(0) < 0 ? cell_families
                                                               : node_families);
        }
    }



    void
    MedReader::read_family(const MedGroup &family, Families &families)
    {
      if (!family.has("GRO"))
        return;
      constexpr std::size_t name_size = 80;
      const MedGroup group            = family.group("GRO");
      const auto number               = family.attribute("NUM");
      const std::string names         = group.characters("NOM");
      const auto n = group.attribute("NBR").value_or(names.size() / name_size);
      if (!number)
        family.fail(
          "the family has no number (attribute 'NUM'). Write the "
          "file again.");
      if (n < 0 || names.size() / name_size < static_cast<std::uint64_t>(n))
        group.fail("there are not the names of " + std::to_string(n) +
                   " groups, with " + std::to_string(name_size) +
                   " characters each, that the attribute 'NBR' announces. Is "
                   "the file complete?");
      for (std::int64_t i = 0; i < n; ++i)
        {
          const std::string_view all = names;
          const auto filled          = all.substr(i * name_size, name_size);
          const auto name = trimmed(filled.substr(0, filled.find('\0')));
          if (!name.empty())
            families[*number].emplace_back(name);
        }
    }



    void
    MedReader::read_entities(const MedGroup &step, const std::int64_t space_dim)
    {
      const MedGroup nodes = step.group("NOE");
      read_points(nodes, space_dim);

      const MedGroup cells = step.group("MAI");
      for (const std::string &type : cells.children())
        {
          const MedShape *const shape = find_med_shape(type);
          if (shape == nullptr)
            cells.fail(
              "cells of MED's type " + in_quotes(type) +
              (type == "POG" || type == "PO2" ? " (polygons)"
               : type == "POE"                ? " (polyhedra)"
                                              : "") +
              " cannot be read. Known are points, lines, triangles, "
              "quadrilaterals, tetrahedra and hexahedra of first or second "
              "order. Convert or remove them.");
          read_cells(cells.group(type), *shape);
        }
      if (mesh.elements.empty())
        cells.fail("there are no cells in the mesh. Is the file complete?");
      if (step.has("FAC") || step.has("ARE"))
        mesh.notes.push_back(
          "Faces and edges of cells (FAC, ARE) are left out; those that are "
          "cells of their own (MAI) are read.");

      unsigned int dim = 1;
      for (const auto &element : mesh.elements)
        dim = std::max(dim, info(element.type).dim);
      add_to_groups(nodes,
                    0,
                    mesh.points.size(),
                    dim - 1,
                    node_families,
                    &PlainMesh::Group::points);
    }



    /** Throw a UserError unless a dataset is for @p n entities. */
    void
    check_entities(const MedGroup &entities,
                   const std::string &name,
                   const std::size_t n,
                   const std::size_t n_numbers,
                   const std::size_t numbers_each)
    {
      const auto announced = entities.announced_entities(name);
      if (n * numbers_each != n_numbers ||
          (announced && *announced != static_cast<std::int64_t>(n)))
        entities.fail("the dataset " + in_quotes(name) + " has " +
                      std::to_string(n_numbers) + " numbers, not " +
                      std::to_string(numbers_each) + " for each of " +
                      std::to_string(announced ? *announced
                                               : static_cast<std::int64_t>(n)) +
                      " nodes or cells. Is the file complete?");
    }



    /** The numbers NUM or FAM of @p n entities; empty if there are none. */
    std::vector<std::int64_t>
    optional_numbers(const MedGroup &entities,
                     const std::string &name,
                     const std::size_t n)
    {
      if (!entities.has(name))
        return {};
      std::vector<std::int64_t> result = entities.integers(name);
      check_entities(entities, name, n, result.size(), 1);
      return result;
    }



    /** The numbers by which nodes or cells are called; empty if there are
     * none. */
    std::vector<std::uint64_t>
    optional_labels(const MedGroup &entities, const std::size_t n)
    {
      const auto numbers = optional_numbers(entities, "NUM", n);
      if (std::any_of(numbers.begin(), numbers.end(), [](const auto number) {
            return number < 0;
          }))
        entities.fail(
          "the dataset 'NUM' has a negative number. Number the nodes and cells "
          "anew.");
      return {numbers.begin(), numbers.end()};
    }



    void
    MedReader::read_points(const MedGroup &nodes, const std::int64_t space_dim)
    {
      const std::vector<double> x = nodes.reals("COO");
      const std::size_t n         = x.size() / space_dim;
      check_entities(nodes, "COO", n, x.size(), space_dim);
      if (n >= 0xffffffff)
        nodes.fail(
          "there are more nodes than 32 bits can count. Take a "
          "smaller mesh.");
      file.count_bytes(nodes.path(), n * sizeof(mesh.points[0]));
      mesh.points.resize(n, {{0, 0, 0}});
      for (std::size_t i = 0; i < n; ++i)
        for (std::int64_t d = 0; d < space_dim; ++d)
          mesh.points[i][d] = x[d * n + i];
      mesh.point_numbers      = optional_labels(nodes, n);
      mesh.first_point_number = 1;
    }



    void
    MedReader::read_cells(const MedGroup &cells, const MedShape &shape)
    {
      if (!cells.has("NOD") && cells.has("DES"))
        cells.fail(
          "the cells are given by their faces, not by their nodes. "
          "Write the file with the nodes of cells.");
      const ElementTypeInfo type            = info(shape.type);
      const std::vector<std::int64_t> nodes = cells.integers("NOD");
      const std::size_t n                   = nodes.size() / type.n_nodes;
      check_entities(cells, "NOD", n, nodes.size(), type.n_nodes);
      const std::vector<std::uint64_t> labels = optional_labels(cells, n);
      file.count_bytes(cells.path(), n * sizeof(PlainMesh::Element));

      const std::size_t first = mesh.elements.size();
      std::vector<std::uint32_t> cell(type.n_nodes);
      for (std::size_t c = 0; c < n; ++c)
        {
          for (unsigned int k = 0; k < type.n_nodes; ++k)
            {
              const unsigned int from = k < shape.n_moved ? shape.from[k] : k;
              // The first nodes of all cells come first, then the second ones.
              const std::int64_t node = nodes[from * n + c];
              if (node < 1 ||
                  node > static_cast<std::int64_t>(mesh.points.size()))
                cells.fail("cell " + std::to_string(c + 1) + " (from 1) of " +
                           std::to_string(n) + " has the node " +
                           std::to_string(node) + ", but there are " +
                           std::to_string(mesh.points.size()) +
                           " of them. Mend the number.");
              cell[k] = node - 1;
            }
          mesh.add_element(shape.type,
                           labels.empty() ? first + c + 1 : labels[c],
                           cell);
        }
      add_to_groups(cells,
                    first,
                    n,
                    type.dim,
                    cell_families,
                    &PlainMesh::Group::elements);
    }



    void
    MedReader::add_to_groups(
      const MedGroup &entities,
      const std::size_t first,
      const std::size_t n,
      const unsigned int dim,
      const Families &families,
      std::vector<std::size_t> PlainMesh::Group::*const members)
    {
      const auto numbers = optional_numbers(entities, "FAM", n);

      // Groups by the number of a family, so that names are looked up once.
      std::unordered_map<std::int64_t, std::vector<std::size_t>> indices;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        {
          const auto place = indices.try_emplace(numbers[i]);
          if (place.second)
            if (const auto family = families.find(numbers[i]);
                family != families.end())
              for (const std::string &name : family->second)
                place.first->second.push_back(group_index(name, dim));
          for (const std::size_t group : place.first->second)
            {
              auto &list = mesh.groups[group].*members;
              if (list.empty() || list.back() != first + i)
                list.push_back(first + i);
            }

          // A family has a few groups, so this is far away from what is meant.
          constexpr std::size_t max_ratio = 16;
          n_members += place.first->second.size();
          if (n_members / max_ratio > file.size())
            entities.fail(
              "the nodes or cells are in too many groups for the "
              "size of the file. Is it complete?");
        }
    }



    std::size_t
    MedReader::group_index(const std::string &name, const unsigned int dim)
    {
      const auto place =
        groups.emplace(std::make_pair(name, dim), mesh.groups.size());
      if (place.second)
        {
          mesh.groups.emplace_back();
          mesh.groups.back().name = name;
          mesh.groups.back().dim  = dim;
        }
      return place.first->second;
    }
  } // namespace



  PlainMesh
  read_med_mesh(const std::string &file_name, const std::string &where)
  {
    return MedReader(file_name, where).read();
  }
} // namespace Ricochet
