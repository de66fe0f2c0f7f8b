// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_rigid_regions_h
#define ricochet_body_rigid_regions_h

#include <ricochet/body/rigid_body.h>
#include <ricochet/mesh/coarse_mesh.h>

#include <string>
#include <vector>

namespace Ricochet
{
  /**
   * The rigid regions of a mesh, whose cells have the material id
   * CoarseMesh::rigid_cell: as rigid bodies without names and forces, with what
   * their cells alone have of mass, centre and inertia, exactly but for
   * straight edges. Their RigidBody::material is their number, from 1 on.
   *
   * A region hangs together by faces, and deformable cells hang on it by faces.
   * Throws a UserError that starts with @p where if there is no deformable
   * cell, if two regions or two parts of one meet in a node or an edge, or if a
   * region has no face in common with deformable cells or is next to some only
   * in a node.
   *
   * @param[in,out] mesh Material ids become the numbers of regions; 0 for
   *   cells that deform.
   * @param[in] density Mass per volume, in 2D per area.
   */
  template <int dim>
  std::vector<RigidBody<dim>>
  find_rigid_regions(CoarseMesh<dim> &mesh,
                     const double density,
                     const std::string &where);
} // namespace Ricochet

#endif
