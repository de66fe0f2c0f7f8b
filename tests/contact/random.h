// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_tests_contact_random_h
#define ricochet_tests_contact_random_h

#include <deal.II/base/tensor.h>
#include <deal.II/physics/transformations.h>

#include <random>

/** Random numbers that are the same on every platform and rank. */
class Random
{
public:
  explicit Random(const unsigned int seed)
    : generator(seed)
  {}

  double
  uniform(const double a, const double b)
  {
    return a + (b - a) * std::generate_canonical<double, 53>(generator);
  }

  template <int dim>
  dealii::Tensor<1, dim>
  vector(const double size)
  {
    dealii::Tensor<1, dim> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = uniform(-size, size);
    return result;
  }

  template <int dim>
  dealii::Tensor<2, dim>
  matrix(const double size)
  {
    dealii::Tensor<2, dim> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = vector<dim>(size);
    return result;
  }

  /** By an angle of at most @p limit. */
  template <int dim>
  dealii::Tensor<2, dim>
  rotation(const double limit)
  {
    namespace Rotations = dealii::Physics::Transformations::Rotations;
    const double angle  = uniform(-limit, limit);
    if constexpr (dim == 2)
      return Rotations::rotation_matrix_2d(angle);
    else
      {
        const auto axis = vector<3>(1.);
        return Rotations::rotation_matrix_3d(axis / axis.norm(), angle);
      }
  }

private:
  std::mt19937_64 generator;
};

#endif
