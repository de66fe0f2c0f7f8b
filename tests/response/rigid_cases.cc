// SPDX-License-Identifier: LGPL-2.1-or-later

// Rigid bodies against values from an independent implementation
// (rigid_cases.json).

#include <ricochet/response/rigid_impacts.h>
#include <ricochet/response/rigid_penalty.h>
#include <ricochet/rigid/rigid_step.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "case_file.h"
#include "rigid_sums.h"

using namespace Ricochet;
using dealii::cross_product_3d;
using dealii::Point;
using dealii::Tensor;

namespace
{
  Tensor<2, 3>
  matrix(const Tree &tree)
  {
    const auto values = rows<3>(tree);
    Tensor<2, 3> result;
    for (unsigned int i = 0; i < 3; ++i)
      result[i] = values[i];
    return result;
  }



  /** The cases' rotation becomes part of the inertia, so that the axes of the
   * body are those of space at the start. */
  RigidMotion
  body(const Tree &tree)
  {
    const Tensor<2, 3> rotation = matrix(tree.get_child("Lambda"));
    RigidMass mass;
    mass.mass = tree.get<double>("M");
    mass.inertia =
      rotation * matrix(tree.get_child("J_body")) * transpose(rotation);
    RigidMotion motion(mass, Point<3>(vector<3>(tree.get_child("X"))));
    motion.velocity = vector<3>(tree.get_child("v"));
    motion.set_angular_velocity(vector<3>(tree.get_child("omega")));
    return motion;
  }



  void
  expect_near(const Tensor<1, 3> &value,
              const Tensor<1, 3> &expected,
              const double tolerance)
  {
    EXPECT_LE((value - expected).norm(), tolerance * (1. + expected.norm()));
  }



  void
  expect_body(const RigidMotion &end,
              const Tree &at_start,
              const Tree &expected,
              const double tolerance)
  {
    expect_near(end.centre, vector<3>(expected.get_child("X")), tolerance);
    expect_near(end.velocity, vector<3>(expected.get_child("v")), tolerance);
    expect_near(end.angular_velocity(),
                vector<3>(expected.get_child("omega")),
                tolerance);
    const Tensor<2, 3> rotation =
      end.rotation() * matrix(at_start.get_child("Lambda"));
    EXPECT_LE((rotation - matrix(expected.get_child("Lambda"))).norm(),
              tolerance);
  }



  void
  expect_sums(const std::vector<RigidMotion> &motions,
              const Tree &output,
              const double tolerance)
  {
    const RigidSums sum = sums(motions);
    EXPECT_NEAR(sum.energy, output.get<double>("KE"), tolerance * sum.energy);
    expect_near(sum.angular_momentum,
                vector<3>(output.get_child("H")),
                tolerance);
  }



  void
  check_free(const Tree &c)
  {
    const Tree &input = c.get_child("input"), &output = c.get_child("output");
    const double tolerance  = c.get<double>("rtol");
    const RigidMotion start = body(input.get_child("body"));
    RigidStep step(start, input.get<double>("dt"));
    step.solve({}, {});
    expect_near(step.turn(), vector<3>(output.get_child("theta")), tolerance);
    expect_body(step.end(),
                input.get_child("body"),
                output.get_child("body"),
                tolerance);
    expect_sums({step.end()}, output, tolerance);
    RigidMotion drifting = start;
    drifting.drift(step.length());
    expect_body(drifting,
                input.get_child("body"),
                output.get_child("body"),
                tolerance);
  }



