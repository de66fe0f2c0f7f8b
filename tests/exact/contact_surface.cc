// SPDX-License-Identifier: LGPL-2.1-or-later

#include "contact_surface.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "../output/vtu_file.h"

namespace Ricochet
{
  namespace Testing
  {
    namespace
    {
      using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

      Vector
      minus(const Vector &a, const Vector &b)
      {
        return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
      }

      double
      dot(const Vector &a, const Vector &b)
      {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
      }

      Vector
      cross(const Vector &a, const Vector &b)
      {
        return {{a[1] * b[2] - a[2] * b[1],
                 a[2] * b[0] - a[0] * b[2],
                 a[0] * b[1] - a[1] * b[0]}};
      }

      double
      norm(const Vector &a)
      {
        return std::sqrt(dot(a, a));
      }

      Kernel::Triangle_3
      triangle(const ContactSurface &surface, const std::size_t facet)
      {
        Kernel::Point_3 points[3];
        for (unsigned int i = 0; i < 3; ++i)
          {
            const Vector &v = surface.vertices[surface.facets[facet][i]];
            points[i]       = Kernel::Point_3(v[0], v[1], v[2]);
          }
        return {points[0], points[1], points[2]};
      }

      Kernel::Segment_2
      segment(const ContactSurface &surface, const std::size_t facet)
      {
        Kernel::Point_2 points[2];
        for (unsigned int i = 0; i < 2; ++i)
          {
            const Vector &v = surface.vertices[surface.facets[facet][i]];
            points[i]       = Kernel::Point_2(v[0], v[1]);
          }
        return {points[0], points[1]};
      }

      bool
      share_a_vertex(const ContactSurface &surface,
                     const std::size_t f,
                     const std::size_t g)
      {
        for (unsigned int i = 0; i < surface.dim; ++i)
          for (unsigned int j = 0; j < surface.dim; ++j)
            if (surface.facets[f][i] == surface.facets[g][j])
              return true;
        return false;
      }

      /** The box around some points. */
      struct Bounds
      {
        Vector lower{{HUGE_VAL, HUGE_VAL, HUGE_VAL}};
        Vector upper{{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

        void
        extend(const Vector &v)
        {
          for (unsigned int d = 0; d < 3; ++d)
            {
              lower[d] = std::min(lower[d], v[d]);
              upper[d] = std::max(upper[d], v[d]);
            }
        }

        bool
        contain(const Vector &v) const
        {
          for (unsigned int d = 0; d < 3; ++d)
            if (v[d] < lower[d] || v[d] > upper[d])
              return false;
          return true;
        }
      };

      std::map<unsigned int, Bounds>
      bounds_of_bodies(const ContactSurface &surface)
      {
        std::map<unsigned int, Bounds> bounds;
        for (std::size_t f = 0; f < surface.facets.size(); ++f)
          for (unsigned int i = 0; i < surface.dim; ++i)
            bounds[surface.facet_body[f]].extend(
              surface.vertices[surface.facets[f][i]]);
        return bounds;
      }
    } // namespace



    ContactSurface
    ContactSurface::read(const std::string &name)
    {
      const VtuFile file(name);
      ContactSurface surface;
      if (file.n_cells == 0)
        return surface;
      if (!file.points_are_double)
        throw std::runtime_error(name + " holds no double precision.");

      surface.dim = (file.types.at(0) == 3 ? 2 : 3);
      if (file.n_points != surface.dim * file.n_cells)
        throw std::runtime_error(name + " holds other cells than facets.");

      const auto &bodies = file.data.at("body");
      std::map<std::pair<unsigned int, Vector>, std::size_t> numbers;
      for (std::size_t f = 0; f < file.n_cells; ++f)
        {
          std::array<std::size_t, 3> facet{{0, 0, 0}};
          const unsigned int body = bodies.at(surface.dim * f);
          for (unsigned int i = 0; i < surface.dim; ++i)
            {
              const double *const x =
                file.points.data() + 3 * (surface.dim * f + i);
              const Vector position{{x[0], x[1], x[2]}};
              const auto number =
                numbers.insert({{body, position}, surface.vertices.size()});
              if (number.second)
                surface.vertices.push_back(position);
              facet[i] = number.first->second;
            }
          surface.facets.push_back(facet);
          surface.facet_body.push_back(body);
        }
      return surface;
    }



    Vector
    ContactSurface::outward(const std::size_t facet) const
    {
      const auto &f     = facets[facet];
      const Vector edge = minus(vertices[f[1]], vertices[f[0]]);
      if (dim == 2)
        return {{edge[1], -edge[0], 0.}};
      return cross(edge, minus(vertices[f[2]], vertices[f[0]]));
    }



    void
    ContactSurface::shrink(const double relative_distance)
    {
      const auto bounds = bounds_of_bodies(*this);
      std::vector<Vector> normals(vertices.size(), Vector{{0., 0., 0.}});
      std::vector<double> distances(vertices.size(), 0.);
      for (std::size_t f = 0; f < facets.size(); ++f)
        {
          const Bounds &body  = bounds.at(facet_body[f]);
          const Vector normal = outward(f);
          for (unsigned int i = 0; i < dim; ++i)
            {
              distances[facets[f][i]] =
                relative_distance * norm(minus(body.upper, body.lower));
              for (unsigned int d = 0; d < 3; ++d)
                normals[facets[f][i]][d] += normal[d];
            }
        }
      for (std::size_t v = 0; v < vertices.size(); ++v)
        if (norm(normals[v]) > 0.)
          for (unsigned int d = 0; d < 3; ++d)
            vertices[v][d] -= distances[v] * normals[v][d] / norm(normals[v]);
    }



