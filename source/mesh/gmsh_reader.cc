// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>

#include <deal.II/base/config.h>

#include "library_readers.h"

#ifdef DEAL_II_GMSH_WITH_API
#  include <algorithm>
#  include <cstdlib>
#  include <filesystem>
#  include <fstream>
#  include <gmsh.h>
#  include <map>

namespace Ricochet
{
  namespace
  {
    namespace fs = std::filesystem;

    /** One of Gmsh's element types, and where it has the nodes of ours. */
    struct GmshType
    {
      ElementType type;
      std::vector<unsigned int> order;
    };



    /** By Gmsh's numbers; see the section on node ordering of its manual. */
    const std::map<int, GmshType> &
    gmsh_types()
    {
      using E                                    = ElementType;
      static const std::map<int, GmshType> types = {
        {1, {E::line_2, {0, 1}}},
        {2, {E::triangle_3, {0, 1, 2}}},
        {3, {E::quadrilateral_4, {0, 1, 2, 3}}},
        {4, {E::tetrahedron_4, {0, 1, 2, 3}}},
        {5, {E::hexahedron_8, {0, 1, 2, 3, 4, 5, 6, 7}}},
        {6, {E::wedge_6, {0, 1, 2, 3, 4, 5}}},
        {7, {E::pyramid_5, {0, 1, 2, 3, 4}}},
        {8, {E::line_3, {0, 1, 2}}},
        {9, {E::triangle_6, {0, 1, 2, 3, 4, 5}}},
        {10, {E::quadrilateral_9, {0, 1, 2, 3, 4, 5, 6, 7, 8}}},
        {11, {E::tetrahedron_10, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}}},
        {12, {E::hexahedron_27, {0,  1,  2,  3,  4,  5,  6,  7,  8,
                                 11, 13, 9,  16, 18, 19, 17, 10, 12,
                                 14, 15, 22, 23, 21, 24, 20, 25, 26}}},
        {15, {E::vertex, {0}}},
        {16, {E::quadrilateral_8, {0, 1, 2, 3, 4, 5, 6, 7}}},
        {17, {E::hexahedron_20, {0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                 13, 9, 16, 18, 19, 17, 10, 12, 14, 15}}},
        // Their vertices only: there are no finite elements for them anyway.
        {13, {E::wedge_6, {0, 1, 2, 3, 4, 5}}},
        {14, {E::pyramid_5, {0, 1, 2, 3, 4}}},
        {18, {E::wedge_6, {0, 1, 2, 3, 4, 5}}},
        {19, {E::pyramid_5, {0, 1, 2, 3, 4}}}};
      return types;
    }



    /** The library reads by the suffix, and takes what it does not know for a
     * script; so the file gets a name that leaves no choice. */
    class NamedLink
    {
    public:
      NamedLink(const std::string &file_name, const std::string &suffix)
      {
        std::string name = (fs::temp_directory_path() / "ricochet-XXXXXX");
        require(mkdtemp(&name[0]) != nullptr,
                "a temporary folder cannot be made. Set TMPDIR to a folder "
                "that can be written to.");
        folder = name;
        link   = folder / ("mesh." + suffix);
        fs::create_symlink(fs::absolute(file_name), link);
      }

      ~NamedLink()
      {
        std::error_code error;
        fs::remove_all(folder, error);
      }

      fs::path folder, link;
    };



    /** A text from a file that may be damaged, fit for a message. */
    std::string
    readable(const std::string &text)
    {
      std::string result;
      for (const char c : text.substr(0, 200))
        result += c >= ' ' && c <= '~' ? c : '?';
      return result;
    }



    /** What the library has to complain about; throws for errors. */
    std::vector<std::string>
    check_log()
    {
      std::vector<std::string> log, notes;
      gmsh::logger::get(log);
      for (const std::string &line : log)
        if (line.compare(0, 7, "Error: ") == 0)
          throw UserError("Gmsh's library cannot read the file: " +
                          readable(line.substr(7)) + ". Write it again.");
        else if (line.compare(0, 9, "Warning: ") == 0)
          notes.push_back("Gmsh's library warns: " + readable(line.substr(9)) +
                          ".");
      return notes;
    }



    void
    take_points(PlainMesh &mesh, std::map<std::size_t, std::uint32_t> &index)
    {
      std::vector<std::size_t> tags;
      std::vector<double> coordinates, parameters;
      gmsh::model::mesh::getNodes(tags,
                                  coordinates,
                                  parameters,
                                  -1,
                                  -1,
                                  false,
                                  false);
      for (std::size_t i = 0; i < tags.size(); ++i)
        if (index.emplace(tags[i], mesh.points.size()).second)
          {
            mesh.point_numbers.push_back(tags[i]);
            mesh.points.push_back({{coordinates[3 * i],
                                    coordinates[3 * i + 1],
                                    coordinates[3 * i + 2]}});
          }
    }



