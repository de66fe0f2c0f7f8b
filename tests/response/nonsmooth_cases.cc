// SPDX-License-Identifier: LGPL-2.1-or-later

// Cases of an independent implementation: nonsmooth_cases.json.

#include <ricochet/projection/energy_restoration.h>

#include <boost/property_tree/json_parser.hpp>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <string>

#include "case_file.h"
#include "make_vertex_and_facet.h"
#include "nonsmooth_model.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** Call a function for all cases of a kind: input, output, tolerance. */
  void
  for_all(
    const std::string &kind,
    const std::function<void(const Tree &, const Tree &, const double)> &check)
  {
    Tree file;
    boost::property_tree::read_json(std::string(RICOCHET_TEST_DIR) +
                                      "/nonsmooth_cases.json",
                                    file);
    unsigned int n = 0;
    for (const auto &entry : file.get_child("cases"))
      if (entry.second.get<std::string>("kind") == kind)
        {
          SCOPED_TRACE(entry.second.get<std::string>("id"));
          check(entry.second.get_child("input"),
                entry.second.get_child("output"),
                entry.second.get<double>("rtol"));
          ++n;
        }
    EXPECT_GT(n, 0u);
  }



  template <int dim>
  std::vector<Point<dim>>
  points(const Tree &tree)
  {
    const auto values = rows<dim>(tree);
    return {values.begin(), values.end()};
  }



  /** w_i n, vertex by vertex, is the gradient of a function f over its scale at
   * f = 0; away from there it differs by f times the gradient of the scale.
   * So both are compared along f. */
  template <int dim>
  void
  expect_gradient(const Collision<dim> &collision,
                  const std::vector<Tensor<1, dim>> &gradient,
                  const double value,
                  const double scale,
                  const std::vector<Tensor<1, dim>> &gradient_of_scale,
                  const double tolerance)
  {
    EXPECT_NEAR(collision.gap, value / scale, tolerance);
    for (unsigned int i = 0; i < collision.nodes.size(); ++i)
      {
        const Tensor<1, dim> expected =
          gradient[i] / scale - value / (scale * scale) * gradient_of_scale[i];
        EXPECT_LT((collision.weights[i] * collision.normal - expected).norm(),
                  10. * tolerance);
      }
  }
} // namespace



TEST(NonsmoothCases, Segments)
{
  for_all("seg2d", [](const Tree &input, const Tree &output, const double tol) {
    const std::vector<Point<2>> x{Point<2>(vector<2>(input.get_child("x1"))),
                                  Point<2>(vector<2>(input.get_child("x2"))),
                                  Point<2>(vector<2>(input.get_child("x3"))),
                                  Point<2>(vector<2>(input.get_child("x4")))};
    NonsmoothModel<2> model(x,
                            {{{0, 1}}, {{2, 3}}},
                            {0, 0, 1, 1},
                            {1., 1., 1., 1.});
    const auto crossings = model.crossings();
    ASSERT_EQ(!crossings.empty(), output.get<bool>("crossing"));
    if (crossings.empty())
      return;

    ASSERT_EQ(crossings[0].size(), 2u);
    const bool swapped       = output.get<bool>("swapped");
    const unsigned int first = swapped ? 2 : 0, second = swapped ? 0 : 2;
    for (const bool is_a : {true, false})
      {
        const Branch<2> &branch = crossings[0][is_a ? 0 : 1][0];
        EXPECT_EQ(branch.vertices[0], is_a ? first : second + 1);
        EXPECT_EQ(branch.vertices[1], is_a ? second : first);
        Collision<2> collision;
        ASSERT_TRUE(evaluate_branch(model.surface, branch, x, collision));

        // Reorder the gradient of the labelled function to vertex, segment.
        const std::string name = is_a ? "a" : "b";
        const auto labelled =
          rows<2>(output.get_child("grad_labelled_" + name));
        const std::vector<Tensor<1, 2>> gradient =
          is_a
            ? std::vector<Tensor<1, 2>>{labelled[0], labelled[2], labelled[3]}
            : std::vector<Tensor<1, 2>>{labelled[3], labelled[0], labelled[1]};
        const Tensor<1, 2> t    = x[branch.vertices[2]] - x[branch.vertices[1]];
        const Tensor<1, 2> unit = t / t.norm();
        expect_gradient<2>(collision,
                           gradient,
                           output.get<double>("labelled_" + name),
                           t.norm(),
                           {Tensor<1, 2>(), -unit, unit},
                           tol);
      }
  });
}



