// SPDX-License-Identifier: LGPL-2.1-or-later

#include "render_surface.h"

#include <deal.II/base/numbers.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace Ricochet
{
  namespace
  {
    using Vertices = std::vector<dealii::Point<3>>;

    Color
    scaled(Color color, const double brightness)
    {
      for (float &c : color)
        c = std::min(1., c * brightness);
      return color;
    }



    /** Unit normals, turned towards the eye. */
    std::vector<dealii::Tensor<1, 3>>
    facet_normals(const std::vector<std::array<unsigned int, 3>> &facets,
                  const Vertices &vertices)
    {
      std::vector<dealii::Tensor<1, 3>> normals;
      for (const auto &f : facets)
        {
          dealii::Tensor<1, 3> n =
            dealii::cross_product_3d(vertices[f[1]] - vertices[f[0]],
                                     vertices[f[2]] - vertices[f[0]]);
          const double norm = n.norm();
          normals.push_back(norm > 0. ? n / norm : n);
        }
      return normals;
    }



    /** Whether a surface with these normals bends by more than 40 degrees. */
    bool
    is_crease(const dealii::Tensor<1, 3> &n, const dealii::Tensor<1, 3> &m)
    {
      static const double cosine = std::cos(40. * dealii::numbers::PI / 180.);
      return n * m < cosine;
    }



    /** Edges of the surface where it has an end, or where @p is_line holds for
     * the normals of its facets; with one of the facets. */
    template <typename Predicate>
    std::vector<OutlineSegment>
    select_edges(const std::vector<std::array<unsigned int, 3>> &facets,
                 const std::vector<dealii::Tensor<1, 3>> &normals,
                 const Predicate &is_line)
    {
      std::vector<std::tuple<unsigned int, unsigned int, unsigned int>> sides;
      for (unsigned int f = 0; f < facets.size(); ++f)
        for (unsigned int i = 0; i < 3; ++i)
          {
            const unsigned int a = facets[f][i], b = facets[f][(i + 1) % 3];
            sides.emplace_back(std::min(a, b), std::max(a, b), f);
          }
      std::sort(sides.begin(), sides.end());

      std::vector<OutlineSegment> result;
      for (std::size_t s = 0; s < sides.size();)
        {
          const auto [a, b, f] = sides[s];
          std::size_t end      = s + 1;
          while (end < sides.size() && std::get<0>(sides[end]) == a &&
                 std::get<1>(sides[end]) == b)
            ++end;
          if (end != s + 2 ||
              is_line(normals[f], normals[std::get<2>(sides[s + 1])]))
            result.push_back({{{a, b}}, f});
          s = end;
        }
      return result;
    }



    void
    render(const std::vector<std::array<unsigned int, 3>> &facets,
           const std::vector<unsigned int> &facet_bodies,
           const Vertices &vertices,
           Rasterizer &picture)
    {
      const auto normals = facet_normals(facets, vertices);

      // Light comes from above, a little from the left, from behind the eye.
      dealii::Tensor<1, 3> light({-0.35, 0.7, 0.6});
      light /= light.norm();

      for (unsigned int f = 0; f < facets.size(); ++f)
        {
          // Seen from inside (open surfaces): the other side is lit.
          const auto &n     = normals[f];
          const double lit  = (n[2] < 0. ? -1. : 1.) * (n * light);
          const double tone = 0.62 + 0.48 * std::max(0., lit);
          picture.draw_triangle({{vertices[facets[f][0]],
                                  vertices[facets[f][1]],
                                  vertices[facets[f][2]]}},
                                scaled(body_color(facet_bodies[f]), tone));
        }

      // Lines lie a pixel in front of the facets they belong to.
      const dealii::Tensor<1, 3> shift({0., 0., 1.});
      for (const auto &[ends, f] : select_edges(facets, normals, is_crease))
        picture.draw_segment({{vertices[ends[0]] + shift,
                               vertices[ends[1]] + shift}},
                             scaled(body_color(facet_bodies[f]), 0.4),
                             1.2);
    }



    void
    render(const std::vector<std::array<unsigned int, 2>> &facets,
           const std::vector<unsigned int> &facet_bodies,
           const Vertices &vertices,
           Rasterizer &picture)
    {
      struct Curve
      {
        std::vector<std::array<dealii::Point<3>, 2>> segments;

        /** Segments that end in a vertex minus those that start there. */
        std::map<unsigned int, int> balance;
      };
      std::map<unsigned int, Curve> curves;
      for (unsigned int f = 0; f < facets.size(); ++f)
        {
          Curve &curve = curves[facet_bodies[f]];
          curve.segments.push_back(
            {{vertices[facets[f][0]], vertices[facets[f][1]]}});
          --curve.balance[facets[f][0]];
          ++curve.balance[facets[f][1]];
        }

      // Where bodies overlap, the later one is seen, lines above all.
      double depth = 0.;
      for (auto &[body, curve] : curves)
        {
          depth += 1.;
          for (auto &segment : curve.segments)
            segment[0][2] = segment[1][2] = depth;
          if (std::all_of(curve.balance.begin(),
                          curve.balance.end(),
                          [](const auto &vertex) {
                            return vertex.second == 0;
                          }))
            {
              Color fill = body_color(body);
              for (float &c : fill)
                c += 0.35f * (1.f - c);
              picture.fill(curve.segments, fill);
            }
        }
      for (auto &[body, curve] : curves)
        for (auto &segment : curve.segments)
          {
            segment[0][2] = segment[1][2] = depth + 1.;
            picture.draw_segment(segment, scaled(body_color(body), 0.6), 1.5);
          }
    }
  } // namespace



  template <int dim>
  dealii::Tensor<1, 3>
  View<dim>::eye()
  {
    if (dim == 2)
      return dealii::Tensor<1, 3>({0., 0., 1.});
    const double azimuth   = -60. * dealii::numbers::PI / 180.;
    const double elevation = 25. * dealii::numbers::PI / 180.;
    return dealii::Tensor<1, 3>({std::cos(elevation) * std::cos(azimuth),
                                 std::cos(elevation) * std::sin(azimuth),
                                 std::sin(elevation)});
  }



  template <int dim>
  dealii::Point<3>
  View<dim>::project(const dealii::Point<dim> &x)
  {
    if constexpr (dim == 2)
      return dealii::Point<3>(x[0], x[1], 0.);
    else
      {
        const auto d = eye();
        dealii::Tensor<1, 3> right({-d[1], d[0], 0.});
        right /= right.norm();
        const auto up = dealii::cross_product_3d(d, right);
        return dealii::Point<3>(x * right, x * up, x * d);
      }
  }



  template <int dim>
  std::vector<OutlineSegment>
  outlines(const std::vector<std::array<unsigned int, dim>> &facets,
           const std::vector<dealii::Point<3>> &vertices)
  {
    if constexpr (dim == 2)
      {
        std::vector<OutlineSegment> result;
        for (unsigned int f = 0; f < facets.size(); ++f)
          result.push_back({facets[f], f});
        return result;
      }
    else
      return select_edges(facets,
                          facet_normals(facets, vertices),
                          [](const auto &n, const auto &m) {
                            const bool n_is_seen = n[2] > 0.;
                            const bool m_is_seen = m[2] > 0.;
                            return n_is_seen != m_is_seen ||
                                   (n_is_seen && is_crease(n, m));
                          });
  }



  template <int dim>
  void
  render_surface(const std::vector<std::array<unsigned int, dim>> &facets,
                 const std::vector<unsigned int> &facet_bodies,
                 const std::vector<dealii::Point<3>> &vertices,
                 Rasterizer &picture)
  {
    render(facets, facet_bodies, vertices, picture);
  }



  template class View<2>;
  template class View<3>;
  template std::vector<OutlineSegment>
  outlines<2>(const std::vector<std::array<unsigned int, 2>> &,
              const std::vector<dealii::Point<3>> &);
  template std::vector<OutlineSegment>
  outlines<3>(const std::vector<std::array<unsigned int, 3>> &,
              const std::vector<dealii::Point<3>> &);
  template void
  render_surface<2>(const std::vector<std::array<unsigned int, 2>> &,
                    const std::vector<unsigned int> &,
                    const std::vector<dealii::Point<3>> &,
                    Rasterizer &);
  template void
  render_surface<3>(const std::vector<std::array<unsigned int, 3>> &,
                    const std::vector<unsigned int> &,
                    const std::vector<dealii::Point<3>> &,
                    Rasterizer &);
} // namespace Ricochet
