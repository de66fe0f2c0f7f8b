// SPDX-License-Identifier: LGPL-2.1-or-later

// What is read of STL files as programs write them, and what is refused.

#include <ricochet/base/error.h>
#include <ricochet/obstacle/stl_file.h>

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "../random.h"

using namespace Ricochet;
using dealii::Point;

namespace
{
  using Triangles = std::vector<std::array<Point<3>, 3>>;



  /** With coordinates that single precision has exactly. */
  Triangles
  some_triangles()
  {
    return {{{Point<3>(0, 0, 0), Point<3>(1, 0, 0), Point<3>(0, 2, 0.5)}},
            {{Point<3>(-1, 0.25, 1e3), Point<3>(1, 4, 0), Point<3>(0, 2, -8)}}};
  }



  std::string
  facet(const std::string &first_vertex = "0 0 0")
  {
    return "facet normal 0 0 1\nouter loop\nvertex " + first_vertex +
           "\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
  }



  std::string
  solid(const std::string &facets, const std::string &name = "name")
  {
    return "solid " + name + "\n" + facets + "endsolid " + name + "\n";
  }



  template <typename T>
  void
  append(std::string &bytes, const T &value)
  {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }



  std::string
  binary(const Triangles &triangles, const std::string &header = "")
  {
    std::string bytes = header;
    bytes.resize(80, '\0');
    append(bytes, std::uint32_t(triangles.size()));
    for (const auto &triangle : triangles)
      {
        bytes.append(12, '\0');
        for (const auto &x : triangle)
          for (unsigned int d = 0; d < 3; ++d)
            append(bytes, static_cast<float>(x[d]));
        bytes.append(2, '\0');
      }
    return bytes;
  }



  std::string
  replaced(std::string text, const std::string &old, const std::string &by)
  {
    for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos;
         at += by.size())
      text.replace(at, old.size(), by);
    return text;
  }



  std::string
  in_capitals(std::string text)
  {
    for (char &c : text)
      c = std::toupper(c);
    return text;
  }



  /** The message of the error. */
  std::string
  message(const std::string &bytes)
  {
    try
      {
        read_stl(bytes, "m.stl");
      }
    catch (const UserError &error)
      {
        EXPECT_EQ(std::string(error.what()).find("m.stl"), 0u);
        return error.what();
      }
    return "";
  }
} // namespace



TEST(StlFile, Text)
{
  const std::string good = solid(facet("0.5 -1e-3 +2.5E+1") + facet());
  for (const std::string &text :
       {good,
        in_capitals(good),
        replaced(good, "\n", "\r\n"),
        replaced(good, "\n", "\r"),
        replaced(good, "\n", "\n\n \t"),
        replaced(good, " name", ""),
        replaced(good, "name", "facet normal vertex endloop"),
        replaced(good, "name", "solid endsolid 1,5"),
        replaced(good, "0 0 1\n", "nan nan nan\n"),
        replaced(good, "outer loop\n", "outer loop "),
        "\xef\xbb\xbf" + good,
        good.substr(0, good.size() - 1),
        "  \n" + good})
    {
      SCOPED_TRACE(text);
      const StlFile file = read_stl(text, "");
      ASSERT_EQ(file.triangles.size(), 2u);
      EXPECT_EQ(file.triangles[0][0], Point<3>(0.5, -1e-3, 25.));
      EXPECT_EQ(file.triangles[0][1], Point<3>(1, 0, 0));
      EXPECT_EQ(file.triangles[1][0], Point<3>(0, 0, 0));
      EXPECT_TRUE(file.remarks.empty());
    }
  EXPECT_EQ(read_stl(solid(facet()) + solid("") + solid(facet() + facet()), "")
              .triangles.size(),
            3u);
  // Too small is zero, for all that a surface can tell.
  EXPECT_EQ(read_stl(solid(facet("1e-400 0 0")), "").triangles[0][0].norm(),
            0.);
}



TEST(StlFile, Binary)
{
  const std::string good = binary(some_triangles());
  const std::vector<std::string> headers{"",
                                         "solid",
                                         "solid name\nfacet normal",
                                         "SOLID\r\n",
                                         std::string(80, ' ')};
  for (const std::string &header : headers)
    for (const unsigned int rest : {0, 1, 2, 49, 50, 1000})
      {
        const StlFile file =
          read_stl(binary(some_triangles(), header) + std::string(rest, 'x'),
                   "");
        EXPECT_EQ(file.triangles, some_triangles());
        EXPECT_EQ(file.remarks.size(), rest > 0 ? 1u : 0u);
      }
}



