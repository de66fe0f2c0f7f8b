// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/in_threads.h>
#include <ricochet/geometry/collision_geometry.h>
#include <ricochet/geometry/collision_weights.h>
#include <ricochet/geometry/feature_normals.h>
#include <ricochet/search/open_pairs.h>

#include <algorithm>

#include "edge_edge_geometry.h"
#include "pair_geometry.h"
#include "vertex_facet_geometry.h"

namespace Ricochet
{
  namespace
  {
    constexpr unsigned int numbers_per_task = 1024;
  } // namespace



  template <int dim>
  CollisionGeometry<dim>::CollisionGeometry(
    const Surface<dim> &surface,
    const Positions &begin,
    const Positions &end,
    const std::vector<GivenCollision<dim>> *given)
    : surface(surface)
    , begin(begin)
    , end(end)
  {
    const auto add = [this](const PairKind kind, auto geometry) {
      kinds[static_cast<unsigned int>(kind)] = std::move(geometry);
    };
    add(PairKind::vertex_facet,
        std::make_unique<VertexFacetGeometry<dim>>(surface, begin, end));
    if constexpr (dim == 3)
      add(PairKind::edge_edge,
          std::make_unique<EdgeEdgeGeometry>(surface, begin, end));
    add(PairKind::given, std::make_unique<GivenGeometry<dim>>(given, begin));
  }



  template <int dim>
  CollisionGeometry<dim>::~CollisionGeometry() = default;



  template <int dim>
  const PairGeometry<dim> &
  CollisionGeometry<dim>::of(const Encounter &encounter) const
  {
    return *kinds[static_cast<unsigned int>(encounter.kind)];
  }



  template <int dim>
  std::vector<char>
  CollisionGeometry<dim>::followers(
    const std::vector<Encounter> &encounters) const
  {
    std::vector<char> result(encounters.size(), 0);
    if constexpr (dim == 3)
      {
        // Most edges are in many encounters, and most facets at many edges.
        const auto is_of_edges = [](const Encounter &encounter) {
          return encounter.kind == PairKind::edge_edge;
        };
        if (std::none_of(encounters.begin(), encounters.end(), is_of_edges))
          return result;
        std::vector<char> is_asked_for(surface.n_edges(), 0),
          has_normal(surface.n_facets(), 0);
        for (const Encounter &encounter : encounters)
          if (is_of_edges(encounter))
            for (const unsigned int edge : {encounter.first, encounter.second})
              {
                is_asked_for[edge] = 1;
                for (const unsigned int facet : surface.edge_facets[edge])
                  if (facet != Surface<dim>::none)
                    has_normal[facet] = 1;
              }
        std::vector<dealii::Tensor<1, dim>> normals(surface.n_facets());
        in_threads(
          normals.size(),
          [&](const std::size_t facet) {
            if (has_normal[facet])
              normals[facet] =
                facet_normal<dim>(corners_from_nodes(surface, end, facet));
          },
          numbers_per_task);
        std::vector<char> is_flat(surface.n_edges(), 0);
        in_threads(
          is_flat.size(),
          [&](const std::size_t edge) {
            if (!is_asked_for[edge])
              return;
            const auto &[first, second] = surface.edge_facets[edge];
            is_flat[edge]               = EdgeNormals::are_flat(
              normals[first],
              normals[second == Surface<dim>::none ? first : second]);
          },
          numbers_per_task);
        in_threads(
          result.size(),
          [&](const std::size_t i) {
            result[i] =
              is_of_edges(encounters[i]) &&
              (is_flat[encounters[i].first] || is_flat[encounters[i].second]);
          },
          numbers_per_task);
      }
    return result;
  }



  template <int dim>
  void
  CollisionGeometry<dim>::keep_open(const std::vector<Encounter> &encounters,
                                    const Positions &current,
                                    const double relative_eta,
                                    std::vector<unsigned int> &numbers) const
  {
    if constexpr (dim == 3)
      if (!numbers.empty())
        {
          Positions begin_buffer, current_buffer;
          keep_open_edge_pairs(surface,
                               encounters,
                               surface.vertex_positions(begin, begin_buffer),
                               surface.vertex_positions(current,
                                                        current_buffer),
                               relative_eta,
                               numbers);
        }
  }



  template <int dim>
  typename CollisionGeometry<dim>::AtImpact
  CollisionGeometry<dim>::at_impact(const Encounter &encounter) const
  {
    return of(encounter).at_impact(encounter);
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::evaluate(const Encounter &encounter,
                                   const AtImpact &at_impact,
                                   const Positions &current,
                                   const double relative_eta,
                                   Collision<dim> &collision) const
  {
    return of(encounter).evaluate(encounter,
                                  at_impact,
                                  current,
                                  relative_eta,
                                  collision);
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::is_blocked(const Encounter &encounter,
                                     const Positions &current) const
  {
    return of(encounter).is_blocked(encounter, current);
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::evaluate_along(const Encounter &encounter,
                                         const std::array<double, 4> &weights,
                                         const dealii::Tensor<1, dim> &normal,
                                         const Positions &current,
                                         const double relative_eta,
                                         Collision<dim> &collision) const
  {
    set_features(surface, encounter, weights, collision);
    return is_closer(relative_eta * collision.length,
                     begin,
                     current,
                     normal,
                     collision);
  }



  template <int dim>
  bool
  CollisionGeometry<dim>::evaluate_at_impact(const Encounter &encounter,
                                             const AtImpact &at_impact,
                                             const Positions &current,
                                             Collision<dim> &collision) const
  {
    return of(encounter).evaluate_at_impact(encounter,
                                            at_impact,
                                            current,
                                            collision);
  }



  template <int dim>
  std::vector<unsigned int>
  CollisionGeometry<dim>::nodes(const Encounter &encounter) const
  {
    return of(encounter).nodes(encounter);
  }



  template <int dim>
  void
  CollisionGeometry<dim>::add_read_nodes(const Encounter &encounter,
                                         std::vector<unsigned int> &nodes) const
  {
    of(encounter).add_read_nodes(encounter, nodes);
  }



  template class CollisionGeometry<2>;
  template class CollisionGeometry<3>;
} // namespace Ricochet
