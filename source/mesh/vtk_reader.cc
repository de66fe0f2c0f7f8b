// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/mesh_readers.h>

#include <map>

#include "file_lines.h"
#include "vtk_cells.h"
#include "vtk_text.h"

namespace Ricochet
{
  namespace
  {
    /** Reads a legacy file from its beginning to its end. */
    class VtkReader : private VtkText
    {
    public:
      VtkReader(const std::string &file_name, const std::string &where)
        : VtkText(file_name, where)
        , where(where)
      {}

      PlainMesh
      read();

    private:
      void
      read_header();

      void
      read_section(const std::string &keyword);

      void
      read_points();

      void
      read_cells();

      void
      read_attribute(const std::string &keyword);

      void
      read_field();

      void
      skip_metadata();

      /** An array of data, which is passed over unless its name says that it
       * has numbers of groups for cells. */
      void
      data(const std::string_view name,
           const VtkNumber type,
           const std::size_t n);

      std::string where;
      bool in_cell_data = false, has_points = false;

      /** How many each array of data has. */
      std::size_t n_data = 0;

      VtkGrid grid;
    };



    PlainMesh
    VtkReader::read()
    {
      read_header();
      for (auto keyword = word(); !keyword.empty(); keyword = word())
        read_section(upper_case(keyword));
      require(has_points && !grid.types.empty(),
              where +
                ": the file has no points or no cells with types. Is it "
                "complete?");
      PlainMesh mesh;
      append_vtk_grid(grid, where, mesh);
      return mesh;
    }



    void
    VtkReader::read_header()
    {
      const std::string_view start = "# vtk DataFile Version";
      if (line().substr(0, start.size()) != start)
        fail(
          "the file does not begin with '# vtk DataFile Version'. Is it a "
          "legacy VTK file?");
      line();
      const auto form = line();
      if (upper_case(form) != "ASCII" && upper_case(form) != "BINARY")
        fail("the third line must be ASCII or BINARY, not " + in_quotes(form) +
             ". Mend it.");
      binary = upper_case(form) == "BINARY";
      while (next_is("METADATA") || next_is("FIELD"))
        read_section(upper_case(word()));
      if (upper_case(need_word("DATASET")) != "DATASET" ||
          upper_case(need_word("UNSTRUCTURED_GRID")) != "UNSTRUCTURED_GRID")
        fail(
          "only data sets of the kind UNSTRUCTURED_GRID can be read. "
          "Convert the file, in ParaView by the filter 'Append Datasets'.");
    }



    void
    VtkReader::read_section(const std::string &keyword)
    {
      if (keyword == "POINTS")
        read_points();
      else if (keyword == "CELLS")
        read_cells();
      else if (keyword == "CELL_TYPES")
        {
          const auto n = count("cells");
          line();
          grid.types =
            numbers<std::int64_t>({VtkNumber::Kind::signed_integer, 4}, n);
        }
      else if (keyword == "CELL_DATA" || keyword == "POINT_DATA")
        {
          in_cell_data = keyword == "CELL_DATA";
          n_data       = count("cells or points with data");
        }
      else if (keyword == "FIELD")
        read_field();
      else if (keyword == "METADATA")
        skip_metadata();
      else
        read_attribute(keyword);
    }



    void
    VtkReader::read_points()
    {
      if (has_points)
        fail("there are points a second time. Remove one of the lists.");
      has_points      = true;
      const auto n    = count("points", 3);
      const auto type = number_type();
      if (type.kind != VtkNumber::Kind::real)
        fail("coordinates must be of type float or double. Mend the type.");
      line();
      const auto x = numbers<double>(type, 3 * n);
      grid.points.resize(n);
      for (std::size_t i = 0; i < n; ++i)
        grid.points[i] = {{x[3 * i], x[3 * i + 1], x[3 * i + 2]}};
    }



