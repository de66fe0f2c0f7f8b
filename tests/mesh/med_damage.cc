// SPDX-License-Identifier: LGPL-2.1-or-later

// MED files with something that cannot be read, or is wrong.

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>

#include "med_files.h"
#include "reader_checks.h"

using namespace Ricochet;
using namespace MedFiles;

namespace
{
  void
  expect_error(const Change &change, const std::string &part)
  {
    expect_user_error([&] { read(write_cubes, change); }, part);
  }
} // namespace



TEST(Med, TellsWhatCannotBeRead)
{
  expect_error(
    [](const Hdf5Writer &out) { out.group("/ENS_MAA/other mesh"); },
    "2 meshes in the file, but only one can be read: 'block', 'other mesh'");
  expect_error([](
                 const Hdf5Writer &out) { out.attribute(mesh_path, "TYP", 1); },
               "structured grid");
  expect_error([](
                 const Hdf5Writer &out) { out.attribute(mesh_path, "REP", 2); },
               "spherical");
  expect_error(
    [](const Hdf5Writer &out) {
      out.integers(step_path + "/MAI/POE/NOD", {1, 2, 3}, 1);
    },
    "type 'POE' (polyhedra) cannot be read");
  expect_error(
    [](const Hdf5Writer &out) {
      out.integers(step_path + "/MAI/P15/NOD", Integers(15, 1), 1);
    },
    "type 'P15' cannot be read");
  expect_error(
    [](const Hdf5Writer &out) {
      out.remove(step_path + "/MAI/QU4/NOD");
      out.integers(step_path + "/MAI/QU4/DES", {1, 2, 3, 4}, 1);
    },
    "given by their faces");
  expect_error(
    [](const Hdf5Writer &out) {
      for (const std::string name : {"first", "second"})
        write_points(out, mesh_path + "/" + name, cube_points(), 3);
      out.remove(step_path);
    },
    "there are 2 steps in time of the mesh, but not the one without a time");
  const MeshFile text("no MED file");
  expect_user_error([&] { read_med_mesh(text.name, "File"); },
                    "File: HDF5 cannot open the file");
}



TEST(Med, TellsWhatIsMissing)
{
  for (const std::string name : {"/ENS_MAA", "/ENS_MAA/block"})
    expect_error([&](const Hdf5Writer &out) { out.remove(name); }, "Is it");
  for (const std::string name : {"/NOE", "/MAI", "/NOE/COO", "/MAI/HE8/NOD"})
    expect_error([&](const Hdf5Writer &out) { out.remove(step_path + name); },
                 "there is no " +
                   std::string(name.size() == 4 ? "group" : "dataset") + " '" +
                   name.substr(name.rfind('/') + 1) + "'");
  expect_error(
    [](const Hdf5Writer &out) {
      out.remove(step_path + "/MAI/HE8");
      out.remove(step_path + "/MAI/QU4");
    },
    "no cells");
  expect_error(
    [](const Hdf5Writer &out) { out.remove("/FAS/block/ELEME/F1/GRO/NOM"); },
    "F1/GRO': there is no dataset 'NOM'");

  // Without them there are no groups.
  const auto without = [](const std::string &path) {
    return read(write_cubes, [&](const Hdf5Writer &out) { out.remove(path); })
      .groups.size();
  };
  EXPECT_EQ(without("/FAS"), 0u);
  EXPECT_EQ(without("/FAS/block"), 0u);
  EXPECT_EQ(without(step_path + "/MAI/HE8/FAM"), 2u);
  EXPECT_EQ(without("/FAS/block/NOEUD"), 4u);
}



