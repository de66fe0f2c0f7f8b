// SPDX-License-Identifier: LGPL-2.1-or-later

#include <algorithm>
#include <cmath>

#include "abaqus_parser.h"

namespace Ricochet
{
  void
  allow_parameters(const AbaqusKeyword &keyword,
                   const std::set<std::string> &allowed)
  {
    for (const auto &parameter : keyword.parameters)
      if (allowed.count(parameter.first) == 0)
        keyword.fail("the parameter " + in_quotes(parameter.first) + " of *" +
                     keyword.name +
                     " is not known here and may change the mesh. Write the "
                     "mesh without it.");
  }



  std::vector<double>
  real_numbers(const AbaqusData &data, const std::size_t first)
  {
    std::vector<double> result;
    for (std::size_t i = first; i < data.entries.size(); ++i)
      result.push_back(data.entries[i].empty()
                         ? 0.
                         : data.file->real(data.entries[i], Exponents::e_or_d));
    return result;
  }



  void
  AbaqusParser::read_nodes(const AbaqusKeyword &keyword)
  {
    allow_parameters(keyword, {"NSET", "INPUT", "SYSTEM", "INTERNAL"});
    const std::string system = upper_case(keyword.value("SYSTEM"));
    if (!system.empty() && system != "R")
      keyword.fail(
        "nodes in a cylindrical or spherical system are not "
        "followed here. Write rectangular coordinates.");
    if (keyword.has("INPUT"))
      deck.include(keyword, keyword.needed_value("INPUT"));

    AbaqusScope &target   = scope();
    const auto first      = target.points.size();
    std::size_t n_entries = 0;
    AbaqusData data;
    while (deck.next_data(data))
      {
        target.point_numbers.push_back(
          data.file->label(data.entries[0], "a node"));
        std::vector<double> x = real_numbers(data, 1);
        // Three more are a unit normal for shells.
        if (x.size() > 3 && (x.size() != 6 ||
                             std::abs(std::hypot(x[3], x[4], x[5]) - 1) > 1e-2))
          data.fail(
            "a node has more than three coordinates. Write decimal "
            "points, and commas between numbers only.");
        x.resize(3);
        target.points.push_back({{x[0], x[1], x[2]}});
        target.point_places.push_back({data.line, data.file});
        n_entries = std::max(n_entries, data.entries.size());
      }
    // A file that was cut off ends with half a node.
    if (target.points.size() > first && data.entries.size() < n_entries &&
        data.entries.size() < 4 && !data.continued &&
        data.line.data() + data.line.size() ==
          data.file->text().data() + data.file->text().size())
      data.fail(
        "the file ends with a node of fewer coordinates than others. "
        "Is it complete?");

    if (keyword.has("NSET"))
      {
        AbaqusSetItem item;
        item.kind       = AbaqusSetItem::Kind::indices;
        item.place      = {keyword.line, keyword.file};
        item.first      = first;
        item.last       = target.points.size();
        const auto name = keyword.needed_value("NSET");
        auto &set       = target.node_sets[upper_case(name)];
        set.name        = name;
        set.items.push_back(item);
      }
  }



  void
  AbaqusParser::read_elements(const AbaqusKeyword &keyword)
  {
    allow_parameters(keyword, {"TYPE", "ELSET", "INPUT", "INTERNAL"});
    const std::string name = upper_case(keyword.needed_value("TYPE"));
    std::string problem;
    const auto type = abaqus_type(name, problem);
    if (!type)
      keyword.fail("the type of elements " + in_quotes(name) + " " + problem);
    if (keyword.has("INPUT"))
      deck.include(keyword, keyword.needed_value("INPUT"));

    AbaqusScope &target = scope();
    const auto first    = target.elements.size();
    AbaqusData data;
    bool continued = false;
    while (deck.next_data(data))
      {
        if (continued)
          {
            continued = data.continued;
            continue;
          }
        target.element_numbers.push_back(
          data.file->label(data.entries[0], "an element"));
        target.elements.push_back(
          {*type, target.element_nodes.size(), {data.line, data.file}});
        if (type->role != AbaqusRole::left_out)
          read_element_nodes(data, type->type);
        else
          continued = data.continued;
      }

    const auto n = target.elements.size() - first;
    if (n > 0 && type->role != AbaqusRole::solid)
      {
        others[name].first = type->role;
        others[name].second += n;
      }
    if (keyword.has("ELSET"))
      {
        AbaqusSetItem item;
        item.kind           = AbaqusSetItem::Kind::indices;
        item.place          = {keyword.line, keyword.file};
        item.first          = first;
        item.last           = target.elements.size();
        const auto set_name = keyword.needed_value("ELSET");
        auto &set           = target.element_sets[upper_case(set_name)];
        set.name            = set_name;
        set.items.push_back(item);
      }
  }



