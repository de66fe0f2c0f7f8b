// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_rigid_random_motion_h
#define ricochet_tests_rigid_random_motion_h

#include <ricochet/rigid/rigid_motion.h>

#include <deal.II/base/tensor.h>

#include <cmath>

#include "../random.h"

/** Mass, place and motion at random, of the order of one; the inertia is one
 * that mass points can have. */
inline Ricochet::RigidMotion
random_motion(Random &random)
{
  Ricochet::RigidMass mass;
  mass.mass    = std::exp(random.uniform(-1., 1.));
  mass.inertia = 0.;
  for (unsigned int i = 0; i < 4; ++i)
    {
      const auto arm = random.vector<3>(1.);
      mass.inertia +=
        0.25 * mass.mass *
        (arm.norm_square() *
           dealii::Tensor<2, 3>(dealii::unit_symmetric_tensor<3>()) -
         outer_product(arm, arm));
    }
  Ricochet::RigidMotion motion(mass, dealii::Point<3>(random.vector<3>(1.)));
  motion.turn(random.vector<3>(2.));
  motion.velocity = random.vector<3>(2.);
  motion.set_angular_velocity(random.vector<3>(2.));
  return motion;
}

#endif
