// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/mesh_readers.h>

#include <map>

#include "file_lines.h"
#include "number_groups.h"

namespace Ricochet
{
  namespace
  {
    /** A type of cells, with the place in the file of each node. AVS tells the
     * apex of a pyramid first. */
    struct UcdShape
    {
      ElementType type;
      std::vector<unsigned int> order;
    };

    const std::map<std::string, UcdShape> &
    shapes()
    {
      static const std::map<std::string, UcdShape> result = {
        {"PT", {ElementType::vertex, {0}}},
        {"LINE", {ElementType::line_2, {0, 1}}},
        {"TRI", {ElementType::triangle_3, {0, 1, 2}}},
        {"QUAD", {ElementType::quadrilateral_4, {0, 1, 2, 3}}},
        {"TET", {ElementType::tetrahedron_4, {0, 1, 2, 3}}},
        {"PYR", {ElementType::pyramid_5, {1, 2, 3, 4, 0}}},
        {"PRISM", {ElementType::wedge_6, {0, 1, 2, 3, 4, 5}}},
        {"HEX", {ElementType::hexahedron_8, {0, 1, 2, 3, 4, 5, 6, 7}}}};
      return result;
    }



    /** Reads the lines of a file. */
    class UcdReader
    {
    public:
      UcdReader(const std::string &file_name, const std::string &where)
        : file(file_name, where)
        , where(where)
        , lines(file)
      {}

      PlainMesh
      read();

    private:
      void
      read_node();

      void
      read_cell(NumberGroups &groups);

      /** Go to the words of the next line, of which @p part has some. */
      void
      need_next(const char *part);

      void
      make_point_table();

      TextFile file;
      std::string where;
      LineScanner lines;
      std::vector<std::string_view> words, point_places;
      PlainMesh mesh;
      NumberTable point_table;
    };



    void
    UcdReader::need_next(const char *part)
    {
      if (!lines.next_filled())
        file.fail(lines.line(),
                  std::string("the file ends before its ") + part +
                    " are as many as its first line announces. Is it "
                    "complete?");
      split_words(lines.line(), words);
    }



    PlainMesh
    UcdReader::read()
    {
      do
        require(lines.next_filled(),
                where + ": the file is empty. Is it the right one?");
      while (lines.line().front() == '#');
      split_words(lines.line(), words);
      const std::string_view header = lines.line();
      if (words.size() != 5)
        file.fail(header,
                  "the file does not begin with five numbers, those of nodes, "
                  "cells and data. Is it a UCD file in text form?");

      // A node and a cell take at least eight bytes each.
      const std::size_t limit = file.text().size() / 7;
      const auto n_nodes      = file.count(words[0], limit, "nodes");
      const auto n_cells      = file.count(words[1], limit, "cells");
      const bool has_data     = file.integer(words[2]) != 0 ||
                            file.integer(words[3]) != 0 ||
                            file.integer(words[4]) != 0;
      for (std::size_t i = 0; i < n_nodes; ++i)
        read_node();
      make_point_table();
      NumberGroups groups(mesh);
      for (std::size_t i = 0; i < n_cells; ++i)
        read_cell(groups);
      if (!has_data && lines.next_filled())
        file.fail(lines.line(),
                  "the file has more lines than its first line announces. Mend "
                  "the numbers of nodes and cells there.");
      require(!mesh.elements.empty(),
              where + ": there are no cells in the file. Is it complete?");
      return std::move(mesh);
    }



    void
    UcdReader::read_node()
    {
      need_next("nodes");
      if (words.size() != 4)
        file.fail(lines.line(),
                  "a node wants its number and three coordinates here. Mend "
                  "the line, or the numbers in the first line of the file.");
      // Some programs count nodes from zero.
      const std::int64_t number = file.integer(words[0]);
      if (number < 0)
        file.fail(lines.line(),
                  "the number of a node must not be negative. Mend it.");
      std::array<double, 3> x;
      for (unsigned int d = 0; d < 3; ++d)
        x[d] = file.real(words[1 + d], Exponents::e_or_d);
      mesh.points.push_back(x);
      mesh.point_numbers.push_back(number);
      point_places.push_back(lines.line());
    }



    void
    UcdReader::read_cell(NumberGroups &groups)
    {
      need_next("cells");
      if (words.size() < 3)
        file.fail(lines.line(),
                  "a cell wants its number, material, type and nodes here. "
                  "Mend the line.");
      const std::int64_t number   = file.integer(words[0]);
      const std::int64_t material = file.integer(words[1]);
      const auto shape            = shapes().find(upper_case(words[2]));
      if (shape == shapes().end())
        file.fail(
          lines.line(),
          "cells of type " + in_quotes(words[2]) +
            " are not known. Known are line, tri, quad, tet, pyr, prism "
            "and hex. Mend the line.");
      const auto &order = shape->second.order;
      if (number < 0 || words.size() != 3 + order.size())
        file.fail(lines.line(),
                  "a cell of type " + in_quotes(words[2]) + " wants " +
                    std::to_string(order.size()) +
                    " nodes and a number that is not negative. Mend the line.");
      std::vector<std::uint32_t> nodes;
      for (const unsigned int k : order)
        {
          const std::int64_t node = file.integer(words[3 + k]);
          const auto index =
            node < 0 ? NumberTable::none : point_table.find(node);
          if (index == NumberTable::none)
            file.fail(words[3 + k],
                      "cell " + std::to_string(number) + " has the node " +
                        std::to_string(node) +
                        ", which the file does not have. Mend the number.");
          nodes.push_back(index);
        }
      groups.add(mesh.add_element(shape->second.type, number, nodes), material);
    }



    void
    UcdReader::make_point_table()
    {
      point_table.create(mesh.point_numbers);
      // Programs that write cells and faces one after the other may begin
      // anew, so numbers of cells are for messages only.
      if (const auto &twice = point_table.twice();
          twice.first != NumberTable::none)
        file.fail(point_places[twice.second],
                  "the node has a number that another has in line " +
                    std::to_string(file.line_of(point_places[twice.first])) +
                    ". Give it another one.");
    }
  } // namespace



  PlainMesh
  read_ucd_mesh(const std::string &file_name, const std::string &where)
  {
    return UcdReader(file_name, where).read();
  }
} // namespace Ricochet
