// SPDX-License-Identifier: LGPL-2.1-or-later

#include <algorithm>

#include "abaqus_builder.h"

namespace Ricochet
{
  std::vector<PlainMesh::Group>
  AbaqusBuilder::surface_groups(AbaqusScope &scope,
                                const AbaqusSurface &surface)
  {
    std::map<unsigned int, PlainMesh::Group> result;
    const SetOf what = surface.of_nodes ? SetOf::nodes : SetOf::elements;
    for (const auto &item : surface.items)
      {
        const auto members = find(scope, item.what.text, item.what, what, 0);
        if (!members && surface.of_nodes)
          {
            model.note("the surface " + in_quotes(surface.name) +
                         " is one of nodes that the file does not have, " +
                         in_quotes(item.what.text) + ", and is left out.",
                       item.what);
            return {};
          }
        if (!members)
          item.what.fail("there is no element or set of them " +
                         in_quotes(item.what.text) + ", of which surface " +
                         in_quotes(surface.name) +
                         " is to be made. Mend the name or number.");
        if (surface.of_nodes)
          {
            auto &points = result[std::max(dim, 1u) - 1].points;
            points.insert(points.end(), members->begin(), members->end());
          }
        else
          for (const std::uint32_t e : *members)
            if (element_index[e] != left_out)
              add_face(element_index[e], item, result);
      }
    std::vector<PlainMesh::Group> groups;
    for (auto &group : result)
      {
        group.second.dim = group.first;
        groups.push_back(std::move(group.second));
      }
    return groups;
  }



  void
  AbaqusBuilder::add_face(const std::uint32_t e,
                          const AbaqusSurface::Item &item,
                          std::map<unsigned int, PlainMesh::Group> &groups)
  {
    const auto type         = mesh.elements[e].type;
    const auto element_dim  = info(type).dim;
    const std::string label = upper_case(item.face);

    // Either side of a shell is the shell itself.
    if (is_structure[e])
      {
        if (label.empty() || label == "SPOS" || label == "SNEG" ||
            label == "S1" || label == "S2")
          groups[element_dim].elements.push_back(e);
        return;
      }
    if (label.empty())
      {
        groups[std::max(element_dim, 1u) - 1].free_faces_of.push_back(e);
        return;
      }
    const unsigned int face =
      label.size() == 2 && label[0] == 'S' && label[1] >= '1' && label[1] <= '9'
        ? label[1] - '0'
        : 0;
    const auto vertices = abaqus_face(type, face);
    if (!vertices)
      item.what.fail("element " + std::to_string(mesh.elements[e].number) +
                     ", one of the " + info(type).name + ", has no face " +
                     in_quotes(item.face) + ". Mend the name of the face.");
    groups[element_dim - 1].sides.push_back({e, *vertices});
  }



  std::vector<PlainMesh::Group>
  AbaqusBuilder::element_set_groups(AbaqusScope &scope, AbaqusSet &set)
  {
    std::map<unsigned int, PlainMesh::Group> result;
    for (const std::uint32_t e : resolve(scope, set, SetOf::elements, 0))
      if (const auto index = element_index[e]; index != left_out)
        result[info(mesh.elements[index].type).dim].elements.push_back(index);
    std::vector<PlainMesh::Group> groups;
    for (auto &group : result)
      {
        group.second.dim = group.first;
        groups.push_back(std::move(group.second));
      }
    return groups;
  }



  std::vector<PlainMesh::Group>
  AbaqusBuilder::node_set_groups(AbaqusScope &scope, AbaqusSet &set)
  {
    const auto &members = resolve(scope, set, SetOf::nodes, 0);
    if (members.empty())
      return {};
    PlainMesh::Group group;
    group.dim = std::max(dim, 1u) - 1;
    group.points.assign(members.begin(), members.end());
    return {std::move(group)};
  }



  namespace
  {
    /** deal.II's convention: surfaces SS7 and sets of elements EB7 have the
     * number 7. */
    std::optional<std::int64_t>
    number_in(const std::string &name)
    {
      if (name.size() < 3 || name.size() > 11 ||
          (name.compare(0, 2, "SS") != 0 && name.compare(0, 2, "EB") != 0))
        return std::nullopt;
      std::int64_t number = 0;
      if (!as_number(std::string_view(name).substr(2), number) || number < 0)
        return std::nullopt;
      return number;
    }
  } // namespace



  template <typename Type, typename MakeGroups>
  void
  AbaqusBuilder::add_groups(AbaqusNames<Type> AbaqusScope::*names,
                            const char *what,
                            const MakeGroups &make_groups)
  {
    AbaqusScope &assembly = model.scopes.front();
    std::map<std::string, unsigned int> n_scopes;
    for (AbaqusScope &scope : model.scopes)
      for (auto &entry : scope.*names)
        {
          const std::string &name = entry.second.name;
          auto made               = make_groups(scope, entry.second);
          const bool is_assembly  = &scope == &assembly;
          for (PlainMesh::Group &group : made)
            {
              if (!is_assembly)
                add_group(PlainMesh::Group(group),
                          scope.name + "." + name,
                          what);
              // In the assembly a name may mean something else.
              if (is_assembly || (assembly.*names).count(entry.first) == 0)
                add_group(std::move(group), name, what);
            }
          if (!is_assembly)
            ++n_scopes[entry.first];
        }
    for (const auto &entry : n_scopes)
      if (entry.second > 1 && (assembly.*names).count(entry.first) == 0)
        model.note("The " + std::string(what) + " " + in_quotes(entry.first) +
                   " joins those of " + std::to_string(entry.second) +
                   (model.has_instances ? " instances" : " parts") +
                   "; each has a name like 'instance.set', too.");
  }



  void
  AbaqusBuilder::add_group(PlainMesh::Group &&group,
                           const std::string &name,
                           const char *what)
  {
    const std::string key = upper_case(name);
    const auto inserted   = groups.insert(
      {{key, group.dim}, {mesh.groups.size(), std::string(what)}});
    if (inserted.second)
      {
        group.name   = name;
        group.number = number_in(key);
        mesh.groups.push_back(std::move(group));
        return;
      }
    const auto &other = inserted.first->second;
    if (other.second != what)
      {
        model.note("The " + std::string(what) + " " + in_quotes(name) +
                   " has the name of a " + other.second +
                   " and cannot be used.");
        return;
      }
    const auto append = [](auto &to, const auto &from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    PlainMesh::Group &joint = mesh.groups[other.first];
    append(joint.elements, group.elements);
    append(joint.sides, group.sides);
    append(joint.points, group.points);
    append(joint.free_faces_of, group.free_faces_of);
  }



  void
  AbaqusBuilder::add_all_groups()
  {
    // Surfaces first: of equal names they are the ones that are meant.
    add_groups(&AbaqusScope::surfaces,
               "surface",
               [this](AbaqusScope &scope, const AbaqusSurface &surface) {
                 return surface_groups(scope, surface);
               });
    add_groups(&AbaqusScope::element_sets,
               "set of elements",
               [this](AbaqusScope &scope, AbaqusSet &set) {
                 return element_set_groups(scope, set);
               });
    add_groups(&AbaqusScope::node_sets,
               "set of nodes",
               [this](AbaqusScope &scope, AbaqusSet &set) {
                 return node_set_groups(scope, set);
               });
  }
} // namespace Ricochet