TEST(NonsmoothCases, Triangles)
{
  for_all("tri3d", [](const Tree &input, const Tree &output, const double tol) {
    auto x            = points<3>(input.get_child("tri1"));
    const auto second = points<3>(input.get_child("tri2"));
    x.insert(x.end(), second.begin(), second.end());
    NonsmoothModel<3> model(x,
                            {{{0, 1, 2}}, {{3, 4, 5}}},
                            {0, 0, 0, 1, 1, 1},
                            std::vector<double>(6, 1.));
    const auto crossings = model.crossings();
    ASSERT_EQ(crossings.size(), 1u);
    const bool is_t2 = output.get<std::string>("topology") == "T2";
    EXPECT_EQ(crossings[0].size(), is_t2 ? 3u : 1u);

    const auto gap_of = [&](const unsigned int vertex,
                            const std::array<unsigned int, 3> &facet) {
      Branch<3> branch;
      branch.vertices = {{vertex, facet[0], facet[1], facet[2]}};
      Collision<3> collision;
      EXPECT_TRUE(evaluate_branch(model.surface, branch, x, collision));
      return collision.gap * cross_product_3d(x[facet[1]] - x[facet[0]],
                                              x[facet[2]] - x[facet[0]])
                               .norm();
    };
    const double tip = gap_of(3, {{0, 1, 2}}), other = gap_of(0, {{3, 4, 5}});
    const double scale = std::max(1., std::abs(tip));
    EXPECT_NEAR(tip,
                output.get<double>("vertex_face_x4_in_123.value"),
                tol * scale);
    EXPECT_NEAR(other,
                output.get<double>("vertex_face_x1_in_456.value"),
                tol * scale);
    // The polynomial (A.5) is their product.
    EXPECT_NEAR(tip * tip * other,
                output.get<double>("V_poly"),
                10. * tol * scale);

    if (is_t2)
      {
        const Branch<3> &edges = crossings[0][0][0];
        ASSERT_EQ(edges.kind, PairKind::edge_edge);
        Collision<3> collision;
        ASSERT_TRUE(evaluate_branch(model.surface, edges, x, collision));
        const auto &v = edges.vertices;
        EXPECT_NEAR(
          collision.gap *
            cross_product_3d(x[v[1]] - x[v[0]], x[v[3]] - x[v[2]]).norm(),
          output.get<double>("edge_edge.value"),
          tol);
        const auto edge_1 = numbers_in(output.get_child("edge_edge.edge1"));
        EXPECT_EQ(std::min(edge_1[0], edge_1[1]), v[0] + 1.);
        EXPECT_EQ(std::max(edge_1[0], edge_1[1]), v[1] + 1.);
      }
    else
      // The vertex alone on its side if it is inside, else the two others.
      EXPECT_EQ(crossings[0][0].size(),
                output.get<bool>("x4_inside_body1") ? 1u : 2u);
  });
}



