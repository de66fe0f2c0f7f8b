// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/overlap/sides.h>

#include <gtest/gtest.h>

#include "../random.h"
#include "make_bodies.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  using Facets = std::vector<std::array<unsigned int, 3>>;

  /** Small bodies around the origin, then surfaces. */
  class Scene
  {
  public:
    explicit Scene(const std::vector<Point<3>> &places)
      : n_bodies(places.size())
    {
      for (const auto &place : places)
        add_tetrahedron(bodies, place, 0.01);
    }

    /** The pairs that are found, for surfaces added before. */
    std::vector<BodyPair>
    behind()
    {
      bodies.finish();
      return bodies_behind(bodies.surface,
                           bodies.positions,
                           n_bodies,
                           SearchSettings());
    }

    /** A square sheet in the plane z = @p height with its front up or down. */
    void
    add_sheet(const double height, const bool up)
    {
      Facets facets{{{0, 1, 2}}, {{0, 2, 3}}};
      if (!up)
        for (auto &facet : facets)
          std::swap(facet[0], facet[1]);
      bodies.add(
        {{-1, -1, height}, {1, -1, height}, {1, 1, height}, {-1, 1, height}},
        facets);
    }

    Bodies<3> bodies;
    const unsigned int n_bodies;
  };
} // namespace



TEST(Sides, OfAnOpenSheet)
{
  for (const bool up : {false, true})
    {
      // Above, below, and beside it, where there is no side.
      Scene scene({{0.3, 0.2, 0.5}, {-0.4, 0.1, -0.5}, {3, 0, -1}});
      scene.add_sheet(0., up);
      const auto pairs = scene.behind();
      ASSERT_EQ(pairs.size(), 1u);
      EXPECT_EQ(pairs[0], (BodyPair{{up ? 1u : 0u, 3u}}));
    }
}



TEST(Sides, OfClosedSurfaces)
{
  Random random(1);
  std::vector<Point<3>> places;
  for (unsigned int i = 0; i < 200; ++i)
    places.emplace_back(random.vector<3>(2.));
  Scene scene(places);
  add_box(scene.bodies, Point<3>(), Tensor<1, 3>({2., 2., 2.}), {{3, 2, 1}});
  std::vector<char> is_behind(places.size(), 0);
  for (const auto &pair : scene.behind())
    is_behind[pair[0]] = 1;
  unsigned int n_inside = 0;
  for (unsigned int i = 0; i < places.size(); ++i)
    {
      bool inside = true;
      for (unsigned int d = 0; d < 3; ++d)
        inside = inside && std::abs(places[i][d]) < 1.;
      n_inside += inside ? 1 : 0;
      EXPECT_EQ(bool(is_behind[i]), inside) << places[i];
    }
  EXPECT_GT(n_inside, 10u);
}



/** In a valley and on a ridge, the closest feature is an edge. */
TEST(Sides, AtEdges)
{
  for (const double depth : {-1., 1.})
    {
      Scene scene({{0., 0.1, 0.3}, {0., 0.1, -0.3}});
      // Two planes z = depth (1 - |x|), seen from above.
      scene.bodies.add({{-1, -1, 0},
                        {0, -1, depth},
                        {0, 1, depth},
                        {-1, 1, 0},
                        {1, -1, 0},
                        {1, 1, 0}},
                       {{{0, 1, 2}}, {{0, 2, 3}}, {{1, 4, 5}}, {{1, 5, 2}}});
      const auto pairs = scene.behind();
      // Above the valley, below the ridge: both, or none.
      EXPECT_EQ(pairs.size(), depth > 0. ? 2u : 0u);
    }
}
