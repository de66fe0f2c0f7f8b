// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/mesh_readers.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "unv_parser.h"
#include "unv_shapes.h"

namespace Ricochet
{
  void
  split_unv_columns(const std::string_view line,
                    std::vector<std::string_view> &words)
  {
    constexpr std::size_t width = 10;
    split_words(line, words);
    if (std::none_of(words.begin(), words.end(), [](const auto &word) {
          return word.size() > width;
        }))
      return;
    // Blanks before the first number are not in the line.
    const std::size_t begin = line.size() % width;
    std::vector<std::string_view> columns;
    if (begin > 0)
      columns.push_back(line.substr(0, begin));
    for (std::size_t i = begin; i < line.size(); i += width)
      columns.push_back(trimmed(line.substr(i, width)));
    if (std::none_of(columns.begin(), columns.end(), [](const auto &column) {
          return column.find_first_of(blanks) != std::string_view::npos;
        }))
      words = columns;
  }



  bool
  UnvParser::next()
  {
    return lines.next_filled() && lines.line() != "-1";
  }



  void
  UnvParser::need_next(const std::string_view what)
  {
    if (!next())
      file.fail(what,
                "the dataset ends in the midst of what begins here. Is the "
                "file complete?");
  }



  PlainMesh
  UnvParser::read()
  {
    while (lines.next_filled())
      {
        if (lines.line() != "-1")
          file.fail(lines.line(),
                    "a dataset begins with a line of -1, not with " +
                      in_quotes(lines.line()) + ". Is it a universal file?");
        const std::string_view begin = lines.line();
        if (!lines.next_filled())
          file.fail(begin,
                    "the file ends where a dataset begins. Is it complete?");
        split_words(lines.line(), words);
        std::uint64_t kind = 0;
        const auto word    = words.front();
        const auto result =
          std::from_chars(word.data(), word.data() + word.size(), kind);
        if (result.ec != std::errc() || result.ptr == word.data())
          file.fail(word,
                    in_quotes(word) +
                      " is not the number of a dataset. Mend it.");
        const std::string_view place = lines.line();
        read_dataset(kind);
        if (lines.line() != "-1")
          file.fail(place,
                    "the dataset that begins here is not ended by a line of "
                    "-1. Is the file complete?");
      }
    look_up_nodes();
    look_up_groups();
    if (groups.empty())
      add_property_groups();
    for (const auto &kind : left_out_kinds)
      mesh.notes.push_back("Elements of type " + std::to_string(kind.first) +
                           ", " + std::to_string(kind.second) +
                           " of them, have no shape and are left out.");
    require(!mesh.elements.empty(),
            where +
              ": there are no elements in the file, which dataset 2412 "
              "would have. Is it complete?");
    return std::move(mesh);
  }



  void
  UnvParser::read_dataset(const std::uint64_t kind)
  {
    switch (kind)
      {
        case 15:
        case 781:
        case 2411:
          read_nodes(kind);
          break;
        case 780:
        case 2412:
          read_elements(kind);
          break;
        case 2417:
        case 2429:
        case 2430:
        case 2432:
        case 2435:
        case 2452:
        case 2467:
        case 2477:
          read_groups(kind);
          break;
        case 71:
          file.fail(lines.line(),
                    "dataset 71 has elements in an old form that cannot be "
                    "read. Write dataset 2412.");
        case 164:
          read_units();
          break;
        default:
          while (next())
            ;
      }
  }



  void
  UnvParser::read_nodes(const std::uint64_t kind)
  {
    while (next())
      {
        const std::string_view first = lines.line();
        split_unv_columns(first, words);
        const bool one_line = kind == 15;
        if (one_line)
          split_words(first, words);
        if (words.size() != (one_line ? 7 : 4))
          file.fail(first,
                    "a node wants a line of " +
                      std::string(one_line ? "7" : "4") +
                      " numbers here. Mend it.");
        mesh.point_numbers.push_back(file.label(words[0], "a node"));
        point_places.push_back(first);
        if (!one_line)
          {
            need_next(first);
            split_words(lines.line(), words);
            if (words.size() != 3)
              file.fail(lines.line(),
                        "a node wants three coordinates here. Mend it.");
          }
        std::array<double, 3> x;
        for (unsigned int d = 0; d < 3; ++d)
          x[d] = file.real(words[words.size() - 3 + d], Exponents::e_or_d);
        mesh.points.push_back(x);
      }
  }



