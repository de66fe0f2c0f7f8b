// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_body_forest_order_h
#define ricochet_body_forest_order_h

#include <ricochet/mesh/coarse_mesh.h>

#include <vector>

namespace Ricochet
{
  /**
   * The place of every cell of a mesh among the trees of a
   * parallel::distributed::Triangulation: neighbors stand near each other.
   * Needs some 300 bytes per cell, and time that grows faster than the number
   * of cells: half a second for the 1e5 of a cube, a minute for the 3e5 of two
   * plates.
   */
  template <int dim>
  std::vector<unsigned int>
  places_in_forest(const CoarseMesh<dim> &mesh);



  /**
   * The place of every cell when the cells of each body, one body after the
   * other by their numbers @p cell_bodies, follow a Hilbert curve through their
   * centres: neighbors stand near each other. Linear but for sorting.
   */
  template <int dim>
  std::vector<unsigned int>
  places_on_curve(const CoarseMesh<dim> &mesh,
                  const std::vector<unsigned int> &cell_bodies);
} // namespace Ricochet

#endif
