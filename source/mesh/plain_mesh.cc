// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/mesh/plain_mesh.h>

namespace Ricochet
{
  namespace
  {
    /** In the order of the enumeration. */
    constexpr std::array<ElementTypeInfo, 15> table = {
      {{"vertices", 0, 1, 1},
       {"lines", 1, 2, 2},
       {"lines with 3 nodes", 1, 2, 3},
       {"triangles", 2, 3, 3},
       {"triangles with 6 nodes", 2, 3, 6},
       {"quadrilaterals", 2, 4, 4},
       {"quadrilaterals with 8 nodes", 2, 4, 8},
       {"quadrilaterals with 9 nodes", 2, 4, 9},
       {"tetrahedra", 3, 4, 4},
       {"tetrahedra with 10 nodes", 3, 4, 10},
       {"pyramids", 3, 5, 5},
       {"wedges", 3, 6, 6},
       {"hexahedra", 3, 8, 8},
       {"hexahedra with 20 nodes", 3, 8, 20},
       {"hexahedra with 27 nodes", 3, 8, 27}}};
  } // namespace



  const ElementTypeInfo &
  info(const ElementType type)
  {
    return table[static_cast<std::size_t>(type)];
  }
} // namespace Ricochet
