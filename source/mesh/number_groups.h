// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_number_groups_h
#define ricochet_source_mesh_number_groups_h

#include <ricochet/mesh/plain_mesh.h>

#include <map>
#include <utility>

namespace Ricochet
{
  /** Makes groups of elements that have a number each, such as that of a
   * material: one for each number and dimension. Those
   * that the mesh has are continued. */
  class NumberGroups
  {
  public:
    explicit NumberGroups(PlainMesh &mesh)
      : mesh(mesh)
    {
      for (std::size_t g = 0; g < mesh.groups.size(); ++g)
        if (mesh.groups[g].number)
          index.emplace(std::make_pair(mesh.groups[g].dim,
                                       *mesh.groups[g].number),
                        g);
    }

    /** Put an element into the group with a number. */
    void
    add(const std::size_t element, const std::int64_t number)
    {
      const unsigned int dim = info(mesh.elements[element].type).dim;
      const auto place =
        index.emplace(std::make_pair(dim, number), mesh.groups.size());
      if (place.second)
        {
          mesh.groups.emplace_back();
          mesh.groups.back().dim    = dim;
          mesh.groups.back().number = number;
        }
      mesh.groups[place.first->second].elements.push_back(element);
    }

  private:
    PlainMesh &mesh;
    std::map<std::pair<unsigned int, std::int64_t>, std::size_t> index;
  };
} // namespace Ricochet

#endif
