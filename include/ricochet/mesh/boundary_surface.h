// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_boundary_surface_h
#define ricochet_mesh_boundary_surface_h

#include <ricochet/mesh/coarse_mesh.h>
#include <ricochet/obstacle/obstacle.h>

#include <deal.II/base/types.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /** The boundary of a mesh as extract_surface() has it. */
  template <int dim>
  struct BoundarySurface
  {
    ObstacleSurface<dim> facets;

    /** The id of the face that each facet comes from. */
    std::vector<dealii::types::boundary_id> boundary_ids;
  };



  /** Extract it, with straight edges. Throws a UserError that starts with
   * @p where if the boundary is not an orientable manifold. */
  template <int dim>
  BoundarySurface<dim>
  boundary_of(const CoarseMesh<dim> &mesh, const std::string &where);
} // namespace Ricochet

#endif