    std::vector<std::size_t>
    ContactSurface::degenerate_facets() const
    {
      std::vector<std::size_t> found;
      for (std::size_t f = 0; f < facets.size(); ++f)
        if (dim == 2 ? segment(*this, f).is_degenerate()
                     : triangle(*this, f).is_degenerate())
          found.push_back(f);
      return found;
    }



    std::vector<ContactSurface::Pair>
    ContactSurface::intersections(const bool same_body) const
    {
      using Box =
        CGAL::Box_intersection_d::Box_with_info_d<double, 3, std::size_t>;
      std::vector<Box> boxes;
      for (std::size_t f = 0; f < facets.size(); ++f)
        {
          CGAL::Bbox_3 box;
          for (unsigned int i = 0; i < dim; ++i)
            {
              const Vector &v = vertices[facets[f][i]];
              box += CGAL::Bbox_3(v[0], v[1], v[2], v[0], v[1], v[2]);
            }
          boxes.emplace_back(box, f);
        }

      std::vector<Pair> found;
      CGAL::box_self_intersection_d(
        boxes.begin(),
        boxes.end(),
        [&](const Box &a, const Box &b) {
          const std::size_t f = std::min(a.info(), b.info());
          const std::size_t g = std::max(a.info(), b.info());
          if (facet_body[f] == facet_body[g] &&
              (!same_body || share_a_vertex(*this, f, g)))
            return;
          if (dim == 2
                ? CGAL::do_intersect(segment(*this, f), segment(*this, g))
                : CGAL::do_intersect(triangle(*this, f), triangle(*this, g)))
            found.push_back({f, g});
        });
      std::sort(found.begin(), found.end(), [](const Pair &a, const Pair &b) {
        return std::tie(a.first, a.second) < std::tie(b.first, b.second);
      });
      return found;
    }



    bool
    ContactSurface::is_closed(const unsigned int body) const
    {
      // The edges (in 2D: the ends) that were met in one direction only.
      std::map<std::pair<std::size_t, std::size_t>, int> balance;
      for (std::size_t f = 0; f < facets.size(); ++f)
        if (facet_body[f] == body)
          for (unsigned int i = 0; i < dim; ++i)
            {
              const std::size_t a = facets[f][i];
              const std::size_t b = facets[f][(i + 1) % dim];
              if (dim == 2)
                balance[{a, a}] += (i == 0 ? 1 : -1);
              else
                balance[std::minmax(a, b)] += (a < b ? 1 : -1);
            }
      return std::all_of(balance.begin(), balance.end(), [](const auto &edge) {
        return edge.second == 0;
      });
    }



    double
    ContactSurface::winding_number(const unsigned int body,
                                   const Vector &point) const
    {
      double angle = 0.;
      for (std::size_t f = 0; f < facets.size(); ++f)
        if (facet_body[f] == body)
          {
            const Vector a = minus(vertices[facets[f][0]], point);
            const Vector b = minus(vertices[facets[f][1]], point);
            if (dim == 2)
              {
                angle += std::atan2(cross(a, b)[2], dot(a, b));
                continue;
              }
            // The solid angle by A. van Oosterom and J. Strackee (1983),
            // doi:10.1109/TBME.1983.325207, equation (8).
            const Vector c = minus(vertices[facets[f][2]], point);
            const double r = norm(a), s = norm(b), t = norm(c);
            angle += 2. * std::atan2(dot(a, cross(b, c)),
                                     r * s * t + dot(a, b) * t + dot(a, c) * s +
                                       dot(b, c) * r);
          }
      return angle / ((dim == 2 ? 2. : 4.) * std::acos(-1.));
    }



    std::vector<std::size_t>
    ContactSurface::parts() const
    {
      std::vector<std::size_t> parent(vertices.size());
      std::iota(parent.begin(), parent.end(), 0);
      const auto root = [&](std::size_t v) {
        while (parent[v] != v)
          v = parent[v] = parent[parent[v]];
        return v;
      };
      for (const auto &facet : facets)
        for (unsigned int i = 1; i < dim; ++i)
          parent[root(facet[i])] = root(facet[0]);
      for (std::size_t v = 0; v < vertices.size(); ++v)
        parent[v] = root(v);
      return parent;
    }



    std::vector<ContactSurface::Contained>
    ContactSurface::contained() const
    {
      const auto bounds         = bounds_of_bodies(*this);
      const auto part_of_vertex = parts();
      std::map<unsigned int, bool> closed; // as far as asked for
      const auto can_contain = [&](const unsigned int body) {
        const auto entry = closed.emplace(body, false);
        if (entry.second)
          entry.first->second = is_closed(body);
        return entry.first->second;
      };
      std::set<std::size_t> seen;
      std::vector<Contained> found;
      for (std::size_t f = 0; f < facets.size(); ++f)
        {
          const std::size_t part = part_of_vertex[facets[f][0]];
          if (!seen.insert(part).second)
            continue;
          for (const auto &body : bounds)
            if (body.first != facet_body[f] &&
                body.second.contain(vertices[part]) &&
                can_contain(body.first) &&
                winding_number(body.first, vertices[part]) > 0.5)
              found.push_back({facet_body[f], body.first});
        }
      return found;
    }
  } // namespace Testing
} // namespace Ricochet
