// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_med_shapes_h
#define ricochet_source_mesh_med_shapes_h

#include <ricochet/mesh/plain_mesh.h>

#include <array>
#include <string>

namespace Ricochet
{
  /** What a name of MED's types of cells stands for. */
  struct MedShape
  {
    const char *name;
    ElementType type;

    /** How many nodes are in another place than in ElementType, from the
     * start, and which. */
    unsigned int n_moved              = 0;
    std::array<unsigned int, 27> from = {{}};
  };

  /** The shape with a name such as "HE8"; nullptr if it is not known. */
  const MedShape *
  find_med_shape(const std::string &name);
} // namespace Ricochet

#endif
