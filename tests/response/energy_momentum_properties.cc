// SPDX-License-Identifier: LGPL-2.1-or-later

// What the response "energy-momentum" promises for any contact: forces that
// keep both momenta, their exact derivatives, and steps that lose no energy but
// by friction.

#include <ricochet/projection/energy_restoration.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

#include "../random.h"
#include "free_nodes.h"

using namespace Ricochet;
using dealii::FullMatrix;
using dealii::Point;
using dealii::Tensor;

namespace
{
  template <int dim>
  using Vectors = std::vector<Tensor<1, dim>>;



  /** A facet of about unit size around the origin, its outward normal about
   * the last axis. */
  template <int dim>
  Vectors<dim>
  make_facet(Random &random)
  {
    Vectors<dim> x(dim);
    if constexpr (dim == 2)
      {
        x[0][0] = 1.;
        x[1][0] = -1.;
      }
    else
      for (unsigned int i = 0; i < 3; ++i)
        {
          x[i][0] = std::cos(2.1 * i);
          x[i][1] = std::sin(2.1 * i);
        }
    for (auto &corner : x)
      corner += random.vector<dim>(0.03);
    return x;
  }



  /** Slaves above the middle of a facet. */
  template <int dim>
  Vectors<dim>
  make_slaves(const unsigned int n, const double height, Random &random)
  {
    Vectors<dim> x(n);
    for (auto &slave : x)
      {
        slave = random.vector<dim>(0.25);
        slave[dim - 1] *= 0.1;
        slave[dim - 1] += height;
      }
    return x;
  }



  /** Slaves and a facet in random motion, with the slaves into it. */
  template <int dim>
  FreeNodes<dim>
  make_model(const unsigned int n_slaves,
             const double height,
             const double speed,
             Random &random)
  {
    auto x       = make_facet<dim>(random);
    const auto s = make_slaves<dim>(n_slaves, height, random);
    x.insert(x.end(), s.begin(), s.end());
    Vectors<dim> v;
    std::vector<double> masses, areas;
    const auto R = random.rotation<dim>(3.);
    for (unsigned int i = 0; i < x.size(); ++i)
      {
        v.push_back(random.vector<dim>(0.2 * speed));
        masses.push_back(random.uniform(0.5, 2.));
        if (i >= dim)
          {
            v[i][dim - 1] -= speed;
            areas.push_back(random.uniform(0.5, 1.));
          }
        x[i] = R * x[i];
        v[i] = R * v[i];
      }
    std::array<unsigned int, dim> facet;
    std::iota(facet.begin(), facet.end(), 0u);
    return FreeNodes<dim>({facet}, x, v, masses, areas, 0.1);
  }



  /** Compare derivatives of the forces with differences. */
  template <int dim>
  void
  expect_derivatives(FreeNodes<dim> &model, const FullMatrix<double> &stiffness)
  {
    constexpr double step = 1e-6;
    auto &x               = model.state.end_positions;
    for (unsigned int j = 0; j < stiffness.n(); ++j)
      {
        double &value       = x[j / dim][j % dim];
        const double before = value;
        value               = before + step;
        const auto plus     = model.forces();
        value               = before - step;
        const auto minus    = model.forces();
        value               = before;
        for (unsigned int i = 0; i < stiffness.m(); ++i)
          EXPECT_NEAR(stiffness(i, j),
                      (plus[i / dim] - minus[i / dim])[i % dim] / (2. * step),
                      1e-7 * stiffness.linfty_norm());
      }
  }



