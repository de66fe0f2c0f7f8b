// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_mesh_sample_meshes_h
#define ricochet_tests_mesh_sample_meshes_h

#include <ricochet/mesh/mesh_readers.h>

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

// Two unit cubes, one on the other, as files of every format. Points and cells
// are the same in all of them: z is upright, and the bottom at z = 0 is a group
// (or the number 7) in those that have groups.

/** A file with the text, which is removed in the end. */
class MeshFile
{
public:
  explicit MeshFile(const std::string &text, const std::string &name = "mesh")
    : name((std::filesystem::temp_directory_path() /
            (name + "-" + std::to_string(getpid())))
             .string())
  {
    std::ofstream(this->name, std::ios::binary) << text;
  }

  MeshFile(const MeshFile &) = delete;

  ~MeshFile()
  {
    std::filesystem::remove(name);
  }

  const std::string name;
};



using MeshReader = Ricochet::PlainMesh (*)(const std::string &,
                                           const std::string &);

struct SampleMesh
{
  std::string name;
  MeshReader reader;
  std::string text;
};



/** Coordinates of point i, from 0. */
inline std::array<double, 3>
cube_point(const unsigned int i)
{
  const unsigned int corner = i % 4;
  return {{corner == 1 || corner == 2 ? 1. : 0.,
           corner >= 2 ? 1. : 0.,
           static_cast<double>(i / 4)}};
}



/** Lines of the points, each with what comes before it. */
template <typename Before>
std::string
cube_points(const Before &before, const std::string &between)
{
  std::string result;
  for (unsigned int i = 0; i < 12; ++i)
    {
      const auto x = cube_point(i);
      result += before(i + 1);
      for (unsigned int d = 0; d < 3; ++d)
        result += (d > 0 ? between : "") + std::to_string(x[d]);
      result += "\n";
    }
  return result;
}

inline std::string
abaqus_nodes()
{
  return "*NODE, NSET=NALL\n" +
         cube_points(
           [](const unsigned int i) { return std::to_string(i) + ", "; },
           ", ");
}

inline std::string
abaqus_cubes()
{
  return abaqus_nodes() +
         "*ELEMENT, TYPE=C3D8, ELSET=EALL\n"
         "1, 1, 2, 3, 4, 5, 6, 7, 8\n"
         "2, 5, 6, 7, 8, 9, 10, 11, 12\n";
}

inline std::string
unv_cubes()
{
  return "    -1\n  2411\n" +
         cube_points(
           [](const unsigned int i) { return std::to_string(i) + " 1 1 11\n"; },
           " ") +
         "    -1\n    -1\n  2412\n"
         "         1       115         1         1         7         8\n"
         "         1         2         3         4         5         6         "
         "7         8\n"
         "         2       115         1         1         7         8\n"
         "         5         6         7         8         9        10        "
         "11        12\n"
         "         3        44         1         1         7         4\n"
         "         1         2         3         4\n"
         "    -1\n";
}

inline std::string
unv_groups()
{
  return "    -1\n  2467\n"
         "         1         0         0         0         0         0         "
         "0         1\nBOTTOM\n"
         "         8         3         0         0\n"
         "         2         0         0         0         0         0         "
         "0         3\n7\n"
         "         7         1         0         0         7         2         "
         "0         0\n"
         "         7         3         0         0\n"
         "    -1\n";
}

inline std::string
ucd_cubes()
{
  return "12 3 0 0 0\n" +
         cube_points(
           [](const unsigned int i) { return std::to_string(i) + " "; },
           " ") +
         "1 1 hex 1 2 3 4 5 6 7 8\n2 1 hex 5 6 7 8 9 10 11 12\n"
         "3 7 quad 1 2 3 4\n";
}

inline std::string
vtk_cubes()
{
  return "# vtk DataFile Version 3.0\ncubes\nASCII\n"
         "DATASET UNSTRUCTURED_GRID\nPOINTS 12 double\n" +
         cube_points([](unsigned int) { return ""; }, " ") +
         "CELLS 3 23\n4 0 1 2 3\n8 0 1 2 3 4 5 6 7\n8 4 5 6 7 8 9 10 11\n"
         "CELL_TYPES 3\n9\n12\n12\n"
         "CELL_DATA 3\nSCALARS MaterialID int 1\nLOOKUP_TABLE default\n"
         "7 1 1\n";
}

