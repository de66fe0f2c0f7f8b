// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_surface_skin_h
#define ricochet_surface_skin_h

#include <ricochet/surface/extraction.h>

#include <deal.II/base/mpi.h>

#include <vector>

namespace Ricochet
{
  /**
   * For each body, the smallest height of a cell at the contact surface over
   * its face there: how far a point can go into the body without leaving the
   * cells of its skin. In the reference configuration. Infinity for bodies
   * without contact faces. Collective.
   */
  template <int dim>
  std::vector<double>
  smallest_skin_heights(const std::vector<SurfaceSource<dim>> &sources,
                        const unsigned int n_bodies,
                        const MPI_Comm communicator);
} // namespace Ricochet

#endif
