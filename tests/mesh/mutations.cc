// SPDX-License-Identifier: LGPL-2.1-or-later

// Files of meshes that are damaged in random ways: whatever is in them, there
// must be a mesh that is sound in itself, or one sentence.

#include <ricochet/base/error.h>
#include <ricochet/mesh/mesh_check.h>
#include <ricochet/mesh/mesh_file.h>
#include <ricochet/obstacle/stl_file.h>

#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>

#include "../random.h"
#include "med_files.h"
#include "sample_meshes.h"

using namespace Ricochet;

namespace
{
  /** Where the n-th word of a text begins, and how long it is. */
  std::pair<std::size_t, std::size_t>
  random_word(Random &random, const std::string &text)
  {
    const std::string blanks = " \t\n,\"<>=";
    std::size_t begin =
      text.find_first_not_of(blanks, random.below(text.size()));
    if (begin == std::string::npos)
      return {0, 0};
    const auto end = std::min(text.find_first_of(blanks, begin), text.size());
    return {begin, end - begin};
  }

  std::pair<std::size_t, std::size_t>
  random_line(Random &random, const std::string &text)
  {
    const std::size_t place = random.below(text.size());
    const auto before       = text.rfind('\n', place);
    const auto begin        = before == std::string::npos ? 0 : before + 1;
    const auto end          = std::min(text.find('\n', begin), text.size());
    return {begin, std::min(end + 1, text.size()) - begin};
  }

  /** Other words in place of one: out of range, huge, no numbers. */
  std::string
  replacement(Random &random, const std::string &word)
  {
    const std::vector<std::string> words = {"-1",
                                            "0",
                                            "4000000000",
                                            "99999999999999999999999",
                                            "9223372036854775807",
                                            "18446744073709551615",
                                            "1e400",
                                            "1e-400",
                                            "nan",
                                            "inf",
                                            "0x10",
                                            "1,5",
                                            "1.0-5",
                                            "-" + word,
                                            word + word,
                                            "",
                                            "*",
                                            "2147483648",
                                            std::string(1, '\0')};
    return words[random.below(words.size())];
  }

  std::string
  mutated(Random &random, std::string text)
  {
    if (text.empty())
      return text;
    const auto word  = random_word(random, text);
    const auto line  = random_line(random, text);
    const auto other = random_line(random, text);
    switch (random.below(9))
      {
        case 0:
          return text.substr(0, random.below(text.size()));
        case 1:
          text.erase(line.first, line.second);
          return text;
        case 2:
          text.insert(line.first, text.substr(other.first, other.second));
          return text;
        case 3:
          {
            const auto a = text.substr(line.first, line.second);
            const auto b = text.substr(other.first, other.second);
            if (other.first >= line.first + line.second)
              {
                text.replace(other.first, other.second, a);
                text.replace(line.first, line.second, b);
              }
            return text;
          }
        case 4:
        case 5:
          return text.replace(
            word.first,
            word.second,
            replacement(random, text.substr(word.first, word.second)));
        case 6:
          text[random.below(text.size())] =
            static_cast<char>(random.below(256));
          return text;
        case 7:
          text.insert(random.below(text.size()),
                      1,
                      static_cast<char>(random.below(256)));
          return text;
        default:
          {
            const std::size_t begin = random.below(text.size());
            text.erase(begin, 1 + random.below(20));
            return text;
          }
      }
  }

  void
  expect_sound(const PlainMesh &mesh)
  {
    std::size_t n_nodes = 0;
    for (const auto &element : mesh.elements)
      {
        ASSERT_EQ(element.first_node, n_nodes);
        n_nodes += info(element.type).n_nodes;
      }
    ASSERT_EQ(mesh.nodes.size(), n_nodes);
    for (const std::uint32_t node : mesh.nodes)
      ASSERT_LT(node, mesh.points.size());
    if (!mesh.point_numbers.empty())
      {
        ASSERT_EQ(mesh.point_numbers.size(), mesh.points.size());
      }
    for (const auto &group : mesh.groups)
      {
        for (const std::size_t e : group.elements)
          ASSERT_LT(e, mesh.elements.size());
        for (const std::size_t e : group.free_faces_of)
          ASSERT_LT(e, mesh.elements.size());
        for (const std::size_t p : group.points)
          ASSERT_LT(p, mesh.points.size());
        for (const auto &side : group.sides)
          {
            ASSERT_LT(side.element, mesh.elements.size());
            for (const auto v : side.vertices)
              ASSERT_TRUE(v == PlainMesh::no_vertex ||
                          v <
                            info(mesh.elements[side.element].type).n_vertices);
          }
      }
  }
} // namespace