TEST(Med, TellsWrongSizes)
{
  const auto integers = [](const std::string &name,
                           const std::size_t n,
                           const std::size_t n_entities) {
    return [=](const Hdf5Writer &out) {
      out.integers(step_path + name, Integers(n, 1), n_entities);
    };
  };
  expect_error(integers("/MAI/HE8/NOD", 15, 2), "'NOD' has 15 numbers");
  expect_error(integers("/MAI/HE8/NOD", 16, 3), "each of 3 nodes or cells");
  expect_error(integers("/MAI/HE8/FAM", 3, 3), "'FAM' has 3 numbers");
  expect_error(integers("/MAI/HE8/NUM", 1, 1), "'NUM' has 1 numbers");
  expect_error(integers("/NOE/FAM", 11, 11), "'FAM' has 11 numbers");
  expect_error(
    [](const Hdf5Writer &out) {
      out.reals(step_path + "/NOE/COO", std::vector<double>(35), 12);
    },
    "'COO' has 35 numbers");
  expect_error([](
                 const Hdf5Writer &out) { out.attribute(mesh_path, "ESP", 2); },
               "'COO' has 36 numbers, not 2 for each of 12");
  for (const int dim : {-1, 0, 4})
    expect_error(
      [&](const Hdf5Writer &out) { out.attribute(mesh_path, "ESP", dim); },
      "must be 1, 2 or 3");
  for (const int n : {-1, 3})
    expect_error(
      [&](const Hdf5Writer &out) {
        out.attribute("/FAS/block/ELEME/F1/GRO", "NBR", n);
      },
      "names of " + std::to_string(n) + " groups");
  for (const hsize_t n : {hsize_t(1) << 20, hsize_t(1) << 61})
    expect_error(
      [&](Hdf5Writer &out) {
        out.compress();
        out.empty_integers(step_path + "/MAI/HE8/NOD", n);
      },
      "announces " + std::to_string(n) + " numbers, more than the file has");
}



TEST(Med, TellsWrongValues)
{
  for (const int node : {0, -1, 13, std::numeric_limits<int>::max()})
    expect_error(
      [&](const Hdf5Writer &out) {
        out.integers(step_path + "/MAI/QU4/NOD", {1, 2, 3, node}, 1);
      },
      "QU4': cell 1 (from 1) of 1 has the node " + std::to_string(node) +
        ", but there are 12");
  for (const double x : {std::nan(""), HUGE_VAL})
    expect_error(
      [&](const Hdf5Writer &out) {
        out.reals(step_path + "/NOE/COO", std::vector<double>(36, x), 12);
      },
      "NOE/COO': there is a number that is not finite");
  expect_error(
    [](const Hdf5Writer &out) {
      out.integers(step_path + "/NOE/COO", Integers(36), 12);
    },
    "must be an array of real numbers");
  expect_error(
    [](const Hdf5Writer &out) {
      out.reals(step_path + "/MAI/QU4/NOD", {1, 2, 3, 4}, 1);
    },
    "must be an array of whole numbers");
  expect_error(
    [](const Hdf5Writer &out) {
      out.integers("/FAS/block/ELEME/F1/GRO/NOM", Integers(160), 2);
    },
    "must be an array of characters");
  expect_error(
    [](const Hdf5Writer &out) {
      out.integers(step_path + "/NOE/NUM", Integers(12, -5), 12);
    },
    "negative number");
  expect_error(
    [](const Hdf5Writer &out) { out.attribute(mesh_path, "ESP", 3.); },
    "'ESP' is not one whole number");
}



TEST(Med, TellsWhatMakesTooMuchOfLittle)
{
  expect_error(
    [](Hdf5Writer &out) {
      constexpr std::size_t n = 2000000;
      out.compress();
      out.integers(step_path + "/NOE/NUM", Integers(n), n);
    },
    "100 times as long as the file");
  // A family with many groups for many cells.
  expect_error(
    [](const Hdf5Writer &out) {
      constexpr unsigned int n = 3000;
      std::vector<std::string> names;
      for (unsigned int i = 0; i < n; ++i)
        names.push_back(std::to_string(i));
      out.family("/FAS/block/ELEME/F9", -9, names);
      out.integers(step_path + "/MAI/PO1/NOD", Integers(n, 1), n);
      out.integers(step_path + "/MAI/PO1/FAM", Integers(n, -9), n);
    },
    "too many groups");
}



TEST(Med, TellsIncompleteFiles)
{
  const MeshFile file("");
  {
    const Hdf5Writer out(file.name);
    write_cubes(out);
  }
  const std::uintmax_t size = std::filesystem::file_size(file.name);
  for (unsigned int i = 0; i < 40; ++i)
    {
      std::filesystem::resize_file(file.name, size - 1 - i * size / 40);
      expect_user_error([&] { read_med_mesh(file.name, "File"); },
                        "HDF5 cannot open the file");
    }
}