TEST(NonsmoothCases, ProjectionsInThePlane)
{
  for_all("project2d",
          [](const Tree &input, const Tree &output, const double tol) {
            std::vector<std::array<unsigned int, 2>> segments;
            for (const auto &child : input.get_child("segments"))
              {
                const auto ends = numbers_in(child.second);
                segments.push_back({{static_cast<unsigned int>(ends[0]),
                                     static_cast<unsigned int>(ends[1])}});
              }
            const auto bodies = numbers_in(input.get_child("body"));
            NonsmoothModel<2> model(points<2>(input.get_child("x_pre")),
                                    segments,
                                    {bodies.begin(), bodies.end()},
                                    numbers_in(input.get_child("mass")));
            ASSERT_TRUE(model.project());
            const auto expected = points<2>(output.get_child("x"));
            for (unsigned int k = 0; k < expected.size(); ++k)
              EXPECT_LT(model.positions[k].distance(expected[k]), tol);
            EXPECT_NEAR(model.kinetic_distance_square(),
                        output.get<double>("kinetic_distance2"),
                        tol);
          });
}



TEST(NonsmoothCases, ProjectionsInSpace)
{
  for_all("project3d",
          [](const Tree &input, const Tree &output, const double tol) {
            auto x            = points<3>(input.get_child("tri1_pre"));
            const auto second = points<3>(input.get_child("tri2_pre"));
            x.insert(x.end(), second.begin(), second.end());
            NonsmoothModel<3> model(x,
                                    {{{0, 1, 2}}, {{3, 4, 5}}},
                                    {0, 0, 0, 1, 1, 1},
                                    numbers_in(input.get_child("mass")));
            ASSERT_TRUE(model.project());
            const auto expected = points<3>(output.get_child("x"));
            for (unsigned int k = 0; k < expected.size(); ++k)
              EXPECT_LT(model.positions[k].distance(expected[k]), tol);
          });
}



TEST(NonsmoothCases, RootsOfTheEnergy)
{
  for_all("ll_root",
          [](const Tree &input, const Tree &output, const double tol) {
            if (input.count("A") == 0 || !input.get_child("A").empty())
              return; // coupled contacts
            const double kappa = output.get<double>("kappa");
            EXPECT_NEAR(energy_root(input.get<double>("A"),
                                    input.get<double>("b"),
                                    input.get<double>("c")),
                        kappa,
                        tol * std::abs(kappa));
          });
}



// Two points that meet at the fraction theta of a step separate with the
// restitution |1 - 2 theta|: at once if theta < 1/2, else one step later.
TEST(NonsmoothCases, RestitutionOfTwoPoints)
{
  for (unsigned int k = 0; k <= 10; ++k)
    {
      const double theta = 0.1 * k, speed = 2., dt = 1.; // of VertexAndFacet
      // A point above the middle of a segment, which gets it as a whole.
      const Tensor<1, 2> down({0., -speed});
      const double gap = theta * speed * dt;
      VertexAndFacet<2> pair({Tensor<1, 2>({1., 0.}),
                              Tensor<1, 2>({-1., 0.}),
                              Tensor<1, 2>({0., gap - speed * dt})},
                             {Tensor<1, 2>(), Tensor<1, 2>(), down},
                             {1., 1., 0.3},
                             Point<2>(0., gap));
      const auto step = [&pair]() {
        pair.state.predicted_positions  = pair.state.end_positions;
        pair.state.predicted_velocities = pair.state.velocities;
        pair.correct("nonsmooth", {}, 1., 0.);
      };
      const auto relative = [&pair]() {
        const auto &v = pair.state.velocities;
        return v[2][1] - 0.5 * (v[0][1] + v[1][1]);
      };
      step();
      EXPECT_NEAR(relative(), speed * (1. - 2. * theta), 1e-13);
      if (relative() < -1e-13)
        {
          for (unsigned int node = 0; node < 3; ++node)
            {
              pair.state.start_positions[node] = pair.state.end_positions[node];
              pair.state.end_positions[node] +=
                dt * pair.state.velocities[node];
            }
          pair.state.touched_nodes.clear();
          step();
        }
      EXPECT_NEAR(relative(), speed * std::abs(1. - 2. * theta), 1e-13);
    }
}
