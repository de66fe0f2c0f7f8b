// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_mesh_quadratic_cells_h
#define ricochet_source_mesh_quadratic_cells_h

#include <ricochet/mesh/curved_nodes.h>
#include <ricochet/mesh/plain_mesh.h>

#include "mesh_faults.h"

namespace Ricochet
{
  /** Whether the nodes between the vertices of such elements can be used. */
  bool
  is_quadratic_cube(const ElementType type);

  /**
   * Take the nodes between the vertices of a quadratic quadrilateral or
   * hexahedron. Those amidst faces and cells that the element does not have are
   * where its serendipity functions put them. Adds to @p faults where a
   * neighbor has other nodes, or some are not finite.
   */
  template <int dim>
  void
  take_curved_nodes(const PlainMesh &mesh,
                    const PlainMesh::Element &element,
                    CurvedNodes<dim> &nodes,
                    MeshFaults &faults);
} // namespace Ricochet

#endif
