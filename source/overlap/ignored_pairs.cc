// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/overlap/ignored_pairs.h>
#include <ricochet/overlap/intersections.h>
#include <ricochet/overlap/overlaps.h>

#include <algorithm>

namespace Ricochet
{
  using dealii::Point;

  template <int dim>
  void
  IgnoredPairs<dim>::reinit(const Surface<dim> &new_surface,
                            const SearchSettings &new_settings,
                            const std::vector<BodyPair> &new_pairs,
                            const ObstacleSearch<dim> *new_obstacles)
  {
    surface   = &new_surface;
    obstacles = new_obstacles;
    settings  = new_settings;
    pairs.clear();
    for (const BodyPair &pair : new_pairs)
      pairs.emplace(pair, std::nullopt);
  }



  template <int dim>
  bool
  IgnoredPairs<dim>::update(const std::vector<Point<dim>> &positions)
  {
    std::vector<BodyPair> doubtful;
    for (const auto &[pair, facets] : pairs)
      if (!facets ||
          !place_of_crossing(*surface, positions, (*facets)[0], (*facets)[1]))
        doubtful.push_back(pair);
    if (doubtful.empty())
      return false;

    const unsigned int n_before = pairs.size();
    for (const BodyPair &pair : doubtful)
      pairs.erase(pair);
    for (const Overlap<dim> &overlap : overlaps_of(doubtful, positions))
      {
        std::optional<Facets> &facets = pairs[overlap.bodies];
        if (overlap.kind == OverlapKind::crossing)
          facets = overlap.facets;
      }
    return pairs.size() < n_before;
  }



  template <int dim>
  std::vector<Overlap<dim>>
  IgnoredPairs<dim>::overlaps_of(const std::vector<BodyPair> &wanted,
                                 const std::vector<Point<dim>> &positions) const
  {
    SearchSettings search = settings;
    search.body_pairs.assign(std::size_t(surface->n_bodies) * surface->n_bodies,
                             0);
    set_table(wanted, 1, search);
    std::vector<Overlap<dim>> result;
    if (obstacles != nullptr)
      result = obstacles->find_overlaps(positions, search, 0);
    // Surfaces only if need be: all of them are sorted into trees.
    if (!std::all_of(wanted.begin(),
                     wanted.end(),
                     [this](const BodyPair &pair) {
                       return obstacles != nullptr && obstacles->has(pair[1]);
                     }))
      {
        const auto others = find_overlaps(*surface, positions, search);
        result.insert(result.end(), others.begin(), others.end());
      }
    return result;
  }



  template <int dim>
  SearchSettings
  IgnoredPairs<dim>::remaining_search() const
  {
    SearchSettings search = settings;
    if (search.body_pairs.empty() && !pairs.empty())
      search.body_pairs.assign(std::size_t(surface->n_bodies) *
                                 surface->n_bodies,
                               1);
    set_table(get(), 0, search);
    return search;
  }



  template <int dim>
  std::vector<BodyPair>
  IgnoredPairs<dim>::get() const
  {
    std::vector<BodyPair> result;
    for (const auto &pair : pairs)
      result.push_back(pair.first);
    return result;
  }



  template <int dim>
  void
  IgnoredPairs<dim>::set_table(const std::vector<BodyPair> &entries,
                               const char value,
                               SearchSettings &search) const
  {
    for (const auto &[a, b] : entries)
      for (const std::size_t entry : {std::size_t(a) * surface->n_bodies + b,
                                      std::size_t(b) * surface->n_bodies + a})
        search.body_pairs[entry] = value;
  }



  template class IgnoredPairs<2>;
  template class IgnoredPairs<3>;
} // namespace Ricochet
