// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_surface_vertex_facets_h
#define ricochet_surface_vertex_facets_h

#include <array>
#include <boost/range/iterator_range.hpp>
#include <cstddef>
#include <vector>

namespace Ricochet
{
  /** The facets at each vertex of a surface, in the order of their numbers. */
  class VertexFacets
  {
  public:
    /** List them for vertices 0 to @p n_vertices - 1 of these facets. */
    template <std::size_t n>
    void
    reinit(const std::vector<std::array<unsigned int, n>> &facet_vertices,
           const unsigned int n_vertices);

    /** The facets of one vertex, as a range. */
    auto
    operator[](const unsigned int vertex) const
    {
      return boost::make_iterator_range(facets.begin() + begin[vertex],
                                        facets.begin() + begin[vertex + 1]);
    }

  private:
    std::vector<unsigned int> begin, facets;
  };
} // namespace Ricochet

#endif
