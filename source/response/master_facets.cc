// SPDX-License-Identifier: LGPL-2.1-or-later

#include "master_facets.h"

#include <ricochet/geometry/feature_normals.h>
#include <ricochet/search/closest_points.h>

#include <algorithm>
#include <cmath>

namespace Ricochet
{
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** Distances that differ by less are the same, relative to their squares
     * and to the square of the local edge length. */
    constexpr double same_distance = 1e-9, no_distance = 1e-24;

    /** How far beside a rim slaves are still on the surface, so that those on a
     * plane of symmetry are. Units: local edge length. */
    constexpr double rim_width = 1e-3;

    /** How often a slave may change its facet in the iterations of a step. */
    constexpr unsigned int max_changes = 4;
  } // namespace



  template <int dim>
  void
  MasterFacets<dim>::reinit(const Surface<dim> &new_surface,
                            const IsMaster &new_is_master,
                            const double depth)
  {
    surface       = &new_surface;
    is_master     = new_is_master;
    first_depth   = depth;
    is_first_step = true;
    inside.clear();
    choices.clear();
  }



  template <int dim>
  void
  MasterFacets<dim>::begin_step(const bool new_is_static)
  {
    is_static = new_is_static;
    choices.clear();
  }



  template <int dim>
  bool
  MasterFacets<dim>::Place::is_closer_than(const Place &other) const
  {
    if (distance_square < (1. - same_distance) * other.distance_square)
      return true;
    return distance_square <= (1. + same_distance) * other.distance_square &&
           std::abs(gap) > (1. + same_distance) * std::abs(other.gap);
  }



  template <int dim>
  bool
  MasterFacets<dim>::is_rim(const unsigned int facet,
                            const std::array<double, dim> &weights) const
  {
    std::vector<unsigned int> supports;
    for (unsigned int i = 0; i < dim; ++i)
      if (weights[i] > 0.)
        supports.push_back(surface->facets[facet][i]);
    if (supports.size() == dim)
      return false;
    const auto &facets = surface->vertex_facets[supports[0]];
    if (supports.size() == 1)
      {
        const unsigned int n_facets =
          std::distance(facets.begin(), facets.end());
        if (dim == 2)
          return n_facets < 2;
        return n_facets < surface->neighbor_begin[supports[0] + 1] -
                            surface->neighbor_begin[supports[0]];
      }
    return std::count_if(facets.begin(), facets.end(), [&](unsigned int f) {
             const auto &vertices = surface->facets[f];
             return std::find(vertices.begin(), vertices.end(), supports[1]) !=
                    vertices.end();
           }) < 2;
  }



  template <int dim>
  typename MasterFacets<dim>::Place
  MasterFacets<dim>::place(const unsigned int vertex,
                           const unsigned int facet,
                           const Positions &positions) const
  {
    const Point<dim> &x    = positions[vertex];
    const auto corners     = facet_corners(*surface, positions, facet);
    const auto closest     = closest_point_on_facet(x, corners);
    const double gap       = -(facet_normal<dim>(corners) * (x - corners[0]));
    const double length    = surface->facet_length[facet];
    const double sidewards = closest.distance_square - gap * gap;
    return {facet,
            closest.distance_square,
            gap,
            sidewards > rim_width * rim_width * length * length +
                          same_distance * closest.distance_square &&
              is_rim(facet, closest.weights)};
  }



  template <int dim>
  typename MasterFacets<dim>::Place
  MasterFacets<dim>::closest(const unsigned int vertex,
                             const unsigned int facet,
                             const Positions &positions) const
  {
    Place best = place(vertex, facet, positions);
    std::vector<unsigned int> visited{facet};
    for (bool has_moved = true; has_moved;)
      {
        has_moved       = false;
        const auto from = surface->facets[best.facet];
        for (const unsigned int v : from)
          for (const unsigned int f : surface->vertex_facets[v])
            {
              if (std::find(visited.begin(), visited.end(), f) != visited.end())
                continue;
              visited.push_back(f);
              const auto &vertices = surface->facets[f];
              if (std::find(vertices.begin(), vertices.end(), vertex) !=
                    vertices.end() ||
                  !is_master(vertex, f))
                continue;
              const Place next = place(vertex, f, positions);
              if (next.is_closer_than(best))
                {
                  best      = next;
                  has_moved = true;
                }
            }
      }
    return best;
  }



  template <int dim>
  typename MasterFacets<dim>::Place
  MasterFacets<dim>::closest(const unsigned int vertex,
                             const std::vector<unsigned int> &facets,
                             const Positions &positions) const
  {
    Place best = closest(vertex, facets[0], positions);
    for (unsigned int i = 1; i < facets.size(); ++i)
      {
        const Place next = closest(vertex, facets[i], positions);
        if (next.is_closer_than(best))
          best = next;
      }
    return best;
  }



  template <int dim>
  std::map<typename MasterFacets<dim>::SlaveAndMaster,
           typename MasterFacets<dim>::Entrance>
  MasterFacets<dim>::find_entrances(const std::vector<Encounter> &pairs,
                                    const Positions &start) const
  {
    std::map<SlaveAndMaster, Entrance> entrances;
    for (const auto &[pair, facet] : inside)
      entrances[pair] = {{facet}, true, closest(pair[0], facet, start).gap};
    for (const Encounter &encounter : pairs)
      {
        const unsigned int v = encounter.first, f = encounter.second;
        if (encounter.kind != PairKind::vertex_facet || !is_master(v, f))
          continue;
        const SlaveAndMaster pair{{v, surface->facet_body[f]}};
        if (inside.count(pair) > 0)
          continue;
        const Place begin     = closest(v, f, start);
        const double no_depth = std::sqrt(no_distance);
        if (!begin.is_beside &&
            begin.gap > (is_first_step ? first_depth : no_depth) *
                          surface->facet_length[begin.facet])
          continue;
        Entrance &entrance = entrances[pair];
        if (entrance.facets.empty())
          {
            entrance.was_inside = !begin.is_beside && begin.gap >= 0.;
            entrance.start_gap  = begin.gap;
          }
        // Where the slave was, and where it goes unless that is a back side.
        entrance.facets.push_back(begin.facet);
        if (f != begin.facet && place(v, f, start).gap <= 0.)
          entrance.facets.push_back(f);
      }
    return entrances;
  }



  template <int dim>
  unsigned int
  MasterFacets<dim>::keep(const SlaveAndMaster &pair,
                          const unsigned int facet) const
  {
    Choice &choice = choices.emplace(pair, Choice{facet}).first->second;
    if (choice.facet != facet && choice.n_changes < max_changes)
      {
        choice.facet = facet;
        ++choice.n_changes;
      }
    return choice.facet;
  }



  template <int dim>
  std::vector<SlaveMeeting>
  MasterFacets<dim>::find(const std::vector<Encounter> &pairs,
                          const Positions &start,
                          const Positions &end) const
  {
    Positions middle = end;
    if (!is_static)
      for (unsigned int v = 0; v < start.size(); ++v)
        middle[v] = start[v] + 0.5 * (end[v] - start[v]);

    std::vector<SlaveMeeting> meetings;
    for (const auto &[pair, entrance] : find_entrances(pairs, start))
      {
        Place at_end = closest(pair[0], entrance.facets, end);
        if (at_end.is_beside || (at_end.gap < 0. && !entrance.was_inside &&
                                 choices.count(pair) == 0))
          continue;
        const Place in_middle   = closest(pair[0], entrance.facets, middle);
        const unsigned int kept = keep(pair, in_middle.facet);
        if (is_static)
          at_end = place(pair[0], kept, end);
        meetings.push_back({pair[0],
                            pair[1],
                            kept,
                            at_end.facet,
                            entrance.was_inside,
                            entrance.start_gap,
                            at_end.gap});
      }
    return meetings;
  }



  template <int dim>
  void
  MasterFacets<dim>::accept(const std::vector<SlaveMeeting> &lasting)
  {
    inside.clear();
    for (const SlaveMeeting &meeting : lasting)
      inside[{{meeting.slave, meeting.master}}] = meeting.end_facet;
    is_first_step = false;
  }



  template <int dim>
  std::vector<double>
  MasterFacets<dim>::memory() const
  {
    std::vector<double> numbers;
    if (is_first_step)
      return numbers;
    numbers.push_back(inside.size());
    for (const auto &[pair, facet] : inside)
      {
        numbers.push_back(pair[0]);
        numbers.push_back(facet);
      }
    return numbers;
  }



  template <int dim>
  void
  MasterFacets<dim>::set_memory(const std::vector<double> &numbers)
  {
    inside.clear();
    is_first_step = numbers.empty();
    for (std::size_t i = 1; i + 1 < numbers.size(); i += 2)
      {
        const unsigned int slave = std::lround(numbers[i]);
        const unsigned int facet = std::lround(numbers[i + 1]);
        inside[{{slave, surface->facet_body[facet]}}] = facet;
      }
  }



  template class MasterFacets<2>;
  template class MasterFacets<3>;
} // namespace Ricochet
