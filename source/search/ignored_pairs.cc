// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/search/ignored_pairs.h>
#include <ricochet/search/intersections.h>
#include <ricochet/search/overlaps.h>

namespace Ricochet
{
  using dealii::Point;

  template <int dim>
  void
  IgnoredPairs<dim>::reinit(const Surface<dim> &new_surface,
                            const SearchSettings &new_settings,
                            const std::vector<BodyPair> &new_pairs)
  {
    surface  = &new_surface;
    settings = new_settings;
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

    SearchSettings search = settings;
    search.body_pairs.assign(std::size_t(surface->n_bodies) * surface->n_bodies,
                             0);
    set_table(doubtful, 1, search);
    const unsigned int n_before = pairs.size();
    for (const BodyPair &pair : doubtful)
      pairs.erase(pair);
    for (const Overlap<dim> &overlap :
         find_overlaps(*surface, positions, search))
      {
        std::optional<Facets> &facets = pairs[overlap.bodies];
        if (overlap.kind == OverlapKind::crossing)
          facets = overlap.facets;
      }
    return pairs.size() < n_before;
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
