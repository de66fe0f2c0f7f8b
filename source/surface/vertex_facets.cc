// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/surface/vertex_facets.h>

namespace Ricochet
{
  template <int dim>
  void
  VertexFacets::reinit(const Surface<dim> &surface)
  {
    begin.assign(surface.n_vertices() + 1, 0);
    for (const auto &facet : surface.facets)
      for (const unsigned int v : facet)
        ++begin[v + 1];
    for (unsigned int v = 0; v < surface.n_vertices(); ++v)
      begin[v + 1] += begin[v];
    facets.resize(begin.back());
    std::vector<unsigned int> next(begin);
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      for (const unsigned int v : surface.facets[f])
        facets[next[v]++] = f;
  }



  template void
  VertexFacets::reinit(const Surface<2> &);
  template void
  VertexFacets::reinit(const Surface<3> &);
} // namespace Ricochet