    void
    VtkReader::read_cells()
    {
      if (!grid.ends.empty())
        fail("there are cells a second time. Remove one of the lists.");
      const auto n     = count("cells");
      const auto n_all = count("nodes of cells");
      constexpr VtkNumber int_type{VtkNumber::Kind::signed_integer, 4};
      line();

      // Since version 5 there are two arrays.
      if (next_is("OFFSETS"))
        {
          need_word("OFFSETS");
          const auto offset_type = number_type();
          line();
          grid.ends = numbers<std::int64_t>(offset_type, n);
          if (grid.ends.empty() || grid.ends.front() != 0)
            fail("the first of the offsets of cells must be zero. Mend it.");
          grid.ends.erase(grid.ends.begin());
          if (upper_case(need_word("CONNECTIVITY")) != "CONNECTIVITY")
            fail(
              "after the offsets of cells there must be CONNECTIVITY. Mend "
              "the file.");
          const auto node_type = number_type();
          line();
          grid.connectivity = numbers<std::int64_t>(node_type, n_all);
          return;
        }

      const auto all = numbers<std::int64_t>(int_type, n_all);
      std::size_t i  = 0;
      for (std::size_t c = 0; c < n; ++c)
        {
          if (i >= all.size() || all[i] < 0 ||
              static_cast<std::uint64_t>(all[i]) >= all.size() - i)
            fail("cell " + std::to_string(c) +
                 " (from 0) of this list has more nodes than are announced. "
                 "Mend the numbers of cells and nodes.");
          const std::size_t end = i + 1 + all[i];
          grid.connectivity.insert(grid.connectivity.end(),
                                   all.begin() + i + 1,
                                   all.begin() + end);
          grid.ends.push_back(grid.connectivity.size());
          i = end;
        }
      if (i != all.size())
        fail(
          "the cells have fewer nodes than are announced. Mend the numbers "
          "of cells and nodes.");
    }



    void
    VtkReader::data(const std::string_view name,
                    const VtkNumber type,
                    const std::size_t n)
    {
      const unsigned int rank = in_cell_data ? vtk_group_rank(name) : 0;
      if (rank > grid.rank)
        {
          grid.rank          = rank;
          grid.group_numbers = numbers<double>(type, n);
        }
      else if (binary)
        binary_numbers(type, n);
      else
        // Values of points may well be NaN.
        for (std::size_t i = 0; i < n; ++i)
          need_word("a number");
    }



    void
    VtkReader::read_attribute(const std::string &keyword)
    {
      static const std::map<std::string, std::size_t> sizes = {
        {"VECTORS", 3},
        {"NORMALS", 3},
        {"TENSORS", 9},
        {"TENSORS6", 6},
        {"GLOBAL_IDS", 1},
        {"PEDIGREE_IDS", 1}};
      constexpr VtkNumber byte{VtkNumber::Kind::unsigned_integer, 1};
      constexpr VtkNumber real{VtkNumber::Kind::real, 4};
      const auto size = sizes.find(keyword);
      if (size == sizes.end() && keyword != "SCALARS" &&
          keyword != "COLOR_SCALARS" && keyword != "LOOKUP_TABLE" &&
          keyword != "TEXTURE_COORDINATES")
        fail(in_quotes(keyword) +
             " is not known here. Is a number of points or cells wrong?");

      const auto name = need_word("the name of an array");
      if (keyword == "LOOKUP_TABLE" || keyword == "COLOR_SCALARS")
        {
          const bool is_table = keyword == "LOOKUP_TABLE";
          const auto n        = count("colors", 4);
          line();
          // Colors are bytes, or reals in text.
          data("", binary ? byte : real, is_table ? 4 * n : n * n_data);
          return;
        }
      std::size_t n_components = 1;
      if (keyword == "TEXTURE_COORDINATES")
        n_components = count("coordinates");
      const auto type = number_type();
      const auto rest = line();
      if (size != sizes.end())
        n_components = size->second;
      else if (keyword == "SCALARS")
        {
          if (!rest.empty())
            n_components = file.count(rest, 100, "components");
          if (next_is("LOOKUP_TABLE"))
            {
              word();
              line();
            }
        }
      if (n_components > text.size() ||
          (n_components > 0 && n_data > text.size() / n_components))
        fail("the file is shorter than this array. Is it complete?");
      data(n_components == 1 ? name : "", type, n_components * n_data);
    }



    void
    VtkReader::read_field()
    {
      need_word("the name of a field");
      const auto n_arrays = count("arrays");
      for (std::size_t i = 0; i < n_arrays; ++i)
        {
          auto name = need_word("the name of an array");
          if (name == "METADATA")
            {
              skip_metadata();
              name = need_word("the name of an array");
            }
          const auto n_components = count("components");
          const auto n            = count("values", n_components + 1);
          const auto type         = number_type();
          line();
          data(n_components == 1 ? name : "", type, n_components * n);
        }
    }



    void
    VtkReader::skip_metadata()
    {
      line();
      while (position < text.size() && !line().empty())
        ;
    }
  } // namespace



  PlainMesh
  read_vtk_mesh(const std::string &file_name, const std::string &where)
  {
    return VtkReader(file_name, where).read();
  }
} // namespace Ricochet
