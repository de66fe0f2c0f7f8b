// SPDX-License-Identifier: LGPL-2.1-or-later

#include "motion_clocks.h"

#include <ricochet/base/in_threads.h>
#include <ricochet/surface/connected_bodies.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace Ricochet
{
  namespace
  {
    using dealii::Point;
    using dealii::Tensor;

    constexpr unsigned int vertices_per_piece = 1024;

    /** Ways are larger by this factor than rounding could make them smaller. */
    constexpr double round_up = 1. + 1e-12;



    template <int dim>
    Point<dim>
    centre_of(const Box<dim> &box)
    {
      Point<dim> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = 0.5 * (box.lower[d] + box.upper[d]);
      return result;
    }



    /** The largest distance from the centre. */
    template <int dim>
    double
    radius_of(const Box<dim> &box)
    {
      double square = 0.;
      for (unsigned int d = 0; d < dim; ++d)
        square += (box.upper[d] - box.lower[d]) * (box.upper[d] - box.lower[d]);
      return 0.5 * std::sqrt(square);
    }
  } // namespace



  template <int dim>
  void
  MotionClocks<dim>::reinit(const Surface<dim> &surface)
  {
    first_connected    = connected_bodies(surface);
    const auto body_of = [&](const unsigned int vertex) {
      return first_connected[surface.vertex_body[vertex]];
    };
    vertices.resize(surface.n_vertices());
    std::iota(vertices.begin(), vertices.end(), 0u);
    std::stable_sort(vertices.begin(),
                     vertices.end(),
                     [&](const unsigned int v, const unsigned int w) {
                       return body_of(v) < body_of(w);
                     });
    pieces.clear();
    for (unsigned int k = 0; k < vertices.size(); ++k)
      if (pieces.empty() || pieces.back().body != body_of(vertices[k]) ||
          k - pieces.back().begin == vertices_per_piece)
        pieces.push_back({k, k + 1, body_of(vertices[k])});
      else
        pieces.back().end = k + 1;
    last_end.clear();
    sums.assign(surface.n_bodies, Way());
    in_step = sums;
  }



  template <int dim>
  void
  MotionClocks<dim>::advance(const Positions &begin, const Positions &end)
  {
    if (last_end.empty())
      last_end = end;
    to_end.assign(pieces.size(), Box<dim>());
    to_begin.assign(pieces.size(), Box<dim>());
    in_threads(
      pieces.size(),
      [&](const std::size_t p) {
        for (unsigned int k = pieces[p].begin; k < pieces[p].end; ++k)
          {
            const unsigned int v = vertices[k];
            to_end[p].include(Point<dim>(end[v] - last_end[v]));
            to_begin[p].include(Point<dim>(begin[v] - end[v]));
            last_end[v] = end[v];
          }
      },
      1);
    find_ways(to_end, new_ways);
    for (unsigned int b = 0; b < sums.size(); ++b)
      {
        sums[b].within += new_ways[b].within;
        sums[b].against_all += new_ways[b].against_all;
      }
    find_ways(to_begin, in_step);
  }



  template <int dim>
  void
  MotionClocks<dim>::find_ways(const std::vector<Box<dim>> &displacements,
                               std::vector<Way> &ways) const
  {
    std::vector<Box<dim>> of_body(sums.size());
    Box<dim> of_all;
    for (unsigned int p = 0; p < pieces.size(); ++p)
      {
        of_body[pieces[p].body].include(displacements[p]);
        of_all.include(displacements[p]);
      }
    const Point<dim> centre = centre_of(of_all);
    ways.assign(sums.size(), Way());
    for (const Piece &piece : pieces)
      {
        const Box<dim> &box = of_body[piece.body];
        const double radius = round_up * radius_of(box);
        ways[piece.body]    = {radius,
                               radius +
                                 round_up * (centre_of(box) - centre).norm()};
      }
  }



  template <int dim>
  typename MotionClocks<dim>::Time
  MotionClocks<dim>::of(const unsigned int first_body,
                        const unsigned int second_body) const
  {
    const unsigned int a = first_connected[first_body],
                       b = first_connected[second_body];
    const auto sum       = [a, b](const std::vector<Way> &ways) {
      return a == b ? 2. * ways[a].within
                          : ways[a].against_all + ways[b].against_all;
    };
    const double now = sum(sums);
    return {now, now + sum(in_step)};
  }



  template class MotionClocks<2>;
  template class MotionClocks<3>;
} // namespace Ricochet