TEST(StlFile, TextErrorsHaveTheLine)
{
  const std::string good = solid(facet() + facet());
  for (const auto &[number, line] :
       std::vector<std::pair<std::string, std::string>>{{"1.0-5", "line 4"},
                                                        {"1,5", "line 4"},
                                                        {"1e999", "line 4"},
                                                        {"nan", "line 4"},
                                                        {"-inf", "line 4"},
                                                        {"0x10", "line 4"},
                                                        {"1D3", "line 4"},
                                                        {"1e", "line 4"},
                                                        {"--1", "line 4"},
                                                        {"1.2.3", "line 4"},
                                                        {"vertex", "line 4"}})
    for (const std::string &text :
         {solid(facet(number + " 0 0")), solid(facet("0 0 " + number))})
      {
        const std::string found = message(text);
        EXPECT_NE(found.find(line), std::string::npos) << found;
        EXPECT_NE(found.find("'" + number + "'"), std::string::npos) << found;
      }
  struct Case
  {
    std::string text, word;
  };
  for (const auto &[text, word] :
       std::vector<Case>{{solid(facet("0 0")), "line 5"},
                         {solid(facet("0 0 0 0")), "line 4"},
                         {replaced(good, "outer loop", "loop"), "line 3"},
                         {replaced(good, "normal", "norm"), "line 2"},
                         {replaced(good, "endloop", "vertex 1 1 0\nendloop"),
                          "only triangles"},
                         {replaced(good, "endfacet", ""), "line 9"},
                         {replaced(good, "endsolid name\n", ""), "ends"},
                         {replaced(good, "endsolid", "end"), "'endsolid'"},
                         {good + "more", "more"},
                         {good + "solid", "ends"},
                         {replaced(good, "vertex 0 1 0\n", ""), "line 6"}})
    {
      const std::string found = message(text);
      EXPECT_NE(found.find(word), std::string::npos) << text << found;
    }
  // Cut anywhere before the last word, it is never read.
  for (std::size_t n = 0; n + 14 < good.size(); ++n)
    EXPECT_NE(message(good.substr(0, n)), "") << n;
}



TEST(StlFile, BinaryErrors)
{
  Triangles twelve;
  for (unsigned int i = 0; i < 6; ++i)
    for (const auto &triangle : some_triangles())
      twelve.push_back(triangle);
  for (const std::string header : {"", "solid name"})
    {
      const std::string good = binary(twelve, header);
      const std::string cut  = message(good.substr(0, 84 + 7 * 50 + 20));
      EXPECT_NE(cut.find("12 triangles"), std::string::npos) << cut;
      EXPECT_NE(cut.find("room for 7"), std::string::npos) << cut;
      for (std::size_t n = 0; n < good.size(); ++n)
        EXPECT_NE(message(good.substr(0, n)), "") << n;
      EXPECT_NE(message(binary({}, header)).find("no triangles"),
                std::string::npos);
    }
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()})
    for (unsigned int v = 0; v < 3; ++v)
      for (unsigned int d = 0; d < 3; ++d)
        {
          Triangles triangles    = some_triangles();
          triangles[1][v][d]     = bad;
          const std::string text = message(binary(triangles));
          EXPECT_NE(text.find("vertex " + std::to_string(v + 1) +
                              " of triangle 2"),
                    std::string::npos)
            << text;
        }
  EXPECT_NE(message(""), "");
  EXPECT_NE(message("OFF\n3 1 0\n" + std::string(200, '1')).find("no STL file"),
            std::string::npos);
  EXPECT_NE(message(solid("")).find("no triangles"), std::string::npos);
}



/** Whatever the bytes are, there is a result with finite numbers or a message.
 */
TEST(StlFile, Mutations)
{
  Random number(7);
  const auto below = [&number](const std::size_t n) {
    return std::min<std::size_t>(n * number.uniform(0., 1.), n - 1);
  };
  const std::vector<std::string> files{solid(facet() + facet("1e-3 2 -.5")),
                                       binary(some_triangles()),
                                       binary(some_triangles(), "solid")};
  unsigned int n_read = 0;
  for (unsigned int n = 0; n < 5000; ++n)
    {
      std::string bytes = files[n % files.size()];
      for (unsigned int k = 0; k <= n % 3; ++k)
        switch (n / 3 % 4)
          {
            case 0:
              bytes[below(bytes.size())] = static_cast<char>(below(256));
              break;
            case 1:
              bytes.resize(1 + below(bytes.size()));
              break;
            case 2:
              bytes.insert(below(bytes.size()),
                           bytes.substr(below(bytes.size()), below(50)));
              break;
            default:
              bytes.erase(below(bytes.size()), 1 + below(9));
              bytes += ' ';
          }
      try
        {
          for (const auto &triangle : read_stl(bytes, "").triangles)
            for (const auto &x : triangle)
              EXPECT_TRUE(std::isfinite(x[0] + x[1] + x[2]));
          ++n_read;
        }
      catch (const UserError &)
        {}
    }
  EXPECT_GT(n_read, 100u);
  EXPECT_LT(n_read, 4900u);
}
