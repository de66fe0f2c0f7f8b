// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/surface/vertex_facets.h>

namespace Ricochet
{
  template <std::size_t n>
  void
  VertexFacets::reinit(
    const std::vector<std::array<unsigned int, n>> &facet_vertices,
    const unsigned int n_vertices)
  {
    begin.assign(n_vertices + 1, 0);
    for (const auto &facet : facet_vertices)
      for (const unsigned int v : facet)
        ++begin[v + 1];
    for (unsigned int v = 0; v < n_vertices; ++v)
      begin[v + 1] += begin[v];
    facets.resize(begin.back());
    std::vector<unsigned int> next(begin);
    for (unsigned int f = 0; f < facet_vertices.size(); ++f)
      for (const unsigned int v : facet_vertices[f])
        facets[next[v]++] = f;
  }



  template void
  VertexFacets::reinit(const std::vector<std::array<unsigned int, 2>> &,
                       const unsigned int);
  template void
  VertexFacets::reinit(const std::vector<std::array<unsigned int, 3>> &,
                       const unsigned int);
} // namespace Ricochet
