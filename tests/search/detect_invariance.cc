// SPDX-License-Identifier: LGPL-2.1-or-later

// What is found does not depend on units, on the place and direction of the
// bodies, or on the numbering of their features.

#include <ricochet/search/search.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <tuple>

#include "../random.h"
#include "make_bodies.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  template <int dim>
  using Positions = std::vector<Point<dim>>;

  /** Two features by their vertices, so that numbers do not matter. */
  using Key = std::
    tuple<PairKind, std::vector<unsigned int>, std::vector<unsigned int>, bool>;

  using Result = std::map<Key, double>;



  /**
   * Everything found in a step.
   *
   * @param[in] original Maps the numbers of vertices to those to report.
   */
  template <int dim>
  Result
  detect(const Bodies<dim> &bodies,
         const Positions<dim> &end,
         const std::vector<unsigned int> &original)
  {
    Search<dim> search;
    SearchSettings settings;
    settings.eta = 1e-2;
    search.reinit(bodies.surface, settings, MPI_COMM_WORLD);
    std::vector<Encounter> encounters;
    search.detect(bodies.positions, end, encounters);

    Result result;
    const auto feature = [&](const auto &vertices) {
      std::vector<unsigned int> numbers;
      for (const unsigned int v : vertices)
        numbers.push_back(original[v]);
      std::sort(numbers.begin(), numbers.end());
      return numbers;
    };
    for (const Encounter &e : encounters)
      if (e.kind == PairKind::vertex_facet)
        result[Key(e.kind,
                   {original[e.first]},
                   feature(bodies.surface.facets[e.second]),
                   e.crossing)] = e.time;
      else
        {
          auto a = feature(bodies.surface.edges[e.first]);
          auto b = feature(bodies.surface.edges[e.second]);
          if (b < a)
            std::swap(a, b);
          result[Key(e.kind, a, b, e.crossing)] = e.time;
        }
    EXPECT_EQ(result.size(), encounters.size());
    return result;
  }



  void
  expect_equal(const Result &a, const Result &b)
  {
    ASSERT_EQ(a.size(), b.size());
    for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j)
      {
        EXPECT_TRUE(i->first == j->first);
        EXPECT_NEAR(i->second, j->second, 1e-9);
      }
  }



  template <int dim>
  std::vector<unsigned int>
  identity(const Bodies<dim> &bodies)
  {
    std::vector<unsigned int> numbers(bodies.positions.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
  }



  /** Bodies in generic positions that move through each other. */
  template <int dim>
  void
  make_scene(Bodies<dim> &bodies, Positions<dim> &end)
  {
    Random random(8);
    if constexpr (dim == 2)
      {
        add_polygon(bodies, Point<2>(0., 0.), 1., 0.8, 30);
        add_polygon(bodies, Point<2>(2., 0.5), 0.9, 1.2, 41);
        add_polygon(bodies, Point<2>(0.9, -1.5), 1.9, 0.6, 7);
      }
    else
      {
        const Tensor<1, 3> one({1., 1., 1.});
        add_box(bodies, Point<3>(0., 0., 0.), one, {{4, 4, 4}}, true);
        add_box(bodies, Point<3>(0.9, 0.3, 0.2), one, {{3, 3, 3}});
        add_tetrahedron(bodies, Point<3>(-0.3, 0.5, 0.5), 0.7);
      }
    for (auto &x : bodies.positions)
      for (unsigned int d = 0; d < dim; ++d)
        x[d] += 0.02 * random.uniform(-1., 1.);
    bodies.finish();
    end = bodies.positions;
    for (unsigned int v = 0; v < end.size(); ++v)
      for (unsigned int d = 0; d < dim; ++d)
        end[v][d] += 0.05 * random.uniform(-1., 1.) -
                     0.5 * bodies.surface.vertex_body[v] * (d == 0 ? 1. : 0.6);
  }



  template <int dim>
  void
  test_maps()
  {
    Bodies<dim> bodies;
    Positions<dim> end;
    make_scene<dim>(bodies, end);
    const Result original = detect(bodies, end, identity(bodies));
    ASSERT_GT(original.size(), 10u);

    const auto expect_same =
      [&](const std::function<Point<dim>(Point<dim>)> &f) {
        Bodies<dim> mapped     = bodies;
        Positions<dim> new_end = end;
        for (auto &x : mapped.positions)
          x = f(x);
        for (auto &x : new_end)
          x = f(x);
        mapped.finish();
        expect_equal(original, detect(mapped, new_end, identity(mapped)));
      };
    for (const double scale : {1e-9, 1e-6, 3e-3, 1e6, 1e9})
      expect_same([&](const Point<dim> &x) { return Point<dim>(x * scale); });
    for (const double shift : {1., -37., 1e4})
      expect_same([&](Point<dim> x) {
        for (unsigned int d = 0; d < dim; ++d)
          x[d] += shift / (d + 1.);
        return x;
      });
    for (const double angle : {0.3, 1.1, 2.7})
      expect_same([&](const Point<dim> &x) {
        Point<dim> y = x;
        for (unsigned int d = 0; d + 1 < dim; ++d)
          {
            const double a = y[d], b = y[d + 1];
            y[d]     = std::cos(angle) * a - std::sin(angle) * b;
            y[d + 1] = std::sin(angle) * a + std::cos(angle) * b;
          }
        return y;
      });
  }



  template <int dim>
  void
  test_renumbering()
  {
    Bodies<dim> bodies;
    Positions<dim> end;
    make_scene<dim>(bodies, end);
    const Result original = detect(bodies, end, identity(bodies));

    Random random(9);
    for (unsigned int n = 0; n < 5; ++n)
      {
        // Bodies, vertices, facets and the first vertex of each facet, all in
        // another order.
        const unsigned int n_bodies = bodies.surface.n_bodies;
        std::vector<unsigned int> body_order(n_bodies);
        std::iota(body_order.begin(), body_order.end(), 0u);
        random.shuffle(body_order);

        Bodies<dim> other;
        Positions<dim> other_end;
        std::vector<unsigned int> old_vertices;
        for (const unsigned int body : body_order)
          {
            std::vector<unsigned int> members;
            for (unsigned int v = 0; v < end.size(); ++v)
              if (bodies.surface.vertex_body[v] == body)
                members.push_back(v);
            random.shuffle(members);
            std::map<unsigned int, unsigned int> local;
            Positions<dim> points;
            for (const unsigned int v : members)
              {
                local[v] = points.size();
                points.push_back(bodies.positions[v]);
                other_end.push_back(end[v]);
                old_vertices.push_back(v);
              }
            std::vector<std::array<unsigned int, dim>> facets;
            for (unsigned int f = 0; f < bodies.surface.n_facets(); ++f)
              if (bodies.surface.facet_body[f] == body)
                {
                  auto facet = bodies.surface.facets[f];
                  for (unsigned int &v : facet)
                    v = local[v];
                  if (dim == 3)
                    std::rotate(facet.begin(),
                                facet.begin() + random.below(dim),
                                facet.end());
                  facets.push_back(facet);
                }
            random.shuffle(facets);
            other.add(points, facets);
          }
        other.finish();
        expect_equal(original, detect(other, other_end, old_vertices));
      }
  }
} // namespace



TEST(SearchInvariance, UnderMaps)
{
  test_maps<2>();
  test_maps<3>();
}



TEST(SearchInvariance, UnderRenumbering)
{
  test_renumbering<2>();
  test_renumbering<3>();
}