  std::vector<std::uint64_t>
  UnvParser::read_labels(const std::size_t n, const std::string_view what)
  {
    std::vector<std::uint64_t> result;
    while (result.size() < n)
      {
        need_next(what);
        split_unv_columns(lines.line(), words);
        for (const auto &word : words)
          result.push_back(file.label(word, "a node"));
      }
    if (result.size() > n)
      file.fail(what,
                "the element has more nodes than the " + std::to_string(n) +
                  " that are announced here. Mend the number.");
    return result;
  }



  void
  UnvParser::read_elements(const std::uint64_t kind)
  {
    const std::size_t n_words = kind == 780 ? 8 : 6;
    while (next())
      {
        const std::string_view first = lines.line();
        split_unv_columns(first, words);
        if (words.size() != n_words)
          file.fail(first,
                    "an element wants a line of " + std::to_string(n_words) +
                      " numbers here. Mend it.");
        const auto number     = file.label(words[0], "an element");
        const auto descriptor = file.label(words[1], "a type");
        const Element element{first,
                              file.integer(words[kind == 780 ? 3 : 2]),
                              file.integer(words[kind == 780 ? 5 : 3])};
        const std::size_t n =
          file.count(words.back(), file.text().size(), "nodes of an element");
        if (is_unv_beam(descriptor))
          need_next(first);

        const std::vector<std::uint64_t> labels = read_labels(n, first);
        const UnvShape *const shape             = find_unv_shape(descriptor, n);
        if (shape == nullptr && descriptor >= first_unv_type_without_shape)
          {
            left_out_elements.insert(number);
            ++left_out_kinds[descriptor];
            continue;
          }
        if (shape == nullptr)
          file.fail(first,
                    "elements of type " + std::to_string(descriptor) +
                      " with " + std::to_string(n) +
                      " nodes are not known. Known are tetrahedra, wedges, "
                      "hexahedra, triangles and quadrilaterals. Convert or "
                      "remove them.");
        elements.push_back(element);
        mesh.elements.push_back({shape->type, number, element_nodes.size()});
        for (const unsigned int place : shape->order)
          element_nodes.push_back(labels[place]);
      }
  }



  void
  UnvParser::read_units()
  {
    if (!next() || !next())
      return;
    split_words(lines.line(), words);
    const double factor = file.real(words.front(), Exponents::e_or_d);
    if (std::abs(factor - 1) > 1e-12)
      mesh.notes.push_back(
        "Lengths in the file are those of its units (dataset 164 has the "
        "factor " +
        in_quotes(words.front()) + "); they are taken as they are.");
    while (next())
      ;
  }



  void
  UnvParser::look_up_nodes()
  {
    point_table.create(mesh.point_numbers);
    if (const auto &twice = point_table.twice();
        twice.first != NumberTable::none)
      file.fail(point_places[twice.second],
                "node " + std::to_string(mesh.point_numbers[twice.first]) +
                  " is defined a second time; the first is in line " +
                  std::to_string(file.line_of(point_places[twice.first])) +
                  ". Remove one of them.");
    mesh.nodes.reserve(element_nodes.size());
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (unsigned int k = 0; k < info(mesh.elements[e].type).n_nodes; ++k)
        {
          const auto number = element_nodes[mesh.elements[e].first_node + k];
          const auto index  = point_table.find(number);
          if (index == NumberTable::none)
            file.fail(elements[e].place,
                      "element " + std::to_string(mesh.elements[e].number) +
                        " has the node " + std::to_string(number) +
                        ", which the file does not have. Mend the number.");
          mesh.nodes.push_back(index);
        }
    element_nodes = {};
  }



  PlainMesh
  read_unv_mesh(const std::string &file_name, const std::string &where)
  {
    return UnvParser(file_name, where).read();
  }
} // namespace Ricochet
