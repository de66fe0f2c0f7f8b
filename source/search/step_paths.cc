// SPDX-License-Identifier: LGPL-2.1-or-later

#include "step_paths.h"

#include <algorithm>
#include <limits>

namespace Ricochet
{
  template <int dim>
  void
  StepPaths<dim>::reinit(const Surface<dim> &new_surface)
  {
    surface = &new_surface;
    Path none{};
    none.coordinates[0] = std::numeric_limits<double>::quiet_NaN();
    paths.assign(surface->n_vertices(), none); // equal to no other
    moved_vertices.assign(paths.size(), 1);
  }



  template <int dim>
  unsigned int
  StepPaths<dim>::set(const Positions &begin, const Positions &end)
  {
    unsigned int n_moved = 0;
    for (unsigned int v = 0; v < paths.size(); ++v)
      {
        const Path path      = path_between(begin[v], end[v]);
        const bool has_moved = !std::equal(path.coordinates,
                                           path.coordinates + 8,
                                           paths[v].coordinates);
        paths[v]             = path;
        moved_vertices[v]    = has_moved;
        n_moved += has_moved;
      }
    return n_moved;
  }



  template <int dim>
  void
  StepPaths<dim>::find_moved_features()
  {
    const auto find = [this](const auto &features, std::vector<char> &moved) {
      moved.resize(features.size());
      for (std::size_t f = 0; f < features.size(); ++f)
        {
          char any = 0;
          for (const unsigned int v : features[f])
            any |= moved_vertices[v];
          moved[f] = any;
        }
    };
    find(surface->facets, moved_facets);
    find(surface->edges, moved_edges);
  }



  template class StepPaths<2>;
  template class StepPaths<3>;
} // namespace Ricochet