  void
  AbaqusParser::read_element_nodes(AbaqusData &data, const ElementType type)
  {
    // Lines that go on need not end with a comma if they are long.
    constexpr std::size_t long_line = 8;
    const auto n_nodes              = info(type).n_nodes;
    const AbaqusData first          = data;
    std::vector<std::uint64_t> nodes;
    for (std::size_t begin = 1;; begin = 0)
      {
        for (std::size_t i = begin; i < data.entries.size(); ++i)
          nodes.push_back(data.file->label(data.entries[i], "a node"));
        if (nodes.size() >= n_nodes)
          break;
        if (!(data.continued || data.entries.size() - begin >= long_line) ||
            !deck.next_data(data))
          break;
      }
    if (nodes.size() != n_nodes)
      first.fail("the element has " + std::to_string(nodes.size()) +
                 " nodes, but " + info(type).name + " have " +
                 std::to_string(n_nodes) + ". Mend the line or the type.");
    reorder_abaqus_nodes(type, nodes);
    auto &all = scope().element_nodes;
    all.insert(all.end(), nodes.begin(), nodes.end());
  }



  namespace
  {
    /** Numbers from, to, and by what, as in a line of GENERATE. */
    AbaqusSetItem
    number_range(const AbaqusData &data)
    {
      AbaqusSetItem item;
      item.kind = AbaqusSetItem::Kind::numbers;
      if (data.entries.size() < 2 || data.entries.size() > 3)
        data.fail("GENERATE wants lines like: first, last, step. Mend it.");
      item.first = data.file->label(data.entries[0], "the first one");
      item.last  = data.file->label(data.entries[1], "the last one");
      if (data.entries.size() == 3 && !data.entries[2].empty())
        item.step = data.file->label(data.entries[2], "steps");
      if (item.last < item.first)
        data.fail("the last number is smaller than the first. Mend it.");
      return item;
    }
  } // namespace



  void
  AbaqusParser::read_set(const AbaqusKeyword &keyword, const bool of_nodes)
  {
    const std::string parameter = of_nodes ? "NSET" : "ELSET";
    allow_parameters(
      keyword,
      {"ELSET", "NSET", "GENERATE", "INSTANCE", "INTERNAL", "UNSORTED"});
    const auto name = keyword.needed_value(parameter);
    auto &set       = of_nodes ? scope().node_sets[upper_case(name)]
                               : scope().element_sets[upper_case(name)];
    if (set.name.empty())
      set.name = name;

    const auto instance = keyword.value("INSTANCE");
    if (of_nodes && keyword.has("ELSET"))
      {
        AbaqusSetItem item;
        item.kind     = AbaqusSetItem::Kind::nodes_of;
        item.place    = {keyword.needed_value("ELSET"), keyword.file};
        item.instance = instance;
        set.items.push_back(item);
      }

    AbaqusData data;
    while (deck.next_data(data))
      if (keyword.has("GENERATE"))
        {
          AbaqusSetItem item = number_range(data);
          item.place         = {data.line, data.file};
          item.instance      = instance;
          set.items.push_back(item);
        }
      else
        for (const auto &entry : data.entries)
          if (!entry.empty())
            {
              AbaqusSetItem item;
              item.place    = {entry, data.file};
              item.instance = instance;
              set.items.push_back(item);
            }
  }



  void
  AbaqusParser::read_surface(const AbaqusKeyword &keyword)
  {
    const auto name        = keyword.needed_value("NAME");
    const std::string type = upper_case(keyword.value("TYPE"));
    for (const auto parameter : {"COMBINE", "CROP"})
      if (keyword.has(parameter))
        {
          model.note("the surface " + in_quotes(name) + " is made by " +
                       parameter + ", which is not followed, and is left out.",
                     {keyword.line, keyword.file});
          return;
        }
    if (!type.empty() && type != "ELEMENT" && type != "NODE")
      {
        model.note("the surface " + in_quotes(name) + " of type " +
                     in_quotes(type) + " is none of the mesh and is left out.",
                   {keyword.line, keyword.file});
        return;
      }

    auto &surface = scope().surfaces[upper_case(name)];
    if (!surface.name.empty() && surface.of_nodes != (type == "NODE"))
      keyword.fail("there is another surface " + in_quotes(name) +
                   " of another type. Give it another name.");
    surface.name     = name;
    surface.of_nodes = type == "NODE";
    AbaqusData data;
    while (deck.next_data(data))
      {
        if (data.entries[0].empty())
          data.fail(
            "a surface of all free faces of the model cannot be "
            "read. Name a set of elements.");
        surface.items.push_back({{data.entries[0], data.file},
                                 data.entries.size() > 1
                                   ? data.entries[1]
                                   : data.entries[0].substr(0, 0)});
      }
  }
} // namespace Ricochet
