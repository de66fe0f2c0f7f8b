// SPDX-License-Identifier: LGPL-2.1-or-later

// The stages that end a step without intersections, one by one: a response
// that does nothing leaves everything to them.

#include <ricochet/impulse/rigid_group.h>
#include <ricochet/overlap/intersections.h>
#include <ricochet/response/settling.h>

#include <deal.II/lac/full_matrix.h>

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>

#include "../random.h"
#include "../search/make_bodies.h"
#include "../sums.h"
#include "couple_nodes.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** Leaves all encounters to the later stages. */
  class NoResponse : public ContactCorrection<3>
  {
  public:
    void
    parse_parameters(dealii::ParameterHandler &) override
    {}

    bool
    correct(const Surface<3> &,
            const std::vector<Encounter> &,
            const PassSettings &,
            ContactState<3> &) override
    {
      return false;
    }
  };



  /** Mass points on the surfaces of bodies. */
  class Model
  {
  public:
    explicit Model(const unsigned int seed)
      : random(seed)
    {}

    /** After the bodies were added: random masses, all at rest. */
    void
    finish()
    {
      bodies.finish();
      const unsigned int n  = bodies.positions.size();
      state.start_positions = state.end_positions = bodies.positions;
      state.velocities.assign(n, Tensor<1, 3>());
      state.accelerations.resize(n);
      state.debts.resize(n);
      state.impulses.resize(n);
      state.position_impulses.resize(n);
      state.normal_impulses.resize(n);
      state.status.resize(n);
      state.dt = 0.1;
      for (unsigned int i = 0; i < n; ++i)
        {
          const double m = std::exp(random.uniform(-1., 1.));
          inverse_masses.push_back(Tensor<1, 3>({1. / m, 1. / m, 1. / m}));
        }
    }

    /** After finish(): let the masses of nearby points of a body be coupled. */
    void
    couple_masses()
    {
      const unsigned int n = inverse_masses.size();
      mass.reinit(n, n);
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          if (bodies.surface.vertex_body[i] == bodies.surface.vertex_body[j])
            mass(i, j) =
              ((i == j ? 0.5 : 0.) + 0.5 * std::exp(-(state.start_positions[i] -
                                                      state.start_positions[j])
                                                       .norm_square())) /
              std::sqrt(inverse_masses[i][0] * inverse_masses[j][0]);
      inverse.copy_from(mass);
      inverse.gauss_jordan();
    }

    void
    predict()
    {
      state.inverse_mass.reinit(inverse_masses);
      if (!mass.empty())
        {
          std::map<unsigned int, std::vector<unsigned int>> nodes_of_body;
          for (unsigned int i = 0; i < inverse.m(); ++i)
            nodes_of_body[bodies.surface.vertex_body[i]].push_back(i);
          for (const auto &[body, nodes] : nodes_of_body)
            couple_nodes(state.inverse_mass, nodes, inverse);
        }
      for (unsigned int i = 0; i < state.end_positions.size(); ++i)
        state.end_positions[i] =
          state.start_positions[i] + state.dt * state.velocities[i];
      state.predicted_velocities = state.velocities;
    }

    void
    settle(const SettlingSettings &settings)
    {
      SearchSettings search_settings;
      search_settings.eta = settings.pass.eta;
      search.reinit(bodies.surface, search_settings, MPI_COMM_SELF);
      Settling<3> settling;
      settling.reinit(bodies.surface, search, search_settings, settings);
      NoResponse response;
      settling.settle(response, state);
    }

    Sums<3>
    sums() const
    {
      Sums<3> result;
      for (unsigned int i = 0; i < state.end_positions.size(); ++i)
        if (inverse_masses[i][0] > 0.)
          {
            Tensor<1, 3> p;
            if (mass.empty())
              p = state.velocities[i] / inverse_masses[i][0];
            else
              for (unsigned int j = 0; j < mass.n(); ++j)
                p += mass(i, j) * state.velocities[j];
            result.add(state.end_positions[i], state.velocities[i], {}, p);
          }
      return result;
    }

    std::size_t
    n_intersections() const
    {
      return intersecting_facets(bodies.surface, state.end_positions).size();
    }

    /** Whether the swept test finds the way from the start to the end free. */
    bool
    is_clear()
    {
      std::vector<Encounter> encounters;
      search.detect(state.start_positions, state.end_positions, encounters);
      for (const Encounter &encounter : encounters)
        if (encounter.crossing)
          return false;
      return true;
    }

    Bodies<3> bodies;
    ContactState<3> state;
    std::vector<Tensor<1, 3>> inverse_masses;
    Search<3> search;

    Random random;

  private:
    dealii::FullMatrix<double> mass, inverse; // empty if lumped
  };



  /** Turn the points of the last body about the origin of its box. */
  void
  turn(Model &model, const unsigned int first, const Point<3> &centre)
  {
    Tensor<1, 3> a = model.random.vector<3>(1.), b = model.random.vector<3>(1.);
    a /= a.norm();
    b -= (b * a) * a;
    b /= b.norm();
    const Tensor<1, 3> c = cross_product_3d(a, b);
    for (unsigned int i = first; i < model.bodies.positions.size(); ++i)
      {
        const Tensor<1, 3> r      = model.bodies.positions[i] - centre;
        model.bodies.positions[i] = centre + r[0] * a + r[1] * b + r[2] * c;
      }
  }



  /** Three turned boxes around a corner that fly at each other and jitter, up
   * to several edges in one step. */
  class Crash : public Model
  {
  public:
    Crash(const unsigned int seed,
          const double speed,
          const bool is_consistent = false)
      : Model(seed)
    {
      const std::array<Point<3>, 3> centres{{Point<3>(1., 0., 0.),
                                             Point<3>(-0.9, 0.4, 0.),
                                             Point<3>(0., -0.2, 1.8)}};
      for (const auto &centre : centres)
        {
          const unsigned int first = bodies.positions.size();
          add_box(bodies, centre, Tensor<1, 3>({1., 0.9, 0.8}), {{2, 2, 2}});
          turn(*this, first, centre);
        }
      finish();
      for (unsigned int i = 0; i < state.start_positions.size(); ++i)
        {
          const Tensor<1, 3> to_centre =
            Point<3>() - centres[bodies.surface.vertex_body[i]];
          state.velocities[i] = speed * to_centre / to_centre.norm() +
                                random.vector<3>(0.1 * speed);
        }
      if (is_consistent)
        couple_masses();
      predict();
    }
  };



  void
  expect_momenta(const Sums<3> &before,
                 const Sums<3> &after,
                 const Tensor<1, 3> &known)
  {
    EXPECT_LT((after.momentum - before.momentum).norm(),
              1e-12 * before.momentum_scale);
    EXPECT_LT((after.angular_momentum - before.angular_momentum - known).norm(),
              1e-11 * before.momentum_scale);
  }



  /** Only this stage is left. */
  SettlingSettings
  projection_only()
  {
    SettlingSettings settings;
    settings.pass.restitution = 0.5;
    settings.pass.friction    = 0.3;
    settings.max_passes       = 0; // or the pairs would collide one by one
    return settings;
  }

  SettlingSettings
  rigid_only()
  {
    SettlingSettings settings = projection_only();
    settings.max_projections  = 0;
    return settings;
  }
} // namespace



