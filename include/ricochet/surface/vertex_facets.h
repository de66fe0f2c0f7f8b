// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_surface_vertex_facets_h
#define ricochet_surface_vertex_facets_h

#include <ricochet/surface/surface.h>

#include <boost/range/iterator_range.hpp>
#include <vector>

namespace Ricochet
{
  /** The facets at each vertex of a surface, in the order of their numbers. */
  class VertexFacets
  {
  public:
    /** Take over the topology of a surface. */
    template <int dim>
    void
    reinit(const Surface<dim> &surface);

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