  /** An equilibrium, a step from there in which the pressure changes, and one
   * in which a slave leaves. */
  template <int dim>
  void
  check_preload(const double friction)
  {
    constexpr double penalty = 50.;
    Random random(17 + dim);
    for (unsigned int trial = 0; trial < 20; ++trial)
      {
        auto model = make_model<dim>(1, -0.1, 3., random);
        model.create({{"Normal penalty", "50"}, {"Tangential penalty", "200"}});
        model.settings.friction = friction;
        auto &state             = model.state;
        const unsigned int n    = dim * state.end_positions.size();
        const double area       = model.surface.vertex_area[dim];

        // From anywhere, with all of the overlap as pressure.
        model.response->begin_equilibrium(model.surface, state);
        for (auto &x : state.end_positions)
          x += random.vector<dim>(0.02);
        FullMatrix<double> stiffness(n, n);
        const auto at_rest = model.forces(true, &stiffness);
        expect_derivatives(model, stiffness);
        model.response->accept_equilibrium(model.surface,
                                           model.pairs,
                                           model.settings,
                                           state);
        const double deepest = model.response->numbers()[0].second;
        EXPECT_NEAR(at_rest[dim].norm(),
                    area * penalty * deepest,
                    1e-13 * area * penalty * deepest);

        // The first step pushes as much, if nobody moves.
        model.advance();
        model.response->begin_step(model.surface, state);
        for (unsigned int i = 0; i < at_rest.size(); ++i)
          EXPECT_LE((model.forces()[i] - at_rest[i]).norm(),
                    1e-13 * at_rest[dim].norm());
        model.accept();
        double pressure = penalty * deepest;
        for (const bool leaves : {false, false, true})
          {
            model.advance();
            model.response->begin_step(model.surface, state);
            for (auto &x : state.end_positions)
              x += random.vector<dim>(0.02);
            if (leaves)
              state.end_positions[dim] +=
                0.3 / at_rest[dim].norm() * at_rest[dim];
            stiffness    = 0.;
            const auto f = model.forces(true, &stiffness);
            expect_derivatives(model, stiffness);
            double work = 0.;
            for (unsigned int i = 0; i < f.size(); ++i)
              work +=
                f[i] * (state.end_positions[i] - state.start_positions[i]);
            const auto velocities = state.velocities;
            model.accept();
            for (unsigned int i = 0; i < f.size(); ++i)
              EXPECT_EQ((state.velocities[i] - velocities[i]).norm(), 0.);
            // It remembers two counts, slave and master, and the pressure.
            const auto memory = model.response->memory();
            const double next = memory[1] == 0. ? 0. : memory[4];
            EXPECT_EQ(next == 0., leaves);
            EXPECT_NEAR(work + state.record.friction_loss,
                        area * (pressure * pressure - next * next) /
                          (2. * penalty),
                        1e-12 * area * pressure);
            EXPECT_EQ(state.record.friction_loss > 0., friction > 0.);
            pressure = next;
          }
      }
  }



  /** Forces of a slave that comes in, or was in by less than the depth that the
   * first step allows; with or without slip. */
  template <int dim>
  void
  check_forces(const bool was_inside, const double friction)
  {
    Random random(7 + dim);
    unsigned int n_slips = 0;
    for (unsigned int trial = 0; trial < 20; ++trial)
      {
        auto model = make_model<dim>(1, was_inside ? -0.1 : 0.1, 3., random);
        model.create({{"Normal penalty", "50"}, {"Tangential penalty", "200"}});
        model.settings.friction = friction;
        model.response->begin_step(model.surface, model.state);
        auto &x = model.state.end_positions;
        for (unsigned int i = 0; i < x.size(); ++i)
          x[i] += 0.1 * model.start_velocities[i];
        const unsigned int n = dim * x.size();
        FullMatrix<double> stiffness(n, n);
        const auto f = model.forces(true, &stiffness);
        ASSERT_GT(f[dim].norm(), 0.);

        Tensor<1, dim> sum;
        Tensor<1, 3> moments;
        for (unsigned int i = 0; i < f.size(); ++i)
          {
            sum += f[i];
            moments +=
              moment(Tensor<1, dim>(x[i] + model.state.start_positions[i]),
                     f[i]);
          }
        EXPECT_LE(sum.norm(), 1e-14 * f[dim].norm());
        EXPECT_LE(moments.norm(), 1e-14 * f[dim].norm());

        expect_derivatives(model, stiffness);
        model.accept();
        n_slips += model.state.status[dim] == ContactStatus::slip;
      }
    EXPECT_TRUE(friction > 1. || n_slips >= 18u);
    EXPECT_TRUE(friction < 1. || n_slips == 0u);
  }



