// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_plain_mesh_h
#define ricochet_mesh_plain_mesh_h

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * Types of elements in mesh files, by shape and number of nodes.
   *
   * The order of the nodes is that of VTK's cells of the same name: the
   * vertices of quadrilaterals go around, those of hexahedra around the bottom
   * and then around the top; then come the midpoints of edges (of hexahedra:
   * bottom, top, upright; of tetrahedra: 01, 12, 20, 03, 13, 23), of faces
   * (-x, +x, -y, +y, -z, +z), and the centre.
   */
  enum class ElementType : std::uint8_t
  {
    vertex,
    line_2,
    line_3,
    triangle_3,
    triangle_6,
    quadrilateral_4,
    quadrilateral_8,
    quadrilateral_9,
    tetrahedron_4,
    tetrahedron_10,
    pyramid_5,
    wedge_6,
    hexahedron_8,
    hexahedron_20,
    hexahedron_27
  };

  /** What messages and readers need to know about an ElementType. */
  struct ElementTypeInfo
  {
    const char *name; /**< Plural, e.g. "hexahedra with 20 nodes". */
    unsigned int dim;
    unsigned int n_vertices;
    unsigned int n_nodes;
  };

  /** The properties of a type. */
  const ElementTypeInfo &
  info(const ElementType type);



  /**
   * A mesh as it stands in a file, before anything is made of it: what every
   * reader fills, and check_mesh() looks at. Nothing is known to be right but
   * that all indices are below the sizes of what they count.
   */
  struct PlainMesh
  {
    /** An element with its nodes at
     * nodes[first_node .. first_node + n_nodes). */
    struct Element
    {
      ElementType type = ElementType::vertex;

      /** The number it has in the file, for messages. */
      std::uint64_t number = 0;

      std::size_t first_node = 0;

      /** For a copy in another process. */
      template <typename Archive>
      void
      serialize(Archive &archive, const unsigned int /*version*/)
      {
        archive &type;
        archive &number;
        archive &first_node;
      }
    };

    /** A face of an element that is not an element of its own. */
    struct Side
    {
      std::size_t element = 0;

      /** Indices of vertices within the element; unused ones are no_vertex. */
      std::array<std::uint8_t, 4> vertices{{}};

      /** For a copy in another process. */
      template <typename Archive>
      void
      serialize(Archive &archive, const unsigned int /*version*/)
      {
        archive &element;
        archive &vertices;
      }
    };

    static constexpr std::uint8_t no_vertex = 255;

    /** Cells or faces that belong together. An element may be in many groups.
     */
    struct Group
    {
      /** How the file calls it; empty if it has only a number. */
      std::string name;

      /** The number it has in the file. A group without one can be called by
       * its name only. */
      std::optional<std::int64_t> number;

      /** Dimension of its elements; of sides, that of a face. */
      unsigned int dim = 0;

      /** Indices of elements. */
      std::vector<std::size_t> elements;

      std::vector<Side> sides;

      /** Indices of points; the faces between them belong to the group. */
      std::vector<std::size_t> points;

      /** Indices of elements all of whose faces that no other element has
       * belong to the group. */
      std::vector<std::size_t> free_faces_of;

      /** For a copy in another process. */
      template <typename Archive>
      void
      serialize(Archive &archive, const unsigned int /*version*/)
      {
        bool has_number    = number.has_value();
        std::int64_t value = number.value_or(0);
        archive &name;
        archive &has_number;
        archive &value;
        archive &dim;
        archive &elements;
        archive &sides;
        archive &points;
        archive &free_faces_of;
        if (has_number)
          number = value;
        else
          number.reset();
      }
    };

    /** Coordinates; meshes in the plane have a third one of zero. */
    std::vector<std::array<double, 3>> points;

    /** The number of each point in the file, for messages; if empty, they
     * count from first_point_number. */
    std::vector<std::uint64_t> point_numbers;
    std::uint64_t first_point_number = 0;

    std::vector<Element> elements;

    /** Indices of points, of one element after the other. */
    std::vector<std::uint32_t> nodes;

    std::vector<Group> groups;

    /** What the reader has to say about a file that it could read: what it
     * left out. Sentences. */
    std::vector<std::string> notes;

    /** The number of a point in the file. */
    std::uint64_t
    number_of_point(const std::size_t point) const
    {
      return point_numbers.empty() ? first_point_number + point
                                   : point_numbers[point];
    }

    /** Append an element with as many nodes as its type wants, and return its
     * index. */
    template <typename Nodes>
    std::size_t
    add_element(const ElementType type,
                const std::uint64_t number,
                const Nodes &element_nodes)
    {
      elements.push_back({type, number, nodes.size()});
      nodes.insert(nodes.end(), element_nodes.begin(), element_nodes.end());
      return elements.size() - 1;
    }

    /** For a copy in another process. */
    template <typename Archive>
    void
    serialize(Archive &archive, const unsigned int /*version*/)
    {
      archive &points;
      archive &point_numbers;
      archive &first_point_number;
      archive &elements;
      archive &nodes;
      archive &groups;
      archive &notes;
    }
  };
} // namespace Ricochet

#endif
