// SPDX-License-Identifier: LGPL-2.1-or-later

// What obstacles take is what bodies lose, and nothing ends up inside them.

#include <ricochet/impulse/pair_response.h>
#include <ricochet/impulse/rigid_group.h>
#include <ricochet/output/obstacle_view.h>

#include <gtest/gtest.h>

#include "make_obstacle.h"
#include "scenes.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  /** A cube that flies down on something below it, and what that is. */
  template <int dim>
  struct Scene
  {
    CubeMotion<dim> cube;
    PlacedObstacle<dim> obstacle;
  };



  /**
   * A scene turned as a whole by a random rotation. The lowest corner of the
   * cube is 0.01 above the obstacle, straight above its highest point.
   *
   * @param[in] speed Upward velocity of the obstacle.
   */
  template <int dim>
  Scene<dim>
  make_scene(const std::string &type,
             const unsigned int seed,
             const double speed)
  {
    Random random(seed);
    Scene<dim> scene;
    CubeMotion<dim> &cube  = scene.cube;
    cube.rotation          = random.rotation<dim>(0.05);
    cube.velocity          = random.vector<dim>(0.3);
    cube.velocity[dim - 1] = -2.;
    cube.gradient          = random.matrix<dim>(0.2);
    Point<dim> lowest;
    lowest[dim - 1] = 1.;
    for (unsigned int v = 0; v < (1u << dim); ++v)
      {
        Point<dim> x;
        for (unsigned int d = 0; d < dim; ++d)
          x[d] = (v >> d) % 2 ? 0.5 : -0.5;
        x = Point<dim>(cube.rotation * x);
        if (x[dim - 1] < lowest[dim - 1])
          lowest = x;
      }
    Point<dim> top = lowest;
    top[dim - 1] -= 0.01;

    RotationVector<dim> angles;
    for (unsigned int d = 0; d < n_rotations<dim>; ++d)
      angles[d] = random.uniform(-1.5, 1.5);
    const Tensor<2, dim> Q = rotation_matrix<dim>(angles);
    std::vector<CubeMotion<dim>> cubes{cube};
    rotate(cubes, Q);
    cube = cubes[0];

    Tensor<1, dim> up;
    up[dim - 1]           = 1.;
    ObstacleEntries shape = {};
    ObstacleEntries motion;
    motion.emplace_back("Translation",
                        text_of<dim>(speed * (Q * up), "*t; ") + "*t");
    const auto at = [&](const double height) {
      return text_of<dim>(Tensor<1, dim>(Q * (top + height * up)));
    };
    if (type == "half-space")
      shape = {{"Point", at(0.)},
               {"Normal", text_of<dim>(Tensor<1, dim>(Q * up))}};
    else if (type == "box")
      {
        Point<dim> low, high;
        for (unsigned int d = 0; d < dim; ++d)
          {
            low[d]  = top[d] - 1.7;
            high[d] = top[d] + (d == dim - 1 ? 0. : 1.6);
          }
        shape = {{"Lower corner", text_of<dim>(low)},
                 {"Upper corner", text_of<dim>(high)}};
        motion.emplace_back("Rotation",
                            text_of<n_rotations<dim>>(angles, "; "));
      }
    else
      {
        const bool hollow = type[0] == 'h';
        shape             = {{"Radius", hollow ? "300" : "0.4"},
                             {"Centre", at(hollow ? 300. : -0.4)}};
        if (dim == 3 && type.find("cylinder") != std::string::npos)
          {
            Tensor<1, dim> axis;
            axis[0] = 1.;
            axis[1] = 0.3;
            shape.emplace_back("Axis", text_of<dim>(Tensor<1, dim>(Q * axis)));
          }
      }
    scene.obstacle = make_obstacle<dim>(type, shape, motion);
    return scene;
  }



  template <int dim>
  void
  check(const std::string &type,
        const unsigned int seed,
        const double speed,
        const double restitution,
        const double friction)
  {
    SCOPED_TRACE(type + ", seed " + std::to_string(seed) + ", speed " +
                 std::to_string(speed) +
                 ", e = " + std::to_string(restitution) +
                 ", mu = " + std::to_string(friction));
    const Scene<dim> scene = make_scene<dim>(type, seed, speed);
    Model<dim> model(MPI_COMM_WORLD, {scene.cube});
    Contact<dim> contact;
    model.obstacles = {scene.obstacle};
    parse(contact,
          {{"Restitution", std::to_string(restitution)},
           {"Friction coefficient", std::to_string(friction)}},
          {"cube", "obstacle"});
    model.reinit(contact);
    EXPECT_TRUE(contact.find_overlaps().empty());

    unsigned int n_contacts = 0;
    double time             = 0.;
    for (unsigned int step = 0; step < 4; ++step)
      {
        const double dt = 0.4 * impact_step;
        model.predict(dt);
        const Sums<dim> before     = model.sums();
        const ContactRecord record = model.correct(contact, dt, time);
        const Sums<dim> after      = model.sums();
        time += dt;
        EXPECT_FALSE(record.unsettled);
        n_contacts += record.n_node_face + record.n_edge_edge;

        const ObstacleLoad<dim> &load = contact.get_obstacles().loads()[0];
        EXPECT_LE((after.momentum - before.momentum + load.impulse).norm(),
                  1e-13 * before.momentum_scale);
        EXPECT_LE((after.angular_momentum - before.angular_momentum -
                   record.angular_momentum_change + load.angular_impulse)
                    .norm(),
                  1e-13 * before.angular_momentum_scale);
        EXPECT_NEAR(before.kinetic_energy - after.kinetic_energy,
                    record.restitution_loss + record.friction_loss + load.work,
                    1e-12 * before.kinetic_energy);
        if (speed == 0.)
          {
            EXPECT_NEAR(load.work, 0., 1e-15);
          }
        // What is shown of an obstacle without a surface is all of it.
        const ObstacleView<dim> view(contact.get_obstacles());
        if (view.get_surface().n_facets() > 0)
          {
            const auto shown = view.loads(contact.get_state());
            Tensor<1, dim> sum;
            for (const auto &impulse : shown.impulses)
              sum += impulse;
            EXPECT_LE((sum - load.impulse).norm(),
                      1e-13 * before.momentum_scale);
          }
        if (record.n_node_face > 0)
          {
            EXPECT_GT(record.min_gap, 0.);
          }

        // At the end of the step.
        const auto &shape    = *scene.obstacle.shape;
        const auto placement = scene.obstacle.motion.placement(time);
        if (shape.kind() != Obstacle<dim>::Kind::surface)
          {
            for (const auto &x : model.at_nodes(model.end, contact.get_nodes()))
              EXPECT_GE(shape.signed_distance(placement.to_frame(x)), 0.);
          }
      }
    EXPECT_GT(n_contacts, 0u);
  }



  template <int dim>
  void
  check_all(const unsigned int n_seeds)
  {
    for (const std::string type : {"half-space",
                                   "box",
                                   "sphere",
                                   "hollow sphere",
                                   "cylinder",
                                   "hollow cylinder"})
      for (unsigned int seed = 1; seed <= n_seeds; ++seed)
        for (const double speed : {0., 0.7})
          {
            check<dim>(type, seed, speed, 1., 0.);
            check<dim>(type, seed, speed, 0., 0.);
            check<dim>(type, seed, speed, 0.5, 0.4);
          }
  }
} // namespace