/** The bytes of a number, the highest first. */
template <typename Number>
std::string
big_endian(const Number number)
{
  std::string result(sizeof(Number), ' ');
  std::memcpy(result.data(), &number, sizeof(Number));
  return {result.rbegin(), result.rend()};
}

template <typename Number>
std::string
big_endian(const std::vector<Number> &numbers)
{
  std::string result;
  for (const Number number : numbers)
    result += big_endian(number);
  return result;
}

template <typename Number>
std::string
native_bytes(const std::vector<Number> &numbers)
{
  std::string result(sizeof(Number) * numbers.size(), ' ');
  std::memcpy(result.data(), numbers.data(), result.size());
  return result;
}

inline std::vector<double>
cube_coordinates()
{
  std::vector<double> result;
  for (unsigned int i = 0; i < 12; ++i)
    for (const double x : cube_point(i))
      result.push_back(x);
  return result;
}

inline std::string
binary_vtk_cubes()
{
  return "# vtk DataFile Version 3.0\ncubes\nBINARY\n"
         "DATASET UNSTRUCTURED_GRID\nPOINTS 12 double\n" +
         big_endian(cube_coordinates()) + "\nCELLS 3 23\n" +
         big_endian(std::vector<std::int32_t>{4, 0, 1, 2, 3, 8,  0, 1,
                                              2, 3, 4, 5, 6, 7,  8, 4,
                                              5, 6, 7, 8, 9, 10, 11}) +
         "\nCELL_TYPES 3\n" + big_endian(std::vector<std::int32_t>{9, 12, 12}) +
         "\nCELL_DATA 3\nFIELD FieldData 1\nMaterialID 1 3 int\n" +
         big_endian(std::vector<std::int32_t>{7, 1, 1}) + "\n";
}

inline std::string
vtk5_cubes()
{
  return "# vtk DataFile Version 5.1\ncubes\nASCII\n"
         "DATASET UNSTRUCTURED_GRID\nPOINTS 12 float\n" +
         cube_points([](unsigned int) { return ""; }, " ") +
         "METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\n"
         "DATA 2 0 2\n\n"
         "CELLS 4 20\nOFFSETS vtktypeint64\n0 4 12 20\n"
         "CONNECTIVITY vtktypeint64\n"
         "0 1 2 3 0 1 2 3 4 5 6 7 4 5 6 7 8 9 10 11\n"
         "CELL_TYPES 3\n9\n12\n12\n"
         "POINT_DATA 12\nSCALARS p float\nLOOKUP_TABLE default\n"
         "nan 1 2 3 4 5 6 7 8 9 10 11\n"
         "CELL_DATA 3\nFIELD FieldData 1\nMaterialID 1 3 int\n7 1 1\n";
}

inline std::string
base64(const std::string &bytes)
{
  using namespace boost::archive::iterators;
  using Encoder =
    base64_from_binary<transform_width<std::string::const_iterator, 6, 8>>;
  // Zeros are appended where letters end within a byte.
  const std::string padded =
    bytes + std::string((3 - bytes.size() % 3) % 3, '\0');
  std::string result(Encoder(padded.begin()), Encoder(padded.end()));
  for (std::size_t i = bytes.size(); i < padded.size(); ++i)
    result[result.size() - (padded.size() - i)] = '=';
  return result;
}

inline std::string
compressed(const std::string &bytes)
{
  std::string result;
  boost::iostreams::filtering_ostream out;
  out.push(boost::iostreams::zlib_compressor());
  out.push(boost::iostreams::back_inserter(result));
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.reset();
  return result;
}

enum class VtuForm
{
  ascii,
  binary,
  compressed,
  raw
};

/** Writes one VTU file. */
class VtuText
{
public:
  explicit VtuText(const VtuForm form)
    : form(form)
  {}

