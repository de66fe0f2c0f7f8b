// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_overlap_ignored_pairs_h
#define ricochet_overlap_ignored_pairs_h

#include <ricochet/base/body_pairs.h>
#include <ricochet/overlap/obstacle_search.h>
#include <ricochet/search/search_settings.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace Ricochet
{
  /**
   * Pairs of bodies, or of a body and an obstacle, that overlap and have no
   * contact until they have come apart.
   *
   * For each pair two facets that cross are remembered; only when these have
   * come apart are others looked for. So it costs next to nothing to follow a
   * pair, unless one body is inside the other and nothing crosses.
   */
  template <int dim>
  class IgnoredPairs
  {
  public:
    /**
     * Start with these pairs. The surface must outlive this object.
     *
     * @param[in] obstacles Those without a surface, if there are any; must
     *   outlive this object, too.
     */
    void
    reinit(const Surface<dim> &surface,
           const SearchSettings &settings,
           const std::vector<BodyPair> &pairs,
           const ObstacleSearch<dim> *obstacles = nullptr);

    /**
     * Let go of the pairs that do not overlap at the start of a step.
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

    /** The overlaps of certain pairs. */
    std::vector<Overlap<dim>>
    overlaps_of(const std::vector<BodyPair> &wanted,
                const std::vector<dealii::Point<dim>> &positions) const;

    const Surface<dim> *surface          = nullptr;
    const ObstacleSearch<dim> *obstacles = nullptr;
    SearchSettings settings;

    /** With two facets that crossed when looked at last. */
    std::map<BodyPair, std::optional<Facets>> pairs;
  };
} // namespace Ricochet

#endif
