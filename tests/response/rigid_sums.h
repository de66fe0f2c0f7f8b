// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_response_rigid_sums_h
#define ricochet_tests_response_rigid_sums_h

#include <ricochet/rigid/rigid_motion.h>

#include <deal.II/base/tensor.h>

#include <vector>

namespace Ricochet
{
  /** Of all rigid bodies; angular momentum about the origin. */
  struct RigidSums
  {
    double energy = 0.;
    dealii::Tensor<1, 3> momentum, angular_momentum;
  };



  inline RigidSums
  sums(const std::vector<RigidMotion> &motions)
  {
    RigidSums result;
    for (const RigidMotion &motion : motions)
      {
        result.energy += motion.kinetic_energy();
        result.momentum += motion.momentum();
        result.angular_momentum +=
          motion.spin() + cross_product_3d(motion.centre, motion.momentum());
      }
    return result;
  }
} // namespace Ricochet

#endif
