// SPDX-License-Identifier: LGPL-2.1-or-later

#include <algorithm>

#include "abaqus_builder.h"

namespace Ricochet
{
  PlainMesh
  AbaqusBuilder::build()
  {
    for (AbaqusScope &scope : model.scopes)
      {
        add_points(scope);
        if (!scope.name.empty())
          instances[upper_case(scope.name)] = &scope;
      }
    for (AbaqusScope &scope : model.scopes)
      add_elements(scope);
    for (const auto &element : mesh.elements)
      dim = std::max(dim, info(element.type).dim);

    add_all_groups();
    mesh.notes = model.notes;
    if (model.n_more_notes > 0)
      mesh.notes.push_back("There are " + std::to_string(model.n_more_notes) +
                           " more notes like these.");
    return std::move(mesh);
  }



  void
  AbaqusBuilder::add_points(AbaqusScope &scope)
  {
    scope.first_point = mesh.points.size();
    scope.point_table.create(scope.point_numbers);
    if (const auto &twice = scope.point_table.twice();
        twice.first != NumberTable::none)
      {
        const AbaqusPlace &first = scope.point_places[twice.first];
        scope.point_places[twice.second].fail(
          "node " + std::to_string(scope.point_numbers[twice.first]) +
          " is defined a second time; the first is in line " +
          std::to_string(first.file->line_of(first.text)) +
          ". Remove one of them.");
      }
    mesh.points.insert(mesh.points.end(),
                       scope.points.begin(),
                       scope.points.end());
    mesh.point_numbers.insert(mesh.point_numbers.end(),
                              scope.point_numbers.begin(),
                              scope.point_numbers.end());
    scope.points = {};
  }



  void
  AbaqusBuilder::add_elements(AbaqusScope &scope)
  {
    scope.first_element = element_index.size();
    scope.element_table.create(scope.element_numbers);
    if (const auto &twice = scope.element_table.twice();
        twice.first != NumberTable::none)
      {
        const AbaqusPlace &first = scope.elements[twice.first].place;
        scope.elements[twice.second].place.fail(
          "element " + std::to_string(scope.element_numbers[twice.first]) +
          " is defined a second time; the first is in line " +
          std::to_string(first.file->line_of(first.text)) +
          ". Remove one of them.");
      }

    std::vector<std::uint32_t> nodes;
    for (std::size_t i = 0; i < scope.elements.size(); ++i)
      {
        const auto &element = scope.elements[i];
        if (element.type.role == AbaqusRole::left_out)
          {
            element_index.push_back(left_out);
            continue;
          }
        nodes.clear();
        for (unsigned int k = 0; k < info(element.type.type).n_nodes; ++k)
          {
            const auto number = scope.element_nodes[element.first_node + k];
            const auto node   = scope.point_table.find(number);
            if (node == NumberTable::none)
              element.place.fail(
                "element " + std::to_string(scope.element_numbers[i]) +
                " has the node " + std::to_string(number) +
                ", which the file does not have. Mend the number.");
            nodes.push_back(scope.first_point + node);
          }
        element_index.push_back(mesh.elements.size());
        is_structure.push_back(element.type.role == AbaqusRole::structure);
        mesh.add_element(element.type.type, scope.element_numbers[i], nodes);
      }
    scope.element_nodes = {};
  }



  PlainMesh
  build_abaqus_mesh(AbaqusModel &model)
  {
    return AbaqusBuilder(model).build();
  }
} // namespace Ricochet