TEST(ContactObstacles, TakeWhatBodiesLose)
{
  check_all<2>(4);
  check_all<3>(2);
}



/** Nodes that are grouped with an obstacle take its velocity, and it takes
 * their momentum. */
TEST(ContactObstacles, RigidGroups)
{
  Random random(5);
  const Tensor<1, 3> w({0.3, -0.2, 0.7});
  ContactState<3> state;
  state.dt = 0.1;
  state.resize(7);
  std::vector<Tensor<1, 3>> inverse_masses(4);
  for (unsigned int n = 0; n < 4; ++n)
    {
      const double value = random.uniform(0.5, 2.);
      for (unsigned int d = 0; d < 3; ++d)
        inverse_masses[n][d] = value;
      state.start_positions[n] = Point<3>(random.vector<3>(1.));
      state.velocities[n]      = random.vector<3>(1.);
      state.end_positions[n] =
        state.start_positions[n] + state.dt * state.velocities[n];
    }
  state.inverse_mass.reinit(inverse_masses);
  for (unsigned int d = 0; d < 3; ++d)
    state.move_obstacle_node(4 + d,
                             Point<3>::unit_vector(d),
                             Point<3>::unit_vector(d) + state.dt * w);
  const auto before = state.velocities;
  ASSERT_TRUE(move_rigidly<3>({0, 1, 2, 3, 4, 5, 6}, state));

  Tensor<1, 3> momentum, taken;
  double energy = 0., work = 0.;
  for (unsigned int n = 0; n < 4; ++n)
    {
      EXPECT_LE((state.velocities[n] - w).norm(), 1e-12);
      EXPECT_LE((state.end_positions[n] - state.start_positions[n] -
                 state.dt * w)
                  .norm(),
                1e-12);
      const double mass = 1. / inverse_masses[n][0];
      momentum += mass * (state.velocities[n] - before[n]);
      energy += 0.5 * mass *
                (before[n].norm_square() - state.velocities[n].norm_square());
    }
  for (unsigned int n = 4; n < 7; ++n)
    {
      taken += state.impulses[n];
      work += state.impulses[n] * state.velocities[n];
    }
  EXPECT_LE((momentum + taken).norm(), 1e-12);
  EXPECT_NEAR(energy, state.record.restitution_loss + work, 1e-12);
}



