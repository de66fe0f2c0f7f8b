// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_geometry_make_branch_h
#define ricochet_source_geometry_make_branch_h

#include <ricochet/geometry/branches.h>
#include <ricochet/search/feature_kinds.h>

#include <algorithm>
#include <array>
#include <utility>

namespace Ricochet
{
  /** A vertex and a facet by their numbers. */
  template <int dim>
  Branch<dim>
  vertex_and_facet(const Surface<dim> &surface,
                   const unsigned int vertex,
                   const unsigned int facet)
  {
    Branch<dim> result;
    result.vertices = VertexFacet<dim>::vertices(surface, vertex, facet);
    return result;
  }



  /** Two edges by their vertices, whatever the order. */
  inline Branch<3>
  two_edges(std::array<unsigned int, 2> a, std::array<unsigned int, 2> b)
  {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (b < a)
      std::swap(a, b);
    Branch<3> result;
    result.kind     = PairKind::edge_edge;
    result.vertices = {{a[0], a[1], b[0], b[1]}};
    return result;
  }
} // namespace Ricochet

#endif
