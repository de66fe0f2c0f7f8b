// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/mesh_file.h>
#include <ricochet/mesh/mesh_readers.h>

#include <deal.II/base/config.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include "library_readers.h"

namespace Ricochet
{
  namespace
  {
    /** A format, the suffixes that stand for it, and how to read it. */
    struct Format
    {
      std::string name, title;
      std::vector<std::string> suffixes;
      std::function<PlainMesh(const std::string &file_name,
                              const std::string &where)>
        read;
    };



    /** What can be read here. */
    template <int dim>
    const std::vector<Format> &
    formats()
    {
      const auto with_grid_in = [](const std::string &name) {
        return [name](const std::string &file_name, const std::string &where) {
          return read_with_grid_in<dim>(file_name, name, where);
        };
      };
#ifdef DEAL_II_GMSH_WITH_API
      const auto with_gmsh = [](const std::string &suffix) {
        return
          [suffix](const std::string &file_name, const std::string &where) {
            return read_with_gmsh(file_name, suffix, where);
          };
      };
#endif
      static const std::vector<Format> list = {
        {"abaqus", "Abaqus and CalculiX", {}, read_abaqus_mesh},
        {"comsol", "COMSOL text", {"mphtxt"}, with_grid_in("comsol")},
        {"dbmesh", "DB mesh", {"dbmesh"}, with_grid_in("dbmesh")},
#ifdef DEAL_II_TRILINOS_WITH_SEACAS
        {"exodusii",
         "Exodus II",
         {"e", "exo", "ex2"},
         with_grid_in("exodusii")},
#endif
#ifdef DEAL_II_GMSH_WITH_API
        {"msh", "Gmsh, versions 1 to 4.1", {"msh"}, with_gmsh("msh")},
        {"nastran", "Nastran bulk data", {"bdf", "nas"}, with_gmsh("bdf")},
#else
        {"msh", "Gmsh, text", {"msh"}, with_grid_in("msh")},
#endif
        {"med",
         "MED of Salome and Code_Aster",
         {"med"},
         [](const std::string &file_name, const std::string &where) {
           return read_in_child(file_name, where, [&]() {
             return read_med_mesh(file_name, where);
           });
         }},
        {"tecplot", "Tecplot text", {"dat", "plt"}, with_grid_in("tecplot")},
        {"ucd", "AVS UCD", {"ucd"}, read_ucd_mesh},
        {"unv", "universal file", {"unv"}, read_unv_mesh},
        {"vtk", "legacy VTK", {"vtk"}, read_vtk_mesh},
        {"vtu", "VTK's XML", {"vtu"}, read_vtu_mesh},
        {"xda", "XDA", {"xda"}, with_grid_in("xda")}};
      return list;
    }



    /** Both Abaqus and UCD files end in .inp; only the former have lines that
     * start with "*" first. */
    std::string
    format_of_inp(const std::string &file_name)
    {
      std::ifstream in(file_name);
      char first = ' ';
      in >> first;
      return first == '*' ? "abaqus" : "ucd";
    }



    std::string
    find_format(const std::string &file_name, const std::string &where)
    {
      std::string suffix = std::filesystem::path(file_name).extension();
      suffix.erase(0, 1);
      std::transform(suffix.begin(),
                     suffix.end(),
                     suffix.begin(),
                     [](const unsigned char c) { return std::tolower(c); });
      if (suffix == "inp")
        return format_of_inp(file_name);

      std::string known = "inp";
      for (const Format &format : formats<3>())
        for (const std::string &candidate : format.suffixes)
          {
            if (candidate == suffix)
              return format.name;
            known += ", " + candidate;
          }
      throw UserError(where + ": the suffix '" + suffix +
                      "' is that of no mesh format that can be read here. "
                      "Known: " +
                      known +
                      ". Or name the format in the entry 'Mesh file "
                      "format'.");
    }
  } // namespace



  template <int dim>
  PlainMesh
  read_mesh_file(const std::string &file_name,
                 const std::string &requested_format,
                 const std::string &where)
  {
    std::ifstream in(file_name, std::ios::binary);
    require(in.good() && std::filesystem::is_regular_file(file_name),
            where +
              ": the file cannot be opened. Check its name (relative "
              "names start at the folder of the parameter file) and "
              "its permissions.");
    require(in.peek() != std::ifstream::traits_type::eof(),
            where + ": the file is empty or cannot be read.");
    in.close();
    const std::string name = requested_format == "auto"
                               ? find_format(file_name, where)
                               : requested_format;
    const auto &list       = formats<dim>();
    const auto format =
      std::find_if(list.begin(), list.end(), [&](const Format &f) {
        return f.name == name;
      });
    require(format != list.end(),
            where + ": there is no mesh file format '" + name + "'.");
    PlainMesh mesh = format->read(file_name, where);
    require(!mesh.points.empty() && !mesh.elements.empty(),
            where + ": the file has " +
              (mesh.points.empty() ? "no points" : "no elements") + ". Is '" +
              name +
              "' its format? If not, name it in the entry 'Mesh file "
              "format'; otherwise write the file again.");
    return mesh;
  }



  std::string
  mesh_file_formats()
  {
    std::string names = "auto";
    for (const Format &format : formats<3>())
      names += "|" + format.name;
    return names;
  }



  std::string
  mesh_file_documentation()
  {
    std::string text;
    for (const Format &format : formats<3>())
      {
        text += (text.empty() ? "" : ", ") + format.title + " (";
        std::vector<std::string> suffixes = format.suffixes;
        if (suffixes.empty() || format.name == "ucd")
          suffixes.push_back("inp");
        for (std::size_t s = 0; s < suffixes.size(); ++s)
          text += (s == 0 ? "." : ", .") + suffixes[s];
        text += ")";
      }
    return text;
  }



  template PlainMesh
  read_mesh_file<2>(const std::string &,
                    const std::string &,
                    const std::string &);
  template PlainMesh
  read_mesh_file<3>(const std::string &,
                    const std::string &,
                    const std::string &);
} // namespace Ricochet
