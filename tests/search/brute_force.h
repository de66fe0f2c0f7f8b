// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_search_brute_force_h
#define ricochet_tests_search_brute_force_h

#include <ricochet/search/closest_points.h>
#include <ricochet/search/search.h>
#include <ricochet/search/swept_tests.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <tuple>
#include <vector>

namespace Ricochet
{
  inline bool
  operator==(const Encounter &a, const Encounter &b)
  {
    return a.time == b.time && a.kind == b.kind && a.first == b.first &&
           a.second == b.second && a.crossing == b.crossing;
  }

  inline std::ostream &
  operator<<(std::ostream &out, const Encounter &e)
  {
    return out << (e.kind == PairKind::vertex_facet ? "vertex " : "edge ")
               << e.first
               << (e.kind == PairKind::vertex_facet ? ", facet " : ", edge ")
               << e.second << ", time " << e.time
               << (e.crossing ? ", crossing" : "");
  }



  /** Search without any search: the definition, applied to all pairs. */
  template <int dim>
  class BruteForce
  {
  public:
    using Point  = dealii::Point<dim>;
    using Points = std::array<Point, dim + 1>;

    BruteForce(const Surface<dim> &surface,
               const SearchSettings &settings,
               const std::vector<Point> &begin,
               const std::vector<Point> &end)
      : surface(surface)
      , settings(settings)
      , begin(begin)
      , end(end)
    {
      for (unsigned int v = 0; v < surface.n_vertices(); ++v)
        for (unsigned int f = 0; f < surface.n_facets(); ++f)
          vertex_facet(v, f);
      for (unsigned int e = 0; e < surface.n_edges(); ++e)
        for (unsigned int f = e + 1; f < surface.n_edges(); ++f)
          edge_edge(e, f);
      std::sort(encounters.begin(), encounters.end());
    }

    std::vector<Encounter> encounters;

  private:
    bool
    counts(const unsigned int body_a, const unsigned int body_b) const
    {
      return (body_a != body_b || settings.self_contact) &&
             (settings.body_pairs.empty() ||
              settings.body_pairs[body_a * surface.n_bodies + body_b]);
    }

    void
    vertex_facet(const unsigned int v, const unsigned int f)
    {
      const auto &facet = surface.facets[f];
      if (!counts(surface.vertex_body[v], surface.facet_body[f]) ||
          std::find(facet.begin(), facet.end(), v) != facet.end())
        return;
      Points x, y;
      std::array<Point, dim> corners;
      x[0] = begin[v];
      y[0] = end[v];
      for (unsigned int i = 0; i < dim; ++i)
        {
          x[i + 1] = begin[facet[i]];
          y[i + 1] = corners[i] = end[facet[i]];
        }
      Encounter encounter{1., PairKind::vertex_facet, v, f, false};
      if constexpr (dim == 2)
        encounter.crossing = SweptTest::vertex_edge(x, y, encounter.time);
      else
        encounter.crossing = SweptTest::vertex_triangle(x, y, encounter.time);
      add(encounter,
          closest_point_on_facet(y[0], corners).distance_square,
          std::min(surface.vertex_length[v], surface.facet_length[f]));
    }

    void
    edge_edge(const unsigned int e, const unsigned int f)
    {
      if constexpr (dim == 3)
        {
          const auto &a = surface.edges[e], &b = surface.edges[f];
          if (!counts(surface.edge_body(e), surface.edge_body(f)) ||
              a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1])
            return;
          Encounter encounter{1., PairKind::edge_edge, e, f, false};
          encounter.crossing = SweptTest::edge_edge(
            {{begin[a[0]], begin[a[1]], begin[b[0]], begin[b[1]]}},
            {{end[a[0]], end[a[1]], end[b[0]], end[b[1]]}},
            encounter.time);
          add(encounter,
              closest_points_of_segments(end[a[0]],
                                         end[a[1]],
                                         end[b[0]],
                                         end[b[1]])
                .distance_square,
              std::min(surface.edge_length[e], surface.edge_length[f]));
        }
    }

    void
    add(const Encounter &encounter,
        const double distance_square,
        const double length)
    {
      const double reach = settings.eta * length;
      if (encounter.crossing || distance_square < reach * reach)
        encounters.push_back(encounter);
    }

    const Surface<dim> &surface;
    const SearchSettings &settings;
    const std::vector<Point> &begin, &end;
  };


  /**
   * Whether a search has found these, and that they meet; when, to 1e-10 of the
   * step, since there are several ways to find the time of impact.
   */
  inline ::testing::AssertionResult
  are_same(std::vector<Encounter> found, std::vector<Encounter> expected)
  {
    for (auto *const list : {&found, &expected})
      std::sort(list->begin(), list->end(), [](const auto &a, const auto &b) {
        return std::tie(a.kind, a.first, a.second) <
               std::tie(b.kind, b.first, b.second);
      });
    for (unsigned int k = 0; k < std::min(found.size(), expected.size()); ++k)
      {
        Encounter close = found[k];
        if (std::abs(close.time - expected[k].time) < 1e-10)
          close.time = expected[k].time;
        if (!(close == expected[k]))
          return ::testing::AssertionFailure()
                 << "found " << found[k] << " instead of " << expected[k];
      }
    return found.size() == expected.size() ? ::testing::AssertionSuccess()
                                           : ::testing::AssertionFailure()
                                               << found.size() << " instead of "
                                               << expected.size();
  }
} // namespace Ricochet

#endif
