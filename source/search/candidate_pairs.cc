// SPDX-License-Identifier: LGPL-2.1-or-later

#include "candidate_pairs.h"

#include <ricochet/base/error.h>
#include <ricochet/base/in_threads.h>
#include <ricochet/search/feature_kinds.h>
#include <ricochet/surface/connected_bodies.h>

#include <deal.II/base/parallel.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "overlapping_boxes.h"

namespace Ricochet
{
  namespace
  {
    using dealii::Point;
    using dealii::Tensor;

    /** Margin of a body that is alone, relative to that of its vertices. */
    constexpr double body_margin_factor = 8.;

    /** Limits hold the motion of this many more steps. Longer ones make longer
     * lists that stay valid for more steps. */
    constexpr double n_steps_ahead = 8.;

    /** But they reach ahead at most this far, relative to the local length. */
    constexpr double max_ahead = 0.25;

    constexpr unsigned int vertices_per_task = 1024;

    /** Shares of work for threads; a fixed number, whatever the threads. */
    constexpr unsigned int n_shares = 64;
  } // namespace



  template <int dim>
  void
  CandidatePairs<dim>::reinit(const Surface<dim> &new_surface,
                              const SearchSettings &new_settings)
  {
    surface   = &new_surface;
    settings  = &new_settings;
    has_trees = false;
    limits.assign(surface->n_vertices(), Box<dim>());
    body_boxes.assign(surface->n_bodies, Box<dim>());
    is_wide.assign(surface->n_bodies, 0);
    pairs.clear();
    vertex_facet_times = edge_edge_times = PairTimes();
    body_length.assign(surface->n_bodies, 0.);
    for (unsigned int f = 0; f < surface->n_facets(); ++f)
      {
        double &length = body_length[surface->facet_body[f]];
        length         = std::max(length, surface->facet_length[f]);
      }
    find_connected_bodies();
  }



  template <int dim>
  void
  CandidatePairs<dim>::find_connected_bodies()
  {
    first_connected.clear();
    is_region.clear();
    for (unsigned int f = 0; f < surface->n_facets(); ++f)
      for (const unsigned int v : surface->facets[f])
        if (surface->vertex_body[v] != surface->facet_body[f])
          {
            is_region.resize(surface->n_bodies, 0);
            is_region[surface->vertex_body[v]] = 1;
          }
    if (!is_region.empty())
      first_connected = connected_bodies(*surface);
  }



  template <int dim>
  void
  CandidatePairs<dim>::share_among_connected(std::vector<char> &flags) const
  {
    for (unsigned int b = 0; b < first_connected.size(); ++b)
      flags[first_connected[b]] |= flags[b];
    for (unsigned int b = 0; b < first_connected.size(); ++b)
      flags[b] = flags[first_connected[b]];
  }



  template <int dim>
  bool
  CandidatePairs<dim>::find_restless_bodies(const Positions &begin,
                                            const Positions &end)
  {
    // Limits are empty at first, so that all bodies are restless.
    has_left.resize(limits.size());
    in_threads(
      limits.size(),
      [&](const std::size_t v) {
        has_left[v] =
          !limits[v].contains(begin[v]) || !limits[v].contains(end[v]);
      },
      vertices_per_task);
    is_restless.assign(surface->n_bodies, 0);
    bool any = false;
    for (auto v = has_left.begin();
         (v = std::find(v, has_left.end(), 1)) != has_left.end();
         ++v)
      {
        is_restless[surface->vertex_body[v - has_left.begin()]] = 1;
        any                                                     = true;
      }
    share_among_connected(is_restless);
    return any;
  }



  template <int dim>
  void
  CandidatePairs<dim>::check_finite(const Positions &positions,
                                    const char *when) const
  {
    for (unsigned int v = 0; v < positions.size(); ++v)
      for (unsigned int d = 0; d < dim; ++d)
        if (!std::isfinite(positions[v][d]))
          throw RunError(
            std::string("A position at the ") + when +
            " of the step is not a finite number: vertex " + std::to_string(v) +
            " of the contact surface, body " +
            std::to_string(surface->vertex_body[v]) +
            ". The motion has become unstable; use a smaller time step.");
  }



  template <int dim>
  void
  CandidatePairs<dim>::set_limits(const Positions &begin, const Positions &end)
  {
    for (unsigned int b = 0; b < surface->n_bodies; ++b)
      if (is_restless[b])
        {
          body_boxes[b] = Box<dim>();
          is_wide[b]    = 0;
        }
    for (unsigned int v = 0; v < limits.size(); ++v)
      {
        const unsigned int body = surface->vertex_body[v];
        if (!is_restless[body])
          continue;
        Box<dim> box;
        box.include(begin[v]);
        box.include(end[v]);
        const double length         = surface->vertex_length[v];
        const Tensor<1, dim> motion = end[v] - begin[v];
        const double distance       = motion.norm();
        if (distance > 0.)
          box.include(end[v] +
                      std::min(n_steps_ahead, max_ahead * length / distance) *
                        motion);
        box.inflate(settings->margin * length);
        limits[v] = box;
        body_boxes[body].include(box);
      }
    for (unsigned int b = 0; b < first_connected.size(); ++b)
      body_boxes[first_connected[b]].include(body_boxes[b]);
    for (unsigned int b = 0; b < first_connected.size(); ++b)
      body_boxes[b] = body_boxes[first_connected[b]];
    for (unsigned int b = 0; b < surface->n_bodies; ++b)
      if (is_restless[b])
        body_boxes[b].inflate(body_margin_factor * settings->margin *
                              body_length[b]);
  }