  /** Steps of some slaves on one facet. */
  template <int dim>
  void
  check_steps(const unsigned int n_slaves, const double friction)
  {
    Random random(40 + dim);
    unsigned int n_contacts = 0, n_losses = 0;
    for (unsigned int trial = 0; trial < 30; ++trial)
      {
        auto model = make_model<dim>(n_slaves, 0.08, 2., random);
        model.create({});
        model.settings.friction = friction;
        for (unsigned int step = 0; step < 3; ++step)
          {
            const auto &v_0  = model.start_velocities;
            const auto norms = model.solve();
            ASSERT_LE(norms.back(), 1e-9 * norms.front() + 1e-9);
            model.accept();
            const auto &state   = model.state;
            const double energy = model.kinetic_energy(v_0);
            EXPECT_NEAR(model.kinetic_energy(state.velocities) - energy,
                        -state.record.friction_loss,
                        1e-11 * energy);
            EXPECT_GE(state.record.friction_loss, 0.);
            EXPECT_LE(
              (model.momentum(state.velocities) - model.momentum(v_0)).norm(),
              1e-12 * std::sqrt(energy));
            EXPECT_LE((model.angular_momentum(state.end_positions,
                                              state.velocities) -
                       model.angular_momentum(state.start_positions, v_0))
                        .norm(),
                      1e-11 * std::sqrt(energy));
            n_contacts += state.record.n_node_face;
            n_losses += state.record.friction_loss > 0.;
            model.advance();
          }
        for (const auto &number : model.response->numbers())
          EXPECT_EQ(number.first, "deepest overlap");
      }
    EXPECT_GE(n_contacts, 15u * n_slaves);
    EXPECT_EQ(n_losses > 0, friction > 0.);
  }



  /** Steps of a slave that hits an obstacle in motion, a plane or a ball. */
  template <int dim>
  void
  check_obstacle(const double friction, const double speed, const double radius)
  {
    Random random(60 + dim);
    unsigned int n_contacts = 0;
    for (unsigned int trial = 0; trial < 20; ++trial)
      {
        // The facet is far away.
        auto x = make_facet<dim>(random);
        for (auto &corner : x)
          corner[0] += 100.;
        Tensor<1, dim> n = random.vector<dim>(1.);
        n /= n.norm();
        const Point<dim> first(random.vector<dim>(0.5));
        x.push_back(random.uniform(0.02, 0.15) * n + first);
        Vectors<dim> v(dim + 1);
        v[dim] = random.vector<dim>(0.3) - 2. * n;
        std::array<unsigned int, dim> facet;
        std::iota(facet.begin(), facet.end(), 0u);
        FreeNodes<dim> model({facet},
                             x,
                             v,
                             std::vector<double>(dim + 1, 1.3),
                             {0.7},
                             0.1);
        model.create({});
        model.settings.friction = friction;

        // The obstacle is under the slave where it starts.
        auto &state                  = model.state;
        const Tensor<1, dim> v_plane = speed * random.vector<dim>(0.3);
        Point<dim> on_obstacle       = first;
        Collision<dim> collision;
        collision.nodes   = {dim, dim + 1};
        collision.weights = {1., -1.};
        collision.bodies  = {{1, 2}};
        collision.length  = 1.;
        state.resize(dim + 2);
        model.pairs  = {{1., PairKind::given, dim, 0, true, 0}};
        model.detect = [&]() {
          collision.normal     = n;
          Point<dim> foot      = on_obstacle + state.dt * v_plane;
          const auto to_centre = radius * n;
          if (radius > 0.)
            {
              const Tensor<1, dim> from_centre =
                state.end_positions[dim] - (foot - to_centre);
              collision.normal = from_centre / from_centre.norm();
              foot += radius * collision.normal - to_centre;
            }
          state.given_collisions = {{collision, {dim}}};
          state.move_obstacle_node(dim + 1, foot - state.dt * v_plane, foot);
        };
        for (unsigned int step = 0; step < 4; ++step)
          {
            const auto v_0     = model.start_velocities;
            const auto norms   = model.solve();
            const double scale = norms.front();
            ASSERT_LE(norms.back(), 1e-9 * scale + 1e-9);
            EXPECT_LE(norms.size(), 25u);
            model.accept();
            const double energy = model.kinetic_energy(v_0);
            EXPECT_NEAR(model.kinetic_energy(state.velocities) - energy,
                        -state.record.friction_loss -
                          state.impulses[dim + 1] * v_plane,
                        1e-11 * (1. + energy));
            EXPECT_GE(state.record.friction_loss, 0.);
            EXPECT_LE((state.impulses[dim] + state.impulses[dim + 1]).norm(),
                      1e-13);
            n_contacts += state.record.n_node_face;
            on_obstacle += state.dt * v_plane;
            model.advance();
          }
        // It bounced.
        EXPECT_GT((model.start_velocities[dim] - v_plane) * n, 0.);
      }
    EXPECT_GE(n_contacts, 20u);
  }
} // namespace