/**
 * A rigid ball of mass 1 and radius 0.1 with the velocity (2, -4.95) hits a
 * floor, with e = 0 and mu = 0.3. The inverse of what its lowest point has of
 * mass is 1/m + R^2/I along the floor, 3.5/m, and 1/m across. It sticks, and
 * rolls with 5/7 of its velocity along the floor.
 */
TEST(ContactObstacles, RigidBallSticksAndRolls)
{
  ContactState<2> state;
  state.resize(2);
  state.inverse_mass.reinit(std::vector<Tensor<1, 2>>{Tensor<1, 2>({3.5, 1.})});
  state.velocities[0] = Tensor<1, 2>({2., -4.95});
  Collision<2> collision;
  collision.nodes   = {0, 1};
  collision.weights = {1., -1.};
  collision.normal  = Tensor<1, 2>({0., 1.});
  PassSettings settings;
  settings.restitution = 0.;
  settings.friction    = 0.3;
  EXPECT_EQ(push_pair(collision, settings, state).status, ContactStatus::stick);
  const Tensor<1, 2> impulse = state.impulses[0];
  EXPECT_NEAR(2. + impulse[0], 1.4286, 1e-4);
  EXPECT_NEAR(-impulse[0] * 0.1 / (0.4 * 0.01), 14.29, 5e-3);
  EXPECT_NEAR(-4.95 + impulse[1], 0., 1e-14);
  EXPECT_NEAR((state.impulses[1] + impulse).norm(), 0., 1e-15);
}



/** A facet of the cube comes down on a ball far from all of its vertices. */
TEST(ContactObstacles, NoFacetIsInsideABall)
{
  CubeMotion<3> cube;
  cube.rotation    = dealii::unit_symmetric_tensor<3>();
  cube.velocity[2] = -2.;
  Model<3> model(MPI_COMM_WORLD, {cube});
  Contact<3> contact;
  model.obstacles = {
    make_obstacle<3>("sphere",
                     {{"Radius", "0.05"}, {"Centre", "0.08, 0.16, -0.56"}})};
  parse(contact);
  model.reinit(contact);
  for (unsigned int step = 0; step < 5; ++step)
    {
      model.predict(impact_step);
      model.correct(contact, impact_step);
      EXPECT_TRUE(contact.find_overlaps().empty());
      EXPECT_EQ(contact.get_obstacles().loads().size(), 1u);
    }
  EXPECT_LT(contact.get_state().velocities.size(),
            contact.get_surface().n_nodes + 100);
}



/** Overlaps with obstacles are found, and treated like those of bodies. */
TEST(ContactObstacles, StartingOverlaps)
{
  CubeMotion<3> cube;
  cube.rotation    = dealii::unit_symmetric_tensor<3>();
  cube.velocity[0] = 1.;
  const auto floor = make_obstacle<3>("half-space", {{"Point", "0, 0, -0.49"}});
  {
    Model<3> model(MPI_COMM_WORLD, {cube});
    Contact<3> contact;
    model.obstacles = {floor};
    parse(contact);
    model.reinit(contact);
    const auto overlaps = contact.find_overlaps();
    EXPECT_EQ(overlaps.size(), 25u);
    for (const auto &overlap : overlaps)
      {
        EXPECT_EQ(overlap.bodies, (BodyPair{{0, 1}}));
        EXPECT_NEAR(overlap.depth, 0.01, 1e-14);
      }
    typename Contact<3>::Vectors positions;
    for (auto &vector : model.end)
      positions.push_back(&vector);
    EXPECT_TRUE(contact.remove_overlaps(positions));
    EXPECT_TRUE(contact.find_overlaps().empty());
  }
  {
    Model<3> model(MPI_COMM_WORLD, {cube});
    Contact<3> contact;
    model.obstacles = {floor};
    parse(contact);
    model.reinit(contact);
    contact.ignore_overlaps({{{0, 1}}});
    model.predict(impact_step);
    const auto &record = model.correct(contact, impact_step);
    EXPECT_EQ(record.n_node_face, 0u);
    EXPECT_EQ(contact.ignored_overlaps().size(), 1u);
  }
}
