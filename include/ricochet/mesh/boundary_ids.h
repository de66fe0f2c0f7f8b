// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_mesh_boundary_ids_h
#define ricochet_mesh_boundary_ids_h

#include <deal.II/base/types.h>

#include <set>
#include <string>

namespace Ricochet
{
  /** Some of the ids of a boundary. */
  using BoundaryIds = std::set<dealii::types::boundary_id>;

  /** The ids in a list such as "0, 2, 5"; none in an empty text. */
  BoundaryIds
  parse_boundary_ids(const std::string &list);

  /**
   * Throw a UserError that starts with @p where and lists the ids of the mesh
   * when one of @p ids is not among those @p found on it.
   */
  void
  check_boundary_ids(const BoundaryIds &ids,
                     const BoundaryIds &found,
                     const std::string &where);
} // namespace Ricochet

#endif
