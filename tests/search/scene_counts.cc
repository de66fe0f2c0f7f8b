// SPDX-License-Identifier: LGPL-2.1-or-later

// The lists of candidates in four scenes: their numbers, on which five other
// libraries agree (ipc-toolkit, Boost, Embree, CGAL, and a grid), and, in
// smaller scenes, all pairs one by one against the definition. At the end of
// the step, what is closer or deeper than some distance is counted by exact
// distances of the candidates.

#include <ricochet/overlap/intersections.h>
#include <ricochet/search/closest_points.h>

#include <gtest/gtest.h>

#include "../random.h"
#include "bench_scenes.h"
#include "candidates.h"

using namespace Ricochet;
using dealii::Point;

namespace
{
  /** Boxes reach this far beyond their features, in mean lengths of edges. */
  constexpr double relative_r = 0.05;



  struct Counts
  {
    std::size_t vertex_facet, edge_edge;
  };

  std::ostream &
  operator<<(std::ostream &out, const Counts &counts)
  {
    return out << counts.vertex_facet << " + " << counts.edge_edge;
  }

  bool
  operator==(const Counts &a, const Counts &b)
  {
    return a.vertex_facet == b.vertex_facet && a.edge_edge == b.edge_edge;
  }



  struct Expected
  {
    BenchScene (*make)();
    Counts at_end, on_the_way, close;
    std::size_t n_intersections;
  };



  FeaturePairs
  find(const BenchScene &scene, const bool is_swept)
  {
    TreeCandidates<3> candidates(scene.bodies.surface, scene.bodies.positions);
    FeaturePairs pairs;
    candidates.find(is_swept ? scene.bodies.positions : scene.end,
                    scene.end,
                    relative_r * scene.mean_length(),
                    pairs);
    for (auto *list : {&pairs.vertex_facet, &pairs.edge_edge})
      std::sort(list->begin(), list->end());
    return pairs;
  }



  Counts
  count(const FeaturePairs &pairs)
  {
    return {pairs.vertex_facet.size(), pairs.edge_edge.size()};
  }



  /** The candidates that are closer than @p distance at the end. */
  Counts
  count_close(const BenchScene &scene,
              const FeaturePairs &pairs,
              const double distance)
  {
    const auto &surface = scene.bodies.surface;
    const auto &x       = scene.end;
    Counts counts{0, 0};
    for (const auto &pair : pairs.vertex_facet)
      {
        const auto &f = surface.facets[pair[1]];
        counts.vertex_facet +=
          closest_point_on_facet(x[pair[0]], {{x[f[0]], x[f[1]], x[f[2]]}})
            .distance_square < distance * distance;
      }
    for (const auto &pair : pairs.edge_edge)
      {
        const auto &e = surface.edges[pair[0]], &f = surface.edges[pair[1]];
        counts.edge_edge +=
          closest_points_of_segments(x[e[0]], x[e[1]], x[f[0]], x[f[1]])
            .distance_square < distance * distance;
      }
    return counts;
  }



  /** The pairs of facets that intersect at the end, those of one body
   * included. Facets that only share a vertex do not. */
  std::size_t
  count_intersections(const BenchScene &scene)
  {
    Surface<3> surface = scene.bodies.surface;
    for (unsigned int f = 0; f < surface.n_facets(); ++f)
      surface.facet_body[f] = f;
    return intersecting_facets(surface, scene.end).size();
  }



  /** All pairs by the definition. */
  FeaturePairs
  find_by_definition(const BenchScene &scene)
  {
    const auto &surface = scene.bodies.surface;
    Boxes<3> boxes;
    make_vertex_boxes(scene.bodies.positions,
                      scene.end,
                      relative_r * scene.mean_length(),
                      boxes);
    const auto hulls_of = [&](const auto &features) {
      Boxes<3> result;
      for (const auto &vertices : features)
        result.push_back(hull(boxes, vertices));
      return result;
    };
    const Boxes<3> facets = hulls_of(surface.facets),
                   edges  = hulls_of(surface.edges);

    FeaturePairs pairs;
    for (unsigned int v = 0; v < surface.n_vertices(); ++v)
      for (unsigned int f = 0; f < surface.n_facets(); ++f)
        if (boxes[v].overlaps(facets[f]) &&
            !share_a_vertex(std::array<unsigned int, 1>{{v}},
                            surface.facets[f]))
          pairs.vertex_facet.push_back({{v, f}});
    for (unsigned int e = 0; e < surface.n_edges(); ++e)
      for (unsigned int f = e + 1; f < surface.n_edges(); ++f)
        if (edges[e].overlaps(edges[f]) &&
            !share_a_vertex(surface.edges[e], surface.edges[f]))
          pairs.edge_edge.push_back({{e, f}});
    return pairs;
  }



  class SceneCounts : public testing::TestWithParam<Expected>
  {};
} // namespace



TEST_P(SceneCounts, AreThoseOfOtherLibraries)
{
  const Expected &expected = GetParam();
  const BenchScene scene   = expected.make();
  EXPECT_EQ(count(find(scene, true)), expected.on_the_way);
  const FeaturePairs at_end = find(scene, false);
  EXPECT_EQ(count(at_end), expected.at_end);
  EXPECT_EQ(count_close(scene, at_end, 2. * relative_r * scene.mean_length()),
            expected.close);
  EXPECT_EQ(count_intersections(scene), expected.n_intersections);
}

INSTANTIATE_TEST_SUITE_P(
  AllScenes,
  SceneCounts,
  testing::Values(Expected{[]() { return make_spheres(58); },
                           {10328, 24746},
                           {766646, 1935063},
                           {117, 391},
                           260},
                  Expected{[]() { return make_cubes(76); },
                           {6287, 19574},
                           {15644, 47255},
                           {387, 1271},
                           934},
                  Expected{[]() { return make_cubes(1000); },
                           {71732, 248668},
                           {513401, 1585269},
                           {5796, 18904},
                           13320},
                  Expected{[]() { return make_sheet(224); },
                           {145130, 433713},
                           {181995, 521230},
                           {35868, 101687},
                           28314}));



TEST(Candidates, AreAllPairsOfOverlappingBoxes)
{
  for (const BenchScene &scene :
       {make_spheres(12), make_cubes(20), make_sheet(32)})
    {
      const FeaturePairs expected = find_by_definition(scene);
      const FeaturePairs found    = find(scene, true);
      EXPECT_GT(expected.edge_edge.size(), 1000u) << scene.name;
      EXPECT_EQ(found.vertex_facet, expected.vertex_facet) << scene.name;
      EXPECT_EQ(found.edge_edge, expected.edge_edge) << scene.name;
    }
}



TEST(Intersections, OfWantedFacets)
{
  const BenchScene scene = make_cubes(76);
  const auto &surface    = scene.bodies.surface;
  const auto all         = intersecting_facets(surface, scene.end);
  EXPECT_GT(all.size(), 100u);
  Random random(2);
  for (const double share : {0., 0.1, 0.5, 1.})
    {
      std::vector<char> is_wanted(surface.n_facets());
      for (char &flag : is_wanted)
        flag = random.uniform(0., 1.) < share;
      std::vector<std::array<unsigned int, 2>> expected;
      for (const auto &pair : all)
        if (is_wanted[pair[0]] || is_wanted[pair[1]])
          expected.push_back(pair);
      auto found = facets_intersecting(surface, scene.end, is_wanted);
      std::sort(found.begin(), found.end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(found, expected);
      EXPECT_EQ(found.empty(), share == 0.);
    }
}