    /** Add the elements of an entity of the geometry; returns their range. */
    std::pair<std::size_t, std::size_t>
    take_elements(const std::pair<int, int> &entity,
                  const std::map<std::size_t, std::uint32_t> &index,
                  PlainMesh &mesh)
    {
      const std::size_t begin = mesh.elements.size();
      std::vector<int> types;
      std::vector<std::vector<std::size_t>> tags, nodes;
      gmsh::model::mesh::getElements(types,
                                     tags,
                                     nodes,
                                     entity.first,
                                     entity.second);
      for (std::size_t t = 0; t < types.size(); ++t)
        {
          const auto found = gmsh_types().find(types[t]);
          require(found != gmsh_types().end(),
                  "the file has elements of Gmsh's type " +
                    std::to_string(types[t]) +
                    ", which has more nodes than can be used. Mesh with "
                    "order 1 or 2.");
          const GmshType &type      = found->second;
          const std::size_t n_nodes = nodes[t].size() / tags[t].size();
          std::vector<std::uint32_t> of_element(type.order.size());
          for (std::size_t e = 0; e < tags[t].size(); ++e)
            {
              for (std::size_t n = 0; n < type.order.size(); ++n)
                of_element[n] = index.at(nodes[t][e * n_nodes + type.order[n]]);
              mesh.add_element(type.type, tags[t][e], of_element);
            }
        }
      return {begin, mesh.elements.size()};
    }



    /** In formats without physical groups, property numbers of cells and faces
     * have become entities.
     *
     * @param[in] by_entity Whether these are the groups. */
    PlainMesh
    take_model(const bool by_entity)
    {
      PlainMesh mesh;
      std::map<std::size_t, std::uint32_t> index;
      take_points(mesh, index);

      std::map<std::pair<int, int>, std::pair<std::size_t, std::size_t>> ranges;
      gmsh::vectorpair entities, groups;
      gmsh::model::getEntities(entities);
      for (const auto &entity : entities)
        {
          ranges[entity] = take_elements(entity, index, mesh);
          if (!by_entity || ranges[entity].first == ranges[entity].second)
            continue;
          PlainMesh::Group group;
          group.number = entity.second;
          group.dim    = entity.first;
          for (auto [e, end] = ranges[entity]; e < end; ++e)
            group.elements.push_back(e);
          mesh.groups.push_back(group);
        }

      gmsh::model::getPhysicalGroups(groups);
      for (const auto &[dim, tag] : groups)
        {
          PlainMesh::Group group;
          gmsh::model::getPhysicalName(dim, tag, group.name);
          group.number = tag;
          group.dim    = dim;
          std::vector<int> members;
          gmsh::model::getEntitiesForPhysicalGroup(dim, tag, members);
          for (const int member : members)
            for (auto [e, end] = ranges[{dim, std::abs(member)}]; e < end; ++e)
              group.elements.push_back(e);
          mesh.groups.push_back(group);
        }
      return mesh;
    }



    /** Gmsh takes a file of another kind for a script, and an unfinished one
     * for a small one. */
    void
    check_sections(const std::string &file_name)
    {
      std::ifstream in(file_name, std::ios::binary);
      std::string line, open;
      bool is_gmsh = false, is_binary = false;
      for (std::size_t number = 1; !is_binary && std::getline(in, line);
           ++number)
        {
          const std::size_t end = line.find_last_not_of(" \t\r");
          line.resize(end == std::string::npos ? 0 : end + 1);
          if (number == 1)
            require(line.size() > 1 && line[0] == '$',
                    "this is no file of Gmsh's own format: its first line is "
                    "not the name of a section such as $MeshFormat. Name its "
                    "format in the entry 'Mesh file format'.");
          if (open == "$MeshFormat")
            {
              is_gmsh   = true;
              is_binary = line.find(" 1 ") != std::string::npos;
            }
          if (line.empty() || line[0] != '$')
            continue;
          if (open.empty())
            {
              open = line;
              is_gmsh |= open == "$NOD" || open == "$NOE";
            }
          else if (line == "$End" + open.substr(1) ||
                   line == "$END" + open.substr(1))
            open.clear();
          else
            require(line.compare(0, 4, "$End") != 0 &&
                      line.compare(0, 4, "$END") != 0,
                    "line " + std::to_string(number) + ": " + readable(line) +
                      " does not end " + readable(open) +
                      ". The file is damaged; write it again.");
        }
      require(is_binary || open.empty(),
              "the file ends inside " + readable(open) + ". Write it again.");
      require(is_gmsh,
              "this is no file of Gmsh's own format: there is no section "
              "$MeshFormat.");
    }
  } // namespace



  PlainMesh
  read_with_gmsh(const std::string &file_name,
                 const std::string &suffix,
                 const std::string &where)
  {
    return with_place(where, [&]() {
      if (suffix == "msh")
        check_sections(file_name);
      // Made here, so that it goes away whatever happens to the child.
      const NamedLink file(file_name, suffix);
      return read_in_child(file_name, "the file", [&]() {
        gmsh::initialize(0, nullptr, /* reads configuration = */ false);
        gmsh::option::setNumber("General.Terminal", 0);
        gmsh::logger::start();
        try
          {
            gmsh::open(file.link.string());
          }
        catch (...)
          {
            check_log();
            throw UserError(
              "Gmsh's library cannot read the file. Write it "
              "again.");
          }
        const std::vector<std::string> notes = check_log();
        PlainMesh mesh                       = take_model(suffix != "msh");
        mesh.notes                           = notes;
        return mesh;
      });
    });
  }
} // namespace Ricochet
#endif
