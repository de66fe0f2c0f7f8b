// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_unv_shapes_h
#define ricochet_source_mesh_unv_shapes_h

#include <ricochet/mesh/plain_mesh.h>

#include <vector>

namespace Ricochet
{
  /** Where the nodes of a universal file's element go: it tells them around
   * the corners and midpoints of edges as they come. */
  struct UnvShape
  {
    ElementType type;

    /** For each node of the type, its place in the file. */
    std::vector<unsigned int> order;
  };



  /** Descriptors from this one on are those of springs, masses, rigid elements
   * and such. */
  constexpr unsigned int first_unv_type_without_shape = 121;

  /** Whether elements with this descriptor have a line about their cross
   * section. */
  bool
  is_unv_beam(const std::uint64_t descriptor);

  /** The shape of elements with a descriptor; nullptr if it cannot be read.
   * Plane ones are told apart by the number of their nodes. */
  const UnvShape *
  find_unv_shape(const std::uint64_t descriptor, const std::size_t n_nodes);
} // namespace Ricochet

#endif
