// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/mesh_readers.h>

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <map>
#include <optional>
#include <sstream>

#include "file_lines.h"
#include "vtk_cells.h"
#include "vtk_numbers.h"
#include "vtu_data.h"

namespace Ricochet
{
  namespace
  {
    using Tree = boost::property_tree::ptree;

    /** Types of numbers by their names in XML files. */
    const std::map<std::string, VtkNumber> &
    number_types()
    {
      using Kind                                           = VtkNumber::Kind;
      static const std::map<std::string, VtkNumber> result = {
        {"Int8", {Kind::signed_integer, 1}},
        {"UInt8", {Kind::unsigned_integer, 1}},
        {"Int16", {Kind::signed_integer, 2}},
        {"UInt16", {Kind::unsigned_integer, 2}},
        {"Int32", {Kind::signed_integer, 4}},
        {"UInt32", {Kind::unsigned_integer, 4}},
        {"Int64", {Kind::signed_integer, 8}},
        {"UInt64", {Kind::unsigned_integer, 8}},
        {"Float32", {Kind::real, 4}},
        {"Float64", {Kind::real, 8}}};
      return result;
    }



    /** Reads a file of VTK's XML form. */
    class VtuReader
    {
    public:
      VtuReader(const std::string &file_name, const std::string &where)
        : file(file_name, where)
        , where(where)
      {}

      PlainMesh
      read();

    private:
      /** The elements of the file; what is appended to them is cut off. */
      Tree
      parse_xml();

      /** Throw a UserError if elements are nested so deeply that a parser may
       * run out of stack. */
      void
      check_depth(const std::string_view xml) const;

      void
      read_piece(const Tree &piece, PlainMesh &mesh);

      /** An array with @p n numbers, or with as many as it has. */
      template <typename Number>
      std::vector<Number>
      array(const Tree &data_array, const std::optional<std::size_t> n);

      template <typename Number>
      std::vector<Number>
      text_array(const std::string &text,
                 const std::string &name,
                 const std::optional<std::size_t> n) const;

      /** The array with a name in a section of a piece. */
      const Tree &
      find_array(const Tree &piece,
                 const std::string &section,
                 const std::string &name) const;

      std::size_t
      count(const Tree &piece, const std::string &attribute) const;

      [[noreturn]] void
      fail(const std::string &what) const
      {
        throw UserError(where + ": " + what);
      }

      TextFile file;
      std::string where;
      VtuEncoding encoding;

      /** Bytes of all arrays that have been decoded. */
      std::size_t n_decoded = 0;
    };



    /** An attribute of an element, or a value that it has by default. */
    std::string
    attribute(const Tree &tree,
              const std::string &name,
              const std::string &otherwise = "")
    {
      return tree.get("<xmlattr>." + name, otherwise);
    }



    void
    VtuReader::check_depth(const std::string_view xml) const
    {
      constexpr unsigned int max_depth = 100;
      unsigned int depth               = 0;
      for (auto i = xml.find('<'); i != std::string_view::npos;
           i      = xml.find('<', i + 1))
        {
               const auto end  = std::min(xml.find('>', i), xml.size());
               const char next = i + 1 < xml.size() ? xml[i + 1] : ' ';
               if (next == '/')
            depth -= depth > 0 ? 1 : 0;
          else if (next != '!' && next != '?' && xml[end - 1] != '/' &&
                   ++depth > max_depth)
            file.fail(
              xml.substr(i, 1),
              "elements are nested too deeply for a VTU file. Mend it.");
        }
    }



    Tree
    VtuReader::parse_xml()
    {
      std::string_view xml = file.text();
      std::string end;
      const auto appended = xml.find("<AppendedData");
      if (appended != std::string_view::npos)
        {
          const auto mark = std::min(xml.find('>', appended), xml.size());
          const auto data = xml.find('_', mark);
          if (data == std::string_view::npos)
            file.fail(xml.substr(appended, 1),
                      "there is no '_' where the appended data begin. Is the "
                      "file complete?");
          encoding.appended = xml.substr(data + 1);
          xml               = xml.substr(0, mark + 1);
          end               = "</AppendedData></VTKFile>";
        }
      check_depth(xml);
      std::istringstream in(std::string(xml) + end);
      Tree tree;
      try
        {
          boost::property_tree::read_xml(in, tree);
        }
      catch (const boost::property_tree::xml_parser_error &error)
        {
          throw UserError(where + ", line " + std::to_string(error.line()) +
                          ": the file is not well-formed XML: " +
                          error.message() + ". Is it complete?");
        }
      return tree;
    }



