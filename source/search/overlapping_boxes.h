// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_overlapping_boxes_h
#define ricochet_source_search_overlapping_boxes_h

#include <utility>
#include <vector>

#include "box.h"

namespace Ricochet
{
  /**
   * The numbers of all pairs of boxes that overlap, in order, the smaller
   * number of each pair first. Meant for boxes that spread more than they
   * overlap, such as those of bodies: they are swept along one axis.
   */
  template <int dim>
  void
  find_overlapping_boxes(
    const std::vector<Box<dim>> &boxes,
    std::vector<std::pair<unsigned int, unsigned int>> &pairs);
} // namespace Ricochet

#endif
