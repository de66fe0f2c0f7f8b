// SPDX-License-Identifier: LGPL-2.1-or-later

// Let the contact module use the law of bounded_friction.cc, chosen by name as
// in a parameter file: a ball hits a floor, and what slows it down is
// known.

#include <ricochet/impulse/impulse.h>
#include <ricochet/response/contact_parameters.h>

#include <deal.II/base/tensor.h>

#include <cmath>
#include <iostream>

int
main()
{
  dealii::ParameterHandler prm;
  Ricochet::ContactParameters<2>::declare_parameters(prm);
  prm.set("Friction law", "bounded");
  prm.set("Friction of pairs", "ball:floor 0.4");
  prm.enter_subsection("bounded");
  prm.set("Largest force", "30");
  prm.leave_subsection();
  Ricochet::ContactParameters<2> parameters;
  parameters.parse_parameters(prm, {"floor", "ball"});

  // A mass of 2 hits the floor: the normal impulse is 2 * 5 * (1 + 1) = 20, so
  // Coulomb's limit is 8, and the bound 30 dt.
  bool all_passed = true;
  for (const auto &[dt, expected] : {std::pair(1., 8.), std::pair(0.1, 3.)})
    {
      const auto friction = parameters.settling.pass.friction_of({{1, 0}}, dt);
      const auto pair =
        Ricochet::pair_impulse(dealii::Tensor<2, 2>({{0.5, 0.}, {0., 0.5}}),
                               dealii::Tensor<1, 2>({0., 1.}),
                               dealii::Tensor<1, 2>({10., -5.}),
                               1.,
                               friction);
      const bool passed = std::abs(pair.impulse[0] + expected) <= 1e-14;
      std::cout << (passed ? "ok      " : "WRONG   ") << "friction impulse in "
                << dt << ": " << -pair.impulse[0] << ", expected " << expected
                << std::endl;
      all_passed = all_passed && passed;
    }
  return all_passed ? 0 : 1;
}
