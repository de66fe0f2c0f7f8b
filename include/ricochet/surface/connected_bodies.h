// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_surface_connected_bodies_h
#define ricochet_surface_connected_bodies_h

#include <ricochet/surface/surface.h>

#include <vector>

namespace Ricochet
{
  /** Of each body the smallest number of those that it is connected with, its
   * own if with none: bodies are connected where a facet of one has a vertex of
   * the other, as a rigid region and its host. */
  template <int dim>
  std::vector<unsigned int>
  connected_bodies(const Surface<dim> &surface);
} // namespace Ricochet

#endif
