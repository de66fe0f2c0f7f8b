// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_sums_h
#define ricochet_tests_sums_h

#include <ricochet/base/moment.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/tensor.h>

#include <vector>

/** Sums over mass points, and what they are relative to. */
template <int dim>
struct Sums
{
  dealii::Tensor<1, dim> momentum, mass_moment;
  dealii::Tensor<1, 3> angular_momentum;
  double kinetic_energy = 0., momentum_scale = 0., mass_moment_scale = 0.,
         angular_momentum_scale = 0.;

  /** Add a point: place, velocity, and these times its mass, or what a mass
   * matrix makes of them. */
  void
  add(const dealii::Tensor<1, dim> &x,
      const dealii::Tensor<1, dim> &v,
      const dealii::Tensor<1, dim> &mass_x,
      const dealii::Tensor<1, dim> &mass_v)
  {
    momentum += mass_v;
    mass_moment += mass_x;
    angular_momentum += Ricochet::moment(x, mass_v);
    kinetic_energy += 0.5 * (v * mass_v);
    momentum_scale += mass_v.norm();
    mass_moment_scale += mass_x.norm();
    angular_momentum_scale += x.norm() * mass_v.norm();
  }

  void
  sum_over_ranks(const MPI_Comm communicator)
  {
    std::vector<double> values;
    for_each_value([&](const double &value) { values.push_back(value); });
    dealii::Utilities::MPI::sum(values, communicator, values);
    auto next = values.begin();
    for_each_value([&](double &value) { value = *next++; });
  }

private:
  template <class Function>
  void
  for_each_value(const Function &function)
  {
    for (unsigned int d = 0; d < dim; ++d)
      {
        function(momentum[d]);
        function(mass_moment[d]);
      }
    for (unsigned int d = 0; d < 3; ++d)
      function(angular_momentum[d]);
    for (double *const value : {&kinetic_energy,
                                &momentum_scale,
                                &mass_moment_scale,
                                &angular_momentum_scale})
      function(*value);
  }
};

#endif
