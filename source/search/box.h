// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_search_box_h
#define ricochet_source_search_box_h

#include <deal.II/base/point.h>

#include <algorithm>
#include <array>
#include <limits>

namespace Ricochet
{
  /** An axis-parallel box; closed, empty by default. */
  template <int dim>
  struct Box
  {
    Box()
    {
      lower.fill(std::numeric_limits<double>::infinity());
      upper.fill(-std::numeric_limits<double>::infinity());
    }

    void
    include(const dealii::Point<dim> &p)
    {
      for (unsigned int d = 0; d < dim; ++d)
        {
          lower[d] = std::min(lower[d], p[d]);
          upper[d] = std::max(upper[d], p[d]);
        }
    }

    void
    include(const Box &other)
    {
      for (unsigned int d = 0; d < dim; ++d)
        {
          lower[d] = std::min(lower[d], other.lower[d]);
          upper[d] = std::max(upper[d], other.upper[d]);
        }
    }

    void
    inflate(const double distance)
    {
      for (unsigned int d = 0; d < dim; ++d)
        {
          lower[d] -= distance;
          upper[d] += distance;
        }
    }

    /** False for coordinates that are not numbers. */
    bool
    contains(const dealii::Point<dim> &p) const
    {
      bool inside = true;
      for (unsigned int d = 0; d < dim; ++d)
        inside = inside & (lower[d] <= p[d]) & (p[d] <= upper[d]);
      return inside;
    }

    bool
    overlaps(const Box &other) const
    {
      bool result = true;
      for (unsigned int d = 0; d < dim; ++d)
        result =
          result & (lower[d] <= other.upper[d]) & (other.lower[d] <= upper[d]);
      return result;
    }

    /** Sum of the sides. */
    double
    size() const
    {
      double sum = 0.;
      for (unsigned int d = 0; d < dim; ++d)
        sum += upper[d] - lower[d];
      return sum;
    }

    std::array<double, dim> lower, upper;
  };
} // namespace Ricochet

#endif
