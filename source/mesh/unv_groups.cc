// SPDX-License-Identifier: LGPL-2.1-or-later

#include <algorithm>
#include <optional>

#include "number_groups.h"
#include "unv_parser.h"

namespace Ricochet
{
  void
  UnvParser::read_groups(const std::uint64_t kind)
  {
    // Newer datasets tell two more numbers about each member.
    const std::size_t stride    = kind >= 2435 ? 4 : 2;
    constexpr std::int64_t node = 7, element = 8;
    while (next())
      {
        Group group;
        group.place = lines.line();
        split_unv_columns(group.place, words);
        if (words.size() < 2)
          file.fail(group.place,
                    "a group wants a line with its number and that of its "
                    "members here. Mend it.");
        group.number  = file.integer(words.front());
        std::size_t n = file.count(words.back(),
                                   file.text().size() / stride,
                                   "members of a group");
        if (!lines.next())
          need_next(group.place);
        group.name = lines.line();
        while (n > 0)
          {
            need_next(group.place);
            split_unv_columns(lines.line(), words);
            if (words.size() % stride != 0 || words.size() / stride > n)
              file.fail(lines.line(),
                        "a member of a group wants " + std::to_string(stride) +
                          " numbers, and there must be as many members as "
                          "announced. Mend the line.");
            n -= words.size() / stride;
            for (std::size_t i = 0; i < words.size(); i += stride)
              {
                const std::int64_t entity = file.integer(words[i]);
                if (entity == node)
                  group.nodes.emplace_back(file.label(words[i + 1], "a node"),
                                           words[i + 1]);
                else if (entity == element)
                  group.elements.emplace_back(file.label(words[i + 1],
                                                         "an element"),
                                              words[i + 1]);
                else
                  ++n_other_members;
              }
          }
        groups.push_back(std::move(group));
      }
  }



  namespace
  {
    /** The number that a name is. */
    std::optional<std::int64_t>
    number_in(const std::string_view name)
    {
      std::int64_t number = 0;
      return as_number(name, number) ? std::optional<std::int64_t>(number)
                                     : std::nullopt;
    }
  } // namespace



  void
  UnvParser::look_up_groups()
  {
    std::vector<std::uint64_t> numbers;
    unsigned int dim = 1;
    for (const auto &element : mesh.elements)
      {
        numbers.push_back(element.number);
        dim = std::max(dim, info(element.type).dim);
      }
    NumberTable table;
    table.create(numbers);
    if (const auto &twice = table.twice(); twice.first != NumberTable::none)
      file.fail(elements[twice.second].place,
                "element " + std::to_string(numbers[twice.first]) +
                  " is defined a second time; the first is in line " +
                  std::to_string(file.line_of(elements[twice.first].place)) +
                  ". Remove one of them.");

    std::set<std::int64_t> numbers_as_names;
    for (const Group &group : groups)
      if (const auto number = number_in(group.name))
        numbers_as_names.insert(*number);
    for (const Group &group : groups)
      {
        std::map<unsigned int, PlainMesh::Group> by_dim;
        const auto fail = [&](const auto &member, const char *what) {
          file.fail(member.second,
                    "group " + in_quotes(group.name) + " has the " + what +
                      " " + std::to_string(member.first) +
                      ", which the file does not have. Mend the number.");
        };
        for (const auto &member : group.elements)
          if (const auto e = table.find(member.first); e != NumberTable::none)
            by_dim[info(mesh.elements[e].type).dim].elements.push_back(e);
          else if (left_out_elements.count(member.first) == 0)
            fail(member, "element");
        for (const auto &member : group.nodes)
          if (const auto node = point_table.find(member.first);
              node != NumberTable::none)
            by_dim[dim - 1].points.push_back(node);
          else
            fail(member, "node");
        for (auto &entry : by_dim)
          {
            entry.second.dim    = entry.first;
            entry.second.name   = group.name;
            entry.second.number = number_in(group.name);
            // Where names are numbers, those are the ones that are meant.
            if (!entry.second.number &&
                numbers_as_names.count(group.number) == 0)
              entry.second.number = group.number;
            mesh.groups.push_back(std::move(entry.second));
          }
      }
    if (n_other_members > 0)
      mesh.notes.push_back(
        std::to_string(n_other_members) +
        " members of groups are neither nodes nor elements and are left "
        "out.");
  }



  void
  UnvParser::add_property_groups()
  {
    // Gmsh writes physical groups as materials; others tell bodies apart by
    // physical properties.
    std::set<std::int64_t> materials;
    for (const Element &element : elements)
      materials.insert(element.material);
    const bool by_material = materials.size() > 1;
    NumberGroups number_groups(mesh);
    std::set<std::int64_t> used;
    for (const Element &element : elements)
      used.insert(by_material ? element.material : element.physical);
    if (used.size() > 1)
      for (std::size_t e = 0; e < elements.size(); ++e)
        number_groups.add(e,
                          by_material ? elements[e].material
                                      : elements[e].physical);
  }
} // namespace Ricochet
