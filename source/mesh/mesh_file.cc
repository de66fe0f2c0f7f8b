// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/library_error.h>
#include <ricochet/mesh/mesh_file.h>

#include <deal.II/grid/grid_in.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <streambuf>
#include <vector>

namespace Ricochet
{
  namespace
  {
    /** The formats by name, with the suffixes that stand for them. */
    const std::map<std::string, std::vector<std::string>> &
    formats()
    {
      static const std::map<std::string, std::vector<std::string>> map = {
        {"abaqus", {}},
        {"dbmesh", {"dbmesh"}},
        {"exodusii", {"e", "exo", "ex2"}},
        {"msh", {"msh"}},
        {"tecplot", {"dat", "plt"}},
        {"ucd", {"ucd"}},
        {"unv", {"unv"}},
        {"vtk", {"vtk"}},
        {"vtu", {"vtu"}},
        {"xda", {"xda"}}};
      return map;
    }



    std::string
    read_text(const std::string &file_name, const std::string &where)
    {
      std::ifstream in(file_name, std::ios::binary);
      require(in.good(),
              where +
                ": the file cannot be opened. Check its name (relative "
                "names start at the folder of the parameter file) and "
                "its permissions.");
      std::ostringstream text;
      text << in.rdbuf();
      require(!text.str().empty() && !in.bad(),
              where + ": the file is empty or cannot be read.");
      return text.str();
    }



    /** Both Abaqus and UCD files end in .inp; only the former start with "*".
     */
    std::string
    format_of_inp(const std::string &text)
    {
      const std::size_t first = text.find_first_not_of(" \t\r\n");
      return first != std::string::npos && text[first] == '*' ? "abaqus"
                                                              : "ucd";
    }



    std::string
    find_format(const std::string &file_name,
                const std::string &text,
                const std::string &where)
    {
      const std::size_t dot = file_name.find_last_of('.');
      std::string suffix =
        dot == std::string::npos ? std::string() : file_name.substr(dot + 1);
      std::transform(suffix.begin(),
                     suffix.end(),
                     suffix.begin(),
                     [](const unsigned char c) { return std::tolower(c); });
      if (suffix == "inp")
        return format_of_inp(text);

      std::string known = "inp";
      for (const auto &format : formats())
        for (const std::string &candidate : format.second)
          {
            if (candidate == suffix)
              return format.first;
            known += ", " + candidate;
          }
      throw UserError(where + ": the suffix '" + suffix +
                      "' is that of no mesh format. Known: " + known +
                      ". Or name the format in the entry 'Mesh file format'.");
    }



    /** The library's reader for Abaqus files takes other elements for these. */
    template <int dim>
    void
    check_abaqus(const std::string &text, const std::string &where)
    {
      const std::regex element(
        R"(\*ELEMENT\s*,[^\n]*TYPE\s*=\s*(C3D|[A-Z]+3D|[A-Z]+)([0-9]+)([A-Z]*))",
        std::regex::icase);
      for (std::sregex_iterator match(text.begin(), text.end(), element), end;
           match != end;
           ++match)
        {
          const std::string kind = (*match)[1].str();
          const int n_nodes      = std::stoi((*match)[2].str());
          const bool is_solid    = kind == "C3D" || kind == "c3d";
          const std::string type = kind + (*match)[2].str() + (*match)[3].str();
          require(is_solid == (dim == 3),
                  where + ": the file has elements of type " + type +
                    ", so it is a mesh of dimension " +
                    std::to_string(5 - dim) +
                    ", but Dimension = " + std::to_string(dim) + ".");
          require(n_nodes == (1 << dim),
                  where + ": elements of type " + type +
                    " cannot be read from Abaqus files, only " +
                    (dim == 2 ? "quadrilaterals with 4" : "hexahedra with 8") +
                    " nodes. Convert the mesh, for instance to Gmsh's format.");
        }
    }