  void
  check_impact(const Tree &c)
  {
    const Tree &input = c.get_child("input"), &output = c.get_child("output");
    const double tolerance = c.get<double>("rtol");
    const double dt        = input.get<double>("dt");
    std::vector<RigidStep> steps;
    for (const char *const name : {"slave", "master"})
      {
        steps.emplace_back(body(input.get_child(name)), dt);
        steps.back().solve({}, {});
      }
    std::vector<RigidContact> contacts;
    for (const auto &child : input.get_child("contacts"))
      contacts.emplace_back(
        steps,
        0,
        1,
        vector<3>(child.second.get_child("nu")),
        Point<3>(vector<3>(child.second.get_child("x_slave_pred"))),
        Point<3>(vector<3>(child.second.get_child("x_master_pred"))));

    const auto slave_arms  = rows<3>(output.get_child("Rbar_s"));
    const auto master_arms = rows<3>(output.get_child("Rbar_m"));
    const auto forces      = numbers_in(output.get_child("lambda_force"));
    const auto impulses    = solve_rigid_impacts(contacts, steps);
    ASSERT_EQ(impulses.size(), forces.size());
    for (unsigned int j = 0; j < forces.size(); ++j)
      {
        expect_near(contacts[j].slave_arm, slave_arms[j], tolerance);
        expect_near(contacts[j].master_arm, master_arms[j], tolerance);
        EXPECT_NEAR(impulses[j], dt * forces[j], tolerance * dt * forces[j]);
      }
    std::vector<RigidMotion> ends;
    for (const bool is_slave : {true, false})
      {
        const std::string name = is_slave ? "slave" : "master";
        const RigidStep &step  = steps[is_slave ? 0 : 1];
        expect_near(step.turn(),
                    vector<3>(
                      output.get_child(is_slave ? "theta_s" : "theta_m")),
                    tolerance);
        expect_body(step.end(),
                    input.get_child(name),
                    output.get_child(name),
                    tolerance);
        ends.push_back(step.end());
      }
    expect_sums(ends, output, tolerance);
  }



  void
  check_ball(const Tree &c)
  {
    const Tree &input = c.get_child("input"), &output = c.get_child("output");
    const double tolerance = c.get<double>("rtol");
    const double dt        = input.get<double>("dt");
    std::vector<RigidMotion> bodies;
    for (const bool is_ball : {true, false})
      {
        RigidMass mass;
        mass.mass = input.get<double>(is_ball ? "mb" : "ms");
        bodies.emplace_back(mass,
                            Point<3>(vector<3>(
                              input.get_child(is_ball ? "Xb" : "Xs"))));
      }
    bodies[0].velocity = vector<3>(input.get_child("vb"));

    RigidPenaltyPair pair;
    pair.slave          = 0;
    pair.master         = 1;
    pair.shape          = RigidPenaltyPair::Shape::hollow_sphere;
    pair.distance       = 8.;
    pair.stiffness      = input.get<double>("k");
    pair.gap            = input.get<double>("gap0");
    const double energy = sums(bodies).energy;
    double lowest_gap = 0., deviation = 0.;
    const unsigned int n_steps = std::round(input.get<double>("T") / dt);
    for (unsigned int n = 0; n < n_steps; ++n)
      {
        std::vector<RigidStep> steps;
        for (const auto &motion : bodies)
          steps.emplace_back(motion, dt);
        std::vector<RigidPenaltyPair> pairs = {pair};
        solve_rigid_penalty(pairs, steps);
        pair       = pairs[0];
        pair.gap   = pair.end_gap;
        bodies     = {steps[0].end(), steps[1].end()};
        lowest_gap = std::min(lowest_gap, pair.gap);
        deviation =
          std::max(deviation, std::abs(sums(bodies).energy / energy - 1.));
      }
    expect_near(bodies[0].centre, vector<3>(output.get_child("Xb")), tolerance);
    expect_near(bodies[1].centre, vector<3>(output.get_child("Xs")), tolerance);
    expect_near(bodies[0].velocity,
                vector<3>(output.get_child("vb")),
                tolerance);
    EXPECT_NEAR(lowest_gap,
                output.get<double>("min_gap"),
                tolerance * std::abs(lowest_gap));
    EXPECT_NEAR(deviation,
                output.get<double>("max_rel_KE_dev"),
                tolerance * deviation);
  }
} // namespace



TEST(RigidCases, AgreeWithIndependentImplementation)
{
  Tree tree;
  boost::property_tree::read_json(RICOCHET_TEST_DIR "/rigid_cases.json", tree);
  unsigned int n_free = 0, n_impacts = 0, n_balls = 0;
  for (const auto &child : tree.get_child("cases"))
    {
      const Tree &c = child.second;
      SCOPED_TRACE(c.get<std::string>("id"));
      const std::string kind = c.get<std::string>("kind");
      if (kind == "rigid_free")
        {
          check_free(c);
          ++n_free;
        }
      else if (kind == "rigid_impact")
        {
          check_impact(c);
          ++n_impacts;
        }
      else
        {
          check_ball(c);
          ++n_balls;
        }
    }
  EXPECT_EQ(n_free, 1u);
  EXPECT_EQ(n_impacts, 4u);
  EXPECT_EQ(n_balls, 1u);
}
