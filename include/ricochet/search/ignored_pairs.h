// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_ignored_pairs_h
#define ricochet_search_ignored_pairs_h

#include <ricochet/base/body_pairs.h>
#include <ricochet/search/search.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace Ricochet
{
  /**
   * Pairs of bodies that overlap and have no contact until they have come
   * apart.
   *
   * For each pair two facets that cross are remembered; only when these have
   * come apart are others looked for. So it costs next to nothing to follow a
   * pair, unless one body is inside the other and nothing crosses.
   */
  template <int dim>
  class IgnoredPairs
  {
  public:
    /** Start with these pairs. The surface must outlive this object. */
    void
    reinit(const Surface<dim> &surface,
           const SearchSettings &settings,
           const std::vector<BodyPair> &pairs);

    /**
     * Let go of the pairs that do not overlap.
     *
     * @param[in] positions One point per vertex.
     * @return Whether there were any.
     */
    bool
    update(const std::vector<dealii::Point<dim>> &positions);

    /** The settings of the search without these pairs. */
    SearchSettings
    remaining_search() const;

    /** The pairs that have not come apart yet, sorted. */
    std::vector<BodyPair>
    get() const;

    /** Whether there are none. */
    bool
    empty() const
    {
      return pairs.empty();
    }

  private:
    using Facets = std::array<unsigned int, 2>;

    void
    set_table(const std::vector<BodyPair> &entries,
              const char value,
              SearchSettings &search) const;

    const Surface<dim> *surface = nullptr;
    SearchSettings settings;

    /** With two facets that crossed when looked at last. */
    std::map<BodyPair, std::optional<Facets>> pairs;
  };
} // namespace Ricochet

#endif