  std::string
  cubes()
  {
    const std::string grid =
      "<UnstructuredGrid>\n<Piece NumberOfPoints=\"12\" "
      "NumberOfCells=\"3\">\n<Points>\n" +
      array("Float64", "Points\" NumberOfComponents=\"3", cube_coordinates()) +
      "</Points>\n<Cells>\n" +
      array("Int64",
            "connectivity",
            std::vector<std::int64_t>{0, 1, 2, 3, 0, 1, 2, 3, 4,  5,
                                      6, 7, 4, 5, 6, 7, 8, 9, 10, 11}) +
      array("Int32", "offsets", std::vector<std::int32_t>{4, 12, 20}) +
      array("Int32", "types", std::vector<std::int32_t>{9, 12, 12}) +
      "</Cells>\n<CellData>\n" +
      array("Int32", "MaterialID", std::vector<std::int32_t>{7, 1, 1}) +
      "</CellData>\n</Piece>\n</UnstructuredGrid>\n";
    return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" "
           "version=\"1.0\" byte_order=\"LittleEndian\" "
           "header_type=\"UInt64\"" +
           std::string(form == VtuForm::compressed
                         ? " compressor=\"vtkZLibDataCompressor\""
                         : "") +
           ">\n" + grid +
           (form == VtuForm::raw ? "<AppendedData encoding=\"raw\">\n_" +
                                     appended + "</AppendedData>\n"
                                 : "") +
           "</VTKFile>\n";
  }

private:
  template <typename Number>
  std::string
  array(const std::string &type,
        const std::string &name,
        const std::vector<Number> &numbers)
  {
    using Header            = std::vector<std::uint64_t>;
    const std::string bytes = native_bytes(numbers);
    std::string text;
    if (form == VtuForm::ascii)
      for (const Number number : numbers)
        text += std::to_string(number) + " ";
    else if (form == VtuForm::binary)
      text = base64(native_bytes(Header{bytes.size()}) + bytes);
    else if (form == VtuForm::compressed)
      {
        // Two blocks, the last of which is shorter.
        const std::size_t half = bytes.size() / 2 + 1;
        const auto first       = compressed(bytes.substr(0, half));
        const auto second      = compressed(bytes.substr(half));
        text                   = base64(native_bytes(Header{2,
                                          half,
                                          bytes.size() - half,
                                          first.size(),
                                          second.size()})) +
               base64(first + second);
      }
    const std::string offset = std::to_string(appended.size());
    if (form == VtuForm::raw)
      appended += native_bytes(Header{bytes.size()}) + bytes;
    return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" format=\"" +
           (form == VtuForm::ascii ? "ascii\">"
            : form == VtuForm::raw ? "appended\" offset=\"" + offset + "\">"
                                   : "binary\">\n") +
           text + "</DataArray>\n";
  }

  VtuForm form;
  std::string appended;
};

/** A deck with all that is understood. */
inline std::string
abaqus_deck()
{
  return "*HEADING\ncubes\n** comment\n*PART, NAME=P\n" + abaqus_cubes() +
         "*ELSET, ELSET=BOTH, GENERATE\n1, 2, 1\n*ELSET, ELSET=SETS\nBOTH,\n"
         "*NSET, NSET=N1\n1, 2, 3,\n4\n*NSET, NSET=N2, ELSET=BOTH\n"
         "*SURFACE, NAME=SS7\nEALL, S1\n*SURFACE, NAME=FREE\nBOTH,\n"
         "*SURFACE, NAME=NODES, TYPE=NODE\nN1, 1.\n*END PART\n"
         "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=P-1, PART=P\n5., 0., 0.\n"
         "0., 0., 0., 0., 0., 1., 90.\n*END INSTANCE\n"
         "*INSTANCE, NAME=P-2, PART=P\n*END INSTANCE\n"
         "*ELSET, ELSET=E1, INSTANCE=P-1\n1,\n*NSET, NSET=N3\nP-2.N1\n"
         "*SURFACE, NAME=S\nE1, S2\n*END ASSEMBLY\n"
         "*STEP\n*DYNAMIC, EXPLICIT\n*ELEMENT OUTPUT\nLE, S\n*END STEP\n";
}

inline std::vector<SampleMesh>
sample_meshes()
{
  using namespace Ricochet;
  return {{"abaqus", &read_abaqus_mesh, abaqus_cubes()},
          {"abaqus-deck", &read_abaqus_mesh, abaqus_deck()},
          {"unv", &read_unv_mesh, unv_cubes() + unv_groups()},
          {"ucd", &read_ucd_mesh, ucd_cubes()},
          {"vtk", &read_vtk_mesh, vtk_cubes()},
          {"vtk-5", &read_vtk_mesh, vtk5_cubes()},
          {"vtk-binary", &read_vtk_mesh, binary_vtk_cubes()},
          {"vtu", &read_vtu_mesh, VtuText(VtuForm::ascii).cubes()},
          {"vtu-binary", &read_vtu_mesh, VtuText(VtuForm::binary).cubes()},
          {"vtu-zlib", &read_vtu_mesh, VtuText(VtuForm::compressed).cubes()},
          {"vtu-raw", &read_vtu_mesh, VtuText(VtuForm::raw).cubes()}};
}

#endif