// With lumped and with consistent masses:
class SettlingOfMasses : public ::testing::TestWithParam<bool>
{};



TEST_P(SettlingOfMasses, ProjectionEndsModeratePenetrations)
{
  unsigned int n_projected = 0;
  for (unsigned int seed = 0; seed < 20; ++seed)
    {
      Crash model(seed, 4., GetParam());
      const Sums<3> before = model.sums();
      const bool meets     = model.n_intersections() > 0;
      model.settle(projection_only());
      const ContactRecord &record = model.state.record;
      EXPECT_FALSE(record.unsettled);
      EXPECT_TRUE(!meets || record.n_projected + record.n_rigid > 0);
      EXPECT_EQ(model.n_intersections(), 0u) << "seed " << seed;
      EXPECT_TRUE(model.is_clear()) << "seed " << seed;
      const Sums<3> after = model.sums();
      expect_momenta(before, after, record.angular_momentum_change);
      EXPECT_NEAR(after.kinetic_energy + record.restitution_loss +
                    record.friction_loss,
                  before.kinetic_energy,
                  1e-12 * before.kinetic_energy);
      EXPECT_GE(record.friction_loss, -1e-12 * before.kinetic_energy);
      n_projected += record.n_rigid == 0 ? record.n_projected : 0;
    }
  EXPECT_GE(n_projected, 10u);
}



