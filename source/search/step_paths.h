// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_step_paths_h
#define ricochet_source_search_step_paths_h

#include <ricochet/search/encounter.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <vector>

#include "paths.h"

namespace Ricochet
{
  /** The path between two points. */
  template <int dim>
  Path
  path_between(const dealii::Point<dim> &begin, const dealii::Point<dim> &end)
  {
    Path result{};
    for (unsigned int d = 0; d < dim; ++d)
      {
        result.coordinates[d]     = begin[d];
        result.coordinates[4 + d] = end[d];
      }
    return result;
  }



  /** The paths of all vertices, and which features have others than in the last
   * detection. */
  template <int dim>
  class StepPaths
  {
  public:
    using Positions = std::vector<dealii::Point<dim>>;

    /** Use this surface, which must outlive this object; all of it counts as
     * moved. */
    void
    reinit(const Surface<dim> &surface);

    /** Set the paths; how many vertices have another one than before. */
    unsigned int
    set(const Positions &begin, const Positions &end);

    /** Find the features that have a vertex with another path. */
    void
    find_moved_features();

    /** Whether one of the features of a pair has; only after they were found.
     */
    bool
    has_moved(const PairKind kind,
              const unsigned int first,
              const unsigned int second) const
    {
      return kind == PairKind::edge_edge
               ? moved_edges[first] | moved_edges[second]
               : moved_vertices[first] | moved_facets[second];
    }

    /** Whether a body has a vertex with another path; likewise. */
    bool
    has_moved(const unsigned int body) const
    {
      return moved_bodies[body];
    }

    /** The same of all bodies, for who knows which are connected. */
    std::vector<char> &
    get_moved_bodies()
    {
      return moved_bodies;
    }

    const Path *
    data() const
    {
      return paths.data();
    }

  private:
    const Surface<dim> *surface = nullptr;
    std::vector<Path> paths;
    std::vector<char> moved_vertices, moved_facets, moved_edges, moved_bodies;
  };
} // namespace Ricochet

#endif
