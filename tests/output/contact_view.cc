// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/geometry/collision_weights.h>
#include <ricochet/impulse/pair_response.h>
#include <ricochet/output/contact_view.h>
#include <ricochet/response/contact_rigid_bodies.h>

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace
{
  using namespace Ricochet;
  using namespace dealii;

  /** A segment of a body that deforms, with the vertices 0 and 1, and above it
   * a rigid square with the vertices 2 to 5. */
  class SquareOnSegment : public testing::Test
  {
  protected:
    SquareOnSegment()
    {
      surface.append(2, {{{0, 1}}}, 0);
      surface.vertices_are_nodes  = false;
      std::vector<Point<2>> nodes = {{2., 0.}, {-2., 0.}};
      RigidMass mass;
      mass.mass = 3.;
      motions.emplace_back(mass, Point<3>(0., 1., 0.));
      RigidSurface<2> square;
      square.body     = 1;
      square.vertices = {{-1., -1.}, {1., -1.}, {1., 1.}, {-1., 1.}};
      square.facets   = {{{0, 1}}, {{1, 2}}, {{2, 3}}, {{3, 0}}};
      bodies.add_to({square}, motions, SurfaceNodes<2>(), surface, nodes);

      state.resize(surface.n_nodes);
      state.inverse_mass.reinit(
        std::vector<Tensor<1, 2>>(surface.n_nodes, Tensor<1, 2>({1., 1.})));
      bodies.couple(state.inverse_mass);
      state.start_positions = state.end_positions = nodes;
      state.dt                                    = 0.5;
    }

    /** The first vertex of the segment and a point on the lower side of the
     * square, with the weight of that side's first vertex. */
    Collision<2>
    on_lower_side(const double share) const
    {
      // The square is the first side.
      Collision<2> collision;
      set_weights(surface,
                  {{2, 3, 0}},
                  {{share, 1. - share, -1., 0.}},
                  collision);
      collision.bodies = {{1, 0}};
      collision.normal = Tensor<1, 2>({0., 1.});
      return collision;
    }

    Surface<2> surface;
    std::vector<RigidMotion> motions;
    ContactRigidBodies<2> bodies;
    ContactState<2> state;
  };



  TEST_F(SquareOnSegment, VerticesOfRigidBodiesAreNodes)
  {
    const ContactView<2> view(surface, {1});
    EXPECT_EQ(view.n_rigid_vertices(), 4U);
    EXPECT_EQ(view.get_surface().n_nodes, surface.n_nodes + 4);
    EXPECT_EQ(view.get_surface().facets, surface.facets);
    std::vector<Point<2>> buffer, other;
    const auto seen =
      view.get_surface().vertex_positions(view.positions(state), buffer);
    const auto wanted = surface.vertex_positions(state.end_positions, other);
    ASSERT_EQ(seen.size(), wanted.size());
    for (unsigned int v = 0; v < seen.size(); ++v)
      EXPECT_LT(seen[v].distance(wanted[v]), 1e-15);
    EXPECT_LT(seen[2].distance(Point<2>(-1., 0.)), 1e-14);

    // Without rigid bodies nothing is copied.
    const ContactView<2> same(surface, {});
    EXPECT_EQ(&same.get_surface(), &surface);
    EXPECT_EQ(same.n_rigid_vertices(), 0U);
    EXPECT_EQ(same.positions(state).size(), surface.n_nodes);
  }



  TEST_F(SquareOnSegment, VerticesGetWhatActedNearThem)
  {
    const ContactView<2> view(surface, {1});
    ContactInterval<2> vertices;
    vertices.reset(4, 0.);
    const auto push_at = [&](const double share, const Tensor<1, 2> &impulse) {
      PairImpulse<2> pair;
      pair.impulse = impulse;
      pair.status  = ContactStatus::slip;
      apply_impulse(on_lower_side(share), pair, ImpulseTime::start, state);
    };
    // Two impulses on the same features, of which the second takes back a part
    // of the first one: together (3,4) and (1,2), then (-1,-1).
    push_at(0.25, Tensor<1, 2>({4., 5.}));
    push_at(0.25, Tensor<1, 2>({-1., -1.}));
    view.add(state, 0.5, vertices);
    EXPECT_LT((vertices.impulses[0] - Tensor<1, 2>({0.75, 1.})).norm(), 1e-15);
    EXPECT_LT((vertices.impulses[1] - Tensor<1, 2>({2.25, 3.})).norm(), 1e-15);
    EXPECT_EQ(vertices.impulses[2].norm(), 0.);
    EXPECT_NEAR(vertices.normal_impulses[0], 0.5 * 1., 1e-15);
    EXPECT_NEAR(vertices.tangential_impulses[0], 0.5 * 0.75, 1e-15);
    EXPECT_NEAR(vertices.tangential_impulses[1], 0.5 * 2.25, 1e-15);
    EXPECT_EQ(vertices.status, (std::vector<double>{1., 1., 0., 0.}));

    // All of it is what the body got.
    Tensor<1, 2> sum;
    for (const auto &impulse : vertices.impulses)
      sum += impulse;
    const RigidLoad load = bodies.loads(0, state).at_start;
    EXPECT_NEAR(sum[0], load.impulse[0], 1e-14);
    EXPECT_NEAR(sum[1], load.impulse[1], 1e-14);
  }



  TEST_F(SquareOnSegment, PlacesAreThoseOfBothSides)
  {
    auto places =
      places_of(on_lower_side(0.25), state.start_positions, state.inverse_mass);
    EXPECT_LT(places[0].distance(Point<2>(0.5, 0.)), 1e-14);
    EXPECT_LT(places[1].distance(Point<2>(2., 0.)), 1e-14);

    // The arm on a rigid body may end outside of it, where weights of its nodes
    // are negative, and still all are on its side.
    const Collision<2> common = with_common_point(on_lower_side(0.25),
                                                  state.start_positions,
                                                  state.inverse_mass);
    places = places_of(common, state.start_positions, state.inverse_mass);
    EXPECT_LT(places[0].distance(Point<2>(2., 0.)), 1e-14);
    EXPECT_LT(places[1].distance(Point<2>(2., 0.)), 1e-14);
  }



  TEST_F(SquareOnSegment, GapsAreThoseOfContactPoints)
  {
    const ContactView<2> view(surface, {1});
    ContactInterval<2> vertices;
    vertices.reset(4, 0.);
    Collision<2> close = on_lower_side(1.), far = on_lower_side(0.25);
    state.handled = {far, close};
    // The segment is 0.125 lower at the end.
    state.end_positions[0][1] -= 0.125;
    view.add(state, 1., vertices);
    EXPECT_NEAR(vertices.gaps[0], 0.125, 1e-14);
    EXPECT_NEAR(vertices.gaps[1], 0.125, 1e-14);
    EXPECT_TRUE(std::isnan(vertices.gaps[2]));
  }
} // namespace