TEST_P(SettlingOfMasses, RigidGroupsEndEverything)
{
  unsigned int n_rigid = 0;
  for (unsigned int seed = 0; seed < 20; ++seed)
    {
      Crash model(seed, seed % 2 == 0 ? 5. : 100., GetParam());
      const Sums<3> before = model.sums();
      model.settle(rigid_only());
      const ContactRecord &record = model.state.record;
      EXPECT_FALSE(record.unsettled);
      EXPECT_EQ(record.n_projected, 0u);
      EXPECT_EQ(model.n_intersections(), 0u) << "seed " << seed;
      const Sums<3> after = model.sums();
      expect_momenta(before, after, Tensor<1, 3>());
      EXPECT_LE(after.kinetic_energy, before.kinetic_energy * (1. + 1e-12));
      EXPECT_NEAR(after.kinetic_energy + record.restitution_loss,
                  before.kinetic_energy,
                  1e-12 * before.kinetic_energy);
      n_rigid += record.n_rigid;
    }
  EXPECT_GE(n_rigid, 15u);
}



INSTANTIATE_TEST_SUITE_P(Masses,
                         SettlingOfMasses,
                         ::testing::Bool(),
                         [](const auto &info) {
                           return info.param ? "Consistent" : "Lumped";
                         });



TEST(Settling, WithoutGuaranteeAStepThatDoesNotSettleIsTold)
{
  Crash model(1, 20.);
  SettlingSettings settings = projection_only();
  settings.guarantee        = false;
  const auto end            = model.state.end_positions;
  model.settle(settings);
  // A response that changes nothing is done; nothing else acts.
  EXPECT_FALSE(model.state.has_acted());
  EXPECT_EQ(model.state.end_positions, end);
}



// A plate between two walls that both move in, further than there is room.
TEST(Settling, SupportsThatLeaveNoRoomAreNotSettled)
{
  Model model(3);
  const Tensor<1, 3> plate({1., 1., 0.2});
  add_box(model.bodies, Point<3>(0., 0., 0.), plate, {{2, 2, 1}});
  const unsigned int n_free = model.bodies.positions.size();
  add_box(model.bodies, Point<3>(0.01, 0., 0.3), plate, {{1, 1, 1}});
  const unsigned int n_lower = model.bodies.positions.size();
  add_box(model.bodies, Point<3>(0., 0.02, -0.3), plate, {{1, 1, 1}});
  model.finish();
  for (unsigned int i = n_free; i < model.state.start_positions.size(); ++i)
    {
      model.inverse_masses[i]      = Tensor<1, 3>();
      model.state.velocities[i][2] = i < n_lower ? -4. : 4.;
    }
  model.predict();
  const auto end = model.state.end_positions;
  model.settle(projection_only());
  EXPECT_TRUE(model.state.record.unsettled);
  for (unsigned int i = n_free; i < end.size(); ++i)
    EXPECT_EQ(model.state.end_positions[i], end[i]);
}



