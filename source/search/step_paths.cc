// SPDX-License-Identifier: LGPL-2.1-or-later

#include "step_paths.h"

#include <ricochet/base/in_threads.h>

#include <algorithm>
#include <limits>

namespace Ricochet
{
  namespace
  {
    constexpr unsigned int vertices_per_task = 1024, features_per_task = 4096;
  } // namespace



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
    in_threads(
      paths.size(),
      [&](const std::size_t v) {
        const Path path   = path_between(begin[v], end[v]);
        moved_vertices[v] = !std::equal(path.coordinates,
                                        path.coordinates + 8,
                                        paths[v].coordinates);
        paths[v]          = path;
      },
      vertices_per_task);
    return std::count(moved_vertices.begin(), moved_vertices.end(), 1);
  }



  template <int dim>
  void
  StepPaths<dim>::find_moved_features()
  {
    const auto find = [this](const auto &features, std::vector<char> &moved) {
      moved.resize(features.size());
      in_threads(
        features.size(),
        [&](const std::size_t f) {
          char any = 0;
          for (const unsigned int v : features[f])
            any |= moved_vertices[v];
          moved[f] = any;
        },
        features_per_task);
    };
    find(surface->facets, moved_facets);
    find(surface->edges, moved_edges);
    moved_bodies.assign(surface->n_bodies, 0);
    for (unsigned int v = 0; v < moved_vertices.size(); ++v)
      if (moved_vertices[v])
        moved_bodies[surface->vertex_body[v]] = 1;
  }



  template class StepPaths<2>;
  template class StepPaths<3>;
} // namespace Ricochet
