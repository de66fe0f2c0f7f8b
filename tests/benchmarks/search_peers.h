// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_benchmarks_search_peers_h
#define ricochet_tests_benchmarks_search_peers_h

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "../search/bench_scenes.h"
#include "../search/candidates.h"

namespace Ricochet
{
  /** A way to find all candidates, from positions to lists of pairs. */
  class CandidateSearch
  {
  public:
    virtual ~CandidateSearch() = default;

    /**
     * One full rebuild.
     *
     * @param[in] begin, end Positions at the ends of the step.
     * @param[in] r How far boxes reach beyond the features.
     */
    virtual void
    rebuild(const std::vector<dealii::Point<3>> &begin,
            const std::vector<dealii::Point<3>> &end,
            const double r) = 0;

    const FeaturePairs &
    get() const
    {
      return pairs;
    }

  protected:
    FeaturePairs pairs;
  };

  struct NamedSearch
  {
    std::string name;
    std::unique_ptr<CandidateSearch> (*make)(const Surface<3> &surface);
  };

  /** The searches of those libraries that were found at configuration. */
  std::vector<NamedSearch>
  peers();
} // namespace Ricochet

#endif
