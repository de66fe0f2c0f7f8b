// SPDX-License-Identifier: LGPL-2.1-or-later

#include "step_paths.h"

#include <limits>

namespace Ricochet
{
  template <int dim>
  void
  StepPaths<dim>::reinit(const Surface<dim> &new_surface)
  {
    surface = &new_surface;
    Path none{};
    for (unsigned int d = 0; d < dim; ++d)
      none.coordinates[d] = none.coordinates[4 + d] =
        std::numeric_limits<double>::quiet_NaN();
    paths.assign(surface->n_vertices(), none);
    moved_vertices.assign(paths.size(), 1);
  }



  template <int dim>
  unsigned int
  StepPaths<dim>::set(const Positions &begin, const Positions &end)
  {
    unsigned int n_moved = 0;
    for (unsigned int v = 0; v < paths.size(); ++v)
      {
        double *const x = paths[v].coordinates;
        bool has_moved  = false;
        for (unsigned int d = 0; d < dim; ++d)
          {
            has_moved |= x[d] != begin[v][d] || x[4 + d] != end[v][d];
            x[d]     = begin[v][d];
            x[4 + d] = end[v][d];
          }
        moved_vertices[v] = has_moved;
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