    PlainMesh
    VtuReader::read()
    {
      const Tree tree  = parse_xml();
      const auto found = tree.get_child_optional("VTKFile");
      if (!found || attribute(*found, "type") != "UnstructuredGrid" ||
          !found->get_child_optional("UnstructuredGrid"))
        fail(
          "the file is not one of an UnstructuredGrid in VTK's XML form. "
          "Convert it.");
      const std::string header     = attribute(*found, "header_type", "UInt32");
      const std::string order      = attribute(*found, "byte_order");
      const std::string compressor = attribute(*found, "compressor");
      if (header != "UInt32" && header != "UInt64")
        fail("the attribute header_type must be UInt32 or UInt64. Mend it.");
      if (!order.empty() && order != "LittleEndian" && order != "BigEndian")
        fail(
          "the attribute byte_order must be LittleEndian or BigEndian. Mend "
          "it.");
      if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
        fail("data that were compressed by " + in_quotes(compressor) +
             " cannot be read. Write the file without compression or with "
             "zlib.");
      encoding.header_bytes  = header == "UInt64" ? 8 : 4;
      encoding.big_endian    = order == "BigEndian";
      encoding.is_compressed = !compressor.empty();
      encoding.appended_raw =
        found->get("AppendedData.<xmlattr>.encoding", "raw") == "raw";

      PlainMesh mesh;
      for (const auto &child : found->get_child("UnstructuredGrid"))
        if (child.first == "Piece")
          read_piece(child.second, mesh);
      if (mesh.elements.empty())
        fail("there are no cells in the file. Is it complete?");
      return mesh;
    }



    std::size_t
    VtuReader::count(const Tree &piece, const std::string &name) const
    {
      const std::string value = attribute(piece, name);
      std::size_t result      = 0;
      std::istringstream in(value);
      if (value.empty() || value[0] < '0' || value[0] > '9' ||
          !(in >> result) ||
          in.peek() != std::istringstream::traits_type::eof())
        fail("a piece needs the attribute " + name + " with a number, not " +
             in_quotes(value) + ". Mend it.");
      // zlib makes data shorter by a factor of 1032 at most.
      if (result / 1032 > file.text().size())
        fail(name + " is " + value +
             ", more than the file can have. Is it complete?");
      return result;
    }



    const Tree &
    VtuReader::find_array(const Tree &piece,
                          const std::string &section,
                          const std::string &name) const
    {
      if (const auto tree = piece.get_child_optional(section))
        for (const auto &child : *tree)
          if (child.first == "DataArray" &&
              (name.empty() || attribute(child.second, "Name") == name))
            return child.second;
      fail("a piece has no array " + in_quotes(name) + " in its section " +
           section + ". Is the file complete?");
    }



    template <typename Number>
    std::vector<Number>
    VtuReader::text_array(const std::string &text,
                          const std::string &name,
                          const std::optional<std::size_t> n) const
    {
      std::vector<Number> result;
      std::string_view rest = text;
      while (!(rest = trimmed(rest)).empty())
        {
          const auto end  = std::min(rest.find_first_of(blanks), rest.size());
          const auto word = rest.substr(0, end);
          rest.remove_prefix(end);
          Number value = 0;
          if (!as_number(word, value))
            fail("the array " + in_quotes(name) + " has " + in_quotes(word) +
                 " where a number should be that this program can hold. Mend "
                 "it.");
          result.push_back(value);
        }
      if (n && result.size() != *n)
        fail("the array " + in_quotes(name) + " has " +
             std::to_string(result.size()) + " numbers instead of " +
             std::to_string(*n) + ". Is the file complete?");
      return result;
    }