TEST(EnergyMomentum, ObstaclesTakeNothingButByFriction)
{
  for (const double friction : {0., 0.3})
    for (const double speed : {0., 1.})
      for (const double radius : {0., 2.})
        {
          check_obstacle<2>(friction, speed, radius);
          check_obstacle<3>(friction, speed, radius);
        }
}



TEST(EnergyMomentum, ForcesKeepMomentaAndHaveTheirStiffness)
{
  for (const bool was_inside : {false, true})
    for (const double friction : {0., 0.2, 100.})
      {
        SCOPED_TRACE(std::string(was_inside ? "inside" : "outside") +
                     ", friction " + std::to_string(friction));
        check_forces<2>(was_inside, friction);
        check_forces<3>(was_inside, friction);
      }
}



TEST(EnergyMomentum, PreloadedContactsAreSprings)
{
  for (const double friction : {0., 0.2, 100.})
    {
      check_preload<2>(friction);
      check_preload<3>(friction);
    }
}



TEST(EnergyMomentum, SingleContactsLoseNothingButByFriction)
{
  check_steps<2>(1, 0.);
  check_steps<2>(1, 0.3);
  check_steps<3>(1, 0.);
  check_steps<3>(1, 0.3);
}



TEST(EnergyMomentum, ContactsThatShareNodesLoseNothingButByFriction)
{
  check_steps<2>(6, 0.);
  check_steps<2>(6, 0.3);
  check_steps<3>(6, 0.);
  check_steps<3>(6, 0.3);
}



// Each row with a positive root, as from contacts that push each other's nodes.
TEST(EnergyMomentum, CoupledRootsSolveTheirEquations)
{
  Random random(3);
  for (unsigned int trial = 0; trial < 50; ++trial)
    {
      const unsigned int n = 1 + random.below(12);
      FullMatrix<double> F(n, n), A(n, n);
      std::vector<double> b(n), c(n);
      for (unsigned int i = 0; i < n; ++i)
        {
          for (unsigned int j = 0; j < n; ++j)
            F(i, j) = random.uniform(-0.3, 1.);
          b[i] = random.uniform(-1., 1.);
          c[i] = random.uniform(-1., 0.);
        }
      F.mTmult(A, F);
      const auto roots = energy_roots(A, b, c);
      for (unsigned int l = 0; l < n; ++l)
        {
          EXPECT_GE(roots[l], 0.);
          EXPECT_LE(std::abs(energy_defect(A, b, c, roots, l)), 1e-13);
        }
    }
}



// A weight on a plate that gives way: without multipliers it sinks in further.
TEST(EnergyMomentum, MultipliersBoundTheOverlap)
{
  Random random(11);
  double deepest[2];
  for (const bool is_bounded : {false, true})
    {
      random     = Random(11);
      auto model = make_model<2>(1, 0.08, 2., random);
      model.create({{"Normal penalty", "20"},
                    {"Largest overlap", is_bounded ? "1e-3" : "0"}});
      model.solve();
      unsigned int n = 0;
      while (n < 200 && model.response->augment(model.surface,
                                                model.pairs,
                                                model.settings,
                                                model.state))
        {
          model.iterate(true, 1e-10);
          ++n;
        }
      EXPECT_EQ(n > 0, is_bounded);
      EXPECT_LT(n, 200u);
      model.accept();
      deepest[is_bounded] = -model.state.record.min_gap;
    }
  EXPECT_GT(deepest[0], 1e-3);
  EXPECT_LE(deepest[1], 1e-3);
}
