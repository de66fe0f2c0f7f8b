// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_search_open_pairs_h
#define ricochet_search_open_pairs_h

#include <ricochet/search/encounter.h>
#include <ricochet/surface/surface.h>

#include <deal.II/base/point.h>

#include <vector>

namespace Ricochet
{
  /**
   * Keep those of some encounters of edges that a detection with other ends of
   * the paths would find again, or that cannot be told quickly: the paths may
   * meet, or end closer than the detection distance. Made for many: looked at
   * in lanes and in threads.
   *
   * @param[in] encounters All encounters.
   * @param[in] begin, end One point per vertex: the ends of the paths.
   * @param[in] eta The detection distance relative to the local edge length.
   * @param[in,out] numbers Those of @p encounters to look at, all of edges; the
   *   order stays.
   */
  void
  keep_open_edge_pairs(const Surface<3> &surface,
                       const std::vector<Encounter> &encounters,
                       const std::vector<dealii::Point<3>> &begin,
                       const std::vector<dealii::Point<3>> &end,
                       const double eta,
                       std::vector<unsigned int> &numbers);
} // namespace Ricochet

#endif
