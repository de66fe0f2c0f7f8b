// SPDX-License-Identifier: LGPL-2.1-or-later

#include "candidate_pairs.h"

#include <ricochet/base/error.h>

#include <deal.II/base/parallel.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace Ricochet
{
  namespace
  {
    using dealii::Point;

    /** Margin of a body that is alone, relative to that of its vertices. */
    constexpr double body_margin_factor = 8.;

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
    limits.clear();
    pairs.clear();
    body_length.assign(surface->n_bodies, 0.);
    for (unsigned int f = 0; f < surface->n_facets(); ++f)
      {
        double &length = body_length[surface->facet_body[f]];
        length         = std::max(length, surface->facet_length[f]);
      }
  }



  template <int dim>
  bool
  CandidatePairs<dim>::are_valid(const Positions &begin,
                                 const Positions &end) const
  {
    if (limits.size() != begin.size() || !has_trees)
      return false;
    for (unsigned int v = 0; v < limits.size(); ++v)
      if (!limits[v].contains(begin[v]) || !limits[v].contains(end[v]))
        return false;
    return true;
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
    limits.resize(surface->n_vertices());
    body_boxes.assign(surface->n_bodies, Box<dim>());
    for (unsigned int v = 0; v < limits.size(); ++v)
      {
        Box<dim> box;
        box.include(begin[v]);
        box.include(end[v]);
        box.inflate(settings->margin * surface->vertex_length[v]);
        limits[v] = box;
        body_boxes[surface->vertex_body[v]].include(box);
      }
    for (unsigned int b = 0; b < surface->n_bodies; ++b)
      body_boxes[b].inflate(body_margin_factor * settings->margin *
                            body_length[b]);
  }



  template <int dim>
  bool
  CandidatePairs<dim>::may_touch(const unsigned int body_a,
                                 const unsigned int body_b) const
  {
    return settings->body_pairs.empty() ||
           settings
               ->body_pairs[std::size_t(body_a) * surface->n_bodies + body_b] !=
             0;
  }



  template <int dim>
  void
  CandidatePairs<dim>::find_close_bodies()
  {
    sorted_bodies.clear();
    for (unsigned int b = 0; b < surface->n_bodies; ++b)
      if (trees.has_root(b))
        sorted_bodies.push_back(b);
    is_isolated.assign(surface->n_bodies, 1);
    close_bodies.clear();
    const auto add = [&](const unsigned int a, const unsigned int b) {
      close_bodies.emplace_back(std::min(a, b), std::max(a, b));
      is_isolated[a] = is_isolated[b] = 0;
    };

    if (settings->self_contact)
      for (const unsigned int b : sorted_bodies)
        if (may_touch(b, b))
          add(b, b);

    // Sweep along the direction in which the bodies spread most.
    Box<dim> hull;
    for (const unsigned int b : sorted_bodies)
      hull.include(body_boxes[b]);
    unsigned int axis = 0;
    for (unsigned int d = 1; d < dim; ++d)
      if (hull.upper[d] - hull.lower[d] > hull.upper[axis] - hull.lower[axis])
        axis = d;
    std::sort(sorted_bodies.begin(),
              sorted_bodies.end(),
              [&](const unsigned int a, const unsigned int b) {
                return std::make_pair(body_boxes[a].lower[axis], a) <
                       std::make_pair(body_boxes[b].lower[axis], b);
              });

    const auto reach = [&](const unsigned int b) {
      return settings->eta * body_length[b];
    };
    for (unsigned int i = 0; i < sorted_bodies.size(); ++i)
      {
        const unsigned int a = sorted_bodies[i];
        Box<dim> box         = body_boxes[a];
        box.inflate(2. * reach(a));
        for (unsigned int j = i + 1; j < sorted_bodies.size(); ++j)
          {
            const unsigned int b = sorted_bodies[j];
            if (body_boxes[b].lower[axis] > box.upper[axis])
              break;
            if (box.overlaps(body_boxes[b]) && may_touch(a, b))
              add(a, b);
          }
      }
    std::sort(close_bodies.begin(), close_bodies.end());
  }



  template <int dim>
  void
  CandidatePairs<dim>::build(const Positions &begin, const Positions &end)
  {
    check_finite(begin, "start");
    check_finite(end, "end");
    if (!has_trees)
      trees.reinit(*surface, begin);
    has_trees = true;

    set_limits(begin, end);
    find_close_bodies();
    for (unsigned int b = 0; b < surface->n_bodies; ++b)
      if (!is_isolated[b])
        // The detection distance is added on both sides, twice what is needed,
        // which leaves room for the rounding of the boxes.
        trees.update_boxes(*surface, b, limits, settings->eta);
    find_pairs();
    for (unsigned int v = 0; v < limits.size(); ++v)
      if (is_isolated[surface->vertex_body[v]])
        limits[v] = body_boxes[surface->vertex_body[v]];
  }



  template <int dim>
  void
  CandidatePairs<dim>::find_pairs()
  {
    trees.split(close_bodies, n_shares, node_pairs);
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

    pairs.clear();
    const auto append = [](auto &to, const auto &from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    for (const FeaturePairs &share : shares)
      {
        append(pairs.vertex_facet, share.vertex_facet);
        append(pairs.edge_edge, share.edge_edge);
      }
  }



  template class CandidatePairs<2>;
  template class CandidatePairs<3>;
} // namespace Ricochet