    template <typename Number>
    std::vector<Number>
    VtuReader::array(const Tree &data_array, const std::optional<std::size_t> n)
    {
      const std::string name   = attribute(data_array, "Name");
      const std::string format = attribute(data_array, "format", "ascii");
      const auto type = number_types().find(attribute(data_array, "type"));
      if (type == number_types().end())
        fail("the array " + in_quotes(name) + " has numbers of type " +
             in_quotes(attribute(data_array, "type")) +
             ", which is not known. Mend it.");
      if (format == "ascii")
        return text_array<Number>(data_array.data(), name, n);
      if (format != "binary" && format != "appended")
        fail("the array " + in_quotes(name) + " has the format " +
             in_quotes(format) + ", which is not known. Mend it.");

      // Arrays may share their place in the file, but must not make much of
      // little.
      constexpr std::size_t max_ratio = 100;
      const std::size_t wanted        = n ? *n * type->second.bytes : 0;
      n_decoded += wanted;
      if (n_decoded / max_ratio > file.text().size())
        fail("the arrays are more than " + std::to_string(max_ratio) +
             " times as long as the file. Is it complete?");
      std::string problem;
      std::string bytes;
      if (format == "binary")
        {
          std::string letters = data_array.data();
          letters.erase(std::remove_if(letters.begin(),
                                       letters.end(),
                                       [](const char c) {
                                         return blanks.find(c) !=
                                                std::string_view::npos;
                                       }),
                        letters.end());
          bytes = decode_vtu_array(letters, false, encoding, wanted, problem);
        }
      else
        {
          std::size_t offset = 0;
          if (!as_number(attribute(data_array, "offset"), offset) ||
              offset >= encoding.appended.size())
            fail("the array " + in_quotes(name) +
                 " has an offset beyond the appended data. Is the file "
                 "complete?");
          bytes = decode_vtu_array(encoding.appended.substr(offset),
                                   encoding.appended_raw,
                                   encoding,
                                   wanted,
                                   problem);
        }
      std::vector<Number> result;
      if (!problem.empty() || bytes.size() != wanted)
        fail("the array " + in_quotes(name) + " cannot be decoded: " +
             (problem.empty() ? "it has not as many numbers as it needs"
                              : problem) +
             ". Is the file complete?");
      if (!decode_numbers(bytes, type->second, encoding.big_endian, result))
        fail("the array " + in_quotes(name) +
             " has a number that is not finite or too large. Mend it.");
      return result;
    }



    void
    VtuReader::read_piece(const Tree &piece, PlainMesh &mesh)
    {
      const auto n_points = count(piece, "NumberOfPoints");
      const auto n_cells  = count(piece, "NumberOfCells");
      if (n_points == 0 && n_cells == 0)
        return;
      VtkGrid grid;
      const Tree &points = find_array(piece, "Points", "");
      if (attribute(points, "NumberOfComponents") != "3")
        fail(
          "points need three components each. Mend the attribute "
          "NumberOfComponents.");
      const auto x = array<double>(points, 3 * n_points);
      for (std::size_t i = 0; i < n_points; ++i)
        grid.points.push_back({{x[3 * i], x[3 * i + 1], x[3 * i + 2]}});

      grid.types =
        array<std::int64_t>(find_array(piece, "Cells", "types"), n_cells);
      grid.ends =
        array<std::int64_t>(find_array(piece, "Cells", "offsets"), n_cells);

      // No cell that can be read has more nodes than a hexahedron with 27.
      const std::int64_t n_nodes = grid.ends.empty() ? 0 : grid.ends.back();
      if (n_nodes < 0 || static_cast<std::size_t>(n_nodes) / 27 > n_cells)
        fail("the offsets of cells are wrong: the last is " +
             std::to_string(n_nodes) + ". Mend them.");
      grid.connectivity =
        array<std::int64_t>(find_array(piece, "Cells", "connectivity"),
                            n_nodes);

      if (const auto cell_data = piece.get_child_optional("CellData"))
        for (const auto &child : *cell_data)
          if (child.first == "DataArray")
            if (const auto rank =
                  vtk_group_rank(attribute(child.second, "Name"));
                rank > grid.rank)
              {
                grid.rank          = rank;
                grid.group_numbers = array<double>(child.second, n_cells);
              }
      append_vtk_grid(grid, where, mesh);
    }
  } // namespace



  PlainMesh
  read_vtu_mesh(const std::string &file_name, const std::string &where)
  {
    return VtuReader(file_name, where).read();
  }
} // namespace Ricochet
