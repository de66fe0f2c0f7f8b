// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_geometry_piercing_h
#define ricochet_geometry_piercing_h

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <array>
#include <optional>

namespace Ricochet
{
  /** Where the segment from @p p to @p q goes through the triangle @p x by more
   * than @p depth on all sides.
   *
   * @param[in] n The unit normal of the triangle; zero if it has no extent,
   *   then nothing goes through. */
  inline std::optional<dealii::Point<3>>
  place_of_piercing(const dealii::Point<3> &p,
                    const dealii::Point<3> &q,
                    const std::array<dealii::Point<3>, 3> &x,
                    const dealii::Tensor<1, 3> &n,
                    const double depth)
  {
    const double d_p = n * (p - x[0]), d_q = n * (q - x[0]);
    if (std::min(d_p, d_q) >= -depth || std::max(d_p, d_q) <= depth)
      return {};
    const dealii::Point<3> at = p + d_p / (d_p - d_q) * (q - p);
    for (unsigned int i = 0; i < 3; ++i)
      {
        const dealii::Tensor<1, 3> e = x[(i + 1) % 3] - x[i];
        if (n * cross_product_3d(e, at - x[i]) <= depth * e.norm())
          return {};
      }
    return at;
  }
} // namespace Ricochet

#endif
