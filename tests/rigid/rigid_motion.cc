// SPDX-License-Identifier: LGPL-2.1-or-later

// The free motion of rigid bodies against values from an independent
// implementation (rigid_cases.json) and the solution of Euler's equations.

#include <ricochet/base/error.h>
#include <ricochet/rigid/rigid_motion.h>

#include <algorithm>
#include <boost/math/special_functions/ellint_1.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "../parse.h"
#include "../random.h"
#include "case_file.h"

using namespace Ricochet;
using dealii::Point;
using dealii::Tensor;

namespace
{
  Tensor<2, 3>
  matrix(const Tree &tree)
  {
    const auto list = rows<3>(tree);
    Tensor<2, 3> result;
    for (unsigned int i = 0; i < 3; ++i)
      result[i] = list[i];
    return result;
  }



  /** Of a rotation matrix, which has all products of its components; those
   * with the largest one are divided by it. */
  boost::math::quaternion<double>
  quaternion_of(const Tensor<2, 3> &R)
  {
    const double t[4]    = {1. + R[0][0] + R[1][1] + R[2][2],
                            1. + R[0][0] - R[1][1] - R[2][2],
                            1. - R[0][0] + R[1][1] - R[2][2],
                            1. - R[0][0] - R[1][1] + R[2][2]};
    const double q[4][4] = {
      {t[0], R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]},
      {R[2][1] - R[1][2], t[1], R[1][0] + R[0][1], R[0][2] + R[2][0]},
      {R[0][2] - R[2][0], R[1][0] + R[0][1], t[2], R[2][1] + R[1][2]},
      {R[1][0] - R[0][1], R[0][2] + R[2][0], R[2][1] + R[1][2], t[3]}};
    const unsigned int largest = std::max_element(t, t + 4) - t;
    const double *row          = q[largest];
    boost::math::quaternion<double> result(row[0], row[1], row[2], row[3]);
    return result / abs(result);
  }



  RigidMotion
  motion_of(const Tree &body)
  {
    RigidMass mass;
    mass.mass    = body.get<double>("M");
    mass.inertia = matrix(body.get_child("J_body"));
    RigidMotion motion(mass, Point<3>(vector<3>(body.get_child("X"))));
    motion.orientation = quaternion_of(matrix(body.get_child("Lambda")));
    motion.velocity    = vector<3>(body.get_child("v"));
    motion.set_angular_velocity(vector<3>(body.get_child("omega")));
    return motion;
  }



  /** A body whose moments all differ. */
  RigidMotion
  asymmetric_top(const Tensor<1, 3> &omega)
  {
    RigidMass mass;
    mass.mass          = 2.;
    mass.inertia       = Tensor<2, 3>();
    mass.inertia[0][0] = 1.;
    mass.inertia[1][1] = 1.6;
    mass.inertia[2][2] = 2.1;
    RigidMotion motion(mass, Point<3>());
    motion.set_angular_velocity(omega);
    return motion;
  }



  /** The period of the angular velocity in the axes of the body, for three
   * principal moments in ascending order: that of Jacobi's elliptic functions,
   * which solve Euler's equations. */
  double
  period(const RigidMotion &motion)
  {
    double I1       = motion.mass.inertia[0][0];
    const double I2 = motion.mass.inertia[1][1];
    double I3       = motion.mass.inertia[2][2];
    const double E2 = motion.angular_velocity() * motion.spin();
    const double M2 = motion.spin().norm_square();
    if (M2 < E2 * I2)
      std::swap(I1, I3);
    const double k2 = (I2 - I1) * (E2 * I3 - M2) / ((I3 - I2) * (M2 - E2 * I1));
    return 4. * boost::math::ellint_1(std::sqrt(k2)) *
           std::sqrt(I1 * I2 * I3 / ((I3 - I2) * (M2 - E2 * I1)));
  }
} // namespace



