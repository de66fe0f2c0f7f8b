// SPDX-License-Identifier: LGPL-2.1-or-later

#include "near_points.h"

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace Ricochet
{
  namespace
  {
    using Point3 = std::array<double, 3>;
    using Cube   = std::array<std::int64_t, 3>;

    /** Points in cubes that are larger than the distance, so that most points
     * are near those of one cube only. */
    class Grid
    {
    public:
      Grid(const std::vector<Point3> &points, const double distance)
        : points(points)
        , distance(distance)
        , next(points.size(), none)
      {
        first_in.reserve(points.size());
      }

      /** The first point that was added within the distance, or @p point after
       * adding it. */
      std::uint32_t
      add(const std::uint32_t point)
      {
        const Point3 &x = points[point];
        Cube lower, upper;
        for (unsigned int d = 0; d < 3; ++d)
          {
            lower[d] = cube_of(x[d] - distance);
            upper[d] = cube_of(x[d] + distance);
          }
        std::uint32_t best = point;
        Cube cube;
        for (cube[0] = lower[0]; cube[0] <= upper[0]; ++cube[0])
          for (cube[1] = lower[1]; cube[1] <= upper[1]; ++cube[1])
            for (cube[2] = lower[2]; cube[2] <= upper[2]; ++cube[2])
              {
                const auto found = first_in.find(cube);
                if (found == first_in.end())
                  continue;
                for (std::uint32_t p = found->second; p != none; p = next[p])
                  if (p < best && are_near(points[p], x))
                    best = p;
              }
        if (best == point)
          {
            for (unsigned int d = 0; d < 3; ++d)
              cube[d] = cube_of(x[d]);
            auto &head  = first_in.emplace(cube, none).first->second;
            next[point] = head;
            head        = point;
          }
        return best;
      }

    private:
      static constexpr std::uint32_t none =
        std::numeric_limits<std::uint32_t>::max();

      std::int64_t
      cube_of(const double x) const
      {
        constexpr double side  = 16.;
        constexpr double limit = 4e18; // what an integer can hold
        return static_cast<std::int64_t>(
          std::clamp(std::floor(x / (side * distance)), -limit, limit));
      }

      bool
      are_near(const Point3 &a, const Point3 &b) const
      {
        double square = 0.;
        for (unsigned int d = 0; d < 3; ++d)
          square += (a[d] - b[d]) * (a[d] - b[d]);
        return square <= distance * distance;
      }

      const std::vector<Point3> &points;
      const double distance;
      std::unordered_map<Cube, std::uint32_t, boost::hash<Cube>> first_in;
      std::vector<std::uint32_t> next;
    };



    bool
    is_finite(const Point3 &x)
    {
      return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]);
    }
  } // namespace



  std::vector<std::uint32_t>
  first_points_within(const std::vector<Point3> &points, const double distance)
  {
    Grid grid(points, distance);
    std::vector<std::uint32_t> first(points.size());
    for (std::uint32_t p = 0; p < points.size(); ++p)
      first[p] = is_finite(points[p]) ? grid.add(p) : p;
    return first;
  }



  CoincidentPoints
  find_coincident_points(const std::vector<Point3> &points,
                         const std::vector<bool> &is_used,
                         const double tolerance)
  {
    Point3 lower, upper;
    lower.fill(std::numeric_limits<double>::max());
    upper.fill(std::numeric_limits<double>::lowest());
    for (std::size_t p = 0; p < points.size(); ++p)
      if (is_used[p])
        for (unsigned int d = 0; d < 3; ++d)
          {
            lower[d] = std::min(lower[d], points[p][d]);
            upper[d] = std::max(upper[d], points[p][d]);
          }
    double size = 0.;
    for (unsigned int d = 0; d < 3; ++d)
      size = std::max(size, upper[d] - lower[d]);

    CoincidentPoints result;
    if (!(size > 0.))
      return result;
    Grid grid(points, tolerance * size);
    for (std::uint32_t p = 0; p < points.size(); ++p)
      if (is_used[p] && grid.add(p) != p && result.n_pairs++ == 0)
        result.first = p;
    return result;
  }
} // namespace Ricochet
