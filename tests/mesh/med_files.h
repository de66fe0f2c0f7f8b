// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_mesh_med_files_h
#define ricochet_tests_mesh_med_files_h

#include <ricochet/mesh/mesh_readers.h>

#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <string>
#include <type_traits>
#include <vector>

#include "sample_meshes.h"

// MED files as med-fichier writes them, but with HDF5 alone.

namespace MedFiles
{
  using Point    = std::array<double, 3>;
  using Integers = std::vector<std::int32_t>;

  /** Writes a file of HDF5; groups are made as they are needed. */
  class Hdf5Writer
  {
  public:
    explicit Hdf5Writer(const std::string &name)
      : file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT))
      , links(H5Pcreate(H5P_LINK_CREATE))
    {
      H5Pset_create_intermediate_group(links, 1);
    }

    Hdf5Writer(const Hdf5Writer &) = delete;

    ~Hdf5Writer()
    {
      H5Pclose(links);
      H5Fclose(file);
    }

    void
    group(const std::string &path) const
    {
      H5Gclose(H5Gcreate2(file, path.c_str(), links, H5P_DEFAULT, H5P_DEFAULT));
    }

    void
    remove(const std::string &path) const
    {
      EXPECT_GE(H5Ldelete(file, path.c_str(), H5P_DEFAULT), 0) << path;
    }

    /** A number that a group or dataset has; replaces what there is. */
    template <typename Number>
    void
    attribute(const std::string &path,
              const std::string &name,
              const Number value) const
    {
      if (H5Aexists_by_name(file, path.c_str(), name.c_str(), H5P_DEFAULT) > 0)
        H5Adelete_by_name(file, path.c_str(), name.c_str(), H5P_DEFAULT);
      const bool is_real = std::is_floating_point<Number>::value;
      const hid_t space  = H5Screate(H5S_SCALAR);
      const hid_t result =
        H5Acreate_by_name(file,
                          path.c_str(),
                          name.c_str(),
                          is_real ? H5T_IEEE_F64LE : H5T_STD_I32LE,
                          space,
                          H5P_DEFAULT,
                          H5P_DEFAULT,
                          H5P_DEFAULT);
      EXPECT_GE(H5Awrite(result,
                         is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32,
                         &value),
                0);
      H5Aclose(result);
      H5Sclose(space);
    }

    /** Numbers for so many nodes or cells. */
    void
    integers(const std::string &path,
             const Integers &values,
             const std::size_t n) const
    {
      dataset(path,
              values.size(),
              H5T_STD_I32LE,
              H5T_NATIVE_INT32,
              values.data());
      attribute(path, "NBR", static_cast<int>(n));
    }

    void
    reals(const std::string &path,
          const std::vector<double> &values,
          const std::size_t n) const
    {
      dataset(path,
              values.size(),
              H5T_IEEE_F64LE,
              H5T_NATIVE_DOUBLE,
              values.data());
      attribute(path, "NBR", static_cast<int>(n));
    }

    /** A family with its number and names of groups. */
    void
    family(const std::string &path,
           const int number,
           const std::vector<std::string> &names,
           const char padding = '\0') const
    {
      group(path);
      attribute(path, "NUM", number);
      if (names.empty())
        return;
      std::string text;
      for (std::string name : names)
        {
          name.resize(80, padding);
          text += name;
        }
      group(path + "/GRO");
      attribute(path + "/GRO", "NBR", static_cast<int>(names.size()));
      const hsize_t size = 80;
      const hid_t type   = H5Tarray_create2(H5T_NATIVE_CHAR, 1, &size);
      dataset(path + "/GRO/NOM", names.size(), type, type, text.data());
      H5Tclose(type);
    }

    /** An array that is announced, but not there: nothing is ever written
     * into its chunks. */
    void
    empty_integers(const std::string &path, const hsize_t n) const
    {
      dataset(path, n, H5T_STD_I32LE, H5T_NATIVE_INT32, nullptr);
    }

    /** Cut datasets that come into chunks, and compress these. */
    void
    compress()
    {
      is_compressed = true;
    }

    /** Another name for a place in the file. */
    void
    soft_link(const std::string &path, const std::string &target) const
    {
      H5Lcreate_soft(target.c_str(), file, path.c_str(), links, H5P_DEFAULT);
    }

  private:
    void
    dataset(const std::string &path,
            const hsize_t n,
            const hid_t file_type,
            const hid_t memory_type,
            const void *const values) const
    {
      // An earlier one is replaced. There is none where groups are missing,
      // either, about which HDF5 would complain.
      htri_t is_there = 0;
      H5E_BEGIN_TRY
      {
        is_there = H5Lexists(file, path.c_str(), H5P_DEFAULT);
      }
      H5E_END_TRY
      if (is_there > 0)
        remove(path);
      const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
      if (is_compressed)
        {
          const hsize_t chunk = std::min<hsize_t>(n, 10000);
          H5Pset_chunk(properties, 1, &chunk);
          H5Pset_deflate(properties, 6);
        }
      const hid_t space  = H5Screate_simple(1, &n, nullptr);
      const hid_t result = H5Dcreate2(file,
                                      path.c_str(),
                                      file_type,
                                      space,
                                      links,
                                      properties,
                                      H5P_DEFAULT);
      if (values != nullptr)
        {
          EXPECT_GE(H5Dwrite(result,
                             memory_type,
                             H5S_ALL,
                             H5S_ALL,
                             H5P_DEFAULT,
                             values),
                    0);
        }
      H5Dclose(result);
      H5Sclose(space);
      H5Pclose(properties);
    }

    hid_t file, links;
    bool is_compressed = false;
  };



  inline const std::string mesh_path = "/ENS_MAA/block";
  inline const std::string step_path =
    mesh_path + "/-0000000000000000001-0000000000000000001";



  /** Cells of a type, each with its nodes from 0 in MED's order. */
  struct Cells
  {
    std::string type;
    std::vector<Integers> nodes;
    Integers families;
  };

  inline void
  write_points(const Hdf5Writer &out,
               const std::string &step,
               const std::vector<Point> &points,
               const unsigned int space_dim)
  {
    std::vector<double> x;
    for (unsigned int d = 0; d < space_dim; ++d)
      for (const Point &point : points)
        x.push_back(point[d]);
    out.reals(step + "/NOE/COO", x, points.size());
  }

  inline void
  write_cells(const Hdf5Writer &out,
              const std::string &step,
              const Cells &cells)
  {
    const std::string path = step + "/MAI/" + cells.type;
    const std::size_t n    = cells.nodes.size();
    Integers nodes;
    for (std::size_t k = 0; k < cells.nodes[0].size(); ++k)
      for (const Integers &cell : cells.nodes)
        nodes.push_back(cell[k] + 1);
    out.integers(path + "/NOD", nodes, n);
    if (!cells.families.empty())
      out.integers(path + "/FAM", cells.families, n);
  }

  /** A file with one mesh of version 3 or later. */
  inline void
  write_mesh(const Hdf5Writer &out,
             const std::vector<Point> &points,
             const std::vector<Cells> &cells,
             const unsigned int space_dim = 3)
  {
    out.group("/INFOS_GENERALES");
    out.attribute("/INFOS_GENERALES", "MAJ", 4);
    out.group(step_path);
    out.attribute(mesh_path, "DIM", static_cast<int>(space_dim));
    out.attribute(mesh_path, "ESP", static_cast<int>(space_dim));
    out.attribute(mesh_path, "TYP", 0);
    out.attribute(mesh_path, "REP", 0);
    write_points(out, step_path, points, space_dim);
    for (const Cells &some : cells)
      write_cells(out, step_path, some);
  }

  inline std::vector<Point>
  cube_points()
  {
    std::vector<Point> points;
    for (unsigned int i = 0; i < 12; ++i)
      points.push_back(cube_point(i));
    return points;
  }

  /** Two cubes and the quadrilateral below them. */
  inline std::vector<Cells>
  cube_cells()
  {
    return {{"HE8",
             {{0, 3, 2, 1, 4, 7, 6, 5}, {4, 7, 6, 5, 8, 11, 10, 9}},
             {-1, -2}},
            {"QU4", {{0, 3, 2, 1}}, {-3}}};
  }

  inline void
  write_cubes(const Hdf5Writer &out)
  {
    write_mesh(out, cube_points(), cube_cells());
    out.integers(step_path + "/NOE/FAM",
                 {0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4},
                 12);
    out.family("/FAS/block/FAMILLE_ZERO", 0, {});
    out.family("/FAS/block/ELEME/F1", -1, {"all", "lower"}, ' ');
    out.family("/FAS/block/ELEME/F2", -2, {"all", "upper half"});
    out.family("/FAS/block/ELEME/F3", -3, {"bottom"});
    out.family("/FAS/block/NOEUD/N4", 4, {"top"});
  }

  using Change = std::function<void(Hdf5Writer &)>;

  inline const Change no_change = [](Hdf5Writer &) {};

  /** Read what @p write and @p change have written. */
  inline Ricochet::PlainMesh
  read(const Change &write, const Change &change = no_change)
  {
    const MeshFile file("");
    {
      Hdf5Writer out(file.name);
      write(out);
      change(out);
    }
    return Ricochet::read_med_mesh(file.name, "File");
  }
} // namespace MedFiles

#endif
