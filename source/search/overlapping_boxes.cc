// SPDX-License-Identifier: LGPL-2.1-or-later

#include "overlapping_boxes.h"

#include <algorithm>
#include <numeric>

namespace Ricochet
{
  template <int dim>
  void
  find_overlapping_boxes(
    const std::vector<Box<dim>> &boxes,
    std::vector<std::pair<unsigned int, unsigned int>> &pairs)
  {
    pairs.clear();

    // The direction in which the boxes spread most.
    Box<dim> hull;
    for (const Box<dim> &box : boxes)
      hull.include(box);
    unsigned int axis = 0;
    for (unsigned int d = 1; d < dim; ++d)
      if (hull.upper[d] - hull.lower[d] > hull.upper[axis] - hull.lower[axis])
        axis = d;

    std::vector<unsigned int> order(boxes.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(),
              order.end(),
              [&](const unsigned int a, const unsigned int b) {
                return std::make_pair(boxes[a].lower[axis], a) <
                       std::make_pair(boxes[b].lower[axis], b);
              });
    for (auto a = order.begin(); a != order.end(); ++a)
      for (auto b = a + 1;
           b != order.end() && boxes[*b].lower[axis] <= boxes[*a].upper[axis];
           ++b)
        if (boxes[*a].overlaps(boxes[*b]))
          pairs.emplace_back(std::min(*a, *b), std::max(*a, *b));
    std::sort(pairs.begin(), pairs.end());
  }



  template void
  find_overlapping_boxes(const std::vector<Box<2>> &,
                         std::vector<std::pair<unsigned int, unsigned int>> &);
  template void
  find_overlapping_boxes(const std::vector<Box<3>> &,
                         std::vector<std::pair<unsigned int, unsigned int>> &);
} // namespace Ricochet