TEST(RigidGroup, KeepsMomentaAndShape)
{
  Model model(5);
  for (unsigned int i = 0; i < 12; ++i)
    model.bodies.positions.push_back(Point<3>(model.random.vector<3>(1.)));
  auto &state           = model.state;
  state.start_positions = model.bodies.positions;
  state.dt              = 0.1;
  state.impulses.resize(12);
  state.position_impulses.resize(12);
  state.status.resize(12);
  std::vector<unsigned int> group;
  for (unsigned int i = 0; i < 12; ++i)
    {
      const double m = std::exp(model.random.uniform(-1., 1.));
      model.inverse_masses.push_back(Tensor<1, 3>({1. / m, 1. / m, 1. / m}));
      state.velocities.push_back(model.random.vector<3>(3.));
      if (i % 3 != 0)
        group.push_back(i);
    }
  state.end_positions.resize(12);
  model.predict();
  const auto velocities = state.velocities;
  const Sums<3> before  = model.sums();
  ASSERT_TRUE(move_rigidly(group, state));
  const Sums<3> after = model.sums();
  expect_momenta(before, after, Tensor<1, 3>());
  EXPECT_LT(after.kinetic_energy, before.kinetic_energy);
  for (const unsigned int i : group)
    {
      for (const unsigned int j : group)
        EXPECT_NEAR((state.velocities[i] - state.velocities[j]) *
                      (state.start_positions[i] - state.start_positions[j]),
                    0.,
                    1e-12);
      EXPECT_LT((state.end_positions[i] - state.start_positions[i] -
                 state.dt * state.velocities[i])
                  .norm(),
                1e-15);
    }
  for (unsigned int i = 0; i < 12; i += 3)
    EXPECT_EQ(state.velocities[i], velocities[i]);
}



// Two of the nodes of a line are held: the others may only turn about them.
TEST(RigidGroup, FollowsItsSupports)
{
  Model model(6);
  auto &state           = model.state;
  state.start_positions = {Point<3>(0., 0., 0.),
                           Point<3>(1., 0., 0.),
                           Point<3>(0.5, 1., 0.),
                           Point<3>(0.2, 0.3, 2.)};
  state.dt              = 0.5;
  state.impulses.resize(4);
  state.position_impulses.resize(4);
  state.status.resize(4);
  model.inverse_masses.assign(4, Tensor<1, 3>({1., 1., 1.}));
  model.inverse_masses[0] = model.inverse_masses[1] = Tensor<1, 3>();
  const Tensor<1, 3> speed({0.3, -0.2, 0.1});
  for (unsigned int i = 0; i < 4; ++i)
    state.velocities.push_back(i < 2 ? speed
                                     : speed + model.random.vector<3>(1.));
  state.end_positions.resize(4);
  model.predict();
  const auto velocities = state.velocities;
  ASSERT_TRUE(move_rigidly({0, 1, 2, 3}, state));

  // By hand: the spin about the x axis that keeps the momentum about it.
  const Tensor<1, 3> axis({1., 0., 0.});
  double momentum = 0., inertia = 0.;
  for (unsigned int i = 2; i < 4; ++i)
    {
      const Tensor<1, 3> r =
        state.start_positions[i] - state.start_positions[0];
      const Point<3> end = state.start_positions[i] + state.dt * velocities[i];
      const Point<3> mean_begin(0.425, 0.325, 0.5);
      // Moments about the middle of the group, of the positions at the end.
      momentum += axis * cross_product_3d(end - mean_begin, velocities[i]);
      momentum -= axis * cross_product_3d(state.start_positions[0] - mean_begin,
                                          velocities[i]);
      momentum -= axis * cross_product_3d(r, speed);
      inertia += cross_product_3d(axis, r).norm_square();
    }
  for (unsigned int i = 0; i < 4; ++i)
    {
      const Tensor<1, 3> expected =
        speed +
        momentum / inertia *
          cross_product_3d(axis,
                           state.start_positions[i] - state.start_positions[0]);
      EXPECT_LT((state.velocities[i] - expected).norm(), 1e-12);
    }

  // Supports that move apart are no rigid body.
  model.state.velocities = velocities;
  model.state.velocities[1][0] += 0.1;
  model.predict();
  const auto end = state.end_positions;
  EXPECT_FALSE(move_rigidly({0, 1, 2, 3}, state));
  EXPECT_EQ(state.end_positions, end);
}
