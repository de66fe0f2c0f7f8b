// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_output_vtu_file_h
#define ricochet_tests_output_vtu_file_h

#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace Ricochet
{
  namespace Testing
  {
    /**
     * Reads a .vtu file with compressed data, by another way than deal.II.
     * Throws std::exception if it cannot.
     */
    class VtuFile
    {
    public:
      explicit VtuFile(const std::string &name)
      {
        boost::property_tree::ptree tree;
        boost::property_tree::read_xml(name, tree);
        const auto &grid  = tree.get_child("VTKFile.UnstructuredGrid");
        const auto &piece = grid.get_child("Piece");
        n_points          = piece.get<unsigned int>("<xmlattr>.NumberOfPoints");
        n_cells           = piece.get<unsigned int>("<xmlattr>.NumberOfCells");
        // Nothing is in a piece without cells but its declaration.
        if (n_cells == 0)
          return;
        for (const auto &array : grid.get_child("FieldData"))
          if (array.first == "DataArray")
            field_data[array.second.get<std::string>("<xmlattr>.Name")] =
              std::stod(array.second.data());
        const auto &array = piece.get_child("Points.DataArray");
        points_are_double = (type(array) == "Float64");
        if (points_are_double)
          points = read<double>(array, "Float64");
        else
          {
            const auto values = read<float>(array, "Float32");
            points.assign(values.begin(), values.end());
          }
        for (const auto &array : piece.get_child("PointData"))
          if (array.first == "DataArray")
            data[array.second.get<std::string>("<xmlattr>.Name")] =
              read<float>(array.second, "Float32");
        for (const auto &array : piece.get_child("Cells"))
          if (array.second.get<std::string>("<xmlattr>.Name", "") == "types")
            types = read<std::uint8_t>(array.second, "UInt8");
      }

      unsigned int n_points = 0, n_cells = 0;
      std::vector<double> points; // three per point
      bool points_are_double = false;
      std::map<std::string, std::vector<float>> data;
      std::map<std::string, double> field_data;

      /** 3 for a line, 5 a triangle, 9 a quadrilateral, 10 a tetrahedron, 12 a
       * hexahedron. */
      std::vector<std::uint8_t> types;

    private:
      static void
      require(const bool condition, const std::string &what)
      {
        if (!condition)
          throw std::runtime_error("In the .vtu file, " + what);
      }

      static std::string
      type(const boost::property_tree::ptree &array)
      {
        return array.get<std::string>("<xmlattr>.type");
      }

      static std::string
      decode_base64(const std::string &text)
      {
        using namespace boost::archive::iterators;
        using Decoder =
          transform_width<binary_from_base64<std::string::const_iterator>,
                          8,
                          6>;
        std::string padded    = text;
        std::size_t n_padding = 0;
        while (!padded.empty() && padded.back() == '=')
          {
            padded.pop_back();
            ++n_padding;
          }
        padded.append(n_padding, 'A');
        std::string bytes(Decoder(padded.begin()), Decoder(padded.end()));
        bytes.resize(bytes.size() - n_padding);
        return bytes;
      }

      template <typename Number>
      static std::vector<Number>
      read(const boost::property_tree::ptree &array,
           const std::string &expected_type)
      {
        require(type(array) == expected_type, "a type is " + type(array));
        std::string text = array.data();
        text.erase(0, text.find_first_not_of(" \n"));
        text.erase(text.find_last_not_of(" \n") + 1);

        // One block: its count, its sizes before and after compression.
        const std::string header = decode_base64(text.substr(0, 24));
        std::uint32_t sizes[4];
        std::memcpy(sizes, header.data(), sizeof(sizes));
        require(sizes[0] == 1, "data come in several blocks");
        const std::string compressed = decode_base64(text.substr(24));
        require(compressed.size() == sizes[3], "compressed data are cut off");

        namespace io = boost::iostreams;
        std::string bytes;
        io::filtering_streambuf<io::input> in;
        in.push(io::zlib_decompressor());
        in.push(io::array_source(compressed.data(), compressed.size()));
        io::copy(in, io::back_inserter(bytes));
        require(bytes.size() == sizes[1], "data have the wrong size");

        std::vector<Number> values(bytes.size() / sizeof(Number));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
      }
    };



    /** One entry of a .pvd file. */
    struct PvdEntry
    {
      std::string time, part, file;
    };

    inline std::vector<PvdEntry>
    read_pvd(const std::string &name)
    {
      boost::property_tree::ptree tree;
      boost::property_tree::read_xml(name, tree);
      if (tree.get<std::string>("VTKFile.<xmlattr>.type") != "Collection")
        throw std::runtime_error(name + " is no collection.");
      std::vector<PvdEntry> entries;
      for (const auto &node : tree.get_child("VTKFile.Collection"))
        if (node.first == "DataSet")
          entries.push_back({node.second.get<std::string>("<xmlattr>.timestep"),
                             node.second.get<std::string>("<xmlattr>.part"),
                             node.second.get<std::string>("<xmlattr>.file")});
      return entries;
    }



    /** The pieces that a .pvtu file names. */
    inline std::vector<std::string>
    read_pvtu(const std::string &name)
    {
      boost::property_tree::ptree tree;
      boost::property_tree::read_xml(name, tree);
      std::vector<std::string> pieces;
      for (const auto &node : tree.get_child("VTKFile.PUnstructuredGrid"))
        if (node.first == "Piece")
          pieces.push_back(node.second.get<std::string>("<xmlattr>.Source"));
      return pieces;
    }
  } // namespace Testing
} // namespace Ricochet

#endif
