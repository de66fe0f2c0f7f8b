// SPDX-License-Identifier: LGPL-2.1-or-later

#include "med_shapes.h"

namespace Ricochet
{
  namespace
  {
    /**
     * See the figures in med-fichier's documentation, "Les types géométriques",
     * and the reference elements of MEDCoupling. Cells with a volume are looked
     * at from the other side than in ElementType; edges come in the same
     * pattern, and the faces of hexahedra are the bottom, those over the edges
     * 01, 12, 23, 30, and the top.
     */
    constexpr std::array<MedShape, 15> shapes = {
      {{"PO1", ElementType::vertex},
       {"SE2", ElementType::line_2},
       {"SE3", ElementType::line_3},
       {"TR3", ElementType::triangle_3},
       {"TR6", ElementType::triangle_6},
       {"QU4", ElementType::quadrilateral_4},
       {"QU8", ElementType::quadrilateral_8},
       {"QU9", ElementType::quadrilateral_9},
       {"TE4", ElementType::tetrahedron_4, 3, {{0, 2, 1}}},
       {"T10",
        ElementType::tetrahedron_10,
        10,
        {{0, 2, 1, 3, 6, 5, 4, 7, 9, 8}}},
       {"PY5", ElementType::pyramid_5, 4, {{0, 3, 2, 1}}},
       {"PE6", ElementType::wedge_6, 6, {{0, 2, 1, 3, 5, 4}}},
       {"HE8", ElementType::hexahedron_8, 8, {{0, 3, 2, 1, 4, 7, 6, 5}}},
       {"H20", ElementType::hexahedron_20, 20, {{0,  3,  2,  1,  4,  7,  6,
                                                 5,  11, 10, 9,  8,  15, 14,
                                                 13, 12, 16, 19, 18, 17}}},
       {"H27", ElementType::hexahedron_27, 27, {{0,  3,  2,  1,  4,  7,  6,
                                                 5,  11, 10, 9,  8,  15, 14,
                                                 13, 12, 16, 19, 18, 17, 21,
                                                 23, 24, 22, 20, 25, 26}}}}};
  } // namespace



  const MedShape *
  find_med_shape(const std::string &name)
  {
    for (const MedShape &shape : shapes)
      if (name == shape.name)
        return &shape;
    return nullptr;
  }
} // namespace Ricochet