TEST(RigidMotion, Cases)
{
  Tree tree;
  boost::property_tree::read_json(RICOCHET_TEST_DIR "/rigid_cases.json", tree);
  unsigned int n = 0;
  for (const auto &[key, c] : tree.get_child("cases"))
    {
      SCOPED_TRACE(c.get<std::string>("id"));
      const Tree &input = c.get_child("input"), &output = c.get_child("output");
      RigidMotion motion = motion_of(input.get_child("body"));
      motion.drift(input.get<double>("dt"));
      const double tolerance = c.get<double>("rtol");
      const Tree &body       = output.get_child("body");
      const auto expect_near = [&](const Tensor<1, 3> &value,
                                   const Tensor<1, 3> &expected) {
        EXPECT_LE((value - expected).norm(), tolerance * expected.norm());
      };
      expect_near(motion.centre, vector<3>(body.get_child("X")));
      expect_near(motion.velocity, vector<3>(body.get_child("v")));
      expect_near(motion.angular_velocity(),
                  vector<3>(body.get_child("omega")));
      EXPECT_LE((motion.rotation() - matrix(body.get_child("Lambda"))).norm(),
                tolerance);
      EXPECT_NEAR(motion.kinetic_energy(),
                  output.get<double>("KE"),
                  tolerance * output.get<double>("KE"));
      expect_near(motion.spin() +
                    cross_product_3d(motion.centre, motion.momentum()),
                  vector<3>(output.get_child("H")));
      ++n;
    }
  EXPECT_EQ(n, 1u);
}



TEST(RigidMotion, FreeTopKeepsEnergyAndAngularMomentum)
{
  RigidMotion motion          = asymmetric_top(Tensor<1, 3>({0.9, -1.4, 0.7}));
  const double energy         = motion.kinetic_energy();
  const Tensor<1, 3> momentum = motion.spin();
  double energy_error = 0., momentum_error = 0.;
  for (unsigned int n = 0; n < 100000; ++n)
    {
      motion.drift(0.05);
      energy_error =
        std::max(energy_error,
                 std::abs(motion.kinetic_energy() - energy) / energy);
      // What the motion shows, not what is stored.
      momentum_error = std::max(
        momentum_error,
        (motion.inertia() * motion.angular_velocity() - momentum).norm() /
          momentum.norm());
    }
  EXPECT_LE(energy_error, 1e-12);
  EXPECT_LE(momentum_error, 1e-12);
}



TEST(RigidMotion, UnstableAxisFlipsAtThePeriodOfEulersEquations)
{
  for (const Tensor<1, 3> omega :
       {Tensor<1, 3>({1e-3, 1., 0.}), Tensor<1, 3>({0., 1., 1e-3})})
    {
      RigidMotion motion = asymmetric_top(omega);
      const double half  = period(motion) / 2.;
      const double dt    = 0.02;
      // When the middle component passes through zero.
      std::vector<double> flips;
      double last = omega[1];
      for (unsigned int n = 1; flips.size() < 5; ++n)
        {
          ASSERT_LT(n * dt, 6. * half);
          motion.drift(dt);
          const double W =
            (transpose(motion.rotation()) * motion.angular_velocity())[1];
          if (W * last < 0.)
            flips.push_back(dt * (n - W / (W - last)));
          last = W;
        }
      // It starts at its largest value, a quarter of a period before.
      EXPECT_NEAR(flips[0], half / 2., 0.01 * half);
      for (unsigned int i = 1; i < flips.size(); ++i)
        EXPECT_NEAR(flips[i] - flips[i - 1], half, 0.01 * half);
    }
}



TEST(RigidMotion, TurnsAboutAPrincipalAxisAsFastAsItShould)
{
  RigidMotion motion = asymmetric_top(Tensor<1, 3>({0., 0., 2.}));
  motion.velocity    = Tensor<1, 3>({1., 2., 3.});
  for (unsigned int n = 0; n < 100; ++n)
    motion.drift(0.01);
  EXPECT_NEAR(motion.rotation()[0][0], std::cos(2.), 1e-12);
  EXPECT_NEAR(motion.rotation()[1][0], std::sin(2.), 1e-12);
  EXPECT_LE(motion.centre.distance(Point<3>(1., 2., 3.)), 1e-14);
  expect_parts(error_of([&]() { motion.drift(10.); }),
               {"angular velocity 2", "length 10", "Time step"});
}



TEST(RigidMotion, NoImpulseChangesWhatIsHeld)
{
  RigidMotion motion       = asymmetric_top(Tensor<1, 3>());
  motion.holds_velocity[1] = true;
  motion.holds_rotation    = true;
  motion.velocity          = Tensor<1, 3>({1., 2., 3.});
  motion.set_angular_velocity(Tensor<1, 3>({0., 0., 1.}));
  motion.push(Tensor<1, 3>({4., 4., 4.}), Tensor<1, 3>({5., 5., 5.}));
  EXPECT_EQ(motion.velocity, (Tensor<1, 3>({3., 2., 5.})));
  EXPECT_EQ(motion.angular_velocity(), (Tensor<1, 3>({0., 0., 1.})));
  EXPECT_EQ(motion.inverse_inertia(), (Tensor<2, 3>()));
  motion.drift(0.5);
  EXPECT_NEAR(motion.rotation()[1][0], std::sin(0.5), 1e-15);
}
