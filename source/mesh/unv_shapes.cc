// SPDX-License-Identifier: LGPL-2.1-or-later

#include "unv_shapes.h"

namespace Ricochet
{
  namespace
  {
    const UnvShape line_2{ElementType::line_2, {0, 1}};
    const UnvShape line_3{ElementType::line_3, {0, 2, 1}};
    const UnvShape triangle_3{ElementType::triangle_3, {0, 1, 2}};
    const UnvShape triangle_6{ElementType::triangle_6, {0, 2, 4, 1, 3, 5}};
    const UnvShape quadrilateral_4{ElementType::quadrilateral_4, {0, 1, 2, 3}};
    const UnvShape quadrilateral_8{ElementType::quadrilateral_8,
                                   {0, 2, 4, 6, 1, 3, 5, 7}};
    const UnvShape quadrilateral_9{ElementType::quadrilateral_9,
                                   {0, 1, 2, 3, 4, 5, 6, 7, 8}};
    const UnvShape tetrahedron_4{ElementType::tetrahedron_4, {0, 1, 2, 3}};
    const UnvShape tetrahedron_10{ElementType::tetrahedron_10,
                                  {0, 2, 4, 9, 1, 3, 5, 6, 7, 8}};
    const UnvShape wedge_6{ElementType::wedge_6, {0, 1, 2, 3, 4, 5}};
    const UnvShape hexahedron_8{ElementType::hexahedron_8,
                                {0, 1, 2, 3, 4, 5, 6, 7}};
    const UnvShape hexahedron_20{ElementType::hexahedron_20,
                                 {0, 2, 4,  6,  12, 14, 16, 18, 1,  3,
                                  5, 7, 13, 15, 17, 19, 8,  9,  10, 11}};

    // The standard has no elements with nodes amidst faces, but Gmsh writes
    // its own under the descriptors of linear ones, in its own order.
    const UnvShape hexahedron_27{ElementType::hexahedron_27,
                                 {0,  1,  2,  3,  4,  5,  6,  7,  8,
                                  11, 13, 9,  16, 18, 19, 17, 10, 12,
                                  14, 15, 22, 23, 21, 24, 20, 25, 26}};
  } // namespace



  bool
  is_unv_beam(const std::uint64_t descriptor)
  {
    return descriptor == 11 || (descriptor >= 21 && descriptor <= 24);
  }



  const UnvShape *
  find_unv_shape(const std::uint64_t descriptor, const std::size_t n_nodes)
  {
    if (is_unv_beam(descriptor))
      return n_nodes == 2 ? &line_2 : n_nodes == 3 ? &line_3 : nullptr;
    if (descriptor >= 41 && descriptor <= 96)
      switch (n_nodes)
        {
          case 3:
            return &triangle_3;
          case 4:
            return &quadrilateral_4;
          case 6:
            return &triangle_6;
          case 8:
            return &quadrilateral_8;
          case 9:
            return &quadrilateral_9;
          default:
            return nullptr;
        }
    const UnvShape *shape = nullptr;
    switch (descriptor)
      {
        case 111:
          shape = &tetrahedron_4;
          break;
        case 118:
          shape = &tetrahedron_10;
          break;
        case 101:
        case 112:
          shape = &wedge_6;
          break;
        case 104:
        case 115:
          shape = n_nodes == 27 ? &hexahedron_27 : &hexahedron_8;
          break;
        case 105:
        case 116:
          shape = &hexahedron_20;
          break;
      }
    return shape != nullptr && shape->order.size() == n_nodes ? shape : nullptr;
  }
} // namespace Ricochet
