// SPDX-License-Identifier: LGPL-2.1-or-later

#include <algorithm>

#include "abaqus_builder.h"

namespace Ricochet
{
  const std::vector<std::uint32_t> &
  AbaqusBuilder::resolve(AbaqusScope &scope,
                         AbaqusSet &set,
                         const SetOf what,
                         const unsigned int depth)
  {
    constexpr unsigned int max_depth = 200;
    if (set.state == AbaqusSet::State::known)
      return set.members;
    if ((set.state == AbaqusSet::State::in_work || depth > max_depth) &&
        !set.items.empty())
      set.items.front().place.fail("the set " + in_quotes(set.name) +
                                   " contains itself, or sets in sets too "
                                   "deeply. Mend the names.");
    set.state = AbaqusSet::State::in_work;
    std::vector<std::uint32_t> members;
    for (const AbaqusSetItem &item : set.items)
      resolve_item(scope, item, what, depth, members);
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    members.shrink_to_fit();
    set.members = std::move(members);
    set.state   = AbaqusSet::State::known;
    return set.members;
  }



  void
  AbaqusBuilder::resolve_item(AbaqusScope &here,
                              const AbaqusSetItem &item,
                              const SetOf what,
                              const unsigned int depth,
                              std::vector<std::uint32_t> &members)
  {
    AbaqusScope *scope = &here;
    if (!item.instance.empty())
      scope = find_instance(item.instance);
    if (scope == nullptr)
      item.place.fail("there is no instance " + in_quotes(item.instance) +
                      ". Mend the name.");

    if (item.kind == AbaqusSetItem::Kind::numbers)
      return resolve_range(*scope, item, what, members);
    if (item.kind == AbaqusSetItem::Kind::indices)
      {
        model.spend(item.last - item.first, item.place);
        const auto first =
          what == SetOf::nodes ? scope->first_point : scope->first_element;
        for (auto i = item.first; i < item.last; ++i)
          members.push_back(first + i);
        return;
      }
    const bool nodes_of = item.kind == AbaqusSetItem::Kind::nodes_of;
    const auto found    = find(*scope,
                            item.place.text,
                            item.place,
                            nodes_of ? SetOf::elements : what,
                            depth);
    if (!found)
      item.place.fail(
        "there is no " +
        std::string(what == SetOf::nodes && !nodes_of ? "node" : "element") +
        " or set of them " + in_quotes(item.place.text) +
        ". Mend the name or number.");
    if (nodes_of)
      append_nodes_of(*found, item.place, members);
    else
      members.insert(members.end(), found->begin(), found->end());
  }



  void
  AbaqusBuilder::resolve_range(AbaqusScope &scope,
                               const AbaqusSetItem &item,
                               const SetOf what,
                               std::vector<std::uint32_t> &members)
  {
    const bool nodes    = what == SetOf::nodes;
    const auto &table   = nodes ? scope.point_table : scope.element_table;
    const auto &numbers = nodes ? scope.point_numbers : scope.element_numbers;
    const auto first    = nodes ? scope.first_point : scope.first_element;
    const auto old_size = members.size();

    // Numbers may have gaps, and ranges be much larger than what they find.
    const auto n_steps = (item.last - item.first) / item.step;
    model.spend(1 + std::min<std::size_t>(n_steps, numbers.size()), item.place);
    if (n_steps < numbers.size())
      {
        for (std::uint64_t i = 0; i <= n_steps; ++i)
          if (const auto index = table.find(item.first + i * item.step);
              index != NumberTable::none)
            members.push_back(first + index);
      }
    else
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] >= item.first && numbers[i] <= item.last &&
            (numbers[i] - item.first) % item.step == 0)
          members.push_back(first + i);
    if (members.size() == old_size)
      item.place.fail(std::string("there is no ") +
                      (nodes ? "node" : "element") +
                      " with one of these numbers. Mend the line.");
  }



  void
  AbaqusBuilder::append_nodes_of(const std::vector<std::uint32_t> &elements,
                                 const AbaqusPlace &place,
                                 std::vector<std::uint32_t> &members)
  {
    for (const std::uint32_t e : elements)
      if (const auto index = element_index[e]; index != left_out)
        {
          const auto &element = mesh.elements[index];
          const auto begin    = mesh.nodes.begin() + element.first_node;
          const auto n        = info(element.type).n_nodes;
          model.spend(n, place);
          members.insert(members.end(), begin, begin + n);
        }
  }



  AbaqusScope *
  AbaqusBuilder::find_instance(const std::string_view name)
  {
    const auto found = instances.find(upper_case(name));
    return found == instances.end() ? nullptr : found->second;
  }



  std::optional<std::vector<std::uint32_t>>
  AbaqusBuilder::find(AbaqusScope &scope,
                      const std::string_view text,
                      const AbaqusPlace &place,
                      const SetOf what,
                      const unsigned int depth)
  {
    const bool has_quotes =
      text.size() > 2 && text.front() == '"' && text.back() == '"';
    const auto word = has_quotes ? text.substr(1, text.size() - 2) : text;

    auto &sets = what == SetOf::nodes ? scope.node_sets : scope.element_sets;
    if (const auto set = sets.find(upper_case(word)); set != sets.end())
      {
        const auto &members = resolve(scope, set->second, what, depth + 1);
        model.spend(1 + members.size(), place);
        return members;
      }

    std::uint64_t number = 0;
    if (as_number(word, number))
      {
        const auto index = what == SetOf::nodes
                             ? scope.point_table.find(number)
                             : scope.element_table.find(number);
        if (index == NumberTable::none)
          return std::nullopt;
        model.spend(1, place);
        return {{index + (what == SetOf::nodes ? scope.first_point
                                               : scope.first_element)}};
      }

    // "instance.name"
    if (const auto dot = word.rfind('.');
        dot != std::string_view::npos && scope.name.empty())
      if (AbaqusScope *const instance = find_instance(word.substr(0, dot)))
        return find(*instance, word.substr(dot + 1), place, what, depth);
    return std::nullopt;
  }
} // namespace Ricochet
