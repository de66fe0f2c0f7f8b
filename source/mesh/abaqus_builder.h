// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_abaqus_builder_h
#define ricochet_source_mesh_abaqus_builder_h

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "abaqus_scope.h"

namespace Ricochet
{
  /** Makes a mesh of a model, and groups of its names. */
  class AbaqusBuilder
  {
  public:
    explicit AbaqusBuilder(AbaqusModel &model)
      : model(model)
    {}

    PlainMesh
    build();

  private:
    /** Where elements are not in the mesh. */
    static constexpr std::uint32_t left_out = NumberTable::none;

    enum class SetOf
    {
      elements,
      nodes
    };

    void
    add_points(AbaqusScope &scope);

    void
    add_elements(AbaqusScope &scope);

    /** The members of a set, and of all that are in it. */
    const std::vector<std::uint32_t> &
    resolve(AbaqusScope &scope,
            AbaqusSet &set,
            const SetOf what,
            const unsigned int depth);

    /** Append what an item stands for. */
    void
    resolve_item(AbaqusScope &scope,
                 const AbaqusSetItem &item,
                 const SetOf what,
                 const unsigned int depth,
                 std::vector<std::uint32_t> &members);

    /** Append those numbers of a range that there are. */
    void
    resolve_range(AbaqusScope &scope,
                  const AbaqusSetItem &item,
                  const SetOf what,
                  std::vector<std::uint32_t> &members);

    /** Append the nodes of elements. */
    void
    append_nodes_of(const std::vector<std::uint32_t> &elements,
                    const AbaqusPlace &place,
                    std::vector<std::uint32_t> &members);

    /** What a name or number stands for; nothing if there is none. */
    std::optional<std::vector<std::uint32_t>>
    find(AbaqusScope &scope,
         const std::string_view word,
         const AbaqusPlace &place,
         const SetOf what,
         const unsigned int depth);

    /** The instance with a name, or nullptr. */
    AbaqusScope *
    find_instance(const std::string_view name);

    /** The groups of a surface: one for each dimension of faces. */
    std::vector<PlainMesh::Group>
    surface_groups(AbaqusScope &scope, const AbaqusSurface &surface);

    void
    add_face(const std::uint32_t element,
             const AbaqusSurface::Item &item,
             std::map<unsigned int, PlainMesh::Group> &groups);

    std::vector<PlainMesh::Group>
    element_set_groups(AbaqusScope &scope, AbaqusSet &set);

    std::vector<PlainMesh::Group>
    node_set_groups(AbaqusScope &scope, AbaqusSet &set);

    /** Groups of everything with a name in one of the maps of all scopes. */
    template <typename Type, typename MakeGroups>
    void
    add_groups(AbaqusNames<Type> AbaqusScope::*names,
               const char *what,
               const MakeGroups &make_groups);

    /** Groups of surfaces and sets. */
    void
    add_all_groups();

    /** Add a group, or to one of this kind that has the same name. */
    void
    add_group(PlainMesh::Group &&group,
              const std::string &name,
              const char *what);

    AbaqusModel &model;
    PlainMesh mesh;

    /** Whether elements of all scopes are in the mesh, and where. */
    std::vector<std::uint32_t> element_index;

    /** In which mesh elements are solids, by their index in the mesh. */
    std::vector<bool> is_structure;

    std::map<std::string, AbaqusScope *> instances;

    /** By name in capital letters and dimension: index and kind. */
    std::map<std::pair<std::string, unsigned int>,
             std::pair<std::size_t, std::string>>
      groups;

    unsigned int dim = 0;
  };
} // namespace Ricochet

#endif