    /**
     * The library's reader for VTK files accepts only one version in the first
     * line, and trusts all indices. Versions 1 to 4 do not differ in what
     * matters here.
     */
    std::string
    check_vtk(const std::string &text, const std::string &where)
    {
      std::smatch match;
      const std::regex header(R"(^# vtk DataFile Version ([0-9]+)[^\n]*)");
      const auto options = std::regex_constants::match_continuous;
      require(std::regex_search(text, match, header, options),
              where + ": the first line is not that of a legacy VTK file.");
      require(match[1].str().size() == 1 && match[1].str() < "5",
              where + ": the version of the file format, " + match[1].str() +
                ", is not understood. Save the mesh as a legacy VTK file of "
                "version 4.2 or earlier.");
      std::istringstream in(text.substr(match.length()));

      std::string word;
      unsigned long long n_points = 0, n_cells = 0;
      std::getline(in, word); // the end of the first line
      std::getline(in, word); // the title
      while (in >> word && word != "CELLS")
        if (word == "POINTS")
          in >> n_points;
      in >> n_cells >> word;
      for (unsigned long long c = 0; c < n_cells && in; ++c)
        {
          unsigned long long n_vertices = 0, vertex = 0;
          in >> n_vertices;
          for (unsigned long long v = 0; v < n_vertices && in; ++v)
            {
              in >> vertex;
              require(!in || vertex < n_points,
                      where + ": cell " + std::to_string(c) +
                        " (counted from 0) has the point " +
                        std::to_string(vertex) + ", but there are only " +
                        std::to_string(n_points) + " points.");
            }
        }
      return "# vtk DataFile Version 3.0" + text.substr(match.length());
    }



    /** The library reads Gmsh's text files only. */
    void
    check_gmsh(const std::string &text, const std::string &where)
    {
      std::istringstream in(text);
      std::string word, version;
      int is_binary = 0;
      if (in >> word && word == "$MeshFormat" && in >> version >> is_binary)
        require(is_binary == 0,
                where +
                  ": binary Gmsh files cannot be read. Save the mesh as "
                  "text (in Gmsh: Mesh.Binary = 0).");
    }



    /** What goes to std::cerr while this object lives is dropped. */
    class Silence
    {
    public:
      Silence()
        : original(std::cerr.rdbuf(&nothing))
      {}

      ~Silence()
      {
        std::cerr.rdbuf(original);
      }

    private:
      struct Nothing : public std::streambuf
      {
        int
        overflow(const int character) override
        {
          return character;
        }
      };

      Nothing nothing;
      std::streambuf *original;
    };



    template <int dim>
    void
    read(const std::string &file_name,
         const std::string &format,
         const std::string &text,
         dealii::Triangulation<dim> &triangulation)
    {
      dealii::GridIn<dim> grid_in;
      grid_in.attach_triangulation(triangulation);
      if (format == "exodusii")
        grid_in.read_exodusii(file_name);
      else
        {
          // The reader for Abaqus files prints before it throws.
          const Silence silence;
          std::istringstream in(text);
          if (format == "abaqus")
            grid_in.read_abaqus(in);
          else
            grid_in.read(in, dealii::GridIn<dim>::parse_format(format));
        }
    }



    /** Whether the file is a good mesh of dimension @p dim. */
    template <int dim>
    bool
    is_readable(const std::string &file_name,
                const std::string &format,
                const std::string &text)
    {
      dealii::Triangulation<dim> triangulation;
      try
        {
          read(file_name, format, text, triangulation);
        }
      catch (const std::exception &)
        {
          return false;
        }
      return triangulation.n_active_cells() > 0;
    }
  } // namespace



  template <int dim>
  void
  read_mesh_file(const std::string &file_name,
                 const std::string &requested_format,
                 const std::string &where,
                 dealii::Triangulation<dim> &triangulation)
  {
    std::string text         = read_text(file_name, where);
    const std::string format = requested_format == "auto"
                                 ? find_format(file_name, text, where)
                                 : requested_format;
    if (format == "abaqus")
      check_abaqus<dim>(text, where);
    else if (format == "vtk")
      text = check_vtk(text, where);
    else if (format == "msh")
      check_gmsh(text, where);

    std::string complaint;
    try
      {
        read(file_name, format, text, triangulation);
        if (triangulation.n_active_cells() > 0)
          return;
        complaint = "no cells found";
      }
    catch (const std::exception &exception)
      {
        complaint = text_of(exception);
      }
    require(!is_readable<5 - dim>(file_name, format, text),
            where + ": this is a mesh of dimension " + std::to_string(5 - dim) +
              ", but Dimension = " + std::to_string(dim) + ".");
    throw UserError(where + ": the file cannot be read in the format '" +
                    format + "' as a mesh of dimension " + std::to_string(dim) +
                    ". Repair it, or name its format in the entry 'Mesh file "
                    "format'. The library says: " +
                    complaint);
  }



  std::string
  mesh_file_formats()
  {
    std::string names = "auto";
    for (const auto &format : formats())
      names += "|" + format.first;
    return names;
  }



  template void
  read_mesh_file(const std::string &,
                 const std::string &,
                 const std::string &,
                 dealii::Triangulation<2> &);
  template void
  read_mesh_file(const std::string &,
                 const std::string &,
                 const std::string &,
                 dealii::Triangulation<3> &);
} // namespace Ricochet
