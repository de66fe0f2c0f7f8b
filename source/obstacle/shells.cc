// SPDX-License-Identifier: LGPL-2.1-or-later

#include "shells.h"

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/numbers.h>

#include <boost/pending/disjoint_sets.hpp>
#include <cmath>
#include <map>

namespace Ricochet
{
  using dealii::BoundingBox;
  using dealii::Point;
  using dealii::Tensor;

  namespace
  {
    /** A volume that is a smaller part of area times size is none: above the
     * round-off of coordinates in single precision, below that of any plate. */
    constexpr double smallest_volume = 1e-7;

    /** How far a winding number may be from an integer; it is further away
     * only next to the surface. */
    constexpr double clear_winding = 0.05;



    /** One closed shell, to measure and to look into. */
    class ClosedShell
    {
    public:
      ClosedShell(const ObstacleSurface<3> &surface,
                  const std::vector<unsigned int> &facets)
        : surface(surface)
        , facets(facets)
        , box(box_of(surface, facets))
      {}

      Point<3>
      middle() const
      {
        return box.center();
      }

      /** Volume, and whether it is one. */
      std::pair<double, bool>
      volume() const
      {
        // Near the shell, the differences are exact to the last bits.
        const Point<3> origin = middle();
        double volume = 0., area = 0.;
        for (const unsigned int f : facets)
          {
            const auto x = corners(f, origin);
            const auto n = cross_product_3d(x[1] - x[0], x[2] - x[0]);
            volume += x[0] * n / 6.;
            area += n.norm() / 2.;
          }
        const double size = box.get_boundary_points().first.distance(
          box.get_boundary_points().second);
        return {volume, std::abs(volume) > smallest_volume * area * size};
      }

      /**
       * How often the shell goes around a point: 1 inside, or -1 if it faces
       * inward. From the solid angles of all facets, A. Van Oosterom and
       * J. Strackee, The solid angle of a plane triangle, IEEE Transactions on
       * Biomedical Engineering 30 (1983), equation (8).
       */
      double
      winding_number(const Point<3> &point) const
      {
        if (!box.point_inside(point))
          return 0.;
        double sum = 0.;
        for (const unsigned int f : facets)
          {
            const auto x   = corners(f, point);
            const double a = x[0].norm(), b = x[1].norm(), c = x[2].norm();
            sum += 2. * std::atan2(x[0] * cross_product_3d(x[1], x[2]),
                                   a * b * c + (x[0] * x[1]) * c +
                                     (x[1] * x[2]) * a + (x[2] * x[0]) * b);
          }
        return sum / (4. * dealii::numbers::PI);
      }

      /** The same for all of another shell, which does not cross this one: at
       * its first vertex that is not on this one. */
      int
      winding_number(const ClosedShell &other) const
      {
        for (const unsigned int f : other.facets)
          for (const unsigned int v : surface.facets[f])
            {
              const double w       = winding_number(surface.vertices[v]);
              const double integer = std::round(w);
              if (std::abs(w - integer) < clear_winding)
                return static_cast<int>(integer);
            }
        return 0;
      }

    private:
      static BoundingBox<3>
      box_of(const ObstacleSurface<3> &surface,
             const std::vector<unsigned int> &facets)
      {
        std::vector<Point<3>> points;
        for (const unsigned int f : facets)
          for (const unsigned int v : surface.facets[f])
            points.push_back(surface.vertices[v]);
        return BoundingBox<3>(points);
      }

      std::array<Tensor<1, 3>, 3>
      corners(const unsigned int f, const Point<3> &origin) const
      {
        std::array<Tensor<1, 3>, 3> x;
        for (unsigned int i = 0; i < 3; ++i)
          x[i] = surface.vertices[surface.facets[f][i]] - origin;
        return x;
      }

      const ObstacleSurface<3> &surface;
      const std::vector<unsigned int> &facets;
      BoundingBox<3> box;
    };



    void
    measure(const ObstacleSurface<3> &surface, std::vector<Shell> &shells)
    {
      std::vector<unsigned int> solids;
      std::vector<ClosedShell> closed;
      for (unsigned int s = 0; s < shells.size(); ++s)
        if (shells[s].is_closed())
          {
            const ClosedShell shell(surface, shells[s].facets);
            shells[s].middle                                 = shell.middle();
            std::tie(shells[s].volume, shells[s].has_volume) = shell.volume();
            if (!shells[s].has_volume)
              continue;
            solids.push_back(s);
            closed.push_back(shell);
          }
      for (unsigned int a = 0; a < solids.size(); ++a)
        for (unsigned int b = 0; b < solids.size(); ++b)
          if (a != b)
            shells[solids[a]].depth += closed[b].winding_number(closed[a]);
    }
  } // namespace



  std::vector<Shell>
  find_shells(const ObstacleSurface<3> &surface,
              const std::vector<unsigned int> &partner)
  {
    const auto &facets = surface.facets;
    boost::disjoint_sets_with_storage<> sets(facets.size());
    for (unsigned int side = 0; side < partner.size(); ++side)
      if (partner[side] != no_side)
        sets.union_set(side / 3, partner[side] / 3);

    std::vector<Shell> shells;
    std::map<std::size_t, unsigned int> numbers;
    for (unsigned int f = 0; f < facets.size(); ++f)
      {
        const auto [entry, is_new] =
          numbers.emplace(sets.find_set(f), shells.size());
        if (is_new)
          shells.emplace_back();
        Shell &shell = shells[entry->second];
        shell.facets.push_back(f);
        for (unsigned int i = 0; i < 3; ++i)
          if (partner[3 * f + i] == no_side)
            {
              ++shell.n_open_edges;
              shell.open_edge = {{surface.vertices[facets[f][i]],
                                  surface.vertices[facets[f][(i + 1) % 3]]}};
            }
      }
    measure(surface, shells);
    return shells;
  }
} // namespace Ricochet