namespace
{
  /** Those that libraries read. */
  std::vector<SampleMesh>
  library_samples()
  {
    std::vector<SampleMesh> samples;
    for (const std::string name :
         {"hexes-22.msh", "hexes-41.msh", "tets-41.msh"})
      {
        std::ifstream in(std::string(RICOCHET_TEST_DATA) + "/meshes/" + name);
        std::ostringstream text;
        text << in.rdbuf();
        samples.push_back(
          {name,
           [](const std::string &file, const std::string &where) {
             return read_mesh_file<3>(file, "msh", where);
           },
           text.str()});
      }
    const MeshFile med("");
    MedFiles::write_cubes(MedFiles::Hdf5Writer(med.name));
    std::ifstream in(med.name, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    samples.push_back({"med",
                       [](const std::string &file, const std::string &where) {
                         return read_mesh_file<3>(file, "med", where);
                       },
                       bytes.str()});
    return samples;
  }



  /** A box as STL text. */
  std::string
  stl_box()
  {
    std::string text = "solid box\n";
    for (unsigned int d = 0; d < 3; ++d)
      for (unsigned int side = 0; side < 2; ++side)
        for (unsigned int half = 0; half < 2; ++half)
          {
            text += "facet normal 0 0 0\nouter loop\n";
            const unsigned int corners[2][3] = {{0, 1, 3}, {0, 3, 2}};
            for (unsigned int i = 0; i < 3; ++i)
              {
                const unsigned int corner =
                  corners[half][side == 1 ? i : 2 - i];
                unsigned int x[3];
                x[d]           = side;
                x[(d + 1) % 3] = corner % 2;
                x[(d + 2) % 3] = corner / 2;
                text += "vertex " + std::to_string(x[0]) + " " +
                        std::to_string(x[1]) + " " + std::to_string(x[2]) +
                        "\n";
              }
            text += "endloop\nendfacet\n";
          }
    return text + "endsolid box\n";
  }



  /** The same as binary one. */
  std::string
  binary_stl_box()
  {
    std::string bytes(80, ' ');
    const auto add = [&](const auto value) {
      bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
    };
    const auto triangles = read_stl(stl_box(), "box").triangles;
    add(static_cast<std::uint32_t>(triangles.size()));
    for (const auto &triangle : triangles)
      {
        for (unsigned int d = 0; d < 3; ++d)
          add(0.f);
        for (const auto &vertex : triangle)
          for (unsigned int d = 0; d < 3; ++d)
            add(static_cast<float>(vertex[d]));
        add(std::uint16_t(0));
      }
    return bytes;
  }
} // namespace



TEST(Mutations, GiveAMeshOrASentence)
{
  // More of them are tried by hand, with sanitizers.
  const char *wanted      = std::getenv("RICOCHET_MUTATIONS");
  const unsigned int n    = wanted != nullptr ? std::atoi(wanted) : 400;
  const std::string where = "Body 'a'";
  const char *wanted_seed = std::getenv("RICOCHET_SEED");
  const unsigned int seed = wanted_seed != nullptr ? std::atoi(wanted_seed) : 1;
  std::size_t n_meshes = 0, n_sentences = 0;
  std::vector<SampleMesh> samples = sample_meshes();
  for (const SampleMesh &sample : library_samples())
    samples.push_back(sample);
  for (const SampleMesh &sample : samples)
    {
      Random random(seed);
      for (unsigned int i = 0; i < n; ++i)
        {
          std::string text = sample.text;
          for (unsigned int k = 0; k <= random.below(3); ++k)
            text = mutated(random, text);
          const MeshFile file(text);
          try
            {
              const PlainMesh mesh = sample.reader(file.name, where);
              expect_sound(mesh);
              check_mesh<3>(mesh, {}, where).check_orientation(where);
              ++n_meshes;
            }
          catch (const UserError &error)
            {
              const std::string message = error.what();
              ASSERT_EQ(message.compare(0, where.size(), where), 0) << message;
              // Faults of several kinds are a list.
              ASSERT_TRUE(message.find('\n') == std::string::npos ||
                          message.find("faults of") != std::string::npos)
                << message;
              ASSERT_LT(message.size(), 2000u) << message;
              ASSERT_TRUE(message.back() == '.' || message.back() == '?')
                << message;
              ++n_sentences;
            }
          if (::testing::Test::HasFatalFailure())
            {
              std::ofstream("mutation-that-failed", std::ios::binary) << text;
              FAIL() << sample.name << ", mutation " << i;
            }
        }
    }
  RecordProperty("meshes", std::to_string(n_meshes));
  RecordProperty("sentences", std::to_string(n_sentences));
  if (wanted != nullptr)
    std::cout << n_meshes << " meshes, " << n_sentences << " sentences\n";
  EXPECT_GT(n_meshes, 0u);
  EXPECT_GT(n_sentences, 0u);
}



TEST(Mutations, OfStlFiles)
{
  for (const std::string &sample : {stl_box(), binary_stl_box()})
    {
      Random random(2);
      std::size_t n_surfaces = 0;
      for (unsigned int i = 0; i < 1000; ++i)
        {
          std::string text = sample;
          for (unsigned int k = 0; k <= random.below(3); ++k)
            text = mutated(random, text);
          try
            {
              const StlFile file = read_stl(text, "Obstacle 'a'");
              for (const auto &triangle : file.triangles)
                for (const auto &vertex : triangle)
                  for (unsigned int d = 0; d < 3; ++d)
                    ASSERT_TRUE(std::isfinite(vertex[d]));
              ++n_surfaces;
            }
          catch (const UserError &error)
            {
              const std::string message = error.what();
              ASSERT_EQ(message.compare(0, 12, "Obstacle 'a'"), 0) << message;
              ASSERT_LT(message.size(), 600u) << message;
            }
        }
      EXPECT_GT(n_surfaces, 0u);
      EXPECT_LT(n_surfaces, 1000u);
    }
}
