// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_abaqus_elements_h
#define ricochet_source_mesh_abaqus_elements_h

#include <ricochet/mesh/plain_mesh.h>

#include <array>
#include <optional>
#include <string>

namespace Ricochet
{
  /** What an element of Abaqus is to a mesh. */
  enum class AbaqusRole : std::uint8_t
  {
    solid,     /**< Of the continuum, in space or in the plane. */
    structure, /**< Shells, membranes, beams: no more than faces with names. */
    left_out   /**< Springs, masses and other things without a shape. */
  };

  /** A type of elements. */
  struct AbaqusType
  {
    AbaqusRole role  = AbaqusRole::left_out;
    ElementType type = ElementType::vertex;
  };

  /**
   * The type with a name as in "TYPE=C3D8R", in capital letters.
   *
   * @param[out] problem Why elements of this type cannot be read, if nothing
   *   is returned.
   */
  std::optional<AbaqusType>
  abaqus_type(const std::string &name, std::string &problem);

  /** Indices of the vertices of a face that is called S<@p face>; nothing if
   * elements of this type have none. */
  std::optional<std::array<std::uint8_t, 4>>
  abaqus_face(ElementType type, unsigned int face);

  /** Bring the nodes of an element from Abaqus' order into that of @p type. */
  template <typename Nodes>
  void
  reorder_abaqus_nodes(const ElementType type, Nodes &nodes)
  {
    // Abaqus has the centre first, then the faces S1 to S6.
    if (type == ElementType::hexahedron_27)
      {
        const auto old                              = nodes;
        constexpr std::array<unsigned int, 7> order = {
          {26, 24, 25, 22, 21, 23, 20}};
        for (unsigned int i = 0; i < 7; ++i)
          nodes[order[i]] = old[20 + i];
      }
  }
} // namespace Ricochet

#endif