  template <int dim>
  void
  CandidatePairs<dim>::find_close_bodies()
  {
    reaches.resize(surface->n_bodies);
    for (unsigned int b = 0; b < surface->n_bodies; ++b)
      {
        reaches[b] = trees.has_root(b) ? body_boxes[b] : Box<dim>();
        reaches[b].inflate(settings->eta * body_length[b]);
      }
    find_overlapping_boxes(reaches, close_bodies);
    close_bodies.erase(std::remove_if(close_bodies.begin(),
                                      close_bodies.end(),
                                      [&](const BodyPair &pair) {
                                        return !settings->may_touch(
                                          pair.first,
                                          pair.second,
                                          surface->n_bodies);
                                      }),
                       close_bodies.end());
    if (settings->self_contact)
      for (unsigned int b = 0; b < surface->n_bodies; ++b)
        if (trees.has_root(b) && settings->may_touch(b, b, surface->n_bodies))
          close_bodies.emplace_back(b, b);
  }



  template <int dim>
  bool
  CandidatePairs<dim>::wake_bodies()
  {
    bool any = false;
    for (const BodyPair &pair : close_bodies)
      for (const unsigned int b : {pair.first, pair.second})
        if (is_wide[b] && !is_restless[b])
          {
            is_restless[b] = 1;
            any            = true;
          }
    share_among_connected(is_restless);
    return any;
  }



  template <int dim>
  unsigned int
  CandidatePairs<dim>::update(const Positions &begin, const Positions &end)
  {
    if (!find_restless_bodies(begin, end))
      return 0;
    check_finite(begin, "start");
    check_finite(end, "end");
    if (!has_trees)
      trees.reinit(*surface, begin);
    has_trees = true;

    // Every round wakes a body, so there are not more rounds than bodies.
    do
      {
        set_limits(begin, end);
        find_close_bodies();
    } while (wake_bodies());

    std::vector<char> is_close(surface->n_bodies, 0);
    for (const BodyPair &pair : close_bodies)
      is_close[pair.first] = is_close[pair.second] = 1;
    share_among_connected(is_close);
    unsigned int n_renewed = 0;
    for (unsigned int b = 0; b < surface->n_bodies; ++b)
      if (is_restless[b])
        {
          ++n_renewed;
          is_wide[b] = !is_close[b];
          if (is_close[b])
            // The detection distance is added on both sides, twice what is
            // needed, which leaves room for the rounding of the boxes.
            trees.update_boxes(*surface, b, limits, settings->eta);
        }
    renew_pairs();
    for (unsigned int v = 0; v < limits.size(); ++v)
      {
        const unsigned int body = surface->vertex_body[v];
        if (is_restless[body] && is_wide[body])
          limits[v] = body_boxes[body];
      }
    return n_renewed;
  }



  template <int dim>
  void
  CandidatePairs<dim>::renew_pairs()
  {
    vertex_facet_times.remove(is_restless, pairs.vertex_facet);
    edge_edge_times.remove(is_restless, pairs.edge_edge);

    restless_pairs.clear();
    for (const BodyPair &pair : close_bodies)
      if (is_restless[pair.first] || is_restless[pair.second])
        restless_pairs.push_back(pair);
    trees.split(restless_pairs, n_shares, node_pairs);
    shares.resize(n_shares);
    dealii::parallel::apply_to_subranges(
      0u,
      n_shares,
      [&](const unsigned int first, const unsigned int last) {
        for (unsigned int share = first; share < last; ++share)
          {
            shares[share].clear();
            const std::size_t n = node_pairs.size();
            for (std::size_t k = n * share / n_shares;
                 k < n * (share + 1) / n_shares;
                 ++k)
              trees.find_pairs(node_pairs[k], shares[share]);
          }
      },
      1);

    for (const FeaturePairs &share : shares)
      append(share);
    vertex_facet_times.extend(
      pairs.vertex_facet,
      [this](const FeaturePairs::Pair &pair) -> FeaturePairs::Pair {
        return {{surface->vertex_body[pair[0]], surface->facet_body[pair[1]]}};
      });
    edge_edge_times.extend(
      pairs.edge_edge,
      [this](const FeaturePairs::Pair &pair) -> FeaturePairs::Pair {
        return {{surface->edge_body(pair[0]), surface->edge_body(pair[1])}};
      });
  }



  template <int dim>
  void
  CandidatePairs<dim>::append(const FeaturePairs &share)
  {
    const auto append_to =
      [this](auto &to, const auto &from, const auto features) {
        std::copy_if(from.begin(),
                     from.end(),
                     std::back_inserter(to),
                     [&](const FeaturePairs::Pair &pair) {
                       return is_region.empty() || !is_rigid(features, pair);
                     });
      };
    append_to(pairs.vertex_facet, share.vertex_facet, VertexFacet<dim>());
    if constexpr (dim == 3)
      append_to(pairs.edge_edge, share.edge_edge, EdgeEdge());
  }



  template <int dim>
  template <typename Features>
  bool
  CandidatePairs<dim>::is_rigid(const Features &features,
                                const FeaturePairs::Pair &pair) const
  {
    const auto vertices  = features.vertices(*surface, pair[0], pair[1]);
    const auto &bodies   = surface->vertex_body;
    const unsigned int b = bodies[vertices[0]];
    return is_region[b] &&
           std::all_of(vertices.begin(),
                       vertices.end(),
                       [&](const unsigned int v) { return bodies[v] == b; });
  }



  template class CandidatePairs<2>;
  template class CandidatePairs<3>;
} // namespace Ricochet
